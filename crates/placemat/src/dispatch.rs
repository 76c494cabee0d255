//! The kernels to use on this CPU: chosen once, found by the forms that are to be converted.

use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicU8, Ordering};

use crate::form::Form;
use crate::form::cesu8::Cesu8;
use crate::form::mutf8::{Mutf8, Strict};
use crate::form::utf8::Utf8;
use crate::glance::{Glance, Look, Meet, Neighbours};
use crate::kernel::cesu8::{self, Join, Split};
#[cfg(feature = "invisible")]
use crate::kernel::invisible;
use crate::kernel::measure::Measured;
use crate::kernel::{
    Check, Common, Convert, Count, Length, Measure, Prefix, Progress, Ready, Swap, Valid, word,
};
use crate::policy::Fixed;

use entry::{Converter, Swapped};
use table::{TABLES, available};

#[cfg(feature = "alloc")]
pub(crate) use entry::Direct;
pub(crate) use entry::Entry;
pub use level::Level;

mod entry;
mod level;
mod table;

#[cfg(all(test, feature = "std"))]
mod tests;

/// The kernels of one level, which this CPU can run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kernels {
    /// Which of [`TABLES`], from 1 up to what [`available`] says.
    number: u8,
}

/// More levels than there are on any architecture. With a power of two, an index needs no check that could fail.
const MOST_LEVELS: usize = 8;
const _: () = assert!(TABLES.len() < MOST_LEVELS);

/// This operation at every level: a static of its own, so that the linker leaves out what nothing calls.
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

/// The kernel of this name, if the level has one.
macro_rules! kernel {
    ($kernels:expr, $name:ident: $type:ty) => {
        match at_levels!($kernels, $name: Option<$type>) {
            // SAFETY: every `Kernels` is of a level that was detected.
            Some(kernel) => Some(unsafe { Ready::new(kernel) }),
            None => None,
        }
    };
}

/// The kernel of this name, which every level has.
macro_rules! every {
    ($kernels:expr, $name:ident: $type:ty) => {
        // SAFETY: as in `kernel!`.
        unsafe { Ready::new(at_levels!($kernels, $name: $type)) }
    };
}

impl Kernels {
    /// Those without vectors, which every CPU can run.
    const SCALAR: Kernels = Kernels { number: 1 };

    pub(crate) fn level(self) -> Level {
        at_levels!(self, level: Level)
    }

    /// The length of the ASCII prefix.
    pub(crate) fn ascii_prefix(self, src: &[u8]) -> usize {
        every!(self, ascii: Prefix).read(src)
    }

