//! How many bytes at the start are well-formed UTF-8.
//!
//! The check itself has no branches and takes the same time on every text, so a test for ASCII pays only where it is
//! mostly true: a mispredicted branch costs as much as 100 to 200 bytes of checking. Each stretch of text decides how
//! the next one is read.

#![forbid(unsafe_code)]

use super::ascii;
use super::utf8::{Grammar, Window, unfinished};
use crate::simd::{Bytes, Simd};

/// Up to so many bytes, [`medium`] is best.
pub(crate) const MEDIUM: usize = 256;
/// Bytes in one turn of the loops.
const CHUNK: usize = 128;
/// Bytes between two looks for errors.
const STRETCH: usize = 16 * CHUNK;
/// A stretch with so many ASCII chunks is followed by one that looks for ASCII.
const SPARSE: u32 = 6;
/// After so many half chunks of ASCII, more is likely to follow.
const LONG: u32 = 8;

/// Whether fewer than `LANES` bytes are well-formed.
#[inline(always)]
pub(crate) fn short<S: Simd>(s: S, src: &[u8]) -> bool {
    let bytes = s.load_part(src);
    if bytes.high_bits() == 0 {
        return true;
    }
    // The zero after the last byte is no continuation, so a sequence that is cut off is broken there.
    let window = Window::first(bytes);
    S::Grammar::new(s).broken(s.splat(0), window).is_zero()
}

/// Whether `LANES` or more bytes are well-formed, for texts so short that only the number of instructions counts.
#[inline(always)]
pub(crate) fn medium<S: Simd>(s: S, src: &[u8]) -> bool {
    let last = src.len() - S::LANES;
    let first = s.load(src, 0);
    let mut any = first | s.load(src, last);
    for at in (S::LANES..last).step_by(S::LANES) {
        any = any | s.load(src, at);
    }
    if any.high_bits() == 0 {
        return true;
    }
    let grammar = S::Grammar::new(s);
    let mut broken = grammar.broken(s.splat(0), Window::first(first));
    for at in (S::LANES..last).step_by(S::LANES) {
        broken = grammar.broken(broken, Window::load(s, src, at));
    }
    // The last vector overlaps the one before it, unless too little precedes it.
    let window = if last >= 3 { Window::load(s, src, last) } else { Window::load_part(s, src, S::LANES) };
    grammar.broken(broken, window).is_zero() && unfinished(src) == 0
}

/// The length of a well-formed prefix that ends on a boundary: everything, or less than 4 KiB short of the first error.
/// There must be `LANES` bytes.
#[inline(always)]
pub(crate) fn long<S: Simd>(s: S, src: &[u8]) -> usize {
    let grammar = S::Grammar::new(s);
    let mut broken = s.splat(0);
    let mut at = ascii::calm(s, src);
    let mut sparse = at > 0;
    if at == 0 {
        broken = grammar.broken(broken, Window::first(s.load(src, 0)));
        at = S::LANES;
        if !broken.is_zero() {
            return 0;
        }
    }
    while src.len() - at >= CHUNK {
        let start = at;
        let calm;
        (broken, at, calm) =
            if sparse { sparse_stretch(s, grammar, src, at) } else { dense_stretch(s, grammar, src, at) };
        if !broken.is_zero() {
            return start - unfinished(&src[..start]);
        }
        sparse = calm >= SPARSE;
    }
    let start = at;
    while src.len() - at >= S::LANES {
        broken = grammar.broken(broken, Window::load(s, src, at));
        at += S::LANES;
    }
    // The rest: one vector that ends where the text ends, and overlaps.
    let last = src.len() - S::LANES;
    let window = if last >= 3 { Window::load(s, src, last) } else { Window::load_part(s, src, at) };
    broken = grammar.broken(broken, window);
    let text = if broken.is_zero() { src } else { &src[..start] };
    text.len() - unfinished(text)
}

/// What is broken from `at` on, in whole chunks up to a stretch; where that ends; how many chunks are ASCII.
#[inline(always)]
fn dense_stretch<S: Simd>(s: S, grammar: S::Grammar, src: &[u8], mut at: usize) -> (S::Bytes, usize, u32) {
    let mut broken = s.splat(0);
    let mut calm = 0;
    let end = src.len().min(at + STRETCH);
    while let Some(text) = src[at - 3..end].first_chunk::<{ CHUNK + 3 }>() {
        let mut any = s.splat(0);
        for lane in (3..CHUNK + 3).step_by(S::LANES) {
            let window = Window::load(s, text, lane);
            broken = grammar.broken(broken, window);
            any = any | window.at;
        }
        calm += u32::from(any.high_bits() == 0);
        at += CHUNK;
    }
    (broken, at, calm)
}

/// The same, of text that is mostly ASCII.
#[inline(always)]
fn sparse_stretch<S: Simd>(s: S, grammar: S::Grammar, src: &[u8], mut at: usize) -> (S::Bytes, usize, u32) {
    const HALF: usize = CHUNK / 2;
    let mut broken = s.splat(0);
    let mut calm = 0;
    let mut streak = 0;
    let mut inside = unfinished(&src[..at]) != 0;
    let end = src.len().min(at + STRETCH);
    while let Some(text) = src[at - 3..end].first_chunk::<{ HALF + 3 }>() {
        at += HALF;
        let mut any = s.splat(0);
        for lane in (3..HALF + 3).step_by(S::LANES) {
            any = any | s.load(text, lane);
        }
        if any.high_bits() == 0 && !inside {
            calm += 1;
            streak += 1;
            if streak == LONG {
                return (broken, at + ascii::calm(s, &src[at..]), SPARSE);
            }
            continue;
        }
        for lane in (3..HALF + 3).step_by(S::LANES) {
            broken = grammar.broken(broken, Window::load(s, text, lane));
        }
        streak = 0;
        inside = unfinished(&src[..at]) != 0;
    }
    (broken, at, calm / 2)
}
