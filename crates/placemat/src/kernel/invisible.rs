//! Finds where a character begins that may be invisible. `placemat::invisible` examines only those characters.
//!
//! Text has few of them, but common characters begin with the same bytes (E2 80 also begins quotation marks), so up to three bytes are
//! compared.

#![forbid(unsafe_code)]

use crate::vector::{Bytes, Lanes, Vector};

/// C2 80 to 9F: C1 controls.
const C1: u8 = 0x01;
/// C2 AD and CD 8F: soft hyphen, grapheme joiner (and a few letters with the same nibbles).
const JOINED: u8 = 0x02;
/// D8 9C: Arabic letter mark.
const ARABIC: u8 = 0x04;
/// E1 9E, E1 A0: Khmer vowels, Mongolian selectors, if the third byte is one of theirs.
const THIRD_OF_E1: u8 = 0x08;
/// E1 85, E3 85: Hangul fillers.
const HANGUL: u8 = 0x10;
/// EF B8, BB, BE, BF: variation selectors, U+FEFF, specials; E2 81: operators, isolates.
const SPECIAL: u8 = 0x20;
/// F0 9B, F0 9D, F3 A0: controls of shorthand and music, tags.
const SUPPLEMENTARY: u8 = 0x40;
/// E2 80: spaces, marks and embeddings, if the third byte is one of theirs.
const THIRD_OF_E2: u8 = 0x80;

/// The classes that a lead byte may begin, by its upper and its lower nibble. Below: the classes that a second byte may continue.
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

/// Third bytes: 8B to 8F (after E2 and E1), A8 to AE (after E2), B4 and B5 (after E1).
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

/// Makes a table of sixteen from the entries that are not zero.
const fn nibbles(entries: &[(usize, u8)]) -> [u8; 16] {
    let (mut table, mut i) = ([0; 16], 0);
    while i < entries.len() {
        table[entries[i].0] = entries[i].1;
        i += 1;
    }
    table
}

/// C0 controls except tab and line ends, DEL, and lead bytes that may begin a candidate, by nibbles.
const SUSPECT_UPPER: [u8; 16] =
    nibbles(&[(0x0, 0x01), (0x1, 0x02), (0x7, 0x04), (0xC, 0x08), (0xD, 0x10), (0xE, 0x20), (0xF, 0x40)]);
const SUSPECT_LOWER: [u8; 16] =
    [0x43, 0x23, 0x2B, 0x63, 0x03, 0x03, 0x03, 0x03, 0x13, 0x02, 0x02, 0x03, 0x03, 0x0A, 0x03, 0x27];

/// The highest bit is set for C0 controls except tab and line ends, and for DEL.
static ASCII_CONTROLS: [u8; 128] = {
    let (mut table, mut byte) = ([0; 128], 0);
    while byte < 128 {
        table[byte] = if matches!(byte as u8, b'\t' | b'\n' | b'\r' | b' '..=b'~') { 0 } else { 0x80 };
        byte += 1;
    }
    table
};

/// Vectors in a block.
const VECTORS: usize = 4;
/// Bytes between two checks whether the text is ASCII again; a number of blocks.
const SPAN: usize = 4096;

/// Returns how many bytes of well-formed UTF-8 precede the first character that may be a finding. It also stops at a few characters
/// that cannot be one.
#[inline(always)]
pub(crate) fn prefix<S: Vector>(s: S, src: &[u8]) -> usize {
    let (mut at, lanes) = (0, S::LANES);
    // `is_ascii`: the span so far is ASCII. `is_begun`: a candidate may begin in the block before.
    let (mut is_ascii, mut is_begun) = (true, false);
    while let Some(block) = src[at..].get(..VECTORS * lanes) {
        if S::HAS_LOOKUP_SEVEN {
            is_ascii = (is_ascii || at.is_multiple_of(SPAN)) && is_plain_ascii(s, block);
            if is_ascii && !is_begun {
                at += VECTORS * lanes;
                continue;
            }
        }
        let mut suspect = suspects(s, s.load(block, 0));
        for i in 1..VECTORS {
            suspect = suspect | suspects(s, s.load(block, i * lanes));
        }
        if is_begun || !suspect.is_zero() {
            if let Some(found) = first(s, src, at) {
                return found;
            }
            is_begun = block[VECTORS * lanes - 2..].iter().any(|&byte| byte >= 0xC0);
        }
        at += VECTORS * lanes;
    }
    while at < src.len() {
        let n = lanes.min(src.len() - at);
        let found = candidates::<S, true>(s, src, at).bits() & !0 >> (64 - n);
        if let Some(found) = unexplained(src, at, found) {
            return found;
        }
        at += n;
    }
    src.len()
}

