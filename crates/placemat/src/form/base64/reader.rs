//! The reader of base64 forms.
//!
//! It never consumes the last base64 byte of a unit together with the unit. That byte may hold the start of the next unit, or
//! padding, and bad padding is reported there. So inside a run the reader only remembers how many bits of the next byte are used.
//! For shifts and for bytes whose bits are all used, it returns [`Decoded::Nothing`]. An error is always one byte long.

#![forbid(unsafe_code)]

use super::{Dialect, digit};
use crate::codec::{Decoded, Input};
use crate::error::ErrorKind;
use crate::form::utf16;

/// The state of a reader.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum Reader {
    /// Outside a run.
    #[default]
    Direct,
    /// Outside a run, directly behind one.
    Behind,
    /// In a run, with this many bits used, counted from the start of the next byte: 0, 2, 4 or 6; behind an ill-formed unit up to
    /// 14.
    Run { used: u8 },
    /// At the last byte of a run, which ends with an unfinished unit.
    Unfinished,
    /// At a byte that should have closed a run, but does not.
    Unclosed,
}

/// The next state of the reader, and what it found.
type Says = (Reader, Decoded);

/// A unit of 16 bits: its value, how many bytes end before the next unit begins, and how many bits of the byte where that unit
/// begins are used.
struct Unit {
    value: u16,
    bytes: usize,
    used: u8,
}

/// The end of a run: too few bits for a unit, and the number of bytes that hold them.
struct Rest {
    bits: u8,
    bytes: usize,
    all_zero: bool,
}

impl Reader {
    /// The state as a number below 32.
    pub(super) fn memory(self) -> u32 {
        match self {
            Reader::Direct => 0,
            Reader::Behind => 1,
            Reader::Unfinished => 2,
            Reader::Unclosed => 3,
            Reader::Run { used } => 16 + u32::from(used),
        }
    }

    pub(super) fn with_state_bits(memory: u32) -> Option<Reader> {
        Some(match memory {
            0 => Reader::Direct,
            1 => Reader::Behind,
            2 => Reader::Unfinished,
            3 => Reader::Unclosed,
            16..=30 if memory.is_multiple_of(2) => Reader::Run { used: (memory - 16) as u8 },
            _ => return None,
        })
    }

    /// Reads the first sequence: a character, or a shift into or out of base64.
    pub(super) fn read<D: Dialect>(self, input: Input<'_>) -> Says {
        match self {
            Reader::Direct | Reader::Behind if input.bytes[0] == D::SHIFT => self.shift::<D>(input),
            Reader::Direct | Reader::Behind => (Reader::Direct, direct::<D>(input.bytes[0])),
            Reader::Run { used } => self.run::<D>(used, input),
            Reader::Unfinished => self.unfinished(input),
            Reader::Unclosed => (Reader::Direct, Decoded::malformed(ErrorKind::InvalidByte, 1)),
        }
    }

    /// Reads a sequence that starts with the byte that opens a run.
    fn shift<D: Dialect>(self, input: Input<'_>) -> Says {
        match input.bytes.get(1) {
            None if !input.last => (self, Decoded::Incomplete),
            None => (Reader::Direct, Decoded::malformed(ErrorKind::Truncated, 1)),
            Some(b'-') => (Reader::Direct, Decoded::code_point(u32::from(D::SHIFT), 2)),
            Some(&next) if digit::<D>(next).is_none() => {
                (Reader::Direct, Decoded::malformed(ErrorKind::MissingContinuation, 1))
            }
            // The run before should have been continued. The content of this run is well-formed.
            Some(_) if D::CANONICAL && self == Reader::Behind => {
                (Reader::Run { used: 0 }, Decoded::malformed(ErrorKind::NonCanonical, 1))
            }
            Some(_) => (Reader::Run { used: 0 }, Decoded::Nothing { len: 1 }),
        }
    }

    /// Reads a sequence that starts with a base64 byte.
    fn run<D: Dialect>(self, used: u8, input: Input<'_>) -> Says {
        let goes_on = input.bytes.get(1).is_some_and(|&byte| digit::<D>(byte).is_some());
        if used > 6 || used == 6 && goes_on {
            return (Reader::Run { used: used - 6 }, Decoded::Nothing { len: 1 });
        }
        match gather::<D>(input.bytes, used) {
            Ok(unit) => self.unit::<D>(&unit, input),
            Err(rest) if rest.bytes == input.bytes.len() && !input.last => (self, Decoded::Incomplete),
            Err(rest) => end_of_run::<D>(&rest, input),
        }
    }

