//! A growing buffer for rewritten rows.
#![forbid(unsafe_code)]

use arrow_buffer::Buffer;
use placemat::{Form, Status, Transcoder};

use crate::pool;

/// A growing buffer, to which bytes are copied or written by a transcoder.
pub(crate) struct Sink {
    bytes: Vec<u8>,
    /// The destination of the transcoder; zeroed once, not for each row.
    desk: Vec<u8>,
}

/// The size of the destination: larger than most rows, smaller than the first-level cache.
const DESK: usize = 8192;

impl Sink {
    pub(crate) fn with_capacity(capacity: usize) -> Sink {
        Sink { bytes: pool::take(capacity), desk: vec![0; DESK] }
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn written(&self, from: usize) -> &[u8] {
        &self.bytes[from..]
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.bytes.truncate(len);
    }

    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Makes room for `more` bytes, if a kept buffer has it.
    pub(crate) fn reserve(&mut self, more: usize) {
        pool::reserve(&mut self.bytes, more);
    }

    /// Appends a text with U+FFFD for each maximal subpart, and returns how many these are.
    pub(crate) fn repair(&mut self, bytes: &[u8]) -> usize {
        placemat::repair_into(bytes, &mut self.bytes)
    }

    /// Appends well-formed UTF-8, converted to a form that has every character.
    pub(crate) fn convert(&mut self, to: Form, text: &[u8]) {
        // With this policy no conversion fails.
        let _ = placemat::convert_into(Transcoder::new(Form::Utf8, to).from_middle(), text, &mut self.bytes);
    }

    /// Appends `bytes`, converted as one stream. Afterwards the transcoder is ready for the next one.
    pub(crate) fn transcode(
        &mut self,
        transcoder: &mut Transcoder,
        bytes: &[u8],
    ) -> Result<(), placemat::Error> {
        let mut rest = bytes;
        loop {
            let desk = &mut self.desk;
            let step = if rest.is_empty() { transcoder.finish(desk) } else { transcoder.push(rest, desk) };
            self.bytes.extend_from_slice(&desk[..step.written]);
            rest = &rest[step.read..];
            match step.status {
                Status::Done => return Ok(()),
                Status::Failed(error) => return Err(error),
                Status::NeedInput | Status::NeedOutput => {}
            }
        }
    }

    /// Takes the bytes out and leaves the sink empty.
    pub(crate) fn take(&mut self) -> Buffer {
        pool::buffer(core::mem::take(&mut self.bytes))
    }
}
