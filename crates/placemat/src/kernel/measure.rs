//! Computes the lengths that a text has in other forms, without converting it.

#![forbid(unsafe_code)]
#![allow(
    clippy::needless_range_loop,
    reason = "an iterator over vectors need not be inlined, and then costs calls"
)]

#[cfg(not(placemat_plain))]
pub(crate) mod every;
#[cfg(not(placemat_plain))]
mod masks;
#[cfg(not(placemat_plain))]
pub(crate) mod sums;
#[cfg(not(placemat_plain))]
pub(crate) mod utf16;
#[cfg(not(placemat_plain))]
pub(crate) mod utf32;

use super::prefetch::Ahead;
use crate::vector::{Bytes, Lanes, Vector};

/// The numbers that a kernel found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Measured {
    /// How many bytes of the source the other numbers are about: well-formed, and up to a sequence boundary.
    pub(crate) read: usize,
    pub(crate) code_points: usize,
    /// The code points from U+10000 on.
    pub(crate) supplementary: usize,
    /// Bytes in UTF-8.
    pub(crate) utf8: usize,
}

impl Measured {
    /// Adds one character.
    #[inline(always)]
    fn add(&mut self, c: char) {
        self.code_points += 1;
        // Without a branch.
        let longer = ['\u{7F}', '\u{7FF}', '\u{FFFF}'].map(|last| usize::from(c > last));
        self.supplementary += longer[2];
        self.utf8 += 1 + longer[0] + longer[1] + longer[2];
    }
}

/// Up to this many code units are measured one by one.
const FEW: usize = 4;
/// Vectors that are read together: a block.
const VECTORS: usize = 4;
/// Blocks that a lane can count, with one more before and one after them. A multiple of three.
const SPAN: usize = 240 / VECTORS;

/// The longest text, in vectors, for which loads are not aligned to cache lines. A lane must be able to count it.
const SHORT: usize = 15;

/// Like [`SHORT`], for forms whose code units are bytes: of those, a lane can count more.
const LONG: usize = 48;

/// The longest UTF-16 or UTF-32 text, in bytes, that is measured by the method for short texts. Vectors that are only checked may
/// overlap; what is counted must fit into a lane. The widest vectors count into integers at once. Of UTF-16 between 2 and 5 KiB, they
/// measure text without surrogates a seventh slower than the method for long texts does, other text up to 1.5 times as fast.
pub(crate) const fn longest_short<S: Vector>(tally: bool, unit: usize) -> usize {
    let blocks = match S::LANES {
        // If the text is only checked, all of it is read before an error at its start is found: at most 16 KiB.
        64 if !tally && unit == 4 => 64,
        _ if !tally => 16,
        64 if unit == 4 => 16,
        64 => 20,
        32 => 16,
        _ if unit == 4 => 16,
        _ => 3,
    };
    blocks * VECTORS * S::LANES
}

/// What [`bytes`] reads and counts: ISO 8859-1; of UTF-8 that is known to be well-formed, only the code points, or everything.
pub(crate) const LATIN1: u8 = 0;
pub(crate) const CODE_POINTS: u8 = 1;
pub(crate) const ALL: u8 = 2;

/// For the upper half of a byte of UTF-8: 1 for a continuation, 10h for the lead of a four-byte sequence, 0 for others.
const KINDS: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0x10];

/// Measures forms whose code units are bytes. Checks nothing.
#[inline(always)]
pub(crate) fn bytes<S: Vector, const WHAT: u8>(s: S, src: &[u8]) -> Measured {
    /// Blocks that half a byte can count.
    const TOGETHER: usize = 15 / VECTORS;
    let none = [Tally { lanes: s.splat(0), bits: 0 }; 2];
    if src.len() <= S::LANES {
        let [tails, fours] = tally_vector::<S, WHAT>(s, s.load_text(src), none);
        return measured::<WHAT>(src.len(), tails.sum(), fours.sum());
    }
    let block = VECTORS * S::LANES;
    let ahead = Ahead::of(src);
    let most = if src.len() <= LONG * S::LANES { src.len() } else { to_line(src) };
    let (head, body) = src.split_at(most);
    let sums = tally_part::<S, WHAT>(s, head, none);
    let (mut tails, mut fours) = (sums[0].sum(), sums[1].sum());
    for span in body.chunks(SPAN * block) {
        let mut sums = none;
        let blocks = span.chunks_exact(TOGETHER * block);
        let rest = blocks.remainder();
        for text in blocks {
            ahead.ask(text);
            sums = tally_bytes::<S, WHAT, { TOGETHER * VECTORS }>(s, text, sums);
        }
        let blocks = rest.chunks_exact(block);
        let rest = blocks.remainder();
        for text in blocks {
            sums = tally_bytes::<S, WHAT, VECTORS>(s, text, sums);
        }
        if !rest.is_empty() {
            sums = tally_part::<S, WHAT>(s, rest, sums);
        }
        tails += sums[0].sum();
        fours += sums[1].sum();
    }
    measured::<WHAT>(src.len(), tails, fours)
}

