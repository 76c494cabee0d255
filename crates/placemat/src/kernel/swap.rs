//! Changes the byte order of code units. Conversions with big-endian units that are rarely used apply it, one block at a
//! time, before or after the kernel for little-endian units.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::from_utf16::{reversed, swapped};
use crate::vector::Vector;

/// Reverses the bytes of whole units of `UNIT` bytes, two or four. `dst` must be at least as long as `src`.
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
