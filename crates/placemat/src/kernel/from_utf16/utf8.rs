//! UTF-16 to UTF-8.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::short::{cut, short_mixed};
use super::{Block, Kinds, PAIRS, Target, Text, any, planes, planes_at, planes_before, splat_unit, swapped};
use crate::kernel::blocks::{BLOCK, Blocks, ROOM, part};
use crate::kernel::sparse::Sparse;
use crate::kernel::units::{Units, narrow, put_block, put_part};
use crate::kernel::{Progress, stream};
use crate::vector::{Bytes, Lanes, Vector, ends_open, lesser, steps};

/// A block of UTF-16 as a source of units.
struct Wide<'a, const BIG: bool>(&'a Block);

impl<S: Vector, const BIG: bool> Units<S> for Wide<'_, BIG> {
    const BIG: bool = BIG;

    #[inline(always)]
    fn two(&self, s: S, at: usize) -> [S::Bytes; 2] {
        [s.load(self.0, 2 * at), s.load(self.0, 2 * at + S::LANES)]
    }
}

/// Like [`Wide`], for less than a block.
struct Part<'a, const BIG: bool>(&'a [u8]);

impl<S: Vector, const BIG: bool> Units<S> for Part<'_, BIG> {
    const BIG: bool = BIG;

    #[inline(always)]
    fn two(&self, s: S, at: usize) -> [S::Bytes; 2] {
        [part(s, self.0, 2 * at), part(s, self.0, 2 * at + S::LANES)]
    }
}

/// The target UTF-8, for units in this byte order.
pub(crate) struct Utf8<const BIG: bool>;

/// Writes a block, without a high surrogate at its end, or what is left of the text. For text with pairs and few units of three
/// bytes. Returns how many bytes it read and wrote.
#[inline(always)]
pub(crate) fn with_pairs<S: Vector, const BIG: bool, const PAIRS: bool>(
    s: S,
    text: &[u8],
    out: &mut [MaybeUninit<u8>; ROOM],
) -> Option<[usize; 2]> {
    let block = &text[..lesser(text.len(), 2 * BLOCK)];
    let block = &block[..block.len() - cut::<BIG>(block)];
    Some([block.len(), s.block_with_pairs_to_utf8::<BIG, PAIRS>(block, out)?])
}

impl<S: Vector, const BIG: bool> Blocks<S, { 2 * BLOCK }> for Utf8<BIG> {
    const UNIT: usize = 1;
    const BMP: usize = 3;
    const VECTORS: usize = 2;

    /// For ASCII.
    #[inline(always)]
    fn fast_vectors(s: S, text: &[u8], out: &mut [MaybeUninit<u8>]) -> bool {
        let units = [s.load(text, 0), s.load(text, S::LANES)];
        s.store(narrow::<S, BIG>(s, units), out, 0);
        ((units[0] | units[1]) & splat_unit::<S, BIG>(s, 0xFF80)).is_zero()
    }

    /// For ASCII.
    #[inline(always)]
    fn fast_block(s: S, text: &Block, out: &mut [MaybeUninit<u8>]) -> bool {
        let is_ascii = (any(s, text) & splat_unit::<S, BIG>(s, 0xFF80)).is_zero();
        if is_ascii {
            for lane in steps(0..BLOCK, S::LANES) {
                let units = [s.load(text, 2 * lane), s.load(text, 2 * lane + S::LANES)];
                s.store(narrow::<S, BIG>(s, units), out, lane);
            }
        }
        is_ascii
    }

    /// For units that are no surrogates.
    #[inline(always)]
    fn bmp_block<const EXPECTED: u8>(s: S, text: &Block, out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        put_block::<S, _, EXPECTED>(s, &Wide::<BIG>(text), out)
    }

    #[inline(always)]
    fn other_block(s: S, text: &[u8], out: &mut [MaybeUninit<u8>; ROOM]) -> Option<[usize; 2]> {
        with_pairs::<S, BIG, true>(s, text, out)
    }

    #[inline(always)]
    fn mixed_block(s: S, text: &Block, out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        match S::STEPS {
            true if ends_open::<BIG>(text) => None,
            true => s.short_to_utf8::<BIG>(text, out),
            false => short_mixed::<S, Self, BIG>(s, text, out),
        }
    }

    #[inline(always)]
    fn has_long(s: S, text: &Block) -> bool {
        !(any(s, text) & splat_unit::<S, BIG>(s, 0xF800)).is_zero()
    }

    #[inline(always)]
    fn supplementary(s: S, text: &Block, out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        for at in steps(0..2 * BLOCK, S::LANES) {
            let units = s.load(text, at);
            let units = if BIG { swapped(units) } else { units };
            s.store(s.pairs_to_utf8(units)?, out, at);
        }
        Some(2 * BLOCK)
    }
}

