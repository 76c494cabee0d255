//! UTF-32 to UTF-8.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::{SUPPLEMENTARY, Target, Text, above, any, low_part, low_units, planes, short_mixed, tile_quad};
use crate::kernel::blocks::{BLOCK, Blocks, ROOM, part};
use crate::kernel::sparse::Sparse;
use crate::kernel::units::{Units, narrow, put_block, put_part};
use crate::vector::{Bytes, Lanes, Vector, steps};

/// A block of UTF-32 as a source of UTF-16 units: up to U+FFFF the units are the same.
struct Wide<'a>(&'a Text);

impl<S: Vector> Units<S> for Wide<'_> {
    const BIG: bool = false;

    #[inline(always)]
    fn are_units(&self, s: S, at: usize) -> bool {
        let any = s.load(self.0, 4 * at)
            | s.load(self.0, 4 * at + S::LANES)
            | s.load(self.0, 4 * at + 2 * S::LANES)
            | s.load(self.0, 4 * at + 3 * S::LANES);
        (any & tile_quad(s, above(0xFFFF))).is_zero()
    }

    #[inline(always)]
    fn two(&self, s: S, at: usize) -> [S::Bytes; 2] {
        [low_units(s, self.0, 4 * at), low_units(s, self.0, 4 * at + 2 * S::LANES)]
    }
}

/// Like [`Wide`], for less than a block.
struct Part<'a>(&'a [u8]);

impl<S: Vector> Units<S> for Part<'_> {
    const BIG: bool = false;

    #[inline(always)]
    fn are_units(&self, s: S, at: usize) -> bool {
        let at = 4 * at;
        let first = part(s, self.0, at) | part(s, self.0, at + S::LANES);
        let second = part(s, self.0, at + 2 * S::LANES) | part(s, self.0, at + 3 * S::LANES);
        ((first | second) & tile_quad(s, above(0xFFFF))).is_zero()
    }

    #[inline(always)]
    fn two(&self, s: S, at: usize) -> [S::Bytes; 2] {
        [low_part(s, self.0, 4 * at), low_part(s, self.0, 4 * at + 2 * S::LANES)]
    }
}

/// The target UTF-8.
pub(crate) struct Utf8;

impl<S: Vector> Blocks<S, { 4 * BLOCK }> for Utf8 {
    const UNIT: usize = 1;
    const BMP: usize = 3;
    const VECTORS: usize = 4;

    /// For ASCII.
    #[inline(always)]
    fn fast_vectors(s: S, text: &[u8], out: &mut [MaybeUninit<u8>]) -> bool {
        let units = [low_units(s, text, 0), low_units(s, text, 2 * S::LANES)];
        s.store(narrow::<S, false>(s, units), out, 0);
        let first = s.load(text, 0) | s.load(text, S::LANES);
        let second = s.load(text, 2 * S::LANES) | s.load(text, 3 * S::LANES);
        ((first | second) & tile_quad(s, above(0x7F))).is_zero()
    }

    /// For ASCII.
    #[inline(always)]
    fn fast_block(s: S, text: &Text, out: &mut [MaybeUninit<u8>]) -> bool {
        let is_ascii = (any(s, text) & tile_quad(s, above(0x7F))).is_zero();
        if is_ascii {
            for lane in steps(0..BLOCK, S::LANES) {
                let units = [low_units(s, text, 4 * lane), low_units(s, text, 4 * lane + 2 * S::LANES)];
                s.store(narrow::<S, false>(s, units), out, lane);
            }
        }
        is_ascii
    }

    /// For code points up to U+FFFF.
    #[inline(always)]
    fn bmp_block<const EXPECTED: u8>(s: S, text: &Text, out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        put_block::<S, _, EXPECTED>(s, &Wide(text), out)
    }

    #[inline(always)]
    fn has_long(s: S, text: &Text) -> bool {
        !(any(s, text) & tile_quad(s, above(0x7FF))).is_zero()
    }

    #[inline(always)]
    fn supplementary(s: S, text: &Text, out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        for at in steps(0..4 * BLOCK, S::LANES) {
            s.store(s.supplementary_to_utf8(s.load(text, at))?, out, at);
        }
        Some(4 * BLOCK)
    }

    #[inline(always)]
    fn mixed_block(s: S, text: &Text, out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        // For narrower vectors, `put` is as fast.
        if const { S::LANES < BLOCK } || !S::MIXES_QUADS {
            return None;
        }
        let mut n = 0;
        for at in steps(0..4 * BLOCK, S::LANES) {
            n += s.quads_to_utf8(s.load(text, at), out, n)?;
        }
        Some(n)
    }
}

impl<S: Vector> Sparse<S, { 4 * BLOCK }> for Utf8 {
    const FILLER: [u8; 16] = SUPPLEMENTARY;

    #[inline(always)]
    fn is_common(unit: &[u8]) -> bool {
        unit[0] < 0x80 && unit[1] | unit[2] | unit[3] == 0
    }

    #[inline(always)]
    fn put_common(s: S, text: &Text, out: &mut [MaybeUninit<u8>; ROOM]) -> u64 {
        let mut ascii = 0;
        for lane in steps(0..BLOCK, S::LANES) {
            let [low, b, c, d] = planes(s, text, lane);
            s.store(low, out, lane);
            let is_low = (b | c | d).equal(s.splat(0)).bits();
            ascii |= (is_low & !low.high_bits() & !0 >> (64 - S::LANES)) << lane;
        }
        !ascii
    }

    #[inline(always)]
    fn put_supplementary(s: S, units: S::Bytes) -> Option<S::Bytes> {
        s.supplementary_to_utf8(units)
    }
}

impl<S: Vector> Target<S> for Utf8 {
    const MIXES: usize = if S::MIXES_QUADS { 2 } else { 0 };

    #[inline(always)]
    fn short(s: S, rest: &[u8], out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        put_part(s, &Part(rest), rest.len() / 4, out)
    }

    #[inline(always)]
    fn short_mixed(s: S, rest: &[u8], out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        if !S::MIXES_QUADS {
            return None;
        }
        short_mixed::<S, 1>(
            s,
            rest,
            out,
            #[inline(always)]
            |quads, out, at| s.quads_to_utf8(quads, out, at),
        )
    }

    #[inline(always)]
    fn put(
        s: S,
        [low, high, top]: [S::Bytes; 3],
        [two, three, four]: [u64; 3],
        keep: u64,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> usize {
        let ones = keep.count_ones() as usize;
        if two == 0 {
            s.store(low, out, at);
            return ones;
        }
        let last = low.replace(s.lanes(two), (low & s.splat(0x3F)) | s.splat(0x80));
        let third = (high.shl::<2>() & s.splat(0x3C)) | (low.shr::<6>() & s.splat(0x03));
        if three == 0 {
            s.put_one_or_two([third | s.splat(0xC0), last], two, out, at);
            return ones + (two & keep).count_ones() as usize;
        }
        let third = third | s.splat(0x80).replace(s.lanes(two & !three), s.splat(0xC0));
        let second = high.shr::<4>() & s.splat(0x0F);
        let long = second | (top.shl::<4>() & s.splat(0x30)) | s.splat(0x80);
        let second = (second | s.splat(0xE0)).replace(s.lanes(four), long);
        let first = (top.shr::<2>() & s.splat(0x07)) | s.splat(0xF0);
        s.put_sequences([first, second, third, last], [two, three, four], out, at);
        let longer = (two & keep).count_ones() + (three & keep).count_ones() + (four & keep).count_ones();
        ones + longer as usize
    }
}
