//! UTF-32, each unit as one number.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::units::surrogates;
use super::{Avx512, Bytes, in_pairs};
use crate::vector::{Bytes as _, Lanes as _, Vector as _};

/// Writes code points of all kinds as UTF-8.
#[inline(always)]
pub(super) fn to_utf8(
    s: Avx512,
    code_points: Bytes,
    out: &mut [MaybeUninit<u8>],
    at: usize,
) -> Option<usize> {
    if !are_scalar_values(code_points) {
        return None;
    }
    let (sequences, n) = sequences(code_points);
    // Bytes outside a sequence are zero. The last byte of each code point always counts, whatever it is.
    let lanes = sequences.at_least(s.splat(1)).bits() | 0x8888_8888_8888_8888;
    s.store(s.compress(sequences, lanes), out, at);
    Some(n)
}

ops! {
    fn are_scalar_values(code_points: Bytes) -> bool = {
        let is_large = _mm512_cmpgt_epu32_mask(code_points.0, _mm512_set1_epi32(0x10_FFFF));
        let kinds = _mm512_and_si512(code_points.0, _mm512_set1_epi32(!0x7FF));
        is_large | _mm512_cmpeq_epi32_mask(kinds, _mm512_set1_epi32(0xD800)) == 0
    };
    /// Code points as four bytes each, of which the last ones are the sequence and the others zero; and how many bytes all
    /// sequences have.
    fn sequences(code_points: Bytes) -> (Bytes, usize) = {
        let c = code_points.0;
        let two = _mm512_cmpgt_epu32_mask(c, _mm512_set1_epi32(0x7F));
        let three = _mm512_cmpgt_epu32_mask(c, _mm512_set1_epi32(0x7FF));
        let four = _mm512_cmpgt_epu32_mask(c, _mm512_set1_epi32(0xFFFF));
        // Six bits in each byte, the highest bits first.
        let places = _mm512_set1_epi64(0x2026_2C32_0006_0C12);
        let sixes = _mm512_and_si512(_mm512_multishift_epi64_epi8(places, c), _mm512_set1_epi8(0x3F));
        // The marks for two bytes, and how they change for three and four bytes.
        let marks = _mm512_set1_epi32(0x80C0_0000_u32 as i32);
        let marks = _mm512_mask_xor_epi32(marks, three, marks, _mm512_set1_epi32(0x0040_E000));
        let marks = _mm512_mask_xor_epi32(marks, four, marks, _mm512_set1_epi32(0x0000_60F0));
        let ascii = _mm512_slli_epi32::<24>(c);
        let n = 16 + two.count_ones() + three.count_ones() + four.count_ones();
        (Bytes(_mm512_mask_or_epi32(ascii, two, sixes, marks)), n as usize)
    };
}

ops! {
    pub(super) fn to_utf16(s: Avx512, code_points: Bytes, out: &mut [MaybeUninit<u8>], at: usize, ) -> Option<usize> = {
        if !are_scalar_values(code_points) {
            return None;
        }
        let pairs = _mm512_cmpge_epu32_mask(code_points.0, _mm512_set1_epi32(0x1_0000));
        let units = _mm512_mask_mov_epi32(code_points.0, pairs, in_pairs(code_points).0);
        // For code points below U+10000, the upper half is no unit.
        let lanes = _pdep_u32(u32::from(pairs), 0xAAAA_AAAA) | 0x5555_5555;
        s.store(Bytes(_mm512_maskz_compress_epi16(lanes, units)), out, at);
        Some(2 * lanes.count_ones() as usize)
    };
    pub(super) fn from_utf16(s: Avx512, units: Bytes, before: Bytes, out: &mut [MaybeUninit<u8>], at: usize) -> Option<usize> = {
        let [is_first, is_second] = surrogates(units, before)?;
        let bits = _mm512_set1_epi16(0x03FF);
        let tens = (_mm512_slli_epi16::<10>(before.0), _mm512_and_si512(units.0, bits));
        let lower = _mm512_mask_add_epi16(units.0, is_second, tens.0, tens.1);
        // D800 becomes 360h here, and the upper unit of U+10000 is 1.
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
