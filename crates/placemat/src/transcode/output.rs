//! The destination: whole sequences only, and never a byte past its end.

#![forbid(unsafe_code)]

use crate::codec::ROOM;
use crate::error::ErrorKind;
use crate::form::State;

/// A destination that fills from the start.
pub(super) struct Output<'a> {
    dst: &'a mut [u8],
    written: usize,
}

/// What happened to one code point.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Put {
    Done,
    /// No room; the writer is as it was.
    Full,
    /// The form cannot carry it; the writer is as it was.
    Refused,
}

impl<'a> Output<'a> {
    pub(super) fn new(dst: &'a mut [u8]) -> Output<'a> {
        Output { dst, written: 0 }
    }

    pub(super) fn written(&self) -> usize {
        self.written
    }

    /// Where the next sequence goes.
    #[inline]
    pub(super) fn rest(&mut self) -> &mut [u8] {
        &mut self.dst[self.written..]
    }

    /// Record that this many bytes of [`Output::rest`] are now written.
    pub(super) fn advance(&mut self, written: usize) {
        self.written += written;
    }

    /// Let `write` write all of its sequence or nothing. Near the end of the destination it writes to a separate buffer first.
    pub(super) fn put_with<F>(&mut self, writer: &mut State, write: F) -> Put
    where
        F: FnOnce(&mut State, &mut [u8; ROOM]) -> Result<usize, ErrorKind>,
    {
        let rest = &mut self.dst[self.written..];
        if let Some(room) = rest.first_chunk_mut() {
            let Ok(len) = write(writer, room) else { return Put::Refused };
            self.written += len;
            return Put::Done;
        }
        let before = *writer;
        let mut room = [0; ROOM];
        let Ok(len) = write(writer, &mut room) else { return Put::Refused };
        let Some(place) = rest.get_mut(..len) else {
            *writer = before;
            return Put::Full;
        };
        place.copy_from_slice(&room[..len]);
        self.written += len;
        Put::Done
    }
}
