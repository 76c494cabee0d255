//! What a kernel looks like from outside: pointers to functions that need a level.

use core::mem::MaybeUninit;

use super::measure::Measured;
use crate::policy::Fixed;

/// How much of `src` a kernel vouches for.
pub(crate) type Prefix = unsafe fn(src: &[u8]) -> usize;

/// How much of `src` is well-formed UTF-8.
pub(crate) type Check = unsafe fn(src: &[u8]) -> Valid;

/// How much of a text is well-formed UTF-8: everything, or a few bytes short of the first error. In numbers that are returned in registers.
#[derive(Clone, Copy)]
pub(crate) struct Valid {
    pub(crate) len: usize,
    /// Where the error shows that begins exactly there: the first byte that cannot follow what precedes it, or the end of the text. Or
    /// [`UNKNOWN`]. Where more than a number is not returned in registers, nothing knows it.
    #[cfg(target_arch = "x86_64")]
    shows: usize,
}

#[cfg(target_arch = "x86_64")]
const UNKNOWN: usize = usize::MAX;

impl Valid {
    /// All of a text, or what is near to the first error.
    #[inline(always)]
    pub(crate) fn near(len: usize) -> Valid {
        Valid {
            len,
            #[cfg(target_arch = "x86_64")]
            shows: UNKNOWN,
        }
    }

    /// Up to an error that shows there, if not all of a text.
    #[inline(always)]
    pub(crate) fn exactly(len: usize, _shows: usize) -> Valid {
        Valid {
            len,
            #[cfg(target_arch = "x86_64")]
            shows: _shows,
        }
    }

    /// Behind so many bytes more.
    #[inline(always)]
    pub(crate) fn behind(self, bytes: usize) -> Valid {
        Valid {
            len: self.len + bytes,
            #[cfg(target_arch = "x86_64")]
            shows: self.shows.saturating_add(bytes),
        }
    }

    /// Where the error shows, if that is known: at most this.
    #[inline(always)]
    pub(crate) fn shows(self, _end: usize) -> Option<usize> {
        #[cfg(target_arch = "x86_64")]
        return (self.shows <= _end).then_some(self.shows);
        #[cfg(not(target_arch = "x86_64"))]
        None
    }
}

/// How many code points there are in `src`, which is well-formed, or units of another form.
pub(crate) type Count = unsafe fn(src: &[u8]) -> usize;

/// How long `src` is in another form, if all of it is well-formed.
pub(crate) type Length = unsafe fn(src: &[u8]) -> Option<usize>;

/// What a prefix of `src` comes to.
pub(crate) type Measure = unsafe fn(src: &[u8]) -> Measured;

/// Reads a prefix of `src` and writes what it becomes; the policy says what becomes of errors, where the kernel does not always
/// stop at them. May scribble past what it says it has written, inside `dst`; `dst` is never made less initialised than it was.
pub(crate) type Convert = unsafe fn(src: &[u8], dst: &mut [MaybeUninit<u8>], fixed: Fixed) -> Done;

/// Writes whole units in the other byte order.
pub(crate) type Swap = unsafe fn(src: &[u8], dst: &mut [MaybeUninit<u8>], _: ());

/// A kernel of a level that this CPU has, which is all that a kernel asks: so it is safe to call.
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
    /// One of several. Panics if there are not so many.
    #[inline(always)]
    pub(crate) fn at(self, index: usize) -> Ready<K> {
        Ready(self.0[index])
    }
}

impl<A> Ready<unsafe fn(&[u8]) -> A> {
    #[inline(always)]
    pub(crate) fn read(self, src: &[u8]) -> A {
        // SAFETY: who called `new` knows that the CPU has the level.
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

/// Copy bytes to the start of `dst`.
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

/// [`Progress`] in as many numbers as are returned in registers: through memory each call takes longer, the more so where what the kernel
/// writes looks like that memory to the CPU, a multiple of 4096 bytes away.
#[derive(Clone, Copy)]
pub(crate) struct Done {
    read: usize,
    /// With a policy that replaces and pointers of 64 bits, the highest bits are how much was replaced.
    written: usize,
    #[cfg(not(target_pointer_width = "64"))]
    replaced: usize,
}

/// Bits of what was written, where bits for what was replaced stand above them.
#[cfg(target_pointer_width = "64")]
const WRITTEN_BITS: u32 = 40;

impl Done {
    /// The longest text to ask a kernel for that replaces: the numbers of what becomes of it have room.
    pub(crate) const LONGEST_REPLACED: usize = 1 << 23;

    /// A kernel that replaces has read no more than [`LONGEST_REPLACED`](Done::LONGEST_REPLACED) bytes.
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

    /// What was done under this policy.
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

/// What is the same in UTF-8 and a form that is like it, and what converts the rest.
#[derive(Clone, Copy)]
pub(crate) struct Common {
    pub(crate) valid: Ready<Check>,
    pub(crate) prefix: Ready<Prefix>,
    pub(crate) other: Ready<Convert>,
}

impl Common {
    /// How many bytes at the start are in no sequence that differs.
    #[inline]
    pub(super) fn prefix(&self, src: &[u8]) -> usize {
        self.prefix.read(src)
    }

    /// A well-formed prefix, as by `Kernels::utf8_prefix`.
    #[inline]
    pub(super) fn well_formed<'a>(&self, src: &'a [u8]) -> &'a [u8] {
        &src[..self.valid.read(src).len]
    }

    /// What differs, in the other form; nothing if it is to be checked when written, and is not well-formed UTF-8.
    #[inline]
    pub(super) fn other(&self, src: &[u8], dst: &mut [MaybeUninit<u8>], checks: bool) -> Progress {
        let progress = self.other.write(src, dst, Fixed::Stop).progress(Fixed::Stop);
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
