//! SSE4.2 (and SSSE3's byte shuffle): any x86-64 since 2008.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::{Unaligned, opaque};
use crate::vector::grammar::Nibbles;
use crate::vector::shuffle::{self, Row, Sixteen};
use crate::vector::{self, Streams, Vector};

#[derive(Clone, Copy)]
pub(crate) struct Bytes(pub(super) __m128i);

/// A mask: all bits are set in the lanes that it includes.
#[derive(Clone, Copy)]
pub(crate) struct Lanes(__m128i);

witness! { Sse42: "sse4.2,popcnt" }

impl Streams for Sse42 {}

impl Vector for Sse42 {
    entries! { "sse4.2,popcnt" }
    sixteen_lanes! {}

    const WAYS: bool = false;

    ops! {
        fn splat(self, byte: u8) -> Bytes = Bytes(_mm_set1_epi8(byte as i8));
        fn lanes(self, bits: u64) -> Lanes = Lanes({
            let bytes =
                _mm_shuffle_epi8(_mm_cvtsi32_si128(bits as i32), _mm_set_epi64x(0x0101_0101_0101_0101, 0));
            let bit = _mm_set1_epi64x(BIT_OF_EACH);
            _mm_cmpeq_epi8(_mm_and_si128(bytes, bit), bit)
        });
    }

    #[inline(always)]
    fn load(self, bytes: &[u8], at: usize) -> Bytes {
        let bytes = &bytes[at..at + 16];
        // SAFETY: `bytes` has sixteen bytes after the slicing above; `self` is the witness.
        Bytes(unsafe { (*bytes.as_ptr().cast::<Unaligned<__m128i>>()).0 })
    }

    #[inline(always)]
    fn store(self, v: Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
        let out = &mut out[at..at + 16];
        // SAFETY: `out` has sixteen bytes after the slicing above; `self` is the witness.
        unsafe { (*out.as_mut_ptr().cast::<Unaligned<__m128i>>()).0 = v.0 }
    }

    ops! {
        fn separate(self, [a, b]: [Bytes; 2]) -> [Bytes; 2] = {
            let low = _mm_set1_epi16(0xFF);
            [
                Bytes(_mm_packus_epi16(_mm_and_si128(a.0, low), _mm_and_si128(b.0, low))),
                Bytes(_mm_packus_epi16(_mm_srli_epi16::<8>(a.0), _mm_srli_epi16::<8>(b.0))),
            ]
        };
        fn separate_pairs(self, [a, b]: [Bytes; 2]) -> [Bytes; 2] = {
            let low = _mm_set1_epi32(0xFFFF);
            [
                Bytes(_mm_packus_epi32(_mm_and_si128(a.0, low), _mm_and_si128(b.0, low))),
                Bytes(_mm_packus_epi32(_mm_srli_epi32::<16>(a.0), _mm_srli_epi32::<16>(b.0))),
            ]
        };
        fn narrow(self, [a, b]: [Bytes; 2]) -> Bytes = Bytes(_mm_packus_epi32(a.0, b.0));
        fn narrow_units(self, [a, b]: [Bytes; 2]) -> Bytes = Bytes(_mm_packus_epi16(a.0, b.0));
    }

    #[inline(always)]
    fn put_short(self, [a, b]: [Bytes; 2], out: &mut [MaybeUninit<u8>], at: usize) -> usize {
        let ([a, long_a], [b, long_b]) = (in_two(a), in_two(b));
        let two = vector::Bytes::high_bits(self.pack_masks(long_a, long_b));
        shuffle::put_one_or_two([a, b], two, out, at);
        Self::LANES + two.count_ones() as usize
    }

    #[inline(always)]
    fn put_basic(self, units: [Bytes; 2], out: &mut [MaybeUninit<u8>], at: usize) -> usize {
        let mut n = 0;
        for i in 0..2 {
            // If one of the two vectors is ASCII, it is worth a branch.
            if self.is_ascii(units[i]) {
                self.store(self.narrow_units([units[i]; 2]), out, at + n);
                n += 8;
                continue;
            }
            let (quads, longer) = in_four(units[i]);
            n += shuffle::put_basic(quads, longer, out, at + n);
        }
        n
    }

    ops! {
        fn interleave(self, [low, high]: [Bytes; 2]) -> [Bytes; 2] =
            [Bytes(_mm_unpacklo_epi8(low.0, high.0)), Bytes(_mm_unpackhi_epi8(low.0, high.0))];
    }

