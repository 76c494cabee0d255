//! Text in seven bits: some characters as themselves, the others as UTF-16 in runs of base64. UTF-7 and IMAP's variant of it are
//! [`Dialect`]s.
//!
//! ```text
//! +   2    D    3    e    A    A    -        U+1F600
//!   110110000011110111011110000000000000
//!   \____ D83D ____/\____ DE00 ____/\__/ padding
//! ```

#![forbid(unsafe_code)]

mod reader;
mod writer;

use core::marker::PhantomData;

use self::reader::Reader;
use self::writer::Writer;
use crate::code_point::CodePoint;
use crate::codec::{Codec, Decoded, Facts, Input, Memory, ROOM};
use crate::error::ErrorKind;

/// The differences between UTF-7 and its relatives.
pub(crate) trait Dialect: 'static {
    const FACTS: Facts;
    /// The byte that opens a run. Followed by `-`, it stands for itself.
    const SHIFT: u8 = b'+';
    /// The byte for the digit 63. Digit 62 is `+`.
    const LAST_DIGIT: u8 = b'/';
    /// IMAP: every run ends with `-`, no run follows another directly, and only characters that need base64 are in base64.
    const CANONICAL: bool = false;
    /// Accepts six or more zero bits of padding, and surrogate pairs whose halves are in two runs.
    const LENIENT: bool = false;

    /// Whether the reader accepts this byte as itself outside a run.
    fn reads(byte: u8) -> bool;
    /// Whether the writer writes this byte as itself.
    fn writes(byte: u8) -> bool;
}

/// The form of a dialect.
pub(crate) struct Base64<D>(PhantomData<D>);

/// The state of a reader or a writer. A reader uses only `reader`, a writer only `writer`.
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) struct State {
    reader: Reader,
    writer: Writer,
}

impl<D: Dialect> Codec for Base64<D> {
    const FACTS: Facts = D::FACTS;
    /// The longest case is a surrogate pair that begins inside a byte, with the byte that ends the run; if lenient, the two
    /// halves of a pair in two runs.
    const LONGEST: usize = if D::LENIENT { 10 } else { 6 };
    type State = State;

    fn decode(state: &mut State, input: Input<'_>) -> Decoded {
        let (reader, decoded) = state.reader.read::<D>(input);
        state.reader = reader;
        decoded
    }

    fn encode(state: &mut State, c: CodePoint, out: &mut [u8; ROOM]) -> Result<usize, ErrorKind> {
        let c = c.to_char().ok_or(ErrorKind::Unencodable)?;
        Ok(state.writer.write::<D>(c, out))
    }

    fn end(state: &mut State, out: &mut [u8; ROOM]) -> usize {
        state.writer.end::<D>(out)
    }
}

impl Memory for State {
    fn memory(&self) -> u32 {
        self.reader.memory()
    }

    fn with_state_bits(memory: u32) -> Option<State> {
        Some(State { reader: Reader::with_state_bits(memory)?, writer: Writer::default() })
    }
}

/// The value of a base64 digit.
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

/// The base64 digit for the lowest six bits.
fn byte<D: Dialect>(value: u32) -> u8 {
    match (value & 0x3F) as u8 {
        value @ 0..26 => b'A' + value,
        value @ 26..52 => b'a' + (value - 26),
        value @ 52..62 => b'0' + (value - 52),
        62 => b'+',
        _ => D::LAST_DIGIT,
    }
}
