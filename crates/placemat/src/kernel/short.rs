//! Converts UTF-8 that is so short that only the number of instructions counts: one vector, or the few that cover the text,
//! without a loop that keeps a state, and without reading anything twice.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::target::{self, Fours, Target};
use super::utf8::{LEAST_LEAD, Window, unfinished};
use super::{Progress, ascii};
use crate::vector::{Bytes, Lanes, Vector, steps};

/// The longest text that counts as short, in bytes.
pub(crate) const SHORT: usize = 64;
/// The most bytes that it can become.
const ROOM: usize = 4 * SHORT;

/// Converts all of a short text to the units of `T`. `None` if it is ill-formed or there is no room for all of it; then another
/// method must find out how much can be done.
#[inline(always)]
pub(crate) fn convert<S: Vector, T: Target<S>>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Progress> {
    if src.len() > SHORT {
        return None;
    }
    let mut scratch = [MaybeUninit::uninit(); ROOM];
    let direct = dst.len() >= T::UNIT * SHORT;
    let out = &mut if direct { &mut *dst } else { &mut scratch[..] }[..T::UNIT * SHORT];
    let written =
        if src.len() <= S::LANES { one::<S, T>(s, src, out)? } else { several::<S, T>(s, src, out)? };
    if !direct {
        s.copy_part(&scratch, dst.get_mut(..written)?);
    }
    Some(Progress { read: src.len(), written, replaced: 0 })
}

/// The longest text for which [`medium`] is best whatever it contains, in vectors.
const VECTORS: usize = 16;

/// The longest text for which [`medium`] is best, in bytes, unless most of it is ASCII.
pub(crate) const fn longest_medium<S: Vector>() -> usize {
    let times = match S::LANES {
        64 => 4,
        32 => 3,
        _ => 2,
    };
    times * VECTORS * S::LANES
}

/// Whether about five vectors in eight are ASCII. Looks at every fourth.
#[inline(always)]
fn is_mostly_ascii<S: Vector>(s: S, src: &[u8]) -> bool {
    let (mut vectors, mut ascii) = (0, 0);
    for vector in src.chunks_exact(4 * S::LANES) {
        vectors += 1;
        ascii += u32::from(s.load(vector, 0).high_bits() == 0);
    }
    8 * ascii >= 5 * vectors
}

/// Converts all of a medium text, if it is ASCII.
#[inline(always)]
pub(crate) fn ascii<S: Vector, T: Target<S>>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Progress> {
    ascii::each(
        s,
        src,
        dst,
        T::UNIT,
        #[inline(always)]
        |bytes, out| T::put_ascii(s, bytes, out, 0),
    )
}

/// Converts all of a text of more than one vector to the units of `T`, in any room that is enough. `None` if it is ill-formed or
/// there is no room for all of it. Has no state to set up, and so is best up to [`longest_medium`] bytes.
#[inline(always)]
pub(crate) fn medium<S: Vector, T: Target<S>>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Progress> {
    if src.len() > VECTORS * S::LANES {
        if is_mostly_ascii(s, src) {
            return None;
        }
    } else if const { S::LANES < 64 } && ascii::all(s, src) {
        // The widest vectors have checked this before.
        let out = dst.get_mut(..T::UNIT * src.len())?;
        return ascii::put_all::<S, false>(
            s,
            src,
            out,
            T::UNIT,
            #[inline(always)]
            |bytes, out| T::put_ascii(s, bytes, out, 0),
        );
    }
    let written = vectors::<S, T>(s, src, 0, src.len(), dst)?;
    Some(Progress { read: src.len(), written, replaced: 0 })
}

