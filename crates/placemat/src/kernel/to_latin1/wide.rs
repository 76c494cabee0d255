//! UTF-8 to ISO 8859-1 for levels whose vectors are as long as a block: one method for all lengths, which writes only to the destination.
//! Errors are found without moving masks to general-purpose registers, because that has a long latency.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::{BLOCK, Conversion, Room, SPAN, value};
use crate::kernel::prefetch::Ahead;
use crate::kernel::{Progress, ascii};
use crate::vector::{Bytes, Lanes, Vector};

/// After a span with fewer leads than this, the next one checks for vectors of ASCII: it likely has ten or more of them.
const FEW: usize = 8;
/// After this many spans of ASCII, more is likely to follow.
const LONG: usize = 2;

/// Converts all of a text of at most one span, if it is ISO 8859-1 and there is room for it.
#[inline(always)]
pub(super) fn from_short_utf8<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Progress> {
    if src.len() > BLOCK {
        return if src.len() <= SPAN * BLOCK { several(s, src, dst) } else { None };
    }
    let bytes = s.load_text(src);
    if bytes.high_bits() == 0 {
        s.store_first(bytes, src.len(), dst)?;
        return Some(Progress { read: src.len(), written: src.len(), replaced: 0 });
    }
    // The zero after the last byte is no continuation, so a lead there is an error.
    if src.get(BLOCK - 1).is_some_and(|&last| last >= 0xC0) {
        return None;
    }
    let block = Block { bytes, before: bytes.delayed::<1>() };
    let written = block.part(s, !0 >> (BLOCK - src.len()), dst)?;
    Some(Progress { read: src.len(), written, replaced: 0 })
}

/// Converts all of a text of more than one block and at most one span, if it is ISO 8859-1 and there is room for it.
#[inline(always)]
fn several<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Progress> {
    // A lead at the end is not read, so this is not all of the text.
    if src.len() <= BLOCK || src[src.len() - 1] >= 0xC0 {
        return None;
    }
    let mut at = ascii::leading(s, src, dst);
    if at == src.len() {
        return Some(Progress { read: at, written: at, replaced: 0 });
    }
    let mut written = at;
    // Uses few registers, so that short texts need not save others.
    let mut seen = Seen::new(s);
    while at + BLOCK < src.len() {
        let (block, out) = (Block::of(s, src, at), dst.get_mut(written..)?.first_chunk_mut()?);
        seen = seen.with(s, block);
        written += block.put(s, out);
        at += BLOCK;
    }
    // The last vector overlaps the one before it, and needs only as much room as it fills.
    let last = src.len() - BLOCK;
    let block = Block::of(s, src, last);
    if !seen.with(s, block).is_well(s) {
        return None;
    }
    written += block.put_part(s, !0 << (at - last), dst.get_mut(written..)?)?;
    Some(Progress { read: src.len(), written, replaced: 0 })
}

/// Converts any text, up to the first error.
#[inline(always)]
pub(super) fn from_utf8<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    let mut cursor = Cursor { at: 0, written: 0 };
    if src.len() > BLOCK {
        cursor.run(s, src, dst);
    }
    let Progress { read, written, .. } = cursor.progress(src);
    let mut c = Conversion { s, src, at: read, written, carry: 0, ascii_blocks: 0 };
    c.edge(dst);
    c.progress()
}

/// How far a conversion is.
struct Cursor {
    at: usize,
    written: usize,
}

impl Cursor {
    /// Returns what is done. A lead at the end has no continuation yet, or a wrong one. Nothing was written for it.
    #[inline(always)]
    fn progress(self, src: &[u8]) -> Progress {
        let is_open = src[..self.at].last().is_some_and(|&last| last >= 0xC0);
        Progress { read: self.at - usize::from(is_open), written: self.written, replaced: 0 }
    }

    /// Converts a text of more than one block, as far as vectors are ISO 8859-1 and there is room.
    #[inline(always)]
    fn run<S: Vector>(&mut self, s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
        let (mut leads, mut streak, mut is_well, ahead) = (0, LONG, true, Ahead::of(dst));
        loop {
            if streak >= LONG {
                streak = 0;
                let more = ascii::copy(s, &src[self.at..], &mut dst[self.written..]);
                (self.at, self.written) = (self.at + more, self.written + more);
            }
            if let Some(room) = dst[self.written..].get(..SPAN * BLOCK) {
                ahead.ask(room);
            }
            let (at, written) = (self.at, self.written);
            is_well = is_well
                && if leads < FEW {
                    self.span::<S, true>(s, src, dst)
                } else {
                    self.span::<S, false>(s, src, dst)
                };
            if !is_well {
                // Repeats the span, one vector at a time, up to the error.
                (self.at, self.written) = (at, written);
            }
            leads = (self.at - at) - (self.written - written);
            // After a single vector, there may be a lead.
            streak = if leads == 0 && is_well { streak + 1 } else { 0 };
            if self.at - at < SPAN * BLOCK {
                if self.at == src.len() || !self.last(s, src, dst) {
                    break;
                }
                // The last byte may be a lead.
                leads = FEW;
            }
        }
    }

