//! One number of a form of bytes, where a CPU has lanes as bits. Where that takes two masks for each vector, lanes count, since masks
//! take longer to where they become numbers.

#![forbid(unsafe_code)]

use super::{ALL, CODE_POINTS, LATIN1, VECTORS, to_line};
use crate::kernel::prefetch::Ahead;
use crate::vector::{Bytes, Lanes, Vector};

/// What a code point takes in UTF-16, for the upper half of each byte of UTF-8.
const UNITS: [u8; 16] = [1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 2];

/// So many vectors are read without a look at where lines of the cache begin; a loop that the compiler writes out.
const SHORT: usize = 8;
/// How many are counted in bits where that takes two masks each.
const FEW: usize = 3;
/// Blocks that lanes can count, with one before them and some after.
const SPAN: usize = 27;

/// The length of ISO 8859-1 in UTF-8.
#[inline(always)]
pub(crate) fn latin1_in_utf8<S: Vector>(s: S, src: &[u8]) -> usize {
    if const { S::LANES < 64 } {
        return super::bytes::<S, LATIN1>(s, src).utf8;
    }
    src.len() + count::<S, LATIN1>(s, src)
}

/// The code points of UTF-8.
#[inline(always)]
pub(crate) fn code_points<S: Vector>(s: S, src: &[u8]) -> usize {
    if const { S::LANES < 64 } {
        return super::bytes::<S, CODE_POINTS>(s, src).code_points;
    }
    src.len() - count::<S, CODE_POINTS>(s, src)
}

/// The length of UTF-8 in UTF-16, in units.
#[inline(always)]
pub(crate) fn utf8_in_utf16<S: Vector>(s: S, src: &[u8]) -> usize {
    if const { S::LANES < 64 } {
        let all = super::bytes::<S, ALL>(s, src);
        return all.code_points + all.supplementary;
    }
    count::<S, ALL>(s, src)
}

/// What is not ASCII, the continuations, or all units of UTF-16.
#[inline(always)]
fn count<S: Vector, const WHAT: u8>(s: S, src: &[u8]) -> usize {
    if src.len() <= S::LANES {
        return in_bits::<S, WHAT>(s, s.load_text(src)) - zeros::<WHAT>(S::LANES - src.len());
    }
    if const { WHAT == ALL } && src.len() > FEW * S::LANES {
        return all_in_lanes(s, src);
    }
    if src.len() > SHORT * S::LANES {
        return long_in_bits::<S, WHAT>(s, src);
    }
    let vectors = src.chunks_exact(S::LANES);
    let (mut sum, rest) = (0, vectors.remainder());
    for text in vectors {
        sum += in_bits::<S, WHAT>(s, s.load(text, 0));
    }
    if !rest.is_empty() {
        sum += in_bits::<S, WHAT>(s, s.load_part(rest)) - zeros::<WHAT>(S::LANES - rest.len());
    }
    sum
}

/// The same of many vectors, of one mask each.
#[inline(always)]
fn long_in_bits<S: Vector, const WHAT: u8>(s: S, src: &[u8]) -> usize {
    // How long a text must be that begins apart, so that loads do not cross lines of the cache.
    let (head, body) = src.split_at(if src.len() > 2 * SHORT * S::LANES { to_line(src) } else { S::LANES });
    let (blocks, ahead) = (body.chunks_exact(VECTORS * S::LANES), Ahead::of(src));
    let vectors = blocks.remainder().chunks_exact(S::LANES);
    let mut sum = in_bits::<S, WHAT>(s, s.load_part(head));
    sum += in_bits::<S, WHAT>(s, s.load_part(vectors.remainder()));
    for text in blocks {
        ahead.ask(text);
        for i in 0..VECTORS {
            sum += in_bits::<S, WHAT>(s, s.load(text, i * S::LANES));
        }
    }
    for text in vectors {
        sum += in_bits::<S, WHAT>(s, s.load(text, 0));
    }
    sum
}

/// Units of UTF-16: lanes count them.
#[inline(always)]
fn all_in_lanes<S: Vector>(s: S, src: &[u8]) -> usize {
    if src.len() <= SHORT * S::LANES {
        let vectors = src.chunks_exact(S::LANES);
        let rest = vectors.remainder();
        let mut lanes = in_lanes(s, s.splat(0), s.load_part(rest));
        for text in vectors {
            lanes = in_lanes(s, lanes, s.load(text, 0));
        }
        return lanes.sum_bytes() as usize - zeros::<ALL>(S::LANES - rest.len());
    }
    let (block, ahead) = (VECTORS * S::LANES, Ahead::of(src));
    let (head, body) = src.split_at(to_line(src));
    let (mut padded, mut sum) = (S::LANES - head.len(), 0);
    let mut lanes = in_lanes(s, s.splat(0), s.load_part(head));
    for span in body.chunks(SPAN * block) {
        let blocks = span.chunks_exact(block);
        let vectors = blocks.remainder().chunks_exact(S::LANES);
        let rest = vectors.remainder();
        for text in blocks {
            ahead.ask(text);
            for i in 0..VECTORS {
                lanes = in_lanes(s, lanes, s.load(text, i * S::LANES));
            }
        }
        for text in vectors {
            lanes = in_lanes(s, lanes, s.load(text, 0));
        }
        if !rest.is_empty() {
            lanes = in_lanes(s, lanes, s.load_part(rest));
            padded += S::LANES - rest.len();
        }
        sum += lanes.sum_bytes() as usize;
        lanes = s.splat(0);
    }
    sum - zeros::<ALL>(padded)
}

/// What so many zeros behind an end have counted as.
#[inline(always)]
fn zeros<const WHAT: u8>(n: usize) -> usize {
    if WHAT == ALL { n } else { 0 }
}

#[inline(always)]
fn in_bits<S: Vector, const WHAT: u8>(s: S, bytes: S::Bytes) -> usize {
    let tails = bytes.less(s.splat(if WHAT == LATIN1 { 0 } else { 0xC0 })).bits().count_ones() as usize;
    if const { WHAT != ALL } {
        return tails;
    }
    S::LANES + bytes.at_least(s.splat(0xF0)).bits().count_ones() as usize - tails
}

#[inline(always)]
fn in_lanes<S: Vector>(s: S, sums: S::Bytes, bytes: S::Bytes) -> S::Bytes {
    sums + s.of_upper_half(bytes, &UNITS)
}
