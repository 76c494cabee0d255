//! Where the first error of UTF-8 stands, once it is known that there is one.

#![forbid(unsafe_code)]

use super::utf8::{Grammar, LEAST_LEAD, Window, unfinished};
use crate::vector::{Bytes, Lanes, Vector};

/// Where well-formed text ends: where the first error begins, or what the end cuts off. Two bytes may be left unread.
#[inline(always)]
pub(crate) fn before_error<S: Vector>(s: S, src: &[u8]) -> usize {
    if S::LANES == 64 {
        return by_masks(s, src);
    }
    // To read them one by one is faster.
    if src.len() <= 16 {
        return 0;
    }
    let mut at = 0;
    while src.get(at..at + S::LANES).is_some_and(
        #[inline(always)]
        |bytes| s.load(bytes, 0).high_bits() == 0,
    ) {
        at += S::LANES;
    }
    let grammar = S::Grammar::new(s);
    let last = src.len().saturating_sub(S::LANES);
    let mut window = match at {
        0 if src.len() < S::LANES => Window::first(s.load_text(src)),
        0 => Window::first(s.load(src, 0)),
        _ if last < 3 => return src.len().min(at),
        _ => Window::load(s, src, at.min(last)),
    };
    at = at.min(last);
    loop {
        let broken = grammar.broken(s.splat(0), window);
        if !broken.is_zero() {
            let lanes = !broken.equal(s.splat(0)).bits() & (!0 >> (64 - S::LANES));
            return start(src, at + lanes.trailing_zeros() as usize);
        }
        // The last vector overlaps the one before it, and needs three bytes before it.
        let next = (at + S::LANES).min(last);
        if next <= at || next < 3 {
            break;
        }
        at = next;
        window = Window::load(s, src, at);
    }
    boundary(&src[..src.len().min(at + S::LANES)])
}

/// Where well-formed text of less than a vector ends, exactly if it is not very short.
#[inline(always)]
pub(crate) fn in_one<S: Vector>(s: S, src: &[u8]) -> usize {
    let bytes = s.load_text(src);
    let window = Window::first(bytes);
    match s.broken_lanes(window) {
        0 => src.len(),
        // To read them one by one is faster.
        _ if src.len() < 4 => 0,
        broken => broken.trailing_zeros() as usize - before::<S>(s, window, broken),
    }
}

/// The same of any text.
#[inline(always)]
fn by_masks<S: Vector>(s: S, src: &[u8]) -> usize {
    let len = src.len();
    if len < S::LANES {
        return in_one(s, src);
    }
    let mut at = 0;
    while at + S::LANES <= len && s.load(src, at).high_bits() == 0 {
        at += S::LANES;
    }
    loop {
        let window = match at {
            0 => Window::first(s.load(src, 0)),
            _ if at + S::LANES <= len => Window::load(s, src, at),
            // Behind the end are zeros, which are no continuations.
            _ => Window::load_part(s, src, at),
        };
        let broken = s.broken_lanes(window);
        if broken != 0 {
            return at + broken.trailing_zeros() as usize - before::<S>(s, window, broken);
        }
        if at + S::LANES > len {
            return len;
        }
        at += S::LANES;
    }
}

/// How many bytes the error has before the first of these lanes, where it shows. Without a branch: it would be guessed wrong.
#[inline(always)]
fn before<S: Vector>(s: S, window: Window<S::Bytes>, broken: u64) -> usize {
    let lane = broken.trailing_zeros();
    let there = |lanes: u64| (lanes >> lane) as usize & 1;
    let [first, second, _] = window.before.map(|at| there(at.at_least(s.splat(LEAST_LEAD)).bits()));
    let is_continuation = there(window.at.less(s.splat(LEAST_LEAD)).bits());
    // After a lead, the error begins there (1); else a continuation is one too many (0); else the lead is two (2) or three bytes before (3). A digit
    // for each of the eight cases, the last one for 0.
    const BEFORE: usize = 0o10_12_10_13;
    BEFORE >> (3 * (second << 2 | is_continuation << 1 | first)) & 3
}

/// Where the last whole sequence ends.
#[inline(never)]
pub(super) fn boundary(text: &[u8]) -> usize {
    text.len() - unfinished(text)
}

/// Where an error begins that shows at `at`, the first byte that cannot follow what precedes it, or behind the end.
#[cold]
#[inline(never)]
fn start(src: &[u8], at: usize) -> usize {
    let at = at.min(src.len());
    let is_continuation = src.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let is_lead = |back: usize| at >= back && src[at - back] >= 0xC0;
    at.saturating_sub(match () {
        () if is_lead(1) => 1,
        // It is one too many.
        () if is_continuation => 0,
        () if is_lead(2) => 2,
        () => 3,
    })
}
