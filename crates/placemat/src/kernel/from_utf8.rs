//! UTF-8 to UTF-16 and UTF-32.
//!
//! A unit is computed at *every* byte, as if a character ended there. Only then are the bytes selected where a
//! character does end. So each block is exactly 64 bytes of input, and no block has to wait until the length of the
//! one before is known.

#![forbid(unsafe_code)]

mod block;
mod branchless;
mod runs;

use core::mem::MaybeUninit;

use self::block::mended;
pub(crate) use self::branchless::Way;
use self::runs::{ascii_prefix, four_byte_run, three_byte_run};
use super::Progress;
use super::ascii;
use super::classify::marks;
use super::isolated_errors;
use super::scratch::Scratch;
pub(crate) use super::short::convert as short;
use super::short::vectors;
use super::target::Target;
use super::utf8::{Grammar, around, unfinished};
use crate::vector::{Bytes, Vector, steps};

/// Bytes of input in a block.
const BLOCK: usize = 64;
/// Bytes that are converted without a branch, if possible.
const GROUP: usize = 4 * BLOCK;
/// A block with this many four-byte characters is not just ASCII with an exception.
const MANY_FOURS: u32 = 4;
/// The most groups in a row that are read by the method for four-byte characters, before one is read without it.
const MOST_GROUPS: u32 = 16;
/// After an error, this many blocks are read one by one; the number doubles with each error, up to `MOST_SINGLES`.
const FEW_SINGLES: u32 = 4;
const MOST_SINGLES: u32 = 64;
/// The most bytes that a block of input can become.
const ROOM: usize = 4 * BLOCK;
/// A group with at most this many units may be in a run of three-byte characters.
const DENSE: usize = GROUP / 3 + 1;
/// If a run has this many bytes, the attempt paid.
const RUN: usize = 144;
/// The most groups that are read before the next attempt to find a run.
const LONGEST_WAIT: u32 = 15;

/// The state of a conversion.
pub(crate) struct Conversion<'a, S: Vector> {
    s: S,
    grammar: S::ConversionGrammar,
    /// The source, without an unfinished sequence at its end.
    src: &'a [u8],
    at: usize,
    written: usize,
    replaced: usize,
    /// A sequence boundary. Nothing before it is read again.
    settled: usize,
    /// The class of the block before.
    before: Class,
    /// Whether the block before is complete, whatever follows it: it is ASCII, or ends with a run.
    well_formed: bool,
    /// The groups to read before the next attempt to find a run, and how many these were after the last attempt.
    wait: u32,
    waited: u32,
    /// The groups to read by the method for four-byte characters.
    wide: u32,
    /// How groups are read.
    way: Way,
    /// The blocks to read one by one, and how many it will be after the next error.
    singles: u32,
    next_singles: u32,
}

/// The longest sequences that a block may have.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Class {
    /// All bytes are below E0.
    Two,
    /// All bytes are below F0.
    Three,
    Four,
}

/// The result for a block, or for a span of blocks.
enum Outcome<T> {
    Done(T),
    /// The block is ill-formed, or the text before it is.
    Broken,
    /// Too close to an end of the source or of the destination.
    Edge,
}
use Outcome::{Broken, Done, Edge};

/// Converts UTF-8 to the units of `T`, up to the first error, or with U+FFFD for each maximal subpart.
#[inline(always)]
pub(crate) fn convert<S: Vector, T: Target<S>>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    replace: bool,
) -> Progress {
    let src = &src[..src.len() - unfinished(src)];
    let ascii = s.apart(
        #[inline(always)]
        || ascii_prefix::<S, T>(s, src, dst),
    );
    if ascii == src.len() {
        return Progress { read: ascii, written: ascii * T::UNIT, replaced: 0 };
    }
    let grammar = S::ConversionGrammar::new(s);
    let mut c = Conversion {
        s,
        grammar,
        src,
        at: ascii,
        written: ascii * T::UNIT,
        replaced: 0,
        settled: 0,
        before: Class::Two,
        well_formed: true,
        wait: 0,
        waited: 0,
        wide: 1,
        way: Way::Sparse,
        singles: 0,
        next_singles: FEW_SINGLES,
    };
    loop {
        c.branchless::<T>(dst);
        let outcome = match c.span::<T>(dst) {
            Edge => c.edge::<T>(dst),
            outcome @ (Done(_) | Broken) => outcome,
        };
        match outcome {
            Done(()) if c.at < src.len() => {}
            Broken if replace => {
                let progress = c.progress::<T>();
                (c.at, c.written) = (progress.read, progress.written);
                if !c.lone::<T>(dst) && !c.mend::<T>(dst) {
                    return c.progress::<T>();
                }
                c.singles = c.next_singles;
                c.next_singles = (2 * c.next_singles).min(MOST_SINGLES);
            }
            Done(()) | Broken | Edge => return c.progress::<T>(),
        }
    }
}

