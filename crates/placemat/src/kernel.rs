//! Kernels: fast prefixes of the scalar engine, chosen once for this CPU.
//!
//! # Law of a kernel
//! For any `src` and `dst`: what was read ends on a sequence boundary, and what was written is the scalar engine's
//! answer to it under the same fixed policy. A kernel never reports an error: it stops (or, under
//! [`Fixed::Replace`], goes on), and the engine decides what stands where it stopped. Reading nothing is always right.

use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use crate::arch::{LEVELS, Line};
use crate::form::Form;
use crate::form::cesu8::Cesu8;
use crate::form::mutf8::{Mutf8, Strict};
use crate::form::utf8::Utf8;
use crate::kernel::utf8::unfinished;
use crate::policy::Fixed;

pub use level::Level;

use cesu8::{Join, Split};
use entry::Common;
pub(crate) use entry::{Convert, Entry, Measure, Pair, Prefix, Progress};
use measure::Measured;

pub(crate) mod ahead;
pub(crate) mod ascii;
pub(crate) mod blocks;
pub(crate) mod cesu8;
mod entry;
pub(crate) mod from_utf16;
pub(crate) mod from_utf32;
pub(crate) mod from_utf8;
pub(crate) mod latin1;
mod level;
pub(crate) mod lone;
pub(crate) mod measure;
pub(crate) mod mend;
pub(crate) mod other;
pub(crate) mod repair;
pub(crate) mod short;
pub(crate) mod side;
pub(crate) mod target;
pub(crate) mod to_latin1;
pub(crate) mod units;
pub(crate) mod utf8;
pub(crate) mod validate;
pub(crate) mod word;

#[cfg(all(test, feature = "std"))]
mod tests;

/// The kernels of one level.
#[derive(Clone, Copy)]
pub(crate) struct Kernels {
    pub(crate) level: Level,
    /// The ASCII bytes at the start, all of them.
    pub(crate) ascii: Prefix,
    /// Well-formed UTF-8: everything, or little more than 8 KiB short of the first error.
    pub(crate) utf8_valid: Prefix,
    /// Bytes that are in no sequence that differs between UTF-8 and CESU-8.
    pub(crate) cesu8_common: Option<Prefix>,
    /// The same for Modified UTF-8.
    pub(crate) mutf8_common: Option<Prefix>,
    /// What differs, in the other form: from well-formed text, or to what is to be checked.
    pub(crate) utf8_to_cesu8: Option<Convert>,
    pub(crate) cesu8_to_utf8: Option<Convert>,
    pub(crate) utf8_to_mutf8: Option<Convert>,
    pub(crate) mutf8_to_utf8: Option<Convert>,
    /// Of text that is known to be well-formed.
    pub(crate) utf8_measure: Option<Measure>,
    pub(crate) utf8_count: Option<Measure>,
    pub(crate) utf16le_measure: Option<Measure>,
    pub(crate) utf16be_measure: Option<Measure>,
    pub(crate) utf32le_measure: Option<Measure>,
    pub(crate) utf32be_measure: Option<Measure>,
    pub(crate) latin1_measure: Option<Measure>,
    /// How much is well-formed, and no other number.
    pub(crate) utf16le_valid: Option<Measure>,
    pub(crate) utf16be_valid: Option<Measure>,
    pub(crate) utf32le_valid: Option<Measure>,
    pub(crate) utf32be_valid: Option<Measure>,
    pub(crate) utf8_to_utf8: Pair,
    pub(crate) utf8_to_utf16le: Pair,
    pub(crate) utf8_to_utf16be: Pair,
    pub(crate) utf8_to_utf32le: Pair,
    pub(crate) utf8_to_utf32be: Pair,
    pub(crate) utf16le_to_utf8: Pair,
    pub(crate) utf16le_to_utf16le: Pair,
    pub(crate) utf16le_to_utf16be: Pair,
    pub(crate) utf16le_to_utf32le: Pair,
    pub(crate) utf16le_to_utf32be: Pair,
    pub(crate) utf16be_to_utf8: Pair,
    pub(crate) utf16be_to_utf16le: Pair,
    pub(crate) utf16be_to_utf16be: Pair,
    pub(crate) utf16be_to_utf32le: Pair,
    pub(crate) utf16be_to_utf32be: Pair,
    pub(crate) utf32le_to_utf8: Pair,
    pub(crate) utf32le_to_utf16le: Pair,
    pub(crate) utf32le_to_utf16be: Pair,
    pub(crate) utf32le_to_utf32le: Pair,
    pub(crate) utf32le_to_utf32be: Pair,
    pub(crate) utf32be_to_utf8: Pair,
    pub(crate) utf32be_to_utf16le: Pair,
    pub(crate) utf32be_to_utf16be: Pair,
    pub(crate) utf32be_to_utf32le: Pair,
    pub(crate) utf32be_to_utf32be: Pair,
    pub(crate) utf8_to_latin1: Option<Convert>,
    pub(crate) utf16le_to_latin1: Option<Convert>,
    pub(crate) utf16be_to_latin1: Option<Convert>,
    pub(crate) utf32le_to_latin1: Option<Convert>,
    pub(crate) utf32be_to_latin1: Option<Convert>,
    pub(crate) latin1_to_utf8: Pair,
    pub(crate) latin1_to_utf16le: Pair,
    pub(crate) latin1_to_utf16be: Pair,
    pub(crate) latin1_to_utf32le: Pair,
    pub(crate) latin1_to_utf32be: Pair,
}

