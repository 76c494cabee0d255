//! Converts UTF-8 to UTF-8, with U+FFFD for each maximal subpart.
//!
//! Well-formed text is checked and copied in one pass. Where there is an error, 64 bytes at a time are classified
//! ([`marks`]); only then a loop goes over the errors, which takes a few instructions for each.

#![forbid(unsafe_code)]
#![allow(
    clippy::needless_range_loop,
    reason = "an iterator over vectors need not be inlined, and then costs calls"
)]

use core::mem::MaybeUninit;

use super::Progress;
use super::classify::marks;
use super::isolated_errors::{self, Isolated};
use super::prefetch::Ahead;
use super::scratch::Scratch;
use super::utf8::{Grammar, Window, around, unfinished};
use crate::vector::{Bytes, Vector, steps};

/// Bytes that are checked and copied per iteration.
const CHUNK: usize = 128;
/// Bytes that are classified at once.
const BLOCK: usize = 64;
/// The most bytes that a block can become, and those that may be written behind them.
const ROOM: usize = 4 * BLOCK;
/// After this many clean blocks, the text that follows is likely to be clean.
const CLEAN: u32 = 2;
/// After this many clean bytes, an error is likely to be isolated.
const LONG: usize = 2 * CHUNK;

/// The target UTF-8.
struct Utf8;

impl<S: Vector> Isolated<S> for Utf8 {
    const UNIT: usize = 1;
    const REPLACEMENT: &'static [u8] = "\u{FFFD}".as_bytes();

    #[inline(always)]
    fn put_ascii(s: S, ascii: S::Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
        s.store(ascii, out, at);
    }
}

/// Converts UTF-8 to UTF-8. Stops only where the source ends (or before an unfinished sequence at its end) or the
/// destination is full.
#[inline(always)]
pub(crate) fn convert<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    let src = &src[..src.len() - unfinished(src)];
    let (grammar, ahead) = (S::Grammar::new(s), Ahead::of(src));
    let (mut at, mut written, mut replaced) = (0usize, 0, 0);
    loop {
        let settled = at;
        while let (Some(text), Some(room)) = (
            src.get(at.wrapping_sub(3)..).and_then(<[u8]>::first_chunk::<{ 3 + CHUNK }>),
            dst[written..].first_chunk_mut::<CHUNK>(),
        ) {
            // Starts one byte earlier, because the byte before may be a lead.
            let mut any = s.load(text, 2);
            for lane in steps(0..CHUNK, S::LANES) {
                let bytes = s.load(text, 3 + lane);
                any = any | bytes;
                s.store(bytes, room, lane);
            }
            ahead.ask(&text[..CHUNK]);
            if any.high_bits() != 0 {
                let mut broken = [s.splat(0); CHUNK / BLOCK];
                for half in 0..CHUNK / BLOCK {
                    for lane in steps(0..BLOCK, S::LANES) {
                        let window = Window::load(s, text, 3 + half * BLOCK + lane);
                        broken[half] = grammar.broken(broken[half], window);
                    }
                }
                if !S::Grammar::is_clean(s, broken[0] | broken[1]) {
                    let clean = if S::Grammar::is_clean(s, broken[0]) { BLOCK } else { 0 };
                    (at, written) = (at + clean, written + clean);
                    break;
                }
            }
            (at, written) = (at + CHUNK, written + CHUNK);
        }
        let wanted = if at - settled >= LONG { 0 } else { CLEAN };
        // Blocks begin on a boundary.
        let cut = unfinished(&src[settled..at]);
        let mut done = Progress { read: at - cut, written: written - cut, replaced };
        let is_well = isolated_errors::convert::<S, Utf8>(s, src, dst, &mut done);
        Progress { read: at, written, replaced } = done;
        if is_well {
            continue;
        }
        // The loop over chunks reads three bytes before a chunk; these must be well-formed.
        let (mut clean, mut found, mut fit) = (0, false, true);
        while clean < wanted || !found || !fit {
            let rest = &src[at..];
            // This loop also converts text that has no room for a chunk, or fewer than three bytes before it.
            if rest.is_empty() {
                return Progress { read: at, written, replaced };
            }
            let block = rest.len().min(BLOCK);
            let marks = marks(s, around::<3, _>(src, at, &mut [0; _]), block, rest.len() > BLOCK);
            let dst = &mut dst[written..];
            let mut scratch = Scratch::new();
            let n = mend(s, rest, marks.len, marks.replace, marks.drop, scratch.room(dst));
            if !scratch.copy(s, dst, n) {
                return Progress { read: at, written, replaced };
            }
            (at, written) = (at + marks.len, written + n);
            replaced += marks.replace.count_ones() as usize;
            // The error may be one byte behind the place where it was noticed, or there may be none if the room was too
            // small for a chunk.
            found = found || marks.replace != 0 || clean == CLEAN;
            clean = if marks.replace == 0 { clean + 1 } else { 0 };
            fit = (marks.replace | marks.drop) >> marks.len.saturating_sub(3) == 0;
        }
    }
}

/// If more bytes than this in a block are errors, all bytes are written one by one.
const DENSE: usize = 5 * BLOCK / 8;

/// Does what [`mend`] does, byte by byte and without a branch.
#[inline(always)]
fn mend_dense(
    text: &[u8; 2 * BLOCK],
    len: usize,
    replace: u64,
    drop: u64,
    room: &mut [MaybeUninit<u8>; ROOM],
) -> usize {
    let mut to = 0;
    for (at, &byte) in text.iter().enumerate().take(len.min(BLOCK)) {
        let (is_replaced, is_dropped) = (replace >> at & 1, drop >> at & 1);
        let mask = (is_replaced as u32).wrapping_neg();
        let bytes = u32::from(byte) & !mask | REPLACEMENT & mask;
        let Some(four) = room[to..].first_chunk_mut() else { break };
        *four = bytes.to_le_bytes().map(MaybeUninit::new);
        to += (1 + 2 * is_replaced - is_dropped) as usize;
    }
    to
}

/// U+FFFD in UTF-8; the first byte is the lowest.
const REPLACEMENT: u32 = u32::from_le_bytes([0xEF, 0xBF, 0xBD, 0]);

/// Writes the first `len` bytes of `rest`: U+FFFD for each byte in `replace`, nothing for those in `drop`. Returns how
/// many bytes.
#[inline(always)]
fn mend<S: Vector>(
    s: S,
    rest: &[u8],
    len: usize,
    replace: u64,
    drop: u64,
    room: &mut [MaybeUninit<u8>; ROOM],
) -> usize {
    let mut padded = [0; 2 * BLOCK];
    let text: &[u8; 2 * BLOCK] = match rest.first_chunk() {
        Some(text) => text,
        None => {
            padded[..rest.len()].copy_from_slice(rest);
            &padded
        }
    };
    let mut events = replace | drop;
    if events.count_ones() as usize * BLOCK > len * DENSE {
        return mend_dense(text, len, replace, drop, room);
    }
    let (mut from, mut to) = (0, 0);
    loop {
        let next = (events.trailing_zeros() as usize).min(len);
        for lane in steps(0..BLOCK, S::LANES) {
            s.store(s.load(text, from + lane), room, to + lane);
        }
        to += next - from;
        if events == 0 {
            return to;
        }
        if replace >> next & 1 != 0 {
            let replacement = <Utf8 as Isolated<S>>::REPLACEMENT;
            for (place, byte) in room[to..to + replacement.len()].iter_mut().zip(replacement) {
                place.write(*byte);
            }
            to += replacement.len();
        }
        from = next + 1;
        events &= events - 1;
    }
}
