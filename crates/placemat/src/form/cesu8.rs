//! CESU-8 (Unicode Technical Report 26): UTF-16 with one to three bytes for each unit, so that a supplementary character has six
//! bytes. Oracle's character set `UTF8`.
//!
//! Units are checked first, then pairs. An unpaired half is one error of three bytes, and the bytes behind it are read as if they
//! stood alone.

#![forbid(unsafe_code)]

use super::halves::{self, After, Units};
use super::multibyte;
use super::utf8::Utf8;
use super::utf16;
use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Facts, Input, ROOM};
use crate::error::ErrorKind;

/// CESU-8; with `LENIENT`, unpaired surrogates pass both ways.
pub(crate) struct Cesu8<const LENIENT: bool = false>;

impl<const LENIENT: bool> Codec for Cesu8<LENIENT> {
    const FACTS: Facts = Facts {
        domain: if LENIENT { "code points to 10FFFF" } else { "scalar values" },
        width: (1, 6),
        order_preserving: false,
        source: "Unicode Technical Report 26",
        ..Utf8::FACTS
    };
    const LONGEST: usize = 6;
    type State = ();

    fn decode(_: &mut (), input: Input<'_>) -> Decoded {
        let unit = multibyte::decode::<Units>(input);
        let Decoded::CodePoint { value, len: 3 } = unit else { return unit };
        if !value.is_surrogate() {
            return unit;
        }
        let rest = &input.bytes[3..];
        if value.is_high_surrogate() {
            match halves::after_high(rest) {
                After::Low(low) => return Decoded::code_point(utf16::join(value.value() as u16, low), 6),
                After::Unknown if !input.last => return Decoded::Incomplete,
                _ if LENIENT => {}
                _ if rest.is_empty() => return Decoded::malformed(ErrorKind::Truncated, 3),
                After::Other | After::Unknown => {}
            }
        }
        if LENIENT { unit } else { Decoded::malformed(ErrorKind::Surrogate, 3) }
    }

    fn encode(_: &mut (), c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        if c.value() > 0x10_FFFF || c.is_surrogate() && !LENIENT {
            return Err(ErrorKind::Unencodable);
        }
        Ok(halves::encode_units(c.value(), out))
    }
}
