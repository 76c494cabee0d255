//! How many bytes at the start are well-formed UTF-8.
//!
//! The check itself has no branches and takes the same time on every text, so a test for ASCII pays only where it is
//! mostly true: a mispredicted branch costs as much as 100 to 200 bytes of checking. Each stretch of text decides how
//! the next one is read.

#![forbid(unsafe_code)]

use super::ascii;
use super::utf8::{Grammar, Window, unfinished};
use crate::simd::{Bytes, Simd};

/// Up to so many bytes, [`medium`] is best.
pub(crate) const MEDIUM: usize = 256;
/// Bytes in one turn of the loops that take all text alike.
const CHUNK: usize = 128;
/// Bytes that are read in one way, and between two looks for errors.
const STRETCH: usize = 16 * CHUNK;

/// Bytes of which it is asked at once whether they are ASCII.
const BLOCK: usize = 64;
/// Blocks that are read with a branch for each, in one go.
const BRANCHES: usize = 60;
/// From block to block where they are marked.
const STEP: usize = BLOCK - 1;
/// The bytes that are marked in one number.
const MARKED: usize = 64 * STEP;

/// How a stretch is read: the cheapest way that the stretches before it suggest. One that it cannot judge is read again.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Way {
    /// Mostly ASCII: a branch for each block.
    Branches,
    /// Much ASCII: first all blocks with anything else are marked, then those are looked at. No branch to mispredict.
    Marks,
    /// All bytes are below E0.
    Two,
    /// All bytes are below F0.
    Three,
    Four,
}

/// What was read. Two numbers, because those are returned in registers.
#[derive(Clone, Copy)]
pub(crate) struct Reading {
    /// So many bytes are well-formed, the last sequence perhaps unfinished. None, if something is ill-formed.
    len: usize,
    /// How many sixteenths are ASCII, roughly, and [`THREE`], [`FOUR`].
    found: u32,
}

/// There may be a byte from E0 on.
const THREE: u32 = 1 << 8;
/// There may be a byte from F0 on.
const FOUR: u32 = 1 << 9;

impl Reading {
    #[inline(always)]
    fn calm(self) -> u32 {
        self.found & 0xFF
    }
}

/// Instructions that can read a stretch. Each way should be a function: in one, the constants of all of them do not fit the
/// registers.
pub(crate) trait Read: Simd {
    #[inline(always)]
    fn read(self, way: Way, text: &[u8]) -> Reading {
        read(self, way, text)
    }
}

/// Read what begins with the fourth byte: a stretch, or, in the first two ways, rather more.
#[inline(always)]
pub(crate) fn read<S: Simd>(s: S, way: Way, text: &[u8]) -> Reading {
    let stretch = text.first_chunk().unwrap_or(&[0; 3 + STRETCH]);
    match way {
        Way::Branches => match text.first_chunk() {
            Some(text) => branches(s, text),
            None => dense::<S, true>(s, stretch),
        },
        Way::Marks => match text.first_chunk() {
            Some(text) => marks(s, text),
            None => dense::<S, true>(s, stretch),
        },
        Way::Two => two(s, stretch),
        Way::Three => dense::<S, false>(s, stretch),
        Way::Four => dense::<S, true>(s, stretch),
    }
}

/// What the last stretches were like.
struct History {
    /// Stretches since the last byte from E0 on.
    three: u32,
    /// Stretches since the last byte from F0 on.
    four: u32,
}

/// Whether fewer than `LANES` bytes are well-formed.
#[inline(always)]
pub(crate) fn short<S: Simd>(s: S, src: &[u8]) -> bool {
    // No look for ASCII: a mispredicted branch costs more than the check.
    let bytes = s.load_part(src);
    // The zero after the last byte is no continuation, so a sequence that is cut off is broken there.
    let window = Window::first(bytes);
    S::Grammar::new(s).broken(s.splat(0), window).is_zero()
}

/// Whether `LANES` or more bytes are well-formed, for texts so short that only the number of instructions counts.
#[inline(always)]
pub(crate) fn medium<S: Simd>(s: S, src: &[u8]) -> bool {
    let last = src.len() - S::LANES;
    let first = s.load(src, 0);
    let mut any = first | s.load(src, last);
    for at in (S::LANES..last).step_by(S::LANES) {
        any = any | s.load(src, at);
    }
    if any.high_bits() == 0 {
        return true;
    }
    let grammar = S::Grammar::new(s);
    let mut broken = grammar.broken(s.splat(0), Window::first(first));
    for at in (S::LANES..last).step_by(S::LANES) {
        broken = grammar.broken(broken, Window::load(s, src, at));
    }
    // The last vector overlaps the one before it, unless too little precedes it.
    let window = if last >= 3 { Window::load(s, src, last) } else { Window::load_part(s, src, S::LANES) };
    grammar.broken(broken, window).is_zero() && unfinished(src) == 0
}

