//! UTF-32 to UTF-16.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::{Target, Text, UPPER, above, any, kind, low_units, short_mixed, short_units, tile_quad};
use crate::kernel::blocks::{BLOCK, Blocks, ROOM};
use crate::vector::{Bytes, Lanes, Vector, steps};

/// The target UTF-16.
pub(crate) struct Utf16;

impl<S: Vector> Blocks<S, { 4 * BLOCK }> for Utf16 {
    const UNIT: usize = 2;
    const VECTORS: usize = 2;

    /// For code points up to U+FFFF.
    #[inline(always)]
    fn fast_vectors(s: S, text: &[u8], out: &mut [MaybeUninit<u8>]) -> bool {
        let units = low_units(s, text, 0);
        s.store(units, out, 0);
        let any = s.load(text, 0) | s.load(text, S::LANES);
        (any & tile_quad(s, above(0xFFFF))).is_zero() && kind(s, units).bits() & UPPER[0] == 0
    }

    /// For code points up to U+FFFF.
    #[inline(always)]
    fn fast_block(s: S, text: &Text, out: &mut [MaybeUninit<u8>]) -> bool {
        if !(any(s, text) & tile_quad(s, above(0xFFFF))).is_zero() {
            return false;
        }
        let mut surrogates = kind(s, low_units(s, text, 0));
        for i in 0..2 * BLOCK / S::LANES {
            let units = low_units(s, text, 2 * i * S::LANES);
            surrogates = surrogates | kind(s, units);
            s.store(units, out, i * S::LANES);
        }
        surrogates.bits() & UPPER[0] == 0
    }

    #[inline(always)]
    fn supplementary(s: S, text: &Text, out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        for at in steps(0..4 * BLOCK, S::LANES) {
            s.store(s.supplementary_to_pairs(s.load(text, at))?, out, at);
        }
        Some(4 * BLOCK)
    }

    #[inline(always)]
    fn mixed_block(s: S, text: &Text, out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        if !S::MIXES_TO_UTF16 {
            return None;
        }
        let mut n = 0;
        for at in steps(0..4 * BLOCK, S::LANES) {
            n += s.mixed_to_utf16(s.load(text, at), out, n)?;
        }
        Some(n)
    }
}

impl<S: Vector> Target<S> for Utf16 {
    const MIXES: usize = if S::MIXES_TO_UTF16 { 1 } else { 0 };

    #[inline(always)]
    fn short(s: S, rest: &[u8], out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        let mut at = 0;
        while at < rest.len().min(4 * BLOCK) {
            let units = short_units(s, rest, at)?;
            s.store(units, out, at / 2);
            at += 2 * S::LANES;
        }
        Some(rest.len() / 2)
    }

    #[inline(always)]
    fn short_mixed(s: S, rest: &[u8], out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        if !S::MIXES_TO_UTF16 {
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
            let [first, second] = s.interleave([low, high]);
            s.store(first, out, at);
            s.store(second, out, at + S::LANES);
            return 2 * ones;
        }
        let bits = (top.shl::<6>() & s.splat(0xC0)) | (high.shr::<2>() & s.splat(0x3F));
        let carry = s.splat(1).keep(bits.at_least(s.splat(0x40)));
        let first = [bits + s.splat(0xC0), (top.shr::<2>() & s.splat(0x07)) + s.splat(0xD7) + carry];
        let high = high.replace(s.lanes(four), (high & s.splat(0x03)) | s.splat(0xDC));
        s.put_sequences([first[0], first[1], low, high], [!0 >> (64 - S::LANES), four, four], out, at);
        2 * (ones + (four & keep).count_ones() as usize)
    }
}
