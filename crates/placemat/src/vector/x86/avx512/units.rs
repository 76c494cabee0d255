//! Whole units of UTF-16 and UTF-32, each as one number of its lane.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::{Avx512, Bytes, in_pairs};
use crate::vector::Vector as _;

#[inline(always)]
pub(super) fn put_short(s: Avx512, units: [Bytes; 2], out: &mut [MaybeUninit<u8>], at: usize) -> usize {
    let mut n = 0;
    for i in 0..2 {
        let (bytes, lanes) = one_or_two(units[i]);
        s.put(bytes, lanes, out, at + n);
        n += lanes.count_ones() as usize;
    }
    n
}

#[inline(always)]
pub(super) fn put_long(
    s: Avx512,
    units: [Bytes; 2],
    out: &mut [MaybeUninit<u8>],
    at: usize,
) -> Option<usize> {
    if lone_or_paired(units[0]) | lone_or_paired(units[1]) != 0 {
        return None;
    }
    let mut n = 0;
    for units in units {
        let longer = lengths(units);
        n += put_sequences(s, units, ends(units, longer), longer, out, at + n);
    }
    Some(n)
}

ops! {
    /// Units below 800h as two bytes each, and the lanes that count.
    fn one_or_two(units: Bytes) -> (Bytes, u64) = {
        let two = _mm512_cmpge_epu16_mask(units.0, _mm512_set1_epi16(0x80));
        let last = _mm512_slli_epi16::<8>(units.0);
        let lead = _mm512_srli_epi16::<6>(units.0);
        // The bits of both, and the marks of both, for which there is room.
        let bits = _mm512_or_si512(_mm512_and_si512(last, _mm512_set1_epi16(0x3F00)), lead);
        let marks = _mm512_set1_epi16(0x80C0_u16 as i16);
        let lanes = _pdep_u64(u64::from(two), 0x5555_5555_5555_5555) | 0xAAAA_AAAA_AAAA_AAAA;
        (Bytes(_mm512_mask_add_epi16(last, two, bits, marks)), lanes)
    };
    /// Which units are surrogates.
    pub(super) fn lone_or_paired(units: Bytes) -> __mmask32 = {
        let kind = _mm512_and_si512(units.0, _mm512_set1_epi16(0xF800_u16 as i16));
        _mm512_cmpeq_epi16_mask(kind, _mm512_set1_epi16(0xD800_u16 as i16))
    };
    /// Which units are from U+0080 on, and which from U+0800 on.
    fn lengths(units: Bytes) -> [__mmask32; 2] = {
        let two = _mm512_cmpge_epu16_mask(units.0, _mm512_set1_epi16(0x80));
        [two, _mm512_cmpge_epu16_mask(units.0, _mm512_set1_epi16(0x800))]
    };
    /// The last two bytes of each, of which ASCII needs only the second.
    fn ends(units: Bytes, [two, three]: [__mmask32; 2]) -> Bytes = Bytes({
        let last = _mm512_slli_epi16::<8>(units.0);
        let second = _mm512_and_si512(_mm512_srli_epi16::<6>(units.0), _mm512_set1_epi16(0x3F));
        let bits = _mm512_or_si512(_mm512_and_si512(last, _mm512_set1_epi16(0x3F00)), second);
        let end = _mm512_mask_add_epi16(last, two, bits, _mm512_set1_epi16(0x80C0_u16 as i16));
        _mm512_mask_sub_epi16(end, three, end, _mm512_set1_epi16(0x40))
    });
    /// The first of three bytes of each.
    fn starts(units: Bytes) -> Bytes = Bytes({
        let start = _mm512_and_si512(_mm512_srli_epi16::<4>(units.0), _mm512_set1_epi16(0x0F00));
        _mm512_or_si512(start, _mm512_set1_epi16(0xE000_u16 as i16))
    });
    /// Of sixteen units in four bytes each, those that count.
    fn lanes_of(_s: Avx512, [two, three]: [__mmask32; 2]) -> u64 =
        _pdep_u64(u64::from(two), 0x4444_4444_4444_4444)
            | _pdep_u64(u64::from(three), 0x2222_2222_2222_2222)
            | 0x8888_8888_8888_8888;
    /// Which units are high and which low surrogates, if each of these, and no other, has a high one `before` it.
    fn surrogates(units: Bytes, before: Bytes) -> Option<[__mmask32; 2]> = {
        let kinds = _mm512_set1_epi16(0xFC00_u16 as i16);
        let (first, second) = (_mm512_set1_epi16(0xD800_u16 as i16), _mm512_set1_epi16(0xDC00_u16 as i16));
        let kind = _mm512_and_si512(units.0, kinds);
        let is_second = _mm512_cmpeq_epi16_mask(kind, second);
        let follows = _mm512_cmpeq_epi16_mask(_mm512_and_si512(before.0, kinds), first);
        (is_second == follows).then_some([_mm512_cmpeq_epi16_mask(kind, first), is_second])
    };
    /// The last two bytes of each, of which surrogates have two of the four that they become.
    fn ends_of_all(units: Bytes, before: Bytes, longer: [__mmask32; 2], [is_first, is_second]: [__mmask32; 2]) -> Bytes = {
        // Of a first one, what is 40h more than its ten bits: the upper five, the next six. The second has the last two.
        let bits = _mm512_and_si512(units.0, _mm512_set1_epi16(0x03FF));
        let plus = _mm512_add_epi16(bits, _mm512_set1_epi16(0x40));
        let next = _mm512_and_si512(_mm512_slli_epi16::<6>(plus), _mm512_set1_epi16(0x3F00));
        let upper = _mm512_or_si512(_mm512_srli_epi16::<8>(plus), next);
        let upper = _mm512_or_si512(upper, _mm512_set1_epi16(0x80F0_u16 as i16));
        let left = _mm512_and_si512(_mm512_slli_epi16::<4>(before.0), _mm512_set1_epi16(0x30));
        let last = _mm512_and_si512(_mm512_slli_epi16::<8>(bits), _mm512_set1_epi16(0x3F00));
        let lower = _mm512_or_si512(_mm512_or_si512(left, last), _mm512_srli_epi16::<6>(bits));
        let lower = _mm512_or_si512(lower, _mm512_set1_epi16(0x8080_u16 as i16));
        let ends = _mm512_mask_mov_epi16(ends(units, longer).0, is_first, upper);
        Bytes(_mm512_mask_mov_epi16(ends, is_second, lower))
    };
}