    /// The kernel from one concrete form to another under a fixed policy.
    #[inline(always)]
    pub(crate) fn find(self, from: Form, to: Form, fixed: Fixed) -> Option<Entry> {
        /// A kernel, and whether it stops at every error under any policy.
        macro_rules! converter {
            ($name:ident, $stops:literal) => {
                kernel!(self, $name: Convert).map(|convert| Converter { convert, fixed, stops: $stops })
            };
        }
        /// A kernel that heeds the policy, or has no errors to heed.
        macro_rules! pair {
            ($name:ident) => {
                converter!($name, false).map(Entry::Convert)
            };
        }
        /// A kernel that stops at every error.
        macro_rules! strict {
            ($name:ident) => {
                converter!($name, true).map(Entry::Convert)
            };
        }
        /// A kernel for little-endian units, and bytes in a unit of the source and of the target where they are to be swapped.
        macro_rules! swapped {
            ($name:ident, $source:literal, $target:literal) => {
                swapped!($name, $source, $target, false)
            };
            ($name:ident, $source:literal, $target:literal, $stops:literal) => {
                Some(self.swapped(converter!($name, $stops)?, $source, $target))
            };
        }
        match (from, to) {
            (Form::Utf8, Form::Utf16Le) => pair!(utf8_to_utf16le),
            (Form::Utf8, Form::Utf16Be) => pair!(utf8_to_utf16be),
            (Form::Utf8, Form::Utf32Le) => pair!(utf8_to_utf32le),
            (Form::Utf8, Form::Utf32Be) => swapped!(utf8_to_utf32le, 1, 4),
            (Form::Utf16Le, Form::Utf8) => pair!(utf16le_to_utf8),
            (Form::Utf16Le, Form::Utf16Le) => pair!(utf16le_to_utf16le),
            (Form::Utf16Le, Form::Utf16Be) => pair!(utf16le_to_utf16be),
            (Form::Utf16Le, Form::Utf32Le) => pair!(utf16le_to_utf32le),
            (Form::Utf16Le, Form::Utf32Be) => swapped!(utf16le_to_utf32le, 1, 4),
            (Form::Utf16Be, Form::Utf8) => pair!(utf16be_to_utf8),
            (Form::Utf16Be, Form::Utf16Le) => pair!(utf16be_to_utf16le),
            (Form::Utf16Be, Form::Utf16Be) => pair!(utf16be_to_utf16be),
            (Form::Utf16Be, Form::Utf32Le) => swapped!(utf16le_to_utf32le, 2, 1),
            (Form::Utf16Be, Form::Utf32Be) => swapped!(utf16le_to_utf32le, 2, 4),
            (Form::Utf32Le, Form::Utf8) => pair!(utf32le_to_utf8),
            (Form::Utf32Le, Form::Utf16Le) => pair!(utf32le_to_utf16le),
            (Form::Utf32Le, Form::Utf16Be) => swapped!(utf32le_to_utf16le, 1, 2),
            (Form::Utf32Le, Form::Utf32Le) => pair!(utf32le_to_utf32le),
            (Form::Utf32Le, Form::Utf32Be) => swapped!(utf32le_to_utf32le, 1, 4),
            (Form::Utf32Be, Form::Utf8) => swapped!(utf32le_to_utf8, 4, 1),
            (Form::Utf32Be, Form::Utf16Le) => swapped!(utf32le_to_utf16le, 4, 1),
            (Form::Utf32Be, Form::Utf16Be) => swapped!(utf32le_to_utf16le, 4, 2),
            (Form::Utf32Be, Form::Utf32Le) => swapped!(utf32le_to_utf32le, 4, 1),
            (Form::Utf32Be, Form::Utf32Be) => swapped!(utf32le_to_utf32le, 4, 4),
            (Form::Utf8, Form::Iso8859_1) => strict!(utf8_to_latin1),
            (Form::Utf16Le, Form::Iso8859_1) => strict!(utf16le_to_latin1),
            (Form::Utf16Be, Form::Iso8859_1) => swapped!(utf16le_to_latin1, 2, 1, true),
            (Form::Utf32Le, Form::Iso8859_1) => strict!(utf32le_to_latin1),
            (Form::Utf32Be, Form::Iso8859_1) => swapped!(utf32le_to_latin1, 4, 1, true),
            (Form::Iso8859_1, Form::Utf8) => pair!(latin1_to_utf8),
            (Form::Iso8859_1, Form::Utf16Le) => pair!(latin1_to_utf16le),
            (Form::Iso8859_1, Form::Utf16Be) => swapped!(latin1_to_utf16le, 1, 2),
            (Form::Iso8859_1, Form::Utf32Le) => pair!(latin1_to_utf32le),
            (Form::Iso8859_1, Form::Utf32Be) => swapped!(latin1_to_utf32le, 1, 4),
            (Form::Utf8, Form::Utf8) if fixed == Fixed::Stop || !self.has_vectors() => {
                Some(Entry::CopyValid(self.utf8_valid()))
            }
            (Form::Utf8, Form::Utf8) => pair!(repair),
            (Form::Utf8, Form::Cesu8) if self.has_vectors() => self.related(
                kernel!(self, cesu8_common: Prefix),
                kernel!(self, utf8_to_cesu8: Convert),
                cesu8::convert::<Utf8, Cesu8, Split, false>,
            ),
            (Form::Cesu8, Form::Utf8) if self.has_vectors() => self.related(
                kernel!(self, cesu8_common: Prefix),
                kernel!(self, cesu8_to_utf8: Convert),
                cesu8::convert::<Cesu8, Utf8, Join, false>,
            ),
            (Form::Utf8, Form::Mutf8) => self.related(
                kernel!(self, mutf8_common: Prefix),
                kernel!(self, utf8_to_mutf8: Convert),
                cesu8::convert::<Utf8, Mutf8<Strict>, Split, true>,
            ),
            (Form::Mutf8, Form::Utf8) => self.related(
                kernel!(self, mutf8_common: Prefix),
                kernel!(self, mutf8_to_utf8: Convert),
                cesu8::convert::<Mutf8<Strict>, Utf8, Join, true>,
            ),
            _ if from.facts().ascii_transparent && to.facts().ascii_transparent => {
                Some(Entry::Copy(every!(self, ascii: Prefix)))
            }
            _ => None,
        }
    }

