//! Converts UTF-16 and UTF-32 on levels that have separate methods for this, or wide vectors. For any length; writes only to the
//! destination, and keeps no state except the positions.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

pub(crate) use utf8::{utf16_to_utf8, utf16_to_utf8_plain, utf16_with_pairs_to_utf8};

use super::Progress;
use super::blocks::{BLOCK, Blocks};
use crate::vector::Vector;

mod steps;
mod utf8;

/// The longest texts that these functions are for, in bytes. Longer UTF-16 is converted faster by loops that predict from the text before.
pub(crate) const FROM_UTF16: usize = 8 << 10;
pub(crate) const UTF16_TO_UTF32: usize = 24 << 10;
pub(crate) const FROM_UTF32: usize = 1 << 30;

/// Converts all of a text of at least one step, if its units are of the commonest kind and there is room; otherwise as many steps as are
/// of that kind.
#[inline(always)]
pub(crate) fn plain<S: Vector, B: Blocks<S, SIZE>, const SIZE: usize>(
    s: S,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Progress {
    let (step, unit) = (B::VECTORS * S::LANES, SIZE / BLOCK);
    let size = step / unit * B::UNIT;
    let end = src.len() / unit * B::UNIT;
    if src.len() < step || !src.len().is_multiple_of(unit) {
        return Progress::default();
    }
    let Some(out) = dst.get_mut(..end) else { return Progress::default() };
    let all = Progress { read: src.len(), written: end, replaced: 0 };
    let mut steps = 0;
    for (text, room) in src.chunks_exact(step).zip(out.chunks_exact_mut(size)) {
        if !B::fast_vectors(s, text, room) {
            return Progress { read: steps * step, written: steps * size, replaced: 0 };
        }
        steps += 1;
    }
    let done = Progress { read: steps * step, written: steps * size, replaced: 0 };
    // The last vectors overlap those before them.
    let is_plain =
        done.read == src.len() || B::fast_vectors(s, &src[src.len() - step..], &mut out[end - size..]);
    if is_plain { all } else { done }
}

#[inline(always)]
pub(crate) fn utf16_to_utf32_plain<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    progress(s.plain_to_utf32(src, dst))
}

/// Converts as far as the text is well-formed and there is room.
#[inline(always)]
pub(crate) fn utf16_to_utf32<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    if S::STEPS {
        return progress(s.all_to_utf32::<true>(src, dst));
    }
    steps::utf16_to_utf32(s, src, dst)
}

/// The same two methods for UTF-32 to UTF-16.
#[inline(always)]
pub(crate) fn utf32_to_utf16_plain<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    progress(s.plain_to_utf16(src, dst))
}

#[inline(always)]
pub(crate) fn utf32_to_utf16<S: Vector>(s: S, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Progress {
    if S::STEPS {
        return progress(s.all_to_utf16(src, dst));
    }
    steps::utf32_to_utf16(s, src, dst)
}

#[inline(always)]
fn progress([read, written]: [usize; 2]) -> Progress {
    Progress { read, written, replaced: 0 }
}

/// How far a conversion is.
struct Cursor {
    at: usize,
    written: usize,
}

impl Cursor {
    /// Converts up to the first vectors that are not of the commonest kind, or nearly to the end of the source or of the room.
    #[inline(always)]
    fn plain<S: Vector, B: Blocks<S, SIZE>, const SIZE: usize>(
        &mut self,
        s: S,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) {
        let (step, size) = (B::VECTORS * S::LANES, B::VECTORS * S::LANES / (SIZE / BLOCK) * B::UNIT);
        let texts = src[self.at..].chunks_exact(step);
        for (text, room) in texts.zip(dst[self.written..].chunks_exact_mut(size)) {
            if !B::fast_vectors(s, text, room) {
                break;
            }
            (self.at, self.written) = (self.at + step, self.written + size);
        }
    }
}
