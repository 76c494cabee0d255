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
    /// UTF-8 with so many bytes in ten thousand spoilt.
    Spoilt(u32),
}

/// The input of every peer.
pub struct Sample {
    pub input: Buffer,
    /// Where the pieces end.
    pub ends: Vec<usize>,
}

impl Sample {
    /// The text as `source`; nothing if it is hardly text of that form.
    pub fn new(text: &str, source: Source) -> Option<Sample> {
        let mut ends = Vec::new();
        let input = match source {
            Source::Utf8 => Buffer::of(text.as_bytes()),
            Source::Cesu8 => Buffer::of(&cesu8_of(text)),
            Source::Pieces => {
                ends = pieces(text);
                Buffer::of(text.as_bytes())
            }
            Source::Utf8OfLatin1 => Buffer::of(latin1(text)?.iter().collect::<String>().as_bytes()),
            Source::Latin1 => Buffer::of(&latin1(text)?.iter().map(|&c| c as u8).collect::<Vec<_>>()),
            Source::Utf16 | Source::Utf16Pieces => {
                let units: Vec<_> = text.encode_utf16().collect();
                if source == Source::Utf16Pieces {
                    ends = utf16_pieces(&units);
                }
                Buffer::of(&units.iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<_>>())
            }
            Source::Utf32 => {
                Buffer::of(&text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect::<Vec<_>>())
            }
            Source::Spoilt(rate) => Buffer::of(&spoil(text, rate)),
        };
        Some(Sample { input, ends })
    }

    pub fn bytes(&self) -> &[u8] {
        self.input.bytes()
    }

    /// The input of [`Source::Utf8`].
    pub fn text(&self) -> &str {
        // SAFETY: it was a string, and nobody writes to an input. A check would be timed.
        unsafe { std::str::from_utf8_unchecked(self.bytes()) }
    }

    /// The pieces of [`Source::Pieces`].
    pub fn pieces(&self) -> impl Iterator<Item = &[u8]> {
        self.pieces_of(self.bytes())
    }

    /// The pieces of [`Source::Utf16Pieces`].
    pub fn utf16_pieces(&self) -> impl Iterator<Item = &[u16]> {
        self.pieces_of(self.input.u16s())
    }

    fn pieces_of<'a, T>(&'a self, all: &'a [T]) -> impl Iterator<Item = &'a [T]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| &all[std::mem::replace(&mut start, end)..end])
    }
}

/// The characters up to U+00FF, if at least 19 of 20 are.
fn latin1(text: &str) -> Option<Vec<char>> {
    let fit: Vec<_> = text.chars().filter(|&c| c <= '\u{FF}').collect();
    (fit.len() * 20 >= text.chars().count() * 19).then_some(fit)
}

/// Ends of pieces, 1 to 64 bytes each, all lengths alike often, moved to the next boundary below.
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

/// The same of UTF-16: no pair of surrogates is split.
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

/// One byte in `10000 / rate`, on average, becomes one of those that make errors.
fn spoil(text: &str, rate: u32) -> Vec<u8> {
    let mut random = Random::new(u64::from(rate));
    let mut bytes = text.as_bytes().to_vec();
    for byte in &mut bytes {
        if random.below(10_000) < rate as usize {
            *byte = [0xFF, 0xC3, 0x80, 0xE2, 0xF0, 0xED][random.below(6)];
        }
    }
    bytes
}
