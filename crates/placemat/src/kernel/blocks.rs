//! Converts runs of blocks: 64 code units of UTF-16 or UTF-32, all of one kind.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::Progress;
use super::prefetch::Ahead;
use crate::vector::{Vector, lesser};

/// Code units in a block.
pub(crate) const BLOCK: usize = 64;
/// The most bytes that a block can become.
pub(crate) const ROOM: usize = 4 * BLOCK;
/// Blocks between two checks of how much room is left.
const SPAN: usize = 16;
/// A block that becomes this many bytes of UTF-8 has so many units that are not ASCII that a check for ASCII does not pay.
const DENSE: usize = 3 * BLOCK / 2;

/// A loop over blocks of the commonest kind goes on after a block with pairs, at most so many times in a row; then another method is
/// faster.
pub(crate) const OTHERS: usize = 8;
/// After so many blocks of the commonest kind, one more with pairs may follow.
pub(crate) const EACH: usize = 2;
/// How many bytes a block with a few pairs may have more than a block of the commonest kind.
const MORE: usize = 6;

/// What plain blocks are likely to contain.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Expected {
    Anything,
    /// Many units of two bytes in UTF-8, none of three.
    Short,
    /// Many units of the longest kind.
    Long,
    /// Almost only units of the longest kind.
    OnlyLong,
}

/// The variants as numbers, for code that is compiled for each of them.
impl Expected {
    pub(crate) const ANYTHING: u8 = Expected::Anything as u8;
    pub(crate) const SHORT: u8 = Expected::Short as u8;
    pub(crate) const LONG: u8 = Expected::Long as u8;
    pub(crate) const ONLY_LONG: u8 = Expected::OnlyLong as u8;
}

/// How to convert a block of `SIZE` bytes whose units are all of one kind, in the byte order of the source.
pub(crate) trait Blocks<S: Vector, const SIZE: usize> {
    /// Bytes that a unit of the commonest kind becomes.
    const UNIT: usize;
    /// The most bytes that a unit becomes in [`bmp_block`](Blocks::bmp_block), or zero if that is not implemented.
    const BMP: usize = 0;

    /// How many vectors [`fast_vectors`](Blocks::fast_vectors) reads; 0 if it is not implemented.
    const VECTORS: usize = 0;

    /// Writes `VECTORS` vectors. Returns whether all units are of the commonest kind.
    #[inline(always)]
    fn fast_vectors(_: S, _: &[u8], _: &mut [MaybeUninit<u8>]) -> bool {
        false
    }
    /// Writes a block if all units are of the commonest kind.
    fn fast_block(s: S, text: &[u8; SIZE], out: &mut [MaybeUninit<u8>]) -> bool;
    /// Writes a block if it is of another simple kind. Returns how many bytes it became.
    #[inline(always)]
    fn bmp_block<const EXPECTED: u8>(_: S, _: &[u8; SIZE], _: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        None
    }
    /// Writes a block, or nearly, that has pairs among units of the commonest kind. Returns how many bytes it read and wrote. `None` if
    /// it has no pairs or is ill-formed, or if the level has no fast method.
    #[inline(always)]
    fn other_block(_: S, _: &[u8], _: &mut [MaybeUninit<u8>; ROOM]) -> Option<[usize; 2]> {
        None
    }
    /// Writes a block of all kinds if it has no errors and no part of a surrogate pair. Returns how many bytes it became. `None` also
    /// if the level has no fast method.
    #[inline(always)]
    fn mixed_block(_: S, _: &[u8; SIZE], _: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        None
    }
    /// Whether a block contains a unit of the longest plain kind, or is not plain.
    #[inline(always)]
    fn has_long(_: S, _: &[u8; SIZE]) -> bool {
        false
    }
    /// Writes a block if all its characters are U+10000 or above. Returns how many bytes it became.
    #[inline(always)]
    fn supplementary(_: S, _: &[u8; SIZE], _: &mut [MaybeUninit<u8>; ROOM]) -> Option<usize> {
        None
    }
}

/// How far a conversion is, and what kinds of blocks it has met.
pub(crate) struct Cursor {
    pub(crate) at: usize,
    pub(crate) written: usize,
    /// Whether the last span was of the commonest kind, or nearly.
    is_uniform: bool,
    /// What the next span is likely to contain, judged by the last one.
    expected: Expected,
    /// One bit for each of the last blocks, the latest lowest: set if the block was mixed, not of one kind.
    mixed: u32,
}

impl Cursor {
    pub(crate) fn new() -> Self {
        Cursor { at: 0, written: 0, is_uniform: true, expected: Expected::Anything, mixed: 0 }
    }

    /// Moves on. `is_mixed`: the block was not of one kind.
    #[inline(always)]
    pub(crate) fn pass(&mut self, read: usize, written: usize, is_mixed: bool) {
        self.at += read;
        self.written += written;
        self.mixed = self.mixed << 1 | u32::from(is_mixed);
    }

