//! Converts ISO 8859-1, in which every input is valid.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::Progress;
use super::blocks::part;
use super::prefetch::{Ahead, gains};
use super::scratch::Scratch;
use super::{ascii, target};
use crate::vector::{Bytes, Vector, steps};

/// Bytes in a block.
const BLOCK: usize = 64;
/// Bytes between two checks of how much room is left.
const SPAN: usize = 1024;
/// The same if a block is one vector; that loop has a longer preparation.
const WIDE_SPAN: usize = 2 * SPAN;
/// If at least one byte in this many of a span is not ASCII, the next span does not check for blocks of ASCII (on levels with wide
/// vectors): where one block in three is ASCII, the mispredicted branches cost more than they save.
const MIXED: usize = 64;
/// After this many bytes of ASCII, more are likely to follow.
const LONG: usize = 2 * SPAN;

/// Converts ISO 8859-1 to UTF-8.
#[inline(always)]
pub(crate) fn to_utf8<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    let (mut at, mut written, mut streak, mut looks) = (0, 0, LONG, true);
    let ahead = Ahead::of(src);
    let len = if const { S::LANES == BLOCK } { WIDE_SPAN } else { SPAN };
    loop {
        if streak >= LONG {
            let n = ascii::copy(s, &src[at..], &mut dst[written..]);
            (at, written, streak) = (at + n, written + n, 0);
        }
        let (text, room) = (src.get(at..at + len), dst.get_mut(written..written + 2 * len));
        let (Some(text), Some(room)) = (text, room) else { break };
        // Separate loops: one for CPUs that gain by prefetching. For the widest vectors, a single loop that checks each time is faster.
        let n = if const { S::LANES < 64 } && gains() {
            if const { S::LANES == 16 } || looks {
                span::<S, true, true>(s, text, room, ahead)
            } else {
                span::<S, false, true>(s, text, room, ahead)
            }
        } else if const { S::LANES == 16 } || looks {
            span::<S, true, false>(s, text, room, ahead)
        } else {
            span::<S, false, false>(s, text, room, ahead)
        };
        looks = n - len < len / MIXED;
        streak = if n == len { streak + len } else { 0 };
        (at, written) = (at + len, written + n);
    }
    while at < src.len() {
        let (text, room) = (&src[at..], &mut dst[written..]);
        let [read, n] = if const { S::LANES == BLOCK } {
            s.latin1_to_utf8::<true>(text, room)
        } else {
            // As many blocks as there is certainly room for.
            let length = text.len().min(room.len() / 2) / BLOCK * BLOCK;
            [length, span::<S, true, false>(s, &text[..length], room, ahead)]
        };
        (at, written) = (at + read, written + n);
        if read == 0 {
            let block = &src[at..src.len().min(at + BLOCK)];
            let Some(done) = last_to_utf8(s, block, &mut dst[written..]) else { break };
            (at, written) = (at + done.read, written + done.written);
        }
    }
    Progress { read: at, written, replaced: 0 }
}

/// Converts a span. Returns how many bytes it became.
#[inline(always)]
fn span<S: Vector, const LOOK: bool, const AHEAD: bool>(
    s: S,
    text: &[u8],
    room: &mut [MaybeUninit<u8>],
    ahead: Ahead,
) -> usize {
    if const { S::LANES == BLOCK } {
        ahead.ask_both(text, &room[..text.len()]);
        return s.latin1_to_utf8::<LOOK>(text, room)[1];
    }
    let mut n = 0;
    for block in text.chunks_exact(BLOCK) {
        let is_ascii = LOOK && ascii::any(s, block, 0, BLOCK).high_bits() == 0;
        // There is always this much room: so far no byte has become more than two.
        let Some(room) = room[n..].get_mut(..2 * BLOCK) else { break };
        if AHEAD {
            ahead.lines(block);
            ahead.lines(&room[..BLOCK]);
        }
        let mut len = 0;
        for lane in steps(0..BLOCK, S::LANES) {
            let bytes = s.load(block, lane);
            if is_ascii {
                s.store(bytes, room, lane);
                len += S::LANES;
            } else {
                len += vector(s, bytes, room, len);
            }
        }
        n += len;
    }
    n
}

/// Converts at most one block, if there is any room that is enough.
#[inline(always)]
fn last_to_utf8<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Progress> {
    if const { S::LANES < BLOCK } {
        return block_to_utf8(s, src, dst);
    }
    let written = s.few_latin1_to_utf8(part(s, src, 0), src.len(), dst)?;
    Some(Progress { read: src.len(), written, replaced: 0 })
}

/// Converts a short text to UTF-8, if there is room: at most one block, or with the widest vectors one span.
#[inline(always)]
pub(crate) fn short_to_utf8<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Progress> {
    if const { S::LANES == BLOCK } { span_to_utf8(s, src, dst) } else { block_to_utf8(s, src, dst) }
}

