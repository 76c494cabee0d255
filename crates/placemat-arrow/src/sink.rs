//! Bytes that grow, row by row.
#![forbid(unsafe_code)]

use placemat::{Form, Status, Transcoder};

/// Bytes that grow by whole rows or by what a transcoder writes.
pub(crate) struct Sink {
    bytes: Vec<u8>,
    /// What the transcoder writes into, cleared once and not for each row.
    desk: Vec<u8>,
}

/// More than most rows are long, and less than the first cache.
const DESK: usize = 8192;

impl Sink {
    pub(crate) fn with_capacity(capacity: usize) -> Sink {
        Sink { bytes: Vec::with_capacity(capacity), desk: vec![0; DESK] }
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

    /// Well-formed UTF-8 in a form that carries all of it, as a piece of a longer text.
    pub(crate) fn convert(&mut self, to: Form, text: &[u8]) {
        // So that nothing can fail.
        let _ = placemat::convert_into(Transcoder::new(Form::Utf8, to).midway(), text, &mut self.bytes);
    }

    /// All of `bytes` as one stream, after which the transcoder is ready for the next one.
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

    /// The bytes, and an empty sink.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        core::mem::take(&mut self.bytes)
    }
}
