//! Exit codes: 0 all is well, 1 something was found, 2 it could not be done.

use std::io;

use anyhow::{Error, Result};

/// How a command ended. After an error the work goes on with the next file, and the largest outcome counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    #[default]
    Clean,
    /// A malformed sequence, a refused file, something that would change.
    Found,
    /// Usage, a missing file, I/O.
    Trouble,
}

impl Outcome {
    /// Returns how the command ends once the results are written. If the reader has closed our output, findings no
    /// longer count, but failures do.
    ///
    /// # Errors
    /// Any error of writing, except that the output was closed.
    pub(crate) fn after(self, written: Result<()>) -> Result<Outcome> {
        match written {
            Ok(()) => Ok(self),
            Err(error) if is_broken_pipe(&error) => {
                Ok(if self == Outcome::Found { Outcome::Clean } else { self })
            }
            Err(error) => Err(error),
        }
    }
}

/// Whether the error is that the reader of our output has closed it.
pub(crate) fn is_broken_pipe(error: &Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| match cause.downcast_ref() {
        // It is what it holds: its chain does not name that once more.
        Some(placemat_text::Error::Io(error)) => Some(error.kind()),
        Some(placemat_text::Error::Json(error)) => error.io_error_kind(),
        _ => cause.downcast_ref::<io::Error>().map(io::Error::kind),
    };
    error.chain().any(|cause| kind(cause) == Some(io::ErrorKind::BrokenPipe))
}

impl From<Outcome> for u8 {
    fn from(outcome: Outcome) -> u8 {
        outcome as u8
    }
}