    /// Converts a span of vectors, or fewer near the end; none if no byte precedes them. Returns whether there was no error: a branch for
    /// each vector would take longer than its conversion.
    #[inline(always)]
    fn span<S: Vector, const LOOK: bool>(&mut self, s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
        let (at, blocks) = (self.at, SPAN.min((src.len() - self.at) / BLOCK));
        let Some(before) = at.checked_sub(1).map(|from| &src[from..][..blocks * BLOCK]) else { return true };
        let room = &mut dst[self.written..];
        let (mut done, mut n, mut seen) = (0, 0, Seen::new(s));
        for (text, before) in src[at..].chunks_exact(BLOCK).zip(before.chunks_exact(BLOCK)) {
            let Some(out) = room[n..].first_chunk_mut::<BLOCK>() else { break };
            let bytes = s.load(text, 0);
            n += if LOOK && bytes.high_bits() == 0 && before[0] < 0xC0 {
                s.store(bytes, out, 0);
                BLOCK
            } else {
                let block = Block { bytes, before: s.load(before, 0) };
                seen = seen.with(s, block);
                block.put(s, out)
            };
            done += BLOCK;
        }
        (self.at, self.written) = (at + done, self.written + n);
        seen.is_well(s)
    }

    /// Converts one vector anywhere (the last overlaps the one before it), in any room that is enough. Returns whether there was no error.
    #[inline(always)]
    fn last<S: Vector>(&mut self, s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
        let start = self.at.min(src.len() - BLOCK);
        let Some(n) = Block::of(s, src, start).part(s, !0 << (self.at - start), &mut dst[self.written..])
        else {
            return false;
        };
        (self.at, self.written) = (start + BLOCK, self.written + n);
        true
    }
}

/// A vector of bytes, and for each of them the byte before it.
#[derive(Clone, Copy)]
struct Block<B> {
    bytes: B,
    before: B,
}

impl<B: Bytes> Block<B> {
    /// Loads a block from `at` on.
    #[inline(always)]
    fn of<S: Vector<Bytes = B>>(s: S, src: &[u8], at: usize) -> Self {
        let bytes = s.load(src, at);
        Block { bytes, before: if at == 0 { bytes.delayed::<1>() } else { s.load(src, at - 1) } }
    }

    /// Writes what the block becomes. Returns how many bytes.
    #[inline(always)]
    fn put<S: Vector<Bytes = B>>(self, s: S, out: &mut Room) -> usize {
        s.put_bytes(self.value(s), self.keep(s), out, 0)
    }

    /// Like `put`, for some lanes, in any room that is enough.
    #[inline(always)]
    fn put_part<S: Vector<Bytes = B>>(self, s: S, lanes: u64, out: &mut [MaybeUninit<u8>]) -> Option<usize> {
        s.put_bytes_exactly(self.value(s), self.keep(s) & lanes, out)
    }

    /// Like `put_part`, but `None` if the block has an error.
    #[inline(always)]
    fn part<S: Vector<Bytes = B>>(self, s: S, lanes: u64, out: &mut [MaybeUninit<u8>]) -> Option<usize> {
        if Seen::new(s).with(s, self).is_well(s) { self.put_part(s, lanes, out) } else { None }
    }

    #[inline(always)]
    fn value<S: Vector<Bytes = B>>(self, s: S) -> B {
        value(s, self.bytes, self.before)
    }

    /// The lanes that are no leads.
    #[inline(always)]
    fn keep<S: Vector<Bytes = B>>(self, s: S) -> u64 {
        !self.bytes.at_least(s.splat(0xC0)).bits()
    }
}

/// The errors in some vectors.
#[derive(Clone, Copy)]
struct Seen<B> {
    /// The highest bit is set where a continuation is without a lead before it, or the other way round.
    unequal: B,
    /// C2 or more where a lead is neither C2 nor C3.
    turned: B,
}

impl<B: Bytes> Seen<B> {
    #[inline(always)]
    fn new<S: Vector<Bytes = B>>(s: S) -> Self {
        Seen { unequal: s.splat(0), turned: s.splat(0) }
    }

    #[inline(always)]
    fn with<S: Vector<Bytes = B>>(self, s: S, Block { bytes, before }: Block<B>) -> Self {
        // In the highest bit: of a lead, the highest two bits are set, of a continuation only the highest.
        let tail = bytes & ((bytes + bytes) ^ s.splat(0xFF));
        let unequal = (before & (before + before)) ^ tail;
        // C2 becomes 1, C3 becomes 0, and other leads C2h or more; all other bytes less.
        let turned = (bytes ^ s.splat(0x3D)) + s.splat(2);
        Seen { unequal: self.unequal | unequal, turned: self.turned.max(turned) }
    }

    #[inline(always)]
    fn is_well<S: Vector<Bytes = B>>(self, s: S) -> bool {
        self.unequal.high_bits() | self.turned.at_least(s.splat(0xC2)).bits() == 0
    }
}
