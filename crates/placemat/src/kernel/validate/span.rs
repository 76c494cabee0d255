//! Reads a span of text in one of four ways.
#![forbid(unsafe_code)]

use super::listed;
use crate::kernel::ascii;
use crate::kernel::named::Utf8Span;
use crate::kernel::prefetch::Ahead;
use crate::kernel::utf8::{Grammar, UpToTwo, Window};
use crate::vector::{Bytes, Vector, steps};

/// Bytes per iteration of the loops that read all text in the same way: four vectors, or two of the shortest.
pub(super) const fn chunk_len<S: Vector>() -> usize {
    if S::LANES < 32 { 32 } else { 4 * S::LANES }
}

/// Bytes at the start of each chunk that tell whether it is ASCII. A sample, where it takes long to test a vector.
const fn sample_len<S: Vector>() -> usize {
    if S::LANES < 64 { chunk_len::<S>() } else { 2 * S::LANES }
}

/// How a span is read: the cheapest way, judged by the spans before. If that way cannot check the span, it is read again in another.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Way {
    /// Half ASCII or more: a branch for each block, or a list of the blocks that are not ASCII.
    Branches,
    /// All bytes are below E0.
    Two,
    /// All bytes are below F0.
    Three,
    Four,
}

/// The result of reading a span. Two numbers, because those are returned in registers.
#[derive(Clone, Copy)]
pub(crate) struct Reading {
    /// How many bytes are well-formed; the last sequence may be unfinished. 0 if anything is ill-formed. With [`FOUR`] in a way that cannot check
    /// that, only how many certainly are.
    pub(super) len: usize,
    /// How many sixteenths of a sample are ASCII, roughly, with the bits [`THREE`] and [`FOUR`].
    pub(super) found: u32,
}

/// The sample has bytes of E0 or above.
pub(super) const THREE: u32 = 1 << 8;
/// The sample has bytes of F0 or above, or the way cannot check them.
pub(super) const FOUR: u32 = 1 << 9;

impl Reading {
    #[inline(always)]
    pub(super) fn ascii(self) -> u32 {
        self.found & 0xFF
    }
}

/// Reads from the fourth byte of `text` to the last but one: whole chunks.
#[inline(always)]
pub(crate) fn read<S: Vector, const WAY: u8>(s: S, text: &[u8]) -> Reading {
    match WAY {
        BRANCHES if const { S::LANES >= 32 } => listed::listed(s, text),
        BRANCHES => branches(s, text),
        TWO => two(s, text),
        THREE_BYTES => dense::<S, false>(s, text),
        _ => dense::<S, true>(s, text),
    }
}

/// Like [`read`], with a separate function for each way: in a single one, the constants of all would not fit the registers.
#[inline(always)]
pub(super) fn read_apart<S: Vector>(s: S, way: Way, text: &[u8]) -> Reading {
    match way {
        Way::Branches => s.read_apart::<Utf8Span<BRANCHES>>(text),
        Way::Two => s.read_apart::<Utf8Span<TWO>>(text),
        Way::Three => s.read_apart::<Utf8Span<THREE_BYTES>>(text),
        Way::Four => s.read_apart::<Utf8Span<FOUR_BYTES>>(text),
    }
}

/// The ways as numbers.
const BRANCHES: u8 = 0;
const TWO: u8 = 1;
const THREE_BYTES: u8 = 2;
pub(super) const FOUR_BYTES: u8 = 3;

/// Bytes between two checks for errors in text that should have no bytes of F0 or above, which are errors there; a span is a multiple of this.
/// At most so many bytes are read again because of such a byte. With 256, text without them takes 4 % longer.
const CHECK: usize = 512;

/// Reads any text, or without `ANY` text below F0: then `len` is at most [`CHECK`] bytes before the first byte of F0 or above.
#[inline(always)]
fn dense<S: Vector, const ANY: bool>(s: S, text: &[u8]) -> Reading {
    // These rules do not see that a fourth byte is missing.
    if !ANY && text[..3].iter().any(|&byte| byte >= 0xF0) {
        return Reading { len: 0, found: THREE | FOUR };
    }
    let grammar = if ANY { S::Grammar::new(s) } else { S::Grammar::basic(s) };
    let (mut broken, mut top, mut ascii_share, mut at) = (s.splat(0), s.splat(0), 0, 0);
    let part_len = if ANY { text.len() - 4 } else { CHECK };
    while let Some(part) = text.get(at..at + part_len + 4).filter(|_| at + 4 < text.len()) {
        let mut rest = part;
        while let Some(chunk) = rest.get(..3 + chunk_len::<S>() + 1) {
            let mut max = s.splat(0);
            Ahead::FAR.ask(&chunk[..chunk_len::<S>()]);
            for lane in steps(3..3 + chunk_len::<S>(), S::LANES) {
                let window = Window::load(s, chunk, lane);
                broken =
                    if ANY { grammar.broken(broken, window) } else { grammar.broken_basic(broken, window) };
                if lane < 3 + sample_len::<S>() {
                    max = max.max(window.at);
                }
            }
            top = top.max(max);
            ascii_share += usize::from(max.high_bits() == 0);
            rest = &rest[chunk_len::<S>()..];
        }
        if !ANY && !S::Grammar::is_clean(s, broken) {
            let four = contains_four(s, &part[..part.len() - 1]);
            return Reading { len: if four { at } else { 0 }, found: THREE | (u32::from(four) * FOUR) };
        }
        at += part_len;
    }
    let three = top.saturating_sub(s.splat(0xE0 - 0x80)).high_bits() != 0;
    let found = sixteenths(ascii_share * chunk_len::<S>(), at)
        | (u32::from(three) * THREE)
        | (u32::from(has_four(s, top)) * FOUR);
    Reading { len: if S::Grammar::is_clean(s, broken) { at } else { 0 }, found }
}

