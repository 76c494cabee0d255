//! WTF-8 (Simon Sapin, "The WTF-8 encoding"): generalised UTF-8 in which a surrogate pair is always one character, so that WTF-8
//! strings correspond one to one to all strings of 16-bit units. [`crate::wtf8`] has its string types.

#![forbid(unsafe_code)]

use super::halves::{self, After};
use super::multibyte;
use super::utf8::{Generalised, Utf8};
use super::utf16;
use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Facts, Input, ROOM};
use crate::error::ErrorKind;

/// The writer joins a high surrogate and the low one behind it. The reader refuses a pair that is not joined.
pub(crate) struct Wtf8;

impl Codec for Wtf8 {
    const FACTS: Facts = Facts {
        domain: "code points to 10FFFF, no surrogate pair",
        source: "Simon Sapin, The WTF-8 encoding",
        ..Utf8::FACTS
    };
    const LONGEST: usize = 6;
    /// A high surrogate that the writer holds back.
    type State = Option<u16>;

    fn decode(_: &mut Option<u16>, input: Input<'_>) -> Decoded {
        let first = multibyte::decode::<Generalised>(input);
        match first {
            Decoded::CodePoint { value, len: 3 } if value.is_high_surrogate() => {
                match halves::after_high(&input.bytes[3..]) {
                    After::Low(_) => Decoded::malformed(ErrorKind::NonCanonical, 6),
                    After::Unknown if !input.last => Decoded::Incomplete,
                    After::Other | After::Unknown => first,
                }
            }
            Decoded::CodePoint { .. }
            | Decoded::Nothing { .. }
            | Decoded::Malformed { .. }
            | Decoded::Incomplete => first,
        }
    }

    fn encode(held: &mut Option<u16>, c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        if c.value() > 0x10_FFFF {
            return Err(ErrorKind::Unencodable);
        }
        let high = held.take();
        if let (Some(high), true) = (high, c.is_low_surrogate()) {
            return Ok(multibyte::encode(utf16::join(high, c.value() as u16), out));
        }
        let before = high.map_or(0, |high| multibyte::encode(u32::from(high), out));
        if c.is_high_surrogate() {
            *held = Some(c.value() as u16);
            return Ok(before);
        }
        let mut room = [0; ROOM];
        let length = multibyte::encode(c.value(), &mut room);
        out[before..before + length].copy_from_slice(&room[..length]);
        Ok(before + length)
    }

    fn end(held: &mut Option<u16>, out: &mut [u8; ROOM]) -> usize {
        held.take().map_or(0, |high| multibyte::encode(u32::from(high), out))
    }
}
