//! Measures UTF-16 on levels with wide vectors: all text in the same way, without a branch on what it contains. Levels whose masks are
//! bits count these at once.

#![forbid(unsafe_code)]

use super::Measured;
use crate::kernel::blocks::{last_part, last_parts, part};
use crate::kernel::from_utf16::{splat_unit, swapped};
use crate::vector::{Bytes, Lanes, Vector};

/// What is known about a text.
#[derive(Clone, Copy)]
struct Found<B> {
    /// Where a low surrogate has no high one before it, or a high one no low one after it.
    lone: u64,
    /// 1 if a high surrogate is last.
    open: u64,
    pairs: usize,
    /// The bytes in UTF-8 beyond one for each unit, if units that `shorter` covers are taken as three bytes.
    longer: usize,
    /// On levels whose masks are not bits: by how much units are shorter than three bytes, and how many are low surrogates.
    shorter: B,
    low: B,
}

impl<B: Bytes> Found<B> {
    #[inline(always)]
    fn new<S: Vector<Bytes = B>>(s: S) -> Self {
        Found { lone: 0, open: 0, pairs: 0, longer: 0, shorter: s.splat(0), low: s.splat(0) }
    }

    /// Adds as many units as a vector has lanes. Those below `first` are zeros before the next unit.
    #[inline(always)]
    fn with<S: Vector<Bytes = B>, const BIG: bool, const TALLY: bool>(
        mut self,
        s: S,
        two: [B; 2],
        first: usize,
    ) -> Self {
        let bytes = s.separate(two);
        let (upper, lower) = (bytes[usize::from(!BIG)], bytes[usize::from(BIG)]);
        let kinds = upper & s.splat(0xFC);
        let (high, is_low) = (kinds.equal(s.splat(0xD8)).bits(), kinds.equal(s.splat(0xDC)));
        let low = is_low.bits();
        self.lone |= (low ^ (high << 1 | self.open << first)) & (!0 >> (64 - S::LANES));
        self.open = high >> (S::LANES - 1);
        if TALLY && const { S::LANES < 64 } {
            self.low = self.low.tally(is_low);
        }
        if TALLY && const { S::LANES == 64 } {
            let two = (upper | (lower & s.splat(0x80))).at_least(s.splat(1)).bits();
            let three = (upper & s.splat(0xF8)).at_least(s.splat(1)).bits();
            self.count([two, three], low.count_ones());
        } else if TALLY {
            let [a, b] = if BIG { [swapped(two[0]), swapped(two[1])] } else { two };
            self.shorter = self.shorter + a.shorter(b);
            self.longer += 2 * S::LANES;
        }
        self
    }

    /// Adds the units of one vector. Masks have a bit for each byte, so each unit has two bits, which answer two questions. Bytes below
    /// `first` are zeros.
    #[inline(always)]
    fn and_last<S: Vector<Bytes = B>, const BIG: bool, const TALLY: bool>(
        mut self,
        s: S,
        units: B,
        first: usize,
    ) -> Self {
        const UPPER_TWICE: [u8; 16] = [1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15];
        let firsts = 0x5555_5555_5555_5555 >> (64 - S::LANES);
        let units = if BIG { swapped(units) } else { units };
        let kinds = s.tile(&UPPER_TWICE).lookup(units) & s.splat(0xFC);
        // First bit: a low surrogate; second bit: a high one. None follows the end.
        let both = kinds.equal(splat_unit::<S, false>(s, 0xD8DC)).bits();
        self.lone |= (both ^ (both << 1 | self.open << first)) & firsts;
        self.open = both >> (S::LANES - 1);
        if TALLY {
            // First bit: the unit becomes two bytes or more; second bit: three.
            let two = (units & splat_unit::<S, false>(s, 0xFF80)).min_units(splat_unit::<S, false>(s, 0x80));
            let longer = two | (units & splat_unit::<S, false>(s, 0xF800));
            let longer = if const { S::LANES == 64 } {
                longer.at_least(s.splat(1)).bits()
            } else {
                longer.equal(s.splat(0)).bits() ^ (!0 >> (64 - S::LANES))
            };
            self.count([longer, 0], (both & firsts).count_ones());
        }
        self
    }

