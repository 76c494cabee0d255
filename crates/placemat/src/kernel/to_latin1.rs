//! To ISO 8859-1, up to the first code point above U+00FF.
//!
//! From UTF-8, each byte but a lead becomes one byte, so leads are dropped and what follows C3 gets the bit 40h.

#![forbid(unsafe_code)]

mod wide;

use core::mem::MaybeUninit;

use super::blocks::part;
use super::prefetch::Ahead;
use super::scratch::Scratch;
use super::{Progress, ascii};
use crate::vector::{Bytes, Lanes, Vector, steps};

/// Bytes in a block.
const BLOCK: usize = 64;
/// Blocks between two looks at how much room there is.
const SPAN: usize = 16;
/// A span with so many ASCII blocks is followed by one that looks for them. Elsewhere a branch that is guessed wrong costs more
/// than blocks of wide vectors do.
const fn sparse<S: Vector>() -> u32 {
    if S::LANES == 32 { 6 } else { 0 }
}

/// A block, with the byte before it.
type Text = [u8; 1 + BLOCK];
type Room = [MaybeUninit<u8>; BLOCK];

/// UTF-8 to ISO 8859-1.
#[inline(always)]
pub(crate) fn from_utf8<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    if const { S::LANES == BLOCK } {
        return wide::from_utf8(s, src, dst);
    }
    // A lead without its second byte waits.
    let src = if let [before @ .., 0xC2 | 0xC3] = src { before } else { src };
    let mut c = Conversion { s, src, at: 0, written: 0, carry: 0, ascii_blocks: SPAN as u32 };
    loop {
        if !(if c.ascii_blocks >= sparse::<S>() { c.span::<true>(dst) } else { c.span::<false>(dst) }) {
            // At the beginning, at an end, and at something else than ISO 8859-1, a block alone.
            if !c.edge(dst) {
                break;
            }
        }
    }
    c.progress()
}

/// The same, where all of a text of at most a block is ISO 8859-1 and there is room for it: without a loop over blocks.
#[inline(always)]
pub(crate) fn from_short_utf8<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<Progress> {
    if const { S::LANES == BLOCK } {
        return wide::from_short_utf8(s, src, dst);
    }
    if src.len() > BLOCK {
        return None;
    }
    let mut scratch = [MaybeUninit::uninit(); 4 * BLOCK];
    let direct = dst.len() >= BLOCK;
    let out = &mut if direct { &mut *dst } else { &mut scratch[..] }[..BLOCK];
    let written = if src.len() <= S::LANES { one(s, src, out)? } else { several(s, src, out)? };
    if !direct {
        s.copy_part(&scratch, dst.get_mut(..written)?);
    }
    Some(Progress { read: src.len(), written, replaced: 0 })
}

/// At most a vector.
#[inline(always)]
fn one<S: Vector>(s: S, src: &[u8], out: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let bytes = s.load_text(src);
    if bytes.high_bits() == 0 {
        s.store(bytes, out, 0);
        return Some(src.len());
    }
    // The zero after the last byte is no continuation, so a lead there is bad.
    let marks = Marks::of(s, bytes, 0, Marks::NONE).followed(0);
    if marks.bad != 0 || marks.leads >> (BLOCK - 1) != 0 {
        return None;
    }
    let keep = !marks.leads & (!0 >> (BLOCK - src.len()));
    Some(s.put_bytes(value(s, bytes, bytes.delayed::<1>()), keep, out, 0))
}

/// More than a vector. The last one overlaps the one before it.
#[inline(always)]
fn several<S: Vector>(s: S, src: &[u8], out: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let last = src.len() - S::LANES;
    let (mut at, mut marks) = (0, Marks::of(s, s.load(src, last), last, Marks::NONE));
    while at < last {
        marks = Marks::of(s, s.load(src, at), at, marks);
        at += S::LANES;
    }
    let marks = marks.followed(0);
    if marks.bad != 0 || marks.leads >> (BLOCK - 1) != 0 {
        return None;
    }
    let (mut at, mut n) = (0, 0);
    while at < last {
        let bytes = s.load(src, at);
        let before = if at == 0 { bytes.delayed::<1>() } else { s.load(src, at - 1) };
        n += s.put_bytes(value(s, bytes, before), !marks.leads >> at & (!0 >> (64 - S::LANES)), out, n);
        at += S::LANES;
    }
    let bytes = value(s, s.load(src, last), s.load(src, last - 1));
    let keep = !marks.leads >> last & (!0 >> (64 - S::LANES)) & !0 << (at - last);
    Some(n + s.put_bytes(bytes, keep, out, n))
}