/// The length of a well-formed prefix that ends on a boundary: everything, or less than 4 KiB short of the first error.
/// There must be `LANES` bytes.
#[inline(always)]
pub(crate) fn long<S: Read>(s: S, src: &[u8]) -> usize {
    let mut at = ascii::calm(s, src);
    let mut way = if at > 0 { Way::Branches } else { Way::Three };
    let mut history = History::NONE;
    if at == 0 {
        let window = Window::first(s.load(src, 0));
        if !S::Grammar::new(s).broken(s.splat(0), window).is_zero() {
            return 0;
        }
        at = S::LANES;
    }
    while src.len() - at >= STRETCH {
        let reading = s.read(way, &src[at - 3..]);
        if let Some(other) = history.add(way, reading) {
            way = other;
            continue;
        }
        at += reading.len;
        if reading.len == 0 {
            return at - unfinished(&src[..at]);
        }
        if way == Way::Branches && reading.calm() >= NEARLY_ALL {
            match nearly_ascii(s, src, at) {
                Ok(end) => at = end,
                Err(end) => return end - unfinished(&src[..end]),
            }
        } else if reading.calm() == ALL {
            at += ascii::calm(s, &src[at..]);
        }
        way = history.next(way, reading.calm());
    }
    let grammar = S::Grammar::new(s);
    let (start, mut broken) = (at, s.splat(0));
    while src.len() - at >= S::LANES {
        broken = grammar.broken(broken, Window::load(s, src, at));
        at += S::LANES;
    }
    // The rest: one vector that ends where the text ends, and overlaps.
    let last = src.len() - S::LANES;
    let window = if last >= 3 { Window::load(s, src, last) } else { Window::load_part(s, src, at) };
    broken = grammar.broken(broken, window);
    let text = if broken.is_zero() { src } else { &src[..start] };
    text.len() - unfinished(text)
}

/// Sixteenths.
const ALL: u32 = 16;
const NEARLY_ALL: u32 = 15;

/// From `at` on while long runs of ASCII go on, with a block in between where they do not. How far, or where something is
/// ill-formed before the next boundary.
#[inline(always)]
fn nearly_ascii<S: Simd>(s: S, src: &[u8], mut at: usize) -> Result<usize, usize> {
    let grammar = S::Grammar::new(s);
    let mut short_runs = 0;
    while unfinished(&src[..at]) == 0 {
        let run = ascii::calm(s, &src[at..]);
        at += run;
        short_runs = if run < LONG_RUN { short_runs + 1 } else { 0 };
        if short_runs == 3 || src.len() - at < STRETCH {
            break;
        }
        // As much as `calm` looks at in one go.
        let mut broken = s.splat(0);
        for block in (0..4 * S::LANES).step_by(BLOCK) {
            broken = block_broken(s, grammar, broken, &src[at + block - 3..][..3 + BLOCK]);
        }
        if !broken.is_zero() {
            return Err(at);
        }
        at += 4 * S::LANES;
    }
    Ok(at)
}

/// A run of ASCII that is worth a branch which the CPU did not expect.
const LONG_RUN: usize = 512;

impl History {
    /// After so many stretches without four bytes the next is read without a look for them.
    const NO_FOUR: u32 = 8;
    const NO_THREE: u32 = 2;
    const NONE: History = History { three: 0, four: Self::NO_FOUR };

    /// Note what a stretch that was read holds. Another way to read it, if this was wrong.
    #[inline(always)]
    fn add(&mut self, way: Way, reading: Reading) -> Option<Way> {
        if way == Way::Branches || way == Way::Marks {
            return None;
        }
        let (three, four) = (reading.found & THREE != 0, reading.found & FOUR != 0);
        self.three = if three { 0 } else { self.three + 1 };
        self.four = if four { 0 } else { self.four + 1 };
        match way {
            Way::Two if three => Some(Way::Three),
            Way::Three if four => Some(Way::Four),
            _ => None,
        }
    }

    /// How to read the next stretch.
    #[inline(always)]
    fn next(&self, way: Way, calm: u32) -> Way {
        // The last way costs hardly more than a look for ASCII.
        let much = if way == Way::Two { 8 } else { 2 };
        match way {
            Way::Branches | Way::Marks if calm >= 12 => Way::Branches,
            Way::Branches | Way::Marks if calm >= 5 => Way::Marks,
            Way::Two | Way::Three | Way::Four if calm >= much => Way::Marks,
            _ if self.four < Self::NO_FOUR => Way::Four,
            _ if self.three < Self::NO_THREE => Way::Three,
            _ => Way::Two,
        }
    }
}

/// Any text, or all below F0.
#[inline(always)]
fn dense<S: Simd, const FOUR: bool>(s: S, text: &[u8; 3 + STRETCH]) -> Reading {
    let grammar = S::Grammar::new(s);
    let (mut broken, mut top, mut calm) = (s.splat(0), s.load(text, 0), 0);
    for at in (3..3 + STRETCH).step_by(CHUNK) {
        let mut max = s.splat(0);
        for lane in (0..CHUNK).step_by(S::LANES) {
            let window = Window::load(s, text, at + lane);
            broken = if FOUR { grammar.broken(broken, window) } else { grammar.broken_basic(broken, window) };
            max = max.max(window.at);
        }
        top = top.max(max);
        calm += u32::from(max.high_bits() == 0);
    }
    reading(s, broken, top, calm)
}

