//! UTF-16 and UTF-32 where a level has steps that read and write as much as there is: one loop for all lengths, with no place to
//! write to but the destination, and no state but how far it is.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

pub(crate) use utf8::{utf16_to_utf8, utf16_to_utf8_plain};

use super::blocks::{BLOCK, Blocks};
use super::{Progress, from_utf16, from_utf32};
use crate::vector::{Vector, ends_open};

mod utf8;

/// The longest texts that these are for, in bytes. To UTF-32 more stores are aligned in loops for long texts.
pub(crate) const FROM_UTF16: usize = 8 << 10;
pub(crate) const FROM_UTF32: usize = usize::MAX;

/// All of a text, if its units are of the commonest kind and there is room; or else as many vectors as are. What is less than a
/// step, by `short` alone, which says what it takes with the zeros behind it.
#[inline(always)]
pub(crate) fn plain<S: Vector, B: Blocks<S, SIZE>, const SIZE: usize, const BIG: bool>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    short: impl Fn(&[u8], &mut [MaybeUninit<u8>]) -> Option<usize>,
) -> Progress {
    let (step, unit) = (B::VECTORS * S::LANES, SIZE / BLOCK);
    let size = step / unit * B::UNIT;
    let end = src.len() / unit * B::UNIT;
    let mut done = Progress::default();
    if src.is_empty() || !src.len().is_multiple_of(unit) {
        return done;
    }
    if src.len() <= step {
        return match short(src, dst) {
            Some(n) if n - (size - end) <= dst.len() => {
                Progress { read: src.len(), written: n - (size - end), replaced: 0 }
            }
            _ => done,
        };
    }
    let Some(out) = dst.get_mut(..end) else { return done };
    let all = Progress { read: src.len(), written: end, replaced: 0 };
    for (text, room) in src.chunks_exact(step).zip(out.chunks_exact_mut(size)) {
        if !B::fast_vectors::<BIG>(s, text, room) {
            return done;
        }
        (done.read, done.written) = (done.read + step, done.written + size);
    }
    // The last vectors overlap those before them.
    let is_plain =
        done.read == src.len() || B::fast_vectors::<BIG>(s, &src[src.len() - step..], &mut out[end - size..]);
    if is_plain { all } else { done }
}

/// [`plain`] of UTF-16 to UTF-32, or all of a short text.
#[inline(always)]
pub(crate) fn utf16_to_utf32_plain<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    plain::<S, from_utf16::Utf32<false>, { 2 * BLOCK }, false>(
        s,
        src,
        dst,
        #[inline(always)]
        |src, dst| match s.step_to_utf32::<true>(src, 0, 0, dst) {
            // Not the first half of a pair at the end.
            Some((n, 0)) => Some(n),
            _ => None,
        },
    )
}

/// The same of UTF-32 to UTF-16.
#[inline(always)]
pub(crate) fn utf32_to_utf16_plain<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    plain::<S, from_utf32::Utf16<false>, { 4 * BLOCK }, false>(
        s,
        src,
        dst,
        #[inline(always)]
        |src, dst| s.step_to_utf16::<true>(src, 0, dst),
    )
}

/// Whole units, less the first half of a pair at the end.
#[inline(always)]
fn closed<const BIG: bool>(src: &[u8]) -> &[u8] {
    let src = src.as_chunks::<2>().0.as_flattened();
    &src[..src.len() - 2 * usize::from(ends_open::<BIG>(src))]
}

/// How far a loop is.
struct Cursor {
    at: usize,
    written: usize,
}

impl Cursor {
    /// On to the first vectors that are not of the commonest kind, or near the end of the source or of the room.
    #[inline(always)]
    fn plain<S: Vector, B: Blocks<S, SIZE>, const SIZE: usize, const BIG: bool>(
        &mut self,
        s: S,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) {
        let (step, size) = (B::VECTORS * S::LANES, B::VECTORS * S::LANES / (SIZE / BLOCK) * B::UNIT);
        let texts = src[self.at..].chunks_exact(step);
        for (text, room) in texts.zip(dst[self.written..].chunks_exact_mut(size)) {
            if !B::fast_vectors::<BIG>(s, text, room) {
                break;
            }
            (self.at, self.written) = (self.at + step, self.written + size);
        }
    }

    /// So much was read and written, if it fits.
    #[inline(always)]
    fn pass(&mut self, read: usize, written: usize, room: usize) -> bool {
        if written <= room {
            (self.at, self.written) = (self.at + read, self.written + written);
        }
        written <= room
    }
}

/// As far as it is well-formed and there is room.
#[inline(always)]
pub(crate) fn utf16_to_utf32<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    let src = closed::<false>(src);
    let (mut cursor, mut open, mut is_plain) = (Cursor { at: 0, written: 0 }, 0, false);
    while cursor.at < src.len() {
        if is_plain {
            cursor.plain::<S, from_utf16::Utf32<false>, { 2 * BLOCK }, false>(s, src, dst);
        }
        let left = src.len() - cursor.at;
        if left == 0 {
            break;
        }
        let (out, missing) = (&mut dst[cursor.written..], S::LANES.saturating_sub(left));
        let room = out.len();
        let step = if missing == 0 && room >= 2 * S::LANES {
            s.step_to_utf32::<false>(src, cursor.at, open, out)
        } else {
            s.step_to_utf32::<true>(src, cursor.at, open, out)
        };
        match step {
            Some((n, ends_open)) if cursor.pass(S::LANES - missing, n - 2 * missing, room) => {
                (open, is_plain) = (ends_open, n == 2 * S::LANES);
            }
            _ => {
                cursor.at -= 2 * open as usize;
                break;
            }
        }
    }
    Progress { read: cursor.at, written: cursor.written, replaced: 0 }
}

/// The same.
#[inline(always)]
pub(crate) fn utf32_to_utf16<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    let src = src.as_chunks::<4>().0.as_flattened();
    let (mut cursor, mut is_plain) = (Cursor { at: 0, written: 0 }, false);
    while cursor.at < src.len() {
        if is_plain {
            cursor.plain::<S, from_utf32::Utf16<false>, { 4 * BLOCK }, false>(s, src, dst);
        }
        let left = src.len() - cursor.at;
        if left == 0 {
            break;
        }
        let (out, missing) = (&mut dst[cursor.written..], (2 * S::LANES).saturating_sub(left));
        let room = out.len();
        let step = if missing == 0 && room >= 2 * S::LANES {
            s.step_to_utf16::<false>(src, cursor.at, out)
        } else {
            s.step_to_utf16::<true>(src, cursor.at, out)
        };
        match step {
            Some(n) if cursor.pass(2 * S::LANES - missing, n - missing / 2, room) => is_plain = n == S::LANES,
            _ => break,
        }
    }
    Progress { read: cursor.at, written: cursor.written, replaced: 0 }
}
