//! What each stand-in writes.

#![forbid(unsafe_code)]

use super::{Fault, StandIn, Text, Unencodable};
use crate::code_point::CodePoint;
use crate::form::{is_unused_in_1252, windows_1252};

/// Returns `Ok(false)` to stop.
type Written = Result<bool, CodePoint>;

impl StandIn {
    pub(super) fn write(self, fault: &Fault<'_>, text: &mut Text) -> Written {
        let has_ascii = fault.bytes.iter().any(u8::is_ascii);
        match self {
            StandIn::Stop => return Ok(false),
            StandIn::SurrogateEscape | StandIn::Optu if has_ascii => return Ok(false),
            StandIn::Skip => {}
            StandIn::Replace if !fault.opens => {}
            StandIn::Replace => text.push(CodePoint::REPLACEMENT)?,
            StandIn::Escape => {
                for &byte in fault.bytes {
                    push_all(text, ['\\', 'x', hex(byte >> 4), hex(byte & 15)])?;
                }
            }
            StandIn::Latin1
            | StandIn::Cp1252
            | StandIn::Cp1252Strict
            | StandIn::SurrogateEscape
            | StandIn::Optu => {
                for &byte in fault.bytes {
                    text.push(self.of_byte(byte))?;
                }
            }
        }
        Ok(true)
    }

    /// The stand-in for one byte, for the policies that write one code point per byte.
    fn of_byte(self, byte: u8) -> CodePoint {
        match self {
            _ if byte.is_ascii() => byte.into(),
            StandIn::Latin1 => byte.into(),
            StandIn::Cp1252Strict if is_unused_in_1252(byte) => CodePoint::REPLACEMENT,
            StandIn::SurrogateEscape => CodePoint::of(0xDC00 + u32::from(byte)),
            StandIn::Optu => CodePoint::of(0xEF00 + u32::from(byte)),
            StandIn::Cp1252 | StandIn::Cp1252Strict => windows_1252(byte).into(),
            // Never asked for: `write` handles these itself.
            StandIn::Stop | StandIn::Replace | StandIn::Skip | StandIn::Escape => CodePoint::REPLACEMENT,
        }
    }
}

impl Unencodable {
    pub(super) fn write(self, c: CodePoint, text: &mut Text) -> Written {
        match self {
            Unencodable::Stop => return Ok(false),
            Unencodable::Skip => {}
            Unencodable::Replace(with) => text.push(with.unwrap_or(CodePoint::REPLACEMENT))?,
            Unencodable::Escape => {
                push_all(text, ['\\', 'u', '{'])?;
                push_number(text, c.value(), 16)?;
                text.push('}')?;
            }
            Unencodable::Ncr => {
                push_all(text, ['&', '#'])?;
                push_number(text, c.value(), 10)?;
                text.push(';')?;
            }
        }
        Ok(true)
    }
}

fn push_all<const N: usize>(text: &mut Text, chars: [char; N]) -> Result<(), CodePoint> {
    chars.into_iter().try_for_each(|c| text.push(c))
}

fn push_number(text: &mut Text, value: u32, radix: u32) -> Result<(), CodePoint> {
    if value >= radix {
        push_number(text, value / radix, radix)?;
    }
    text.push(hex((value % radix) as u8))
}

fn hex(digit: u8) -> char {
    char::from(b"0123456789abcdef"[usize::from(digit & 15)])
}