/// Whether a block is ASCII without controls.
#[inline(always)]
fn is_plain_ascii<S: Vector>(s: S, block: &[u8]) -> bool {
    let mut seen = s.splat(0);
    for i in 0..VECTORS {
        let bytes = s.load(block, i * S::LANES);
        let Some(control) = s.lookup_seven(bytes, &ASCII_CONTROLS) else { return false };
        seen = seen | control | bytes;
    }
    seen.high_bits() == 0
}

/// Returns the first candidate in the block at `at`.
#[inline(always)]
fn first<S: Vector>(s: S, src: &[u8], at: usize) -> Option<usize> {
    let mut any = s.splat(0);
    for i in 0..VECTORS {
        let bytes = s.load(src, at + i * S::LANES);
        let before = match at + i {
            0 => bytes.delayed::<1>(),
            _ => s.load(src, at + i * S::LANES - 1),
        };
        any = any | classes(s, before, bytes) | controls(s, bytes);
    }
    let is_begun = at >= 2 && matches!(src[at - 2..at], [0xE2, 0x80] | [0xE1, 0x9E | 0xA0]);
    if any.is_zero() && !is_begun {
        return None;
    }
    for i in 0..VECTORS {
        let at = at + i * S::LANES;
        let found = candidates::<S, false>(s, src, at).bits();
        if found != 0
            && let Some(found) = unexplained(src, at, found)
        {
            return Some(found);
        }
    }
    None
}

/// Returns the first candidate that is not explained. `found`: for each candidate, the byte that decides, counted from `at` on.
#[inline(always)]
fn unexplained(src: &[u8], at: usize, mut found: u64) -> Option<usize> {
    while found != 0 {
        let start = lead(src, at + found.trailing_zeros() as usize);
        if !is_explained(src, start) {
            return Some(start);
        }
        found &= found - 1;
    }
    None
}

/// Whether a letter next to the candidate at `at` explains it. The joiners and breaks of Persian, Indic scripts and Khmer are too many
/// to examine each of them.
#[inline(always)]
pub(crate) fn is_explained(src: &[u8], at: usize) -> bool {
    let byte = |at: usize| src.get(at).copied().unwrap_or(0);
    let third = byte(at + 2);
    if src[at] != 0xE2 || byte(at + 1) != 0x80 || !matches!(third, 0x8B..=0x8D) {
        return false;
    }
    // The letter before it may have three bytes or two.
    let three = || at >= 3 && src[at - 3] >= 0xE0 && explains(third, [src[at - 3], src[at - 2], src[at - 1]]);
    let two = || at >= 2 && src[at - 2] < 0xE0 && explains(third, [src[at - 2], src[at - 1], 0]);
    explains(third, [byte(at + 3), byte(at + 4), byte(at + 5)]) || three() || two()
}

/// Whether this letter next to U+200B (third byte 8B) or next to a joiner explains it.
#[inline(always)]
fn explains(third: u8, [lead, second, last]: [u8; 3]) -> bool {
    let is_burmese = lead == 0xE1 && matches!(second, 0x80 | 0x81);
    let is_khmer = lead == 0xE1 && (second == 0x9F || second == 0x9E && !matches!(last, 0xB4 | 0xB5));
    is_burmese
        || match third {
            0x8B => is_khmer || lead == 0xE0 && matches!(second, 0xB8..=0xBB),
            // U+0600 to U+0FFF but the mark U+061C.
            _ => matches!(lead, 0xD9..=0xE0) || lead == 0xD8 && second != 0x9C,
        }
}

