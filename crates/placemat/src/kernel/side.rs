//! Where to write near the end of the destination.

#![forbid(unsafe_code)]

use core::mem::MaybeUninit;

/// A place to write to where the destination is too short for what may be scribbled.
pub(crate) struct Side<const ROOM: usize>([MaybeUninit<u8>; ROOM]);

impl<const ROOM: usize> Side<ROOM> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Side([MaybeUninit::uninit(); ROOM])
    }

    /// The destination, or this.
    #[inline(always)]
    pub(crate) fn room<'a>(&'a mut self, dst: &'a mut [MaybeUninit<u8>]) -> &'a mut [MaybeUninit<u8>; ROOM] {
        dst.first_chunk_mut().unwrap_or(&mut self.0)
    }

    /// Bring what was written to the destination, if it is not there already. Whether it fits.
    #[inline(always)]
    pub(crate) fn copy(&self, dst: &mut [MaybeUninit<u8>], n: usize) -> bool {
        if dst.len() >= ROOM {
            return true;
        }
        let Some(place) = dst.get_mut(..n) else { return false };
        place.copy_from_slice(&self.0[..n]);
        true
    }
}
