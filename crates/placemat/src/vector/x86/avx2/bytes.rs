//! Vectors of thirty-two bytes, and masks of their lanes.

use core::arch::x86_64::*;

use crate::vector;
use crate::vector::x86::opaque;

#[derive(Clone, Copy)]
pub(crate) struct Bytes(pub(in crate::vector::x86) __m256i);

/// A mask: all bits are set in the lanes that it includes.
#[derive(Clone, Copy)]
pub(crate) struct Lanes(pub(super) __m256i);

operators! { Bytes:
    Add add = _mm256_add_epi8,
    BitAnd bitand = _mm256_and_si256,
    BitOr bitor = _mm256_or_si256,
    BitXor bitxor = _mm256_xor_si256,
}

impl vector::Bytes for Bytes {
    type Lanes = Lanes;

    lanes! { Bytes: saturating_sub = _mm256_subs_epu8, max = _mm256_max_epu8, min = _mm256_min_epu8, min_units = _mm256_min_epu16, max_quads = _mm256_max_epu32, pack_quads = _mm256_packus_epi32 }

    ops! {
        fn with_high_bit_flipped(self, lanes: Lanes) -> Self = Bytes(_mm256_xor_si256(self.0, lanes.0));
        fn less(self, other: Self) -> Lanes = Lanes(_mm256_cmpgt_epi8(other.0, self.0));
        fn equal(self, other: Self) -> Lanes = Lanes(_mm256_cmpeq_epi8(self.0, other.0));
        fn at_least(self, other: Self) -> Lanes =
            Lanes(_mm256_cmpeq_epi8(_mm256_max_epu8(self.0, other.0), self.0));
        fn keep(self, lanes: Lanes) -> Self = Bytes(_mm256_and_si256(self.0, lanes.0));
        fn replace(self, lanes: Lanes, other: Self) -> Self =
            Bytes(_mm256_blendv_epi8(self.0, other.0, lanes.0));
        // An immediate shift, where one is used in this crate: less code to compile.
        fn shl<const N: u32>(self) -> Self = Bytes(match N {
            2 => _mm256_slli_epi16::<2>(self.0),
            4 => _mm256_slli_epi16::<4>(self.0),
            6 => _mm256_slli_epi16::<6>(self.0),
            8 => _mm256_slli_epi16::<8>(self.0),
            _ => _mm256_sll_epi16(self.0, _mm_cvtsi32_si128(N as i32)),
        });
        fn shr<const N: u32>(self) -> Self = Bytes(match N {
            2 => _mm256_srli_epi16::<2>(self.0),
            4 => _mm256_srli_epi16::<4>(self.0),
            6 => _mm256_srli_epi16::<6>(self.0),
            8 => _mm256_srli_epi16::<8>(self.0),
            _ => _mm256_srl_epi16(self.0, _mm_cvtsi32_si128(N as i32)),
        });
        fn tally(self, lanes: Lanes) -> Self = Bytes(_mm256_sub_epi8(self.0, lanes.0));
        fn shorter(self, other: Self) -> Self = Bytes({
            let upper = _mm256_packus_epi16(_mm256_srli_epi16::<7>(self.0), _mm256_srli_epi16::<7>(other.0));
            let [low, high] = vector::SHORTER.map(|half| half as i64);
            // Numbers from 16 on become an index that gives zero.
            let table = _mm256_set_epi64x(high, low, high, low);
            _mm256_shuffle_epi8(table, _mm256_adds_epu8(upper, _mm256_set1_epi8(0x70)))
        });
    }

    ops! {
        // With signed saturation, so that no large value becomes small.
        fn upper_halves([a, b, c, d]: [Self; 4]) -> Self = Bytes({
            let ab = _mm256_blend_epi16::<0xAA>(_mm256_srli_epi32::<16>(a.0), b.0);
            _mm256_packs_epi16(ab, _mm256_blend_epi16::<0xAA>(_mm256_srli_epi32::<16>(c.0), d.0))
        });
        fn sum_bytes(self) -> u64 = {
            let sums = _mm256_sad_epu8(self.0, _mm256_setzero_si256());
            let sums = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
            _mm_cvtsi128_si64(_mm_add_epi64(sums, _mm_unpackhi_epi64(sums, sums))) as u64
        };
    }

    ops! {
        fn lookup(self, table: Self) -> Self = Bytes(_mm256_shuffle_epi8(table.0, self.0));
        // Each half is joined with the half below it (or zeros), and both are shifted.
        fn delayed<const N: i32>(self) -> Self = Bytes({
            let below = _mm256_permute2x128_si256::<0x08>(self.0, self.0);
            match N {
                1 => _mm256_alignr_epi8::<15>(self.0, below),
                2 => _mm256_alignr_epi8::<14>(self.0, below),
                _ => _mm256_alignr_epi8::<13>(self.0, below),
            }
        });
        fn high_bits(self) -> u64 = u64::from(_mm256_movemask_epi8(self.0) as u32);
        fn is_zero(self) -> bool = _mm256_testz_si256(self.0, self.0) != 0;
    }
}

operators! { Lanes: BitAnd bitand = _mm256_and_si256, BitOr bitor = _mm256_or_si256, BitXor bitxor = _mm256_xor_si256 }

impl vector::Lanes for Lanes {
    ops! {
        fn bits(self) -> u64 = u64::from(opaque(_mm256_movemask_epi8(self.0) as u32));
    }
}