/// Not zero for a control, and for a lead byte that may begin a candidate.
#[inline(always)]
fn suspects<S: Vector>(s: S, bytes: S::Bytes) -> S::Bytes {
    let low = s.splat(0x0F);
    (bytes.shr::<4>() & low).lookup(s.tile(&SUSPECT_UPPER)) & (bytes & low).lookup(s.tile(&SUSPECT_LOWER))
}

/// Not zero for a C0 control, except tab and line ends, and for DEL.
#[inline(always)]
fn controls<S: Vector>(s: S, bytes: S::Bytes) -> S::Bytes {
    suspects(s, bytes) & s.splat(0x07)
}

/// Loads a vector from `at` on. `PART`: fewer lanes may be left; zeros follow them.
#[inline(always)]
fn load<S: Vector, const PART: bool>(s: S, src: &[u8], at: usize) -> S::Bytes {
    if PART { s.load_part(&src[at..]) } else { s.load(src, at) }
}

/// The bytes from `at` on that decide about a candidate: a control, or the second or third byte of a sequence.
#[inline(always)]
fn candidates<S: Vector, const PART: bool>(s: S, src: &[u8], at: usize) -> <S::Bytes as Bytes>::Lanes {
    let bytes = load::<S, PART>(s, src, at);
    // At the start of the text, nothing precedes.
    let [second, first] = match at {
        0 => [bytes.delayed::<1>(), bytes.delayed::<2>()],
        _ => [load::<S, PART>(s, src, at - 1), load::<S, PART>(s, src, at - 2)],
    };
    let here = classes(s, second, bytes);
    let before = classes(s, first, second);
    let [zero, low] = [s.splat(0), s.splat(0x0F)];
    let third =
        (bytes.shr::<4>() & low).lookup(s.tile(&THIRD_UPPER)) & (bytes & low).lookup(s.tile(&THIRD_LOWER));
    let not_e2 =
        (third & s.splat(MARKS | EMBEDDINGS)).equal(zero) | (before & s.splat(THIRD_OF_E2)).equal(zero);
    // E1 9E begins Khmer letters and two vowels that are candidates, E1 A0 Mongolian letters and the selectors.
    let all = zero.equal(zero);
    let is_khmer = second.equal(s.splat(0x9E));
    let no_vowel = (third & s.splat(VOWELS)).equal(zero) | (is_khmer ^ all);
    let no_mark = (third & s.splat(MARKS)).equal(zero) | is_khmer;
    let not_e1 = (no_vowel & no_mark) | (before & s.splat(THIRD_OF_E1)).equal(zero);
    let whole = here & s.splat(!(THIRD_OF_E1 | THIRD_OF_E2)) | controls(s, bytes);
    (whole.equal(zero) ^ all) | ((not_e2 & not_e1) ^ all)
}

/// Returns the classes that a lead byte and the byte after it may belong to together.
#[inline(always)]
fn classes<S: Vector>(s: S, lead: S::Bytes, second: S::Bytes) -> S::Bytes {
    let low = s.splat(0x0F);
    let by_lead =
        (lead.shr::<4>() & low).lookup(s.tile(&LEAD_UPPER)) & (lead & low).lookup(s.tile(&LEAD_LOWER));
    let by_second = (second.shr::<4>() & low).lookup(s.tile(&SECOND_UPPER))
        & (second & low).lookup(s.tile(&SECOND_LOWER));
    by_lead & by_second
}

/// Returns where the character begins that contains this byte.
#[inline(always)]
fn lead(src: &[u8], at: usize) -> usize {
    (0..=at).rev().find(|&at| !matches!(src[at], 0x80..=0xBF)).unwrap_or(at)
}

/// Like [`prefix`], without vectors.
#[cfg(feature = "invisible")]
pub(crate) fn scalar_prefix(src: &[u8]) -> usize {
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
                || class & THIRD_OF_E1 != 0 && third & if byte(at + 1) == 0x9E { VOWELS } else { MARKS } != 0
        }
    };
    (0..src.len()).find(|&at| is_candidate(at) && !is_explained(src, at)).unwrap_or(src.len())
}
