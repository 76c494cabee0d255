//! Checks text of one vector to some kilobytes, on levels with narrow vectors, without a history.

#![forbid(unsafe_code)]

use crate::kernel::utf8::{Grammar, Window, cut_off};
use crate::vector::{Bytes, Vector};

/// Whether a text of at least one vector is well-formed. For texts so short that only the number of instructions counts.
#[inline(always)]
pub(crate) fn is_well_formed<S: Vector>(s: S, src: &[u8]) -> bool {
    let is_ascii = if src.len() <= 2 * S::LANES {
        (s.load(src, 0) | s.load(src, src.len() - S::LANES)).high_bits() == 0
    } else {
        is_ascii(s, src)
    };
    is_ascii || rest::<S, 8>(s, src, S::LANES, first_broken(s, src)).is_ok()
}

/// Whether a text of at least two vectors is ASCII. The first two and the last two are checked first: most text that is not ASCII shows it
/// there.
#[inline(always)]
fn is_ascii<S: Vector>(s: S, src: &[u8]) -> bool {
    let last = src.len() - S::LANES;
    let ends = (s.load(src, 0) | s.load(src, S::LANES)) | (s.load(src, last) | s.load(src, last - S::LANES));
    ends.high_bits() == 0 && is_ascii_between(s, src)
}

/// Whether everything between the first two vectors and the last two is ASCII.
#[inline(always)]
fn is_ascii_between<S: Vector>(s: S, src: &[u8]) -> bool {
    let mut any = s.splat(0);
    let mut between = src.get(2 * S::LANES..).unwrap_or_default();
    while between.len() > 2 * S::LANES {
        any = any | s.load(between, 0) | s.load(between, S::LANES);
        between = &between[2 * S::LANES..];
    }
    any.high_bits() == 0
}

/// The errors in the first vector.
#[inline(always)]
pub(super) fn first_broken<S: Vector>(s: S, src: &[u8]) -> S::Bytes {
    S::Grammar::new(s).broken(s.splat(0), Window::first(s.load(src, 0)))
}

/// Returns the length of a text if it is well-formed from `at` on and `broken`, the errors before that, is empty. `Err`: from where on it has an
/// error, if not before `at`, or is cut off; a sequence may go on there. The last vector ends where the text ends, and overlaps the one before it.
/// Errors are checked for after each `GROUP` vectors.
#[inline(always)]
pub(super) fn rest<S: Vector, const GROUP: usize>(
    s: S,
    src: &[u8],
    mut at: usize,
    mut broken: S::Bytes,
) -> Result<usize, usize> {
    let grammar = S::Grammar::new(s);
    let last = src.len() - S::LANES;
    let Some(mut between) = src.get(at - 3..src.len() - 1) else { return Err(at) };
    let mut left = GROUP;
    while let Some(near) = between.get(..3 + S::LANES) {
        broken = grammar.broken(broken, Window::load(s, near, 3));
        between = &between[S::LANES..];
        left -= 1;
        if left == 0 {
            if !S::Grammar::is_clean(s, broken) {
                return Err(at);
            }
            at = src.len() + 2 - between.len();
            left = GROUP;
        }
    }
    let window = match last {
        // With 16-byte vectors, texts of one vector and 0 to 2 bytes more are checked here too.
        _ if const { S::LANES == 16 } => Window::load_any(s, src, last),
        0..3 => return Err(at),
        _ => Window::load(s, src, last),
    };
    if (S::Grammar::errors(s, grammar.broken(broken, window)) | cut_off(s, window.at)).is_zero() {
        Ok(src.len())
    } else {
        Err(at)
    }
}
