//! The kernels for this CPU: the level is chosen once, a kernel is found by the forms to convert.

use core::sync::atomic::{AtomicU8, Ordering};

use crate::form::Form;
use crate::glance::{Each, Glance, Look, Meet, Neighbours, ROWS};
#[cfg(feature = "alloc")]
use crate::kernel::cesu8;
#[cfg(feature = "invisible")]
use crate::kernel::invisible;
use crate::kernel::measure::Measured;
use crate::kernel::{Check, Count, Length, Measure, Prefix, Ready, Valid, word};

use table::{TABLES, available};

#[cfg(feature = "alloc")]
pub(crate) use entry::Direct;
pub(crate) use entry::Entry;
pub use level::Level;

mod entry;
mod level;
mod table;
mod units;

#[cfg(all(test, feature = "std"))]
mod tests;

/// The kernels of one level that this CPU can run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kernels {
    /// The number of its table in [`TABLES`], from 1 to [`available`].
    number: u8,
}

/// A number greater than the count of levels on any architecture. It is a power of two, so that an index needs no bounds check.
const MOST_LEVELS: usize = 8;
const _: () = assert!(TABLES.len() < MOST_LEVELS);

/// The kernels of one operation at every level. Each operation has its own static, so that the linker leaves out what nothing
/// calls.
macro_rules! at_levels {
    ($kernels:expr, $name:ident: $type:ty) => {{
        static LEVELS: [$type; MOST_LEVELS] = {
            let mut levels = [TABLES[0].$name; MOST_LEVELS];
            let mut i = 1;
            while i <= TABLES.len() {
                levels[i] = TABLES[i - 1].$name;
                i += 1;
            }
            levels
        };
        LEVELS[usize::from($kernels.number) % MOST_LEVELS]
    }};
}

/// The kernel with this name, if the level has one.
macro_rules! kernel {
    ($kernels:expr, $name:ident: $type:ty) => {
        match at_levels!($kernels, $name: Option<$type>) {
            // SAFETY: every `Kernels` belongs to a level that was detected.
            Some(kernel) => Some(unsafe { Ready::new(kernel) }),
            None => None,
        }
    };
}

/// The kernel with this name; every level has one.
macro_rules! every {
    ($kernels:expr, $name:ident: $type:ty) => {
        // SAFETY: as in `kernel!`.
        unsafe { Ready::new(at_levels!($kernels, $name: $type)) }
    };
}

mod pairs;

impl Kernels {
    /// The kernels without vectors, which every CPU can run.
    const SCALAR: Kernels = Kernels { number: 1 };

    pub(crate) fn level(self) -> Level {
        at_levels!(self, level: Level)
    }

    /// The length of the ASCII prefix.
    pub(crate) fn ascii_prefix(self, src: &[u8]) -> usize {
        every!(self, ascii: Prefix).read(src)
    }

    /// How many bytes at the start belong to no sequence that differs between UTF-8 and Modified UTF-8 or CESU-8.
    #[cfg(feature = "alloc")]
    pub(crate) fn common_prefix(self, modified: bool, src: &[u8]) -> usize {
        let prefix =
            if modified { kernel!(self, mutf8_common: Prefix) } else { kernel!(self, cesu8_common: Prefix) };
        match prefix {
            Some(prefix) => prefix.read(src),
            None => cesu8::scalar_prefix(src, modified),
        }
    }

    /// How many bytes of well-formed UTF-8 stand before the first character that may be invisible.
    #[cfg(feature = "invisible")]
    pub(crate) fn before_invisible(self, src: &[u8]) -> usize {
        match kernel!(self, invisible: Prefix) {
            Some(prefix) => prefix.read(src),
            None => invisible::scalar_prefix(src),
        }
    }

