//! NEON, which every AArch64 CPU that runs an operating system has.

use core::arch::aarch64::*;
use core::mem::MaybeUninit;

use crate::vector::grammar::Nibbles;
use crate::vector::shuffle::{self, Row, Sixteen};
use crate::vector::{self, Streams, Vector};

#[derive(Clone, Copy)]
pub(crate) struct Bytes(uint8x16_t);

/// A mask: all bits are set in the lanes that it includes.
#[derive(Clone, Copy)]
pub(crate) struct Lanes(uint8x16_t);

witness! { Neon: "neon" }

impl Streams for Neon {}

impl Vector for Neon {
    entries! { "neon" }
    sixteen_lanes! {}

    ops! {
        fn splat(self, byte: u8) -> Bytes = Bytes(vdupq_n_u8(byte));
        fn lanes(self, bits: u64) -> Lanes = Lanes({
            let bytes = vcombine_u8(vdup_n_u8(bits as u8), vdup_n_u8((bits >> 8) as u8));
            vtstq_u8(bytes, bit_of_each())
        });
    }

    #[inline(always)]
    fn load(self, bytes: &[u8], at: usize) -> Bytes {
        let bytes = &bytes[at..at + 16];
        // SAFETY: `bytes` has sixteen bytes after the slicing above; `self` is the witness.
        Bytes(unsafe { vld1q_u8(bytes.as_ptr()) })
    }

    #[inline(always)]
    fn load_part(self, bytes: &[u8]) -> Bytes {
        if bytes.len() >= 16 {
            return self.load(bytes, 0);
        }
        of_number(self, vector::padded(bytes))
    }

    #[inline(always)]
    fn store(self, v: Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
        let out = &mut out[at..at + 16];
        // SAFETY: `out` has sixteen bytes after the slicing above; `self` is the witness.
        unsafe { vst1q_u8(out.as_mut_ptr().cast(), v.0) }
    }

    ops! {
        fn separate(self, [a, b]: [Bytes; 2]) -> [Bytes; 2] =
            [Bytes(vuzp1q_u8(a.0, b.0)), Bytes(vuzp2q_u8(a.0, b.0))];
        fn separate_pairs(self, [a, b]: [Bytes; 2]) -> [Bytes; 2] = {
            let (a, b) = (vreinterpretq_u16_u8(a.0), vreinterpretq_u16_u8(b.0));
            [Bytes(vreinterpretq_u8_u16(vuzp1q_u16(a, b))), Bytes(vreinterpretq_u8_u16(vuzp2q_u16(a, b)))]
        };
        fn interleave(self, [low, high]: [Bytes; 2]) -> [Bytes; 2] =
            [Bytes(vzip1q_u8(low.0, high.0)), Bytes(vzip2q_u8(low.0, high.0))];
    }
}

ops! {
    fn of_number(_s: Neon, number: u128) -> Bytes =
        Bytes(vcombine_u8(vcreate_u8(number as u64), vcreate_u8((number >> 64) as u64)));
}

/// For each of eight lanes, its bit.
#[inline(always)]
fn bit_of_each() -> uint8x16_t {
    const BITS: u64 = u64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]);
    // SAFETY: as in `ops!`, since only methods of the witness and of vectors call this.
    unsafe { vreinterpretq_u8_u64(vdupq_n_u64(BITS)) }
}

/// Shifts each byte by a constant number of bits.
macro_rules! shift {
    ($bytes:expr, $by:expr, $shift:ident, $wide:ident; $($n:literal)*) => {
        match $by {
            $($n => $shift::<$n>($bytes),)*
            // By eight bits: each lane of a pair moves to the place of the other.
            _ => vreinterpretq_u8_u16($wide::<8>(vreinterpretq_u16_u8($bytes))),
        }
    };
}

operators! { Bytes:
    Add add = vaddq_u8,
    BitAnd bitand = vandq_u8,
    BitOr bitor = vorrq_u8,
    BitXor bitxor = veorq_u8,
}

impl vector::Bytes for Bytes {
    type Lanes = Lanes;

    lanes! { Bytes: saturating_sub = vqsubq_u8, max = vmaxq_u8, min = vminq_u8 }

