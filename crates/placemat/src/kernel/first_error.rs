//! Finds where the first error of UTF-8 is, if there is known to be one.

#![forbid(unsafe_code)]

use super::Valid;
use super::named::Utf8BeforeError;
use super::utf8::{LEAST_LEAD, Window, cut_off, unfinished};
use crate::vector::{Bytes, Lanes, Vector};

/// Returns where well-formed text ends: where the first error begins, or where a sequence begins that the end cuts off. Of a text shorter than
/// a vector, only the widest vectors look for it.
#[inline(always)]
pub(crate) fn before_error<S: Vector>(s: S, src: &[u8]) -> Valid {
    if src.len() < S::LANES {
        return if const { S::LANES == 64 } { in_one(s, src) } else { Valid::near(0) };
    }
    let mut at = 0;
    while at + S::LANES <= src.len() && s.load(src, at).high_bits() == 0 {
        at += S::LANES;
    }
    if const { S::LANES == 64 } { by_masks(s, src, at) } else { by_vectors(s, src, at) }
}

/// Like [`before_error`], from `at` on; everything before is ASCII. For levels on which a part of a vector is slow to load: the last
/// vector overlaps the one before it.
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

/// Returns where well-formed text ends, in a text shorter than a vector.
#[inline(always)]
pub(crate) fn in_one<S: Vector>(s: S, src: &[u8]) -> Valid {
    in_lanes(s, src, s.load_text(src))
}

/// Like [`in_one`], for a text that is not slow to load.
#[inline(always)]
pub(crate) fn in_one_plainly<S: Vector>(s: S, src: &[u8]) -> Valid {
    in_lanes(s, src, s.load_part(src))
}

/// Like [`in_one`], for at most a vector. Texts of more than sixteen bytes are first checked for ASCII.
#[inline(always)]
pub(crate) fn in_one_or_ascii<S: Vector>(s: S, src: &[u8]) -> Valid {
    if src.len() > 16
        && let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk())
        && (u128::from_le_bytes(*first) | u128::from_le_bytes(*last)) & ASCII == 0
    {
        return Valid::near(src.len());
    }
    let bytes = s.load_part(src);
    let window = Window::first(bytes);
    match s.broken_lanes(window) {
        // After a text shorter than a vector there is a zero, which is no continuation.
        0 if src.len() < S::LANES || cut_off(s, bytes).is_zero() => Valid::near(src.len()),
        0 => s.read_apart::<Utf8BeforeError>(src),
        broken => start_in_first(s, bytes, broken),
    }
}

/// The bits that ASCII does not have.
const ASCII: u128 = u128::from_le_bytes([0x80; 16]);

#[inline(always)]
fn in_lanes<S: Vector>(s: S, src: &[u8], bytes: S::Bytes) -> Valid {
    let window = Window::first(bytes);
    match s.broken_lanes(window) {
        0 => Valid::near(src.len()),
        broken => start_in_first(s, bytes, broken),
    }
}

/// Like [`by_vectors`], for levels that load a part of a vector as fast as a whole one.
#[inline(always)]
fn by_masks<S: Vector>(s: S, src: &[u8], mut at: usize) -> Valid {
    let len = src.len();
    loop {
        let window = match at {
            0 => Window::first(s.load(src, 0)),
            _ if at + S::LANES <= len => Window::load(s, src, at),
            // The zeros after the end are no continuations.
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

/// Returns where the first error begins. It shows in one of the two vectors from `at` on; three bytes precede them. There is no branch on which
/// one, because it would be mispredicted.
#[inline(always)]
pub(super) fn in_two<S: Vector>(s: S, src: &[u8], at: usize) -> Valid {
    let first = s.broken_lanes(Window::load(s, src, at));
    let second = s.broken_lanes(Window::load(s, src, at + S::LANES));
    let place = if first != 0 { first.trailing_zeros() } else { S::LANES as u32 + second.trailing_zeros() };
    start_before(src, at + place as usize)
}

/// Returns where the error begins that shows first in the lanes of `broken`, in the vector at `at`.
#[inline(always)]
fn found<S: Vector>(s: S, src: &[u8], at: usize, bytes: S::Bytes, broken: u64) -> Valid {
    match at {
        0 => start_in_first(s, bytes, broken),
        _ => start_before(src, at + broken.trailing_zeros() as usize),
    }
}

/// Returns where the error begins that shows first in the lanes of `broken`, in the first vector. Without a branch, which would be
/// mispredicted.
#[inline(always)]
fn start_in_first<S: Vector>(s: S, bytes: S::Bytes, broken: u64) -> Valid {
    let leads = bytes.at_least(s.splat(0xC0)).bits();
    let continuations = bytes.less(s.splat(LEAST_LEAD)).bits();
    // A continuation without a lead before it is an error by itself.
    let lone = continuations & !(leads << 1) & broken & broken.wrapping_neg();
    let start = (leads & (broken ^ (broken - 1)) >> 1).leading_zeros() as usize ^ 63;
    let shows = broken.trailing_zeros() as usize;
    Valid::exactly(if lone != 0 { shows } else { start }, shows)
}

/// Returns where the error begins that shows at `at`, which is 3 or more. Without a branch.
#[inline(always)]
fn start_before(src: &[u8], at: usize) -> Valid {
    // The four bytes up to `at`, the last one in the highest bits; zero there if `at` is the end of the text.
    let last = at.min(src.len() - 1);
    let Some(word) = src.get(last - 3..).and_then(|bytes| bytes.first_chunk()) else { return Valid::near(0) };
    let word = u32::from_le_bytes(*word) >> (8 * (at - last));
    let leads = word & word << 1 & 0x80_8080;
    let is_lone = (word >> 24) & 0xC0 == 0x80 && leads >> 23 == 0;
    Valid::exactly(at - if is_lone { 0 } else { leads.leading_zeros() as usize / 8 }, at)
}

/// Returns where the last whole sequence ends.
#[inline(never)]
pub(super) fn boundary(text: &[u8]) -> usize {
    text.len() - unfinished(text)
}
