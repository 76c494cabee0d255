//! Judging what can be read only once.

use std::io::{self, Read};

use placemat_text::faults::seeming::Judge;

/// A stream that is judged as a whole while it is read.
pub(super) struct Overheard<R> {
    pub(super) reader: R,
    pub(super) judge: Option<Judge>,
}

impl<R: Read> Read for Overheard<R> {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(block)?;
        if let Some(judge) = &mut self.judge {
            judge.push(&block[..read]);
        }
        Ok(read)
    }
}