impl Kernels {
    /// The length of the ASCII prefix.
    #[cfg(all(test, feature = "std"))]
    pub(crate) fn ascii_prefix(&self, src: &[u8]) -> usize {
        // SAFETY: only tables of detected levels are handed out (`detected`), and the level is all that a kernel asks.
        unsafe { (self.ascii)(src) }
    }

    /// The kernel from one concrete form to another under a fixed policy.
    #[inline(always)]
    pub(crate) fn find(&self, from: Form, to: Form, fixed: Fixed) -> Option<Entry> {
        let pair = match (from, to) {
            (Form::Utf8, Form::Utf16Le) => self.utf8_to_utf16le,
            (Form::Utf8, Form::Utf16Be) => self.utf8_to_utf16be,
            (Form::Utf8, Form::Utf32Le) => self.utf8_to_utf32le,
            (Form::Utf8, Form::Utf32Be) => self.utf8_to_utf32be,
            (Form::Utf16Le, Form::Utf8) => self.utf16le_to_utf8,
            (Form::Utf16Le, Form::Utf16Le) => self.utf16le_to_utf16le,
            (Form::Utf16Le, Form::Utf16Be) => self.utf16le_to_utf16be,
            (Form::Utf16Le, Form::Utf32Le) => self.utf16le_to_utf32le,
            (Form::Utf16Le, Form::Utf32Be) => self.utf16le_to_utf32be,
            (Form::Utf16Be, Form::Utf8) => self.utf16be_to_utf8,
            (Form::Utf16Be, Form::Utf16Le) => self.utf16be_to_utf16le,
            (Form::Utf16Be, Form::Utf16Be) => self.utf16be_to_utf16be,
            (Form::Utf16Be, Form::Utf32Le) => self.utf16be_to_utf32le,
            (Form::Utf16Be, Form::Utf32Be) => self.utf16be_to_utf32be,
            (Form::Utf32Le, Form::Utf8) => self.utf32le_to_utf8,
            (Form::Utf32Le, Form::Utf16Le) => self.utf32le_to_utf16le,
            (Form::Utf32Le, Form::Utf16Be) => self.utf32le_to_utf16be,
            (Form::Utf32Le, Form::Utf32Le) => self.utf32le_to_utf32le,
            (Form::Utf32Le, Form::Utf32Be) => self.utf32le_to_utf32be,
            (Form::Utf32Be, Form::Utf8) => self.utf32be_to_utf8,
            (Form::Utf32Be, Form::Utf16Le) => self.utf32be_to_utf16le,
            (Form::Utf32Be, Form::Utf16Be) => self.utf32be_to_utf16be,
            (Form::Utf32Be, Form::Utf32Le) => self.utf32be_to_utf32le,
            (Form::Utf32Be, Form::Utf32Be) => self.utf32be_to_utf32be,
            (Form::Utf8, Form::Iso8859_1) if self.utf8_to_latin1.is_some() => {
                return self.utf8_to_latin1.map(Entry::Strict);
            }
            (Form::Utf16Le, Form::Iso8859_1) => return self.utf16le_to_latin1.map(Entry::Strict),
            (Form::Utf16Be, Form::Iso8859_1) => return self.utf16be_to_latin1.map(Entry::Strict),
            (Form::Utf32Le, Form::Iso8859_1) => return self.utf32le_to_latin1.map(Entry::Strict),
            (Form::Utf32Be, Form::Iso8859_1) => return self.utf32be_to_latin1.map(Entry::Strict),
            (Form::Iso8859_1, Form::Utf8) => self.latin1_to_utf8,
            (Form::Iso8859_1, Form::Utf16Le) => self.latin1_to_utf16le,
            (Form::Iso8859_1, Form::Utf16Be) => self.latin1_to_utf16be,
            (Form::Iso8859_1, Form::Utf32Le) => self.latin1_to_utf32le,
            (Form::Iso8859_1, Form::Utf32Be) => self.latin1_to_utf32be,
            (Form::Utf8, Form::Utf8) if fixed == Fixed::Stop || self.utf8_to_utf8.replace.is_none() => {
                return Some(Entry::Copy(self.utf8_valid));
            }
            (Form::Utf8, Form::Utf8) => self.utf8_to_utf8,
            (Form::Utf8, Form::Cesu8) if self.cesu8_common.is_some() => {
                return self.related(
                    self.cesu8_common,
                    self.utf8_to_cesu8,
                    cesu8::convert::<Utf8, Cesu8, Split>,
                );
            }
            (Form::Cesu8, Form::Utf8) if self.cesu8_common.is_some() => {
                return self.related(
                    self.cesu8_common,
                    self.cesu8_to_utf8,
                    cesu8::convert::<Cesu8, Utf8, Join>,
                );
            }
            (Form::Utf8, Form::Mutf8) => {
                return self.related(
                    self.mutf8_common,
                    self.utf8_to_mutf8,
                    cesu8::convert::<Utf8, Mutf8<Strict>, Split>,
                );
            }
            (Form::Mutf8, Form::Utf8) => {
                return self.related(
                    self.mutf8_common,
                    self.mutf8_to_utf8,
                    cesu8::convert::<Mutf8<Strict>, Utf8, Join>,
                );
            }
            _ if from.facts().ascii_transparent && to.facts().ascii_transparent => {
                return Some(Entry::Copy(self.ascii));
            }
            _ => Pair::NONE,
        };
        match fixed {
            Fixed::Stop => pair.stop,
            Fixed::Replace => pair.replace,
        }
        .map(Entry::Convert)
    }