    /// Adds the numbers of units that become two bytes or more, of those that become three, and of pairs.
    #[inline(always)]
    fn count(&mut self, [two, three]: [u64; 2], pairs: u32) {
        self.pairs += pairs as usize;
        self.longer += (two.count_ones() + three.count_ones()) as usize;
    }

    /// Returns the bytes in UTF-8 beyond one for each unit, and the number of pairs. Half of a pair becomes two bytes.
    #[inline(always)]
    fn sums<S: Vector<Bytes = B>>(self, _: S) -> [usize; 2] {
        if const { S::LANES == 64 } {
            return [self.longer - 2 * self.pairs, self.pairs];
        }
        // A pair becomes four bytes, not six.
        let shorter = (self.shorter + self.low + self.low).sum_bytes() as usize;
        [self.longer - 2 * self.pairs - shorter, self.pairs + self.low.sum_bytes() as usize]
    }

    /// Returns the lengths of the text, if all of it is well-formed.
    #[inline(always)]
    fn measured<S: Vector<Bytes = B>>(self, s: S, src: &[u8]) -> Option<Measured> {
        if self.lone | self.open | (src.len() & 1) as u64 != 0 {
            return None;
        }
        let (units, [longer, pairs]) = (src.len() / 2, self.sums(s));
        Some(Measured {
            read: src.len(),
            code_points: units - pairs,
            supplementary: pairs,
            utf8: units + longer,
        })
    }
}

/// Measures a text if all of it is well-formed: at most 63 blocks of two vectors if masks are not bits. Without `TALLY`, only checks it.
#[inline(always)]
pub(super) fn utf16<S: Vector, const BIG: bool, const TALLY: bool>(s: S, src: &[u8]) -> Option<Measured> {
    find::<S, BIG, TALLY>(s, src).measured(s, src)
}

#[inline(always)]
fn find<S: Vector, const BIG: bool, const TALLY: bool>(s: S, src: &[u8]) -> Found<S::Bytes> {
    let (mut found, size) = (Found::new(s), S::LANES);
    if src.len() <= size {
        return found.and_last::<S, BIG, TALLY>(s, part(s, src, 0), 0);
    }
    if const { S::LANES < 64 } {
        if src.len() <= 2 * size {
            let (n, all) = (src.len() - size, s.load(src, 0));
            found = found.and_last::<S, BIG, TALLY>(s, all, 0);
            return found.and_last::<S, BIG, TALLY>(s, last_part(s, src, n), size - n);
        }
        // The last block is never empty, so that no branch depends on its length.
        let n = (src.len() - 1) % (2 * size) + 1;
        for text in src[..src.len() - n].chunks_exact(2 * size) {
            found = found.with::<S, BIG, TALLY>(s, [s.load(text, 0), s.load(text, size)], 0);
        }
        return found.with::<S, BIG, TALLY>(s, last_parts(s, src, n), size - n / 2);
    }
    let rest = if src.len() < 2 * size {
        src
    } else if src.len() < 4 * size {
        // Without the loop, which would keep more in registers.
        found = found.with::<S, BIG, TALLY>(s, [s.load(src, 0), s.load(src, size)], 0);
        &src[2 * size..]
    } else {
        let blocks = src.chunks_exact(2 * size);
        let rest = blocks.remainder();
        for text in blocks {
            found = found.with::<S, BIG, TALLY>(s, [s.load(text, 0), s.load(text, size)], 0);
        }
        rest
    };
    if rest.len() > size {
        found = found.with::<S, BIG, TALLY>(s, [s.load(rest, 0), part(s, rest, size)], 0);
    } else if !rest.is_empty() {
        found = found.and_last::<S, BIG, TALLY>(s, part(s, rest, 0), 0);
    }
    found
}
