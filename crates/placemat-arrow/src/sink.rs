//! Bytes that grow.
#![forbid(unsafe_code)]

use placemat::{Status, Transcoder};

/// Bytes that grow, of which a transcoder may write any part.
///
/// `placemat::convert_into` would clear the whole spare room of a vector again for each row.
pub(crate) struct Sink {
    bytes: Vec<u8>,
    len: usize,
}

impl Sink {
    pub(crate) fn with_capacity(capacity: usize) -> Sink {
        Sink { bytes: vec![0; capacity], len: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn written(&self, from: usize) -> &[u8] {
        &self.bytes[from..self.len]
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.len = len;
    }

    pub(crate) fn extend(&mut self, bytes: &[u8]) {
        self.room(bytes.len())[..bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    /// All of `bytes` as one stream, after which the transcoder is ready for the next one.
    pub(crate) fn transcode(
        &mut self,
        transcoder: &mut Transcoder,
        bytes: &[u8],
    ) -> Result<(), placemat::Error> {
        let mut rest = bytes;
        loop {
            let out = self.room(Transcoder::MIN_OUTPUT);
            let step = if rest.is_empty() { transcoder.finish(out) } else { transcoder.push(rest, out) };
            self.len += step.written;
            rest = &rest[step.read..];
            match step.status {
                Status::Done => return Ok(()),
                Status::Failed(error) => return Err(error),
                Status::NeedOutput => {
                    self.room(rest.len().max(Transcoder::MIN_OUTPUT) * 2);
                }
                Status::NeedInput => {}
            }
        }
    }

    pub(crate) fn into_bytes(mut self) -> Vec<u8> {
        self.bytes.truncate(self.len);
        self.bytes
    }

    /// At least `least` bytes of room. Grows by half, so that growing stays linear.
    fn room(&mut self, least: usize) -> &mut [u8] {
        if self.bytes.len() - self.len < least {
            let len = (self.bytes.len() + self.bytes.len() / 2).max(self.len + least);
            self.bytes.resize(len, 0);
        }
        &mut self.bytes[self.len..]
    }
}
