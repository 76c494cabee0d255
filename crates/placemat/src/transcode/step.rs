//! What one call of a transcoder did.

#![forbid(unsafe_code)]

use core::fmt;

use crate::error::Error;

/// What one call did: how much it read and wrote, and why it ended.
///
/// A [`Transcoder`](crate::Transcoder) reads and writes bytes. The functions of [`utf16`](crate::utf16) and [`utf32`](crate::utf32)
/// count elements of their slices: bytes of a `[u8]`, code units of a `[u16]` or `[u32]`.
#[must_use = "a step says how much was read and written, and whether it failed"]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// How many elements of the source were read. Do not pass them again.
    pub read: usize,
    /// How many elements were written to the start of the destination. Those behind them may have been overwritten.
    pub written: usize,
    /// Why the call ended.
    pub status: Status,
}

impl Step {
    /// Returns [`Step::written`], if the status is `Done`.
    ///
    /// ```
    /// use placemat::{Status, utf16};
    /// assert_eq!(utf16::from_utf8(b"abc", &mut [0; 3]).ok(), Ok(3));
    /// assert_eq!(utf16::from_utf8(b"abc", &mut [0; 2]).ok(), Err(Status::NeedOutput));
    /// ```
    ///
    /// # Errors
    /// Every status but [`Status::Done`].
    pub const fn ok(self) -> Result<usize, Status> {
        match self.status {
            Status::Done => Ok(self.written),
            status @ (Status::NeedInput | Status::NeedOutput | Status::Failed(_)) => Err(status),
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::NeedInput => f.pad("all of the source is read, and more input is expected"),
            Status::NeedOutput => f.pad("the destination is full"),
            Status::Done => f.pad("done"),
            Status::Failed(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for Status {}

/// Why a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The whole source is read, but it may not be the end of the input.
    NeedInput,
    /// What comes next does not fit into the destination.
    NeedOutput,
    /// The end of the input is reached and everything is written.
    Done,
    /// The policy is to stop here. Everything before the error is written, except what the target holds back until it sees more
    /// ([`Transcoder::is_flushed`](crate::Transcoder::is_flushed)). [`Step::read`] is behind the error, so the next call skips
    /// it.
    Failed(Error),
}
