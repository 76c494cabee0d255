//! UTF-1 (ISO/IEC 10646-1:1993, annex G, withdrawn; IANA `ISO-10646-UTF-1`).
//!
//! ```text
//! first value  bytes
//!           0  x                         00..9F
//!          A0  A0 x                      x = A0..FF
//!         100  lead digit                lead A1..F5
//!        4016  lead digit digit          lead F6..FB
//!       38E2E  lead digit digit digit digit    lead FC, FD
//! ```
//!
//! A digit is one of the 190 bytes that are neither control, space nor DEL. The lead byte is the most significant digit: it
//! counts multiples of 190 to the power of the number of digits behind it. So control characters are always themselves, but `/`
//! may be part of another character.

#![forbid(unsafe_code)]

use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Facts, Input, Layout, ROOM};
use crate::error::ErrorKind;

/// Digits to the base 190 behind a lead byte.
pub(crate) struct Utf1;

const BASE: u32 = 190;

/// The sequence of `7FFF_FFFF`. Sequences compare like their values, so a greater sequence is too large.
const LAST: [u8; 5] = [0xFD, 0xBD, 0x2B, 0xB9, 0x40];

/// The byte of a digit, annex G's function T.
const fn byte(digit: u32) -> u8 {
    if digit < 0x5E { digit as u8 + 0x21 } else { digit as u8 + 0x42 }
}

/// The digit of a byte, annex G's function U.
const fn digit(byte: u8) -> Option<u32> {
    match byte {
        0x21..=0x7E => Some(byte as u32 - 0x21),
        0xA0..=0xFF => Some(byte as u32 - 0x42),
        _ => None,
    }
}

impl Codec for Utf1 {
    const FACTS: Facts = Facts {
        domain: "0000..7FFFFFFF",
        width: (1, 5),
        ascii_transparent: false,
        self_synchronising: false,
        order_preserving: true,
        layout: Layout::Plain,
        source: "ISO/IEC 10646-1:1993 annex G (IANA ISO-10646-UTF-1); replaced by UTF-8",
    };
    const LONGEST: usize = 5;
    type State = ();

    fn decode(_: &mut (), input: Input<'_>) -> Decoded {
        let bytes = input.bytes;
        let lead = bytes[0];
        let (length, first_lead, first_value) = match lead {
            0..=0x9F => return Decoded::code_point(u32::from(lead), 1),
            0xA0 => return escaped_byte(input),
            0xA1..=0xF5 => (2, 0xA1, 0x100),
            0xF6..=0xFB => (3, 0xF6, 0x4016),
            0xFC..=0xFD => (5, 0xFC, 0x3_8E2E),
            0xFE..=0xFF => return Decoded::malformed(ErrorKind::TooLarge, 1),
        };
        let mut value = u32::from(lead - first_lead);
        for at in 1..length {
            let Some(&next) = bytes.get(at) else { return input.ends_inside(at) };
            let Some(digit) = digit(next) else {
                return Decoded::malformed(ErrorKind::MissingContinuation, at);
            };
            if length == 5 && bytes[..=at] > LAST[..=at] {
                return Decoded::malformed(ErrorKind::TooLarge, at);
            }
            value = value * BASE + digit;
        }
        Decoded::code_point(first_value + value, length)
    }

    fn encode(_: &mut (), c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        let value = c.value();
        let (length, first_lead, first_value) = match value {
            0..=0x9F => {
                out[0] = value as u8;
                return Ok(1);
            }
            0xA0..=0xFF => {
                out[..2].copy_from_slice(&[0xA0, value as u8]);
                return Ok(2);
            }
            0x100..=0x4015 => (2, 0xA1, 0x100),
            0x4016..=0x3_8E2D => (3, 0xF6, 0x4016),
            _ => (5, 0xFC, 0x3_8E2E),
        };
        let mut rest = value - first_value;
        for at in (1..length).rev() {
            out[at] = byte(rest % BASE);
            rest /= BASE;
        }
        out[0] = first_lead + rest as u8;
        Ok(length)
    }
}

/// Reads `A0` and a byte of the right half of Latin-1, which is the code point with its number.
fn escaped_byte(input: Input<'_>) -> Decoded {
    match input.bytes.get(1) {
        None => input.ends_inside(1),
        Some(&byte @ 0xA0..=0xFF) => Decoded::code_point(u32::from(byte), 2),
        Some(_) => Decoded::malformed(ErrorKind::MissingContinuation, 1),
    }
}
