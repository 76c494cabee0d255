//! Runs of UTF-16 of certain kinds to UTF-8: one loop for each, with its constants in registers.

use core::mem::MaybeUninit;

use super::units::{Basic, Mixed, Short, is_ascii};
use super::{Avx512, Bytes};
use crate::vector::{Bytes as _, Kinds, Met, Vector as _};

/// A bit for each of this many vectors in a row. If none of them had the widest kind, it is no longer expected.
const CALM: u32 = 0b11;
/// After so many vectors without a unit of three bytes, none is expected.
const NO_THREE: u32 = 6;

/// Units in either byte order, as little-endian numbers.
#[inline(always)]
pub(super) fn numbers<const BIG: bool>(units: Bytes) -> Bytes {
    if BIG { units.shl::<8>() | units.shr::<8>() } else { units }
}

/// Converts whole vectors from these places in the source and the destination on. `put` writes one vector, and returns how many
/// bytes it took, and whether it had nothing of the widest kind.
#[inline(always)]
fn run<const BIG: bool>(
    s: Avx512,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    [mut at, mut written]: [usize; 2],
    mut put: impl FnMut(Bytes, usize, &mut [MaybeUninit<u8>]) -> Option<(usize, bool)>,
) -> ([usize; 2], Met) {
    let mut calm = 0;
    while src.len() - at >= 64 && dst.len() - written >= 128 {
        let units = numbers::<BIG>(s.load(src, at));
        let Some((n, is_calm)) = put(units, at, &mut dst[written..]) else {
            return ([at, written], Met::Others);
        };
        (at, written) = (at + 64, written + n);
        calm = calm << 1 | u32::from(is_calm);
        if calm & CALM == CALM {
            return ([at, written], Met::Calm);
        }
    }
    ([at, written], Met::End)
}

/// Units below 800h, four vectors at a time: checking each vector takes a third longer.
#[inline(always)]
fn short_units<const BIG: bool>(
    s: Avx512,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    [mut at, mut written]: [usize; 2],
) -> ([usize; 2], Met) {
    let short = Short::new::<true>(s);
    loop {
        while src.len() - at >= 256
            && let Some(out) = dst[written..].first_chunk_mut()
            && let Some(n) = block::<BIG, false>(s, &short, &src[at..at + 256], out)
        {
            (at, written) = (at + 256, written + n);
            if n == 128 {
                return ([at, written], Met::Calm);
            }
        }
        let [end, n] = last_block::<BIG>(s, &short, src, dst, [at, written]);
        if end == src.len() {
            return ([end, n], Met::End);
        }
        // One of the next vectors has another kind of units, or there is not enough room.
        let near = &src[..src.len().min(at + 256)];
        let (place, met) = run::<BIG>(
            s,
            near,
            dst,
            [at, written],
            #[inline(always)]
            |units, _, out| {
                if short.takes(units) { Some((short.put::<false>(s, units, out, 0), false)) } else { None }
            },
        );
        if met != Met::End || place[0] == at {
            return (place, met);
        }
        [at, written] = place;
    }
}

#[inline(always)]
pub(super) fn to_utf8<const BIG: bool>(
    s: Avx512,
    kinds: Kinds,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    place: [usize; 2],
) -> ([usize; 2], Met) {
    match kinds {
        Kinds::Short => short_units::<BIG>(s, src, dst, place),
        _ => {
            let basic = Basic::new::<true>(s);
            run::<BIG>(
                s,
                src,
                dst,
                place,
                #[inline(always)]
                |units, _, out| {
                    if !basic.takes(units) {
                        return None;
                    }
                    let (n, three) = basic.put::<false>(s, units, out, 0);
                    Some((n, three == 0))
                },
            )
        }
    }
}

/// Converts whole vectors of text with many pairs. Returns where it stopped, and how many vectors had a part of a pair. `CALM`:
/// among units of three bytes, stops where there are no pairs for a while, and returns 0 for their number.
#[inline(always)]
pub(super) fn with_pairs_to_utf8<const BIG: bool, const CALM: bool>(
    s: Avx512,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> ([usize; 2], usize) {
    let (mixed, mut open, mut with) = (Mixed::new::<true>(s), 0, 0);
    let mut place = [0, 0];
    loop {
        let start = place[0];
        let (done, met) = run::<BIG>(
            s,
            src,
            dst,
            place,
            #[inline(always)]
            |units, at, out| {
                let before = before::<BIG>(s, units, src, at);
                let (n, is_first) = mixed.put_without_three(s, units, (before, open), out, 0)?;
                with += usize::from(is_first | open != 0);
                open = is_first >> 31;
                Some((n, false))
            },
        );
        place = done;
        if met == Met::End {
            return (place, with);
        }
        let mut without_three = 0;
        let (done, met) = run::<BIG>(
            s,
            src,
            dst,
            place,
            #[inline(always)]
            |units, at, out| {
                let before = before::<BIG>(s, units, src, at);
                let (n, [is_first, three]) = mixed.put::<false>(s, units, (before, open), out, 0)?;
                let has_pair = is_first | open != 0;
                with += usize::from(has_pair);
                open = is_first >> 31;
                without_three = if three == 0 { without_three + 1 } else { 0 };
                Some((n, if CALM { !has_pair } else { without_three > NO_THREE }))
            },
        );
        place = done;
        match met {
            Met::Calm if CALM => return (place, 0),
            Met::Calm if place[0] > start => {}
            _ => return (place, with),
        }
    }
}

/// The same text one unit earlier.
#[inline(always)]
fn before<const BIG: bool>(s: Avx512, units: Bytes, src: &[u8], at: usize) -> Bytes {
    if at == 0 { units.delayed::<2>() } else { numbers::<BIG>(s.load(src, at - 2)) }
}

/// Writes four vectors, or with `PART` what is left of the text, if all units are short. Returns the bytes written.
#[inline(always)]
pub(super) fn block<const BIG: bool, const PART: bool>(
    s: Avx512,
    short: &Short,
    text: &[u8],
    out: &mut [MaybeUninit<u8>; 256],
) -> Option<usize> {
    let mut units = [s.splat(0); 4];
    for i in 0..4 {
        units[i] = numbers::<BIG>(if PART { s.load_from(text, 64 * i) } else { s.load(text, 64 * i) });
    }
    let any = (units[0] | units[1]) | (units[2] | units[3]);
    if PART && is_ascii(any) {
        s.store(s.narrow_units([units[0], units[1]]), out, 0);
        s.store(s.narrow_units([units[2], units[3]]), out, 64);
        return Some(text.len() / 2);
    }
    if !short.takes(any) {
        return None;
    }
    let mut n = 0;
    for i in 0..4 {
        if !PART || 64 * i < text.len() {
            n += short.put::<false>(s, units[i], out, n);
        }
    }
    // Do not count the zeros behind the end.
    Some(if PART { n - (64 - text.len() % 64) % 64 / 2 } else { n })
}

/// Writes the last four vectors of a text, or less, if all units are short and there is room.
#[inline(always)]
pub(super) fn last_block<const BIG: bool>(
    s: Avx512,
    short: &Short,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    [at, written]: [usize; 2],
) -> [usize; 2] {
    let (text, out) = (&src[at..], &mut dst[written..]);
    match out.first_chunk_mut() {
        Some(out) if (1..=256).contains(&text.len()) => match block::<BIG, true>(s, short, text, out) {
            Some(n) => [src.len(), written + n],
            None => [at, written],
        },
        _ => [at, written],
    }
}
