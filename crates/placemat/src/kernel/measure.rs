//! How much a text comes to in other forms, without converting it; and whether UTF-16 and UTF-32 are well-formed.

#![forbid(unsafe_code)]
#![allow(
    clippy::needless_range_loop,
    reason = "an iterator over vectors need not be inlined, and then costs calls"
)]

use super::from_utf16::{reversed, splat_unit, swapped};
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
    let (mut tails, mut fours) = (0, 0);
    for stretch in src.chunks(STRETCH * block) {
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
    for i in 0..VECTORS {
        let bytes = s.load(text, i * S::LANES);
        tails = tails.with::<S>(bytes.less(s.splat(if WHAT == LATIN1 { 0 } else { 0xC0 })));
        if WHAT == ALL {
            // In lanes everywhere: two counts of bits would wait for each other.
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

/// UTF-16. Without `TALLY`, only how much is well-formed.
#[inline(always)]
pub(crate) fn utf16<S: Simd, const BIG: bool, const TALLY: bool>(s: S, src: &[u8]) -> Measured {
    /// Blocks that a unit can count, and more than enough.
    const STRETCH: usize = 4096;
    let (block, src) = (VECTORS * S::LANES, src.as_chunks::<2>().0.as_flattened());
    let mut walk = Walk { halves: 0, open: 0 };
    let (mut read, mut longer) = (0, 0);
    'text: for stretch in src.chunks(STRETCH * block) {
        let mut sums = [s.splat(0); 2];
        let blocks = stretch.chunks_exact(block);
        let rest = blocks.remainder();
        for text in blocks {
            let Some(next) = walk.block::<S, BIG, TALLY>(s, text, sums) else {
                longer += sums[0].sum_units() + sums[1].sum_units();
                break 'text;
            };
            sums = next;
            read += block;
        }
        if !rest.is_empty()
            && let Some(next) = walk.block::<S, BIG, TALLY>(s, &padded(rest)[..block], sums)
        {
            sums = next;
            read += rest.len();
        }
        longer += sums[0].sum_units() + sums[1].sum_units();
    }
    if walk.open != 0 {
        // The first half of a pair is not read: it has counted as three bytes, less one.
        (read, longer, walk.halves) = (read - 2, longer.saturating_sub(2), walk.halves - 1);
    }
    let (units, halves) = (read / 2, walk.halves);
    Measured {
        read,
        code_points: units - halves / 2,
        supplementary: halves / 2,
        utf8: units + longer as usize - halves,
    }
}

/// What there is to know of the blocks before.
struct Walk {
    /// Surrogates.
    halves: usize,
    /// A bit (the second) if the last unit was a high surrogate.
    open: u64,
}

impl Walk {
    /// Units that take two bytes or more and three or more in UTF-8; nothing if a surrogate stands alone.
    #[inline(always)]
    fn block<S: Simd, const BIG: bool, const TALLY: bool>(
        &mut self,
        s: S,
        text: &[u8],
        [mut two, mut three]: [S::Bytes; 2],
    ) -> Option<[S::Bytes; 2]> {
        // Surrogates are what is below 800 then.
        let (kind, limit) = (splat_unit::<S, false>(s, 0xD800), splat_unit::<S, false>(s, 0x800));
        let mut least = limit;
        for i in 0..VECTORS {
            let units = units::<S, BIG>(s, text, i);
            least = least.min_units(units ^ kind);
            if TALLY {
                two = two.tally_units(units, splat_unit::<S, false>(s, 0x80));
                three = three.tally_units(units, limit);
            }
        }
        if self.open != 0 || !(least ^ limit).is_zero() {
            self.pairs::<S, BIG>(s, text)?;
        }
        Some([two, three])
    }

    /// Whether each high surrogate has a low one behind it, and each low one a high one before it.
    #[inline(always)]
    fn pairs<S: Simd, const BIG: bool>(&mut self, s: S, text: &[u8]) -> Option<()> {
        const UPPER: u64 = 0xAAAA_AAAA_AAAA_AAAA;
        let (mut open, mut halves, mut bad) = (self.open, 0, 0);
        for i in 0..VECTORS {
            let kind = units::<S, BIG>(s, text, i) & s.splat(0xFC);
            let high = kind.equal(s.splat(0xD8)).bits() & UPPER;
            let low = kind.equal(s.splat(0xDC)).bits() & UPPER;
            bad |= (high << 2 | open) & (!0 >> (64 - S::LANES)) ^ low;
            open = high >> (S::LANES - 2) & 2;
            halves += (high | low).count_ones() as usize;
        }
        if bad != 0 {
            return None;
        }
        (self.open, self.halves) = (open, self.halves + halves);
        Some(())
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
    for stretch in src.chunks(STRETCH * block) {
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