#[inline(always)]
fn measured<const WHAT: u8>(read: usize, tails: usize, fours: usize) -> Measured {
    if const { WHAT == LATIN1 } {
        Measured { read, code_points: read, supplementary: 0, utf8: read + tails }
    } else {
        Measured { read, code_points: read - tails, supplementary: fours, utf8: read }
    }
}

/// Counts continuations and leads of four-byte sequences (in ISO 8859-1, what is not ASCII) in `N` vectors, at most fifteen.
#[inline(always)]
fn tally_bytes<S: Vector, const WHAT: u8, const N: usize>(
    s: S,
    text: &[u8],
    [mut tails, mut fours]: [Tally<S::Bytes>; 2],
) -> [Tally<S::Bytes>; 2] {
    if const { WHAT == ALL && S::LANES == 64 } {
        // Both at once, and without masks, because there are few registers for these.
        let mut kinds = s.of_upper_half(s.load(text, 0), &KINDS);
        for i in 1..N {
            kinds = kinds + s.of_upper_half(s.load(text, i * S::LANES), &KINDS);
        }
        tails.lanes = tails.lanes + (kinds & s.splat(0x0F));
        fours.lanes = fours.lanes + (kinds.shr::<4>() & s.splat(0x0F));
        return [tails, fours];
    }
    for i in 0..N {
        [tails, fours] = tally_vector::<S, WHAT>(s, s.load(text, i * S::LANES), [tails, fours]);
    }
    [tails, fours]
}

/// Like [`tally_bytes`], for at most [`LONG`] vectors; the last one need not be whole.
#[inline(always)]
fn tally_part<S: Vector, const WHAT: u8>(
    s: S,
    text: &[u8],
    mut tallies: [Tally<S::Bytes>; 2],
) -> [Tally<S::Bytes>; 2] {
    let blocks = text.chunks_exact(VECTORS * S::LANES);
    let vectors = blocks.remainder().chunks_exact(S::LANES);
    let rest = vectors.remainder();
    for block in blocks {
        for i in 0..VECTORS {
            tallies = tally_vector::<S, WHAT>(s, s.load(block, i * S::LANES), tallies);
        }
    }
    for vector in vectors {
        tallies = tally_vector::<S, WHAT>(s, s.load(vector, 0), tallies);
    }
    // Zeros do not count.
    if rest.is_empty() { tallies } else { tally_vector::<S, WHAT>(s, s.load_part(rest), tallies) }
}

#[inline(always)]
fn tally_vector<S: Vector, const WHAT: u8>(
    s: S,
    bytes: S::Bytes,
    [tails, fours]: [Tally<S::Bytes>; 2],
) -> [Tally<S::Bytes>; 2] {
    let tails = tails.with::<S>(bytes.less(s.splat(if WHAT == LATIN1 { 0 } else { 0xC0 })));
    if const { WHAT != ALL } {
        return [tails, fours];
    }
    [tails, fours.with::<S>(bytes.at_least(s.splat(0xF0)))]
}

/// A count of lanes.
#[derive(Clone, Copy)]
struct Tally<B> {
    /// A count for each lane.
    lanes: B,
    /// On levels whose masks are bits, the count of bits instead.
    bits: usize,
}

impl<B: Bytes> Tally<B> {
    #[inline(always)]
    fn with<S: Vector<Bytes = B>>(mut self, lanes: B::Lanes) -> Self {
        if const { S::LANES == 64 } {
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

/// Returns how many bytes precede the first cache line boundary, from where on loads do not cross cache lines; never 0.
#[inline(always)]
fn to_line(src: &[u8]) -> usize {
    // A multiple of four, so that it is a boundary between units, if these are aligned.
    (64 - src.as_ptr().addr() % 64).next_multiple_of(4)
}