    /// How many bytes at the start are in no sequence that differs between UTF-8 and Modified UTF-8, or CESU-8.
    #[cfg(feature = "alloc")]
    pub(crate) fn common_prefix(&self, modified: bool, src: &[u8]) -> usize {
        match if modified { self.mutf8_common } else { self.cesu8_common } {
            // SAFETY: as in `ascii_prefix`.
            Some(prefix) => unsafe { prefix(src) },
            None => cesu8::plain_prefix(src, modified),
        }
    }

    fn related(
        &self,
        prefix: Option<Prefix>,
        other: Option<Convert>,
        convert: fn(Common, &[u8], &mut [MaybeUninit<u8>]) -> Progress,
    ) -> Option<Entry> {
        Some(Entry::Related(Common { valid: self.utf8_valid, prefix: prefix?, other: other? }, convert))
    }

    /// What a well-formed prefix of `src` comes to, if there is a kernel for its form: all of it, or short of the first
    /// error by less than 16 KiB. UTF-8 is not checked.
    pub(crate) fn measure(&self, form: Form, src: &[u8]) -> Option<Measured> {
        let measure = match form {
            Form::Utf8 => self.utf8_measure,
            Form::Utf16Le => self.utf16le_measure,
            Form::Utf16Be => self.utf16be_measure,
            Form::Utf32Le => self.utf32le_measure,
            Form::Utf32Be => self.utf32be_measure,
            Form::Iso8859_1 => self.latin1_measure,
            _ => None,
        }?;
        // SAFETY: as in `ascii_prefix`.
        Some(unsafe { measure(src) })
    }

