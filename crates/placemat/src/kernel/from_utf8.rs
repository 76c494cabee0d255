//! UTF-8 to UTF-16 and UTF-32.
//!
//! A unit is computed at *every* byte as if a character ended there, and only then are the bytes where one does picked
//! out. So each block is exactly 64 bytes of input, and no block waits to learn how much the one before it consumed.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::Progress;
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
/// The most that a block of input can become, with what is scribbled past it.
const ROOM: usize = 4 * BLOCK + 64;

/// A form whose code units are written from planes of bytes.
pub(crate) trait Target<S: Simd> {
    /// Bytes in a code unit.
    const UNIT: usize;
    /// Whether a supplementary character is two units, of which the first is written at its third byte.
    const PAIRS: bool;

    /// Write the units of the lanes whose bits are set: the number of units.
    fn put(s: S, planes: [S::Bytes; 3], lanes: u64, out: &mut [MaybeUninit<u8>], at: usize) -> usize;
    /// Write all lanes, which are ASCII.
    fn put_ascii(s: S, ascii: S::Bytes, out: &mut [MaybeUninit<u8>], at: usize);
}

/// UTF-16 in either byte order.
pub(crate) struct Utf16<const BIG: bool>;

impl<S: Simd, const BIG: bool> Target<S> for Utf16<BIG> {
    const UNIT: usize = 2;
    const PAIRS: bool = true;

    #[inline(always)]
    fn put(s: S, [low, high, _]: [S::Bytes; 3], lanes: u64, out: &mut [MaybeUninit<u8>], at: usize) -> usize {
        s.put_pairs(if BIG { [high, low] } else { [low, high] }, lanes, out, at)
    }

    #[inline(always)]
    fn put_ascii(s: S, ascii: S::Bytes, out: &mut [MaybeUninit<u8>], at: usize) {
        let zero = s.splat(0);
        let [lower, upper] = s.interleave(if BIG { [zero, ascii] } else { [ascii, zero] });
        s.store(lower, out, at);
        s.store(upper, out, at + S::LANES);
    }
}

/// The constants of a conversion, in registers.
#[derive(Clone, Copy)]
struct Planes<S: Simd> {
    s: S,
    /// 00, 03, 07, 0F, 3F, 40, 7F, C0, D7, DC, F0, FC
    zero: S::Bytes,
    continuation: S::Bytes,
    b03: S::Bytes,
    b0f: S::Bytes,
    b7f: S::Bytes,
    bc0: S::Bytes,
    bf0: S::Bytes,
}

impl<S: Simd> Planes<S> {
    #[inline(always)]
    fn new(s: S) -> Self {
        Planes {
            s,
            zero: s.splat(0),
            continuation: s.splat(0xC0),
            b03: s.splat(0x03),
            b0f: s.splat(0x0F),
            b7f: s.splat(0x7F),
            bc0: s.splat(0xC0),
            bf0: s.splat(0xF0),
        }
    }

    #[inline(always)]
    fn continuations(&self, bytes: S::Bytes) -> <S::Bytes as Bytes>::Lanes {
        bytes.less(self.continuation)
    }

    /// The lower and upper bytes of the units up to U+FFFF that end at each lane.
    #[inline(always)]
    fn basic(&self, w: Window<S::Bytes>) -> [S::Bytes; 2] {
        let [first, second, _] = w.before;
        let long = w.at.less(self.zero);
        let middle = first.keep(long);
        let lead = second.keep(long & self.continuations(first));
        let low = (w.at & self.b7f) | (middle.shl::<6>() & self.bc0);
        let high = (middle.shr::<2>() & self.b0f) | (lead.shl::<4>() & self.bf0);
        [low, high]
    }

    /// The same where characters above U+FFFF may be: their surrogates are at their third and fourth bytes. Also which
    /// lanes are such third bytes.
    #[inline(always)]
    fn surrogates(&self, w: Window<S::Bytes>) -> ([S::Bytes; 2], u64) {
        let s = self.s;
        let [first, second, third] = w.before;
        let [low, high] = self.basic(w);
        // The fourth byte: DC and the two lowest bits that the units above have anyway.
        let fourth = third.at_least(self.bf0);
        let high = high.replace(fourth, (high & self.b03) | s.splat(0xDC));
        // The third byte: D7C0 and what the first three bytes have.
        let ends = second.at_least(self.bf0);
        let bits = (first.shl::<2>() & s.splat(0xFC)) | (w.at.shr::<4>() & self.b03);
        let carry = s.splat(1).keep(bits.at_least(s.splat(0x40)));
        let low = low.replace(ends, bits + s.splat(0xC0));
        let high = high.replace(ends, (second & s.splat(0x07)) + s.splat(0xD7) + carry);
        ([low, high], ends.bits())
    }
}

/// One conversion.
struct Conversion<'a, S: Simd> {
    s: S,
    grammar: S::Grammar,
    planes: Planes<S>,
    /// The source, without an unfinished sequence at its end.
    src: &'a [u8],
    at: usize,
    written: usize,
    /// The block before has a byte from F0 on.
    supplementary: bool,
}

/// What a block became.
enum Block {
    /// So many bytes.
    Written(usize),
    /// It is ill-formed, or what precedes it is.
    Broken,
}

/// UTF-8 to the units of `T`, up to the first error.
#[inline(always)]
pub(crate) fn convert<S: Simd, T: Target<S>>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    let src = &src[..src.len() - unfinished(src)];
    let mut c = Conversion {
        s,
        grammar: S::Grammar::new(s),
        planes: Planes::new(s),
        src,
        at: 0,
        written: 0,
        supplementary: false,
    };
    let mut sparse = false;
    loop {
        let fast = if sparse { c.stretch::<T, true>(dst) } else { c.stretch::<T, false>(dst) };
        match fast {
            Some(calm) => sparse = calm >= SPARSE_BLOCKS,
            None => {
                if !c.edge::<T>(dst) {
                    return c.progress::<T>();
                }
            }
        }
    }
}