/// What bytes that are no leads become.
#[inline(always)]
fn value<S: Vector>(s: S, bytes: S::Bytes, before: S::Bytes) -> S::Bytes {
    bytes.replace(before.equal(s.splat(0xC3)), bytes + s.splat(0x40))
}

/// One conversion.
struct Conversion<'a, S: Vector> {
    s: S,
    src: &'a [u8],
    at: usize,
    written: usize,
    /// 1 if the byte before `at` is a lead.
    carry: u64,
    /// ASCII blocks in the last span.
    ascii_blocks: u32,
}

/// Where a block has what.
#[derive(Clone, Copy)]
struct Marks {
    leads: u64,
    tails: u64,
    high: u64,
    /// What is no character up to U+00FF, at its first byte that cannot be part of one.
    bad: u64,
    follows: u64,
}

impl Marks {
    const NONE: Marks = Marks { leads: 0, tails: 0, high: 0, bad: 0, follows: 0 };

    /// Add those of the lanes from `lane` on.
    #[inline(always)]
    fn of<S: Vector>(s: S, bytes: S::Bytes, lane: usize, marks: Marks) -> Marks {
        Marks {
            leads: marks.leads | (bytes & s.splat(0xFE)).equal(s.splat(0xC2)).bits() << lane,
            tails: marks.tails | bytes.less(s.splat(0xC0)).bits() << lane,
            high: marks.high | bytes.high_bits() << lane,
            ..marks
        }
    }

    /// See what is wrong, where a lead precedes the block (1) or not (0).
    #[inline(always)]
    fn followed(self, carry: u64) -> Marks {
        let Marks { leads, tails, high, .. } = self;
        let follows = leads << 1 | carry;
        Marks { bad: (high ^ (leads | tails)) | (tails ^ follows), follows, ..self }
    }
}

impl<S: Vector> Conversion<'_, S> {
    /// What is done, without a lead at the end.
    fn progress(&self) -> Progress {
        Progress { read: self.at - self.carry as usize, written: self.written, replaced: 0 }
    }

    #[inline(always)]
    fn marks(&self, text: &Text, carry: u64) -> Marks {
        let mut marks = Marks::NONE;
        for lane in steps(0..BLOCK, S::LANES) {
            marks = Marks::of(self.s, self.s.load(text, 1 + lane), lane, marks);
        }
        marks.followed(carry)
    }

    /// Write what the lanes of `keep` that are no leads become.
    #[inline(always)]
    fn put(&self, text: &Text, keep: u64, out: &mut Room) -> usize {
        let s = self.s;
        let mut n = 0;
        for lane in steps(0..BLOCK, S::LANES) {
            let bytes = value(s, s.load(text, 1 + lane), s.load(text, lane));
            n += s.put_bytes(bytes, keep >> lane & (!0 >> (64 - S::LANES)), out, n);
        }
        n
    }

    /// A span of blocks, and, if all of it is ASCII, as much ASCII as follows. Whether it was done to its end: there must
    /// be room for all of it, and a byte before it.
    #[inline(always)]
    fn span<const LOOK: bool>(&mut self, dst: &mut [MaybeUninit<u8>]) -> bool {
        let text =
            self.src.get(self.at.wrapping_sub(1)..).and_then(<[u8]>::first_chunk::<{ 1 + SPAN * BLOCK }>);
        let ahead = Ahead::of(dst);
        let room = dst[self.written..].first_chunk_mut::<{ SPAN * BLOCK }>();
        let (Some(text), Some(room)) = (text, room) else { return false };
        // Apart from `self`, so that they stay in registers.
        let (mut n, mut ascii_blocks, mut carry, mut blocks) = (0, 0, self.carry, 0);
        while blocks < SPAN {
            let Some(text) = text[blocks * BLOCK..].first_chunk() else { break };
            let Some(out) = room[n..].first_chunk_mut() else { break };
            ahead.ask(out);
            if LOOK && ascii::any(self.s, text, 1, BLOCK).high_bits() | carry == 0 {
                for lane in steps(0..BLOCK, S::LANES) {
                    self.s.store(self.s.load(text, 1 + lane), out, lane);
                }
                n += BLOCK;
                ascii_blocks += 1;
            } else {
                let marks = self.marks(text, carry);
                if marks.bad != 0 {
                    break;
                }
                ascii_blocks += u32::from(marks.leads == 0);
                n += self.put(text, !marks.leads, out);
                carry = marks.leads >> 63;
            }
            blocks += 1;
        }
        (self.carry, self.ascii_blocks) = (carry, ascii_blocks);
        (self.at, self.written) = (self.at + blocks * BLOCK, self.written + n);
        if ascii_blocks == SPAN as u32 && carry == 0 {
            let more = ascii::copy(self.s, &self.src[self.at..], &mut dst[self.written..]);
            (self.at, self.written) = (self.at + more, self.written + more);
        }
        blocks == SPAN
    }

    /// A block anywhere, or the part of it that is ISO 8859-1. Whether there is more to do.
    #[inline(always)]
    fn edge(&mut self, dst: &mut [MaybeUninit<u8>]) -> bool {
        let near = &self.src[self.at - (self.at.min(1))..self.src.len().min(self.at + BLOCK)];
        let units = near.len() - self.at.min(1);
        if units == 0 {
            return false;
        }
        let mut text: Text = [0; 1 + BLOCK];
        text[1 + units - near.len()..][..near.len()].copy_from_slice(near);
        let marks = self.marks(&text, self.carry);
        let good = (marks.bad.trailing_zeros() as usize).min(units);
        let keep = !marks.leads & if good == BLOCK { !0 } else { (1 << good) - 1 };
        let mut scratch = [MaybeUninit::uninit(); BLOCK];
        let n = self.put(&text, keep, &mut scratch);
        let Some(place) = dst[self.written..].get_mut(..n) else { return false };
        place.copy_from_slice(&scratch[..n]);
        self.written += n;
        if good < units {
            // A lead that nothing right follows is not read.
            (self.at, self.carry) = (self.at + good, marks.follows >> good & 1);
            return false;
        }
        self.at += units;
        // At the end a block may be partial.
        self.carry = marks.leads >> (units - 1) & 1;
        true
    }
}

