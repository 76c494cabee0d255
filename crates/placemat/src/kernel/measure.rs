//! How much a text comes to in other forms, without converting it; and whether UTF-16 and UTF-32 are well-formed.

#![forbid(unsafe_code)]
#![allow(
    clippy::needless_range_loop,
    reason = "an iterator over vectors need not be inlined, and then costs calls"
)]

use super::from_utf16::{UPPER, reversed, splat_unit, swapped};
use crate::simd::{Bytes, Lanes, Simd};

/// What a kernel found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Measured {
    /// Bytes of the source that the other numbers are about: well-formed, to a boundary.
    pub(crate) read: usize,
    pub(crate) code_points: usize,
    /// Those from U+10000 on.
    pub(crate) supplementary: usize,
    /// Bytes in UTF-8.
    pub(crate) utf8: usize,
}

/// Vectors that are looked at together.
const VECTORS: usize = 4;
/// The bytes of the longest of them.
const LONGEST: usize = 64 * VECTORS;

/// What follows the last whole block, and zeros.
#[inline(always)]
fn padded(rest: &[u8]) -> [u8; LONGEST] {
    let mut text = [0; LONGEST];
    text[..rest.len()].copy_from_slice(rest);
    text
}

/// What [`bytes`] reads and counts: all of ISO 8859-1; of UTF-8 that is known to be well-formed, code points or all.
pub(crate) const LATIN1: u8 = 0;
pub(crate) const CODE_POINTS: u8 = 1;
pub(crate) const ALL: u8 = 2;

/// Forms of bytes in which nothing is checked.
#[inline(always)]
pub(crate) fn bytes<S: Simd, const WHAT: u8>(s: S, src: &[u8]) -> Measured {
    /// Blocks that a byte can count.
    const STRETCH: usize = 255 / VECTORS;
    let block = VECTORS * S::LANES;
    let (head, body) = src.split_at(src.len().min(to_line(src)));
    let mut sums = [Tally { lanes: s.splat(0), bits: 0 }; 2];
    sums = tally_bytes::<S, WHAT>(s, &padded(head)[..block], sums);
    let (mut tails, mut fours) = (sums[0].sum(), sums[1].sum());
    for stretch in body.chunks(STRETCH * block) {
        let mut sums = [Tally { lanes: s.splat(0), bits: 0 }; 2];
        let blocks = stretch.chunks_exact(block);
        let rest = blocks.remainder();
        for text in blocks {
            sums = tally_bytes::<S, WHAT>(s, text, sums);
        }
        if !rest.is_empty() {
            sums = tally_bytes::<S, WHAT>(s, &padded(rest)[..block], sums);
        }
        tails += sums[0].sum();
        fours += sums[1].sum();
    }
    let read = src.len();
    if WHAT == LATIN1 {
        Measured { read, code_points: read, supplementary: 0, utf8: read + tails }
    } else {
        Measured { read, code_points: read - tails, supplementary: fours, utf8: read }
    }
}

/// Tails and leads of four, or, in ISO 8859-1, what is not ASCII.
#[inline(always)]
fn tally_bytes<S: Simd, const WHAT: u8>(
    s: S,
    text: &[u8],
    [mut tails, mut fours]: [Tally<S::Bytes>; 2],
) -> [Tally<S::Bytes>; 2] {
    if WHAT == ALL && S::LANES == 64 {
        // Both at once, without bits, which would have to go through the few registers for them.
        let mut kinds = s.kinds(s.load(text, 0));
        for i in 1..VECTORS {
            kinds = kinds + s.kinds(s.load(text, i * S::LANES));
        }
        tails.lanes = tails.lanes + (kinds & s.splat(0x0F));
        fours.lanes = fours.lanes + (kinds.shr::<4>() & s.splat(0x0F));
        return [tails, fours];
    }
    for i in 0..VECTORS {
        let bytes = s.load(text, i * S::LANES);
        tails = tails.with::<S>(bytes.less(s.splat(if WHAT == LATIN1 { 0 } else { 0xC0 })));
        if WHAT == ALL {
            fours.lanes = fours.lanes.tally(bytes.at_least(s.splat(0xF0)));
        }
    }
    [tails, fours]
}

/// A count of lanes.
#[derive(Clone, Copy)]
struct Tally<B> {
    /// One in each lane.
    lanes: B,
    /// Where a CPU has lanes as bits, they are counted so.
    bits: usize,
}

impl<B: Bytes> Tally<B> {
    #[inline(always)]
    fn with<S: Simd<Bytes = B>>(mut self, lanes: B::Lanes) -> Self {
        if S::LANES == 64 {
            self.bits += lanes.bits().count_ones() as usize;
        } else {
            self.lanes = self.lanes.tally(lanes);
        }
        self
    }

    #[inline(always)]
    fn sum(self) -> usize {
        self.bits + self.lanes.sum_bytes() as usize
    }
}

/// How many bytes come before the first that lies where loads do not cross lines of the cache; not none.
#[inline(always)]
fn to_line(src: &[u8]) -> usize {
    // Whole units of four bytes, if units lie where they should.
    (64 - src.as_ptr().addr() % 64).next_multiple_of(4)
}

