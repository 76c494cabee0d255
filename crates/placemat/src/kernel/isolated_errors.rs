//! Replaces isolated errors in ASCII one by one, which is cheaper there than to classify a whole block.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::Progress;
use crate::codec::{Codec, Decoded, Input};
use crate::form::utf8::Utf8;
use crate::vector::{Bytes, Vector, steps};

/// Bytes that are checked per iteration.
const BLOCK: usize = 64;
/// The most bytes that an iteration writes, including those that do not count: a block in the widest units, and U+FFFD.
const ROOM: usize = 4 * BLOCK + 4;
/// An error that is closer than this to the one before is not isolated.
const ALONE: usize = 16;
/// With more bytes in a block that are not ASCII, the text is not ASCII, or its errors are not isolated.
const FEW: u32 = 4;

/// A form to which ASCII and U+FFFD can be written directly.
pub(crate) trait Isolated<S: Vector> {
    /// Bytes in a code unit.
    const UNIT: usize;
    /// U+FFFD.
    const REPLACEMENT: &'static [u8];

    /// Writes all lanes; they must be ASCII.
    fn put_ascii(s: S, ascii: S::Bytes, out: &mut [MaybeUninit<u8>], at: usize);
}

/// After this much ASCII, a look back at three bytes does not reach the last error.
const CLEAR: usize = 3;

/// Converts from a boundary on: ASCII, and U+FFFD for errors in it. Returns whether it got past the errors. If not, it
/// stopped at another boundary, and has not decided what follows.
#[inline(always)]
pub(crate) fn convert<S: Vector, P: Isolated<S>>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    done: &mut Progress,
) -> bool {
    let mut least = 0;
    loop {
        let (Some(text), Some(room)) =
            (src[done.read..].first_chunk::<BLOCK>(), dst[done.written..].first_chunk_mut::<ROOM>())
        else {
            return false;
        };
        let mut others = 0;
        for lane in steps(0..BLOCK, S::LANES) {
            others |= s.load(text, lane).high_bits() << lane;
        }
        let clean = others.trailing_zeros() as usize;
        if clean < least || others.count_ones() > FEW {
            return false;
        }
        for lane in steps(0..BLOCK, S::LANES) {
            P::put_ascii(s, s.load(text, lane), room, lane * P::UNIT);
        }
        (done.read, done.written) = (done.read + clean, done.written + clean * P::UNIT);
        if clean == BLOCK {
            return true;
        }
        let len = malformed(&src[done.read..]);
        if len == 0 {
            return least > 0 && clean >= CLEAR;
        }
        let at = clean * P::UNIT;
        for (place, byte) in room[at..at + P::REPLACEMENT.len()].iter_mut().zip(P::REPLACEMENT) {
            place.write(*byte);
        }
        done.read += len;
        done.written += P::REPLACEMENT.len();
        done.replaced += 1;
        least = ALONE;
    }
}

/// Returns the length of the error at the start of `bytes`; 0 if there is none. One function for all levels and targets.
#[inline(never)]
fn malformed(bytes: &[u8]) -> usize {
    match Utf8::decode(&mut (), Input { bytes, last: false }) {
        Decoded::Malformed { len, .. } => usize::from(len),
        _ => 0,
    }
}
