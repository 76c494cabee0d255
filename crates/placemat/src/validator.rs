//! Validation of a stream that comes in chunks.

#![forbid(unsafe_code)]

use crate::error::{Error, ErrorKind};
use crate::valid_prefix;

/// Checks UTF-8 that comes in chunks of any size, and reports the first error as soon as its bytes are there.
///
/// The result does not depend on how the text is divided, and equals that of [`validate`](crate::validate()) for the whole. It
/// keeps at most three bytes of the last chunk, and never allocates. Time is linear.
///
/// ```
/// use placemat::Validator;
/// let mut validator = Validator::new();
/// assert_eq!(validator.push(b"na\xC3"), Ok(()));
/// assert_eq!(validator.push(b"\xAFve"), Ok(()));
/// assert_eq!(validator.finish(), Ok(()));
///
/// let mut validator = Validator::new();
/// validator.push(b"caf\xE0").unwrap();
/// // E0 80 begins no character, whatever follows.
/// assert_eq!(validator.push(b"\x80").unwrap_err().offset(), 3);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Validator {
    /// Where `held` begins in the stream.
    offset: u64,
    /// The start of a sequence that the last chunk did not finish.
    held: [u8; 3],
    len: u8,
    failed: Option<Error>,
}

impl Validator {
    /// Creates a validator at the start of a text.
    ///
    /// ```
    /// assert_eq!(placemat::Validator::new().finish(), Ok(()), "nothing is text");
    /// ```
    #[must_use]
    pub const fn new() -> Validator {
        Validator { offset: 0, held: [0; 3], len: 0, failed: None }
    }

    /// Check the next chunk.
    ///
    /// ```
    /// let mut validator = placemat::Validator::new();
    /// assert!(validator.push(b"\xE2\x82").is_ok() && validator.push(b"\xAC").is_ok());
    /// assert_eq!(validator.push(b"\xFF").unwrap_err().offset(), 3);
    /// ```
    ///
    /// # Errors
    /// The first ill-formed sequence, at its offset in bytes from the start of the stream. Every later call returns it again.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), Error> {
        let result = self.failed.map_or_else(|| self.check(chunk), Err);
        self.failed = result.err();
        result
    }

    /// Ends the stream. Call [`Validator::new`] for the next text.
    ///
    /// ```
    /// let mut validator = placemat::Validator::new();
    /// validator.push(b"a\xE2\x82").unwrap();
    /// assert_eq!(validator.finish().unwrap_err().range(), 1..3);
    /// ```
    ///
    /// # Errors
    /// The error that [`push`](Validator::push) returned, or `truncated` if the stream ends inside a sequence.
    pub fn finish(&self) -> Result<(), Error> {
        match self.failed {
            Some(error) => Err(error),
            None if self.len > 0 => Err(Error::new(ErrorKind::Truncated, self.offset, self.len)),
            None => Ok(()),
        }
    }

    fn check(&mut self, mut chunk: &[u8]) -> Result<(), Error> {
        let held = usize::from(self.len);
        if held > 0 {
            // The longest character is one held byte and three new ones.
            let taken = chunk.len().min(3);
            let mut start = [0; 6];
            start[..held].copy_from_slice(&self.held[..held]);
            start[held..held + taken].copy_from_slice(&chunk[..taken]);
            let start = &start[..held + taken];
            match valid_prefix(start) {
                (0, Some(error)) => return Err(self.behind(&error)),
                (0, None) => {
                    self.hold(start);
                    return Ok(());
                }
                (valid, _) => {
                    self.offset += valid as u64;
                    chunk = &chunk[valid - held..];
                }
            }
        }
        let (valid, error) = valid_prefix(chunk);
        if let Some(error) = error {
            return Err(self.behind(&error));
        }
        self.offset += valid as u64;
        self.hold(&chunk[valid..]);
        Ok(())
    }

    /// Keep the start of a sequence, which is shorter than a character.
    fn hold(&mut self, start: &[u8]) {
        self.held[..start.len()].copy_from_slice(start);
        self.len = start.len() as u8;
    }

    fn behind(&self, error: &Error) -> Error {
        Error::new(error.kind(), self.offset + error.offset(), error.length())
    }
}
