//! Finds how many bytes at the start are well-formed UTF-8.
//!
//! The check itself has no branches and takes the same time on every text. So a test for ASCII pays only if it is true half of the time: a
//! mispredicted branch costs as much as checking 100 to 200 bytes, on Zen 4 with AVX-512 up to 500 if the text is not in a near cache. Each span of
//! text decides how the next one is read.

#![forbid(unsafe_code)]

mod listed;
pub(crate) mod medium;
mod span;

use super::first_error::{boundary, in_two};
use super::named::{Utf8BeforeError, Utf8Span};
use super::utf8::{Grammar, Window, unfinished};
use super::{Valid, ascii};
use crate::vector::{Bytes, Vector, steps};

use span::{FOUR, FOUR_BYTES, THREE, Way, chunk_len, contains_four, read_apart};
pub(crate) use span::{Reading, read};

/// The longest text, in bytes, for which [`medium::is_well_formed`] is best.
pub(crate) const fn longest_medium<S: Vector>() -> usize {
    if S::MEDIUM == 0 { 512 } else { S::MEDIUM }
}

/// Vectors between two checks for errors in a text of at most a span, where vectors are narrow.
const NEAR: usize = 4;
/// Bytes that are read in one way before the next check for errors.
const SPAN: usize = 2048;
/// The length of a span if the last span was like the one before it.
const LONG_SPAN: usize = 4 * SPAN;

/// What the last spans were like.
struct History {
    /// Spans since the last byte of E0 or above.
    three: u32,
    /// Spans since the last byte of F0 or above.
    four: u32,
}

/// Returns the length of the well-formed prefix, without a sequence that the end cuts off. The text must have more than [`longest_medium`] bytes.
#[inline(always)]
pub(crate) fn long<S: Vector>(s: S, src: &[u8]) -> Valid {
    match spans(s, src) {
        Ok(valid) => valid,
        Err(at) => {
            // What is left must have a vector.
            let at = boundary(src.get(..at.min(src.len() - S::LANES)).unwrap_or_default());
            s.read_apart::<Utf8BeforeError>(src.get(at..).unwrap_or_default()).behind(at)
        }
    }
}

/// Like [`long`], or `Err` with how much is certainly well-formed: the first error is at most 8 KiB behind that. A sequence may go on there.
#[inline(always)]
fn spans<S: Vector>(s: S, src: &[u8]) -> Result<Valid, usize> {
    let mut at = ascii::long_run(s, src);
    // If less than a group of vectors is left, it is likely to be ASCII too.
    if const { S::WAYS } && at > 0 && src.len() - at <= 4 * S::LANES {
        let last = src.len() - S::LANES;
        let mut any = s.load(src, last);
        for lane in steps(at..last, S::LANES) {
            any = any | s.load(src, lane);
        }
        if any.high_bits() == 0 {
            return Ok(Valid::near(src.len()));
        }
    }
    // Finds an error right behind a long run of ASCII before a whole span is read because of that run.
    if const { S::LANES >= 32 }
        && at > const { if S::LANES == 64 { 2 } else { S::LANES } }
        && src.len() - at > SPAN
        && let Some(group) = src.get(at - 3..at + 4 * S::LANES + 1)
    {
        if s.read_apart::<Utf8Span<FOUR_BYTES>>(group).len == 0 {
            return Err(at);
        }
        at += 4 * S::LANES;
    }
    let mut broken = s.splat(0);
    if const { S::LANES < 64 } && at <= S::LANES && src.len() <= SPAN {
        (at, broken) = (S::LANES, medium::first_broken(s, src));
    } else if const { S::WAYS } {
        at = in_ways(s, src, at)?;
    } else {
        at = with_branches(s, src, at)?;
    }
    if const { S::LANES == 64 } {
        return rest(s, src, at);
    }
    // The error may be in the first vector.
    match medium::rest::<S, NEAR>(s, src, at, broken) {
        Err(at) if at == S::LANES => Err(0),
        result => result.map(Valid::near),
    }
}

/// Reads whole spans from `at` on, each in a way that the spans before it decide. Everything before `at` is ASCII, or `at` is below 3. Returns how
/// far it got.
#[inline(always)]
fn in_ways<S: Vector>(s: S, src: &[u8], mut at: usize) -> Result<usize, usize> {
    let mut way = match src.get(..chunk_len::<S>()) {
        _ if at > S::LANES => Way::Branches,
        Some(chunk) if contains_four(s, chunk) => Way::Four,
        _ => Way::Three,
    };
    let mut history = History::NONE;
    at = behind_first(s, src, at)?;
    let mut size = SPAN;
    while let Some(text) = src.get(at - 3..at + size + 1) {
        let reading = read_apart(s, way, text);
        if let Some(other) = history.add(way, reading) {
            (way, at) = (other, at + reading.len);
            continue;
        }
        if reading.len == 0 {
            return Err(at);
        }
        // `reading.len` is the same number, but all loads that follow would wait for it.
        at += size;
        let much = if way == Way::Branches && const { S::LANES < 64 } { NEARLY_ALL } else { ALL };
        // Listing blocks takes little longer than looking for the end of a run.
        if reading.ascii() >= much && (const { S::LANES < 64 } || size == LONG_SPAN) {
            at = nearly_ascii(s, src, at)?;
        }
        let next = history.next::<S>(way, reading.ascii());
        let is_long = (next == way || S::LANES == 64 && next == Way::Branches)
            && history.suits(way)
            && src.len() - at > LONG_SPAN;
        size = if is_long { LONG_SPAN } else { SPAN };
        way = next;
    }
    Ok(at)
}

