//! How many bytes at the start are well-formed UTF-8.

#![forbid(unsafe_code)]

use super::ascii;
use super::utf8::{Grammar, Window, unfinished};
use crate::simd::{Bytes, Simd};

/// One turn of the loop.
const CHUNK: usize = 128;
/// Errors are looked for once per this many bytes.
const STRETCH: usize = 16 * CHUNK;
/// After so many bits of history that are zero, one a chunk, what follows is likely to be ASCII too.
const CALM: u32 = 0b11;

/// The length of a well-formed prefix that ends on a boundary: everything, or less than 4 KiB short of the first error.
#[inline(always)]
pub(crate) fn utf8_prefix<S: Simd>(s: S, src: &[u8]) -> usize {
    let rules = S::Grammar::new(s);
    if src.len() <= S::LANES {
        let window = Window::first(s.load_part(src));
        return if rules.broken(s.splat(0), window).is_zero() { src.len() - unfinished(src) } else { 0 };
    }
    let mut at = ascii::calm(s, src);
    let mut broken = s.splat(0);
    if at == 0 {
        broken = rules.broken(broken, Window::first(s.load(src, 0)));
        at = S::LANES;
        if !broken.is_zero() {
            return 0;
        }
    }
    while src.len() - at >= CHUNK {
        let start = at;
        (broken, at) = stretch(s, rules, src, at);
        if !broken.is_zero() {
            return start - unfinished(&src[..start]);
        }
    }
    let start = at;
    while src.len() - at >= S::LANES {
        broken = rules.broken(broken, Window::load(s, src, at));
        at += S::LANES;
    }
    // The rest: one vector that ends where the text ends, and overlaps.
    let last = src.len() - S::LANES;
    let window = if last >= 3 { Window::load(s, src, last) } else { Window::load_part(s, src, at) };
    broken = rules.broken(broken, window);
    let text = if broken.is_zero() { src } else { &src[..start] };
    text.len() - unfinished(text)
}

/// What is broken from `at` on, in whole chunks up to about a stretch, and where the stretch ends.
#[inline(always)]
fn stretch<S: Simd>(s: S, rules: S::Grammar, src: &[u8], mut at: usize) -> (S::Bytes, usize) {
    let mut broken = s.splat(0);
    let mut history = !0;
    for start in (at..src.len().min(at + STRETCH) - CHUNK + 1).step_by(CHUNK) {
        let text: &[u8; CHUNK + 3] =
            src[start - 3..].first_chunk().expect("the range ends a chunk before the text");
        let mut any = s.splat(0);
        for lane in (3..CHUNK + 3).step_by(S::LANES) {
            let window = Window::load(s, text, lane);
            broken = rules.broken(broken, window);
            any = any | window.at;
        }
        at = start + CHUNK;
        history = history << 1 | u32::from(any.high_bits() != 0);
        if history & CALM == 0 {
            return (broken, at + ascii::calm(s, &src[at..]));
        }
    }
    (broken, at)
}