    /// The kernel between two of the commonest forms: where these are constants, one look at a table.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(crate) fn direct(self, from: Form, to: Form) -> Option<Direct> {
        let (convert, halves) = match (from, to) {
            (Form::Utf8, Form::Utf16Le) => (kernel!(self, utf8_to_utf16le: Convert), 4),
            (Form::Utf8, Form::Utf32Le) => (kernel!(self, utf8_to_utf32le: Convert), 8),
            (Form::Utf16Le, Form::Utf8) => (kernel!(self, utf16le_to_utf8: Convert), 3),
            (Form::Iso8859_1, Form::Utf8) => (kernel!(self, latin1_to_utf8: Convert), 4),
            _ => return None,
        };
        Some(Direct { convert: convert?, halves })
    }

    /// Whether this is a level above the scalar one, which lacks most kernels.
    #[inline(always)]
    fn has_vectors(self) -> bool {
        self.number > 1
    }

    /// A kernel for little-endian units between units of so many bytes that are swapped, or 1.
    fn swapped(self, little_endian: Converter, source: usize, target: usize) -> Entry {
        let swap = kernel!(self, swap: [Swap; 2]).expect("a level with kernels for units can swap them");
        Entry::Swapped(Swapped { little_endian, swap, units: [source, target] })
    }

    /// How many bytes at the start are in no sequence that differs between UTF-8 and Modified UTF-8, or CESU-8.
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

    fn related(
        self,
        prefix: Option<Ready<Prefix>>,
        other: Option<Ready<Convert>>,
        convert: fn(Common, &[u8], &mut [MaybeUninit<u8>]) -> Progress,
    ) -> Option<Entry> {
        if cfg!(placemat_small) {
            return None;
        }
        let common = Common { valid: self.utf8_valid(), prefix: prefix?, other: other? };
        Some(Entry::Related(common, convert))
    }

    /// What a well-formed prefix of `src` comes to, if there is a kernel for its form: all of it, or short of the first
    /// error by less than 16 KiB. UTF-8 is not checked.
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

    /// What a look at bytes finds, if there is a kernel for it.
    #[inline(always)]
    pub(crate) fn glance(self, src: &[u8]) -> Option<Glance> {
        Some(kernel!(self, glance: Look)?.read(src))
    }

    /// The same where carriage returns are looked at.
    #[inline(always)]
    pub(crate) fn glance_at_returns(self, src: &[u8]) -> Option<Glance> {
        Some(kernel!(self, glance_at_returns: Look)?.read(src))
    }

    /// How often text looks decoded twice, if there is a kernel for it.
    #[inline(always)]
    pub(crate) fn misread(self, src: &[u8]) -> Option<usize> {
        Some(kernel!(self, misread: Count)?.read(src))
    }

    /// The first characters side by side that may be mojibake, if there is a kernel for it.
    #[inline(always)]
    pub(crate) fn neighbours(self, src: &[u8]) -> Option<Neighbours> {
        Some(kernel!(self, neighbours: Meet)?.read(src))
    }

    /// How many units well-formed UTF-8 has in UTF-16, if there is a kernel for it.
    #[inline(always)]
    pub(crate) fn utf8_in_utf16(self, text: &[u8]) -> Option<usize> {
        Some(kernel!(self, utf8_in_utf16: Count)?.read(text))
    }

    /// How many bytes ISO 8859-1 takes in UTF-8, if there is a kernel for it.
    #[inline(always)]
    pub(crate) fn latin1_in_utf8(self, text: &[u8]) -> Option<usize> {
        Some(kernel!(self, latin1_in_utf8: Count)?.read(text))
    }

    /// How many bytes UTF-16 or UTF-32 takes in UTF-8, if there is a kernel for its form, and all of it is well-formed.
    #[inline(always)]
    pub(crate) fn in_utf8(self, form: Form, src: &[u8]) -> Option<usize> {
        let length = match form {
            Form::Utf16Le => kernel!(self, utf16le_in_utf8: Length),
            Form::Utf32Le => kernel!(self, utf32le_in_utf8: Length),
            _ => None,
        }?;
        length.read(src)
    }

    /// How many bytes of UTF-16 or UTF-32 are well-formed: all, or short of the first error by less than 16 KiB.
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

    /// Whether all of it is well-formed.
    #[inline]
    pub(crate) fn is_utf8(self, src: &[u8]) -> bool {
        word::is_short_ascii(src) || self.utf8_valid().read(src).len == src.len()
    }

    /// The length of the well-formed prefix, exactly.
    #[inline]
    pub(crate) fn utf8_prefix(self, src: &[u8]) -> usize {
        if word::is_short_ascii(src) {
            return src.len();
        }
        let valid = self.utf8_valid().read(src);
        if valid.len == src.len() { valid.len } else { self.approach(src, valid) }
    }

    /// From a well-formed prefix on to the error, which is in the sequence that is next or the one after it: the standard library
    /// reads them.
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
                // Where only the end of these bytes cuts it off, it is read again from its start.
                Err(error) if error.error_len().is_none() && near.len() == NEAR => {
                    valid += error.valid_up_to();
                }
                Err(error) => return valid + error.valid_up_to(),
            }
        }
    }
}

/// The number of the kernels to use, once known.
static CURRENT: AtomicU8 = AtomicU8::new(0);

/// The kernels to use: one relaxed load. The tables are constants, so no ordering is needed to read them.
#[inline]
pub(crate) fn kernels() -> Kernels {
    match CURRENT.load(Ordering::Relaxed) {
        0 => detect(),
        number => Kernels { number },
    }
}

/// Whether the kernels to use are those of the widest vectors, which take any few units in the time of a call. Not before they are known.
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

/// The well-formed prefix, or a boundary in it that is near to its end.
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

/// The levels that this CPU can run. Every `Kernels` but those of the scalar level comes from here.
fn detected() -> impl DoubleEndedIterator<Item = Kernels> {
    /// How many they are, once known: asking takes microseconds where a hypervisor answers `cpuid`.
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
