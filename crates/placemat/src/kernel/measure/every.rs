//! Reads texts that are only checked. There a vector may be read twice, so no vector is loaded in part.

#![forbid(unsafe_code)]

use super::VECTORS;
use crate::kernel::from_utf16::{splat_unit, swapped};
use crate::kernel::prefetch::Ahead;
use crate::vector::{Bytes, Vector};

/// A check of vectors, in any order.
pub(super) trait Check<S: Vector>: Copy {
    fn with(self, s: S, vectors: [S::Bytes; VECTORS]) -> Self;
}

/// Checks all vectors of a text of at least one vector, in units of `UNIT` bytes.
#[inline(always)]
pub(super) fn every<S: Vector, C: Check<S>, const UNIT: usize>(s: S, src: &[u8], mut check: C) -> C {
    let (size, n) = (S::LANES, src.len());
    let first = s.load(src, 0);
    if n <= VECTORS * size {
        let (last, two) = (s.load(src, n - size), n <= 2 * size);
        // In shorter texts some vectors are read twice, which costs less than to find out how many there are.
        let [second, third] =
            if two { [first, last] } else { [s.load(src, size), s.load(src, n - 2 * size)] };
        return check.with(s, [first, second, third, last]);
    }
    // From here on, loads do not cross cache lines, if units are aligned.
    let to_line = (64 - src.as_ptr().addr() % 64) / UNIT * UNIT;
    check = check.with(s, [first; VECTORS]);
    let blocks = src[to_line..].chunks_exact(VECTORS * size);
    let rest = blocks.remainder().len();
    for text in blocks {
        check = check.with(s, load(s, text));
    }
    if rest > 2 * size {
        check.with(s, load(s, &src[n - VECTORS * size..]))
    } else {
        let [first, last] = [s.load(src, n - 2 * size), s.load(src, n - size)];
        check.with(s, [first, last, first, last])
    }
}

#[inline(always)]
fn load<S: Vector>(s: S, text: &[u8]) -> [S::Bytes; VECTORS] {
    let mut all = [s.splat(0); VECTORS];
    for i in 0..VECTORS {
        all[i] = s.load(text, i * S::LANES);
    }
    all
}

/// Returns how many bytes of UTF-16 certainly have no surrogates: all, or whole spans of blocks from a cache line boundary on; a span is
/// checked as a whole. Zero or little more if there are surrogates near the start.
#[inline(always)]
pub(crate) fn basic_spans<S: Vector, const BIG: bool>(s: S, src: &[u8]) -> usize {
    /// Blocks in a span.
    const SPAN: usize = 4;
    let src = src.as_chunks::<2>().0.as_flattened();
    let Some(first) = src.get(..S::LANES) else { return 0 };
    let mut check = Basic::<_, BIG>::new(s).with(s, [s.load(first, 0); VECTORS]);
    if !check.is_all(s) {
        return 0;
    }
    let (ahead, mut at) = (Ahead::of(src), (64 - src.as_ptr().addr() % 64) / 2 * 2);
    let block = VECTORS * S::LANES;
    for span in src[at..].chunks_exact(SPAN * block) {
        for text in span.chunks_exact(block) {
            ahead.ask(text);
            check = check.with(s, load(s, text));
        }
        if !check.is_all(s) {
            return at;
        }
        at += span.len();
    }
    // The last block overlaps the one before it.
    let Some(last) = src.len().checked_sub(block) else { return at };
    check = check.with(s, load(s, &src[last..]));
    for text in src[at..].chunks_exact(block) {
        check = check.with(s, load(s, text));
    }
    if check.is_all(s) { src.len() } else { at }
}

/// Checks that units of UTF-16 are no surrogates.
#[derive(Clone, Copy)]
pub(super) struct Basic<B, const BIG: bool> {
    /// The least difference from a surrogate.
    least: B,
}

impl<B: Bytes, const BIG: bool> Basic<B, BIG> {
    #[inline(always)]
    pub(super) fn new<S: Vector<Bytes = B>>(s: S) -> Self {
        Basic { least: splat_unit::<S, false>(s, 0x800) }
    }

    /// Whether all units were no surrogates.
    #[inline(always)]
    pub(super) fn is_all<S: Vector<Bytes = B>>(self, s: S) -> bool {
        self.least.are_units_from(splat_unit::<S, false>(s, 0x800))
    }
}

impl<S: Vector, const BIG: bool> Check<S> for Basic<S::Bytes, BIG> {
    #[inline(always)]
    fn with(mut self, s: S, [a, b, c, d]: [S::Bytes; VECTORS]) -> Self {
        let kind = splat_unit::<S, false>(s, 0xD800);
        let [a, b, c, d] = if BIG { [swapped(a), swapped(b), swapped(c), swapped(d)] } else { [a, b, c, d] };
        let least = (a ^ kind).min_units(b ^ kind).min_units((c ^ kind).min_units(d ^ kind));
        self.least = self.least.min_units(least);
        self
    }
}
