//! UTF-8 to UTF-16 and UTF-32.
//!
//! A unit is computed at *every* byte as if a character ended there, and only then are the bytes where one does picked
//! out. So each block is exactly 64 bytes of input, and no block waits to learn how much the one before it consumed.

#![forbid(unsafe_code)]

mod block;
mod runs;

use core::mem::MaybeUninit;

use self::block::mended;
use self::runs::{ascii_blocks, threes};
use super::Progress;
use super::ascii;
use super::lone;
use super::mend::marks;
use super::side::Side;
use super::target::Target;
use super::utf8::{Grammar, Inner, Outer, unfinished};
use crate::simd::{Bytes, Simd};

/// Bytes of input in a block.
const BLOCK: usize = 64;
/// Blocks that decide together how the next ones are read.
const STRETCH: u32 = 32;
/// A stretch with so many ASCII blocks is followed by one that looks for ASCII.
const SPARSE_BLOCKS: u32 = 10;
/// After so many blocks of ASCII, more are likely to follow.
const LONG: u32 = 8;
/// The most that a block of input can become.
const ROOM: usize = 4 * BLOCK;
/// A block with no more units than these may be in a run of characters of three bytes.
const DENSE: usize = 22;
/// A run of so many bytes was worth the attempt.
const RUN: usize = 144;
/// The most stretches that are read before a run is tried again.
const LONGEST_WAIT: u32 = 15;

/// One conversion.
struct Conversion<'a, S: Simd> {
    s: S,
    grammar: S::Grammar,
    /// The source, without an unfinished sequence at its end.
    src: &'a [u8],
    at: usize,
    written: usize,
    replaced: usize,
    /// Nothing before this is looked at again: a boundary.
    settled: usize,
    /// What the block before holds.
    before: Class,
    /// The block before is ASCII, or ends with a run, and is written without a look at what follows it.
    plain: bool,
    /// So many stretches are read before a run is tried again, and how many it was last time.
    wait: u32,
    waited: u32,
}

/// The longest sequences in a block, roughly.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Class {
    /// All bytes are below E0.
    Two,
    /// All bytes are below F0.
    Three,
    Four,
}

/// What became of a block, or of a stretch of them.
enum Outcome<T> {
    Done(T),
    /// The last block may be in a run.
    Dense,
    /// It is ill-formed, or what precedes it is.
    Broken,
    /// An end of the source or of the destination is near.
    Edge,
}
use Outcome::{Broken, Dense, Done, Edge};

/// UTF-8 to the units of `T`, up to the first error, or with U+FFFD for each maximal subpart.
#[inline(always)]
pub(crate) fn convert<S: Simd, T: Target<S>, const REPLACE: bool>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    let src = &src[..src.len() - unfinished(src)];
    let grammar = S::Grammar::new(s);
    let mut c = Conversion {
        s,
        grammar,
        src,
        at: 0,
        written: 0,
        replaced: 0,
        settled: 0,
        before: Class::Three,
        plain: false,
        wait: 0,
        waited: 0,
    };
    c.ascii::<T>(dst);
    let mut sparse = c.at > 0;
    loop {
        let outcome = match if sparse { c.stretch::<T, true>(dst) } else { c.stretch::<T, false>(dst) } {
            Done(calm) => {
                sparse = calm >= SPARSE_BLOCKS;
                continue;
            }
            Dense => {
                c.run::<T>(dst);
                continue;
            }
            Edge => c.edge::<T>(dst),
            Broken => Broken,
        };
        match outcome {
            Done(()) => {}
            Broken if REPLACE => {
                let progress = c.progress::<T>();
                (c.at, c.written) = (progress.read, progress.written);
                if !c.lone::<T>(dst) && !c.mend::<T>(dst) {
                    return c.progress::<T>();
                }
            }
            Broken | Edge | Dense => return c.progress::<T>(),
        }
    }
}

