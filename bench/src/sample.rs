//! A text in the form in which an operation reads it.

use crate::buffer::Buffer;
use crate::peers::standard::cesu8_of;
use crate::random::Random;
use crate::texts::{ceil, floor};

/// What an operation reads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Utf8,
    Latin1,
    Utf16,
    Utf32,
    /// UTF-8 of characters up to U+00FF only.
    Utf8OfLatin1,
    Cesu8,
    /// UTF-8 in pieces of 1 to 64 bytes.
    Pieces,
    /// UTF-16 in pieces of 1 to 65 units.
    Utf16Pieces,
    /// UTF-8 in which this many bytes of ten thousand were replaced by bytes that make errors.
    Spoilt(u32),
    /// UTF-8 with one byte replaced by one that makes an error.
    Faulty,
}

impl Source {
    /// Bytes of a code unit.
    pub fn unit(self) -> usize {
        match self {
            Source::Utf16 | Source::Utf16Pieces => 2,
            Source::Utf32 => 4,
            _ => 1,
        }
    }
}

/// What one call reads and where it writes.
#[derive(Clone, Copy)]
pub struct Piece {
    /// Where the piece starts, and its length, in units of the input.
    pub start: usize,
    pub len: usize,
    /// Bytes before the output, from an address that is aligned to 64.
    pub out: usize,
    /// How many units the output holds, or `usize::MAX` for more than enough.
    pub room: usize,
}

impl Piece {
    pub fn new(start: usize, len: usize, out: usize) -> Piece {
        Piece { start, len, out, room: usize::MAX }
    }
}

/// The input of every peer.
pub struct Sample {
    pub input: Buffer,
    pub pieces: Vec<Piece>,
}

impl Sample {
    /// The text encoded as `source`. Input and output begin `offset` bytes after an address that is aligned to 64.
    /// `None` if the form cannot carry most of the text.
    pub fn new(text: &str, source: Source, offset: usize) -> Option<Sample> {
        let bytes = encode(text, source)?;
        let ends = match source {
            Source::Pieces => pieces(text),
            Source::Utf16Pieces => utf16_pieces(&text.encode_utf16().collect::<Vec<_>>()),
            _ => vec![bytes.len() / source.unit()],
        };
        let (mut at, mut pieces) = (offset / source.unit(), Vec::with_capacity(ends.len()));
        for end in ends.into_iter().map(|end| end + offset / source.unit()) {
            pieces.push(Piece::new(at, end - at, offset));
            at = end;
        }
        Some(Sample { input: Buffer::of(&bytes, offset), pieces })
    }

    /// The length of all pieces together, in units.
    pub fn len(&self) -> usize {
        self.pieces.iter().map(|piece| piece.len).sum()
    }
}

/// The text in the bytes of `source`.
fn encode(text: &str, source: Source) -> Option<Vec<u8>> {
    Some(match source {
        Source::Utf8 | Source::Pieces | Source::Faulty => text.as_bytes().to_vec(),
        Source::Cesu8 => cesu8_of(text),
        Source::Utf8OfLatin1 => latin1(text)?.iter().collect::<String>().into_bytes(),
        Source::Latin1 => latin1(text)?.iter().map(|&c| c as u8).collect(),
        Source::Utf16 | Source::Utf16Pieces => text.encode_utf16().flat_map(u16::to_ne_bytes).collect(),
        Source::Utf32 => text.chars().flat_map(|c| u32::from(c).to_ne_bytes()).collect(),
        Source::Spoilt(rate) => spoil(text, rate),
    })
}

/// The input of an operation that requires well-formed UTF-8.
pub fn known(src: &[u8]) -> &str {
    // SAFETY: the sample was made of a `str`, and nothing writes to an input. A check would be timed.
    unsafe { std::str::from_utf8_unchecked(src) }
}

/// The characters up to U+00FF, if at least 19 of 20 are.
pub fn latin1(text: &str) -> Option<Vec<char>> {
    let fit: Vec<_> = text.chars().filter(|&c| c <= '\u{FF}').collect();
    (fit.len() * 20 >= text.chars().count() * 19).then_some(fit)
}

/// Ends of pieces of 1 to 64 bytes, all lengths equally often, each moved down to a character boundary.
fn pieces(text: &str) -> Vec<usize> {
    let mut random = Random::new(64);
    let (mut at, mut ends) = (0, Vec::new());
    while at < text.len() {
        let wanted = (at + 1 + random.below(64)).min(text.len());
        let below = floor(text, wanted);
        at = if below > at { below } else { ceil(text, wanted) };
        ends.push(at);
    }
    ends
}

/// Ends of pieces of 1 to 65 units of UTF-16. No surrogate pair is split.
fn utf16_pieces(units: &[u16]) -> Vec<usize> {
    let mut random = Random::new(64);
    let (mut at, mut ends) = (0, Vec::new());
    while at < units.len() {
        at = (at + 1 + random.below(64)).min(units.len());
        let splits = units.get(at).is_some_and(|unit| (0xDC00..0xE000).contains(unit));
        at += usize::from(splits);
        ends.push(at);
    }
    ends
}

/// Bytes that make errors.
pub const SPOILT: [u8; 6] = [0xFF, 0xC3, 0x80, 0xE2, 0xF0, 0xED];

/// Replaces one byte in `10000 / rate`, on average, by one that makes an error.
fn spoil(text: &str, rate: u32) -> Vec<u8> {
    let mut random = Random::new(u64::from(rate));
    let mut bytes = text.as_bytes().to_vec();
    for byte in &mut bytes {
        if random.below(10_000) < rate as usize {
            *byte = SPOILT[random.below(6)];
        }
    }
    bytes
}
