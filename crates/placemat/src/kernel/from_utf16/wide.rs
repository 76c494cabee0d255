//! UTF-16 to UTF-32.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::{Block, Kinds, Target, Text, UPPER, has_surrogate, kind, planes, planes_before, units};
use crate::kernel::Progress;
use crate::kernel::blocks::{BLOCK, Blocks, ROOM, part};
use crate::vector::{Bytes, Lanes, Vector, steps};

/// The target UTF-32.
pub(crate) struct Utf32;

impl<S: Vector> Blocks<S, { 2 * BLOCK }> for Utf32 {
    const UNIT: usize = 4;
    const VECTORS: usize = 1;

    #[inline(always)]
    fn fast_vectors(s: S, text: &[u8], out: &mut [MaybeUninit<u8>]) -> bool {
        let units = s.load(text, 0);
        put_units(s, units, out, 0);
        kind(s, units).bits() & UPPER[0] == 0
    }

    #[inline(always)]
    fn fast_block(s: S, text: &Block, out: &mut [MaybeUninit<u8>]) -> bool {
        if has_surrogate(s, text) {
            return false;
        }
        for i in 0..2 * BLOCK / S::LANES {
            put_units(s, units(s, text, i), out, i * S::LANES);
        }
        true
    }

    #[inline(always)]
    fn supplementary(s: S, text: &Block, out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        for at in steps(0..2 * BLOCK, S::LANES) {
            s.store(s.pairs_to_code_points(s.load(text, at))?, out, at);
        }
        Some(2 * BLOCK)
    }
}

/// Writes a vector of units that are no surrogates. `at` is the index of its first byte in the source.
#[inline(always)]
fn put_units<S: Vector>(s: S, units: S::Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
    let [first, second] = s.widen(units);
    s.store(first, out, 2 * at);
    s.store(second, out, 2 * at + S::LANES);
}

impl<S: Vector> Target<S> for Utf32 {
    const HALF: usize = 0;
    const MIXES: bool = S::MIXES_UTF16;

    #[inline(always)]
    fn short(s: S, rest: &[u8], out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        let mut at = 0;
        while at < rest.len().min(2 * BLOCK) {
            let units = part(s, rest, at);
            if kind(s, units).bits() & UPPER[0] != 0 {
                return None;
            }
            put_units(s, units, out, at);
            at += S::LANES;
        }
        Some(2 * rest.len())
    }

    /// For units that are no surrogates.
    #[inline(always)]
    fn plain(s: S, units: S::Bytes, out: &mut [MaybeUninit<u8>], at: usize) -> bool {
        put_units(s, units, out, at / 2);
        kind(s, units).bits() & UPPER[0] == 0
    }

    #[inline(always)]
    fn mixed(
        s: S,
        units: S::Bytes,
        before: S::Bytes,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> Option<usize> {
        s.mixed_to_utf32(units, before, out, at)
    }

    #[inline(always)]
    fn all<const TEST: bool>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (Progress, usize) {
        if cfg!(placemat_lean) {
            return (Progress::default(), 0);
        }
        let [read, written] = s.all_to_utf32::<TEST>(src, dst);
        (Progress { read, written, replaced: 0 }, read / 2 - written / 4)
    }

    #[inline(always)]
    fn put(
        s: S,
        text: &Text,
        units: usize,
        kinds: Kinds,
        bad: u64,
        keep: u64,
        out: &mut [MaybeUninit<u8>; ROOM],
    ) -> usize {
        let lanes = !kinds.high & keep | bad;
        let mut written = 0;
        for lane in steps(0..units, S::LANES) {
            let [mut lower, mut upper] = planes::<S, false>(s, text, lane);
            let lanes = lanes >> lane & (!0 >> (64 - S::LANES));
            if kinds.high | kinds.low == 0 {
                written += 4 * s.put_quads([lower, upper], None, lanes, out, written);
                continue;
            }
            let [lower_before, upper_before] = planes_before::<S, false>(s, text, lane);
            let low = s.lanes((kinds.low & !bad) >> lane);
            let bits = (upper & s.splat(0x03)) | (lower_before.shl::<2>() & s.splat(0xFC));
            let top = (upper_before.shl::<2>() & s.splat(0x0C)) | (lower_before.shr::<6>() & s.splat(0x03));
            let bad = s.lanes(bad >> lane);
            upper = upper.replace(low, bits).replace(bad, s.splat(0xFF));
            lower = lower.replace(bad, s.splat(0xFD));
            let top = (top + s.splat(1)).keep(low);
            written += 4 * s.put_quads([lower, upper], Some([top, s.splat(0)]), lanes, out, written);
        }
        written
    }
}
