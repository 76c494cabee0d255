//! Text in seven bits: some characters as themselves, the others as UTF-16 in runs of base64. UTF-7 and IMAP's variant of it
//! are [`Dialect`]s.
//!
//! ```text
//!   +   2    D    3    e    A    A    -        U+1F600
//!     110110000011110111011110000000000000
//!     \____ D83D ____/\____ DE00 ____/\__/ padding
//! ```
//!
//! The reader never takes the last base64 byte of a unit together with it: that byte may hold the start of the next unit,
//! or padding, and it is where padding is reported. So all that it must remember is how many bits of the byte at hand are
//! used. A character's source is the bytes from where its unit begins; shifts and used-up bytes are nothing.

#![forbid(unsafe_code)]

use core::marker::PhantomData;

use super::utf16;
use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Facts, Input, ROOM};
use crate::error::ErrorKind;

/// Where UTF-7 and its relatives differ.
pub(crate) trait Dialect: 'static {
    const FACTS: Facts;
    /// The byte that opens a run; followed by `-` it is itself.
    const SHIFT: u8 = b'+';
    /// The base64 digit 63; 62 is `+`.
    const LAST_DIGIT: u8 = b'/';
    /// IMAP: every run ends with `-`, no run follows another, and nothing is in base64 without need.
    const CANONICAL: bool = false;
    /// Six or more zero bits of padding are dropped, and the halves of a pair may stand in two runs.
    const LENIENT: bool = false;

    /// Whether the reader takes this byte as itself outside a run.
    fn reads(byte: u8) -> bool;
    /// Whether the writer writes this ASCII character as itself.
    fn writes(byte: u8) -> bool;
}

/// The form of a dialect.
pub(crate) struct Base64<D>(PhantomData<D>);

impl<D: Dialect> Codec for Base64<D> {
    const FACTS: Facts = D::FACTS;
    /// A pair in the worst place, and the byte that ends the run; or the halves of a pair in two runs.
    const LONGEST: usize = if D::LENIENT { 10 } else { 6 };
    type State = State;

    fn decode(state: &mut State, input: Input<'_>) -> Decoded {
        decode::<D>(&mut state.reader, input)
    }

    fn encode(state: &mut State, c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        let c = c.to_char().ok_or(ErrorKind::Unencodable)?;
        Ok(encode::<D>(&mut state.writer, c, out))
    }

    fn end(state: &mut State, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        let Writer::Run { .. } = state.writer else { return Ok(0) };
        let written = pad::<D>(&mut state.writer, out);
        out[written] = b'-';
        Ok(written + 1)
    }
}

/// Where a reader or a writer stands; each uses its own half.
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) struct State {
    reader: Reader,
    writer: Writer,
}

/// The value of a base64 byte.
fn digit<D: Dialect>(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ if byte == D::LAST_DIGIT => 63,
        _ => return None,
    };
    Some(u32::from(value))
}

/// The base64 byte of the lowest six bits.
fn byte<D: Dialect>(value: u32) -> u8 {
    match (value & 0x3F) as u8 {
        value @ 0..26 => b'A' + value,
        value @ 26..52 => b'a' + value - 26,
        value @ 52..62 => b'0' + value - 52,
        62 => b'+',
        _ => D::LAST_DIGIT,
    }
}

/// Where a reader stands.
#[derive(Clone, Copy, Default, PartialEq)]
enum Reader {
    /// Outside a run.
    #[default]
    Direct,
    /// Outside a run, but just behind one.
    Behind,
    /// In a run, with so many bits used, counted from the byte at hand: 0, 2, 4 or 6, or up to 14 behind a bad unit.
    Run { used: u8 },
    /// In a run, at its last byte, where an unfinished unit ends.
    Unfinished,
    /// Behind a run that the byte at hand should have closed.
    Unclosed,
}

/// The bits behind the used ones: one unit, or what there is of it.
enum Bits {
    Unit { value: u16, next: usize, used: u8 },
    Rest { bytes: usize, bits: u32, zero: bool },
}

/// Gather the 16 bits that follow the first `used`; `next` and `used` of the answer say where the unit after it begins.
fn gather<D: Dialect>(bytes: &[u8], used: u32) -> Bits {
    let (mut value, mut bits) = (0, 0);
    for (at, &byte) in bytes.iter().enumerate() {
        let Some(digit) = digit::<D>(byte) else { break };
        value = value << 6 | digit;
        bits = 6 * (at as u32 + 1);
        if let Some(unread) = bits.checked_sub(used + 16) {
            return Bits::Unit { value: (value >> unread) as u16, next: at, used: (6 - unread) as u8 };
        }
    }
    let rest = bits.saturating_sub(used);
    Bits::Rest { bytes: bits as usize / 6, bits: rest, zero: value & ((1 << rest) - 1) == 0 }
}