    #[inline(always)]
    fn load_part(self, bytes: &[u8]) -> Bytes {
        if bytes.len() >= 16 {
            return self.load(bytes, 0);
        }
        self.number(vector::padded(bytes))
    }
}

impl Sse42 {
    ops! {
        fn number(self, number: u128) -> Bytes =
            Bytes(_mm_set_epi64x((number >> 64) as i64, number as i64));
        /// Converts masks of two lanes each to masks of one lane.
        fn pack_masks(self, a: Bytes, b: Bytes) -> Bytes = Bytes(_mm_packs_epi16(a.0, b.0));
        fn is_ascii(self, units: Bytes) -> bool = _mm_testz_si128(units.0, _mm_set1_epi16(!0x7F)) != 0;
    }
}

/// For each of eight lanes, its bit.
pub(super) const BIT_OF_EACH: i64 = i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]);

ops! {
    /// Numbers below 800h as two bytes of UTF-8 each, of which ASCII needs only the second; and a mask of those that need both.
    fn in_two(units: Bytes) -> [Bytes; 2] = {
        let long = _mm_cmpgt_epi16(units.0, _mm_set1_epi16(0x7F));
        let last = _mm_slli_epi16::<8>(units.0);
        let bits = _mm_or_si128(_mm_and_si128(last, _mm_set1_epi16(0x3F00)), _mm_srli_epi16::<6>(units.0));
        let both = _mm_or_si128(bits, _mm_set1_epi16(0x80C0_u16 as i16));
        [Bytes(_mm_blendv_epi8(last, both, long)), Bytes(long)]
    };
    /// Numbers that are no surrogates as four bytes each, from which one to three are selected ([`shuffle::put_basic`]): the
    /// lower and the upper half. Also two bits for each number; as many are set as it has bytes in UTF-8 beyond the first.
    fn in_four(units: Bytes) -> ([Bytes; 2], u64) = {
        // The highest bit of the lower byte: 80 or more. That of the upper byte: 800 or more.
        let two = _mm_min_epu16(units.0, _mm_set1_epi16(0x80));
        let three = _mm_adds_epu16(units.0, _mm_set1_epi16(0x7800));
        let longer = _mm_or_si128(two, _mm_and_si128(three, _mm_set1_epi16(0xFF00_u16 as i16)));
        let twice =
            _mm_shuffle_epi8(units.0, _mm_setr_epi8(0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14));
        let ends = _mm_and_si128(twice, _mm_set1_epi16(0x3F7F));
        let ends = _mm_or_si128(ends, _mm_set1_epi16(0x8000_u16 as i16));
        let upper = _mm_and_si128(_mm_srli_epi16::<4>(units.0), _mm_set1_epi16(0x0FFC));
        let upper = _mm_maddubs_epi16(upper, _mm_set1_epi16(0x0140));
        let upper = _mm_or_si128(upper, _mm_set1_epi16(0xC0E0_u16 as i16));
        // The byte before the last one has the mark C0, or 80 if another byte precedes it.
        let less = _mm_and_si128(_mm_srli_epi16::<1>(three), _mm_set1_epi16(0x4000));
        let starts = _mm_xor_si128(upper, less);
        let halves = [Bytes(_mm_unpacklo_epi16(ends, starts)), Bytes(_mm_unpackhi_epi16(ends, starts))];
        (halves, vector::Bytes::high_bits(Bytes(longer)))
    };
}

operators! { Bytes:
    Add add = _mm_add_epi8,
    BitAnd bitand = _mm_and_si128,
    BitOr bitor = _mm_or_si128,
    BitXor bitxor = _mm_xor_si128,
}

impl vector::Bytes for Bytes {
    type Lanes = Lanes;

    lanes! { Bytes: saturating_sub = _mm_subs_epu8, max = _mm_max_epu8, min = _mm_min_epu8, min_units = _mm_min_epu16, max_quads = _mm_max_epu32, pack_quads = _mm_packus_epi32 }

