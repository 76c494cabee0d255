//! Short texts of UTF-16 to UTF-8, and the ends of long ones.
//!
//! Unrolled code for a few vectors is twice as fast as a loop: the masks and positions of one vector need not wait for those of
//! another.

use core::mem::MaybeUninit;

use super::runs::{block, last_block, numbers};
use super::units::{Basic, Mixed, Short, is_any_long, is_ascii, long, not_ascii};
use super::{Avx512, Bytes};
use crate::vector::{Bytes as _, Kinds, Vector as _, ends_open, steps};

/// Writes all of a text of at most `N` vectors; returns the bytes written.
#[inline(always)]
fn all<const BIG: bool, const N: usize>(s: Avx512, src: &[u8], out: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let (short, basic, mixed) = (Short::new::<false>(s), Basic::new::<false>(s), Mixed::new::<false>(s));
    let (mut units, mut any, mut n) = ([s.splat(0); N], s.splat(0), 0);
    for i in 0..N {
        units[i] = numbers::<BIG>(s.load_from(src, 64 * i));
        any = any | units[i];
    }
    // If `N` is 4, the last vector may be empty.
    let vectors = if N > 2 { src.len().div_ceil(64).min(N) } else { N };
    if is_ascii(any) {
        for i in steps(0..N, 2) {
            let two = [units[i], if N == 1 { s.splat(0) } else { units[i + 1] }];
            s.store(s.narrow_units(two), out, 32 * i);
        }
        return Some(src.len() / 2);
    }
    let mut is_basic = true;
    for units in units {
        is_basic &= basic.takes(units);
    }
    if short.takes(any) {
        for i in 0..N {
            if i < vectors {
                n += short.put::<false>(s, units[i], out, n);
            }
        }
    } else if is_basic {
        for i in 0..N {
            if i < vectors {
                n += basic.put::<false>(s, units[i], out, n).0;
            }
        }
    } else {
        let mut open = 0;
        for i in 0..N {
            if i < vectors {
                if N > 1 && is_ascii(units[i]) {
                    n += put_ascii(s, units[i], open, out, n)?;
                    continue;
                }
                let before = match i {
                    0 => units[0].delayed::<2>(),
                    _ => numbers::<BIG>(s.load_from(src, 64 * i - 2)),
                };
                let (more, [is_first, _]) = mixed.put::<false>(s, units[i], (before, open), out, n)?;
                (n, open) = (n + more, is_first >> 31);
            }
        }
    }
    // Do not count the zeros behind the end.
    Some(n - (64 * vectors - src.len()) / 2)
}

/// Writes a vector of ASCII in text with pairs; returns the bytes written. `open` is 1 behind half a pair.
#[inline(always)]
fn put_ascii(s: Avx512, units: Bytes, open: u32, out: &mut [MaybeUninit<u8>], at: usize) -> Option<usize> {
    s.store(s.narrow_units([units, s.splat(0)]), out, at);
    (open == 0).then_some(32)
}

/// Writes a text of at most two vectors, which is likely to have no unit of three bytes. Returns the bytes written. `PAIRS`: only if
/// it has pairs.
#[inline(always)]
pub(super) fn block_with_pairs_to_utf8<const BIG: bool, const PAIRS: bool>(
    s: Avx512,
    src: &[u8],
    out: &mut [MaybeUninit<u8>; 256],
) -> Option<usize> {
    let mixed = Mixed::new::<false>(s);
    let all = [numbers::<BIG>(s.load_from(src, 0)), numbers::<BIG>(s.load_from(src, 64))];
    if PAIRS && !mixed.has_pairs(all) {
        return None;
    }
    let (mut n, mut open) = (0, 0);
    for i in 0..2 {
        let units = all[i];
        if is_ascii(units) {
            n += put_ascii(s, units, open, out, n)?;
            continue;
        }
        let before = if i == 0 { units.delayed::<2>() } else { numbers::<BIG>(s.load_from(src, 62)) };
        let (more, is_first) = match mixed.put_without_three(s, units, (before, open), out, n) {
            Some(done) => done,
            None => {
                let (more, [is_first, _]) = mixed.put::<false>(s, units, (before, open), out, n)?;
                (more, is_first)
            }
        };
        (n, open) = (n + more, is_first >> 31);
    }
    // Do not count the zeros behind the end.
    Some(n - (128 - src.len().min(128)) / 2)
}