    /// The measures of a well-formed prefix of `src`, if there is a kernel for its form. The prefix is all of `src`, or ends less
    /// than 16 KiB before the first error. UTF-8 is not checked.
    #[inline(always)]
    pub(crate) fn measure(self, form: Form, src: &[u8]) -> Option<Measured> {
        let measure = match form {
            Form::Utf8 => kernel!(self, utf8_measure: Measure),
            Form::Utf16Le => kernel!(self, utf16le_measure: Measure),
            Form::Utf16Be => kernel!(self, utf16be_measure: Measure),
            Form::Utf32Le => kernel!(self, utf32le_measure: Measure),
            Form::Utf32Be => kernel!(self, utf32be_measure: Measure),
            Form::Iso8859_1 => kernel!(self, latin1_measure: Measure),
            _ => None,
        }?;
        Some(measure.read(src))
    }

    /// The number of code points in well-formed UTF-8, if there is a kernel for it.
    #[inline(always)]
    pub(crate) fn count(self, text: &[u8]) -> Option<usize> {
        Some(kernel!(self, utf8_count: Count)?.read(text))
    }

    /// What a glance at the bytes finds, if there is a kernel for it.
    #[inline(always)]
    pub(crate) fn glance(self, src: &[u8]) -> Option<Glance> {
        Some(kernel!(self, glance: Look)?.read(src))
    }

    /// The same, also with a check of carriage returns.
    #[inline(always)]
    pub(crate) fn glance_at_returns(self, src: &[u8]) -> Option<Glance> {
        Some(kernel!(self, glance_at_returns: Look)?.read(src))
    }

    /// How many places there are where text may have been encoded twice, if there is a kernel for it.
    #[inline(always)]
    pub(crate) fn misread(self, src: &[u8]) -> Option<usize> {
        Some(kernel!(self, misread: Count)?.read(src))
    }

    /// The first block with adjacent characters that may be mojibake, if there is a kernel for it.
    #[inline(always)]
    pub(crate) fn neighbours(self, src: &[u8]) -> Option<Neighbours> {
        Some(kernel!(self, neighbours: Meet)?.read(src))
    }

    /// How many characters each of these rows has, if there is a kernel for it.
    #[inline(always)]
    pub(crate) fn count_each(self, src: &[u8], ends: [u32; ROWS]) -> Option<[u32; ROWS]> {
        kernel!(self, count_each: Each)?.write(src, &mut [], ends)
    }

    /// The length of well-formed UTF-8 in UTF-16, in units, if there is a kernel for it.
    #[inline(always)]
    pub(crate) fn utf8_in_utf16(self, text: &[u8]) -> Option<usize> {
        Some(kernel!(self, utf8_in_utf16: Count)?.read(text))
    }

    /// The length of ISO 8859-1 in UTF-8, if there is a kernel for it.
    #[inline(always)]
    pub(crate) fn latin1_in_utf8(self, text: &[u8]) -> Option<usize> {
        Some(kernel!(self, latin1_in_utf8: Count)?.read(text))
    }

    /// The length of UTF-16 or UTF-32 in UTF-8, if there is a kernel for its form, and all of it is well-formed.
    #[inline(always)]
    pub(crate) fn in_utf8(self, form: Form, src: &[u8]) -> Option<usize> {
        let length = match form {
            Form::Utf16Le => kernel!(self, utf16le_in_utf8: Length),
            Form::Utf32Le => kernel!(self, utf32le_in_utf8: Length),
            _ => None,
        }?;
        length.read(src)
    }

    /// How many bytes of UTF-16 or UTF-32 are well-formed: all, or up to less than 16 KiB before the first error.
    #[inline(always)]
    pub(crate) fn wide_prefix(self, form: Form, src: &[u8]) -> usize {
        let valid = match form {
            Form::Utf16Le => kernel!(self, utf16le_valid: Prefix),
            Form::Utf16Be => kernel!(self, utf16be_valid: Prefix),
            Form::Utf32Le => kernel!(self, utf32le_valid: Prefix),
            Form::Utf32Be => kernel!(self, utf32be_valid: Prefix),
            _ => None,
        };
        valid.map_or(0, |valid| valid.read(src))
    }