/// Like [`in_ways`], with a branch for each block.
#[inline(always)]
fn with_branches<S: Vector>(s: S, src: &[u8], at: usize) -> Result<usize, usize> {
    let mut at = behind_first(s, src, at)?;
    while let Some(text) = src.get(at - 3..at + SPAN + 1) {
        if read_apart(s, Way::Branches, text).len == 0 {
            return Err(at);
        }
        at += SPAN;
    }
    Ok(at)
}

/// Returns where to read on, which is 3 or more. If `at` is less, the first vector is checked.
#[inline(always)]
fn behind_first<S: Vector>(s: S, src: &[u8], at: usize) -> Result<usize, usize> {
    if at >= 3 {
        return Ok(at);
    }
    if s.is_well_formed(Window::first(s.load(src, 0))) {
        Ok(ascii::to_boundary::<S>(src).max(3))
    } else {
        Err(0)
    }
}

/// Reads the rest of a text, less than a span, four vectors at a time, then two. The last two end where the text ends, and overlap those before.
#[inline(always)]
fn rest<S: Vector>(s: S, src: &[u8], mut at: usize) -> Result<Valid, usize> {
    let grammar = S::Grammar::new(s);
    let two = 2 * S::LANES;
    while let Some(chunk) = src.get(at.wrapping_sub(3)..at + 2 * two) {
        let (mut first, mut second) = (s.splat(0), s.splat(0));
        for lane in steps(3..3 + two, S::LANES) {
            first = grammar.broken(first, Window::load(s, chunk, lane));
            second = grammar.broken(second, Window::load(s, chunk, two + lane));
        }
        if !S::Grammar::is_clean(s, first | second) {
            return Ok(in_two(s, src, if S::Grammar::is_clean(s, first) { at + two } else { at }));
        }
        at += 2 * two;
    }
    while at < src.len() {
        at = at.min(src.len() - two);
        let Some(chunk) = src.get(at - 3..at + two) else { return Err(at) };
        let mut broken = s.splat(0);
        for lane in steps(3..chunk.len(), S::LANES) {
            broken = grammar.broken(broken, Window::load(s, chunk, lane));
        }
        if !S::Grammar::is_clean(s, broken) {
            return Ok(in_two(s, src, at));
        }
        at += two;
    }
    Ok(Valid::exactly(src.len() - unfinished(src), src.len()))
}

/// Shares of ASCII, in sixteenths.
const ALL: u32 = 16;
const NEARLY_ALL: u32 = 15;

/// Reads on from `at` while long runs of ASCII follow each other, with a block between them. Returns how far it got; `Err` if there is an error
/// before the next boundary.
#[inline(always)]
fn nearly_ascii<S: Vector>(s: S, src: &[u8], mut at: usize) -> Result<usize, usize> {
    let mut short_runs = 0;
    while let Some((before, rest)) = src.split_at_checked(at)
        && boundary(before) == at
    {
        let run = ascii::long_run(s, rest);
        at += run;
        short_runs = if run < LONG_RUN { short_runs + 1 } else { 0 };
        if short_runs == 3 || src.len() - at < SPAN {
            break;
        }
        // As many bytes as `long_run` reads per iteration.
        let Some(block) = src.get(at - 3..at + 4 * S::LANES + 1) else { return Err(at) };
        if s.read_apart::<Utf8Span<FOUR_BYTES>>(block).len == 0 {
            return Err(at);
        }
        at += 4 * S::LANES;
    }
    Ok(at)
}

/// A run of ASCII this long is worth a branch that the CPU did not predict.
const LONG_RUN: usize = 512;

impl History {
    /// After this many spans without four-byte sequences, the next is read in a way that does not check them. `NO_THREE`: the same for three.
    const NO_FOUR: u32 = 8;
    const NO_THREE: u32 = 2;
    const NONE: History = History { three: 0, four: Self::NO_FOUR };

    /// Records what a span contains. Returns another way to read on from `reading.len` if not all of it could be checked in this way.
    #[inline(always)]
    fn add(&mut self, way: Way, reading: Reading) -> Option<Way> {
        if way == Way::Branches {
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

    /// Whether the text has been like this for so long that this way will probably be right.
    #[inline(always)]
    fn suits(&self, way: Way) -> bool {
        way != Way::Two || self.three >= Self::NO_FOUR
    }

    /// Returns how to read the next span.
    #[inline(always)]
    fn next<S: Vector>(&self, way: Way, ascii_share: u32) -> Way {
        // Chunks are all ASCII less often than groups of narrow vectors.
        let much = match (way, S::LANES) {
            // Text of up to two bytes is checked nearly as fast as ASCII is listed.
            (_, 64) if self.three >= Self::NO_THREE => 13,
            (_, 64) => 9,
            (Way::Branches | Way::Two, _) => 8,
            (Way::Three | Way::Four, _) => 4,
        };
        match way {
            _ if ascii_share >= much => Way::Branches,
            _ if self.four < Self::NO_FOUR => Way::Four,
            _ if self.three < Self::NO_THREE => Way::Three,
            _ => Way::Two,
        }
    }
}
