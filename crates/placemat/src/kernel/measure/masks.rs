//! UTF-16 where a CPU has lanes as bits: whatever a text holds, it is looked at in the same way, without a branch, and what is
//! counted is counted at once.

#![forbid(unsafe_code)]

use super::Measured;
use crate::kernel::blocks::part;
use crate::kernel::from_utf16::{splat_unit, swapped};
use crate::vector::{Bytes, Lanes, Vector};

/// What is known of a text.
#[derive(Clone, Copy)]
struct Found {
    /// Where one of a low surrogate and a high one before it is missing.
    lone: u64,
    /// 1 if a high surrogate is last.
    open: u64,
    pairs: usize,
    /// The bytes in UTF-8 beyond one for each unit.
    longer: usize,
}

impl Found {
    /// And as many units as a vector has lanes.
    #[inline(always)]
    fn with<S: Vector, const BIG: bool, const TALLY: bool>(mut self, s: S, two: [S::Bytes; 2]) -> Self {
        let bytes = s.separate(two);
        let (upper, lower) = (bytes[usize::from(!BIG)], bytes[usize::from(BIG)]);
        let kinds = upper & s.splat(0xFC);
        let (high, low) = (kinds.equal(s.splat(0xD8)).bits(), kinds.equal(s.splat(0xDC)).bits());
        self.lone |= low ^ (high << 1 | self.open);
        self.open = high >> (S::LANES - 1);
        if TALLY {
            let two = (upper | (lower & s.splat(0x80))).at_least(s.splat(1)).bits();
            let three = (upper & s.splat(0xF8)).at_least(s.splat(1)).bits();
            self.count([two, three], low.count_ones());
        }
        self
    }

    /// And the last units, at most a vector: a bit for each byte. Of each unit, the first says one thing and the second another.
    #[inline(always)]
    fn and_last<S: Vector, const BIG: bool, const TALLY: bool>(mut self, s: S, src: &[u8]) -> Self {
        const UPPER_TWICE: [u8; 16] = [1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15];
        const FIRST: u64 = 0x5555_5555_5555_5555;
        let units = if BIG { swapped(part(s, src, 0)) } else { part(s, src, 0) };
        let kinds = s.tile(&UPPER_TWICE).lookup(units) & s.splat(0xFC);
        // Whether it is a low surrogate, and whether it is a high one. None stands behind the end.
        let both = kinds.equal(splat_unit::<S, false>(s, 0xD8DC)).bits();
        self.lone |= (both ^ (both << 1 | self.open)) & FIRST;
        self.open = both >> (S::LANES - 1);
        if TALLY {
            // Whether it takes two bytes or more, and whether three.
            let two = (units & splat_unit::<S, false>(s, 0xFF80)).min_units(splat_unit::<S, false>(s, 0x80));
            let longer = two | (units & splat_unit::<S, false>(s, 0xF800));
            self.count([longer.at_least(s.splat(1)).bits(), 0], (both & FIRST).count_ones());
        }
        self
    }

    /// So many more that take two bytes or more, and three, and pairs, which take four and not six.
    #[inline(always)]
    fn count(&mut self, [two, three]: [u64; 2], pairs: u32) {
        self.pairs += pairs as usize;
        self.longer += (two.count_ones() + three.count_ones() - 2 * pairs) as usize;
    }

    /// What all of a text comes to, if it is well-formed.
    #[inline(always)]
    fn measured(self, src: &[u8]) -> Option<Measured> {
        if self.lone | self.open | (src.len() & 1) as u64 != 0 {
            return None;
        }
        let (units, pairs) = (src.len() / 2, self.pairs);
        Some(Measured {
            read: src.len(),
            code_points: units - pairs,
            supplementary: pairs,
            utf8: units + self.longer,
        })
    }
}

/// A text, if all of it is well-formed. Without `TALLY`, only whether it is.
#[inline(always)]
pub(super) fn utf16<S: Vector, const BIG: bool, const TALLY: bool>(s: S, src: &[u8]) -> Option<Measured> {
    let mut found = Found { lone: 0, open: 0, pairs: 0, longer: 0 };
    if src.len() <= S::LANES {
        return found.and_last::<S, BIG, TALLY>(s, src).measured(src);
    }
    let blocks = src.chunks_exact(2 * S::LANES);
    let rest = blocks.remainder();
    for text in blocks {
        found = found.with::<S, BIG, TALLY>(s, [s.load(text, 0), s.load(text, S::LANES)]);
    }
    if rest.len() > S::LANES {
        found = found.with::<S, BIG, TALLY>(s, [s.load(rest, 0), part(s, rest, S::LANES)]);
    } else if !rest.is_empty() {
        found = found.and_last::<S, BIG, TALLY>(s, rest);
    }
    found.measured(src)
}