    /// Converts up to the first block that is not of one kind, or nearly to the end of the source or of the room.
    #[inline(always)]
    pub(crate) fn run<S: Vector, B: Blocks<S, SIZE>, const SIZE: usize>(
        &mut self,
        s: S,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) {
        let start = self.at;
        // In mixed text, checks for blocks of one kind do not pay.
        while self.mixed & 3 != 3 {
            if self.is_uniform {
                self.fast_block::<S, B, SIZE>(s, src, dst);
            }
            if const { B::BMP == 0 } || !self.bmp_block::<S, B, SIZE>(s, src, dst) {
                break;
            }
        }
        if self.mixed & 3 != 3 {
            self.supplementary::<S, B, SIZE>(s, src, dst);
        }
        if self.at - start > SIZE {
            self.mixed <<= 1;
        }
    }

    /// Converts blocks of the commonest kind, and a few others between them.
    #[inline(always)]
    fn fast_block<S: Vector, B: Blocks<S, SIZE>, const SIZE: usize>(
        &mut self,
        s: S,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) {
        let (mut at, mut written) = (self.at, self.written);
        let (ahead, mut others) = (Ahead::of(src), OTHERS);
        loop {
            let start = at;
            let (Some(text), Some(room)) = (src[at..].first_chunk(), dst[written..].first_chunk_mut()) else {
                break;
            };
            if B::fast_block(s, text, room) {
                let (units, n) = to_boundary(room, B::UNIT).unwrap_or((BLOCK, B::UNIT * BLOCK));
                (at, written) = (at + units * (SIZE / BLOCK), written + n);
                let room = dst[written..].chunks_exact_mut(B::UNIT * BLOCK);
                for (text, room) in src[at..].as_chunks().0.iter().zip(room) {
                    if !B::fast_block(s, text, room) {
                        break;
                    }
                    ahead.ask_both(text, room);
                    (at, written) = (at + SIZE, written + B::UNIT * BLOCK);
                }
            }
            others = OTHERS.min(others + (at - start) / SIZE / EACH);
            let Some(room) = dst[written..].first_chunk_mut() else { break };
            if others == 0 {
                self.is_uniform = false;
                break;
            }
            let Some([read, n]) = B::other_block(s, &src[at..], room) else { break };
            (at, written, others) = (at + read, written + n, others - 1);
        }
        (self.at, self.written) = (at, written);
    }

