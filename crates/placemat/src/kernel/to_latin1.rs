//! Converts to ISO 8859-1, up to the first code point above U+00FF.
//!
//! In UTF-8, each byte except leads becomes one byte: leads are dropped, and 40h is added to a byte after C3.

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
/// Blocks between two checks of how much room is left.
const SPAN: usize = 16;
/// After a span with at least this many ASCII blocks, the next span checks for ASCII blocks. After others, mispredicted
/// branches would cost more than converting the blocks with wide vectors.
const fn sparse<S: Vector>() -> u32 {
    if S::LANES == 32 { 6 } else { 0 }
}

/// A block, with the byte before it.
type Text = [u8; 1 + BLOCK];
type Room = [MaybeUninit<u8>; BLOCK];

/// Converts UTF-8 to ISO 8859-1.
#[inline(always)]
pub(crate) fn from_utf8<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    if const { S::LANES == BLOCK } {
        return wide::from_utf8(s, src, dst);
    }
    // A lead at the end, without its second byte, is not read.
    let src = if let [before @ .., 0xC2 | 0xC3] = src { before } else { src };
    let mut c = Conversion { s, src, at: 0, written: 0, carry: 0, ascii_blocks: SPAN as u32 };
    loop {
        if !(if c.ascii_blocks >= sparse::<S>() { c.span::<true>(dst) } else { c.span::<false>(dst) }) {
            // At the start, near an end, and near a character that is not in ISO 8859-1: a single block.
            if !c.edge(dst) {
                break;
            }
        }
    }
    c.progress()
}

/// Converts all of a text of at most one block, without a loop over blocks; `None` if it is not ISO 8859-1 or there is no room
/// for it.
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

/// Converts at most one vector.
#[inline(always)]
fn one<S: Vector>(s: S, src: &[u8], out: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let bytes = s.load_text(src);
    if bytes.high_bits() == 0 {
        s.store(bytes, out, 0);
        return Some(src.len());
    }
    // The zero after the last byte is no continuation, so a lead there is an error.
    let marks = Marks::of(s, bytes, 0, Marks::NONE).followed(0);
    if marks.bad != 0 || marks.leads >> (BLOCK - 1) != 0 {
        return None;
    }
    let keep = !marks.leads & (!0 >> (BLOCK - src.len()));
    Some(s.put_bytes(value(s, bytes, bytes.delayed::<1>()), keep, out, 0))
}

/// Converts more than one vector. The last vector overlaps the one before it.
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

/// Returns what bytes become that are no leads.
#[inline(always)]
fn value<S: Vector>(s: S, bytes: S::Bytes, before: S::Bytes) -> S::Bytes {
    bytes.replace(before.equal(s.splat(0xC3)), bytes + s.splat(0x40))
}

/// The state of a conversion.
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

/// Where a block has which kinds of bytes.
#[derive(Clone, Copy)]
struct Marks {
    leads: u64,
    tails: u64,
    high: u64,
    /// Of each sequence that is no character up to U+00FF, the first byte that cannot be part of one.
    bad: u64,
    follows: u64,
}

impl Marks {
    const NONE: Marks = Marks { leads: 0, tails: 0, high: 0, bad: 0, follows: 0 };

    /// Adds the lanes from `lane` on.
    #[inline(always)]
    fn of<S: Vector>(s: S, bytes: S::Bytes, lane: usize, marks: Marks) -> Marks {
        Marks {
            leads: marks.leads | (bytes & s.splat(0xFE)).equal(s.splat(0xC2)).bits() << lane,
            tails: marks.tails | bytes.less(s.splat(0xC0)).bits() << lane,
            high: marks.high | bytes.high_bits() << lane,
            ..marks
        }
    }

    /// Finds errors. `carry` is 1 if a lead precedes the block, otherwise 0.
    #[inline(always)]
    fn followed(self, carry: u64) -> Marks {
        let Marks { leads, tails, high, .. } = self;
        let follows = leads << 1 | carry;
        Marks { bad: (high ^ (leads | tails)) | (tails ^ follows), follows, ..self }
    }
}

impl<S: Vector> Conversion<'_, S> {
    /// Returns what is done, without a lead at the end.
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

    /// Writes what the lanes of `keep` become; none of them may be a lead.
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

    /// Converts a span of blocks and, if all of it is ASCII, the ASCII that follows. Returns whether it got to the end of the
    /// span; for that, there must be room for all of it, and a byte before it.
    #[inline(always)]
    fn span<const LOOK: bool>(&mut self, dst: &mut [MaybeUninit<u8>]) -> bool {
        let text =
            self.src.get(self.at.wrapping_sub(1)..).and_then(<[u8]>::first_chunk::<{ 1 + SPAN * BLOCK }>);
        let ahead = Ahead::of(dst);
        let room = dst[self.written..].first_chunk_mut::<{ SPAN * BLOCK }>();
        let (Some(text), Some(room)) = (text, room) else { return false };
        // Not in `self`, so that they stay in registers.
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

    /// Converts a block anywhere, or the part of it that is ISO 8859-1. Returns whether there may be more to do.
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
            // A lead without its continuation is not read.
            (self.at, self.carry) = (self.at + good, marks.follows >> good & 1);
            return false;
        }
        self.at += units;
        // At the end, the block may be shorter.
        self.carry = marks.leads >> (units - 1) & 1;
        true
    }
}

/// Converts UTF-16 (`UNIT` is 2) or UTF-32 (4), little-endian, to ISO 8859-1.
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
    // The rest, if it is less than a block, or the start of a block that contains other characters.
    let rest = &src[UNIT * at..UNIT * units.min(at + BLOCK)];
    let is_wide = |unit: &[u8]| unit[1..].iter().any(|&byte| byte != 0);
    let fit = rest.chunks_exact(UNIT).take_while(|unit| !is_wide(unit)).count();
    narrow_short::<S, UNIT>(s, &rest[..UNIT * fit], &mut dst[at..]);
    Progress { read: UNIT * (at + fit), written: at + fit, replaced: 0 }
}

/// Converts all of a text of at most one block; `None` if it has other characters or there is no room.
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

/// Loads a vector of a block, or of a `PART` of one.
#[inline(always)]
fn load<S: Vector, const PART: bool>(s: S, text: &[u8], at: usize) -> S::Bytes {
    if PART { part(s, text, at) } else { s.load(text, at) }
}

/// Writes the lowest byte of each unit of a block, or of a `PART` of one. Returns whether all other bytes are zero.
#[inline(always)]
fn narrow_block<S: Vector, const UNIT: usize, const PART: bool>(
    s: S,
    text: &[u8],
    room: &mut [MaybeUninit<u8>],
) -> bool {
    let mut beyond = s.splat(0);
    for lane in steps(0..BLOCK, S::LANES) {
        let at = UNIT * lane;
        let mut pairs = [load::<S, PART>(s, text, at), load::<S, PART>(s, text, at + S::LANES)];
        if const { UNIT == 4 } {
            let [low, high] = s.separate_pairs(pairs);
            let after = at + 2 * S::LANES;
            let [low_after, high_after] = s.separate_pairs([
                load::<S, PART>(s, text, after),
                load::<S, PART>(s, text, after + S::LANES),
            ]);
            pairs = [low, low_after];
            beyond = beyond | high | high_after;
        }
        let [low, high] = s.separate(pairs);
        beyond = beyond | high;
        s.store(low, room, lane);
    }
    beyond.is_zero()
}
