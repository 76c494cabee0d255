//! What every CPU can do: words of eight bytes, and the standard library.

#![forbid(unsafe_code)]

use super::{Level, Table};

pub(crate) const TABLE: Table = Table {
    level: Level::Scalar,
    ascii: ascii_prefix,
    utf8_valid: utf8_prefix,
    cesu8_common: None,
    invisible: None,
    mutf8_common: None,
    utf8_to_cesu8: None,
    cesu8_to_utf8: None,
    utf8_to_mutf8: None,
    mutf8_to_utf8: None,
    utf8_measure: None,
    utf8_count: None,
    utf8_in_utf16: None,
    utf16le_measure: None,
    utf16be_measure: None,
    utf32le_measure: None,
    utf32be_measure: None,
    latin1_measure: None,
    utf16le_valid: None,
    utf16be_valid: None,
    utf32le_valid: None,
    utf32be_valid: None,
    repair: None,
    swap: None,
    utf8_to_utf16le: None,
    utf8_to_utf16be: None,
    utf8_to_utf32le: None,
    utf16le_to_utf8: None,
    utf16le_to_utf16le: None,
    utf16le_to_utf16be: None,
    utf16le_to_utf32le: None,
    utf16be_to_utf8: None,
    utf16be_to_utf16le: None,
    utf16be_to_utf16be: None,
    utf32le_to_utf8: None,
    utf32le_to_utf16le: None,
    utf32le_to_utf32le: None,
    utf8_to_latin1: None,
    utf16le_to_latin1: None,
    utf16be_to_latin1: None,
    utf32le_to_latin1: None,
    latin1_to_utf8: None,
    latin1_to_utf16le: None,
    latin1_to_utf16be: None,
    latin1_to_utf32le: None,
};

const HIGH: u64 = 0x8080_8080_8080_8080;

/// The length of the ASCII prefix.
pub(crate) fn ascii_prefix(src: &[u8]) -> usize {
    let (words, rest) = src.as_chunks();
    for (i, word) in words.iter().enumerate() {
        let high = u64::from_le_bytes(*word) & HIGH;
        if high != 0 {
            return 8 * i + high.trailing_zeros() as usize / 8;
        }
    }
    8 * words.len() + rest.iter().take_while(|byte| byte.is_ascii()).count()
}

/// Whether it is ASCII, of at most sixteen bytes: without a loop. `false` for more.
#[inline(always)]
pub(crate) fn is_short_ascii(src: &[u8]) -> bool {
    if src.len() > 16 {
        return false;
    }
    let all = if let (Some(low), Some(high)) = (src.first_chunk(), src.last_chunk()) {
        u64::from_le_bytes(*low) | u64::from_le_bytes(*high)
    } else if let (Some(low), Some(high)) = (src.first_chunk(), src.last_chunk()) {
        u64::from(u32::from_le_bytes(*low) | u32::from_le_bytes(*high))
    } else if let [first, .., last] = src {
        u64::from(first | src[1] | last)
    } else {
        src.first().map_or(0, |&byte| u64::from(byte))
    };
    all & HIGH == 0
}

/// The length of the well-formed prefix, exactly.
fn utf8_prefix(src: &[u8]) -> usize {
    match core::str::from_utf8(src) {
        Ok(text) => text.len(),
        Err(error) => error.valid_up_to(),
    }
}