    /// Converts a span of plain blocks. Returns whether it got to the end of the span.
    #[inline(always)]
    fn bmp_block<S: Vector, B: Blocks<S, SIZE>, const SIZE: usize>(
        &mut self,
        s: S,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> bool {
        let (ahead, text, dst) = (Ahead::of(src), &src[self.at..], &mut dst[self.written..]);
        let longest = B::BMP * BLOCK;
        let blocks = (text.len() / SIZE).min(dst.len().saturating_sub(ROOM - longest) / longest).min(SPAN);
        let all = &text.as_chunks::<SIZE>().0[..blocks];
        let (mut done, mut n, mut mixed) = (0, 0, 0);
        loop {
            let (rest, room) = (&all[done..], &mut dst[n..]);
            // A separate loop for each, so that its constants stay in registers.
            let (plain, len) = match self.expected {
                Expected::Anything => each::<S, B, SIZE, { Expected::ANYTHING }>(s, rest, room, ahead),
                Expected::Short => each::<S, B, SIZE, { Expected::SHORT }>(s, rest, room, ahead),
                Expected::Long => each::<S, B, SIZE, { Expected::LONG }>(s, rest, room, ahead),
                Expected::OnlyLong => each::<S, B, SIZE, { Expected::ONLY_LONG }>(s, rest, room, ahead),
            };
            (done, n) = (done + plain, n + len);
            // Where mixed blocks follow each other, more checks for plain ones do not pay.
            if done > plain && plain == 0 {
                self.mixed = self.mixed << 1 | 1;
                break;
            }
            let (Some(text), Some(room)) = (all.get(done), dst[n..].first_chunk_mut()) else { break };
            let Some(len) = B::mixed_block(s, text, room) else { break };
            (done, n, mixed) = (done + 1, n + len, mixed + 1);
        }
        self.at += done * SIZE;
        self.written += n;
        let is_whole = done == SPAN;
        self.is_uniform = is_whole && n <= B::UNIT * BLOCK * SPAN + MORE * mixed;
        let last = text[..done * SIZE].last_chunk();
        self.expected = match n / SPAN {
            _ if n + BLOCK / 2 >= longest * SPAN => Expected::OnlyLong,
            DENSE.. if last.is_some_and(|last| B::has_long(s, last)) => Expected::Long,
            DENSE.. => Expected::Short,
            _ => Expected::Anything,
        };
        is_whole
    }

    /// Converts blocks of supplementary characters.
    #[inline(always)]
    fn supplementary<S: Vector, B: Blocks<S, SIZE>, const SIZE: usize>(
        &mut self,
        s: S,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) {
        let (mut at, mut written) = (self.at, self.written);
        while let (Some(text), Some(room)) =
            (src[at..].first_chunk(), dst[written..].first_chunk_mut::<ROOM>())
            && let Some(n) = B::supplementary(s, text, room)
        {
            (at, written) = (at + SIZE, written + n);
        }
        (self.at, self.written) = (at, written);
    }
}

/// Converts the blocks of the commonest kind that a text begins with. Returns how many bytes it read and wrote.
#[inline(always)]
pub(crate) fn run_of_common<S: Vector, B: Blocks<S, SIZE>, const SIZE: usize>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> [usize; 2] {
    let mut cursor = Cursor::new();
    cursor.fast_block::<S, B, SIZE>(s, src, dst);
    [cursor.at, cursor.written]
}

/// The longest text that [`simple`] takes, in blocks.
const SIMPLE: usize = 16;

/// Converts all of a text if all units are of the commonest kind and there is room. Writes nowhere but into that room.
#[inline(always)]
pub(crate) fn simple<S: Vector, B: Blocks<S, SIZE>, const SIZE: usize>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Progress> {
    let (step, unit) = (B::VECTORS * S::LANES, SIZE / BLOCK);
    if step == 0 || !(step..=SIMPLE * SIZE).contains(&src.len()) || !src.len().is_multiple_of(unit) {
        return None;
    }
    let out = dst.get_mut(..src.len() / unit * B::UNIT)?;
    let size = step / unit * B::UNIT;
    for (text, room) in src.chunks_exact(step).zip(out.chunks_exact_mut(size)) {
        if !B::fast_vectors(s, text, room) {
            return None;
        }
    }
    if !src.len().is_multiple_of(step) {
        // The last vectors overlap those before them.
        let (text, at) = (&src[src.len() - step..], out.len() - size);
        if !B::fast_vectors(s, text, &mut out[at..]) {
            return None;
        }
    }
    Some(Progress { read: src.len(), written: out.len(), replaced: 0 })
}

/// Converts plain blocks. Returns how many there were, and how many bytes they became.
#[inline(always)]
fn each<S: Vector, B: Blocks<S, SIZE>, const SIZE: usize, const EXPECTED: u8>(
    s: S,
    blocks: &[[u8; SIZE]],
    dst: &mut [MaybeUninit<u8>],
    ahead: Ahead,
) -> (usize, usize) {
    let (mut done, mut n) = (0, 0);
    for text in blocks {
        let Some(room) = dst[n..].first_chunk_mut() else { break };
        n += if const { EXPECTED == Expected::ANYTHING } && B::fast_block(s, text, room) {
            B::UNIT * BLOCK
        } else {
            let Some(len) = B::bmp_block::<EXPECTED>(s, text, room) else { break };
            len
        };
        ahead.ask(text);
        done += 1;
    }
    (done, n)
}

/// Loads what `bytes` has from `at` on, with zeros after it.
#[inline(always)]
pub(crate) fn part<S: Vector>(s: S, bytes: &[u8], at: usize) -> S::Bytes {
    // Clamp `at`, so that an empty rest still points into `bytes`: a masked load from an unmapped address is slow
    // (about 100 cycles) even with an empty mask.
    s.load_part(&bytes[lesser(at, bytes.len())..])
}

/// Loads the last `n` bytes of a text, with zeros before them, as `N` vectors (at most 128 bytes). The text must be at least as
/// long as the vectors; if `n` is larger than they are, they hold only the last bytes.
#[inline(always)]
pub(crate) fn last_parts<S: Vector, const N: usize>(s: S, text: &[u8], n: usize) -> [S::Bytes; N] {
    const EDGE: [u8; 256] = {
        let mut edge = [0; 256];
        let mut i = 128;
        while i < 256 {
            edge[i] = 0xFF;
            i += 1;
        }
        edge
    };
    let (from, edge) = (text.len() - N * S::LANES, 128 - N * S::LANES + lesser(n, 128));
    let mut all = [s.splat(0); N];
    for i in 0..N {
        all[i] = s.load(text, from + i * S::LANES) & s.load(&EDGE, edge + i * S::LANES);
    }
    all
}

/// Like [`last_parts`], for one vector.
#[inline(always)]
pub(crate) fn last_part<S: Vector>(s: S, text: &[u8], n: usize) -> S::Bytes {
    last_parts::<S, 1>(s, text, n)[0]
}

/// After the first block of a run: how many of its units to keep, and their bytes, so that the stores that follow do not cross a
/// cache line. The other units are written again. `None` if there is no such number.
#[inline(always)]
fn to_boundary(room: &[MaybeUninit<u8>; ROOM], unit: usize) -> Option<(usize, usize)> {
    const LINE: usize = 64;
    let n = room.as_ptr().addr().wrapping_neg() % LINE;
    (n != 0 && n.is_multiple_of(unit) && n / unit <= BLOCK).then(|| (n / unit, n))
}
