//! Where the first error of UTF-8 stands, once it is known that there is one.

#![forbid(unsafe_code)]

use super::utf8::{Grammar, Window, unfinished};
use crate::vector::{Bytes, Lanes, Vector};

/// Where well-formed text ends, of which as much as `at` is known to be: where the first error begins, or what the end cuts off.
#[inline(always)]
pub(crate) fn before_error<S: Vector>(s: S, src: &[u8], mut at: usize) -> usize {
    while src.get(at..at + S::LANES).is_some_and(
        #[inline(always)]
        |bytes| s.load(bytes, 0).high_bits() == 0,
    ) {
        at += S::LANES;
    }
    let (grammar, last) = (S::Grammar::new(s), src.len().saturating_sub(S::LANES));
    while at < src.len() {
        // The last vector overlaps the one before it.
        at = at.min(last);
        let broken = grammar.broken(s.splat(0), Window::load_any(s, src, at));
        if !broken.is_zero() {
            let lanes = !broken.equal(s.splat(0)).bits() & (!0 >> (64 - S::LANES));
            return start(src, src.len().min(at + lanes.trailing_zeros() as usize));
        }
        at += S::LANES;
    }
    src.len() - unfinished(src)
}

/// Where an error begins that shows at `at`, the first byte that cannot follow what precedes it, or the end.
#[inline(always)]
fn start(src: &[u8], at: usize) -> usize {
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