impl<S: Simd> Conversion<'_, S> {
    /// What is done: all blocks so far, without the sequence that the last of them cuts.
    fn progress<T: Target<S>>(&self) -> Progress {
        let replaced = self.replaced;
        let Some(before) = self.src.get(self.settled..self.at).filter(|before| !before.is_empty()) else {
            return Progress { read: self.at.min(self.src.len()), written: self.written, replaced };
        };
        // The last unit counts as written when no continuation follows, right or wrong, and a first surrogate always.
        let (cut, early) = if self.plain {
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

    /// How many bytes of an unfinished sequence precede this block.
    fn cut(&self) -> usize {
        self.src.get(..self.at).map_or(0, unfinished)
    }

    /// A stretch of blocks: how many of them were ASCII.
    #[inline(always)]
    fn stretch<T: Target<S>, const SPARSE: bool>(&mut self, dst: &mut [MaybeUninit<u8>]) -> Outcome<u32> {
        let mut calm = 0;
        let mut streak = 0;
        // Known before the loop, in which a branch that is hard to predict costs as much as a block.
        let dense = if self.wait == 0 { DENSE * T::UNIT } else { 0 };
        self.wait = self.wait.saturating_sub(1);
        for _ in 0..STRETCH {
            let text =
                self.src.get(self.at.wrapping_sub(3)..).and_then(<[u8]>::first_chunk::<{ 3 + BLOCK + 1 }>);
            let room = dst[self.written..].first_chunk_mut::<ROOM>();
            let (Some(text), Some(room)) = (text, room) else { return Edge };
            // Nothing may be open where ASCII begins.
            let is_ascii = SPARSE
                && ascii::any(self.s, text, 3, BLOCK).high_bits() == 0
                && (self.plain || unfinished(&text[..3]) == 0);
            if is_ascii {
                for lane in (0..BLOCK).step_by(S::LANES) {
                    T::put_ascii(self.s, self.s.load(text, 3 + lane), room, lane * T::UNIT);
                }
                self.written += BLOCK * T::UNIT;
                (self.plain, self.before) = (true, Class::Two);
                calm += 1;
                streak += 1;
                if streak == LONG {
                    self.at += BLOCK;
                    self.ascii::<T>(dst);
                    return Done(SPARSE_BLOCKS);
                }
            } else {
                let Done(n) =
                    self.block::<T>(&Inner(text), !0, Some(text[2]), text[3 + BLOCK], room, &mut calm)
                else {
                    return Broken;
                };
                self.written += n;
                self.plain = false;
                streak = 0;
                if S::HAS_THREES && n <= dense {
                    self.at += BLOCK;
                    return Dense;
                }
            }
            self.at += BLOCK;
        }
        Done(calm)
    }

    /// As many blocks of ASCII as follow.
    #[inline(always)]
    fn ascii<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) {
        let n = ascii_blocks::<S, T>(
            self.s,
            self.src.get(self.at..).unwrap_or_default(),
            &mut dst[self.written..],
        );
        if n > 0 {
            self.at += n;
            self.written += n * T::UNIT;
            (self.plain, self.before) = (true, Class::Two);
        }
    }

    /// Characters of three bytes, if a run of them may follow.
    #[inline(always)]
    fn run<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) {
        // Of a character that the block before cut, nothing is written yet.
        let start = self.at - self.cut();
        let n = if self.before == Class::Three {
            threes::<S, T>(self.s, &self.src[start..], &mut dst[self.written..])
        } else {
            0
        };
        if n > 0 {
            self.at = start + n;
            self.written += n / 3 * T::UNIT;
            self.plain = true;
        }
        self.waited = if n >= RUN { 0 } else { (2 * self.waited + 1).min(LONGEST_WAIT) };
        self.wait = self.waited;
    }

    /// One block at either end of the source or of the destination.
    #[inline(always)]
    fn edge<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) -> Outcome<()> {
        let text = Outer { src: self.src, at: self.at };
        let Some(rest) = self.src.get(self.at..).filter(|rest| !rest.is_empty()) else { return Edge };
        let (keep, next) = match rest.get(BLOCK) {
            Some(&next) => (!0, next),
            None => (!0 >> (BLOCK - rest.len()), 0),
        };
        let (dst, mut side) = (&mut dst[self.written..], Side::<ROOM>::new());
        let Done(n) = self.block::<T>(&text, keep, None, next, side.room(dst), &mut 0) else { return Broken };
        if !side.copy(dst, n) {
            return Edge;
        }
        self.at += BLOCK;
        self.written += n;
        self.plain = false;
        Done(())
    }

    /// From a boundary on, with U+FFFD for errors that stand alone in ASCII. Whether all is well again.
    #[inline(always)]
    fn lone<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) -> bool {
        let mut done = Progress { read: self.at, written: self.written, replaced: self.replaced };
        let is_well = lone::convert::<S, T>(self.s, self.src, dst, &mut done);
        (self.at, self.written, self.replaced) = (done.read, done.written, done.replaced);
        self.settled = self.at;
        (self.before, self.plain) = (Class::Two, true);
        is_well
    }

    /// From a boundary on, with U+FFFD for what is ill-formed, until all is well again. Whether there was room.
    #[inline(always)]
    fn mend<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) -> bool {
        let (s, src) = (self.s, self.src);
        (self.before, self.plain) = (Class::Three, false);
        loop {
            let text = Outer { src, at: self.at };
            let rest = src.len() - self.at;
            let marks = marks(s, &text, rest.min(BLOCK), rest > BLOCK);
            let (dst, mut side) = (&mut dst[self.written..], Side::<ROOM>::new());
            let n = mended::<S, T>(s, &text, &marks, side.room(dst));
            if !side.copy(dst, n) {
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
