//! Converts UTF-16 of at most a block, all at once.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::{Kinds, Target, Text, swapped};
use crate::kernel::blocks::{BLOCK, ROOM, part};
use crate::kernel::scratch::Scratch;
use crate::kernel::{Progress, single};
use crate::vector::{Bytes, Vector, ends_open};

/// So few units are converted faster one by one than by a method for all kinds.
const FEW: usize = 3;

/// Converts all of a text of at most a block to `T`, if there is room and it has only a few units or no surrogates or,
/// `ALONE`, is at most two vectors.
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
    // If vectors can convert all kinds at once, they are as fast.
    let done = match src.len() {
        _ if !S::MIXES && is_at_most(few) => None,
        n if ALONE && T::MIXES && !S::MIXES && n <= S::LANES => one::<S, T, BIG>(s, src, room),
        n if ALONE && T::MIXES && !S::MIXES && n <= 2 * S::LANES => two::<S, T>(s, src, room),
        _ => T::short(s, src, room),
    };
    let n = match done {
        Some(n) => n,
        None if !S::MIXES && is_at_most(if T::MIXES { FEW } else { single::SOME }) => {
            single::utf16::<T, BIG>(src, room)?
        }
        // This code is short enough to be inlined here too.
        None if S::MIXES => short_mixed::<S, T, BIG>(s, src, room)?,
        None => return None,
    };
    scratch.whole(s, src, dst, n)
}

/// Converts all of a text of at most a block to `T`, if it is well-formed and there is room.
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

/// Returns 2 if a block ends with a high surrogate, which must be converted with the low one after it.
#[inline(always)]
pub(crate) fn cut<const BIG: bool>(block: &[u8]) -> usize {
    if ends_open::<BIG>(block) { 2 } else { 0 }
}

/// Converts more than one vector and at most two. Checks whether both are plain before [`Target::short`] makes its own
/// check.
#[inline(always)]
fn two<S: Vector, T: Target<S>>(s: S, src: &[u8], room: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
    // The second vector overlaps the first.
    let last = src.len() - S::LANES;
    let first = T::plain(s, s.load(src, 0), room, 0);
    if first & T::plain(s, s.load(src, last), room, last / 2 * T::UNIT) {
        return Some(src.len() / 2 * T::UNIT);
    }
    T::short(s, src, room)
}

/// Converts at most one vector. Returns how many bytes it became. Checks for only one kind of text.
#[inline(always)]
fn one<S: Vector, T: Target<S>, const BIG: bool>(
    s: S,
    src: &[u8],
    room: &mut [MaybeUninit<u8>; ROOM],
) -> Option<usize> {
    let units = part(s, src, 0);
    if T::plain(s, units, room, 0) {
        return Some(src.len() / 2 * T::UNIT);
    }
    if ends_open::<BIG>(src) {
        return None;
    }
    let units = if BIG { swapped(units) } else { units };
    // What was written for the zeros after the end does not count.
    Some(T::mixed(s, units, units.delayed::<2>(), room, 0)? - (S::LANES - src.len()) / 2 * T::UNIT)
}

/// Converts with [`Target::mixed`]. Returns how many bytes it became.
#[inline(always)]
pub(super) fn short_mixed<S: Vector, T: Target<S>, const BIG: bool>(
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
    // What was written for the zeros after the end does not count.
    Some(n - (at - src.len()) / 2 * T::UNIT)
}

/// Converts with [`Target::put`], unless the text is ill-formed. Returns how many bytes it became.
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
    if kinds.high >> (BLOCK - 1) != 0 || kinds.high << 1 != kinds.low {
        return None;
    }
    Some(T::put(s, &text, units, kinds, 0, !0 >> (BLOCK - units), room))
}