/// Converts at most one block.
#[inline(always)]
fn block_to_utf8<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Progress> {
    if src.len() > BLOCK {
        return None;
    }
    let mut scratch = Scratch::new();
    let room = scratch.room(dst);
    let (mut n, mut done) = (0, 0);
    while done < src.len() {
        let bytes = part(s, src, done);
        if bytes.high_bits() == 0 {
            s.store(bytes, room, n);
            n += S::LANES;
        } else {
            n += vector(s, bytes, room, n);
        }
        done += S::LANES;
    }
    // What was written for the zeros after the end does not count.
    scratch.whole(s, src, dst, n - (done - src.len()))
}

/// Converts at most one span with vectors as long as a block; writes only to the destination.
#[inline(always)]
fn span_to_utf8<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Progress> {
    if src.len() > SPAN {
        return None;
    }
    if src.len() <= BLOCK {
        let bytes = s.load_text(src);
        // For half a vector, ASCII takes as long as other text.
        let written = if src.len() > BLOCK / 2 && bytes.high_bits() == 0 {
            s.store_first(bytes, src.len(), dst)?;
            src.len()
        } else {
            s.few_latin1_to_utf8(bytes, src.len(), dst)?
        };
        return Some(Progress { read: src.len(), written, replaced: 0 });
    }
    let mut at = ascii::leading(s, src, dst);
    if at == src.len() {
        return Some(Progress { read: at, written: at, replaced: 0 });
    }
    let mut written = at;
    // A check of each vector for ASCII would be mispredicted too often.
    while at + BLOCK < src.len()
        && let Some(out) = dst.get_mut(written..)?.first_chunk_mut::<{ 2 * BLOCK }>()
    {
        written += vector(s, s.load(src, at), out, 0);
        at += BLOCK;
    }
    if at + BLOCK < src.len() {
        // There is room for less than two vectors. If the text fits, less than two vectors of it are left.
        written += s.few_latin1_to_utf8(s.load(src, at), BLOCK, dst.get_mut(written..)?)?;
        at += BLOCK;
    }
    written += s.few_latin1_to_utf8(part(s, src, at), src.len() - at, dst.get_mut(written..)?)?;
    Some(Progress { read: src.len(), written, replaced: 0 })
}

/// Returns the two bytes of UTF-8 that each byte becomes; the first counts only if the byte is not ASCII.
#[inline(always)]
fn pair<S: Vector>(s: S, bytes: S::Bytes) -> [S::Bytes; 2] {
    if const { S::LANES == BLOCK } {
        let six = bytes.at_least(s.splat(0xC0));
        let lead = s.splat(0xC2).replace(six, s.splat(0xC3));
        return [lead, bytes.replace(six, bytes + s.splat(0xC0))];
    }
    let two = bytes.high_bits();
    let lead = (bytes.shr::<6>() & s.splat(0x03)) | s.splat(0xC0);
    [lead, bytes & s.splat(0xBF).replace(s.lanes(!two), s.splat(0x7F))]
}

/// Converts a vector. Returns how many bytes it became. Needs two vectors of room.
#[inline(always)]
fn vector<S: Vector>(s: S, bytes: S::Bytes, room: &mut [MaybeUninit<u8>], at: usize) -> usize {
    let two = bytes.high_bits();
    s.put_one_or_two(pair(s, bytes), two, room, at);
    S::LANES + two.count_ones() as usize
}

/// Converts ISO 8859-1 to the units of `T`.
#[inline(always)]
pub(crate) fn to_units<S: Vector, T: target::Target<S>>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    let whole = src.len().min(dst.len() / T::UNIT);
    let (blocks, rest) = src[..whole].as_chunks::<BLOCK>();
    let ahead = Ahead::of(dst);
    let mut room = dst.chunks_exact_mut(BLOCK * T::UNIT);
    for (text, room) in blocks.iter().zip(&mut room) {
        ahead.ask(room);
        for lane in steps(0..BLOCK, S::LANES) {
            T::put_ascii(s, s.load(text, lane), room, lane * T::UNIT);
        }
    }
    let at = whole - rest.len();
    let end = short_to_units::<S, T>(s, rest, &mut dst[at * T::UNIT..]).unwrap_or_default();
    Progress { read: at + end.read, written: at * T::UNIT + end.written, replaced: 0 }
}

/// Converts all of a text of at most one block to the units of `T`, if there is room.
#[inline(always)]
pub(crate) fn short_to_units<S: Vector, T: target::Target<S>>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Progress> {
    if src.len() > BLOCK {
        return None;
    }
    let mut scratch = Scratch::new();
    let room = scratch.room(dst);
    for lane in steps(0..src.len(), S::LANES) {
        T::put_ascii(s, part(s, src, lane), room, lane * T::UNIT);
    }
    scratch.whole(s, src, dst, T::UNIT * src.len())
}