impl<S: Vector, const BIG: bool> Sparse<S, { 2 * BLOCK }> for Utf8<BIG> {
    const FILLER: [u8; 16] = if BIG { *b"\xD8\0\xDC\0\xD8\0\xDC\0\xD8\0\xDC\0\xD8\0\xDC\0" } else { PAIRS };

    #[inline(always)]
    fn is_common(unit: &[u8]) -> bool {
        let [low, high] = if BIG { [unit[1], unit[0]] } else { [unit[0], unit[1]] };
        high == 0 && low < 0x80
    }

    #[inline(always)]
    fn put_common(s: S, text: &Block, out: &mut [MaybeUninit<u8>; ROOM]) -> u64 {
        let mut ascii = 0;
        for lane in steps(0..BLOCK, S::LANES) {
            let [low, high] = planes_at::<S, BIG>(s, text, 2 * lane);
            s.store(low, out, lane);
            ascii |= (high.equal(s.splat(0)).bits() & !low.high_bits() & !0 >> (64 - S::LANES)) << lane;
        }
        !ascii
    }

    #[inline(always)]
    fn put_supplementary(s: S, units: S::Bytes) -> Option<S::Bytes> {
        s.pairs_to_utf8(if BIG { swapped(units) } else { units })
    }
}

impl<S: Vector, const BIG: bool> Target<S> for Utf8<BIG> {
    const HALF: usize = 2;
    const MIXES: bool = S::MIXES_UTF16;

    #[inline(always)]
    fn short(s: S, rest: &[u8], out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        put_part(s, &Part::<BIG>(rest), rest.len() / 2, out)
    }

    /// For ASCII.
    #[inline(always)]
    fn plain(s: S, units: S::Bytes, out: &mut [MaybeUninit<u8>], at: usize) -> bool {
        s.store(narrow::<S, BIG>(s, [units, s.splat(0)]), out, at);
        (units & splat_unit::<S, BIG>(s, 0xFF80)).is_zero()
    }

    #[inline(always)]
    fn mixed(
        s: S,
        units: S::Bytes,
        before: S::Bytes,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> Option<usize> {
        s.mixed_to_utf8(units, before, out, at)
    }

    #[inline(always)]
    fn all<const TEST: bool>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (Progress, usize) {
        stream::utf16_with_pairs_to_utf8::<S, BIG>(s, src, dst)
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
        let Kinds { two, three, high, low } = kinds;
        let three = three & !(high | low) | bad;
        let mut written = 0;
        for lane in steps(0..units, S::LANES) {
            let part = !0 >> (64 - S::LANES);
            let (two, three) = (two >> lane & part, three >> lane & part);
            let [lower, upper] = planes::<S, BIG>(s, text, lane);
            let wide = s.lanes(two);
            let last = lower.replace(wide, (lower & s.splat(0x3F)) | s.splat(0x80));
            let middle = (upper.shl::<2>() & s.splat(0x3C)) | (lower.shr::<6>() & s.splat(0x03));
            if three == 0 && (high | low) >> lane & part == 0 {
                s.put_one_or_two([middle | s.splat(0xC0), last], two, out, written);
            } else {
                let first = (upper.shr::<4>() & s.splat(0x0F)) | s.splat(0xE0);
                let mut second = middle | s.splat(0x80).replace(s.lanes(two & !three), s.splat(0xC0));
                let mut planes = [s.splat(0), first, second, last];
                if high | low != 0 {
                    let [before, _] = planes_before::<S, BIG>(s, text, lane);
                    let (high, low) = (s.lanes(high >> lane), s.lanes(low >> lane));
                    // A high surrogate: add 40h to its ten bits. F0 gets the upper three bits of the sum, 80
                    // the next six.
                    let plus = lower + s.splat(0x40);
                    let carry = s.splat(1).keep(lower.at_least(s.splat(0xC0)));
                    let top = (upper & s.splat(0x03)) + carry;
                    second = second.replace(high, top | s.splat(0xF0));
                    let end = (plus.shr::<2>() & s.splat(0x3F)) | s.splat(0x80);
                    // A low surrogate: the two bits that the high one has left over, and the upper four of
                    // its own ten bits.
                    let left = (before.shl::<4>() & s.splat(0x30)) | (middle & s.splat(0x0F)) | s.splat(0x80);
                    second = second.replace(low, left);
                    let mut last = last.replace(high, end);
                    let mut first = first;
                    if bad != 0 {
                        let bad = s.lanes(bad >> lane);
                        first = first.replace(bad, s.splat(0xEF));
                        second = second.replace(bad, s.splat(0xBF));
                        last = last.replace(bad, s.splat(0xBD));
                    }
                    planes = [s.splat(0), first, second, last];
                }
                s.put_sequences(planes, [two, three, 0], out, written);
            }
            written += S::LANES + (two.count_ones() + three.count_ones()) as usize;
        }
        (keep.count_ones() + (two & keep).count_ones() + (three & keep).count_ones()) as usize
    }
}
