//! A buffer to write to near the end of the destination.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

use super::Progress;
use super::blocks::ROOM;
use crate::vector::Vector;

/// A buffer for kernels that may write behind the bytes that count, where the destination has no room for
/// that.
pub(crate) struct Scratch([MaybeUninit<u8>; ROOM]);

impl Scratch {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Scratch([MaybeUninit::uninit(); ROOM])
    }

    /// Returns the destination if it is long enough, otherwise this buffer.
    #[inline(always)]
    pub(crate) fn room<'a>(&'a mut self, dst: &'a mut [MaybeUninit<u8>]) -> &'a mut [MaybeUninit<u8>; ROOM] {
        dst.first_chunk_mut().unwrap_or(&mut self.0)
    }

    /// Copies what was written to the destination, if it is not there already. Returns whether it fits.
    #[inline(always)]
    pub(crate) fn copy<S: Vector>(&self, s: S, dst: &mut [MaybeUninit<u8>], n: usize) -> bool {
        if dst.len() >= ROOM {
            return true;
        }
        let Some(place) = dst.get_mut(..n) else { return false };
        s.copy_part(&self.0, place);
        true
    }

    /// Like `copy`, after all of a short text has been converted.
    #[inline(always)]
    pub(crate) fn whole<S: Vector>(
        &self,
        s: S,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        n: usize,
    ) -> Option<Progress> {
        self.copy(s, dst, n).then_some(Progress { read: src.len(), written: n, replaced: 0 })
    }
}