    fn unit<D: Dialect>(self, unit: &Unit, input: Input<'_>) -> Says {
        let wrong = match unit.value {
            0xD800..=0xDBFF => match low_half::<D>(unit, input) {
                Half::Low(low) => {
                    let pair = utf16::join(unit.value, low.value);
                    return (Reader::Run { used: low.used }, Decoded::code_point(pair, low.bytes));
                }
                Half::Unknown => return (self, Decoded::Incomplete),
                Half::Other => ErrorKind::Surrogate,
            },
            0xDC00..=0xDFFF => ErrorKind::Surrogate,
            0x20..=0x7E if D::CANONICAL => ErrorKind::NonCanonical,
            value => {
                return (Reader::Run { used: unit.used }, Decoded::code_point(u32::from(value), unit.bytes));
            }
        };
        // The error is the first byte of the unit; the others are skipped.
        let used = 6 * (unit.bytes as u8 - 1) + unit.used;
        (Reader::Run { used }, Decoded::malformed(wrong, 1))
    }

    fn unfinished(self, input: Input<'_>) -> Says {
        match input.bytes.get(1) {
            None if !input.last => (self, Decoded::Incomplete),
            None => (Reader::Direct, Decoded::malformed(ErrorKind::Truncated, 1)),
            Some(_) => (Reader::Direct, Decoded::malformed(ErrorKind::MissingContinuation, 1)),
        }
    }
}

/// Reads a byte outside a run.
fn direct<D: Dialect>(byte: u8) -> Decoded {
    match byte {
        0x80..=0xFF => Decoded::malformed(ErrorKind::InvalidByte, 1),
        _ if D::reads(byte) => Decoded::code_point(u32::from(byte), 1),
        _ => Decoded::malformed(ErrorKind::NonCanonical, 1),
    }
}

/// The 16 bits behind the first `used` bits, or as many as there are.
fn gather<D: Dialect>(bytes: &[u8], used: u8) -> Result<Unit, Rest> {
    let (mut value, mut bits) = (0, 0);
    for (at, &byte) in bytes.iter().enumerate() {
        let Some(digit) = digit::<D>(byte) else { break };
        value = value << 6 | digit;
        bits += 6;
        if let Some(unread) = u8::checked_sub(bits, used + 16) {
            return Ok(Unit { value: (value >> unread) as u16, bytes: at, used: 6 - unread });
        }
    }
    let rest = bits.saturating_sub(used);
    Err(Rest { bits: rest, bytes: usize::from(bits / 6), all_zero: value & ((1 << rest) - 1) == 0 })
}

/// What follows a high half. The byte counts of a low half start at the high half.
enum Half {
    Low(Unit),
    Other,
    Unknown,
}

fn low_half<D: Dialect>(high: &Unit, input: Input<'_>) -> Half {
    let half = |at: usize, used| match gather::<D>(&input.bytes[at..], used) {
        Ok(unit @ Unit { value: 0xDC00..=0xDFFF, .. }) => Half::Low(Unit { bytes: at + unit.bytes, ..unit }),
        Err(rest) if at + rest.bytes == input.bytes.len() && !input.last => Half::Unknown,
        _ => Half::Other,
    };
    if D::LENIENT
        && let Err(rest @ Rest { all_zero: true, .. }) = gather::<D>(&input.bytes[high.bytes..], high.used)
    {
        // After padding, `-` and a shift, the other half may begin the next run.
        let end = high.bytes + rest.bytes;
        match input.bytes[end..] {
            [b'-', shift, ..] if shift == D::SHIFT => return half(end + 2, 0),
            [b'-'] if !input.last => return Half::Unknown,
            _ => {}
        }
    }
    half(high.bytes, high.used)
}

/// Reads the last bytes of a run.
fn end_of_run<D: Dialect>(rest: &Rest, input: Input<'_>) -> Says {
    if rest.bits >= 6 && !(D::LENIENT && rest.all_zero) {
        return match rest.bytes {
            0..=1 => Reader::Unfinished.unfinished(input),
            bytes => (Reader::Unfinished, Decoded::Nothing { len: bytes as u8 - 1 }),
        };
    }
    if !rest.all_zero {
        return (Reader::Direct, Decoded::malformed(ErrorKind::NonCanonical, 1));
    }
    let len = rest.bytes as u8;
    match input.bytes.get(rest.bytes) {
        Some(b'-') => (Reader::Behind, Decoded::Nothing { len: len + 1 }),
        None if D::CANONICAL => (Reader::Direct, Decoded::malformed(ErrorKind::Truncated, 1)),
        Some(_) if D::CANONICAL => (Reader::Unclosed, Decoded::Nothing { len }),
        _ => (Reader::Direct, Decoded::Nothing { len }),
    }
}