/// The first sequence, be it a character or a shift.
fn decode<D: Dialect>(state: &mut Reader, input: Input<'_>) -> Decoded {
    let next = |input: Input<'_>| input.bytes.get(1).copied();
    match *state {
        Reader::Direct | Reader::Behind => direct::<D>(state, input),
        Reader::Run { used } if used > 6 => {
            *state = Reader::Run { used: used - 6 };
            Decoded::Nothing { len: 1 }
        }
        // Unless the run ends here, the next unit begins with the next byte.
        Reader::Run { used: 6 } if next(input).is_some_and(|byte| digit::<D>(byte).is_some()) => {
            *state = Reader::Run { used: 0 };
            Decoded::Nothing { len: 1 }
        }
        Reader::Run { used } => match gather::<D>(input.bytes, u32::from(used)) {
            Bits::Unit { value, next, used } => unit::<D>(state, input, value, next, used),
            Bits::Rest { bytes, .. } if bytes == input.bytes.len() && !input.last => Decoded::Incomplete,
            Bits::Rest { bytes, bits, zero } => end_of_run::<D>(state, input, bytes, bits, zero),
        },
        Reader::Unfinished => {
            if next(input).is_none() && !input.last {
                return Decoded::Incomplete;
            }
            *state = Reader::Direct;
            let kind =
                if next(input).is_none() { ErrorKind::Truncated } else { ErrorKind::MissingContinuation };
            Decoded::malformed(kind, 1)
        }
        Reader::Unclosed => {
            *state = Reader::Direct;
            Decoded::malformed(ErrorKind::InvalidByte, 1)
        }
    }
}

/// Outside a run.
fn direct<D: Dialect>(state: &mut Reader, input: Input<'_>) -> Decoded {
    let byte = input.bytes[0];
    if byte != D::SHIFT {
        *state = Reader::Direct;
        return match byte {
            0x80..=0xFF => Decoded::malformed(ErrorKind::InvalidByte, 1),
            _ if D::reads(byte) => Decoded::code_point(u32::from(byte), 1),
            _ => Decoded::malformed(ErrorKind::NonCanonical, 1),
        };
    }
    let superfluous = D::CANONICAL && *state == Reader::Behind;
    match input.bytes.get(1) {
        None if !input.last => return Decoded::Incomplete,
        None => {
            *state = Reader::Direct;
            Decoded::malformed(ErrorKind::Truncated, 1)
        }
        Some(b'-') => {
            *state = Reader::Direct;
            Decoded::code_point(u32::from(byte), 2)
        }
        Some(&next) if digit::<D>(next).is_none() => {
            *state = Reader::Direct;
            Decoded::malformed(ErrorKind::MissingContinuation, 1)
        }
        Some(_) => {
            *state = Reader::Run { used: 0 };
            if superfluous {
                Decoded::malformed(ErrorKind::NonCanonical, 1)
            } else {
                Decoded::Nothing { len: 1 }
            }
        }
    }
}

/// A whole unit; the one after it begins in byte `next`, of which `used` bits belong to this one.
fn unit<D: Dialect>(state: &mut Reader, input: Input<'_>, value: u16, next: usize, used: u8) -> Decoded {
    let wrong = match value {
        0xD800..=0xDBFF => match low_half::<D>(&input.bytes[next..], used, input.last) {
            Half::Low { value: low, next: after, used } => {
                *state = Reader::Run { used };
                return Decoded::code_point(utf16::join(value, low), next + after);
            }
            Half::Unknown => return Decoded::Incomplete,
            Half::Other => Some(ErrorKind::Surrogate),
        },
        0xDC00..=0xDFFF => Some(ErrorKind::Surrogate),
        0x20..=0x7E if D::CANONICAL => Some(ErrorKind::NonCanonical),
        _ => None,
    };
    match wrong {
        None => {
            *state = Reader::Run { used };
            Decoded::code_point(u32::from(value), next)
        }
        // One byte is the error; the others of the unit are passed over.
        Some(kind) => {
            *state = Reader::Run { used: 6 * (next as u8 - 1) + used };
            Decoded::malformed(kind, 1)
        }
    }
}

/// What follows a high half.
enum Half {
    Low { value: u16, next: usize, used: u8 },
    Other,
    Unknown,
}

