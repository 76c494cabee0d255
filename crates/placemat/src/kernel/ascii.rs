//! Finds and copies ASCII at the start of a text.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::Progress;
use super::prefetch::Ahead;
use crate::vector::{Bytes, Vector, steps};

/// Returns whether a text of at least one vector is all ASCII.
#[inline(always)]
pub(crate) fn all<S: Vector>(s: S, text: &[u8]) -> bool {
    // The last vector overlaps the one before it.
    let mut any = s.load(text, text.len() - S::LANES);
    for vector in text.chunks_exact(S::LANES) {
        any = any | s.load(vector, 0);
    }
    any.high_bits() == 0
}

/// Returns the length of the ASCII prefix.
#[inline(always)]
pub(crate) fn prefix<S: Vector>(s: S, src: &[u8]) -> usize {
    let lanes = S::LANES;
    if src.len() <= lanes {
        return (s.load_text(src).high_bits().trailing_zeros() as usize).min(src.len());
    }
    let mut at = long_run(s, src);
    while at + lanes <= src.len() {
        let high = s.load(src, at).high_bits();
        if high != 0 {
            return at + high.trailing_zeros() as usize;
        }
        at += lanes;
    }
    // The last vector overlaps bytes that are known to be ASCII.
    let at = src.len() - lanes;
    (at + s.load(src, at).high_bits().trailing_zeros() as usize).min(src.len())
}

/// Returns a number of bytes at the start that are certainly ASCII: 0, or up to a place where a vector is aligned.
#[inline(always)]
pub(crate) fn long_run<S: Vector>(s: S, src: &[u8]) -> usize {
    let lanes = S::LANES;
    let Some(first) = src.get(..lanes) else { return 0 };
    if s.load(first, 0).high_bits() != 0 {
        return 0;
    }
    let mut at = to_boundary::<S>(src);
    for four in src[at..].chunks_exact(4 * lanes) {
        let any =
            (s.load(four, 0) | s.load(four, lanes)) | (s.load(four, 2 * lanes) | s.load(four, 3 * lanes));
        if any.high_bits() != 0 {
            break;
        }
        at += four.len();
    }
    at
}

/// Returns from where on vectors do not cross cache lines: 1 to `LANES` bytes from the start.
#[inline(always)]
pub(crate) fn to_boundary<S: Vector>(src: &[u8]) -> usize {
    S::LANES - src.as_ptr().addr() % S::LANES
}

/// Returns the bitwise or of `len` bytes from `from` on; `len` is a multiple of `LANES`.
#[inline(always)]
pub(crate) fn any<S: Vector>(s: S, text: &[u8], from: usize, len: usize) -> S::Bytes {
    let mut any = s.splat(0);
    for lane in steps(0..len, S::LANES) {
        any = any | s.load(text, from + lane);
    }
    any
}

/// Copies ASCII from the start in whole groups of four vectors. Returns how many bytes. Stores are aligned.
#[inline(always)]
pub(crate) fn copy<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let lanes = S::LANES;
    let mut at = 0;
    // Of the first vector, only the bytes up to the first boundary in the destination count.
    let first = dst.as_ptr().align_offset(lanes);
    if first != 0 && first < lanes && src.len() >= lanes && dst.len() >= lanes {
        let bytes = s.load(src, 0);
        if bytes.high_bits() != 0 {
            return 0;
        }
        s.store(bytes, dst, 0);
        at = first;
    }
    let ahead = Ahead::of(src);
    let room = dst[at..].chunks_exact_mut(4 * lanes);
    for (text, room) in src[at..].chunks_exact(4 * lanes).zip(room) {
        let four = [s.load(text, 0), s.load(text, lanes), s.load(text, 2 * lanes), s.load(text, 3 * lanes)];
        if ((four[0] | four[1]) | (four[2] | four[3])).high_bits() != 0 {
            break;
        }
        ahead.ask_both(text, room);
        s.store(four[0], room, 0);
        s.store(four[1], room, lanes);
        s.store(four[2], room, 2 * lanes);
        s.store(four[3], room, 3 * lanes);
        at += 4 * lanes;
    }
    at
}

/// Converts all of a text of more than one and at most 32 vectors, if it is ASCII: `put` writes a vector in units of `unit` bytes.
/// For the widest vectors, which need no check of the whole text before.
#[inline(always)]
pub(crate) fn each<S: Vector>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    unit: usize,
    put: impl Fn(S::Bytes, &mut [MaybeUninit<u8>]),
) -> Option<Progress> {
    if const { S::LANES < 64 } || !(S::LANES + 1..=32 * S::LANES).contains(&src.len()) {
        return None;
    }
    let (last, out) = (src.len() - S::LANES, dst.get_mut(..unit * src.len())?);
    if (s.load(src, 0) | s.load(src, last)).high_bits() != 0 {
        return None;
    }
    put_all::<S, true>(s, src, out, unit, put)
}

/// Converts all of a text of at least one vector with `put`, in units of `unit` bytes. `LOOK`: checks each vector, and returns `None` if
/// it is not ASCII.
#[inline(always)]
pub(crate) fn put_all<S: Vector, const LOOK: bool>(
    s: S,
    src: &[u8],
    out: &mut [MaybeUninit<u8>],
    unit: usize,
    put: impl Fn(S::Bytes, &mut [MaybeUninit<u8>]),
) -> Option<Progress> {
    // All vectors but the last, which overlaps the one before it.
    for (text, out) in src[..src.len() - 1].chunks_exact(S::LANES).zip(out.chunks_exact_mut(unit * S::LANES))
    {
        let bytes = s.load(text, 0);
        if LOOK && bytes.high_bits() != 0 {
            return None;
        }
        put(bytes, out);
    }
    let last = src.len() - S::LANES;
    put(s.load(src, last), &mut out[unit * last..]);
    Some(Progress { read: src.len(), written: unit * src.len(), replaced: 0 })
}

/// Copies ASCII from the start of a text of more than one vector. If the first and the last vector are ASCII, copies up to the first
/// vector that is not; otherwise nothing.
#[inline(always)]
pub(crate) fn leading<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let (lanes, mut at) = (S::LANES, 0);
    // Slices whose checks cannot fail: a function that can panic has a stack frame.
    let (Some(first), Some(end)) = (src.get(..lanes), src.get(src.len().wrapping_sub(lanes)..)) else {
        return 0;
    };
    let (last, end) = (src.len() - lanes, s.load(end, 0));
    if (s.load(first, 0) | end).high_bits() != 0 || dst.len() < src.len() {
        return 0;
    }
    // No iterators here, because they are not always inlined.
    while at < last {
        let (Some(text), Some(place)) = (src.get(at..at + lanes), dst.get_mut(at..at + lanes)) else {
            return at;
        };
        let bytes = s.load(text, 0);
        if bytes.high_bits() != 0 {
            return at;
        }
        s.store(bytes, place, 0);
        at += lanes;
    }
    let Some(place) = dst.get_mut(last..last + lanes) else { return 0 };
    s.store(end, place, 0);
    src.len()
}
