//! The types of kernels as their callers see them: pointers to functions that need the CPU features of a level.

use core::mem::MaybeUninit;

use super::measure::Measured;
use crate::policy::Fixed;

/// Returns the length of a prefix of `src`; what holds for that prefix depends on the kernel.
pub(crate) type Prefix = unsafe fn(src: &[u8]) -> usize;

/// Returns how much of `src` is well-formed UTF-8.
pub(crate) type Check = unsafe fn(src: &[u8]) -> Valid;

/// How much of a text is well-formed UTF-8: all of it, or up to a few bytes before the first error. Small enough to be returned in
/// registers.
#[derive(Clone, Copy)]
pub(crate) struct Valid {
    pub(crate) len: usize,
    /// If an error begins exactly at `len`, where it shows: the index of the first byte that cannot follow the bytes before it, or the end
    /// of the text. Otherwise [`UNKNOWN`]. Stored only on x86-64, where two numbers are returned in registers.
    #[cfg(target_arch = "x86_64")]
    shows: usize,
}

#[cfg(target_arch = "x86_64")]
const UNKNOWN: usize = usize::MAX;

impl Valid {
    /// All of a text, or up to a few bytes before the first error.
    #[inline(always)]
    pub(crate) fn near(len: usize) -> Valid {
        Valid {
            len,
            #[cfg(target_arch = "x86_64")]
            shows: UNKNOWN,
        }
    }

    /// All of a text, or up to an error that begins at `len` and shows at `_shows`.
    #[inline(always)]
    pub(crate) fn exactly(len: usize, _shows: usize) -> Valid {
        Valid {
            len,
            #[cfg(target_arch = "x86_64")]
            shows: _shows,
        }
    }

    /// The same answer for a text that has `bytes` more well-formed bytes in front.
    #[inline(always)]
    pub(crate) fn behind(self, bytes: usize) -> Valid {
        Valid {
            len: self.len + bytes,
            #[cfg(target_arch = "x86_64")]
            shows: self.shows.saturating_add(bytes),
        }
    }

    /// Where the error shows, if that is known and at most `_end`.
    #[inline(always)]
    pub(crate) fn shows(self, _end: usize) -> Option<usize> {
        #[cfg(target_arch = "x86_64")]
        return (self.shows <= _end).then_some(self.shows);
        #[cfg(not(target_arch = "x86_64"))]
        None
    }
}

/// Returns the number of code points in well-formed `src`, or the number of code units it has in another form.
pub(crate) type Count = unsafe fn(src: &[u8]) -> usize;

/// Returns the length of `src` in another form, or `None` if `src` is not well-formed.
pub(crate) type Length = unsafe fn(src: &[u8]) -> Option<usize>;

/// Measures a prefix of `src`: its length, and its lengths in other forms.
pub(crate) type Measure = unsafe fn(src: &[u8]) -> Measured;

/// Reads a prefix of `src` and writes it in another form. The policy says what is written for errors, unless the kernel always stops at
/// them. May write to `dst` behind the bytes that it reports as written; never makes a byte of `dst` uninitialised.
pub(crate) type Convert = unsafe fn(src: &[u8], dst: &mut [MaybeUninit<u8>], fixed: Fixed) -> Done;

/// Writes whole units of `src` in the other byte order.
pub(crate) type Swap = unsafe fn(src: &[u8], dst: &mut [MaybeUninit<u8>], _: ());

/// A kernel of a level that this CPU has. A kernel requires nothing else, so it is safe to call.
#[derive(Clone, Copy)]
pub(crate) struct Ready<K>(K);

impl<K> Ready<K> {
    /// # Safety
    /// The CPU has the level of this kernel.
    #[inline(always)]
    pub(crate) const unsafe fn new(kernel: K) -> Self {
        Ready(kernel)
    }
}

impl<K: Copy, const N: usize> Ready<[K; N]> {
    /// Returns one of several kernels. Panics if `index` is out of range.
    #[inline(always)]
    pub(crate) fn at(self, index: usize) -> Ready<K> {
        Ready(self.0[index])
    }
}

impl<A> Ready<unsafe fn(&[u8]) -> A> {
    #[inline(always)]
    pub(crate) fn read(self, src: &[u8]) -> A {
        // SAFETY: `new` was called, and its caller promised that the CPU has the level.
        unsafe { (self.0)(src) }
    }
}

impl<T, A> Ready<unsafe fn(&[u8], &mut [MaybeUninit<u8>], T) -> A> {
    #[inline(always)]
    pub(crate) fn write(self, src: &[u8], dst: &mut [MaybeUninit<u8>], setting: T) -> A {
        // SAFETY: as in `read`.
        unsafe { (self.0)(src, dst, setting) }
    }
}

