//! The same with vectors of a block each: what is wrong is found without masks in registers for numbers, which they are long on
//! their way to, and the last vector, of the text and of the room, need not be whole.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::{BLOCK, Conversion, SPAN, sparse, value};
use crate::kernel::blocks::part;
use crate::kernel::prefetch::Ahead;
use crate::kernel::{Progress, ascii};
use crate::vector::{Bytes, Lanes, Vector};

/// Blocks between two looks at whether something was wrong.
const GROUP: usize = 4;

/// UTF-8 that is not short to ISO 8859-1.
#[inline(always)]
pub(super) fn from_utf8<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    // A lead without its second byte waits.
    let src = if let [before @ .., 0xC2 | 0xC3] = src { before } else { src };
    let mut at = ascii::vectors(s, src, dst);
    let mut written = at;
    let mut ascii_blocks = if at < SPAN * BLOCK { 0 } else { SPAN };
    loop {
        if ascii_blocks == SPAN {
            let more = ascii::copy(s, &src[at..], &mut dst[written..]);
            (at, written) = (at + more, written + more);
        }
        let text = src.get(at.wrapping_sub(1)..).and_then(<[u8]>::first_chunk);
        let (Some(text), Some(room)) = (text, dst[written..].first_chunk_mut()) else { break };
        let ahead = Ahead::of(src);
        let (blocks, n);
        (blocks, n, ascii_blocks) = if ascii_blocks >= sparse::<S>() as usize {
            span::<S, true>(s, text, room, ahead)
        } else {
            span::<S, false>(s, text, room, ahead)
        };
        (at, written) = (at + blocks * BLOCK, written + n);
        if blocks < SPAN {
            break;
        }
    }
    while at < src.len()
        && let Some(n) = vector(s, src, at, &mut dst[written..])
    {
        (at, written) = (src.len().min(at + BLOCK), written + n);
    }
    // What was cut off may follow another lead.
    let carry = u64::from(src[..at].last().is_some_and(|&byte| byte >= 0xC0));
    let mut end = Conversion { s, src, at, written, carry, ascii_blocks: 0 };
    if at < src.len() {
        end.edge(dst);
    }
    end.progress()
}

/// All of a text of at most a block, if it is ISO 8859-1 and there is room for it.
#[inline(always)]
pub(super) fn from_short_utf8<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Progress> {
    // The zero after the last byte is no continuation, so a lead there is bad.
    if src.len() > BLOCK || src.get(BLOCK - 1).is_some_and(|&last| last >= 0xC0) {
        return None;
    }
    let bytes = s.load_text(src);
    let block = Block::of(s, bytes, bytes.delayed::<1>());
    if !Seen::none(s).with(s, block).is_well(s) {
        return None;
    }
    let written = block.put(s, src.len(), dst)?;
    Some(Progress { read: src.len(), written, replaced: 0 })
}

/// A block, or what there is of it, wherever it is, in any room that suffices: how many bytes.
#[inline(always)]
fn vector<S: Vector>(s: S, src: &[u8], at: usize, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let bytes = part(s, src, at);
    let before = if at == 0 { bytes.delayed::<1>() } else { part(s, src, at - 1) };
    let block = Block::of(s, bytes, before);
    if !Seen::none(s).with(s, block).is_well(s) {
        return None;
    }
    block.put(s, src.len() - at, dst)
}

/// Some groups of blocks, with a byte before them: how many blocks, how many bytes they became, and how many of them are ASCII.
#[inline(always)]
fn span<S: Vector, const LOOK: bool>(
    s: S,
    text: &[u8; 1 + SPAN * BLOCK],
    room: &mut [MaybeUninit<u8>; SPAN * BLOCK],
    ahead: Ahead,
) -> (usize, usize, usize) {
    let (mut blocks, mut n, mut ascii_blocks) = (0, 0, 0);
    while blocks < SPAN {
        let (mut seen, mut len) = (Seen::none(s), n);
        let text = &text[blocks * BLOCK..][..1 + GROUP * BLOCK];
        for at in (0..GROUP * BLOCK).step_by(BLOCK) {
            let Some(out) = room[len..].first_chunk_mut::<BLOCK>() else { break };
            ahead.ask(out);
            let (bytes, before) = (s.load(text, 1 + at), s.load(text, at));
            if LOOK && (bytes | before).high_bits() == 0 {
                s.store(bytes, out, 0);
                len += BLOCK;
                ascii_blocks += 1;
                continue;
            }
            let block = Block::of(s, bytes, before);
            seen = seen.with(s, block);
            let written = s.put_bytes(block.value(s), !block.leads.bits(), out, 0);
            ascii_blocks += usize::from(written == BLOCK);
            len += written;
        }
        if !seen.is_well(s) {
            break;
        }
        (blocks, n) = (blocks + GROUP, len);
    }
    (blocks, n, ascii_blocks)
}

/// A vector, the bytes before each of its own, and where it has leads.
#[derive(Clone, Copy)]
struct Block<B: Bytes> {
    bytes: B,
    before: B,
    leads: B::Lanes,
}

impl<B: Bytes> Block<B> {
    #[inline(always)]
    fn of<S: Vector<Bytes = B>>(s: S, bytes: B, before: B) -> Self {
        Block { bytes, before, leads: bytes.at_least(s.splat(0xC0)) }
    }

    #[inline(always)]
    fn value<S: Vector<Bytes = B>>(self, s: S) -> B {
        value(s, self.bytes, self.before)
    }

    /// Write what its first `len` bytes become, in any room that suffices.
    #[inline(always)]
    fn put<S: Vector<Bytes = B>>(self, s: S, len: usize, dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let there = (!0_u64).checked_shr((BLOCK - len.min(BLOCK)) as u32).unwrap_or(0);
        let keep = !self.leads.bits() & there;
        s.put_bytes_exactly(self.value(s), keep, dst)
    }
}

/// What is wrong in blocks.
#[derive(Clone, Copy)]
struct Seen<B> {
    /// The highest bit where a byte is a continuation and no lead precedes it, or the other way round.
    unequal: B,
    top: B,
    /// The least of what C0 and C1 are 0 and 1 in.
    least: B,
}

impl<B: Bytes> Seen<B> {
    #[inline(always)]
    fn none<S: Vector<Bytes = B>>(s: S) -> Self {
        Seen { unequal: s.splat(0), top: s.splat(0), least: s.splat(0xFF) }
    }

    #[inline(always)]
    fn with<S: Vector<Bytes = B>>(self, s: S, Block { bytes, before, .. }: Block<B>) -> Self {
        // A lead has the bit next to the highest, a continuation not.
        let tail = bytes & (bytes + bytes + s.splat(0x80));
        Seen {
            unequal: self.unequal | ((before & (before + before)) ^ tail),
            top: self.top.max(bytes),
            least: self.least.min(bytes ^ s.splat(0xC0)),
        }
    }

    #[inline(always)]
    fn is_well<S: Vector<Bytes = B>>(self, s: S) -> bool {
        let bad = self.top.saturating_sub(s.splat(0xC3)) | s.splat(2).saturating_sub(self.least);
        ((self.unequal & s.splat(0x80)) | bad).is_zero()
    }
}