    ops! {
        fn with_high_bit_flipped(self, lanes: Lanes) -> Self = Bytes(_mm_xor_si128(self.0, lanes.0));
        fn less(self, other: Self) -> Lanes = Lanes(_mm_cmpgt_epi8(other.0, self.0));
        fn equal(self, other: Self) -> Lanes = Lanes(_mm_cmpeq_epi8(self.0, other.0));
        fn at_least(self, other: Self) -> Lanes =
            Lanes(_mm_cmpeq_epi8(_mm_max_epu8(self.0, other.0), self.0));
        fn keep(self, lanes: Lanes) -> Self = Bytes(_mm_and_si128(self.0, lanes.0));
        fn replace(self, lanes: Lanes, other: Self) -> Self =
            Bytes(_mm_blendv_epi8(self.0, other.0, lanes.0));
        // An immediate shift, where one is used in this crate: less code to compile.
        fn shl<const N: u32>(self) -> Self = Bytes(match N {
            2 => _mm_slli_epi16::<2>(self.0),
            4 => _mm_slli_epi16::<4>(self.0),
            6 => _mm_slli_epi16::<6>(self.0),
            8 => _mm_slli_epi16::<8>(self.0),
            _ => _mm_sll_epi16(self.0, _mm_cvtsi32_si128(N as i32)),
        });
        fn shr<const N: u32>(self) -> Self = Bytes(match N {
            2 => _mm_srli_epi16::<2>(self.0),
            4 => _mm_srli_epi16::<4>(self.0),
            6 => _mm_srli_epi16::<6>(self.0),
            8 => _mm_srli_epi16::<8>(self.0),
            _ => _mm_srl_epi16(self.0, _mm_cvtsi32_si128(N as i32)),
        });
        fn tally(self, lanes: Lanes) -> Self = Bytes(_mm_sub_epi8(self.0, lanes.0));
        fn shorter(self, other: Self) -> Self = Bytes({
            let upper = _mm_packus_epi16(_mm_srli_epi16::<7>(self.0), _mm_srli_epi16::<7>(other.0));
            let [low, high] = vector::SHORTER.map(|half| half as i64);
            // Numbers from 16 on become an index that gives zero.
            _mm_shuffle_epi8(_mm_set_epi64x(high, low), _mm_adds_epu8(upper, _mm_set1_epi8(0x70)))
        });
        fn upper_halves([a, b, c, d]: [Self; 4]) -> Self = Bytes({
            let ab = _mm_blend_epi16::<0xAA>(_mm_srli_epi32::<16>(a.0), b.0);
            _mm_packs_epi16(ab, _mm_blend_epi16::<0xAA>(_mm_srli_epi32::<16>(c.0), d.0))
        });
        fn sum_bytes(self) -> u64 = {
            let halves = _mm_sad_epu8(self.0, _mm_setzero_si128());
            (_mm_extract_epi64::<0>(halves) + _mm_extract_epi64::<1>(halves)) as u64
        };
        fn lookup(self, table: Self) -> Self = Bytes(_mm_shuffle_epi8(table.0, self.0));
        fn delayed<const N: i32>(self) -> Self = Bytes(_mm_slli_si128::<N>(self.0));
        fn high_bits(self) -> u64 = u64::from(_mm_movemask_epi8(self.0) as u32);
        fn is_zero(self) -> bool = _mm_testz_si128(self.0, self.0) != 0;
    }
}

impl Sixteen for Bytes {
    #[inline(always)]
    fn pick(self, order: &Row) -> Self {
        // SAFETY: a row is sixteen aligned bytes; as in `ops!`.
        Bytes(unsafe { _mm_shuffle_epi8(self.0, _mm_load_si128(order.0.as_ptr().cast())) })
    }

    ops! {
        fn with_pairs(self, second: Self) -> [Self; 2] =
            [Bytes(_mm_unpacklo_epi16(self.0, second.0)), Bytes(_mm_unpackhi_epi16(self.0, second.0))];
    }

    #[inline(always)]
    unsafe fn put(self, to: *mut MaybeUninit<u8>) {
        // SAFETY: the caller guarantees sixteen bytes there; as in `ops!`.
        unsafe { _mm_storeu_si128(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn put_halves(self, [low, high]: [*mut MaybeUninit<u8>; 2]) {
        // SAFETY: the caller guarantees eight bytes at each; as in `ops!`.
        unsafe {
            _mm_storel_epi64(low.cast(), self.0);
            // Not `_mm_storeh_pd`: it stores an `f64`, which must be aligned.
            _mm_storel_epi64(high.cast(), _mm_unpackhi_epi64(self.0, self.0));
        }
    }
}

operators! { Lanes: BitAnd bitand = _mm_and_si128, BitOr bitor = _mm_or_si128, BitXor bitxor = _mm_xor_si128 }

impl vector::Lanes for Lanes {
    ops! {
        fn bits(self) -> u64 = u64::from(opaque(_mm_movemask_epi8(self.0) as u32));
    }
}
