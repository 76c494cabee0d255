//! What is wrong with compressed data, in words that need no knowledge of its format.

use std::io::{self, ErrorKind, Read};

use super::{MOST, Packed};

/// A decoder whose errors name its format.
pub(super) struct Named<R>(pub(super) Packed, pub(super) R);

impl<R: Read> Read for Named<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1.read(buffer).map_err(|error| named(self.0, error))
    }
}

/// Makes a sentence of the error of a decoder. Errors of the system below it, such as those of a disk, stay as they are.
pub(super) fn named(format: Packed, error: io::Error) -> io::Error {
    if error.raw_os_error().is_some() {
        return error;
    }
    let sentence = if error.kind() == ErrorKind::UnexpectedEof {
        format!("the {format} data is cut off: the end of it is missing")
    // The decoders have no kind of error for this.
    } else if error.to_string().contains("memory") {
        let most = MOST >> 20;
        format!("unpacking it takes more than {most} MiB of memory: unpack it with another program first")
    } else {
        format!("the {format} data is damaged ({error})")
    };
    io::Error::new(error.kind(), sentence)
}