impl<S: Vector> Conversion<'_, S> {
    /// Returns what is done: all blocks so far, without a sequence that the end of the last one cuts.
    fn progress<T: Target<S>>(&self) -> Progress {
        let replaced = self.replaced;
        let Some(before) = self.src.get(self.settled..self.at).filter(|before| !before.is_empty()) else {
            return Progress { read: self.at.min(self.src.len()), written: self.written, replaced };
        };
        // If no continuation follows, a unit has been written for the last sequence, complete or not; a first
        // surrogate always.
        let (cut, early) = if self.well_formed {
            (0, false)
        } else if self.src.get(self.at).is_some_and(|next| next & 0xC0 == 0x80) {
            let start = before.iter().rposition(|byte| byte & 0xC0 != 0x80).unwrap_or(0);
            (before.len() - start, T::PAIRS && before.len() - start >= 3 && before[start] >= 0xF0)
        } else {
            (unfinished(before), unfinished(before) > 0)
        };
        let written = self.written - if early { T::UNIT } else { 0 };
        Progress { read: self.at - cut, written, replaced }
    }

    /// Returns how many bytes of an unfinished sequence precede this block.
    fn cut(&self) -> usize {
        self.src.get(..self.at).map_or(0, unfinished)
    }

    /// Converts `singles` blocks one by one.
    #[inline(always)]
    fn span<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) -> Outcome<()> {
        while self.singles > 0 {
            let text =
                self.src.get(self.at.wrapping_sub(3)..).and_then(<[u8]>::first_chunk::<{ 3 + BLOCK + 1 }>);
            let room = dst[self.written..].first_chunk_mut::<ROOM>();
            let (Some(text), Some(room)) = (text, room) else { return Edge };
            // No sequence may be unfinished where the ASCII begins.
            let is_ascii = self.way == Way::Sparse
                && ascii::any(self.s, text, 3, BLOCK).high_bits() == 0
                && (self.well_formed || unfinished(&text[..3]) == 0);
            if is_ascii {
                for lane in steps(0..BLOCK, S::LANES) {
                    T::put_ascii(self.s, self.s.load(text, 3 + lane), room, lane * T::UNIT);
                }
                self.written += BLOCK * T::UNIT;
                self.before = Class::Two;
            } else {
                let Done(n) = self.block::<T>(text, room) else {
                    return Broken;
                };
                self.written += n;
            }
            self.well_formed = is_ascii;
            self.at += BLOCK;
            self.singles -= 1;
        }
        Done(())
    }

    /// Converts a run of three-byte characters, if one follows.
    #[inline(always)]
    fn three_byte_run<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) {
        // For a character that the end of the last block cut, nothing is written yet.
        let start = self.at - self.cut();
        let n = three_byte_run::<S, T>(self.s, &self.src[start..], &mut dst[self.written..]);
        if n > 0 {
            self.at = start + n;
            self.written += n / 3 * T::UNIT;
            self.well_formed = true;
        }
        self.waited = if n >= RUN { 0 } else { (2 * self.waited + 1).min(LONGEST_WAIT) };
        self.wait = self.waited;
    }

    /// Converts a run of four-byte characters, if one follows. Returns whether one did.
    #[inline(always)]
    fn four_byte_run<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) -> bool {
        let cut = self.cut();
        // A first surrogate has been written with the third byte.
        let written = self.written - if T::PAIRS && cut == 3 { T::UNIT } else { 0 };
        let n = four_byte_run::<S, T>(self.s, &self.src[self.at - cut..], &mut dst[written..]);
        if n > 0 {
            (self.at, self.written) = (self.at - cut + n, written + n);
            self.well_formed = true;
        }
        n > 0
    }

    /// Converts one block at either end of the source or of the destination.
    #[inline(always)]
    fn edge<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) -> Outcome<()> {
        let (s, src, at) = (self.s, self.src, self.at);
        let end = (at + BLOCK).min(src.len());
        if at == end {
            return Edge;
        }
        let dst = &mut dst[self.written..];
        let Some(n) = s.apart(
            #[inline(always)]
            || vectors::<S, T>(s, src, at, end, dst),
        ) else {
            return Broken;
        };
        self.at = end;
        self.written += n;
        self.before = Class::Four;
        self.well_formed = false;
        self.singles = self.singles.saturating_sub(1);
        Done(())
    }

    /// Converts from a boundary on, with U+FFFD for isolated errors in ASCII. Returns whether the text is well-formed
    /// again.
    #[inline(always)]
    fn lone<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) -> bool {
        let mut done = Progress { read: self.at, written: self.written, replaced: self.replaced };
        let is_well = isolated_errors::convert::<S, T>(self.s, self.src, dst, &mut done);
        (self.at, self.written, self.replaced) = (done.read, done.written, done.replaced);
        self.settled = self.at;
        (self.before, self.well_formed) = (Class::Two, true);
        is_well
    }

    /// Converts from a boundary on, with U+FFFD for errors, until the text is well-formed again. Returns whether there
    /// was room.
    #[inline(always)]
    fn mend<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) -> bool {
        let (s, src) = (self.s, self.src);
        (self.before, self.well_formed) = (Class::Three, false);
        loop {
            let mut copy = [0; _];
            let text = around::<3, _>(src, self.at, &mut copy);
            let rest = src.len() - self.at;
            let marks = marks(s, text, rest.min(BLOCK), rest > BLOCK);
            let (dst, mut scratch) = (&mut dst[self.written..], Scratch::new());
            let n = mended::<S, T>(s, text, &marks, scratch.room(dst));
            if !scratch.copy(s, dst, n) {
                return false;
            }
            self.at += marks.len;
            self.settled = self.at;
            self.written += n;
            self.replaced += marks.replace.count_ones() as usize;
            if marks.replace == 0 || self.at == src.len() {
                return true;
            }
        }
    }
}