    #[inline(always)]
    fn utf8_valid(self) -> Ready<Check> {
        every!(self, utf8_valid: Check)
    }

    /// Whether all of `src` is well-formed.
    #[inline]
    pub(crate) fn is_utf8(self, src: &[u8]) -> bool {
        word::is_short_ascii(src) || self.utf8_valid().read(src).len == src.len()
    }

    /// The exact length of the well-formed prefix.
    #[inline]
    pub(crate) fn utf8_prefix(self, src: &[u8]) -> usize {
        if word::is_short_ascii(src) {
            return src.len();
        }
        let valid = self.utf8_valid().read(src);
        if valid.len == src.len() { valid.len } else { self.approach(src, valid) }
    }

    /// Goes on from a well-formed prefix to the error, which is in the next sequence or the one after it. The standard library
    /// reads these.
    #[cold]
    fn approach(self, src: &[u8], prefix: Valid) -> usize {
        const NEAR: usize = 16;
        let mut valid = prefix.len;
        if prefix.shows(src.len()).is_some() {
            return valid;
        }
        loop {
            let near = &src[valid..src.len().min(valid + NEAR)];
            match core::str::from_utf8(near) {
                Ok(text) if text.len() < NEAR => return valid + text.len(),
                Ok(text) => valid += text.len(),
                // A sequence that only the end of these bytes cuts off is read again from its start.
                Err(error) if error.error_len().is_none() && near.len() == NEAR => {
                    valid += error.valid_up_to();
                }
                Err(error) => return valid + error.valid_up_to(),
            }
        }
    }
}

/// The number of the kernels to use; 0 until it is known.
static CURRENT: AtomicU8 = AtomicU8::new(0);

/// The kernels to use: one relaxed load. The tables are constants, so no ordering is needed to read them.
#[inline]
pub(crate) fn kernels() -> Kernels {
    match CURRENT.load(Ordering::Relaxed) {
        0 => detect(),
        number => Kernels { number },
    }
}

/// Whether the kernels to use are those with the widest vectors, for which any few units take only the time of a call. `false`
/// until the level is known.
#[inline(always)]
pub(crate) fn are_widest() -> bool {
    const WIDEST: Option<u8> = {
        let mut i = 0;
        while i < TABLES.len() && !matches!(TABLES[i].level, Level::Avx512) {
            i += 1;
        }
        if i < TABLES.len() { Some(i as u8 + 1) } else { None }
    };
    WIDEST == Some(CURRENT.load(Ordering::Relaxed))
}

/// The length of the well-formed prefix, or of a boundary near its end.
#[inline]
pub(crate) fn utf8_nearly(src: &[u8]) -> Valid {
    kernels().utf8_valid().read(src)
}

/// The kernels of a level, if this CPU can run them.
pub(crate) fn kernels_at(level: Level) -> Option<Kernels> {
    detected().find(|kernels| kernels.level() == level)
}

/// The kernels of a level, or of the best one below it that this CPU has.
pub(crate) fn kernels_at_most(level: Level) -> Kernels {
    detected().rev().find(|kernels| kernels.level() <= level).unwrap_or(Kernels::SCALAR)
}

/// The levels that this CPU can run. All `Kernels` except the scalar ones come from here.
fn detected() -> impl DoubleEndedIterator<Item = Kernels> {
    /// The number of levels, once known: detection takes microseconds if a hypervisor answers `cpuid`.
    static COUNT: AtomicU8 = AtomicU8::new(0);
    let count = match COUNT.load(Ordering::Relaxed) {
        0 => {
            crate::vector::prefetch::learn();
            let count = available() as u8;
            COUNT.store(count, Ordering::Relaxed);
            count
        }
        count => count,
    };
    (1..=count).map(|number| Kernels { number })
}

#[cold]
#[inline(never)]
fn detect() -> Kernels {
    let best = detected().next_back().unwrap_or(Kernels::SCALAR);
    publish(best);
    best
}

fn publish(kernels: Kernels) {
    CURRENT.store(kernels.number, Ordering::Relaxed);
}
