//! UTF-8 to UTF-16 and UTF-32.
//!
//! A unit is computed at *every* byte as if a character ended there, and only then are the bytes where one does picked
//! out. So each block is exactly 64 bytes of input, and no block waits to learn how much the one before it consumed.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::Progress;
use super::mend::marks;
use super::target::{self, Fours, LEAST_LEAD, Target};
use super::utf8::{Grammar, Window, unfinished};
use crate::simd::{Bytes, Lanes, Simd};

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
    /// The block before has a byte from F0 on.
    supplementary: bool,
}

/// What became of a block, or of a stretch of them.
enum Outcome<T> {
    Done(T),
    /// It is ill-formed, or what precedes it is.
    Broken,
    /// An end of the source or of the destination is near.
    Edge,
}
use Outcome::{Broken, Done, Edge};

/// UTF-8 to the units of `T`, up to the first error, or with U+FFFD for each maximal subpart.
#[inline(always)]
pub(crate) fn convert<S: Simd, T: Target<S>, const REPLACE: bool>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    let src = &src[..src.len() - unfinished(src)];
    let grammar = S::Grammar::new(s);
    let mut c =
        Conversion { s, grammar, src, at: 0, written: 0, replaced: 0, settled: 0, supplementary: false };
    let mut sparse = false;
    loop {
        let outcome = match if sparse { c.stretch::<T, true>(dst) } else { c.stretch::<T, false>(dst) } {
            Done(calm) => {
                sparse = calm >= SPARSE_BLOCKS;
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
                if !c.mend::<T>(dst) {
                    return c.progress::<T>();
                }
            }
            Broken | Edge => return c.progress::<T>(),
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
        let (cut, early) = if self.src.get(self.at).is_some_and(|next| next & 0xC0 == 0x80) {
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
        let s = self.s;
        let mut calm = 0;
        let mut streak = 0;
        let mut inside = SPARSE && self.cut() != 0;
        for _ in 0..STRETCH {
            let text =
                self.src.get(self.at.wrapping_sub(3)..).and_then(<[u8]>::first_chunk::<{ 3 + BLOCK + 1 }>);
            let room = dst[self.written..].first_chunk_mut::<ROOM>();
            let (Some(text), Some(room)) = (text, room) else { return Edge };
            let is_ascii = SPARSE && !inside && {
                let any = (3..3 + BLOCK)
                    .step_by(S::LANES)
                    .fold(self.s.splat(0), |any, lane| any | self.s.load(text, lane));
                any.high_bits() == 0
            };
            if is_ascii {
                for lane in (0..BLOCK).step_by(S::LANES) {
                    T::put_ascii(self.s, self.s.load(text, 3 + lane), room, lane * T::UNIT);
                }
                self.written += BLOCK * T::UNIT;
                calm += 1;
                streak += 1;
                if streak == LONG {
                    self.at += BLOCK;
                    self.ascii::<T>(dst);
                    return Done(SPARSE_BLOCKS);
                }
            } else {
                let window = |lane| Window::load(s, text, 3 + lane);
                let Done(n) = self.block::<T>(window, !0, text[3 + BLOCK], room, &mut calm) else {
                    return Broken;
                };
                self.written += n;
                streak = 0;
            }
            self.at += BLOCK;
            inside = SPARSE && !is_ascii && self.cut() != 0;
        }
        Done(calm)
    }

    /// As many blocks of ASCII as follow, to where the destination is aligned.
    #[inline(always)]
    fn ascii<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) {
        let (s, lanes) = (self.s, S::LANES);
        let first = dst[self.written..].as_ptr().align_offset(BLOCK) / T::UNIT;
        // Of the first block, only as many count as bring the destination to a boundary.
        for (step, blocks) in [(first.min(BLOCK), 1), (BLOCK, usize::MAX)] {
            let text = self.src.get(self.at..).unwrap_or_default().chunks_exact(BLOCK);
            let room = dst[self.written..].chunks_exact_mut(BLOCK * T::UNIT);
            for (text, room) in text.zip(room).take(blocks) {
                let any = (0..BLOCK).step_by(lanes).fold(s.splat(0), |any, lane| any | s.load(text, lane));
                if any.high_bits() != 0 {
                    break;
                }
                for lane in (0..BLOCK).step_by(lanes) {
                    T::put_ascii(s, s.load(text, lane), room, lane * T::UNIT);
                }
                self.at += step;
                self.written += step * T::UNIT;
            }
        }
    }

    /// The lanes from any place on; zeros where there is no text.
    #[inline(always)]
    fn window(s: S, src: &[u8], at: usize) -> Window<S::Bytes> {
        match src.get(at..) {
            Some(_) if at > 0 => Window::load_part(s, src, at),
            Some(text) => Window::first(s.load_part(text)),
            None => Window::first(s.splat(0)),
        }
    }

    /// One block at either end of the source or of the destination.
    #[inline(always)]
    fn edge<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) -> Outcome<()> {
        let (s, src, at) = (self.s, self.src, self.at);
        let Some(rest) = src.get(at..).filter(|rest| !rest.is_empty()) else { return Edge };
        let (keep, next) = match rest.get(BLOCK) {
            Some(&next) => (!0, next),
            None => (!0 >> (BLOCK - rest.len()), 0),
        };
        let mut block = Done(0);
        let Some(n) = with_room(&mut dst[self.written..], |room| {
            block = self.block::<T>(|lane| Self::window(s, src, at + lane), keep, next, room, &mut 0);
            if let Done(n) = block { n } else { 0 }
        }) else {
            return Edge;
        };
        if let Broken = block {
            return Broken;
        }
        self.at += BLOCK;
        self.written += n;
        Done(())
    }

    /// From a boundary on, with U+FFFD for what is ill-formed, until all is well again. Whether there was room.
    #[inline(always)]
    fn mend<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) -> bool {
        let (s, src) = (self.s, self.src);
        self.supplementary = false;
        loop {
            let at = self.at;
            let rest = &src[at..];
            let window = |lane| Self::window(s, src, at + lane);
            let marks = marks(s, |lane| window(lane).at, rest.len().min(BLOCK), rest.len() > BLOCK);
            let Some(n) = with_room(&mut dst[self.written..], |room| {
                let mut written = 0;
                for lane in (0..BLOCK).step_by(S::LANES) {
                    let fours = Fours {
                        third: s.lanes(marks.thirds >> lane),
                        fourth: s.lanes(marks.fourths >> lane),
                    };
                    let replace = s.lanes(marks.replace >> lane);
                    let [low, high, upper] = T::supplementary(s, window(lane), fours);
                    let planes =
                        [low.replace(replace, s.splat(0xFD)), high.replace(replace, s.splat(0xFF)), upper];
                    let first = if T::PAIRS { marks.thirds } else { 0 };
                    let lanes = (marks.ends | marks.replace | first) >> lane & (!0 >> (64 - S::LANES));
                    written += T::UNIT * T::put::<true>(s, planes, lanes, room, written);
                }
                written
            }) else {
                return false;
            };
            self.at += marks.len;
            self.settled = self.at;
            self.written += n;
            self.replaced += marks.replace.count_ones() as usize;
            if marks.replace == 0 || self.at == src.len() {
                return true;
            }
        }
    }

    /// The units that end in the lanes of `keep`. `next` is the byte after the block.
    #[inline(always)]
    fn block<T: Target<S>>(
        &mut self,
        window: impl Fn(usize) -> Window<S::Bytes>,
        keep: u64,
        next: u8,
        out: &mut [MaybeUninit<u8>],
        calm: &mut u32,
    ) -> Outcome<usize> {
        let (mut continuations, mut high) = (0, self.s.splat(0));
        for lane in (0..BLOCK).step_by(S::LANES) {
            let bytes = window(lane).at;
            continuations |= bytes.less(self.s.splat(LEAST_LEAD)).bits() << lane;
            high = high.max(bytes);
        }
        *calm += u32::from(continuations == 0);
        let ends = !(continuations >> 1 | u64::from(next & 0xC0 == 0x80) << 63);
        // A sequence of four may reach in from the block before.
        let supplementary = high.at_least(self.s.splat(0xF0)).bits() != 0;
        let block = if self.supplementary | supplementary {
            self.lanes::<T, true>(window, ends, keep, out)
        } else {
            self.lanes::<T, false>(window, ends, keep, out)
        };
        if let Done(_) = block {
            self.supplementary = supplementary;
        }
        block
    }

    #[inline(always)]
    fn lanes<T: Target<S>, const SUPPLEMENTARY: bool>(
        &self,
        window: impl Fn(usize) -> Window<S::Bytes>,
        ends: u64,
        keep: u64,
        out: &mut [MaybeUninit<u8>],
    ) -> Outcome<usize> {
        let s = self.s;
        let (mut broken, mut written) = (s.splat(0), 0);
        for lane in (0..BLOCK).step_by(S::LANES) {
            let w = window(lane);
            let (planes, also);
            if SUPPLEMENTARY {
                let fours = Fours::of(s, w);
                broken = self.grammar.broken(broken, w);
                planes = T::supplementary(s, w, fours);
                also = if T::PAIRS { fours.third.bits() } else { 0 };
            } else {
                broken = self.grammar.broken_basic(broken, w);
                (planes, also) = (target::basic(s, w), 0);
            }
            let lanes = (ends >> lane | also) & (keep >> lane) & (!0 >> (64 - S::LANES));
            written += T::UNIT * T::put::<SUPPLEMENTARY>(s, planes, lanes, out, written);
        }
        if broken.is_zero() { Done(written) } else { Broken }
    }
}

/// Let `write` write to `dst`, or, where that is too short for what it may scribble, to a side room first. `None` when
/// what it wrote does not fit.
#[inline(always)]
fn with_room(
    dst: &mut [MaybeUninit<u8>],
    write: impl FnOnce(&mut [MaybeUninit<u8>; ROOM]) -> usize,
) -> Option<usize> {
    if let Some(room) = dst.first_chunk_mut() {
        return Some(write(room));
    }
    let mut side = [MaybeUninit::uninit(); ROOM];
    let n = write(&mut side);
    dst.get_mut(..n)?.copy_from_slice(&side[..n]);
    Some(n)
}
