//! Vectors of sixty-four bytes, and masks of their lanes.

use core::arch::x86_64::*;

use crate::vector;

#[derive(Clone, Copy)]
pub(crate) struct Bytes(pub(super) __m512i);

/// A mask: a bit is set for each lane that it includes.
#[derive(Clone, Copy)]
pub(crate) struct Lanes(pub(super) u64);

operators! { Bytes:
    Add add = _mm512_add_epi8,
    BitAnd bitand = _mm512_and_si512,
    BitOr bitor = _mm512_or_si512,
    BitXor bitxor = _mm512_xor_si512,
}

impl vector::Bytes for Bytes {
    type Lanes = Lanes;

    lanes! { Bytes: saturating_sub = _mm512_subs_epu8, max = _mm512_max_epu8, min = _mm512_min_epu8, min_units = _mm512_min_epu16, max_quads = _mm512_max_epu32, pack_quads = _mm512_packus_epi32 }

    ops! {
        fn with_high_bit_flipped(self, lanes: Lanes) -> Self =
            Bytes(_mm512_mask_add_epi8(self.0, lanes.0, self.0, _mm512_set1_epi8(i8::MIN)));
        fn less(self, other: Self) -> Lanes = Lanes(_mm512_cmplt_epi8_mask(self.0, other.0));
        fn equal(self, other: Self) -> Lanes = Lanes(_mm512_cmpeq_epi8_mask(self.0, other.0));
        fn at_least(self, other: Self) -> Lanes = Lanes(_mm512_cmpge_epu8_mask(self.0, other.0));
        fn keep(self, lanes: Lanes) -> Self = Bytes(_mm512_maskz_mov_epi8(lanes.0, self.0));
        fn replace(self, lanes: Lanes, other: Self) -> Self =
            Bytes(_mm512_mask_mov_epi8(self.0, lanes.0, other.0));
        fn shl<const N: u32>(self) -> Self = Bytes(_mm512_slli_epi16::<N>(self.0));
        fn shr<const N: u32>(self) -> Self = Bytes(_mm512_srli_epi16::<N>(self.0));
        fn tally(self, lanes: Lanes) -> Self =
            Bytes(_mm512_mask_add_epi8(self.0, lanes.0, self.0, _mm512_set1_epi8(1)));
        fn upper_bits(self, other: Self) -> Self =
            Bytes(_mm512_packus_epi16(_mm512_srli_epi16::<7>(self.0), _mm512_srli_epi16::<7>(other.0)));
        fn shorter(self, other: Self) -> Self = Bytes({
            let upper = self.upper_bits(other).0;
            let [low, high] = vector::SHORTER.map(|half| half as i64);
            let table = _mm512_broadcast_i32x4(_mm_set_epi64x(high, low));
            // Numbers from 16 on become an index that gives zero.
            _mm512_shuffle_epi8(table, _mm512_adds_epu8(upper, _mm512_set1_epi8(0x70)))
        });
        fn sum_bytes(self) -> u64 =
            _mm512_reduce_add_epi64(_mm512_sad_epu8(self.0, _mm512_setzero_si512())) as u64;
        fn or_all(self) -> u8 = {
            let half = _mm256_or_si256(_mm512_castsi512_si256(self.0), _mm512_extracti64x4_epi64::<1>(self.0));
            let quarter = _mm_or_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256::<1>(half));
            let mut or = _mm_cvtsi128_si64(quarter) as u64 | _mm_extract_epi64::<1>(quarter) as u64;
            or |= or >> 32;
            or |= or >> 16;
            (or | or >> 8) as u8
        };
        fn lookup(self, table: Self) -> Self = Bytes(_mm512_shuffle_epi8(table.0, self.0));
        // Each quarter is joined with the quarter below it (or zeros), and both are shifted.
        fn delayed<const N: i32>(self) -> Self = Bytes({
            let below = _mm512_alignr_epi64::<6>(self.0, _mm512_setzero_si512());
            match N {
                1 => _mm512_alignr_epi8::<15>(self.0, below),
                2 => _mm512_alignr_epi8::<14>(self.0, below),
                _ => _mm512_alignr_epi8::<13>(self.0, below),
            }
        });
        fn high_bits(self) -> u64 = _mm512_movepi8_mask(self.0);
        fn are_units_from(self, limit: Self) -> bool = _mm512_cmplt_epu16_mask(self.0, limit.0) == 0;
        fn is_zero(self) -> bool = _mm512_test_epi8_mask(self.0, self.0) == 0;
    }
}

impl core::ops::BitAnd for Lanes {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Lanes(self.0 & other.0)
    }
}

impl core::ops::BitXor for Lanes {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Lanes(self.0 ^ other.0)
    }
}

impl core::ops::BitOr for Lanes {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Lanes(self.0 | other.0)
    }
}

impl vector::Lanes for Lanes {
    #[inline(always)]
    fn bits(self) -> u64 {
        self.0
    }
}
