//! The error of the functions that read, write or refuse.

use std::fmt;
use std::io;

/// An error of reading, writing or JSON, or a sentence that says what was refused.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Reading or writing failed.
    Io(io::Error),
    /// Reading or writing JSON failed.
    Json(serde_json::Error),
    /// The text is not JSON Lines, CSV or SQL as expected.
    Misfit(Misfit),
    /// Anything else, as a sentence without a full stop.
    Refused(String),
}

/// The place where a text does not have the expected structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong there.
    pub what: &'static str,
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
            Error::Misfit(misfit) => misfit.fmt(f),
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

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl std::error::Error for Misfit {}

impl From<Misfit> for Error {
    fn from(misfit: Misfit) -> Error {
        Error::Misfit(misfit)
    }
}

/// Returns a refusal, formatted like `format!`.
macro_rules! refuse {
    ($($sentence:tt)*) => {
        return Err($crate::Error::refused(format!($($sentence)*)))
    };
}

/// Returns a refusal unless a condition holds.
macro_rules! ensure {
    ($is_so:expr, $($sentence:tt)*) => {
        if !$is_so {
            $crate::error::refuse!($($sentence)*);
        }
    };
}

pub(crate) use {ensure, refuse};
