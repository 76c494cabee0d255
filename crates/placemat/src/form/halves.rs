//! Surrogate halves as CESU-8 and its relatives write them: a high half is `ED A0..=AF` and a continuation byte, a low half
//! `ED B0..=BF` and a continuation byte.

#![forbid(unsafe_code)]

use super::multibyte::{self, Rules, is_continuation};
use super::utf16;
use crate::codec::ROOM;

/// The rules of UTF-8 for 16-bit units: at most three bytes, surrogates like other code points.
pub(super) struct Units;

impl Rules for Units {
    const LONGEST: usize = 3;
    const SURROGATES: bool = true;
}

/// What follows a high half.
pub(super) enum After {
    /// A low half of three bytes, with this code unit.
    Low(u16),
    /// Something else.
    Other,
    /// The bytes end, but could become a low half.
    Unknown,
}

/// Checks for a low half at the start of `bytes`.
pub(super) fn after_high(bytes: &[u8]) -> After {
    match *bytes {
        [0xED, second @ 0xB0..=0xBF, third, ..] if is_continuation(third) => {
            After::Low(0xD000 | u16::from(second & 0x3F) << 6 | u16::from(third & 0x3F))
        }
        [] | [0xED] | [0xED, 0xB0..=0xBF] => After::Unknown,
        _ => After::Other,
    }
}

/// Write a code point (at most `10_FFFF`) as its UTF-16 units, one to three bytes each; returns the length, 1 to 6.
pub(super) fn encode_units(value: u32, out: &mut [u8; ROOM]) -> usize {
    if value <= 0xFFFF {
        return multibyte::encode(value, out);
    }
    let (high, low) = utf16::split(value);
    let triple = |unit: u16| [0xED, 0x80 | (unit >> 6) as u8 & 0x3F, 0x80 | unit as u8 & 0x3F];
    out[..3].copy_from_slice(&triple(high));
    out[3..6].copy_from_slice(&triple(low));
    6
}