/// Write units with these ends, and a first byte where they take three: how many bytes.
#[inline(always)]
fn put_sequences(
    s: Avx512,
    units: Bytes,
    ends: Bytes,
    [two, three]: [__mmask32; 2],
    out: &mut [MaybeUninit<u8>],
    at: usize,
) -> usize {
    let quads = s.interleave_pairs([starts(units), ends]);
    let mut n = 0;
    for half in 0..2 {
        let lanes = lanes_of(s, [two, three].map(|units| units >> (16 * half)));
        s.put(quads[half], lanes, out, at + n);
        n += lanes.count_ones() as usize;
    }
    n
}

#[inline(always)]
pub(super) fn to_utf8(
    s: Avx512,
    units: Bytes,
    before: Bytes,
    out: &mut [MaybeUninit<u8>],
    at: usize,
) -> Option<usize> {
    let [two, three] = lengths(units);
    let [is_first, is_second] = surrogates(units, before)?;
    let ends = ends_of_all(units, before, [two, three], [is_first, is_second]);
    Some(put_sequences(s, units, ends, [two, three & !(is_first | is_second)], out, at))
}

ops! {
    pub(super) fn to_utf16(s: Avx512, code_points: Bytes, out: &mut [MaybeUninit<u8>], at: usize, ) -> Option<usize> = {
        let is_large = _mm512_cmpgt_epu32_mask(code_points.0, _mm512_set1_epi32(0x10_FFFF));
        let kinds = _mm512_and_si512(code_points.0, _mm512_set1_epi32(!0x7FF));
        if is_large | _mm512_cmpeq_epi32_mask(kinds, _mm512_set1_epi32(0xD800)) != 0 {
            return None;
        }
        let pairs = _mm512_cmpge_epu32_mask(code_points.0, _mm512_set1_epi32(0x1_0000));
        let units = _mm512_mask_mov_epi32(code_points.0, pairs, in_pairs(code_points).0);
        // The upper half of others is no unit.
        let lanes = _pdep_u32(u32::from(pairs), 0xAAAA_AAAA) | 0x5555_5555;
        s.store(Bytes(_mm512_maskz_compress_epi16(lanes, units)), out, at);
        Some(2 * lanes.count_ones() as usize)
    };
    pub(super) fn to_utf32(s: Avx512, units: Bytes, before: Bytes, out: &mut [MaybeUninit<u8>], at: usize) -> Option<usize> = {
        let [is_first, is_second] = surrogates(units, before)?;
        let bits = _mm512_set1_epi16(0x03FF);
        let tens = (_mm512_slli_epi16::<10>(before.0), _mm512_and_si512(units.0, bits));
        let lower = _mm512_mask_add_epi16(units.0, is_second, tens.0, tens.1);
        // D800 is 360h then, and U+10000 one.
        let upper = _mm512_maskz_sub_epi16(is_second, _mm512_srli_epi16::<6>(before.0), _mm512_set1_epi16(0x35F));
        let lanes = !is_first;
        let lower = Bytes(_mm512_maskz_compress_epi16(lanes, lower));
        let upper = Bytes(_mm512_maskz_compress_epi16(lanes, upper));
        let quads = s.interleave_pairs([lower, upper]);
        s.store(quads[0], out, at);
        s.store(quads[1], out, at + 64);
        Some(4 * lanes.count_ones() as usize)
    };
}
