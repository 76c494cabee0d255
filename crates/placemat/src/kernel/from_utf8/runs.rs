//! Text of one kind, taken as long as it lasts.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::BLOCK;
use crate::kernel::ascii;
use crate::kernel::target::Target;
use crate::vector::{Bytes, Vector};

/// Blocks of ASCII at the start, to where the destination is aligned: how many bytes. Knows of no state, so that all of its
/// own is in registers.
#[inline(always)]
pub(super) fn ascii_blocks<S: Vector, T: Target<S>>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let first = dst.as_ptr().align_offset(BLOCK) / T::UNIT;
    let mut n = 0;
    // Of the first block, only as many bytes count as bring the destination to a boundary.
    for (step, blocks) in [(first.min(BLOCK), 1), (BLOCK, usize::MAX)] {
        let text = src[n..].chunks_exact(BLOCK);
        let room = dst[n * T::UNIT..].chunks_exact_mut(BLOCK * T::UNIT);
        for (text, room) in text.zip(room).take(blocks) {
            if ascii::any(s, text, 0, BLOCK).high_bits() != 0 {
                return n;
            }
            for lane in (0..BLOCK).step_by(S::LANES) {
                T::put_ascii(s, s.load(text, lane), room, lane * T::UNIT);
            }
            n += step;
        }
    }
    n
}

/// Characters of three bytes at the start: how many bytes.
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
