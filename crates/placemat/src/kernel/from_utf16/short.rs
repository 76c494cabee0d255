//! UTF-16 that is at most a block, all at once.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::{Kinds, Target, Text, swapped};
use crate::kernel::blocks::{BLOCK, ROOM, part};
use crate::kernel::scratch::Scratch;
use crate::kernel::{Progress, single};
use crate::vector::{Bytes, Vector, ends_open};

/// So few units are faster one by one than all kinds at once.
const FEW: usize = 3;

/// UTF-16 to `T`, where it is at most a block, a few units or without surrogates or, `ALONE`, at most a vector, and fits.
#[inline(always)]
pub(crate) fn short<S: Vector, T: Target<S>, const BIG: bool, const ALONE: bool>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Progress> {
    if src.len() > 2 * BLOCK || !src.len().is_multiple_of(2) {
        return None;
    }
    let mut scratch = Scratch::new();
    let room = scratch.room(dst);
    let is_at_most = |units| src.len() <= 2 * units;
    let few = if T::MIXES { FEW } else { T::FEW };
    // Where vectors can do all kinds at once, they are as fast.
    let done = match src.len() {
        _ if !S::MIXES && is_at_most(few) => None,
        n if ALONE && T::MIXES && !S::MIXES && n <= S::LANES => one::<S, T, BIG>(s, src, room),
        n if ALONE && T::MIXES && !S::MIXES && n <= 2 * S::LANES => two::<S, T, BIG>(s, src, room),
        _ => T::short::<BIG>(s, src, room),
    };
    let n = match done {
        Some(n) => n,
        None if !S::MIXES && is_at_most(if T::MIXES { FEW } else { single::SOME }) => {
            single::utf16::<T, BIG>(src, room)?
        }
        // It is short enough to stand here too.
        None if S::MIXES => short_mixed::<S, T, BIG>(s, src, room)?,
        None => return None,
    };
    scratch.whole(s, src, dst, n)
}

/// UTF-16 to `T`, where it is at most a block, well-formed, and fits.
#[inline(always)]
pub(crate) fn of_many_kinds<S: Vector, T: Target<S>, const BIG: bool>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Progress> {
    if src.len() > 2 * BLOCK || !src.len().is_multiple_of(2) {
        return None;
    }
    let mut scratch = Scratch::new();
    let room = scratch.room(dst);
    let n = match short_mixed::<S, T, BIG>(s, src, room) {
        Some(n) => n,
        None => short_of_all_kinds::<S, T, BIG>(s, src, room)?,
    };
    scratch.whole(s, src, dst, n)
}

/// Two bytes if a high surrogate ends a block, which the low one behind it is converted with.
#[inline(always)]
pub(crate) fn cut<const BIG: bool>(block: &[u8]) -> usize {
    if ends_open::<BIG>(block) { 2 } else { 0 }
}

/// More than a vector and at most two, with a look whether both are plain before that of [`Target::short`].
#[inline(always)]
fn two<S: Vector, T: Target<S>, const BIG: bool>(
    s: S,
    src: &[u8],
    room: &mut [MaybeUninit<u8>; ROOM],
) -> Option<usize> {
    // The second vector overlaps the first.
    let last = src.len() - S::LANES;
    let first = T::plain::<BIG>(s, s.load(src, 0), room, 0);
    if first & T::plain::<BIG>(s, s.load(src, last), room, last / 2 * T::UNIT) {
        return Some(src.len() / 2 * T::UNIT);
    }
    T::short::<BIG>(s, src, room)
}

/// At most a vector, without a look at what it is but for one: how many bytes it took.
#[inline(always)]
fn one<S: Vector, T: Target<S>, const BIG: bool>(
    s: S,
    src: &[u8],
    room: &mut [MaybeUninit<u8>; ROOM],
) -> Option<usize> {
    let units = part(s, src, 0);
    if T::plain::<BIG>(s, units, room, 0) {
        return Some(src.len() / 2 * T::UNIT);
    }
    if ends_open::<BIG>(src) {
        return None;
    }
    let units = if BIG { swapped(units) } else { units };
    // What stands for the zeros after the end does not count.
    Some(T::mixed(s, units, units.delayed::<2>(), room, 0)? - (S::LANES - src.len()) / 2 * T::UNIT)
}

/// By [`Target::mixed`]: how many bytes it took.
#[inline(always)]
fn short_mixed<S: Vector, T: Target<S>, const BIG: bool>(
    s: S,
    src: &[u8],
    room: &mut [MaybeUninit<u8>; ROOM],
) -> Option<usize> {
    if !T::MIXES || ends_open::<BIG>(src) {
        return None;
    }
    let (mut n, mut at) = (0, 0);
    while at < src.len() {
        let units = part(s, src, at);
        let before = if at == 0 { units.delayed::<2>() } else { part(s, src, at - 2) };
        let [units, before] = if BIG { [swapped(units), swapped(before)] } else { [units, before] };
        n += T::mixed(s, units, before, room, n)?;
        at += S::LANES;
    }
    // What stands for the zeros after the end does not count.
    Some(n - (at - src.len()) / 2 * T::UNIT)
}

/// By [`Target::put`], unless it is ill-formed: how many bytes it took.
#[inline(always)]
fn short_of_all_kinds<S: Vector, T: Target<S>, const BIG: bool>(
    s: S,
    src: &[u8],
    room: &mut [MaybeUninit<u8>; ROOM],
) -> Option<usize> {
    let units = src.len() / 2;
    let mut text: Text = [0; 2 + 2 * BLOCK + 2];
    text[2..][..src.len()].copy_from_slice(src);
    let kinds = Kinds::of::<S, BIG>(s, &text, units);
    let is_well_formed = kinds.high >> (BLOCK - 1) == 0 && kinds.high << 1 == kinds.low;
    is_well_formed.then(|| T::put::<BIG>(s, &text, units, kinds, 0, !0 >> (BLOCK - units), room))
}