/// Reads text below E0.
#[inline(always)]
fn two<S: Vector>(s: S, text: &[u8]) -> Reading {
    let (mut seen, mut ascii_share, mut at) = (UpToTwo::new(s, s.load(text, 0)), 0, 0);
    while let Some(chunk) = text.get(at..at + 3 + chunk_len::<S>() + 1) {
        let least = seen.least;
        seen.least = s.splat(0xFF);
        Ahead::FAR.ask(&chunk[..chunk_len::<S>()]);
        for lane in steps(3..3 + sample_len::<S>(), S::LANES) {
            seen = seen.with::<S, S::Grammar>(s, s.load(chunk, lane), s.load(chunk, lane - 1));
        }
        ascii_share += usize::from(seen.least.high_bits() == !0 >> (64 - S::LANES));
        seen.least = seen.least.min(least);
        for lane in steps(3 + sample_len::<S>()..3 + chunk_len::<S>(), S::LANES) {
            seen = seen.with::<S, S::Grammar>(s, s.load(chunk, lane), s.load(chunk, lane - 1));
        }
        at += chunk_len::<S>();
    }
    let found = sixteenths(ascii_share * chunk_len::<S>(), at) | (u32::from(seen.has_more(s)) * THREE);
    Reading { len: if seen.broken(s).is_zero() { at } else { 0 }, found }
}

/// Whether a text of at least one vector contains a byte of F0 or above.
#[inline(always)]
pub(super) fn contains_four<S: Vector>(s: S, text: &[u8]) -> bool {
    let mut top = s.load(text, text.len() - S::LANES);
    for vector in text.chunks_exact(S::LANES) {
        top = top.max(s.load(vector, 0));
    }
    has_four(s, top)
}

/// Whether there is a byte of F0 or above.
#[inline(always)]
fn has_four<S: Vector>(s: S, top: S::Bytes) -> bool {
    top.saturating_sub(s.splat(0xF0 - 0x80)).high_bits() != 0
}

/// Returns `part` in sixteenths of `len`, which is a power of two.
#[inline(always)]
pub(super) fn sixteenths(part: usize, len: usize) -> u32 {
    ((16 * part) >> len.trailing_zeros()) as u32
}

/// Reads groups of bytes, each after a check whether it is ASCII; a group has three bytes before and one after it. The loop has no other branch,
/// because the CPU remembers only so many.
#[inline(always)]
fn branches<S: Vector>(s: S, text: &[u8]) -> Reading {
    const LEN: usize = 64;
    let grammar = S::Grammar::new(s);
    // The sequence before the first group may be broken.
    let (mut broken, mut lone) = (grammar.broken(s.splat(0), Window::load(s, text, 3)), false);
    let (mut ascii_share, mut at) = (0, 0);
    while let Some(group) = text[at..].first_chunk::<{ 3 + LEN + 1 }>() {
        Ahead::FAR.ask(&group[..LEN]);
        if ascii::any(s, group, 3, LEN).high_bits() == 0 {
            ascii_share += 1;
        } else {
            // From the second byte on, so that the byte after a lead at the end is checked. The first byte can be wrong only after ASCII.
            lone |= group[2] < 0x80 && group[3] & 0xC0 == 0x80;
            broken = group_broken(s, grammar, broken, &group[1..]);
        }
        at += LEN;
    }
    let found = sixteenths(ascii_share * LEN, at) | THREE | FOUR;
    Reading { len: if S::Grammar::is_clean(s, broken) && !lone { at } else { 0 }, found }
}

/// Checks whole vectors that have three bytes before them. Returns `broken` with the errors found.
#[inline(always)]
fn group_broken<S: Vector>(s: S, grammar: S::Grammar, mut broken: S::Bytes, text: &[u8]) -> S::Bytes {
    for lane in steps(3..text.len(), S::LANES) {
        broken = grammar.broken(broken, Window::load(s, text, lane));
    }
    broken
}