/// UTF-16 (units of two bytes) or UTF-32 (of four), little-endian, to ISO 8859-1.
#[inline(always)]
pub(crate) fn narrow<S: Vector, const UNIT: usize>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    let units = (src.len() / UNIT).min(dst.len());
    let (src, dst) = (&src[..UNIT * units], &mut dst[..units]);
    let (mut at, ahead) = (0, Ahead::of(src));
    for (text, room) in src.chunks_exact(UNIT * BLOCK).zip(dst.as_chunks_mut::<BLOCK>().0) {
        if !narrow_block::<S, UNIT, false>(s, text, room) {
            break;
        }
        ahead.ask_both(text, room);
        at += BLOCK;
    }
    // The rest, if it is less than a block, and what fits of the block that has something else.
    let rest = &src[UNIT * at..UNIT * units.min(at + BLOCK)];
    let is_wide = |unit: &[u8]| unit[1..].iter().any(|&byte| byte != 0);
    let fit = rest.chunks_exact(UNIT).take_while(|unit| !is_wide(unit)).count();
    narrow_short::<S, UNIT>(s, &rest[..UNIT * fit], &mut dst[at..]);
    Progress { read: UNIT * (at + fit), written: at + fit, replaced: 0 }
}

/// The same, where it is at most a block, nothing else, and fits.
#[inline(always)]
pub(crate) fn narrow_short<S: Vector, const UNIT: usize>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Progress> {
    if src.len() > UNIT * BLOCK || !src.len().is_multiple_of(UNIT) {
        return None;
    }
    let mut scratch = Scratch::new();
    if !narrow_block::<S, UNIT, true>(s, src, scratch.room(dst)) {
        return None;
    }
    scratch.whole(s, src, dst, src.len() / UNIT)
}

/// Write the lowest byte of each unit of a block, or of a `PART` of one. Whether that is all there is to them.
#[inline(always)]
fn narrow_block<S: Vector, const UNIT: usize, const PART: bool>(
    s: S,
    text: &[u8],
    room: &mut [MaybeUninit<u8>],
) -> bool {
    let load = |at| if PART { part(s, text, at) } else { s.load(text, at) };
    let mut beyond = s.splat(0);
    for lane in steps(0..BLOCK, S::LANES) {
        let at = UNIT * lane;
        let mut pairs = [load(at), load(at + S::LANES)];
        if const { UNIT == 4 } {
            let [low, high] = s.separate_pairs(pairs);
            let [low_after, high_after] =
                s.separate_pairs([load(at + 2 * S::LANES), load(at + 3 * S::LANES)]);
            pairs = [low, low_after];
            beyond = beyond | high | high_after;
        }
        let [low, high] = s.separate(pairs);
        beyond = beyond | high;
        s.store(low, room, lane);
    }
    beyond.is_zero()
}
