//! The same with vectors of a block each: what is wrong is found without masks in registers for numbers, which they are long on
//! their way to, and the last vector, of the text and of the room, need not be whole.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::{BLOCK, Conversion, SPAN, sparse, value};
use crate::kernel::blocks::part;
use crate::kernel::{Progress, ascii};
use crate::vector::{Bytes, Lanes, Vector};

/// UTF-8 that is not short to ISO 8859-1.
#[inline(always)]
pub(super) fn from_utf8<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    // A lead without its second byte waits.
    let src = if let [before @ .., 0xC2 | 0xC3] = src { before } else { src };
    let ascii = ascii::vectors(s, src, dst);
    let mut c = Conversion {
        s,
        src,
        at: ascii,
        written: ascii,
        carry: 0,
        ascii_blocks: if ascii < SPAN * BLOCK { 0 } else { SPAN as u32 },
    };
    // Before a span there is a byte.
    let begins = c.at > 0 || c.vector(dst);
    c.carry = c.lead_before();
    while begins && if c.ascii_blocks >= sparse::<S>() { c.span::<true>(dst) } else { c.span::<false>(dst) } {
    }
    while c.vector(dst) {}
    // What was cut off may follow another lead.
    c.carry = c.lead_before();
    if c.at < src.len() {
        c.edge(dst);
    }
    c.progress()
}

impl<S: Vector> Conversion<'_, S> {
    /// 1 if the byte before `at` is a lead.
    #[inline(always)]
    fn lead_before(&self) -> u64 {
        u64::from(self.src[..self.at].last().is_some_and(|&byte| byte >= 0xC0))
    }

    /// One more vector, if there is one, and it is well.
    #[inline(always)]
    fn vector(&mut self, dst: &mut [MaybeUninit<u8>]) -> bool {
        if self.at == self.src.len() {
            return false;
        }
        let Some(n) = vector(self.s, self.src, self.at, &mut dst[self.written..]) else { return false };
        (self.at, self.written) = (self.src.len().min(self.at + BLOCK), self.written + n);
        true
    }
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
