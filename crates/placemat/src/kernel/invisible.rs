//! Where a character begins that may be an invisible one: `placemat::invisible` looks at those alone.
//!
//! Text has few of them, but shares their lead bytes with them (E2 80 begins quotation marks too), so up to three bytes are looked at.

#![forbid(unsafe_code)]

use crate::simd::{Bytes, Lanes, Simd};

/// C2 80 to 9F: C1 controls.
const C1: u8 = 0x01;
/// C2 AD and CD 8F: soft hyphen, grapheme joiner (and a few letters that look so here).
const JOINED: u8 = 0x02;
/// D8 9C: Arabic letter mark.
const ARABIC: u8 = 0x04;
/// E1 9E, E1 A0: Khmer vowels, Mongolian selectors, if the third byte is theirs.
const THIRD_OF_E1: u8 = 0x08;
/// E1 85, E3 85: Hangul fillers.
const HANGUL: u8 = 0x10;
/// EF B8, BB, BE, BF: variation selectors, U+FEFF, specials; E2 81: operators, isolates.
const SPECIAL: u8 = 0x20;
/// F0 9B, F0 9D, F3 A0: controls of shorthand and music, tags.
const SUPPLEMENTARY: u8 = 0x40;
/// E2 80: spaces, marks and embeddings, if the third byte is theirs.
const THIRD_OF_E2: u8 = 0x80;

/// The classes that a lead byte may begin, by its upper and its lower nibble; those that a second byte may continue.
const LEAD_UPPER: [u8; 16] = nibbles(&[
    (0xC, C1 | JOINED),
    (0xD, ARABIC),
    (0xE, THIRD_OF_E1 | HANGUL | SPECIAL | THIRD_OF_E2),
    (0xF, SUPPLEMENTARY),
]);
const LEAD_LOWER: [u8; 16] = nibbles(&[
    (0x0, SUPPLEMENTARY),
    (0x1, THIRD_OF_E1 | HANGUL),
    (0x2, C1 | JOINED | SPECIAL | THIRD_OF_E2),
    (0x3, HANGUL | SUPPLEMENTARY),
    (0x8, ARABIC),
    (0xD, JOINED),
    (0xF, SPECIAL),
]);
const SECOND_UPPER: [u8; 16] = nibbles(&[
    (0x8, C1 | JOINED | HANGUL | SPECIAL | THIRD_OF_E2),
    (0x9, C1 | ARABIC | THIRD_OF_E1 | SUPPLEMENTARY),
    (0xA, JOINED | THIRD_OF_E1 | SUPPLEMENTARY),
    (0xB, SPECIAL),
]);
const SECOND_LOWER: [u8; 16] = nibbles(&[
    (0x0, C1 | THIRD_OF_E1 | SUPPLEMENTARY | THIRD_OF_E2),
    (0x1, C1 | SPECIAL),
    (0x2, C1),
    (0x3, C1),
    (0x4, C1),
    (0x5, C1 | HANGUL),
    (0x6, C1),
    (0x7, C1),
    (0x8, C1 | SPECIAL),
    (0x9, C1),
    (0xA, C1),
    (0xB, C1 | SPECIAL | SUPPLEMENTARY),
    (0xC, C1 | ARABIC),
    (0xD, C1 | JOINED | SUPPLEMENTARY),
    (0xE, C1 | THIRD_OF_E1 | SPECIAL),
    (0xF, C1 | JOINED | SPECIAL),
]);

/// Third bytes 8B to 8F (behind E2 and E1), A8 to AE (behind E2), B4 and B5 (behind E1).
const MARKS: u8 = 0x01;
const EMBEDDINGS: u8 = 0x02;
const VOWELS: u8 = 0x04;
const THIRD_UPPER: [u8; 16] = nibbles(&[(0x8, MARKS), (0xA, EMBEDDINGS), (0xB, VOWELS)]);
const THIRD_LOWER: [u8; 16] = nibbles(&[
    (0x4, VOWELS),
    (0x5, VOWELS),
    (0x8, EMBEDDINGS),
    (0x9, EMBEDDINGS),
    (0xA, EMBEDDINGS),
    (0xB, MARKS | EMBEDDINGS),
    (0xC, MARKS | EMBEDDINGS),
    (0xD, MARKS | EMBEDDINGS),
    (0xE, MARKS | EMBEDDINGS),
    (0xF, MARKS),
]);

/// A table of sixteen from its entries that are not zero.
const fn nibbles(entries: &[(usize, u8)]) -> [u8; 16] {
    let (mut table, mut i) = ([0; 16], 0);
    while i < entries.len() {
        table[entries[i].0] = entries[i].1;
        i += 1;
    }
    table
}

/// Vectors in a block.
const VECTORS: usize = 4;

