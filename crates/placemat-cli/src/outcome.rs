//! Exit codes: 0 all is well, 1 something was found, 2 it could not be done.

use std::process::ExitCode;

/// How a command ended. Work goes on with the next file; the largest wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    #[default]
    Clean,
    /// A malformed sequence, a refused file, something that would change.
    Found,
    /// Usage, a missing file, I/O.
    Trouble,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(outcome as u8)
    }
}
