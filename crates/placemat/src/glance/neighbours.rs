//! Adjacent characters that may be part of UTF-8 that was read in a legacy encoding and encoded again.

#![forbid(unsafe_code)]

use crate::vector::{Bytes, Lanes, Read, Vector};

const BLOCK: usize = Neighbours::BLOCK;
const AHEAD: usize = Neighbours::AHEAD;

/// The first block of a text with adjacent characters that may be mojibake. Without one, `block` is where less than a block is left,
/// and `bits` is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Neighbours {
    /// Where the block starts: a multiple of 64 from the start of the text.
    pub block: usize,
    /// A bit for each byte of the block, the lowest bit for the first byte. It is set where the first of two such characters
    /// begins.
    pub bits: u64,
}

impl Neighbours {
    /// Bytes in a block.
    pub const BLOCK: usize = 64;
    /// Bytes behind a block that are needed to judge its last characters.
    pub const AHEAD: usize = 3;
}

/// How the kernel is called.
pub(crate) type Meet = unsafe fn(src: &[u8]) -> Neighbours;

/// The kernel.
///
/// Finds adjacent characters that a code page may both have. Excluded are Greek and Cyrillic letters that stand together in ordinary
/// words, and pairs that begin with ö or with ø to ü, which no page has at a lead byte. Also finds a Hebrew or Arabic letter before a
/// sign that no word has behind it, a Thai letter or the geresh before any sign, and Â or Ã before a space.
pub(crate) struct Meeting;

impl Read for Meeting {
    type Answer = Neighbours;

    #[inline(always)]
    fn run<S: Vector>(s: S, src: &[u8]) -> Neighbours {
        let mut block = 0;
        while let Some(text) = src.get(block..block + BLOCK + AHEAD) {
            let (mut bits, mut at) = (0, 0);
            while at < BLOCK {
                bits |= marks(s, text, at) << at;
                at += S::LANES;
            }
            if bits != 0 {
                return Neighbours { block, bits };
            }
            block += BLOCK;
        }
        Neighbours { block, bits: 0 }
    }
}

/// The same without explicit vectors.
pub(crate) fn plainly(src: &[u8]) -> Neighbours {
    let mut block = 0;
    while let Some(text) = src.get(block..block + BLOCK + AHEAD) {
        if !text[..BLOCK].is_ascii() && has_neighbours(text) {
            let bits = marks_plainly(text);
            if bits != 0 {
                return Neighbours { block, bits };
            }
        }
        block += BLOCK;
    }
    Neighbours { block, bits: 0 }
}

/// The bits of the vector at `at`.
#[inline(always)]
fn marks<S: Vector>(s: S, text: &[u8], at: usize) -> u64 {
    let a = s.load(text, at);
    if a.high_bits() == 0 {
        return 0;
    }
    let (b, c, d) = (s.load(text, at + 1), s.load(text, at + 2), s.load(text, at + 3));
    let (open_a, open_b) = (a.equal(s.splat(0xC3)), (b | s.splat(1)).equal(s.splat(0x83)));
    let open = open_a & open_b & c.equal(s.splat(b' '));
    let pairs =
        two_of(s, a) & (two_of(s, c) | three_of(s, c)) | three_of(s, a) & (two_of(s, d) | three_of(s, d));
    let semitic = within(s, a, 0xD6, 0xDB) & c.equal(s.splat(0xC2));
    let thai = a.equal(s.splat(0xE0)) & (b | s.splat(1)).equal(s.splat(0xB9));
    let thai = thai & (d.equal(s.splat(0xC2)) | d.equal(s.splat(0xE2)));
    let geresh = a.equal(s.splat(0xD7)) & b.equal(s.splat(0xB3)) & c.equal(s.splat(0xE2));
    let late = thai | geresh;
    if (pairs | open | semitic | late).bits() == 0 {
        return 0;
    }
    // No-break spaces and quotation marks.
    let quoted = d.equal(s.splat(0xA0)) | (d & s.splat(0xEF)).equal(s.splat(0xAB));
    let semitic = semitic ^ (semitic & quoted);
    // Letters from А to я, small ones up to џ, and capitals.
    let (d0, d1) = (a.equal(s.splat(0xD0)), a.equal(s.splat(0xD1)));
    let (next_d0, next_d1) = (c.equal(s.splat(0xD0)), c.equal(s.splat(0xD1)));
    let small = d0 & b.at_least(s.splat(0xB0)) | d1 & s.splat(0x9F).at_least(b);
    let next_small = next_d0 & d.at_least(s.splat(0xB0)) | next_d1 & s.splat(0x9F).at_least(d);
    let next_russian = next_d0 & d.at_least(s.splat(0x90)) | next_d1 & s.splat(0x8F).at_least(d);
    let cyrillic = small & next_small | d0 & within(s, b, 0x90, 0xAF) & next_russian;
    let next_greek = c.equal(s.splat(0xCF)) | c.equal(s.splat(0xCE)) & d.at_least(s.splat(0x90));
    let greek = (a | s.splat(1)).equal(s.splat(0xCF)) & next_greek;
    // ö, and ø to ü.
    let latin = open_a & (b.equal(s.splat(0xB6)) | within(s, b, 0xB8, 0xBC));
    let passed = pairs & (cyrillic | greek | latin);
    ((pairs ^ passed) | open | semitic | late).bits()
}

