//! UTF-16 to UTF-32.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::{
    Block, Kinds, Target, Text, UPPER, has_surrogate, kind, planes, planes_before, reversed, swapped, units,
};
use crate::kernel::blocks::{BLOCK, Blocks, ROOM, part};
use crate::vector::{Bytes, Lanes, Vector, steps};

/// The target UTF-32, in either byte order.
pub(crate) struct Utf32<const BIG: bool>;

impl<S: Vector, const BIG_TARGET: bool> Blocks<S, { 2 * BLOCK }> for Utf32<BIG_TARGET> {
    const UNIT: usize = 4;
    const VECTORS: usize = 1;

    #[inline(always)]
    fn fast_vectors<const BIG: bool>(s: S, text: &[u8], out: &mut [MaybeUninit<u8>]) -> bool {
        let units = s.load(text, 0);
        Self::put_units::<S, BIG>(s, units, out, 0);
        kind(s, units).bits() & UPPER[usize::from(BIG)] == 0
    }

    #[inline(always)]
    fn fast_block<const BIG: bool>(s: S, text: &Block, out: &mut [MaybeUninit<u8>]) -> bool {
        if has_surrogate::<S, BIG>(s, text) {
            return false;
        }
        for i in 0..2 * BLOCK / S::LANES {
            Self::put_units::<S, BIG>(s, units(s, text, i), out, i * S::LANES);
        }
        true
    }

    #[inline(always)]
    fn supplementary<const BIG: bool>(
        s: S,
        text: &Block,
        out: &mut [MaybeUninit<u8>; ROOM],
    ) -> Option<usize> {
        for at in steps(0..2 * BLOCK, S::LANES) {
            let units = s.load(text, at);
            let units = if BIG { swapped(units) } else { units };
            let code_points = s.pairs_to_code_points(units)?;
            s.store(if BIG_TARGET { reversed(s, code_points) } else { code_points }, out, at);
        }
        Some(2 * BLOCK)
    }
}

impl<const BIG_TARGET: bool> Utf32<BIG_TARGET> {
    /// Writes a vector of units that are no surrogates. `at` is the index of its first byte in the source.
    #[inline(always)]
    fn put_units<S: Vector, const BIG: bool>(s: S, units: S::Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
        let units = if BIG == BIG_TARGET { units } else { swapped(units) };
        let [first, second] =
            if BIG_TARGET { s.interleave_pairs([s.splat(0), units]) } else { s.widen(units) };
        s.store(first, out, 2 * at);
        s.store(second, out, 2 * at + S::LANES);
    }
}

impl<S: Vector, const BIG_TARGET: bool> Target<S> for Utf32<BIG_TARGET> {
    const HALF: usize = 0;
    const MIXES: bool = S::MIXES_UTF16 && !BIG_TARGET;

    #[inline(always)]
    fn short<const BIG: bool>(s: S, rest: &[u8], out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        let mut at = 0;
        while at < rest.len().min(2 * BLOCK) {
            let units = part(s, rest, at);
            if kind(s, units).bits() & UPPER[usize::from(BIG)] != 0 {
                return None;
            }
            Self::put_units::<S, BIG>(s, units, out, at);
            at += S::LANES;
        }
        Some(2 * rest.len())
    }

    /// For units that are no surrogates.
    #[inline(always)]
    fn plain<const BIG: bool>(s: S, units: S::Bytes, out: &mut [MaybeUninit<u8>], at: usize) -> bool {
        Self::put_units::<S, BIG>(s, units, out, at / 2);
        kind(s, units).bits() & UPPER[usize::from(BIG)] == 0
    }

    #[inline(always)]
    fn mixed(
        s: S,
        units: S::Bytes,
        before: S::Bytes,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> Option<usize> {
        if BIG_TARGET { None } else { s.mixed_to_utf32(units, before, out, at) }
    }

    #[inline(always)]
    fn put<const BIG: bool>(
        s: S,
        text: &Text,
        units: usize,
        kinds: Kinds,
        bad: u64,
        keep: u64,
        out: &mut [MaybeUninit<u8>; ROOM],
    ) -> usize {
        let zero = s.splat(0);
        let lanes = !kinds.high & keep | bad;
        let mut written = 0;
        for lane in steps(0..units, S::LANES) {
            let [mut lower, mut upper] = planes::<S, BIG>(s, text, lane);
            let lanes = lanes >> lane & (!0 >> (64 - S::LANES));
            let order = |[lower, upper]: [S::Bytes; 2], top: Option<S::Bytes>| {
                let top = top.map(|top| if BIG_TARGET { [zero, top] } else { [top, zero] });
                let low = Some(if BIG_TARGET { [upper, lower] } else { [lower, upper] });
                if BIG_TARGET { [top, low] } else { [low, top] }
            };
            if kinds.high | kinds.low == 0 {
                written += 4 * s.put_quads(order([lower, upper], None), lanes, out, written);
                continue;
            }
            let [lower_before, upper_before] = planes_before::<S, BIG>(s, text, lane);
            let low = s.lanes((kinds.low & !bad) >> lane);
            let bits = (upper & s.splat(0x03)) | (lower_before.shl::<2>() & s.splat(0xFC));
            let top = (upper_before.shl::<2>() & s.splat(0x0C)) | (lower_before.shr::<6>() & s.splat(0x03));
            let bad = s.lanes(bad >> lane);
            upper = upper.replace(low, bits).replace(bad, s.splat(0xFF));
            lower = lower.replace(bad, s.splat(0xFD));
            let top = (top + s.splat(1)).keep(low);
            written += 4 * s.put_quads(order([lower, upper], Some(top)), lanes, out, written);
        }
        written
    }
}