/// Where all bytes are below E0, a byte is a continuation if and only if a lead precedes it.
#[inline(always)]
fn two<S: Simd>(s: S, text: &[u8; 3 + STRETCH]) -> Reading {
    let first = s.load(text, 0);
    let (mut unequal, mut top, mut least, mut calm) = (s.splat(0), first, first ^ s.splat(0xC0), 0);
    for at in (3..3 + STRETCH).step_by(CHUNK) {
        let mut max = s.splat(0);
        for lane in (0..CHUNK).step_by(S::LANES) {
            let (bytes, before) = (s.load(text, at + lane), s.load(text, at + lane - 1));
            let is_after_lead = before.saturating_sub(s.splat(0xC0 - 0x80));
            unequal = unequal | is_after_lead.with_high_bit_flipped(bytes.less(s.splat(0xC0)));
            // C0 and C1 become 0 and 1.
            least = least.min(bytes ^ s.splat(0xC0));
            max = max.max(bytes);
        }
        top = top.max(max);
        calm += u32::from(max.high_bits() == 0);
    }
    let overlong = s.splat(2).saturating_sub(least);
    reading(s, (unequal & s.splat(0x80)) | overlong, top, calm)
}

#[inline(always)]
fn reading<S: Simd>(s: S, broken: S::Bytes, top: S::Bytes, calm: u32) -> Reading {
    let three = top.saturating_sub(s.splat(0xE0 - 0x80)).high_bits() != 0;
    let four = top.saturating_sub(s.splat(0xF0 - 0x80)).high_bits() != 0;
    let found = calm | (u32::from(three) * THREE) | (u32::from(four) * FOUR);
    Reading { len: if broken.is_zero() { STRETCH } else { 0 }, found }
}

/// Mark the blocks that are not ASCII; then look at them. Each begins with the last byte of the one before it, so that a
/// lead at the end of one that is marked has its continuation there, or marks the next.
#[inline(always)]
fn marks<S: Simd>(s: S, text: &[u8; 4 + MARKED]) -> Reading {
    let grammar = S::Grammar::new(s);
    let mut busy = 0_u64;
    // The last block first, so that bit 0 is the first.
    for i in (0..64).rev() {
        let any = ascii::any(s, &text[i * STEP..][..3 + BLOCK], 3, BLOCK);
        busy = 2 * busy + u64::from(any.high_bits() != 0);
    }
    let calm = 16 - busy.count_ones() / 4;
    let mut broken = s.splat(0);
    while busy != 0 {
        // The remainder spares a comparison.
        let i = busy.trailing_zeros() as usize % 64;
        broken = block_broken(s, grammar, broken, &text[i * STEP..][..3 + BLOCK]);
        busy &= busy - 1;
    }
    Reading { len: if broken.is_zero() { MARKED } else { 0 }, found: calm | THREE | FOUR }
}

/// Blocks of sixty-four bytes, each after a look whether it is ASCII. No other branch in the loop: the CPU remembers only
/// so many.
#[inline(always)]
fn branches<S: Simd>(s: S, text: &[u8; 3 + BRANCHES * BLOCK]) -> Reading {
    let grammar = S::Grammar::new(s);
    let last = s.load(&LAST, BLOCK - S::LANES);
    let (mut broken, mut calm) = (s.splat(0), 0);
    // Not zero where a sequence is not finished at the end of the block before.
    let mut open = s.splat(u8::from(unfinished(&text[..3]) != 0));
    for i in 0..BRANCHES {
        let block = &text[i * BLOCK..][..3 + BLOCK];
        if ascii::any(s, block, 3, BLOCK).high_bits() == 0 {
            broken = broken | open;
            calm += 1;
        } else {
            broken = block_broken(s, grammar, broken, block);
            open = s.load(block, 3 + BLOCK - S::LANES).saturating_sub(last);
        }
    }
    let calm = calm * 16 / BRANCHES as u32;
    Reading { len: if broken.is_zero() { BRANCHES * BLOCK } else { 0 }, found: calm | THREE | FOUR }
}

/// The greatest bytes with which a text may end.
const LAST: [u8; BLOCK] = {
    let mut last = [0xFF; BLOCK];
    last[BLOCK - 3] = 0xEF;
    last[BLOCK - 2] = 0xDF;
    last[BLOCK - 1] = 0xBF;
    last
};

/// What is broken in a block, which has three bytes before it.
#[inline(always)]
fn block_broken<S: Simd>(s: S, grammar: S::Grammar, mut broken: S::Bytes, text: &[u8]) -> S::Bytes {
    for lane in (3..3 + BLOCK).step_by(S::LANES) {
        broken = grammar.broken(broken, Window::load(s, text, lane));
    }
    broken
}