/// UTF-16. Without `TALLY`, only how much is well-formed.
#[inline(always)]
pub(crate) fn utf16<S: Simd, const BIG: bool, const TALLY: bool>(s: S, src: &[u8]) -> Measured {
    /// Blocks that a unit can count, and more than enough.
    const STRETCH: usize = 4096;
    let src = src.as_chunks::<2>().0;
    // At the end, the first half of a pair is not read.
    let open = src.last().is_some_and(|&unit| is_high::<BIG>(unit));
    let src = src[..src.len() - usize::from(open)].as_flattened();
    let block = VECTORS * S::LANES;
    let (head, body) = src.split_at(src.len().min(to_line(src)));
    let mut padded = [0; 2 + LONGEST];
    padded[2 + block - head.len()..][..head.len()].copy_from_slice(head);
    let mut walk = Walk { halves: 0, open: false, dense: false, pairs: 0, units: [s.splat(0); 2] };
    let mut read = 0;
    let mut longer = 0;
    if walk.block::<S, BIG, TALLY>(s, &padded[..2 + block]) {
        read = head.len();
        // From here on there is a unit before each block.
        for stretch in body.chunks(STRETCH * block) {
            let end = read + stretch.len() / block * block;
            while read < end && walk.block::<S, BIG, TALLY>(s, &src[read - 2..read + block]) {
                read += block;
            }
            let rest = &src[read..];
            if read == end && !rest.is_empty() && rest.len() < block {
                padded = [0; 2 + LONGEST];
                padded[..2 + rest.len()].copy_from_slice(&src[read - 2..]);
                if walk.block::<S, BIG, TALLY>(s, &padded[..2 + block]) {
                    read = src.len();
                }
            }
            longer += walk.units[0].sum_units() + walk.units[1].sum_units();
            walk.units = [s.splat(0); 2];
            if read < end {
                break;
            }
        }
    }
    longer += walk.units[0].sum_units() + walk.units[1].sum_units();
    if walk.open {
        // Nor is one before an error or before that half, which has counted as three bytes.
        (read, longer) = (read - 2, longer.saturating_sub(2));
    }
    let (units, halves) = (read / 2, walk.halves);
    Measured {
        read,
        code_points: units - halves / 2,
        supplementary: halves / 2,
        utf8: units + longer as usize + 4 * walk.pairs - halves,
    }
}

/// Is this unit a high surrogate?
#[inline(always)]
fn is_high<const BIG: bool>(unit: [u8; 2]) -> bool {
    unit[usize::from(!BIG)] & 0xFC == 0xD8
}

/// What there is to know of the blocks before.
struct Walk<B> {
    /// Surrogates, in pairs.
    halves: usize,
    /// The last unit was a high surrogate.
    open: bool,
    /// The last block had nothing else than pairs.
    dense: bool,
    /// Pairs in blocks of nothing else.
    pairs: usize,
    /// Units that take two bytes or more and three or more in UTF-8, in other blocks.
    units: [B; 2],
}

impl<B: Bytes> Walk<B> {
    /// One more block, behind the first unit of `text`; not if a surrogate stands alone.
    #[inline(always)]
    fn block<S: Simd<Bytes = B>, const BIG: bool, const TALLY: bool>(&mut self, s: S, text: &[u8]) -> bool {
        if self.dense && self.all_pairs::<S, BIG>(s, text) {
            return true;
        }
        // Surrogates are what is below 800 then.
        let (kind, limit) = (splat_unit::<S, false>(s, 0xD800), splat_unit::<S, false>(s, 0x800));
        let [mut two, mut three] = self.units;
        let mut least = limit;
        for i in 0..VECTORS {
            let units = units::<S, BIG>(s, &text[2..], i);
            least = least.min_units(units ^ kind);
            if TALLY {
                two = two.tally_units(units, splat_unit::<S, false>(s, 0x80));
                three = three.tally_units(units, limit);
            }
        }
        if (self.open || !(least ^ limit).is_zero()) && !self.pairs::<S, BIG>(s, text) {
            return false;
        }
        self.units = [two, three];
        true
    }

    /// Whether each low surrogate has a high one before it, and each high one but the last a low one behind it.
    #[inline(always)]
    fn pairs<S: Simd<Bytes = B>, const BIG: bool>(&mut self, s: S, text: &[u8]) -> bool {
        let (kinds, high) = (s.splat(0xFC), s.splat(0xD8));
        let (upper, mut halves) = (UPPER[usize::from(BIG)], 0);
        let mut bad = s.splat(0).less(s.splat(0));
        for i in 0..VECTORS {
            let low = (s.load(text, 2 + i * S::LANES) & kinds).equal(s.splat(0xDC));
            bad = bad | (s.load(text, i * S::LANES) & kinds).equal(high) ^ low;
            halves += 2 * (low.bits() & upper).count_ones() as usize;
        }
        if bad.bits() & upper != 0 {
            return false;
        }
        self.open = text[..2 + VECTORS * S::LANES].last_chunk().is_some_and(|&unit| is_high::<BIG>(unit));
        self.dense = halves == VECTORS * S::LANES / 2;
        self.halves += halves;
        true
    }

