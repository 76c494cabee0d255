//! Counts one number of a form whose code units are bytes. On levels whose masks are bits, counts bits if one mask for each vector is
//! enough, and otherwise lanes, because it takes long to move masks to where they become numbers. On other levels, always counts lanes.

#![forbid(unsafe_code)]

use super::{ALL, CODE_POINTS, LATIN1, VECTORS, to_line};
use crate::kernel::blocks::last_part;
use crate::kernel::named::{Latin1Measure, Utf8CountLong, Utf8Measure};
use crate::kernel::prefetch::Ahead;
use crate::vector::{Bytes, Lanes, Vector};

/// How many units of UTF-16 a byte of UTF-8 adds, by the upper half of the byte.
const UNITS: [u8; 16] = [1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 2];

/// Up to this many vectors are read without aligning loads to cache lines, in a loop that the compiler unrolls.
const SHORT: usize = 8;
/// The same on levels whose masks are not bits. A lane must be able to count this many.
const MEDIUM: usize = 120;
/// Up to this many vectors are counted by bits even if each needs two masks.
const FEW: usize = 3;
/// Blocks that a lane can count, with one more before them and some vectors after.
const SPAN: usize = 27;

/// Returns the length of ISO 8859-1 in UTF-8.
#[inline(always)]
pub(crate) fn latin1_in_utf8<S: Vector>(s: S, src: &[u8]) -> usize {
    src.len() + count::<S, LATIN1>(s, src)
}

/// Returns the number of code points of UTF-8.
#[inline(always)]
pub(crate) fn code_points<S: Vector>(s: S, src: &[u8]) -> usize {
    src.len() - count::<S, CODE_POINTS>(s, src)
}

/// Returns the length of UTF-8 in UTF-16, in units.
#[inline(always)]
pub(crate) fn utf8_in_utf16<S: Vector>(s: S, src: &[u8]) -> usize {
    count::<S, ALL>(s, src)
}

/// Counts what is not ASCII (`LATIN1`), the continuations (`CODE_POINTS`), or all units of UTF-16 (`ALL`).
#[inline(always)]
fn count<S: Vector, const WHAT: u8>(s: S, src: &[u8]) -> usize {
    let n = src.len();
    if n <= S::LANES {
        let (bytes, zeros) = (s.load_text(src), zeros::<WHAT>(S::LANES - n));
        if const { S::LANES > 16 } {
            return in_bits::<S, WHAT>(s, bytes) - zeros;
        }
        return tally::<S, WHAT>(s, s.splat(0), bytes).sum_bytes() as usize - zeros;
    }
    if const { S::LANES < 64 } {
        if !cfg!(placemat_lean) && n <= MEDIUM * S::LANES {
            return medium_in_lanes::<S, WHAT>(s, src);
        }
        // In a separate function, so that other texts need not save the registers that it uses.
        return match WHAT {
            LATIN1 => s.read_apart::<Latin1Measure>(src).utf8 - n,
            CODE_POINTS => n - s.read_apart::<Utf8CountLong>(src).code_points,
            _ => {
                let all = s.read_apart::<Utf8Measure>(src);
                all.code_points + all.supplementary
            }
        };
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

/// Like [`count`], for many vectors with one mask each.
#[inline(always)]
fn long_in_bits<S: Vector, const WHAT: u8>(s: S, src: &[u8]) -> usize {
    // Only for a longer text it pays to read the head separately, so that later loads do not cross cache lines.
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

/// Counts units of UTF-16 in lanes.
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

/// Like [`count`], for more than one vector and at most [`MEDIUM`], on levels whose masks are not bits.
#[inline(always)]
fn medium_in_lanes<S: Vector, const WHAT: u8>(s: S, src: &[u8]) -> usize {
    let (size, n, mut lanes) = (S::LANES, src.len(), s.splat(0));
    // The last vector is never empty, so that no branch depends on its length.
    let last = (n - 1) % size + 1;
    let blocks = src[..n - last].chunks_exact(2 * size);
    let rest = blocks.remainder();
    for text in blocks {
        lanes = tally::<S, WHAT>(s, lanes, s.load(text, 0));
        lanes = tally::<S, WHAT>(s, lanes, s.load(text, size));
    }
    if !rest.is_empty() {
        lanes = tally::<S, WHAT>(s, lanes, s.load(rest, 0));
    }
    lanes = tally::<S, WHAT>(s, lanes, last_part(s, src, last));
    lanes.sum_bytes() as usize - zeros::<WHAT>(size - last)
}

/// Adds the count of these bytes to the lanes.
#[inline(always)]
fn tally<S: Vector, const WHAT: u8>(s: S, sums: S::Bytes, bytes: S::Bytes) -> S::Bytes {
    match WHAT {
        ALL => in_lanes(s, sums, bytes),
        LATIN1 => sums.tally(bytes.less(s.splat(0))),
        _ => sums.tally(bytes.less(s.splat(0xC0))),
    }
}

/// Returns what the zeros after the end have been counted as.
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
