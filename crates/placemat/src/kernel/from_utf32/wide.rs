//! UTF-32 to UTF-16.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::{Target, Text, UPPER, above, any, kind, low_units, short_mixed, short_units, tile_quad};
use crate::kernel::blocks::{BLOCK, Blocks, ROOM};
use crate::kernel::from_utf16::{reversed, swapped};
use crate::vector::{Bytes, Lanes, Vector, steps};

/// The target UTF-16, in either byte order.
pub(crate) struct Utf16<const BIG: bool>;

impl<S: Vector, const BIG: bool> Blocks<S, { 4 * BLOCK }> for Utf16<BIG> {
    const UNIT: usize = 2;
    const VECTORS: usize = 2;

    /// For code points up to U+FFFF.
    #[inline(always)]
    fn fast_vectors<const BIG_SOURCE: bool>(s: S, text: &[u8], out: &mut [MaybeUninit<u8>]) -> bool {
        let units = low_units::<S, BIG_SOURCE>(s, text, 0);
        s.store(if BIG == BIG_SOURCE { units } else { swapped(units) }, out, 0);
        let any = s.load(text, 0) | s.load(text, S::LANES);
        (any & tile_quad(s, above::<BIG_SOURCE>(0xFFFF))).is_zero()
            && kind(s, units).bits() & UPPER[usize::from(BIG_SOURCE)] == 0
    }

    /// For code points up to U+FFFF.
    #[inline(always)]
    fn fast_block<const BIG_SOURCE: bool>(s: S, text: &Text, out: &mut [MaybeUninit<u8>]) -> bool {
        if !(any(s, text) & tile_quad(s, above::<BIG_SOURCE>(0xFFFF))).is_zero() {
            return false;
        }
        let mut surrogates = kind(s, low_units::<S, BIG_SOURCE>(s, text, 0));
        for i in 0..2 * BLOCK / S::LANES {
            let units = low_units::<S, BIG_SOURCE>(s, text, 2 * i * S::LANES);
            surrogates = surrogates | kind(s, units);
            s.store(if BIG == BIG_SOURCE { units } else { swapped(units) }, out, i * S::LANES);
        }
        surrogates.bits() & UPPER[usize::from(BIG_SOURCE)] == 0
    }

    #[inline(always)]
    fn supplementary<const BIG_SOURCE: bool>(
        s: S,
        text: &Text,
        out: &mut [MaybeUninit<u8>; ROOM],
    ) -> Option<usize> {
        for at in steps(0..4 * BLOCK, S::LANES) {
            let quads = s.load(text, at);
            let quads = if BIG_SOURCE { reversed(s, quads) } else { quads };
            let units = s.supplementary_to_pairs(quads)?;
            s.store(if BIG { swapped(units) } else { units }, out, at);
        }
        Some(4 * BLOCK)
    }
}

impl<S: Vector, const BIG: bool> Target<S> for Utf16<BIG> {
    const MIXES: usize = if S::MIXES_TO_UTF16 && !BIG { 1 } else { 0 };

    #[inline(always)]
    fn mixed<const BIG_SOURCE: bool>(s: S, text: &Text, out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        if !S::MIXES_TO_UTF16 || BIG || BIG_SOURCE {
            return None;
        }
        let mut n = 0;
        for at in steps(0..4 * BLOCK, S::LANES) {
            n += s.mixed_to_utf16(s.load(text, at), out, n)?;
        }
        Some(n)
    }

    #[inline(always)]
    fn short<const BIG_SOURCE: bool>(s: S, rest: &[u8], out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        let mut at = 0;
        while at < rest.len().min(4 * BLOCK) {
            let units = short_units::<S, BIG_SOURCE>(s, rest, at)?;
            s.store(if BIG == BIG_SOURCE { units } else { swapped(units) }, out, at / 2);
            at += 2 * S::LANES;
        }
        Some(rest.len() / 2)
    }

    #[inline(always)]
    fn short_mixed<const BIG_SOURCE: bool>(
        s: S,
        rest: &[u8],
        out: &mut [MaybeUninit<u8>; ROOM],
    ) -> Option<usize> {
        if !S::MIXES_TO_UTF16 || BIG || BIG_SOURCE {
            return None;
        }
        short_mixed::<S, 2>(
            s,
            rest,
            out,
            #[inline(always)]
            |quads, out, at| s.mixed_to_utf16(quads, out, at),
        )
    }

    #[inline(always)]
    fn put(
        s: S,
        [low, high, top]: [S::Bytes; 3],
        [_, _, four]: [u64; 3],
        keep: u64,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> usize {
        let ones = keep.count_ones() as usize;
        if four == 0 {
            let [first, second] = s.interleave(if BIG { [high, low] } else { [low, high] });
            s.store(first, out, at);
            s.store(second, out, at + S::LANES);
            return 2 * ones;
        }
        let bits = (top.shl::<6>() & s.splat(0xC0)) | (high.shr::<2>() & s.splat(0x3F));
        let carry = s.splat(1).keep(bits.at_least(s.splat(0x40)));
        let first = [bits + s.splat(0xC0), (top.shr::<2>() & s.splat(0x07)) + s.splat(0xD7) + carry];
        let high = high.replace(s.lanes(four), (high & s.splat(0x03)) | s.splat(0xDC));
        let quads = if BIG { [first[1], first[0], high, low] } else { [first[0], first[1], low, high] };
        s.put_sequences(quads, [!0 >> (64 - S::LANES), four, four], out, at);
        2 * (ones + (four & keep).count_ones() as usize)
    }
}
