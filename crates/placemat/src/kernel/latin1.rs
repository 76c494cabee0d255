//! ISO 8859-1 to everything: no input is wrong.

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
/// Bytes between two looks at how much room there is.
const SPAN: usize = 1024;
/// The same where a block is a vector, whose loop has much to prepare.
const WIDE_SPAN: usize = 2 * SPAN;
/// A span of which one byte in so many is not ASCII is followed by one that does not look for blocks of ASCII, if vectors are wide: where
/// one block in three is ASCII, the branches that are guessed wrong cost more than they save.
const MIXED: usize = 64;
/// After so many bytes of ASCII, more are likely to follow.
const LONG: usize = 2 * SPAN;

/// ISO 8859-1 to UTF-8.
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
        // A loop of its own for CPUs that gain by asking ahead, but for the widest vectors one with a look each time is faster.
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
        // As many blocks as there is room for, whatever they are.
        let length = (src.len() - at).min((dst.len() - written) / 2) / BLOCK * BLOCK;
        if length > 0 {
            written += span::<S, true, false>(s, &src[at..at + length], &mut dst[written..], ahead);
            at += length;
            continue;
        }
        let block = &src[at..src.len().min(at + BLOCK)];
        let Some(done) = block_to_utf8(s, block, &mut dst[written..]) else { break };
        (at, written) = (at + done.read, written + done.written);
    }
    Progress { read: at, written, replaced: 0 }
}

/// How many bytes a span becomes.
#[inline(always)]
fn span<S: Vector, const LOOK: bool, const AHEAD: bool>(
    s: S,
    text: &[u8],
    room: &mut [MaybeUninit<u8>],
    ahead: Ahead,
) -> usize {
    if const { S::LANES == BLOCK } {
        ahead.ask_both(text, &room[..text.len()]);
        return s.latin1_to_utf8::<LOOK>(text, room);
    }
    let mut n = 0;
    for block in text.chunks_exact(BLOCK) {
        let is_ascii = LOOK && ascii::any(s, block, 0, BLOCK).high_bits() == 0;
        // Two blocks' room, which there is: so far nothing has become more than twice as much.
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

/// ISO 8859-1 to UTF-8, where it is short, and fits: at most a block, or with the widest vectors a span.
#[inline(always)]
pub(crate) fn short_to_utf8<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Progress> {
    if const { S::LANES == BLOCK } { span_to_utf8(s, src, dst) } else { block_to_utf8(s, src, dst) }
}

/// At most a block.
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
    // What stands for the zeros after the end does not count.
    scratch.whole(s, src, dst, n - (done - src.len()))
}

/// At most a span, by vectors of a block, without a place to write to but the destination.
#[inline(always)]
fn span_to_utf8<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Progress> {
    if src.len() > SPAN {
        return None;
    }
    if src.len() <= BLOCK {
        let bytes = s.load_text(src);
        // Of half a vector, ASCII takes as long as other text.
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
    // To look at each for ASCII would be guessed wrong too often.
    while at + BLOCK < src.len()
        && let Some(out) = dst.get_mut(written..)?.first_chunk_mut::<{ 2 * BLOCK }>()
    {
        written += vector(s, s.load(src, at), out, 0);
        at += BLOCK;
    }
    if at + BLOCK < src.len() {
        // In so little room there are less than two vectors left.
        written += s.few_latin1_to_utf8(s.load(src, at), BLOCK, dst.get_mut(written..)?)?;
        at += BLOCK;
    }
    written += s.few_latin1_to_utf8(part(s, src, at), src.len() - at, dst.get_mut(written..)?)?;
    Some(Progress { read: src.len(), written, replaced: 0 })
}

/// Two bytes for each: what they become in UTF-8, of which the first counts only where the byte is not ASCII.
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

/// How many bytes a vector becomes. Takes two vectors of room.
#[inline(always)]
fn vector<S: Vector>(s: S, bytes: S::Bytes, room: &mut [MaybeUninit<u8>], at: usize) -> usize {
    let two = bytes.high_bits();
    s.put_one_or_two(pair(s, bytes), two, room, at);
    S::LANES + two.count_ones() as usize
}

/// ISO 8859-1 to the units of `T`.
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

/// The same, where it is at most a block, and fits.
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
