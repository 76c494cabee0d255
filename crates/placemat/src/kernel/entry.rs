//! What a kernel is, and how the rest of the library calls one.

use core::mem::MaybeUninit;

use super::measure::Measured;
use crate::policy::Fixed;

/// How much of `src` a kernel vouches for.
pub(crate) type Prefix = unsafe fn(src: &[u8]) -> usize;

/// How many code points there are in `src`, which is well-formed, or units of another form.
pub(crate) type Count = unsafe fn(src: &[u8]) -> usize;

/// What a prefix of `src` comes to.
pub(crate) type Measure = unsafe fn(src: &[u8]) -> Measured;

/// Reads a prefix of `src` and writes what it becomes. May scribble past what it says it has written, inside `dst`; `dst`
/// is never made less initialised than it was.
pub(crate) type Convert = unsafe fn(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress;

/// What a kernel did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    /// Bytes read; ends on a sequence boundary.
    pub(crate) read: usize,
    /// Bytes written.
    pub(crate) written: usize,
    /// U+FFFDs among what was written that stand for errors.
    pub(crate) replaced: usize,
}

impl Progress {
    /// This, and then what was done with the rest.
    #[inline(always)]
    pub(crate) fn and(self, rest: Progress) -> Progress {
        Progress {
            read: self.read + rest.read,
            written: self.written + rest.written,
            replaced: self.replaced + rest.replaced,
        }
    }
}

/// The same, which is told what becomes of errors.
pub(crate) type Pair = unsafe fn(src: &[u8], dst: &mut [MaybeUninit<u8>], fixed: Fixed) -> Progress;

/// Writes whole units in the other byte order.
pub(crate) type Swap = unsafe fn(src: &[u8], dst: &mut [MaybeUninit<u8>]);

/// A kernel of a level that this CPU has.
#[derive(Clone, Copy)]
pub(crate) enum Entry {
    Convert(Pair, Fixed),
    /// Stops at every error under any policy.
    Strict(Convert),
    /// Nothing is wrong, or U+FFFD stands for it.
    Total(Convert),
    /// By way of little-endian units.
    Swapped(Swapped),
    /// What the prefix vouches for is the same in both forms.
    Copy(Prefix),
    /// Much is the same in both forms.
    Related(Common, fn(Common, &[u8], &mut [MaybeUninit<u8>]) -> Progress),
}

/// A kernel for little-endian units.
#[derive(Clone, Copy)]
pub(crate) enum Swappable {
    Pair(Pair, Fixed),
    Strict(Convert),
    Total(Convert),
}

/// A kernel between forms of which one or both have big-endian units. Made by `find` alone, from a table of a detected level.
#[derive(Clone, Copy)]
pub(crate) struct Swapped {
    pub(super) convert: Swappable,
    pub(super) swap: [Swap; 2],
    /// Bytes in a unit of the source and of the target where they are to be swapped, or 1.
    pub(super) units: [usize; 2],
}

/// Bytes of the source that are converted at a time: what stays in the nearest cache, with what becomes of it.
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
                let progress = self.little_endian(text, &mut target[..most]);
                let written: *const [MaybeUninit<u8>] = &target[..progress.written];
                // SAFETY: same layout, and what a kernel says it has written is initialised.
                self.swap(to, unsafe { &*(written as *const [u8]) }, &mut room[..progress.written]);
                progress
            } else {
                self.little_endian(text, room)
            };
            done.read += progress.read;
            done.written += progress.written;
            done.replaced += progress.replaced;
            // What a piece cuts, at most three bytes, is converted with the next one.
            if progress.read == 0 || progress.read + 3 < text.len() || text.len() + 3 < SWAPPED {
                return done;
            }
        }
    }

    #[inline(always)]
    fn little_endian(&self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
        match self.convert {
            // SAFETY: the level is detected, see above, and it is all that a kernel asks.
            Swappable::Pair(convert, fixed) => unsafe { convert(src, dst, fixed) },
            // SAFETY: as above.
            Swappable::Strict(convert) | Swappable::Total(convert) => unsafe { convert(src, dst) },
        }
    }

    /// Whole units in the other byte order.
    #[inline(always)]
    fn swap<'a>(&self, unit: usize, src: &[u8], dst: &'a mut [MaybeUninit<u8>]) -> &'a [u8] {
        // SAFETY: as above.
        unsafe { self.swap[unit / 4](src, dst) }
        let written: *const [MaybeUninit<u8>] = &dst[..src.len() / unit * unit];
        // SAFETY: same layout, and all of it was just written.
        unsafe { &*(written as *const [u8]) }
    }
}

