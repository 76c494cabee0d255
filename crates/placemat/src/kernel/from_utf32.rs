//! Converts UTF-32 to UTF-8 and UTF-16, 64 code units at a time, in planes.

#![forbid(unsafe_code)]
#![allow(
    clippy::needless_range_loop,
    reason = "an iterator over vectors need not be inlined, and then costs calls"
)]

use core::mem::MaybeUninit;

mod utf8;
mod wide;

pub(crate) use utf8::Utf8;
pub(crate) use wide::Utf16;

use super::Progress;
use super::blocks::{BLOCK, Blocks, Cursor, ROOM, part};
use super::from_utf16::{UPPER, kind};
use super::scratch::Scratch;
use super::single::{self, Single};
use crate::vector::{Bytes, Lanes, Vector, steps};

/// A block of units.
type Text = [u8; 4 * BLOCK];

/// Supplementary characters.
const SUPPLEMENTARY: [u8; 16] = *b"\0\0\x01\0\0\0\x01\0\0\0\x01\0\0\0\x01\0";

/// An encoding form that code points are converted to.
pub(crate) trait Target<S: Vector>: Blocks<S, { 4 * BLOCK }> + Single {
    /// How many vectors of units of all kinds (little-endian) can be converted in the time that it takes to check their kind; 0
    /// if [`short_mixed`](Target::short_mixed) is not implemented.
    const MIXES: usize = 0;
    /// Writes at most a block, if it has only code points up to U+FFFF and no surrogates. Returns how many bytes it became.
    fn short(s: S, rest: &[u8], out: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize>;
    /// Like `short`, for units of all kinds.
    #[inline(always)]
    fn short_mixed(_: S, _: &[u8], _: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        None
    }
    /// Writes all lanes of the planes (lowest bytes first). Returns how many bytes the lanes of `keep` became. `longer`: the
    /// lanes that need at least two, three and four bytes in UTF-8.
    fn put(
        s: S,
        planes: [S::Bytes; 3],
        longer: [u64; 3],
        keep: u64,
        out: &mut [MaybeUninit<u8>],
        at: usize,
    ) -> usize;
}

/// Returns the bytes of the units from a lane on, as planes, the lowest first.
#[inline(always)]
fn planes<S: Vector>(s: S, text: &Text, lane: usize) -> [S::Bytes; 4] {
    let text = &text[4 * lane..][..4 * S::LANES];
    let quarters =
        [s.load(text, 0), s.load(text, S::LANES), s.load(text, 2 * S::LANES), s.load(text, 3 * S::LANES)];
    planes_of(s, quarters)
}

/// Like [`planes`], for four vectors of units.
#[inline(always)]
fn planes_of<S: Vector>(s: S, [first, second, third, fourth]: [S::Bytes; 4]) -> [S::Bytes; 4] {
    let (first, second) = (s.separate_pairs([first, second]), s.separate_pairs([third, fourth]));
    let [a, b] = s.separate([first[0], second[0]]);
    let [c, d] = s.separate([first[1], second[1]]);
    [a, b, c, d]
}

/// Returns the lower halves of two vectors of units. The upper halves should be zero.
#[inline(always)]
fn low_units<S: Vector>(s: S, text: &[u8], at: usize) -> S::Bytes {
    s.narrow([s.load(text, at), s.load(text, at + S::LANES)])
}

/// Returns the bitwise or of a block.
#[inline(always)]
fn any<S: Vector>(s: S, text: &Text) -> S::Bytes {
    let mut any = s.load(text, 0);
    for at in steps(S::LANES..4 * BLOCK, S::LANES) {
        any = any | s.load(text, at);
    }
    any
}

/// Returns the bits that a unit up to `limit` does not have.
#[inline(always)]
fn above(limit: u32) -> [u8; 4] {
    (!limit).to_le_bytes()
}

/// A vector of the same unit.
#[inline(always)]
pub(crate) fn tile_quad<S: Vector>(s: S, [a, b, c, d]: [u8; 4]) -> S::Bytes {
    s.tile(&[a, b, c, d, a, b, c, d, a, b, c, d, a, b, c, d])
}

/// Like [`low_units`], with zeros after the end of the text.
#[inline(always)]
fn low_part<S: Vector>(s: S, text: &[u8], at: usize) -> S::Bytes {
    s.narrow([part(s, text, at), part(s, text, at + S::LANES)])
}

/// Like [`low_part`], but `None` if a unit is a surrogate or above U+FFFF.
#[inline(always)]
fn short_units<S: Vector>(s: S, text: &[u8], at: usize) -> Option<S::Bytes> {
    let any = part(s, text, at) | part(s, text, at + S::LANES);
    let units = low_part(s, text, at);
    let are_short = (any & tile_quad(s, above(0xFFFF))).is_zero();
    (are_short && kind(s, units).bits() & UPPER[0] == 0).then_some(units)
}

/// So few units are converted faster one by one than by a method for all kinds.
const FEW: usize = 3;

/// Writes at most a block with `vector`, which takes little-endian units of all kinds. Returns how many bytes. A zero becomes
/// `UNIT` bytes.
#[inline(always)]
fn short_mixed<S: Vector, const UNIT: usize>(
    s: S,
    rest: &[u8],
    out: &mut [MaybeUninit<u8>; ROOM],
    vector: impl Fn(S::Bytes, &mut [MaybeUninit<u8>], usize) -> Option<usize>,
) -> Option<usize> {
    let (mut n, mut at) = (0, 0);
    while at < rest.len() {
        n += vector(part(s, rest, at), out, n)?;
        at += S::LANES;
    }
    // The zeros behind the end do not count.
    Some(n - (at - rest.len()) / 4 * UNIT)
}

/// Converts all of a text of at most a block to `T`, if there is room and a fast method: for a few units, for what
/// [`Target::short`] accepts, or, if the text is `ALONE`, for mixed units on levels where that is as fast.
#[inline(always)]
pub(crate) fn short<S: Vector, T: Target<S>, const ALONE: bool>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Progress> {
    if src.len() > 4 * BLOCK || !src.len().is_multiple_of(4) {
        return None;
    }
    let mut scratch = Scratch::new();
    let room = scratch.room(dst);
    // If a level can convert vectors of all kinds at once, that is faster than more than a few units one by one.
    let few = if T::MIXES > 0 { FEW } else { T::FEW };
    let is_at_most = |units| src.len() <= 4 * units;
    let done = match src.len() {
        _ if !S::MIXES && is_at_most(few) => None,
        n if ALONE && !S::MIXES && const { T::MIXES > 0 } && n <= T::MIXES * S::LANES => {
            T::short_mixed(s, src, room)
        }
        _ => T::short(s, src, room),
    };
    let n = match done {
        Some(n) => n,
        None if !S::MIXES && is_at_most(if T::MIXES > 0 { FEW } else { T::FEW.max(single::SOME) }) => {
            single::utf32::<T>(src, room)?
        }
        // This code is short enough to be inlined here.
        None if const { T::UNIT == 2 } => T::short_mixed(s, src, room)?,
        None => return None,
    };
    scratch.whole(s, src, dst, n)
}

/// Converts all of a text of at most a block to `T`, if it is well-formed and there is room.
#[inline(always)]
pub(crate) fn of_many_kinds<S: Vector, T: Target<S>>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Progress> {
    if src.len() > 4 * BLOCK || !src.len().is_multiple_of(4) {
        return None;
    }
    let mut scratch = Scratch::new();
    let room = scratch.room(dst);
    let n = match T::short_mixed(s, src, room) {
        Some(n) => n,
        None => short_of_all_kinds::<S, T>(s, src, room)?,
    };
    scratch.whole(s, src, dst, n)
}

/// Converts at most a block, if it is plain or the level can convert mixed units.
#[inline(always)]
fn edge<S: Vector, T: Target<S>>(s: S, rest: &[u8], room: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
    match T::short(s, rest, room) {
        Some(n) => Some(n),
        None => T::short_mixed(s, rest, room),
    }
}

/// Converts with [`Target::put`], unless the text is ill-formed. Returns how many bytes it became.
#[inline(always)]
fn short_of_all_kinds<S: Vector, T: Target<S>>(
    s: S,
    src: &[u8],
    room: &mut [MaybeUninit<u8>; ROOM],
) -> Option<usize> {
    let mut text: Text = [0; 4 * BLOCK];
    // A load right after the copy is slow, so the widest vectors load from the source in parts.
    if const { S::LANES < BLOCK } {
        text[..src.len()].copy_from_slice(src);
    }
    let (units, mut n) = (src.len() / 4, 0);
    for lane in steps(0..units, S::LANES) {
        let [low, high, top, beyond] = if const { S::LANES < BLOCK } {
            planes(s, &text, lane)
        } else {
            let four = [part(s, src, 0), part(s, src, 64), part(s, src, 128), part(s, src, 192)];
            planes_of(s, four)
        };
        let part = !0 >> (64 - S::LANES);
        let four = top.at_least(s.splat(1)).bits() & part;
        let surrogate = (high & s.splat(0xF8)).equal(s.splat(0xD8)).bits() & !four & part;
        if surrogate != 0 || !(beyond | top.saturating_sub(s.splat(0x10))).is_zero() {
            return None;
        }
        let keep = if units < lane + S::LANES { (1 << (units - lane)) - 1 } else { part };
        let three = (high.at_least(s.splat(0x08)).bits() | four) & part;
        let two = (high.at_least(s.splat(1)).bits() | low.high_bits() | three) & part;
        n += T::put(s, [low, high, top], [two, three, four], keep, room, n);
    }
    Some(n)
}

/// Converts UTF-32 to `T`, up to the first unit that is no scalar value, or with U+FFFD for each of these.
#[inline(always)]
pub(crate) fn convert<S: Vector, T: Target<S>>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    replace: bool,
) -> Progress {
    let src = src.as_chunks::<4>().0.as_flattened();
    let (mut cursor, mut replaced) = (Cursor::new(), 0);
    let mut padded: Text;
    while cursor.at < src.len() {
        cursor.run::<S, T, { 4 * BLOCK }>(s, src, dst);
        let rest = &src[cursor.at..];
        if rest.is_empty() {
            break;
        }
        let dst = &mut dst[cursor.written..];
        let mut scratch = Scratch::new();
        let units = BLOCK.min(rest.len() / 4);
        // Also if there is room for the block, but not for the bytes that may be written behind it.
        if !cfg!(placemat_lean)
            && (units < BLOCK || dst.len() < ROOM)
            && let Some(n) = edge::<S, T>(s, &rest[..4 * units], scratch.room(dst))
        {
            if !scratch.copy(s, dst, n) {
                break;
            }
            cursor.pass(4 * units, n, false);
            continue;
        }
        let text = match rest.first_chunk() {
            Some(text) => text,
            None => {
                padded = [0; 4 * BLOCK];
                padded[..rest.len()].copy_from_slice(rest);
                &padded
            }
        };
        if units == BLOCK
            && let Some(room) = dst.first_chunk_mut()
            && let Some(n) = T::mixed_block(s, text, room)
        {
            cursor.pass(4 * BLOCK, n, n != T::UNIT * BLOCK && n != ROOM);
            continue;
        }
        let room = scratch.room(dst);
        let (mut n, mut errors, mut stop, mut fours) = (0, 0, None, 0);
        for lane in steps(0..BLOCK, S::LANES) {
            let part = !0 >> (64 - S::LANES);
            let [low, mut high, mut top, beyond] = planes(s, text, lane);
            let zero = s.splat(0);
            let supplementary = top.at_least(s.splat(1)).bits();
            let surrogate = (high & s.splat(0xF8)).equal(s.splat(0xD8)).bits() & !supplementary;
            let large = beyond.max(top.saturating_sub(s.splat(0x10))).at_least(s.splat(1)).bits();
            let mut keep = if units < lane + S::LANES { (1 << units.saturating_sub(lane)) - 1 } else { part };
            let bad = (surrogate | large) & keep;
            let mut low = low;
            if bad != 0 {
                if replace {
                    let bad = s.lanes(bad);
                    low = low.replace(bad, s.splat(0xFD));
                    high = high.replace(bad, s.splat(0xFF));
                    top = top.replace(bad, zero);
                    errors += bad.bits().count_ones() as usize;
                } else {
                    keep = (1 << bad.trailing_zeros()) - 1;
                    stop = Some(lane + bad.trailing_zeros() as usize);
                }
            }
            let four = top.at_least(s.splat(1)).bits();
            fours |= four << lane;
            let three = (high.at_least(s.splat(0x08)).bits() | four) & part;
            let two = (high.at_least(s.splat(1)).bits() | low.high_bits() | three) & part;
            n += T::put(s, [low, high, top], [two, three, four], keep, room, n);
            if stop.is_some() {
                break;
            }
        }
        if !scratch.copy(s, dst, n) {
            break;
        }
        replaced += errors;
        cursor.pass(4 * stop.unwrap_or(units), n, fours.wrapping_add(1) > 1_u64);
        if stop.is_some() {
            break;
        }
    }
    Progress { read: cursor.at, written: cursor.written, replaced }
}
