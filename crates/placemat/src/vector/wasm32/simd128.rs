//! WebAssembly's `simd128`. A module either has it or not, which is decided when it is compiled.
//!
//! A machine that accepts a module has all its instructions, so no witness is needed to call them.

use core::arch::wasm32::*;
use core::mem::MaybeUninit;

use crate::vector::grammar::Nibbles;
use crate::vector::shuffle::{self, Row, Sixteen};
use crate::vector::{self, Streams, Vector};

#[derive(Clone, Copy)]
pub(crate) struct Bytes(v128);

/// A mask: all bits are set in the lanes that it includes.
#[derive(Clone, Copy)]
pub(crate) struct Lanes(v128);

witness! { Simd128: "simd128" }

impl Streams for Simd128 {}

impl Vector for Simd128 {
    entries! { "simd128" }
    sixteen_lanes! {}

    #[inline(always)]
    fn splat(self, byte: u8) -> Bytes {
        Bytes(u8x16_splat(byte))
    }

    #[inline(always)]
    fn lanes(self, bits: u64) -> Lanes {
        let bytes = i8x16_shuffle::<0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1>(
            u16x8_splat(bits as u16),
            u16x8_splat(0),
        );
        let bit = u64x2_splat(u64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]));
        Lanes(u8x16_eq(v128_and(bytes, bit), bit))
    }

    #[inline(always)]
    fn load(self, bytes: &[u8], at: usize) -> Bytes {
        let bytes = &bytes[at..at + 16];
        // SAFETY: `bytes` has sixteen bytes after the slicing above; they need not be aligned.
        Bytes(unsafe { v128_load(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_part(self, bytes: &[u8]) -> Bytes {
        if bytes.len() >= 16 {
            return self.load(bytes, 0);
        }
        let number = vector::padded(bytes);
        Bytes(u64x2(number as u64, (number >> 64) as u64))
    }

    #[inline(always)]
    fn store(self, v: Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
        let out = &mut out[at..at + 16];
        // SAFETY: `out` has sixteen bytes after the slicing above; they need not be aligned.
        unsafe { v128_store(out.as_mut_ptr().cast(), v.0) }
    }

    #[inline(always)]
    fn separate(self, [a, b]: [Bytes; 2]) -> [Bytes; 2] {
        let first = i8x16_shuffle::<0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30>(a.0, b.0);
        let second = i8x16_shuffle::<1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31>(a.0, b.0);
        [Bytes(first), Bytes(second)]
    }

    #[inline(always)]
    fn separate_pairs(self, [a, b]: [Bytes; 2]) -> [Bytes; 2] {
        let first = i16x8_shuffle::<0, 2, 4, 6, 8, 10, 12, 14>(a.0, b.0);
        let second = i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(a.0, b.0);
        [Bytes(first), Bytes(second)]
    }

    #[inline(always)]
    fn interleave(self, [low, high]: [Bytes; 2]) -> [Bytes; 2] {
        let lower = i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(low.0, high.0);
        let upper =
            i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(low.0, high.0);
        [Bytes(lower), Bytes(upper)]
    }
}

operators! { Bytes:
    Add add = u8x16_add,
    BitAnd bitand = v128_and,
    BitOr bitor = v128_or,
    BitXor bitxor = v128_xor,
}

impl vector::Bytes for Bytes {
    type Lanes = Lanes;

    lanes! { Bytes: saturating_sub = u8x16_sub_sat, max = u8x16_max, min = u8x16_min }

    #[inline(always)]
    fn with_high_bit_flipped(self, lanes: Lanes) -> Self {
        Bytes(v128_xor(self.0, lanes.0))
    }

    #[inline(always)]
    fn less(self, other: Self) -> Lanes {
        Lanes(i8x16_lt(self.0, other.0))
    }

    #[inline(always)]
    fn equal(self, other: Self) -> Lanes {
        Lanes(u8x16_eq(self.0, other.0))
    }

    #[inline(always)]
    fn at_least(self, other: Self) -> Lanes {
        Lanes(u8x16_ge(self.0, other.0))
    }

    #[inline(always)]
    fn keep(self, lanes: Lanes) -> Self {
        Bytes(v128_and(self.0, lanes.0))
    }

    #[inline(always)]
    fn replace(self, lanes: Lanes, other: Self) -> Self {
        Bytes(v128_bitselect(other.0, self.0, lanes.0))
    }

    #[inline(always)]
    fn shl<const N: u32>(self) -> Self {
        Bytes(u16x8_shl(self.0, N))
    }

    #[inline(always)]
    fn shr<const N: u32>(self) -> Self {
        Bytes(u16x8_shr(self.0, N))
    }

    #[inline(always)]
    fn tally(self, lanes: Lanes) -> Self {
        Bytes(i8x16_sub(self.0, lanes.0))
    }

    #[inline(always)]
    fn min_units(self, other: Self) -> Self {
        Bytes(u16x8_min(self.0, other.0))
    }

    #[inline(always)]
    fn max_quads(self, other: Self) -> Self {
        Bytes(u32x4_max(self.0, other.0))
    }

    #[inline(always)]
    fn pack_quads(self, other: Self) -> Self {
        Bytes(u16x8_narrow_i32x4(self.0, other.0))
    }

    #[inline(always)]
    fn shorter(self, other: Self) -> Self {
        let upper = u8x16_narrow_i16x8(u16x8_shr(self.0, 7), u16x8_shr(other.0, 7));
        let [low, high] = vector::SHORTER;
        Bytes(u8x16_swizzle(u64x2(low, high), upper))
    }

    #[inline(always)]
    fn upper_halves([a, b, c, d]: [Self; 4]) -> Self {
        let ab = i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(a.0, b.0);
        let cd = i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(c.0, d.0);
        // With signed saturation, so that no large value becomes small.
        Bytes(i8x16_narrow_i16x8(ab, cd))
    }

    #[inline(always)]
    fn sum_bytes(self) -> u64 {
        let sums = u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(self.0));
        let lanes = [
            u32x4_extract_lane::<0>(sums),
            u32x4_extract_lane::<1>(sums),
            u32x4_extract_lane::<2>(sums),
            u32x4_extract_lane::<3>(sums),
        ];
        u64::from(lanes[0] + lanes[1] + lanes[2] + lanes[3])
    }

    #[inline(always)]
    fn lookup(self, table: Self) -> Self {
        Bytes(u8x16_swizzle(table.0, self.0))
    }

    #[inline(always)]
    fn delayed<const N: i32>(self) -> Self {
        let zeros = u8x16_splat(0);
        Bytes(match N {
            1 => {
                i8x16_shuffle::<15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(zeros, self.0)
            }
            2 => {
                i8x16_shuffle::<14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(zeros, self.0)
            }
            _ => {
                i8x16_shuffle::<13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28>(zeros, self.0)
            }
        })
    }

    #[inline(always)]
    fn high_bits(self) -> u64 {
        u64::from(u8x16_bitmask(self.0))
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        !v128_any_true(self.0)
    }
}

impl Sixteen for Bytes {
    #[inline(always)]
    fn pick(self, order: &Row) -> Self {
        // SAFETY: a row is sixteen bytes.
        Bytes(u8x16_swizzle(self.0, unsafe { v128_load(order.0.as_ptr().cast()) }))
    }

    #[inline(always)]
    fn with_pairs(self, second: Self) -> [Self; 2] {
        let lower = i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(self.0, second.0);
        let upper = i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(self.0, second.0);
        [Bytes(lower), Bytes(upper)]
    }

    #[inline(always)]
    unsafe fn put(self, to: *mut MaybeUninit<u8>) {
        // SAFETY: the caller guarantees sixteen bytes there; they need not be aligned.
        unsafe { v128_store(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn put_halves(self, [low, high]: [*mut MaybeUninit<u8>; 2]) {
        // SAFETY: the caller guarantees eight bytes at each; they need not be aligned.
        unsafe {
            v128_store64_lane::<0>(self.0, low.cast());
            v128_store64_lane::<1>(self.0, high.cast());
        }
    }
}

operators! { Lanes: BitAnd bitand = v128_and, BitOr bitor = v128_or, BitXor bitxor = v128_xor }

impl vector::Lanes for Lanes {
    #[inline(always)]
    fn bits(self) -> u64 {
        u64::from(u8x16_bitmask(self.0))
    }
}
