//! Makes many different strings of a given length.

use crate::buffer::Buffer;
use crate::generate;
use crate::peers::standard::cesu8_of;
use crate::random::Random;
use crate::sample::{Piece, SPOILT, Sample, Source, latin1};

type Generate = fn(usize) -> String;

/// The kinds of text, each with a function that generates about a given number of bytes.
pub const TEXTS: &[(&str, Generate)] = &[
    ("ascii", generate::ascii),
    ("french", generate::french),
    ("russian", generate::russian),
    ("chinese", generate::chinese),
    ("emoji", generate::emoji),
    ("mixed", generate::mixed),
    (BY_NAME, generate::chat),
];

/// The kind that is used only if it is asked for: the recorded means are of the others.
pub const BY_NAME: &str = "chat";

/// Every length up to 128, 40 lengths from there to 4096, and the edges of blocks with their neighbours.
pub fn lengths() -> Vec<usize> {
    let mut all: Vec<usize> = (0..=128).collect();
    all.extend((1..=40).map(|i| (128.0 * 32f64.powf(f64::from(i) / 40.0)).round() as usize));
    for edge in [128, 192, 256, 320, 384, 448, 512, 1024, 2048, 4096] {
        all.extend([edge - 1, edge, edge + 1]);
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The lengths out of [`lengths`] that the record has.
pub const FEW: &[usize] = &[
    0, 1, 3, 7, 8, 12, 16, 17, 24, 32, 33, 48, 64, 65, 80, 100, 128, 129, 160, 200, 256, 257, 320, 512, 700,
    1024, 2048, 4096,
];

/// Bytes between an address that is aligned to 64 and the start of a string; used in turn.
pub const OFFSETS: [usize; 2] = [0, 24];

/// The text from which strings are cut.
pub struct Stock {
    bytes: Vec<u8>,
    /// Where characters begin, in units.
    starts: Vec<usize>,
    source: Source,
}

impl Stock {
    /// `None` if the form cannot carry most of the text.
    pub fn new(text: &str, source: Source) -> Option<Stock> {
        let chars = match source {
            Source::Latin1 | Source::Utf8OfLatin1 => latin1(text)?,
            _ => text.chars().collect(),
        };
        let (mut bytes, mut starts) = (Vec::with_capacity(4 * chars.len()), Vec::with_capacity(chars.len()));
        for c in chars {
            starts.push(bytes.len() / source.unit());
            encode(c, source, &mut bytes);
        }
        Some(Stock { bytes, starts, source })
    }

    /// `count` different strings of `len` units each.
    pub fn strings(&self, len: usize, count: usize) -> Sample {
        let mut random = Random::new(len as u64 + 1);
        let strings: Vec<_> = (0..count).map(|_| self.string(len, &mut random)).collect();
        self.placed(&strings, count)
    }

    /// One string, for the calls that repeat it.
    pub fn repeated(&self, len: usize) -> Sample {
        let mut random = Random::new(len as u64 + 1);
        let string = self.string(len, &mut random);
        self.placed(&[string.clone(), string], 64)
    }

    /// How many strings of this length make a megabyte, but at least 256 and at most 4096.
    pub fn many(&self, len: usize) -> usize {
        ((1 << 20) / (len * self.source.unit()).max(1)).clamp(256, 4096)
    }

    /// The bytes of a string: whole characters from anywhere in the first half, then letters.
    fn string(&self, len: usize, random: &mut Random) -> Vec<u8> {
        let unit = self.source.unit();
        let start = self.starts[random.below(self.starts.len() / 2)];
        let end = self.starts[self.starts.partition_point(|&at| at <= start + len) - 1];
        let mut bytes = self.bytes[start * unit..end * unit].to_vec();
        for _ in end..start + len {
            encode(random.char_in('a', 'z'), self.source, &mut bytes);
        }
        if self.source == Source::Faulty && len > 0 {
            bytes[random.below(len)] = SPOILT[random.below(SPOILT.len())];
        }
        bytes
    }

    /// Places these strings and makes `count` calls on them. Each string begins at one of [`OFFSETS`], and so does its output, in turn.
    fn placed(&self, strings: &[Vec<u8>], count: usize) -> Sample {
        let (mut all, mut pieces) = (Vec::new(), Vec::with_capacity(count));
        for (i, string) in strings.iter().enumerate() {
            all.resize(all.len().next_multiple_of(64) + OFFSETS[i % 2], 0);
            let unit = self.source.unit();
            pieces.push(Piece::new(all.len() / unit, string.len() / unit, OFFSETS[i / 2 % 2]));
            all.extend_from_slice(string);
        }
        let pieces =
            (0..count).map(|i| Piece { out: OFFSETS[i / 2 % 2], ..pieces[i % strings.len()] }).collect();
        Sample { input: Buffer::of(&all, 0), pieces }
    }
}

fn encode(c: char, source: Source, bytes: &mut Vec<u8>) {
    match source {
        Source::Utf16 | Source::Utf16Pieces => {
            bytes.extend(c.encode_utf16(&mut [0; 2]).iter().flat_map(|unit| unit.to_ne_bytes()));
        }
        Source::Utf32 => bytes.extend(u32::from(c).to_ne_bytes()),
        Source::Latin1 => bytes.push(c as u8),
        Source::Cesu8 => bytes.extend(cesu8_of(c.encode_utf8(&mut [0; 4]))),
        _ => bytes.extend(c.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}