    /// The number of code points in well-formed UTF-8, if there is a kernel for it.
    pub(crate) fn count(&self, text: &[u8]) -> Option<Measured> {
        // SAFETY: as in `ascii_prefix`.
        Some(unsafe { self.utf8_count?(text) })
    }

    /// How many bytes of UTF-16 or UTF-32 are well-formed: all, or short of the first error by less than 16 KiB.
    pub(crate) fn wide_prefix(&self, form: Form, src: &[u8]) -> usize {
        let valid = match form {
            Form::Utf16Le => self.utf16le_valid,
            Form::Utf16Be => self.utf16be_valid,
            Form::Utf32Le => self.utf32le_valid,
            Form::Utf32Be => self.utf32be_valid,
            _ => None,
        };
        // SAFETY: as in `ascii_prefix`.
        valid.map_or(0, |valid| unsafe { valid(src) }.read)
    }

    /// The length of a well-formed prefix that ends on a sequence boundary: `src.len()` if and only if all of `src`
    /// is well-formed, otherwise at most 32 bytes less than what precedes the first error.
    #[inline]
    pub(crate) fn utf8_prefix(&self, src: &[u8]) -> usize {
        // SAFETY: as in `ascii_prefix`.
        let valid = unsafe { (self.utf8_valid)(src) };
        if valid == src.len() { valid } else { self.approach(src, valid) }
    }

    /// From a well-formed prefix on to the error, from which the kernel, which looks for errors now and then only, can be
    /// 8 KiB away: in smaller and smaller pieces.
    #[cold]
    fn approach(&self, src: &[u8], mut valid: usize) -> usize {
        for size in [256, 32] {
            while src.len() - valid > size {
                let piece = &src[valid..valid + size];
                let piece = &piece[..size - unfinished(piece)];
                // SAFETY: as in `ascii_prefix`.
                let len = unsafe { (self.utf8_valid)(piece) };
                valid += len;
                if len < piece.len() {
                    break;
                }
            }
        }
        valid
    }
}

static CURRENT: AtomicPtr<Kernels> = AtomicPtr::new(core::ptr::null_mut());

/// The kernels to use: one relaxed load. A table is immutable and static, so no ordering is needed to read it.
#[inline]
pub(crate) fn kernels() -> &'static Kernels {
    let kernels = CURRENT.load(Ordering::Relaxed);
    // SAFETY: null, or the address of a static table that `publish` stored.
    unsafe { kernels.as_ref() }.unwrap_or_else(detect)
}

/// The kernels of a level, if this CPU can run them.
pub(crate) fn kernels_at(level: Level) -> Option<&'static Kernels> {
    detected().iter().find(|(kernels, _)| kernels.level == level).map(|&(kernels, _)| kernels)
}

/// The kernels of a level, or of the best one below it that this CPU has.
pub(crate) fn kernels_at_most(level: Level) -> &'static Kernels {
    let below = detected().iter().rev().find(|(kernels, _)| kernels.level <= level);
    below.map_or(&word::TABLE, |&(kernels, _)| kernels)
}

/// The levels that this CPU can run. Every `&Kernels` comes from here.
fn detected() -> &'static [Line] {
    /// How many they are, once known: asking takes microseconds where a hypervisor answers `cpuid`.
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let count = match COUNT.load(Ordering::Relaxed) {
        0 => {
            let count = LEVELS.iter().take_while(|(_, here)| here()).count();
            COUNT.store(count, Ordering::Relaxed);
            count
        }
        count => count,
    };
    &LEVELS[..count]
}

#[cold]
fn detect() -> &'static Kernels {
    let best = detected().last().map_or(&word::TABLE, |&(kernels, _)| kernels);
    publish(best);
    best
}

fn publish(kernels: &'static Kernels) {
    CURRENT.store(core::ptr::from_ref(kernels).cast_mut(), Ordering::Relaxed);
}
