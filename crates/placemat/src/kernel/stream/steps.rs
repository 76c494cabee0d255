//! Converts UTF-16 and UTF-32 step by step: a step of the commonest kind by the fastest method, others by a method for all kinds.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::Cursor;
use crate::kernel::Progress;
use crate::kernel::blocks::{BLOCK, Blocks, ROOM};
use crate::kernel::{from_utf16, from_utf32};
use crate::vector::{Bytes, Vector, ends_open};

/// After a step of another kind, texts of at least `LONG` vectors must have `QUIET` steps of the commonest kind before the next check for
/// that kind: in mixed text the check is often mispredicted. Shorter texts check each step, because the same text often comes again.
const LONG: usize = 24;
const QUIET: usize = 2;

/// Converts UTF-16 to UTF-32 as far as it is well-formed and there is room.
#[inline(always)]
pub(super) fn utf16_to_utf32<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    type To = from_utf16::Utf32;
    let src = src.as_chunks::<2>().0.as_flattened();
    let (mut cursor, size, end) = (Cursor { at: 0, written: 0 }, S::LANES, src.len());
    let (most, mut plain) = (if end < LONG * size { 0 } else { QUIET }, 0);
    while cursor.at < end
        && let Some(room) = dst[cursor.written..].get_mut(..2 * size)
    {
        let (at, left) = (cursor.at, end - cursor.at);
        let n = if left < size {
            // The last vector overlaps the one before it. If there is none, the loop below converts these units.
            let Some(from) = end.checked_sub(size + 2) else { break };
            let (units, before) = (s.load(src, from + 2), s.load(src, from));
            s.last_mixed_to_utf32(units, before, (size - left) / 2, room, 0)
        } else if plain >= most
            && !ends_open::<false>(&src[..at])
            && <To as Blocks<S, { 2 * BLOCK }>>::fast_vectors(s, &src[at..], room)
        {
            Some(2 * size)
        } else {
            let units = s.load(src, at);
            let before = if at == 0 { units.delayed::<2>() } else { s.load(src, at - 2) };
            s.mixed_to_utf32(units, before, room, 0)
        };
        let Some(n) = n else { return closed(src, &cursor) };
        plain = if n == 2 * size { plain + 1 } else { 0 };
        (cursor.at, cursor.written) = (at + if left < size { left } else { size }, cursor.written + n);
    }
    // The last few units, or text with less room than the most that a step could become.
    while cursor.at < end {
        let rest = &src[cursor.at..];
        let rest = &rest[..if rest.len() < size { rest.len() } else { size }];
        let units = s.load_part(rest);
        let before = match src.get(cursor.at.wrapping_sub(2)..) {
            Some(before) => s.load_part(&before[..rest.len()]),
            None => units.delayed::<2>(),
        };
        let (mut scratch, room) = ([MaybeUninit::uninit(); ROOM], &mut dst[cursor.written..]);
        let Some(n) = s.mixed_to_utf32(units, before, &mut scratch, 0) else { break };
        // What was written for the zeros after the end does not count.
        let n = n - 2 * (size - rest.len());
        let Some(room) = room.get_mut(..n) else { break };
        s.copy_part(&scratch, room);
        (cursor.at, cursor.written) = (cursor.at + rest.len(), cursor.written + n);
    }
    closed(src, &cursor)
}

/// Returns what was done, without a high surrogate at the end, for which nothing was written.
#[inline(always)]
fn closed(src: &[u8], cursor: &Cursor) -> Progress {
    let open = 2 * usize::from(ends_open::<false>(&src[..cursor.at]));
    Progress { read: cursor.at - open, written: cursor.written, replaced: 0 }
}

/// Converts UTF-32 to UTF-16 as far as it is well-formed and there is room.
#[inline(always)]
pub(super) fn utf32_to_utf16<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    type To = from_utf32::Utf16;
    let src = src.as_chunks::<4>().0.as_flattened();
    let (mut cursor, size, end) = (Cursor { at: 0, written: 0 }, S::LANES, src.len());
    while end - cursor.at >= 2 * size
        && let Some(room) = dst[cursor.written..].get_mut(..2 * size)
    {
        let text = &src[cursor.at..];
        let n = if <To as Blocks<S, { 4 * BLOCK }>>::fast_vectors(s, text, room) {
            size
        } else {
            let Some(n) = s.mixed_to_utf16(s.load(text, 0), room, 0) else { break };
            let Some(more) = s.mixed_to_utf16(s.load(text, size), room, n) else { break };
            n + more
        };
        (cursor.at, cursor.written) = (cursor.at + 2 * size, cursor.written + n);
    }
    while cursor.at < end
        && let Some(room) = dst[cursor.written..].get_mut(..size)
    {
        let (at, left) = (cursor.at, end - cursor.at);
        let n = if left < size {
            // The last vector overlaps the one before it. If there is none, the loop below converts these units.
            let Some(from) = end.checked_sub(size) else { break };
            s.last_mixed_to_utf16(s.load(src, from), (size - left) / 4, room, 0)
        } else {
            s.mixed_to_utf16(s.load(src, at), room, 0)
        };
        let Some(n) = n else { break };
        (cursor.at, cursor.written) = (at + if left < size { left } else { size }, cursor.written + n);
    }
    // The last few units, or text with too little room, as in `utf16_to_utf32`.
    while cursor.at < end {
        let rest = &src[cursor.at..];
        let rest = &rest[..if rest.len() < size { rest.len() } else { size }];
        let (mut scratch, room) = ([MaybeUninit::uninit(); ROOM], &mut dst[cursor.written..]);
        let Some(n) = s.mixed_to_utf16(s.load_part(rest), &mut scratch, 0) else { break };
        let n = n - (size - rest.len()) / 2;
        let Some(room) = room.get_mut(..n) else { break };
        s.copy_part(&scratch, room);
        (cursor.at, cursor.written) = (cursor.at + rest.len(), cursor.written + n);
    }
    Progress { read: cursor.at, written: cursor.written, replaced: 0 }
}
