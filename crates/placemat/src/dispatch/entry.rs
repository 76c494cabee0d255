//! How the rest of the library calls a kernel.

use core::mem::MaybeUninit;

use super::units::Units;
use crate::kernel::{Check, Common, Convert, Done, Prefix, Progress, Ready, Swap, put};
use crate::policy::Fixed;

/// A conversion: a kernel, or a function that uses one.
#[derive(Clone, Copy)]
pub(crate) enum Entry {
    Convert(Converter),
    /// A kernel for little-endian units, between swaps of the byte order.
    Swapped(Swapped),
    /// UTF-16 or UTF-32 in the same byte order or the other.
    Units(Units),
    /// The bytes of the prefix are the same in both forms.
    Copy(Ready<Prefix>),
    /// The same, for a prefix that is well-formed UTF-8.
    CopyValid(Ready<Check>),
    /// Most bytes are the same in both forms.
    Related(Common, fn(Common, &[u8], &mut [MaybeUninit<u8>]) -> Progress),
}

/// A kernel that converts.
#[derive(Clone, Copy)]
pub(crate) struct Converter {
    pub(super) convert: Ready<Convert>,
    pub(super) fixed: Fixed,
    /// Whether the kernel stops at every error under any policy.
    pub(super) stops: bool,
}

impl Converter {
    #[inline(always)]
    fn run(&self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
        if cfg!(target_pointer_width = "64")
            && self.fixed == Fixed::Replace
            && src.len() > Done::LONGEST_REPLACED
        {
            return self.run_in_parts(src, dst);
        }
        self.convert.write(src, dst, self.fixed).progress(self.fixed)
    }

    /// The same for a text so long that a kernel could not count the errors that it replaced.
    #[cold]
    #[inline(never)]
    fn run_in_parts(&self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
        let mut done = Progress::default();
        loop {
            let part = &src[done.read..];
            let part = &part[..part.len().min(Done::LONGEST_REPLACED)];
            let room = &mut dst[done.written..];
            let progress = self.convert.write(part, room, self.fixed).progress(self.fixed);
            done = done.and(progress);
            // A sequence that a part cuts off, at most three bytes, is converted with the next part.
            if progress.read + 3 < part.len() || part.len() < Done::LONGEST_REPLACED {
                return done;
            }
        }
    }
}

/// A kernel that stops at errors, between two of the most common forms, which have neither a byte order mark nor a state.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy)]
pub(crate) struct Direct {
    pub(super) convert: Ready<Convert>,
    /// The most bytes that two bytes become.
    pub(crate) halves: usize,
}

#[cfg(feature = "alloc")]
impl Direct {
    #[inline(always)]
    pub(crate) fn entry(self) -> Entry {
        Entry::Convert(Converter { convert: self.convert, fixed: Fixed::Stop, stops: true })
    }
}

/// A kernel between forms of which at least one has big-endian units.
#[derive(Clone, Copy)]
pub(crate) struct Swapped {
    pub(super) little_endian: Converter,
    pub(super) swap: Ready<[Swap; 2]>,
    /// The bytes in a unit of the source and of the target, or 1 if the units are not swapped.
    pub(super) units: [usize; 2],
}

/// How many bytes of the source are converted at a time, so that they and the result stay in the L1 cache.
const SWAPPED: usize = 4096;

impl Swapped {
    fn convert(&self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
        let (mut source, mut target) =
            ([MaybeUninit::uninit(); SWAPPED], [MaybeUninit::uninit(); 4 * SWAPPED]);
        let [from, to] = self.units;
        let mut done = Progress::default();
        loop {
            let mut text = &src[done.read..];
            text = &text[..text.len().min(SWAPPED) / from * from];
            if from > 1 {
                text = self.swap(from, text, &mut source[..text.len()]);
            }
            let room = &mut dst[done.written..];
            let progress = if to > 1 {
                let most = room.len().min(target.len()) / to * to;
                let progress = self.little_endian.run(text, &mut target[..most]);
                let written: *const [MaybeUninit<u8>] = &target[..progress.written];
                // SAFETY: same layout, and what a kernel says it has written is initialised.
                self.swap(to, unsafe { &*(written as *const [u8]) }, &mut room[..progress.written]);
                progress
            } else {
                self.little_endian.run(text, room)
            };
            done.read += progress.read;
            done.written += progress.written;
            done.replaced += progress.replaced;
            // A sequence that a piece cuts off, at most three bytes, is converted with the next piece.
            if progress.read == 0 || progress.read + 3 < text.len() || text.len() + 3 < SWAPPED {
                return done;
            }
        }
    }

    /// Whole units of `src` in the other byte order.
    #[inline(always)]
    fn swap<'a>(&self, unit: usize, src: &[u8], dst: &'a mut [MaybeUninit<u8>]) -> &'a [u8] {
        self.swap.at(unit / 4).write(src, dst, ());
        let written: *const [MaybeUninit<u8>] = &dst[..src.len() / unit * unit];
        // SAFETY: same layout, and all of it was just written.
        unsafe { &*(written as *const [u8]) }
    }
}

impl Entry {
    /// Whether the conversion stops at every error under any policy.
    pub(crate) fn stops(&self) -> bool {
        match self {
            Entry::Convert(kernel) => kernel.stops,
            Entry::Swapped(swapped) => swapped.little_endian.stops,
            Entry::Units(_) => false,
            Entry::Copy(_) | Entry::CopyValid(_) | Entry::Related(..) => true,
        }
    }

    /// Converts as much as the kernel can.
    #[inline(always)]
    pub(crate) fn run(&self, src: &[u8], dst: &mut [u8]) -> Progress {
        let dst: *mut [u8] = dst;
        // SAFETY: same layout, and by its law a kernel writes only initialised bytes.
        self.convert(src, unsafe { &mut *(dst as *mut [MaybeUninit<u8>]) })
    }

    /// The same, but appends as much as `out` has room for.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn append(&self, src: &[u8], out: &mut alloc::vec::Vec<u8>) -> Progress {
        let room = out.spare_capacity_mut();
        let progress = self.convert(src, room);
        assert!(progress.written <= room.len(), "a kernel wrote more than there was room for");
        // SAFETY: there is that much room, and what a kernel says it has written is initialised.
        unsafe { out.set_len(out.len() + progress.written) };
        progress
    }

    #[inline(always)]
    fn convert(&self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
        match *self {
            Entry::Convert(kernel) => kernel.run(src, dst),
            Entry::Swapped(swapped) => swapped.convert(src, dst),
            Entry::Units(units) => units.convert(src, dst),
            Entry::Related(common, convert) => convert(common, src, dst),
            Entry::Copy(prefix) => copy(src, dst, |src| prefix.read(src)),
            Entry::CopyValid(check) => copy(src, dst, |src| check.read(src).len),
        }
    }
}

/// Copies as many bytes as `prefix` allows and `dst` has room for.
#[inline(always)]
fn copy(src: &[u8], dst: &mut [MaybeUninit<u8>], prefix: impl Fn(&[u8]) -> usize) -> Progress {
    let src = &src[..src.len().min(dst.len())];
    let len = prefix(src);
    put(&src[..len], dst);
    Progress { read: len, written: len, replaced: 0 }
}