fn low_half<D: Dialect>(bytes: &[u8], used: u8, last: bool) -> Half {
    let half = |bytes: &[u8], used, before| match gather::<D>(bytes, used) {
        Bits::Unit { value: value @ 0xDC00..=0xDFFF, next, used } => {
            Half::Low { value, next: before + next, used }
        }
        Bits::Rest { bytes: n, .. } if n == bytes.len() && !last => Half::Unknown,
        _ => Half::Other,
    };
    match gather::<D>(bytes, u32::from(used)) {
        // Padding, `-`, the shift: the other half may open the next run.
        Bits::Rest { bytes: n, zero: true, .. } if D::LENIENT && n < bytes.len() => match bytes[n..] {
            [b'-', shift, ref run @ ..] if shift == D::SHIFT => half(run, 0, n + 2),
            [b'-'] if !last => Half::Unknown,
            _ => Half::Other,
        },
        _ => half(bytes, u32::from(used), 0),
    }
}

/// Too few bits for a unit: `bits` of them in `bytes` bytes, and then the run ends.
fn end_of_run<D: Dialect>(
    state: &mut Reader,
    input: Input<'_>,
    bytes: usize,
    bits: u32,
    zero: bool,
) -> Decoded {
    let unfinished = bits >= 6 && !(D::LENIENT && zero);
    if unfinished && bytes > 1 {
        *state = Reader::Unfinished;
        return Decoded::Nothing { len: bytes as u8 - 1 };
    }
    if unfinished {
        *state = Reader::Unfinished;
        return decode::<D>(state, input);
    }
    if !zero {
        *state = Reader::Direct;
        return Decoded::malformed(ErrorKind::NonCanonical, 1);
    }
    match input.bytes.get(bytes) {
        Some(b'-') => {
            *state = Reader::Behind;
            Decoded::Nothing { len: bytes as u8 + 1 }
        }
        None if D::CANONICAL => {
            *state = Reader::Direct;
            Decoded::malformed(ErrorKind::Truncated, 1)
        }
        Some(_) if D::CANONICAL => {
            *state = Reader::Unclosed;
            Decoded::Nothing { len: bytes as u8 }
        }
        _ => {
            *state = Reader::Direct;
            Decoded::Nothing { len: bytes as u8 }
        }
    }
}

/// Where a writer stands.
#[derive(Clone, Copy, Default, PartialEq)]
enum Writer {
    /// Outside a run.
    #[default]
    Direct,
    /// In a run; the lowest `bits` of `value`, 0, 2 or 4 of them, are still to be written.
    Run { value: u8, bits: u8 },
}

/// Write one character.
fn encode<D: Dialect>(state: &mut Writer, c: char, out: &mut [u8; ROOM]) -> usize {
    let byte = if c.is_ascii() { c as u8 } else { 0 };
    // In a run, UTF-7 keeps its shift character as any other; IMAP must not.
    let is_shift = byte == D::SHIFT && (D::CANONICAL || *state == Writer::Direct);
    if !is_shift && !(c.is_ascii() && D::writes(byte)) {
        return encode_in_run::<D>(state, c, out);
    }
    let mut written = 0;
    if *state != Writer::Direct {
        written = pad::<D>(state, out);
        if D::CANONICAL || byte == b'-' || digit::<D>(byte).is_some() {
            out[written] = b'-';
            written += 1;
        }
    }
    out[written] = byte;
    written += 1;
    if is_shift {
        out[written] = b'-';
        written += 1;
    }
    written
}

/// Write the units of a character in base64.
fn encode_in_run<D: Dialect>(state: &mut Writer, c: char, out: &mut [u8; ROOM]) -> usize {
    let mut written = 0;
    let (mut value, mut bits) = match *state {
        Writer::Run { value, bits } => (u32::from(value), bits),
        Writer::Direct => {
            out[0] = D::SHIFT;
            written = 1;
            (0, 0)
        }
    };
    for &unit in &*c.encode_utf16(&mut [0; 2]) {
        value = value << 16 | u32::from(unit);
        bits += 16;
        while bits >= 6 {
            bits -= 6;
            out[written] = byte::<D>(value >> bits);
            written += 1;
        }
        value &= (1 << bits) - 1;
    }
    *state = Writer::Run { value: value as u8, bits };
    written
}

/// Write what is left of the last unit, filled with zero bits, and leave the run.
fn pad<D: Dialect>(state: &mut Writer, out: &mut [u8; ROOM]) -> usize {
    let left = core::mem::take(state);
    match left {
        Writer::Run { value, bits: bits @ 1.. } => {
            out[0] = byte::<D>(u32::from(value) << (6 - bits));
            1
        }
        _ => 0,
    }
}
