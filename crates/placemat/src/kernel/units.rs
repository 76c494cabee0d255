//! Writes units of UTF-16 as UTF-8; the units may come from UTF-16 or from UTF-32.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::blocks::{BLOCK, Expected, ROOM};
use super::from_utf16::{splat_unit, swapped};
use crate::vector::{Bytes, Vector, steps};

/// A source of units of UTF-16.
pub(crate) trait Units<S: Vector> {
    /// Whether the upper byte of each unit comes first.
    const BIG: bool;

    /// Whether the units from `at` on, as many as a vector has lanes, are all units of UTF-16.
    fn are_units(&self, _: S, _: usize) -> bool {
        true
    }
    /// Returns these units.
    fn two(&self, s: S, at: usize) -> [S::Bytes; 2];
}

/// Writes a block of units as UTF-8, if none is a surrogate. Returns how many bytes.
#[inline(always)]
pub(crate) fn put_block<S: Vector, U: Units<S>, const EXPECTED: u8>(
    s: S,
    text: &U,
    out: &mut [MaybeUninit<u8>; ROOM],
) -> Option<usize> {
    let mut n = 0;
    for lane in steps(0..BLOCK, S::LANES) {
        n += put_units::<S, U, EXPECTED>(s, text, lane, out, n)?;
    }
    Some(n)
}

/// Writes `units` units as UTF-8, if none is a surrogate. Returns how many bytes. Behind the last unit, the
/// source returns zeros.
#[inline(always)]
pub(crate) fn put_part<S: Vector, U: Units<S>>(
    s: S,
    text: &U,
    units: usize,
    out: &mut [MaybeUninit<u8>; ROOM],
) -> Option<usize> {
    let (mut n, mut done) = (0, 0);
    while done < units {
        let two = text.two(s, done);
        n += match ascii::<S, U>(s, two) {
            Some(ascii) if text.are_units(s, done) => {
                s.store(ascii, out, n);
                S::LANES
            }
            _ => put_units::<S, U, { Expected::SHORT }>(s, text, done, out, n)?,
        };
        done += S::LANES;
    }
    Some(n - (done - units))
}

/// Narrows units below 100h, in the byte order of the source, to bytes.
#[inline(always)]
pub(crate) fn narrow<S: Vector, const BIG: bool>(s: S, units: [S::Bytes; 2]) -> S::Bytes {
    if BIG { s.separate(units)[1] } else { s.narrow_units(units) }
}

/// Narrows units to bytes, if all are ASCII.
#[inline(always)]
fn ascii<S: Vector, U: Units<S>>(s: S, units: [S::Bytes; 2]) -> Option<S::Bytes> {
    let beyond = if U::BIG { splat_unit::<S, true>(s, 0xFF80) } else { splat_unit::<S, false>(s, 0xFF80) };
    if !((units[0] | units[1]) & beyond).is_zero() {
        return None;
    }
    Some(if U::BIG { narrow::<S, true>(s, units) } else { narrow::<S, false>(s, units) })
}

/// Writes as many units as a vector has lanes as UTF-8, if none is a surrogate. Returns how many bytes.
#[inline(always)]
fn put_units<S: Vector, U: Units<S>, const EXPECTED: u8>(
    s: S,
    text: &U,
    lane: usize,
    out: &mut [MaybeUninit<u8>; ROOM],
    at: usize,
) -> Option<usize> {
    if !text.are_units(s, lane) {
        return None;
    }
    let [a, b] = text.two(s, lane);
    let units = if U::BIG { [swapped(a), swapped(b)] } else { [a, b] };
    if const { EXPECTED == Expected::ANYTHING || EXPECTED == Expected::SHORT }
        && ((units[0] | units[1]) & splat_unit::<S, false>(s, 0xF800)).is_zero()
    {
        return Some(s.put_short(units, out, at));
    }
    s.put_long(units, const { EXPECTED == Expected::ONLY_LONG }, out, at)
}