/// What is the same in UTF-8 and a form that is like it. Made by `find` alone, from a table of a detected level.
#[derive(Clone, Copy)]
pub(crate) struct Common {
    pub(super) valid: Prefix,
    pub(super) prefix: Prefix,
    pub(super) other: Convert,
}

impl Common {
    /// How many bytes at the start are in no sequence that differs.
    #[inline]
    pub(super) fn prefix(&self, src: &[u8]) -> usize {
        // SAFETY: the level is detected, see above, and it is all that a kernel asks.
        unsafe { (self.prefix)(src) }
    }

    /// A well-formed prefix, as by [`Kernels::utf8_prefix`](super::Kernels::utf8_prefix).
    #[inline]
    pub(super) fn well_formed<'a>(&self, src: &'a [u8]) -> &'a [u8] {
        // SAFETY: as above.
        &src[..unsafe { (self.valid)(src) }]
    }

    /// What differs, in the other form; nothing if it is to be checked when written, and is not well-formed UTF-8.
    #[inline]
    pub(super) fn other(&self, src: &[u8], dst: &mut [MaybeUninit<u8>], checks: bool) -> Progress {
        // SAFETY: as above.
        let progress = unsafe { (self.other)(src, dst) };
        let written: *const [MaybeUninit<u8>] = &dst[..progress.written];
        // SAFETY: same layout, and what a kernel says it has written is initialised.
        let written = unsafe { &*(written as *const [u8]) };
        if checks && self.well_formed(written).len() < written.len() { Progress::default() } else { progress }
    }
}

impl Entry {
    /// Whether it stops at every error under any policy.
    pub(crate) fn stops(&self) -> bool {
        match self {
            Entry::Convert(..) | Entry::Total(_) => false,
            Entry::Swapped(swapped) => matches!(swapped.convert, Swappable::Strict(_)),
            Entry::Strict(_) | Entry::Copy(_) | Entry::Related(..) => true,
        }
    }

    /// Convert as much as the kernel likes.
    #[inline(always)]
    pub(crate) fn run(&self, src: &[u8], dst: &mut [u8]) -> Progress {
        let dst: *mut [u8] = dst;
        // SAFETY: same layout, and by its law a kernel writes only initialised bytes.
        self.convert(src, unsafe { &mut *(dst as *mut [MaybeUninit<u8>]) })
    }

    /// The same into room that need not be initialised. What it says it has written is.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn fill(&self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
        let progress = self.convert(src, dst);
        // Callers take so much for initialised.
        assert!(progress.written <= dst.len(), "a kernel wrote more than there was room for");
        progress
    }

    #[inline(always)]
    fn convert(&self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
        match *self {
            // SAFETY: `Entry`s are made by `find` alone, from tables of detected levels (`detected`).
            Entry::Convert(convert, fixed) => unsafe { convert(src, dst, fixed) },
            // SAFETY: as above.
            Entry::Strict(convert) | Entry::Total(convert) => unsafe { convert(src, dst) },
            Entry::Swapped(swapped) => swapped.convert(src, dst),
            Entry::Related(common, convert) => convert(common, src, dst),
            Entry::Copy(prefix) => {
                let src = &src[..src.len().min(dst.len())];
                // SAFETY: as above, `find` took it from a table of a detected level.
                let len = unsafe { prefix(src) };
                let (src, dst) = (&src[..len], &mut dst[..len]);
                // SAFETY: two slices of `len` bytes, of which one is ours alone.
                unsafe { dst.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(src.as_ptr(), len) };
                Progress { read: len, written: len, replaced: 0 }
            }
        }
    }
}