/// Whether the text begins with ASCII and at most eight other units, of which the first is 800h or above.
#[inline(always)]
pub(super) fn begins_with_few_others<const BIG: bool>(s: Avx512, src: &[u8]) -> bool {
    let Some(src) = src.first_chunk::<128>() else { return false };
    let units = [numbers::<BIG>(s.load(src, 0)), numbers::<BIG>(s.load(src, 64))];
    if !is_any_long(units[0] | units[1]) {
        return false;
    }
    let others = u64::from(not_ascii(units[1])) << 32 | u64::from(not_ascii(units[0]));
    let long = u64::from(long(units[1])) << 32 | u64::from(long(units[0]));
    others.count_ones() <= 8 && long & others & others.wrapping_neg() != 0
}

#[inline(always)]
pub(super) fn short_to_utf8<const BIG: bool>(
    s: Avx512,
    src: &[u8],
    out: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    match src.len() {
        0..=64 => all::<BIG, 1>(s, src, out),
        65..=128 => all::<BIG, 2>(s, src, out),
        // Big-endian text is too rare for so much code.
        129..=256 if !BIG && out.len() >= 4 * 64 * 3 / 2 + 64 => all::<BIG, 4>(s, src, out),
        _ => None,
    }
}

/// Writes a block and the last block of a text that is hardly longer than a block.
#[inline(always)]
pub(super) fn short_units_to_utf8<const BIG: bool>(
    s: Avx512,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut place: [usize; 2],
) -> [usize; 2] {
    let short = Short::new::<false>(s);
    if src.len() - place[0] > 256 {
        let Some(out) = dst[place[1]..].first_chunk_mut() else { return place };
        match block::<BIG, false>(s, &short, &src[place[0]..], out) {
            Some(n) => place = [place[0] + 256, place[1] + n],
            None => return place,
        }
    }
    last_block::<BIG>(s, &short, src, dst, place)
}

/// Converts to the end of the source or of the room, as long as `put` accepts the vectors, of which the last may be a part.
/// Returns whether it reached the end of the source.
#[inline(always)]
fn rest<const BIG: bool>(
    s: Avx512,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    [at, written]: &mut [usize; 2],
    mut put: impl FnMut(Bytes, usize, &mut [MaybeUninit<u8>]) -> Option<usize>,
) -> bool {
    while *at < src.len() {
        let units = numbers::<BIG>(s.load_from(src, *at));
        let out = &mut dst[*written..];
        let (missing, room) = (64 - (src.len() - *at).min(64), out.len());
        // Do not count the zeros behind the end.
        match put(units, *at, out) {
            Some(n) if n - missing / 2 <= room => {
                (*at, *written) = (*at + 64 - missing, *written + n - missing / 2);
            }
            _ => return false,
        }
    }
    true
}

#[inline(always)]
pub(super) fn rest_to_utf8<const BIG: bool>(
    s: Avx512,
    kinds: Kinds,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut place: [usize; 2],
) -> [usize; 2] {
    let (short, basic, mixed) = (Short::new::<false>(s), Basic::new::<false>(s), Mixed::new::<false>(s));
    // Once a wider kind was met, narrower ones are no longer expected.
    let is_done = kinds == Kinds::Short
        && rest::<BIG>(
            s,
            src,
            dst,
            &mut place,
            #[inline(always)]
            |units, _, out| if short.takes(units) { Some(short.put::<true>(s, units, out, 0)) } else { None },
        )
        || kinds != Kinds::All
            && rest::<BIG>(
                s,
                src,
                dst,
                &mut place,
                #[inline(always)]
                |units, _, out| {
                    if basic.takes(units) { Some(basic.put::<true>(s, units, out, 0).0) } else { None }
                },
            );
    if !is_done {
        let mut open = u32::from(ends_open::<BIG>(&src[..place[0]]));
        rest::<BIG>(
            s,
            src,
            dst,
            &mut place,
            #[inline(always)]
            |units, at, out| {
                let before =
                    if at == 0 { units.delayed::<2>() } else { numbers::<BIG>(s.load_from(src, at - 2)) };
                let (n, [is_first, _]) = mixed.put::<true>(s, units, (before, open), out, 0)?;
                open = is_first >> 31;
                Some(n)
            },
        );
    }
    place
}
