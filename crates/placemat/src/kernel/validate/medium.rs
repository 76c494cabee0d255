//! Text of a vector to some kilobytes, where vectors are narrow: without a history.

#![forbid(unsafe_code)]

use crate::kernel::utf8::{Grammar, Window, cut_off};
use crate::vector::{Bytes, Vector};

/// Whether one or two vectors are well-formed: of these, the second may overlap the first.
#[inline(always)]
pub(crate) fn is_pair_well_formed<S: Vector>(s: S, src: &[u8]) -> bool {
    let ends = s.load(src, 0) | s.load(src, src.len() - S::LANES);
    ends.high_bits() == 0 || all::<S, 8>(s, src).is_ok()
}

/// Whether two vectors or more are well-formed, for texts so short that only the number of instructions counts.
#[inline(always)]
pub(crate) fn is_well_formed<S: Vector>(s: S, src: &[u8]) -> bool {
    is_ascii(s, src) || all::<S, 8>(s, src).is_ok()
}

/// Whether two vectors or more are ASCII. The first two and the last two are looked at first: most text that is not ASCII shows it there.
#[inline(always)]
fn is_ascii<S: Vector>(s: S, src: &[u8]) -> bool {
    let last = src.len() - S::LANES;
    let ends = (s.load(src, 0) | s.load(src, S::LANES)) | (s.load(src, last) | s.load(src, last - S::LANES));
    ends.high_bits() == 0 && is_ascii_between(s, src)
}

/// Whether all between the first two vectors and the last two is ASCII.
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

/// The length of `LANES` or more bytes, if all are well-formed; or from where on something is ill-formed or cut off. A sequence may go on there.
/// After each `GROUP` of vectors it looks for errors.
#[inline(always)]
pub(super) fn all<S: Vector, const GROUP: usize>(s: S, src: &[u8]) -> Result<usize, usize> {
    let first = Window::first(s.load(src, 0));
    let broken = S::Grammar::new(s).broken(s.splat(0), first);
    // It may be the first vector.
    rest::<S, GROUP>(s, src, S::LANES, broken).map_err(
        #[inline(always)]
        |at| if at == S::LANES { 0 } else { at },
    )
}

/// The same from `at` on, with what is `broken` before. The last vector ends where the text ends, and overlaps the one before it.
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
            if !broken.is_zero() {
                return Err(at);
            }
            at = src.len() + 2 - between.len();
            left = GROUP;
        }
    }
    let window = match last {
        // Narrow vectors read few bytes in this way too.
        _ if const { S::LANES == 16 } => Window::load_any(s, src, last),
        0..3 => return Err(at),
        _ => Window::load(s, src, last),
    };
    if (grammar.broken(broken, window) | cut_off(s, window.at)).is_zero() { Ok(src.len()) } else { Err(at) }
}