impl<S: Simd> Conversion<'_, S> {
    /// What is done: all blocks so far, without the sequence that the last of them cuts.
    fn progress<T: Target<S>>(&self) -> Progress {
        let Some(before) = self.src.get(..self.at).filter(|before| !before.is_empty()) else {
            return Progress { read: self.at.min(self.src.len()), written: self.written, replaced: 0 };
        };
        // The last unit counts as written when no continuation follows, right or wrong, and a first surrogate always.
        let (cut, early) = if self.src.get(self.at).is_some_and(|next| next & 0xC0 == 0x80) {
            let start = before.iter().rposition(|byte| byte & 0xC0 != 0x80).unwrap_or(0);
            (self.at - start, T::PAIRS && self.at - start >= 3 && before[start] >= 0xF0)
        } else {
            (unfinished(before), unfinished(before) > 0)
        };
        let written = self.written - if early { T::UNIT } else { 0 };
        Progress { read: self.at - cut, written, replaced: 0 }
    }

    /// How many bytes of an unfinished sequence precede this block.
    fn cut(&self) -> usize {
        self.src.get(..self.at).map_or(0, unfinished)
    }

    /// As many blocks as fit, at most a stretch: how many of them were ASCII. `None` at either end of the source, and when there is
    /// an error or little room.
    #[inline(always)]
    fn stretch<T: Target<S>, const SPARSE: bool>(&mut self, dst: &mut [MaybeUninit<u8>]) -> Option<u32> {
        let mut calm = 0;
        let mut streak = 0;
        let mut inside = SPARSE && self.cut() != 0;
        for _ in 0..STRETCH {
            let text = self.src.get(self.at.wrapping_sub(3)..)?.first_chunk::<{ 3 + BLOCK + 1 }>()?;
            let room = dst[self.written..].first_chunk_mut::<ROOM>()?;
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
                    return Some(SPARSE_BLOCKS);
                }
            } else {
                let next = text[3 + BLOCK];
                let s = self.s;
                let window = |lane| Window::load(s, text, 3 + lane);
                let Block::Written(n) = self.block::<T>(window, !0, next, &mut room[..], &mut calm) else {
                    return None;
                };
                self.written += n;
                streak = 0;
            }
            self.at += BLOCK;
            inside = SPARSE && !is_ascii && self.cut() != 0;
        }
        Some(calm)
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

    /// One block at either end of the source or of the destination. Whether to go on.
    #[inline(always)]
    fn edge<T: Target<S>>(&mut self, dst: &mut [MaybeUninit<u8>]) -> bool {
        let Some(rest) = self.src.get(self.at..).filter(|rest| !rest.is_empty()) else { return false };
        let (s, src, start) = (self.s, self.src, self.at);
        let window = |lane| {
            let at = start + lane;
            match src.get(at..) {
                Some(_) if at > 0 => Window::load_part(s, src, at),
                Some(text) => Window::first(s.load_part(text)),
                None => Window::first(s.splat(0)),
            }
        };
        let (keep, next) = match rest.get(BLOCK) {
            Some(&next) => (!0, next),
            None => (!0 >> (BLOCK - rest.len().min(BLOCK)), 0),
        };
        let rest = &mut dst[self.written..];
        let mut side = [MaybeUninit::uninit(); ROOM];
        let direct = rest.len() >= ROOM;
        let room = if direct { &mut rest[..] } else { &mut side[..] };
        let Block::Written(n) = self.block::<T>(window, keep, next, room, &mut 0) else { return false };
        if !direct {
            let Some(place) = rest.get_mut(..n) else { return false };
            place.copy_from_slice(&side[..n]);
        }
        self.at += BLOCK;
        self.written += n;
        true
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
    ) -> Block {
        let (mut continuations, mut high) = (0, self.s.splat(0));
        for lane in (0..BLOCK).step_by(S::LANES) {
            let bytes = window(lane).at;
            continuations |= self.planes.continuations(bytes).bits() << lane;
            high = high.max(bytes);
        }
        *calm += u32::from(continuations == 0);
        let ends = !(continuations >> 1 | u64::from(next & 0xC0 == 0x80) << 63);
        // A sequence of four may reach in from the block before.
        let supplementary = high.at_least(self.planes.bf0).bits() != 0;
        let block = if self.supplementary | supplementary {
            self.lanes::<T, true>(window, ends, keep, out)
        } else {
            self.lanes::<T, false>(window, ends, keep, out)
        };
        if matches!(block, Block::Written(_)) {
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
    ) -> Block {
        let (mut broken, mut written) = (self.s.splat(0), 0);
        for lane in (0..BLOCK).step_by(S::LANES) {
            let w = window(lane);
            let ([low, high], also);
            if SUPPLEMENTARY {
                broken = self.grammar.broken(broken, w);
                ([low, high], also) = self.planes.surrogates(w);
            } else {
                broken = self.grammar.broken_basic(broken, w);
                ([low, high], also) = (self.planes.basic(w), 0);
            }
            let lanes = (ends >> lane | also) & (keep >> lane) & (!0 >> (64 - S::LANES));
            written += T::UNIT * T::put(self.s, [low, high, self.planes.zero], lanes, out, written);
        }
        if broken.is_zero() { Block::Written(written) } else { Block::Broken }
    }
}
