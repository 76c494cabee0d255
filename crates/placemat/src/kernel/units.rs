//! Units of UTF-16 in UTF-8, wherever they come from.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::blocks::{BLOCK, ROOM};
use super::from_utf16::{splat_unit, swapped};
use crate::simd::{Bytes, Simd};

/// Where units of UTF-16 come from.
pub(crate) trait Units<S: Simd> {
    /// Whether their upper bytes come first.
    const BIG: bool;

    /// Whether those from `at` on are units of UTF-16, as many as a vector has lanes.
    fn are_units(&self, _: S, _: usize) -> bool {
        true
    }
    /// These units.
    fn two(&self, s: S, at: usize) -> [S::Bytes; 2];
}

/// A block of units in UTF-8, if none is a surrogate: how many bytes.
#[inline(always)]
pub(crate) fn put_block<S: Simd, U: Units<S>>(
    s: S,
    text: &U,
    runs: bool,
    out: &mut [MaybeUninit<u8>; ROOM],
) -> Option<usize> {
    let mut n = 0;
    for lane in (0..BLOCK).step_by(S::LANES) {
        n += put_units(s, text, lane, runs, out, n)?;
    }
    Some(n)
}

/// So many units in UTF-8, if none is a surrogate: how many bytes. Zeros stand behind them.
#[inline(always)]
pub(crate) fn put_part<S: Simd, U: Units<S>>(
    s: S,
    text: &U,
    units: usize,
    out: &mut [MaybeUninit<u8>; ROOM],
) -> Option<usize> {
    let (mut n, mut done) = (0, 0);
    while done < units {
        n += put_units(s, text, done, false, out, n)?;
        done += S::LANES;
    }
    Some(n - (done - units))
}

/// As many units as a vector has lanes in UTF-8, if none is a surrogate: how many bytes.
#[inline(always)]
fn put_units<S: Simd, U: Units<S>>(
    s: S,
    text: &U,
    lane: usize,
    runs: bool,
    out: &mut [MaybeUninit<u8>; ROOM],
    at: usize,
) -> Option<usize> {
    if !text.are_units(s, lane) {
        return None;
    }
    let [a, b] = text.two(s, lane);
    let units = if U::BIG { [swapped(a), swapped(b)] } else { [a, b] };
    let most = splat_unit::<S, false>(s, 0x80);
    let ascii = s.narrow_units([units[0].min_units(most), units[1].min_units(most)]);
    let wide = ascii.high_bits();
    if wide == 0 {
        s.store(ascii, out, at);
        return Some(S::LANES);
    }
    s.put_wide(units, ascii, wide, runs, out, at)
}