/// Copies bytes to the start of `dst`.
#[inline(always)]
pub(crate) fn put(bytes: &[u8], dst: &mut [MaybeUninit<u8>]) {
    for (place, &byte) in dst.iter_mut().zip(bytes) {
        place.write(byte);
    }
}

/// What a kernel did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    /// Bytes read; ends on a sequence boundary.
    pub(crate) read: usize,
    /// Bytes written.
    pub(crate) written: usize,
    /// How many of the U+FFFDs written stand for errors.
    pub(crate) replaced: usize,
}

impl Progress {
    /// The sum of this and of what was then done with the rest.
    #[inline(always)]
    pub(crate) fn and(self, rest: Progress) -> Progress {
        Progress {
            read: self.read + rest.read,
            written: self.written + rest.written,
            replaced: self.replaced + rest.replaced,
        }
    }
}

/// [`Progress`] in so few numbers that they are returned in registers. Through memory each call takes longer, most of all when what the
/// kernel writes is a multiple of 4096 bytes away from that memory, because then the CPU takes the two for the same place.
#[derive(Clone, Copy)]
pub(crate) struct Done {
    read: usize,
    /// On targets with 64-bit pointers and under a policy that replaces, the highest bits hold `replaced`.
    written: usize,
    #[cfg(not(target_pointer_width = "64"))]
    replaced: usize,
}

/// How many bits of `Done::written` hold the bytes written; the bits above hold `replaced`.
#[cfg(target_pointer_width = "64")]
const WRITTEN_BITS: u32 = 40;

impl Done {
    /// The longest text to give to a kernel that replaces: for more, the numbers might not fit in their bits.
    pub(crate) const LONGEST_REPLACED: usize = 1 << 23;

    /// A kernel that replaces must have read no more than [`LONGEST_REPLACED`](Done::LONGEST_REPLACED) bytes.
    #[inline(always)]
    pub(crate) fn new(progress: Progress) -> Done {
        let Progress { read, written, replaced } = progress;
        Done {
            read,
            #[cfg(target_pointer_width = "64")]
            written: written | replaced << WRITTEN_BITS,
            #[cfg(not(target_pointer_width = "64"))]
            written,
            #[cfg(not(target_pointer_width = "64"))]
            replaced,
        }
    }

    /// Returns what was done under this policy.
    #[inline(always)]
    pub(crate) fn progress(self, fixed: Fixed) -> Progress {
        let Done { read, written, .. } = self;
        if fixed == Fixed::Stop {
            return Progress { read, written, replaced: 0 };
        }
        #[cfg(target_pointer_width = "64")]
        let (written, replaced) = (written & ((1 << WRITTEN_BITS) - 1), written >> WRITTEN_BITS);
        #[cfg(not(target_pointer_width = "64"))]
        let replaced = self.replaced;
        Progress { read, written, replaced }
    }
}

/// The kernels for a form that is like UTF-8: one finds what is the same in both, one converts the rest.
#[derive(Clone, Copy)]
pub(crate) struct Common {
    pub(crate) valid: Ready<Check>,
    pub(crate) prefix: Ready<Prefix>,
    pub(crate) other: Ready<Convert>,
}

impl Common {
    /// Returns how many bytes at the start contain no sequence that differs in the other form.
    #[inline]
    pub(super) fn prefix(&self, src: &[u8]) -> usize {
        self.prefix.read(src)
    }

    /// Returns a well-formed prefix, like `Kernels::utf8_prefix`.
    #[inline]
    pub(super) fn well_formed<'a>(&self, src: &'a [u8]) -> &'a [u8] {
        &src[..self.valid.read(src).len]
    }

    /// Converts sequences that differ. With `checks`, returns an empty `Progress` if what was written is not well-formed UTF-8.
    #[inline]
    pub(super) fn other(&self, src: &[u8], dst: &mut [MaybeUninit<u8>], checks: bool) -> Progress {
        let progress = self.other.write(src, dst, Fixed::Stop).progress(Fixed::Stop);
        if checks { self.checked(progress, dst) } else { progress }
    }

    /// Returns `progress`, or an empty `Progress` if what the kernel has written is not well-formed UTF-8.
    #[inline]
    pub(super) fn checked(&self, progress: Progress, dst: &[MaybeUninit<u8>]) -> Progress {
        let written: *const [MaybeUninit<u8>] = &dst[..progress.written];
        // SAFETY: the layouts are the same, and what a kernel says it has written is initialised.
        let written = unsafe { &*(written as *const [u8]) };
        if self.well_formed(written).len() < written.len() { Progress::default() } else { progress }
    }
}
