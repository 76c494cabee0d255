//! One byte, one code point: US-ASCII, ISO-8859-1 and the web's windows-1252.

#![forbid(unsafe_code)]

use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Facts, Input, Layout, ROOM};
use crate::error::ErrorKind;

/// ANSI X3.4-1986, RFC 20: seven bits.
pub(crate) struct UsAscii;

impl Codec for UsAscii {
    const FACTS: Facts = Facts {
        domain: "0000..007F",
        width: (1, 1),
        ascii_transparent: true,
        self_synchronising: true,
        order_preserving: true,
        layout: Layout::Plain,
        source: "ANSI X3.4-1986, RFC 20 (STD 80)",
    };
    const LONGEST: usize = 1;
    type State = ();

    #[inline(always)]
    fn decode(_: &mut (), input: Input<'_>) -> Decoded {
        match input.bytes[0] {
            byte @ 0..=0x7F => Decoded::code_point(u32::from(byte), 1),
            _ => Decoded::malformed(ErrorKind::InvalidByte, 1),
        }
    }

    #[inline(always)]
    fn encode(_: &mut (), c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        one_byte(c, 0x7F, out)
    }
}

/// ISO/IEC 8859-1 with both control sets: all 256 bytes.
pub(crate) struct Latin1;

impl Codec for Latin1 {
    const FACTS: Facts = Facts {
        domain: "0000..00FF",
        source: "ISO/IEC 8859-1 with the controls of ISO/IEC 6429 (IANA ISO-8859-1)",
        ..UsAscii::FACTS
    };
    const LONGEST: usize = 1;
    type State = ();

    #[inline(always)]
    fn decode(_: &mut (), input: Input<'_>) -> Decoded {
        Decoded::code_point(u32::from(input.bytes[0]), 1)
    }

    #[inline(always)]
    fn encode(_: &mut (), c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        one_byte(c, 0xFF, out)
    }
}

#[inline(always)]
fn one_byte(c: CodePoint, max: u32, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
    if c.value() > max {
        return Err(ErrorKind::Unencodable);
    }
    out[0] = c.value() as u8;
    Ok(1)
}

/// Windows code page 1252 as the WHATWG Encoding Standard completes it: the five unused bytes are C1 controls.
pub(crate) struct Windows1252;

impl Codec for Windows1252 {
    const FACTS: Facts = Facts {
        domain: "251 characters and five C1 controls",
        order_preserving: false,
        source: "WHATWG Encoding Standard, index windows-1252",
        ..UsAscii::FACTS
    };
    const LONGEST: usize = 1;
    type State = ();

    #[inline(always)]
    fn decode(_: &mut (), input: Input<'_>) -> Decoded {
        Decoded::code_point(u32::from(windows_1252(input.bytes[0])), 1)
    }

    #[inline(always)]
    fn encode(_: &mut (), c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        out[0] = match c.value() {
            value @ (0..=0x7F | 0xA0..=0xFF) => value as u8,
            value => match C1_AREA.iter().position(|&unit| u32::from(unit) == value) {
                Some(index) => 0x80 + index as u8,
                None => return Err(ErrorKind::Unencodable),
            },
        };
        Ok(1)
    }
}

/// The bytes that windows-1252 leaves unused. The web reads them as the controls with the same number.
pub(crate) const fn is_unused_in_1252(byte: u8) -> bool {
    matches!(byte, 0x81 | 0x8D | 0x8F | 0x90 | 0x9D)
}

/// The code point of a byte in the web's windows-1252.
#[inline(always)]
pub(crate) const fn windows_1252(byte: u8) -> u16 {
    match byte {
        0x80..=0x9F => C1_AREA[(byte - 0x80) as usize],
        _ => byte as u16,
    }
}

/// `80..=9F`, the only bytes in which windows-1252 differs from ISO-8859-1.
const C1_AREA: [u16; 32] = [
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
    0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
];
