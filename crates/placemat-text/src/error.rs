//! Why something could not be done.

use std::fmt;
use std::io;

/// Why something could not be done: what could not be read or written, or a sentence that says what was refused.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Reading or writing failed.
    Io(io::Error),
    /// JSON that could not be read or written.
    Json(serde_json::Error),
    /// Anything else, as a sentence without a full stop.
    Refused(String),
}

impl Error {
    pub(crate) fn refused(sentence: impl Into<String>) -> Error {
        Error::Refused(sentence.into())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Io(error) => error.fmt(f),
            Error::Json(error) => error.fmt(f),
            Error::Refused(sentence) => f.pad(sentence),
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Io(error)
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Error {
        Error::Json(error)
    }
}

/// Return a refusal, formatted like `format!`.
macro_rules! refuse {
    ($($sentence:tt)*) => {
        return Err($crate::Error::refused(format!($($sentence)*)))
    };
}

/// Return a refusal unless something is so.
macro_rules! ensure {
    ($is_so:expr, $($sentence:tt)*) => {
        if !$is_so {
            $crate::error::refuse!($($sentence)*);
        }
    };
}

pub(crate) use {ensure, refuse};
