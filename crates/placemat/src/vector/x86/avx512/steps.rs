//! Steps through UTF-16 and UTF-32: as much as a vector or two, to wherever there is room.
//!
//! A branch on whether there are surrogate pairs is often guessed wrong in text of many kinds, but to do without it costs all
//! other text more.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::units::lone_or_paired;
use super::{Avx512, Bytes};
use crate::vector::{Bytes as _, Vector as _};

#[inline(always)]
fn load<const PART: bool>(s: Avx512, src: &[u8], at: usize) -> Bytes {
    if PART { s.load_from(src, at) } else { s.load(src, at) }
}

#[inline(always)]
pub(super) fn store<const PART: bool>(s: Avx512, v: Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
    if PART { s.store_within(v, out, at) } else { s.store(v, out, at) }
}

#[inline(always)]
pub(super) fn to_utf32<const PART: bool>(
    s: Avx512,
    src: &[u8],
    at: usize,
    open: u32,
    out: &mut [MaybeUninit<u8>],
) -> Option<(usize, u32)> {
    let units = load::<PART>(s, src, at);
    if lone_or_paired(units) | open == 0 {
        let [first, second] = s.widen(units);
        store::<PART>(s, first, out, 0);
        store::<PART>(s, second, out, 64);
        return Some((128, 0));
    }
    let [is_first, is_second] = surrogates(units);
    if is_second != (is_first << 1 | open) {
        return None;
    }
    if !PART && open == 0 && is_first == 0x5555_5555 {
        store::<PART>(s, s.pairs_to_code_points(units)?, out, 0);
        return Some((64, 0));
    }
    let before = if at == 0 { units.delayed::<2>() } else { load::<PART>(s, src, at - 2) };
    let wide = s.widen(units);
    let before = one_earlier(before, wide);
    let mut n = 0;
    for half in 0..2 {
        let (joins, drops) = ((is_second >> (16 * half)) as u16, (is_first >> (16 * half)) as u16);
        let quads = joined(wide[half], before[half], joins, !drops);
        store::<PART>(s, quads, out, n);
        n += 64 - 4 * drops.count_ones() as usize;
    }
    Some((n, is_first >> 31))
}

#[inline(always)]
pub(super) fn to_utf16<const PART: bool>(
    s: Avx512,
    src: &[u8],
    at: usize,
    out: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let two = [load::<PART>(s, src, at), load::<PART>(s, src, at + 64)];
    if has_large(two[0] | two[1]) {
        if !are_code_points(two) {
            return None;
        }
        let (first, second) = (in_units(two[0]), in_units(two[1]));
        store::<PART>(s, compressed(first), out, 0);
        let n = 2 * first.1.count_ones() as usize;
        store::<PART>(s, compressed(second), out, n);
        return Some(n + 2 * second.1.count_ones() as usize);
    }
    let units = s.narrow(two);
    if lone_or_paired(units) != 0 {
        return None;
    }
    store::<PART>(s, units, out, 0);
    Some(64)
}

ops! {
    /// Which units are high and which low surrogates.
    fn surrogates(units: Bytes) -> [__mmask32; 2] = {
        let kinds = _mm512_and_si512(units.0, _mm512_set1_epi16(0xFC00_u16 as i16));
        let (first, second) = (_mm512_set1_epi16(0xD800_u16 as i16), _mm512_set1_epi16(0xDC00_u16 as i16));
        [_mm512_cmpeq_epi16_mask(kinds, first), _mm512_cmpeq_epi16_mask(kinds, second)]
    };
    /// What stands one unit before these, of which the first are `before` too.
    fn one_earlier(before: Bytes, [first, second]: [Bytes; 2]) -> [Bytes; 2] = [
        Bytes(_mm512_cvtepu16_epi32(_mm512_castsi512_si256(before.0))),
        Bytes(_mm512_alignr_epi32::<15>(second.0, first.0)),
    ];
    /// Units, of which some are joined with those `before` them to the code points that they are, and some are kept.
    fn joined(units: Bytes, before: Bytes, joins: __mmask16, keep: __mmask16) -> Bytes = Bytes({
        // Less DC00h and D800h times 400h, and U+10000 more.
        let low = _mm512_add_epi32(units.0, _mm512_set1_epi32(0x1_0000 - 0xDC00 - (0xD800 << 10)));
        let all = _mm512_mask_add_epi32(units.0, joins, low, _mm512_slli_epi32::<10>(before.0));
        _mm512_maskz_compress_epi32(keep, all)
    });
    /// Whether one of these numbers is above U+FFFF.
    fn has_large(quads: Bytes) -> bool =
        _mm512_test_epi32_mask(quads.0, _mm512_set1_epi32(0xFFFF_0000_u32 as i32)) != 0;
    /// Whether all are code points that are no surrogates.
    fn are_code_points([a, b]: [Bytes; 2]) -> bool = {
        // What does not fit into a unit becomes one that is no surrogate.
        let units = _mm512_packus_epi32(a.0, b.0);
        let kinds = _mm512_and_si512(units, _mm512_set1_epi16(0xF800_u16 as i16));
        let surrogates = _mm512_cmpeq_epi16_mask(kinds, _mm512_set1_epi16(0xD800_u16 as i16));
        let large = _mm512_cmpgt_epu32_mask(_mm512_max_epu32(a.0, b.0), _mm512_set1_epi32(0x10_FFFF));
        surrogates | u32::from(large) == 0
    };
    /// Code points in two units each, and a bit for each unit that counts.
    fn in_units(code_points: Bytes) -> (Bytes, __mmask32) = {
        let pairs = _mm512_cmpgt_epu32_mask(code_points.0, _mm512_set1_epi32(0xFFFF));
        // Each as two numbers: what is above the lowest ten bits, and these and more, which are cut off.
        let places = _mm512_set1_epi64(0x2820_322A_0800_120A);
        let halves = _mm512_multishift_epi64_epi8(places, code_points.0);
        let bits = _mm512_and_si512(halves, _mm512_set1_epi32(0x03FF_FFFF));
        // D800 less the 40h that stand for U+10000.
        let marks = _mm512_set1_epi32(0xDC00_D7C0_u32 as i32);
        let units = _mm512_mask_add_epi32(code_points.0, pairs, bits, marks);
        (Bytes(units), _pdep_u32(u32::from(pairs), 0xAAAA_AAAA) | 0x5555_5555)
    };
    fn compressed((units, lanes): (Bytes, __mmask32)) -> Bytes = Bytes(_mm512_maskz_compress_epi16(lanes, units.0));
}
