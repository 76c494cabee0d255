//! Where the first error of UTF-8 stands, once it is known that there is one.

#![forbid(unsafe_code)]

use super::Valid;
use super::utf8::{LEAST_LEAD, Window, unfinished};
use crate::vector::{Bytes, Lanes, Vector};

/// Where well-formed text ends: where the first error begins, or what the end cuts off.
#[inline(always)]
pub(crate) fn before_error<S: Vector>(s: S, src: &[u8]) -> Valid {
    if src.len() < S::LANES {
        return in_one(s, src);
    }
    let mut at = 0;
    while at + S::LANES <= src.len() && s.load(src, at).high_bits() == 0 {
        at += S::LANES;
    }
    if const { S::LANES == 64 } { by_masks(s, src, at) } else { by_vectors(s, src, at) }
}

/// The same from `at` on, before which all is ASCII, where a part of a vector is slow to load: the last vector overlaps the one before it.
#[inline(always)]
fn by_vectors<S: Vector>(s: S, src: &[u8], mut at: usize) -> Valid {
    let last = src.len() - S::LANES;
    loop {
        at = at.min(last);
        let window = Window::load_any(s, src, at);
        let broken = s.broken_lanes(window);
        if broken != 0 {
            return found(s, src, at, window.at, broken);
        }
        if at == last {
            return Valid::exactly(src.len() - unfinished(src), src.len());
        }
        at += S::LANES;
    }
}

/// Where well-formed text of less than a vector ends.
#[inline(always)]
pub(crate) fn in_one<S: Vector>(s: S, src: &[u8]) -> Valid {
    in_lanes(s, src, s.load_text(src))
}

/// The same, where that is not slow to load.
#[inline(always)]
pub(crate) fn in_one_plainly<S: Vector>(s: S, src: &[u8]) -> Valid {
    in_lanes(s, src, s.load_part(src))
}

#[inline(always)]
fn in_lanes<S: Vector>(s: S, src: &[u8], bytes: S::Bytes) -> Valid {
    let window = Window::first(bytes);
    match s.broken_lanes(window) {
        0 => Valid::near(src.len()),
        broken => start_in_first(s, bytes, broken),
    }
}

/// As [`by_vectors`], where a part of a vector is loaded as fast as a whole one.
#[inline(always)]
fn by_masks<S: Vector>(s: S, src: &[u8], mut at: usize) -> Valid {
    let len = src.len();
    loop {
        let window = match at {
            0 => Window::first(s.load(src, 0)),
            _ if at + S::LANES <= len => Window::load(s, src, at),
            // Behind the end are zeros, which are no continuations.
            _ => Window::load_part(s, src, at),
        };
        let broken = s.broken_lanes(window);
        if broken != 0 {
            return found(s, src, at, window.at, broken);
        }
        if at + S::LANES > len {
            return Valid::near(len);
        }
        at += S::LANES;
    }
}

/// Where the first error begins, which shows in the two vectors from `at` on, with three bytes before them. Without a branch on which: it would be
/// guessed wrong.
#[inline(always)]
pub(super) fn in_two<S: Vector>(s: S, src: &[u8], at: usize) -> Valid {
    let [first, second] = [at, at + S::LANES].map(
        #[inline(always)]
        |at| s.broken_lanes(Window::load(s, src, at)),
    );
    let place = if first != 0 { first.trailing_zeros() } else { S::LANES as u32 + second.trailing_zeros() };
    start_before(src, at + place as usize)
}

/// Where the error begins that shows first in these lanes of the vector at `at`.
#[inline(always)]
fn found<S: Vector>(s: S, src: &[u8], at: usize, bytes: S::Bytes, broken: u64) -> Valid {
    match at {
        0 => start_in_first(s, bytes, broken),
        _ => start_before(src, at + broken.trailing_zeros() as usize),
    }
}

/// Where the error begins that shows first in these lanes of the first vector. Without a branch: it would be guessed wrong.
#[inline(always)]
fn start_in_first<S: Vector>(s: S, bytes: S::Bytes, broken: u64) -> Valid {
    let leads = bytes.at_least(s.splat(0xC0)).bits();
    let continuations = bytes.less(s.splat(LEAST_LEAD)).bits();
    // A continuation that no lead stands before is one too many.
    let lone = continuations & !(leads << 1) & broken & broken.wrapping_neg();
    let start = (leads & (broken ^ (broken - 1)) >> 1).leading_zeros() as usize ^ 63;
    let shows = broken.trailing_zeros() as usize;
    Valid::exactly(if lone != 0 { shows } else { start }, shows)
}

/// Where the error begins that shows at `at`, from the fourth byte on. Without a branch.
#[inline(always)]
fn start_before(src: &[u8], at: usize) -> Valid {
    // The last byte on top, if there is one; else, a zero.
    let last = at.min(src.len() - 1);
    let Some(word) = src.get(last - 3..).and_then(|bytes| bytes.first_chunk()) else { return Valid::near(0) };
    let word = u32::from_le_bytes(*word) >> (8 * (at - last));
    let leads = word & word << 1 & 0x80_8080;
    let is_lone = (word >> 24) & 0xC0 == 0x80 && leads >> 23 == 0;
    Valid::exactly(at - if is_lone { 0 } else { leads.leading_zeros() as usize / 8 }, at)
}

/// Where the last whole sequence ends.
#[inline(never)]
pub(super) fn boundary(text: &[u8]) -> usize {
    text.len() - unfinished(text)
}
