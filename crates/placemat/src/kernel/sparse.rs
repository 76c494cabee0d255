//! Converts UTF-16 and UTF-32 in which a few supplementary characters, as emoji, stand among units of the commonest kind.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::Progress;
use super::blocks::{self, BLOCK, Blocks, ROOM, part};
use crate::vector::{Bytes, Vector, lesser};

/// Blocks with more supplementary characters are converted faster by a method for all kinds.
const FEW: u32 = 4;

/// After so many blocks of the commonest kind, a loop for long runs of them is faster.
const CALM: usize = 8;

/// How to convert a block that has a few supplementary characters. In all forms, these take four bytes.
pub(crate) trait Sparse<S: Vector, const SIZE: usize>: Blocks<S, SIZE> {
    /// Supplementary characters in little-endian units.
    const FILLER: [u8; 16];

    /// Whether a unit is of the commonest kind.
    fn is_common(unit: &[u8]) -> bool;
    /// Writes a block as if all its units were of the commonest kind. Returns a bit for each that is not.
    fn put_common(s: S, text: &[u8; SIZE], out: &mut [MaybeUninit<u8>; ROOM]) -> u64;
    /// Converts a vector of supplementary characters, in the byte order of the source; `None` if there is anything else.
    fn put_supplementary(s: S, units: S::Bytes) -> Option<S::Bytes>;
}

/// Whether a text begins with a block whose first and last units are of the commonest kind: seldom if it has many others.
#[inline(always)]
pub(crate) fn is_likely<S: Vector, T: Sparse<S, SIZE>, const SIZE: usize>(_: S, text: &[u8]) -> bool {
    let Some(block) = text.first_chunk::<SIZE>() else { return false };
    T::is_common(&block[..SIZE / BLOCK]) && T::is_common(&block[SIZE - SIZE / BLOCK..])
}

/// Converts blocks of the commonest kind, and those with a few supplementary characters, as long as there is room for the most that a
/// block could become.
#[inline(always)]
pub(crate) fn convert<S: Vector, T: Sparse<S, SIZE>, const SIZE: usize>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    let (mut read, mut written, mut calm) = (0, 0, 0);
    while let (Some(text), Some(room)) = (src[read..].first_chunk(), dst[written..].first_chunk_mut()) {
        let [part, n] = if calm == CALM {
            calm = 0;
            blocks::run_of_common::<S, T, SIZE>(s, &src[read..], &mut dst[written..])
        } else if T::fast_block(s, text, room) {
            calm += 1;
            [SIZE, T::UNIT * BLOCK]
        } else if let Some(part) = to_supplementary::<S, T, SIZE>(s, text, &src[read..], room) {
            calm = 0;
            part
        } else {
            break;
        };
        (read, written) = (read + part, written + n);
    }
    Progress { read, written, replaced: 0 }
}

/// Converts the start of a block up to behind its first run of supplementary characters, of at most a vector. Returns how many bytes
/// it read and wrote; `None` if another unit comes first. `text`: the block and what follows it.
#[inline(always)]
fn to_supplementary<S: Vector, T: Sparse<S, SIZE>, const SIZE: usize>(
    s: S,
    block: &[u8; SIZE],
    text: &[u8],
    out: &mut [MaybeUninit<u8>; ROOM],
) -> Option<[usize; 2]> {
    let unit = SIZE / BLOCK;
    let others = T::put_common(s, block, out);
    let start = others.trailing_zeros() as usize % BLOCK;
    let (at, n) = (start * unit, start * T::UNIT);
    // Whole characters; the last may go on behind the block.
    let run = (lesser((others >> start).trailing_ones() as usize, BLOCK - start) * unit) & !3;
    if start > 0 && (start == BLOCK - 1 && run == 0 || n + S::LANES > ROOM) {
        return Some([at, n]);
    }
    if run == 0 || run > S::LANES || others.count_ones() * unit as u32 > 4 * FEW {
        return None;
    }
    let units = s.tile(&T::FILLER).replace(s.lanes(!(!0 << run)), part(s, text, at));
    s.store(T::put_supplementary(s, units)?, out, n);
    Some([at + run, n + run])
}
