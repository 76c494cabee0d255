//! What a level has: rows that [`super::Kernels`] finds, written once for every CPU.

#![forbid(unsafe_code)]

use super::{Convert, Count, Level, Measure, Pair, Prefix, Swap};

/// The kernels of one level.
#[derive(Clone, Copy)]
pub(crate) struct Table {
    pub(crate) level: Level,
    /// The ASCII bytes at the start, all of them.
    pub(crate) ascii: Prefix,
    /// Well-formed UTF-8: everything, or a few bytes short of the first error.
    pub(crate) utf8_valid: Prefix,
    /// Bytes that are in no sequence that differs between UTF-8 and CESU-8.
    pub(crate) cesu8_common: Option<Prefix>,
    /// The same for Modified UTF-8.
    pub(crate) mutf8_common: Option<Prefix>,
    /// Bytes before the first character that may be invisible.
    #[cfg_attr(not(feature = "invisible"), expect(dead_code, reason = "only that module asks"))]
    pub(crate) invisible: Option<Prefix>,
    /// What differs, in the other form: from well-formed text, or to what is to be checked.
    pub(crate) utf8_to_cesu8: Option<Convert>,
    pub(crate) cesu8_to_utf8: Option<Convert>,
    pub(crate) utf8_to_mutf8: Option<Convert>,
    pub(crate) mutf8_to_utf8: Option<Convert>,
    /// Of text that is known to be well-formed.
    pub(crate) utf8_measure: Option<Measure>,
    pub(crate) utf8_count: Option<Count>,
    pub(crate) utf8_in_utf16: Option<Count>,
    pub(crate) utf16le_measure: Option<Measure>,
    pub(crate) utf16be_measure: Option<Measure>,
    pub(crate) utf32le_measure: Option<Measure>,
    pub(crate) utf32be_measure: Option<Measure>,
    pub(crate) latin1_measure: Option<Measure>,
    /// How much is well-formed, and no other number.
    pub(crate) utf16le_valid: Option<Prefix>,
    pub(crate) utf16be_valid: Option<Prefix>,
    pub(crate) utf32le_valid: Option<Prefix>,
    pub(crate) utf32be_valid: Option<Prefix>,
    /// UTF-8 to UTF-8, with U+FFFD for each error.
    pub(crate) repair: Option<Convert>,
    /// Units of two and of four bytes in the other byte order.
    pub(crate) swap: Option<[Swap; 2]>,
    pub(crate) utf8_to_utf16le: Option<Pair>,
    pub(crate) utf8_to_utf16be: Option<Pair>,
    pub(crate) utf8_to_utf32le: Option<Pair>,
    pub(crate) utf16le_to_utf8: Option<Pair>,
    pub(crate) utf16le_to_utf16le: Option<Pair>,
    pub(crate) utf16le_to_utf16be: Option<Pair>,
    pub(crate) utf16le_to_utf32le: Option<Pair>,
    pub(crate) utf16be_to_utf8: Option<Pair>,
    pub(crate) utf16be_to_utf16le: Option<Pair>,
    pub(crate) utf16be_to_utf16be: Option<Pair>,
    pub(crate) utf32le_to_utf8: Option<Pair>,
    pub(crate) utf32le_to_utf16le: Option<Pair>,
    pub(crate) utf32le_to_utf32le: Option<Pair>,
    pub(crate) utf8_to_latin1: Option<Convert>,
    pub(crate) utf16le_to_latin1: Option<Convert>,
    pub(crate) utf16be_to_latin1: Option<Convert>,
    pub(crate) utf32le_to_latin1: Option<Convert>,
    pub(crate) latin1_to_utf8: Option<Convert>,
    pub(crate) latin1_to_utf16le: Option<Convert>,
    pub(crate) latin1_to_utf16be: Option<Convert>,
    pub(crate) latin1_to_utf32le: Option<Convert>,
}