/// Converts the characters that end at `at` or later and before `end`, in any room that is enough. Returns how many bytes. `end`
/// is some vectors after `at`, or the end of `src`. `None` if the text is ill-formed or there is no room for all of it.
#[inline(always)]
pub(super) fn vectors<S: Vector, T: Target<S>>(
    s: S,
    src: &[u8],
    mut at: usize,
    end: usize,
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    if end == src.len() && unfinished(src) != 0 {
        return None;
    }
    let mut written = 0;
    while at < end {
        // The last vector overlaps the one before it.
        let start = at.min(src.len().saturating_sub(S::LANES));
        let window = Window::load_any(s, src, start);
        let lanes = if src.len() < S::LANES { !0 >> (64 - src.len()) } else { !0 };
        let next = src.get(start + S::LANES).copied().unwrap_or(0);
        let keep = lanes & (!0 << (at - start));
        let room = &mut dst[written..];
        if room.len() >= T::UNIT * S::LANES {
            written += vector::<S, T>(s, window, next, keep, room, 0)?;
        } else {
            let mut scratch = [MaybeUninit::uninit(); ROOM];
            let n = vector::<S, T>(s, window, next, keep, &mut scratch[..T::UNIT * S::LANES], 0)?;
            s.copy_part(&scratch, room.get_mut(..n)?);
            written += n;
        }
        at = start + S::LANES;
    }
    Some(written)
}

/// Converts at most one vector.
#[inline(always)]
fn one<S: Vector, T: Target<S>>(s: S, src: &[u8], out: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let bytes = s.load_text(src);
    if bytes.high_bits() == 0 {
        T::put_ascii(s, bytes, out, 0);
        return Some(T::UNIT * src.len());
    }
    // The zero after the last byte, if there is one, is no continuation, so a sequence that is cut off is an error there.
    if src.len() == S::LANES && unfinished(src) != 0 {
        return None;
    }
    vector::<S, T>(s, Window::first(bytes), 0, !0 >> (64 - src.len()), out, 0)
}

/// Converts more than one vector.
#[inline(always)]
fn several<S: Vector, T: Target<S>>(s: S, src: &[u8], out: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let last = src.len() - S::LANES;
    let mut any = s.load(src, last);
    for at in steps(0..last, S::LANES) {
        any = any | s.load(src, at);
    }
    if any.high_bits() == 0 {
        for at in steps(0..last, S::LANES) {
            T::put_ascii(s, s.load(src, at), out, T::UNIT * at);
        }
        T::put_ascii(s, s.load(src, last), out, T::UNIT * last);
        return Some(T::UNIT * src.len());
    }
    if unfinished(src) != 0 {
        return None;
    }
    let mut written = 0;
    let mut at = 0;
    while at < last {
        let window = if at == 0 { Window::first(s.load(src, 0)) } else { Window::load(s, src, at) };
        let next = src[at + S::LANES];
        written += vector::<S, T>(s, window, next, !0, out, written)?;
        at += S::LANES;
    }
    // The last vector overlaps the one before it.
    let (window, keep) = match last {
        ..3 => (Window::load_part(s, src, at), !0 >> (64 - last)),
        _ => (Window::load(s, src, last), !0 << (at - last)),
    };
    Some(written + vector::<S, T>(s, window, 0, keep, out, written)?)
}

/// Converts the characters that end in the lanes of `keep`. `next` is the byte after the last lane.
#[inline(always)]
fn vector<S: Vector, T: Target<S>>(
    s: S,
    w: Window<S::Bytes>,
    next: u8,
    keep: u64,
    out: &mut [MaybeUninit<u8>],
    at: usize,
) -> Option<usize> {
    let continuations = w.at.less(s.splat(LEAST_LEAD)).bits() & (!0 >> (64 - S::LANES));
    let ends = !(continuations >> 1 | u64::from(next & 0xC0 == 0x80) << (S::LANES - 1));
    let keep = keep & (!0 >> (64 - S::LANES));
    let written = if w.at.max(w.before[2]).at_least(s.splat(0xF0)).bits() == 0 {
        T::put::<false>(s, target::basic(s, w), ends & keep, out, at)
    } else {
        let fours = Fours::of(s, w);
        let also = if T::PAIRS { fours.third.bits() } else { 0 };
        T::put::<true>(s, T::supplementary(s, w, fours), (ends | also) & keep, out, at)
    };
    s.is_well_formed(w).then_some(T::UNIT * written)
}
