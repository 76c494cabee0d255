//! Code units in the other byte order. Pairs of forms that are rare with big-endian units go through it, a block at a time,
//! to and from the kernel for little-endian ones.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::from_utf16::{reversed, swapped};
use crate::vector::Vector;

/// Whole units of `UNIT` bytes, two or four, with their bytes in the other order. There must be as much room.
#[inline(always)]
pub(crate) fn units<S: Vector, const UNIT: usize>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    let (text, room) = (src.chunks_exact(S::LANES), dst.chunks_exact_mut(S::LANES));
    let whole = src.len() - text.remainder().len();
    for (text, room) in text.zip(room) {
        let units = s.load(text, 0);
        s.store(if const { UNIT == 2 } { swapped(units) } else { reversed(s, units) }, room, 0);
    }
    for (unit, room) in src[whole..].chunks_exact(UNIT).zip(dst[whole..].chunks_exact_mut(UNIT)) {
        for (byte, place) in unit.iter().rev().zip(room) {
            place.write(*byte);
        }
    }
}