/// Where a byte is in `from..=to`.
#[inline(always)]
fn within<S: Vector>(s: S, bytes: S::Bytes, from: u8, to: u8) -> <S::Bytes as Bytes>::Lanes {
    s.splat(to - from).at_least(bytes + s.splat(from.wrapping_neg()))
}

/// Where [`two`] is true.
#[inline(always)]
fn two_of<S: Vector>(s: S, bytes: S::Bytes) -> <S::Bytes as Bytes>::Lanes {
    within(s, bytes, 0xC2, 0xD2)
}

/// Where [`three`] is true.
#[inline(always)]
fn three_of<S: Vector>(s: S, bytes: S::Bytes) -> <S::Bytes as Bytes>::Lanes {
    bytes.equal(s.splat(0xE2)) | bytes.equal(s.splat(0xEF))
}

/// Whether [`marks_plainly`] may find anything. Most text needs no more than this. The compiler vectorizes both.
fn has_neighbours(block: &[u8]) -> bool {
    let (first, second, third, fourth) =
        (&block[..BLOCK], &block[1..=BLOCK], &block[2..BLOCK + 2], &block[3..BLOCK + 3]);
    let mut any = 0;
    for at in 0..BLOCK {
        let (a, b, c, d) = (first[at], second[at], third[at], fourth[at]);
        any |= is_pair(a, c, d) | is_open(a, b, c) | is_late(a, b, c, d);
    }
    any != 0
}

/// The bits of a block.
fn marks_plainly(block: &[u8]) -> u64 {
    let (first, second, third, fourth) =
        (&block[..BLOCK], &block[1..=BLOCK], &block[2..BLOCK + 2], &block[3..BLOCK + 3]);
    let mut marks = [0; BLOCK];
    for at in 0..BLOCK {
        let (a, b, c, d) = (first[at], second[at], third[at], fourth[at]);
        let cyrillic = small(a, b) & small(c, d) | capital(a, b) & russian(c, d);
        let greek =
            u8::from(a | 1 == 0xCF) & (u8::from(c == 0xCF) | u8::from(c == 0xCE) & u8::from(d >= 0x90));
        let latin = u8::from(a == 0xC3) & (u8::from(b == 0xB6) | u8::from(b.wrapping_sub(0xB8) <= 4));
        marks[at] = is_pair(a, c, d) & !(cyrillic | greek | latin) | is_open(a, b, c) | is_late(a, b, c, d);
    }
    marks.chunks_exact(8).rev().fold(0, |bits, eight| {
        let bytes = eight.first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight));
        // Gathers the lowest bit of each byte in the highest byte.
        bits << 8 | bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56
    })
}

/// Whether a code page may have both of two adjacent characters. The second begins at `c` if the first has two bytes, and at `d`
/// if it has three.
fn is_pair(a: u8, c: u8, d: u8) -> u8 {
    two(a) & (two(c) | three(c)) | three(a) & (two(d) | three(d))
}

/// Whether it is a Hebrew or Arabic letter before a sign that is no quotation mark, or a Thai letter or the geresh before any
/// sign.
fn is_late(a: u8, b: u8, c: u8, d: u8) -> u8 {
    let quoted = u8::from(d == 0xA0) | u8::from(d & 0xEF == 0xAB);
    u8::from(a.wrapping_sub(0xD6) <= 5) & u8::from(c == 0xC2) & !quoted
        | u8::from(a == 0xE0) & u8::from(b | 1 == 0xB9) & (u8::from(d == 0xC2) | u8::from(d == 0xE2))
        | u8::from(a == 0xD7) & u8::from(b == 0xB3) & u8::from(c == 0xE2)
}

/// Whether it is Â or Ã before a space.
fn is_open(a: u8, b: u8, c: u8) -> u8 {
    u8::from(a == 0xC3) & u8::from(b | 1 == 0x83) & u8::from(c == b' ')
}

/// Whether a character of two bytes that a code page may have begins with this byte.
fn two(byte: u8) -> u8 {
    u8::from(byte.wrapping_sub(0xC2) <= 0xD2 - 0xC2)
}

/// The same for characters of three bytes: E2 begins punctuation and signs, EF ligatures.
fn three(byte: u8) -> u8 {
    u8::from(byte == 0xE2) | u8::from(byte == 0xEF)
}

/// Whether these are the bytes of a letter from А to я. In `small` it is a small letter, up to џ, in `capital` a capital, up to
/// Я.
fn russian(a: u8, b: u8) -> u8 {
    u8::from(a == 0xD0) & u8::from(b >= 0x90) | u8::from(a == 0xD1) & u8::from(b <= 0x8F)
}

fn small(a: u8, b: u8) -> u8 {
    u8::from(a == 0xD0) & u8::from(b >= 0xB0) | u8::from(a == 0xD1) & u8::from(b <= 0x9F)
}

fn capital(a: u8, b: u8) -> u8 {
    u8::from(a == 0xD0) & u8::from(b.wrapping_sub(0x90) < 0x20)
}
