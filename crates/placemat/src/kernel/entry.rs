//! What a kernel looks like from outside: pointers to functions that need a level.

use core::mem::MaybeUninit;

use super::measure::Measured;
use crate::policy::Fixed;

/// How much of `src` a kernel vouches for.
pub(crate) type Prefix = unsafe fn(src: &[u8]) -> usize;

/// How many code points there are in `src`, which is well-formed, or units of another form.
pub(crate) type Count = unsafe fn(src: &[u8]) -> usize;

/// What a prefix of `src` comes to.
pub(crate) type Measure = unsafe fn(src: &[u8]) -> Measured;

/// Reads a prefix of `src` and writes what it becomes; the policy says what becomes of errors, where the kernel does not always
/// stop at them. May scribble past what it says it has written, inside `dst`; `dst` is never made less initialised than it was.
pub(crate) type Convert = unsafe fn(src: &[u8], dst: &mut [MaybeUninit<u8>], fixed: Fixed) -> Progress;

/// Writes whole units in the other byte order.
pub(crate) type Swap = unsafe fn(src: &[u8], dst: &mut [MaybeUninit<u8>], _: ());

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

/// What is the same in UTF-8 and a form that is like it, and what converts the rest: kernels of a level that this CPU has.
#[derive(Clone, Copy)]
pub(crate) struct Common {
    valid: Prefix,
    prefix: Prefix,
    other: Convert,
}

impl Common {
    /// # Safety
    /// The CPU has the level of these kernels.
    pub(crate) const unsafe fn new(valid: Prefix, prefix: Prefix, other: Convert) -> Self {
        Common { valid, prefix, other }
    }

    /// How many bytes at the start are in no sequence that differs.
    #[inline]
    pub(super) fn prefix(&self, src: &[u8]) -> usize {
        // SAFETY: who called `new` knows that the CPU has the level, and that is all that a kernel asks.
        unsafe { (self.prefix)(src) }
    }

    /// A well-formed prefix, as by `Kernels::utf8_prefix`.
    #[inline]
    pub(super) fn well_formed<'a>(&self, src: &'a [u8]) -> &'a [u8] {
        // SAFETY: as in `prefix`.
        &src[..unsafe { (self.valid)(src) }]
    }

    /// What differs, in the other form; nothing if it is to be checked when written, and is not well-formed UTF-8.
    #[inline]
    pub(super) fn other(&self, src: &[u8], dst: &mut [MaybeUninit<u8>], checks: bool) -> Progress {
        // SAFETY: as in `prefix`.
        let progress = unsafe { (self.other)(src, dst, Fixed::Stop) };
        if checks { self.checked(progress, dst) } else { progress }
    }

    /// What a kernel has written; nothing if that is not well-formed UTF-8.
    #[inline]
    pub(super) fn checked(&self, progress: Progress, dst: &[MaybeUninit<u8>]) -> Progress {
        let written: *const [MaybeUninit<u8>] = &dst[..progress.written];
        // SAFETY: same layout, and what a kernel says it has written is initialised.
        let written = unsafe { &*(written as *const [u8]) };
        if self.well_formed(written).len() < written.len() { Progress::default() } else { progress }
    }
}
