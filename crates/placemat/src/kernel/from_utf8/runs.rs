//! Runs: text of one kind, converted as far as it goes.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::BLOCK;
use crate::kernel::ascii;
use crate::kernel::target::Target;
use crate::vector::{Bytes, Lanes, Vector, steps};

/// Converts blocks of ASCII at the start; stores are aligned. Returns how many bytes. Has no access to the state of the
/// conversion, so that its own variables stay in registers.
#[inline(always)]
pub(super) fn ascii_blocks<S: Vector, T: Target<S>>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let first = dst.as_ptr().align_offset(BLOCK) / T::UNIT;
    let mut n = 0;
    // Of the first block, only the bytes up to the first boundary in the destination count.
    for (step, blocks) in [(first.min(BLOCK), 1), (BLOCK, usize::MAX)] {
        let text = src[n..].chunks_exact(BLOCK);
        let room = dst[n * T::UNIT..].chunks_exact_mut(BLOCK * T::UNIT);
        for (text, room) in text.zip(room).take(blocks) {
            if ascii::any(s, text, 0, BLOCK).high_bits() != 0 {
                return n;
            }
            for lane in steps(0..BLOCK, S::LANES) {
                T::put_ascii(s, s.load(text, lane), room, lane * T::UNIT);
            }
            n += step;
        }
    }
    n
}

/// Converts ASCII at the start: whole blocks, or all of the text. Returns how many bytes.
#[inline(always)]
pub(super) fn ascii_prefix<S: Vector, T: Target<S>>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let n = ascii_blocks::<S, T>(s, src, dst);
    let Some(last) = src.len().checked_sub(BLOCK).filter(|&last| last <= n) else { return n };
    let Some(room) = dst.get_mut(last * T::UNIT..src.len() * T::UNIT) else { return n };
    // The last block overlaps the one before it.
    if ascii::any(s, &src[last..], 0, BLOCK).high_bits() != 0 {
        return n;
    }
    for lane in steps(0..BLOCK, S::LANES) {
        T::put_ascii(s, s.load(&src[last..], lane), room, lane * T::UNIT);
    }
    src.len()
}

/// Converts three-byte characters at the start. Returns how many bytes.
#[inline(always)]
pub(super) fn three_byte_run<S: Vector, T: Target<S>>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let step = S::LANES / 2;
    let text = src.chunks_exact(3 * step);
    let room = dst.chunks_exact_mut(T::UNIT * step);
    let mut n = 0;
    for (text, room) in text.zip(room) {
        let Some(units) = s.three_byte_run(text) else { break };
        T::put_units(s, units, room, 0);
        n += 3 * step;
    }
    n
}

/// Converts four-byte characters at the start. Returns how many bytes, which are as many in the source as in the result.
#[inline(always)]
pub(super) fn four_byte_run<S: Vector, T: Target<S>>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let mut n = 0;
    for (text, room) in src.chunks_exact(S::LANES).zip(dst.chunks_exact_mut(S::LANES)) {
        let Some(code_points) = s.sequences_to_code_points(s.load(text, 0)) else { break };
        if !T::put_supplementary(s, code_points, room, 0) {
            break;
        }
        n += S::LANES;
    }
    n
}

/// Whether any byte of whole vectors is E0 or more.
#[inline(always)]
pub(super) fn has_three<S: Vector>(s: S, vectors: &[u8]) -> bool {
    let mut high = s.splat(0);
    for bytes in vectors.chunks_exact(S::LANES) {
        high = high.max(s.load(bytes, 0));
    }
    high.at_least(s.splat(0xE0)).bits() != 0
}

/// Returns how many bytes of whole vectors are F0 or more.
#[inline(always)]
pub(crate) fn fours<S: Vector>(s: S, vectors: &[u8]) -> u32 {
    let mut count = 0;
    for bytes in vectors.chunks_exact(S::LANES) {
        count += s.load(bytes, 0).at_least(s.splat(0xF0)).bits().count_ones();
    }
    count
}