    /// Whether the block, or the block one unit before it, is all pairs: then it counts as such.
    #[inline(always)]
    fn all_pairs<S: Simd<Bytes = B>, const BIG: bool>(&mut self, s: S, text: &[u8]) -> bool {
        let text = &text[..2 + VECTORS * S::LANES];
        let pairs = if self.open { text } else { &text[2..] };
        for i in 0..VECTORS {
            if s.pairs_to_code_points(units::<S, BIG>(s, pairs, i)).is_none() {
                return false;
            }
        }
        // The last unit has no place in the block before.
        if self.open && !text.last_chunk().is_some_and(|&unit| is_high::<BIG>(unit)) {
            return false;
        }
        self.halves += VECTORS * S::LANES / 2;
        self.pairs += VECTORS * S::LANES / 4;
        true
    }
}

/// A vector of units, lower bytes first.
#[inline(always)]
fn units<S: Simd, const BIG: bool>(s: S, text: &[u8], i: usize) -> S::Bytes {
    let units = s.load(text, i * S::LANES);
    if BIG { swapped(units) } else { units }
}

/// UTF-32. Without `TALLY`, only how much is well-formed.
#[inline(always)]
pub(crate) fn utf32<S: Simd, const BIG: bool, const TALLY: bool>(s: S, src: &[u8]) -> Measured {
    /// Blocks between two looks for errors.
    const STRETCH: usize = 64;
    let (block, src) = (VECTORS * S::LANES, src.as_chunks::<4>().0.as_flattened());
    let (limit, top) = (splat_unit::<S, false>(s, 0x800), splat_quad(s, 0x10_FFFF));
    let mut measured = Measured::default();
    let (head, body) = src.split_at(src.len().min(to_line(src)));
    for stretch in core::iter::once(head).chain(body.chunks(STRETCH * block)) {
        let zero = s.splat(0);
        let mut sums = Quads { two: zero, three: zero, four: zero, least: limit, greatest: top };
        let blocks = stretch.chunks_exact(block);
        let rest = blocks.remainder();
        for text in blocks {
            sums = sums.with::<S, BIG, TALLY>(s, text);
        }
        if !rest.is_empty() {
            sums = sums.with::<S, BIG, TALLY>(s, &padded(rest)[..block]);
        }
        if !((sums.least ^ limit) | (sums.greatest ^ top)).is_zero() {
            break;
        }
        let (units, four) = (stretch.len() / 4, sums.four.sum_quads() as usize);
        measured.read += stretch.len();
        measured.code_points += units;
        measured.supplementary += four;
        measured.utf8 += units + four + (sums.two.sum_units() + sums.three.sum_units()) as usize;
    }
    measured
}

/// What was seen of UTF-32.
#[derive(Clone, Copy)]
struct Quads<B> {
    /// Units that take two bytes or more in UTF-8, three or more, four.
    two: B,
    three: B,
    four: B,
    /// The least difference from a surrogate, and the greatest unit.
    least: B,
    greatest: B,
}

impl<B: Bytes> Quads<B> {
    #[inline(always)]
    fn with<S: Simd<Bytes = B>, const BIG: bool, const TALLY: bool>(mut self, s: S, text: &[u8]) -> Self {
        let all: [B; VECTORS] = [
            quads::<S, BIG>(s, text, 0),
            quads::<S, BIG>(s, text, 1),
            quads::<S, BIG>(s, text, 2),
            quads::<S, BIG>(s, text, 3),
        ];
        let greatest = all[0].max_quads(all[1]).max_quads(all[2].max_quads(all[3]));
        self.greatest = self.greatest.max_quads(greatest);
        for i in 0..2 {
            let units = all[2 * i].pack_quads(all[2 * i + 1]);
            self.least = self.least.min_units(units ^ splat_unit::<S, false>(s, 0xD800));
            if TALLY {
                self.two = self.two.tally_units(units, splat_unit::<S, false>(s, 0x80));
                self.three = self.three.tally_units(units, splat_unit::<S, false>(s, 0x800));
            }
        }
        if TALLY && !(greatest & splat_quad(s, 0xFFFF_0000)).is_zero() {
            for i in 0..VECTORS {
                self.four = self.four.tally_quads(all[i], splat_quad(s, 0xFFFF));
            }
        }
        self
    }
}

/// A vector of units, lowest bytes first.
#[inline(always)]
fn quads<S: Simd, const BIG: bool>(s: S, text: &[u8], i: usize) -> S::Bytes {
    let quads = s.load(text, i * S::LANES);
    if BIG { reversed(s, quads) } else { quads }
}

#[inline(always)]
fn splat_quad<S: Simd>(s: S, quad: u32) -> S::Bytes {
    let [a, b, c, d] = quad.to_le_bytes();
    s.tile(&[a, b, c, d, a, b, c, d, a, b, c, d, a, b, c, d])
}