/// How many bytes at the start, of text that is well-formed UTF-8, stand before the first character that may be a finding. A few
/// that cannot be one are among those at which it stops.
#[inline(always)]
pub(crate) fn prefix<S: Simd>(s: S, src: &[u8]) -> usize {
    let (mut at, lanes) = (0, S::LANES);
    // Two bytes before each block are looked at again.
    while let Some(block) = src[at..].get(..VECTORS * lanes) {
        let mut any = s.splat(0);
        for i in 0..VECTORS {
            any = any | s.load(block, i * lanes);
        }
        let found = if any.high_bits() == 0 {
            let mut found = controls(s, s.load(block, 0));
            for i in 1..VECTORS {
                found = found | controls(s, s.load(block, i * lanes));
            }
            found.bits()
        } else {
            let mut found = s.splat(0).less(s.splat(0));
            for i in 0..VECTORS {
                found = found | candidates(s, src, at + i * lanes, |text, from| s.load(text, from));
            }
            found.bits()
        };
        if found & !0 >> (64 - lanes) != 0 {
            break;
        }
        at += VECTORS * lanes;
    }
    while at < src.len() {
        let n = lanes.min(src.len() - at);
        let found = candidates(s, src, at, |text, from| s.load_part(&text[from..])).bits() & !0 >> (64 - n);
        if found != 0 {
            return lead(src, at + found.trailing_zeros() as usize);
        }
        at += n;
    }
    src.len()
}

/// C0 but tab and line ends, and DEL.
#[inline(always)]
fn controls<S: Simd>(s: S, bytes: S::Bytes) -> <S::Bytes as Bytes>::Lanes {
    let is_c0 = s.splat(0x1F).at_least(bytes) ^ bytes.equal(s.splat(b'\t'));
    (is_c0 ^ bytes.equal(s.splat(b'\n')) ^ bytes.equal(s.splat(b'\r'))) | bytes.equal(s.splat(0x7F))
}

/// The bytes from `at` on that end what decides: a control, or the second or third byte of a candidate.
#[inline(always)]
fn candidates<S: Simd>(
    s: S,
    src: &[u8],
    at: usize,
    load: impl Fn(&[u8], usize) -> S::Bytes,
) -> <S::Bytes as Bytes>::Lanes {
    let bytes = load(src, at);
    // At the start there is nothing before.
    let [second, first] = match at {
        0 => [bytes.delayed::<1>(), bytes.delayed::<2>()],
        _ => [load(src, at - 1), load(src, at - 2)],
    };
    let here = classes(s, second, bytes);
    let before = classes(s, first, second);
    let [zero, low] = [s.splat(0), s.splat(0x0F)];
    let third =
        (bytes.shr::<4>() & low).lookup(s.tile(&THIRD_UPPER)) & (bytes & low).lookup(s.tile(&THIRD_LOWER));
    let not_e2 =
        (third & s.splat(MARKS | EMBEDDINGS)).equal(zero) | (before & s.splat(THIRD_OF_E2)).equal(zero);
    let not_e1 = (third & s.splat(MARKS | VOWELS)).equal(zero) | (before & s.splat(THIRD_OF_E1)).equal(zero);
    let all = zero.equal(zero);
    let whole = here & s.splat(!(THIRD_OF_E1 | THIRD_OF_E2));
    (controls(s, bytes) | (whole.equal(zero) ^ all)) | ((not_e2 & not_e1) ^ all)
}

/// What lead bytes and the bytes behind them may be together.
#[inline(always)]
fn classes<S: Simd>(s: S, lead: S::Bytes, second: S::Bytes) -> S::Bytes {
    let low = s.splat(0x0F);
    let by_lead =
        (lead.shr::<4>() & low).lookup(s.tile(&LEAD_UPPER)) & (lead & low).lookup(s.tile(&LEAD_LOWER));
    let by_second = (second.shr::<4>() & low).lookup(s.tile(&SECOND_UPPER))
        & (second & low).lookup(s.tile(&SECOND_LOWER));
    by_lead & by_second
}

/// Where the character begins whose byte this is.
#[inline(always)]
fn lead(src: &[u8], at: usize) -> usize {
    (0..=at).rev().find(|&at| !matches!(src[at], 0x80..=0xBF)).unwrap_or(at)
}

/// The same without vectors.
#[cfg(feature = "invisible")]
pub(crate) fn plain_prefix(src: &[u8]) -> usize {
    let byte = |at: usize| src.get(at).copied().unwrap_or(0);
    let entry = |upper: &[u8; 16], lower: &[u8; 16], byte: u8| {
        upper[usize::from(byte >> 4)] & lower[usize::from(byte & 0x0F)]
    };
    let is_candidate = |at: usize| match src[at] {
        b'\t' | b'\n' | b'\r' | b' '..=0x7E | 0x80..=0xBF => false,
        0..=0x1F | 0x7F => true,
        lead => {
            let class =
                entry(&LEAD_UPPER, &LEAD_LOWER, lead) & entry(&SECOND_UPPER, &SECOND_LOWER, byte(at + 1));
            let third = entry(&THIRD_UPPER, &THIRD_LOWER, byte(at + 2));
            class & !(THIRD_OF_E1 | THIRD_OF_E2) != 0
                || class & THIRD_OF_E2 != 0 && third & (MARKS | EMBEDDINGS) != 0
                || class & THIRD_OF_E1 != 0 && third & (MARKS | VOWELS) != 0
        }
    };
    (0..src.len()).find(|&at| is_candidate(at)).unwrap_or(src.len())
}
