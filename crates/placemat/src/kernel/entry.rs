//! What a kernel is, and how the rest of the library calls one.

use core::mem::MaybeUninit;

use super::measure::Measured;

/// How much of `src` a kernel vouches for.
pub(crate) type Prefix = unsafe fn(src: &[u8]) -> usize;

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

/// The kernels for one pair of forms.
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) stop: Option<Convert>,
    pub(crate) replace: Option<Convert>,
}

impl Pair {
    pub(crate) const NONE: Pair = Pair { stop: None, replace: None };
}

/// A kernel of a level that this CPU has.
#[derive(Clone, Copy)]
pub(crate) enum Entry {
    Convert(Convert),
    /// Stops at every error under any policy.
    Strict(Convert),
    /// What the prefix vouches for is the same in both forms.
    Copy(Prefix),
    /// Much is the same in both forms.
    Related(Common, fn(Common, &[u8], &mut [MaybeUninit<u8>]) -> Progress),
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
        !matches!(self, Entry::Convert(_))
    }

    /// Convert as much as the kernel likes.
    #[inline]
    pub(crate) fn run(&self, src: &[u8], dst: &mut [u8]) -> Progress {
        let dst: *mut [u8] = dst;
        // SAFETY: same layout, and by its law a kernel writes only initialised bytes.
        self.fill(src, unsafe { &mut *(dst as *mut [MaybeUninit<u8>]) })
    }

    /// The same into room that need not be initialised. What it says it has written is.
    #[inline]
    pub(crate) fn fill(&self, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
        match *self {
            // SAFETY: `Entry`s are made by `find` alone, from tables of detected levels (`detected`).
            Entry::Convert(convert) | Entry::Strict(convert) => unsafe { convert(src, dst) },
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
