//! AVX2: Intel since Haswell (2013), AMD since Excavator and Zen.

use core::arch::x86_64::*;

use super::sse42;
use crate::kernel::utf8::Nibbles;
use crate::kernel::{Kernels, Level, ascii, validate};
use crate::simd::{self, Simd};

/// The witness.
#[derive(Clone, Copy)]
pub(super) struct Avx2(pub(super) ());

#[derive(Clone, Copy)]
pub(crate) struct Bytes(__m256i);

pub(crate) const TABLE: Kernels = Kernels { level: Level::Avx2, ascii, utf8_valid, ..sse42::TABLE };

kernels! { Avx2 "avx2,bmi1,bmi2,lzcnt,popcnt" }

impl Simd for Avx2 {
    const LANES: usize = 32;
    type Bytes = Bytes;
    type Grammar = Nibbles<Self>;

    #[inline(always)]
    fn splat(self, byte: u8) -> Bytes {
        // SAFETY: `self` is the witness.
        Bytes(unsafe { _mm256_set1_epi8(byte as i8) })
    }

    #[inline(always)]
    fn tile(self, sixteen: &[u8; 16]) -> Bytes {
        // SAFETY: `sixteen` is sixteen bytes; `self` is the witness.
        Bytes(unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(sixteen.as_ptr().cast())) })
    }

    #[inline(always)]
    fn load(self, bytes: &[u8], at: usize) -> Bytes {
        let bytes = &bytes[at..at + 32];
        // SAFETY: thirty-two bytes are here, as the line above saw; `self` is the witness.
        Bytes(unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_part(self, bytes: &[u8]) -> Bytes {
        let (low, high) = bytes.split_at(bytes.len().min(16));
        let (low, high) = (simd::padded(low), simd::padded(high));
        // SAFETY: `self` is the witness.
        Bytes(unsafe { _mm256_set_epi64x((high >> 64) as i64, high as i64, (low >> 64) as i64, low as i64) })
    }
}

operators! { Bytes: BitAnd bitand = _mm256_and_si256, BitOr bitor = _mm256_or_si256, BitXor bitxor = _mm256_xor_si256 }

impl simd::Bytes for Bytes {
    lanes! { Bytes: saturating_sub = _mm256_subs_epu8 }

    #[inline(always)]
    fn high_nibbles(self) -> Self {
        // SAFETY: as in `lanes!`.
        Bytes(unsafe { _mm256_and_si256(_mm256_srli_epi16::<4>(self.0), _mm256_set1_epi8(15)) })
    }

    #[inline(always)]
    fn lookup(self, table: Self) -> Self {
        // SAFETY: as in `lanes!`.
        Bytes(unsafe { _mm256_shuffle_epi8(table.0, self.0) })
    }

    #[inline(always)]
    fn delayed<const N: i32>(self) -> Self {
        // SAFETY: as in `lanes!`. Each half is moved with the half below it, or zeros, under it.
        Bytes(unsafe {
            let below = _mm256_permute2x128_si256::<0x08>(self.0, self.0);
            match N {
                1 => _mm256_alignr_epi8::<15>(self.0, below),
                2 => _mm256_alignr_epi8::<14>(self.0, below),
                _ => _mm256_alignr_epi8::<13>(self.0, below),
            }
        })
    }

    #[inline(always)]
    fn high_bits(self) -> u64 {
        // SAFETY: as in `lanes!`.
        u64::from(unsafe { _mm256_movemask_epi8(self.0) } as u32)
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        // SAFETY: as in `lanes!`.
        unsafe { _mm256_testz_si256(self.0, self.0) != 0 }
    }
}