    ops! {
        fn with_high_bit_flipped(self, lanes: Lanes) -> Self = Bytes(veorq_u8(self.0, lanes.0));
        fn less(self, other: Self) -> Lanes =
            Lanes(vcltq_s8(vreinterpretq_s8_u8(self.0), vreinterpretq_s8_u8(other.0)));
        fn equal(self, other: Self) -> Lanes = Lanes(vceqq_u8(self.0, other.0));
        fn at_least(self, other: Self) -> Lanes = Lanes(vcgeq_u8(self.0, other.0));
        fn keep(self, lanes: Lanes) -> Self = Bytes(vandq_u8(self.0, lanes.0));
        fn replace(self, lanes: Lanes, other: Self) -> Self = Bytes(vbslq_u8(lanes.0, other.0, self.0));
        fn shl<const N: u32>(self) -> Self =
            Bytes(shift!(self.0, N, vshlq_n_u8, vshlq_n_u16; 1 2 3 4 5 6 7));
        fn shr<const N: u32>(self) -> Self =
            Bytes(shift!(self.0, N, vshrq_n_u8, vshrq_n_u16; 1 2 3 4 5 6 7));
        fn tally(self, lanes: Lanes) -> Self = Bytes(vsubq_u8(self.0, lanes.0));
        fn min_units(self, other: Self) -> Self =
            Bytes(
                vreinterpretq_u8_u16(vminq_u16(vreinterpretq_u16_u8(self.0), vreinterpretq_u16_u8(other.0)))
            );
        fn max_quads(self, other: Self) -> Self =
            Bytes(
                vreinterpretq_u8_u32(vmaxq_u32(vreinterpretq_u32_u8(self.0), vreinterpretq_u32_u8(other.0)))
            );
        fn pack_quads(self, other: Self) -> Self = Bytes({
            let (a, b) = (vreinterpretq_s32_u8(self.0), vreinterpretq_s32_u8(other.0));
            vreinterpretq_u8_u16(vcombine_u16(vqmovun_s32(a), vqmovun_s32(b)))
        });
        fn shorter(self, other: Self) -> Self = Bytes({
            let (a, b) = (vreinterpretq_u16_u8(self.0), vreinterpretq_u16_u8(other.0));
            let upper = vcombine_u8(vqshrn_n_u16::<7>(a), vqshrn_n_u16::<7>(b));
            let [low, high] = vector::SHORTER;
            vqtbl1q_u8(vcombine_u8(vcreate_u8(low), vcreate_u8(high)), upper)
        });
        fn upper_halves([a, b, c, d]: [Self; 4]) -> Self = Bytes({
            let ab = vuzp2q_u16(vreinterpretq_u16_u8(a.0), vreinterpretq_u16_u8(b.0));
            let cd = vuzp2q_u16(vreinterpretq_u16_u8(c.0), vreinterpretq_u16_u8(d.0));
            vcombine_u8(vqmovn_u16(ab), vqmovn_u16(cd))
        });
        fn sum_bytes(self) -> u64 = u64::from(vaddlvq_u8(self.0));
        fn lookup(self, table: Self) -> Self = Bytes(vqtbl1q_u8(table.0, self.0));
        fn delayed<const N: i32>(self) -> Self = Bytes({
            let zeros = vdupq_n_u8(0);
            match N {
                1 => vextq_u8::<15>(zeros, self.0),
                2 => vextq_u8::<14>(zeros, self.0),
                _ => vextq_u8::<13>(zeros, self.0),
            }
        });
        fn high_bits(self) -> u64 = vector::Lanes::bits(Lanes(vcltzq_s8(vreinterpretq_s8_u8(self.0))));
        fn is_zero(self) -> bool = vmaxvq_u32(vreinterpretq_u32_u8(self.0)) == 0;
    }
}

impl Sixteen for Bytes {
    #[inline(always)]
    fn pick(self, order: &Row) -> Self {
        // SAFETY: a row is sixteen bytes; as in `ops!`.
        Bytes(unsafe { vqtbl1q_u8(self.0, vld1q_u8(order.0.as_ptr())) })
    }

    ops! {
        fn with_pairs(self, second: Self) -> [Self; 2] = {
            let (a, b) = (vreinterpretq_u16_u8(self.0), vreinterpretq_u16_u8(second.0));
            [Bytes(vreinterpretq_u8_u16(vzip1q_u16(a, b))), Bytes(vreinterpretq_u8_u16(vzip2q_u16(a, b)))]
        };
    }

    #[inline(always)]
    unsafe fn put(self, to: *mut MaybeUninit<u8>) {
        // SAFETY: the caller guarantees sixteen bytes there; as in `ops!`.
        unsafe { vst1q_u8(to.cast(), self.0) }
    }

    #[inline(always)]
    unsafe fn put_halves(self, [low, high]: [*mut MaybeUninit<u8>; 2]) {
        // SAFETY: the caller guarantees eight bytes at each; as in `ops!`.
        unsafe {
            vst1_u8(low.cast(), vget_low_u8(self.0));
            vst1_u8(high.cast(), vget_high_u8(self.0));
        }
    }
}

operators! { Lanes: BitAnd bitand = vandq_u8, BitOr bitor = vorrq_u8, BitXor bitxor = veorq_u8 }

impl vector::Lanes for Lanes {
    ops! {
        /// There is no instruction for this: take each lane's bit, put the two halves side by side, and add all.
        fn bits(self) -> u64 = {
            let bits = vandq_u8(self.0, bit_of_each());
            let pairs = vzip1q_u8(bits, vextq_u8::<8>(bits, bits));
            u64::from(vaddvq_u16(vreinterpretq_u16_u8(pairs)))
        };
    }
}
