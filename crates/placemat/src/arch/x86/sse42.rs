//! SSE4.2 (and SSSE3's byte shuffle): any x86-64 since 2008.

use core::arch::x86_64::*;

use crate::kernel::utf8::Nibbles;
use crate::kernel::{Kernels, Level, ascii, validate, word};
use crate::simd::{self, Simd};

/// The witness.
#[derive(Clone, Copy)]
pub(super) struct Sse42(pub(super) ());

#[derive(Clone, Copy)]
pub(crate) struct Bytes(__m128i);

pub(crate) const TABLE: Kernels = Kernels { level: Level::Sse42, ascii, utf8_valid, ..word::TABLE };

kernels! { Sse42 "sse4.2,popcnt" }

impl Simd for Sse42 {
    const LANES: usize = 16;
    type Bytes = Bytes;
    type Grammar = Nibbles<Self>;

    #[inline(always)]
    fn splat(self, byte: u8) -> Bytes {
        // SAFETY: `self` is the witness.
        Bytes(unsafe { _mm_set1_epi8(byte as i8) })
    }

    #[inline(always)]
    fn tile(self, sixteen: &[u8; 16]) -> Bytes {
        self.load(sixteen, 0)
    }

    #[inline(always)]
    fn load(self, bytes: &[u8], at: usize) -> Bytes {
        let bytes = &bytes[at..at + 16];
        // SAFETY: sixteen bytes are here, as the line above saw; `self` is the witness.
        Bytes(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_part(self, bytes: &[u8]) -> Bytes {
        let number = simd::padded(bytes);
        // SAFETY: `self` is the witness.
        Bytes(unsafe { _mm_set_epi64x((number >> 64) as i64, number as i64) })
    }
}

operators! { Bytes: BitAnd bitand = _mm_and_si128, BitOr bitor = _mm_or_si128, BitXor bitxor = _mm_xor_si128 }

impl simd::Bytes for Bytes {
    lanes! { Bytes: saturating_sub = _mm_subs_epu8 }

    #[inline(always)]
    fn high_nibbles(self) -> Self {
        // SAFETY: as in `lanes!`.
        Bytes(unsafe { _mm_and_si128(_mm_srli_epi16::<4>(self.0), _mm_set1_epi8(15)) })
    }

    #[inline(always)]
    fn lookup(self, table: Self) -> Self {
        // SAFETY: as in `lanes!`.
        Bytes(unsafe { _mm_shuffle_epi8(table.0, self.0) })
    }

    #[inline(always)]
    fn delayed<const N: i32>(self) -> Self {
        // SAFETY: as in `lanes!`.
        Bytes(unsafe { _mm_slli_si128::<N>(self.0) })
    }

    #[inline(always)]
    fn high_bits(self) -> u64 {
        // SAFETY: as in `lanes!`.
        u64::from(unsafe { _mm_movemask_epi8(self.0) } as u32)
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        // SAFETY: as in `lanes!`.
        unsafe { _mm_testz_si128(self.0, self.0) != 0 }
    }
}
