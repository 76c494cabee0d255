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
    pub(crate) is_half: bool,
}

impl Misfit {
    /// Whether the cause may be a character of two bytes whose second byte was read as a backslash or a quote, as in Shift_JIS, Big5 and GBK.
    ///
    /// ```
    /// use placemat_text::Error;
    /// use placemat_text::structure::{Structure, check};
    ///
    /// // 95 5C is one character in Shift_JIS.
    /// let Err(Error::Misfit(misfit)) = check(Structure::JsonLines, &b"\"\x95\\\""[..]) else { unreachable!() };
    /// assert!(misfit.may_be_half_a_character());
    /// ```
    #[must_use]
    pub fn may_be_half_a_character(&self) -> bool {
        self.is_half
    }
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

/// What a misfit says that such a character may have caused.
const HALF: &str = "in Shift_JIS, Big5 and GBK a backslash can be the second byte of a character: if the whole file is in one of \
them, convert it to UTF-8 first; if only parts are, repair it as plain text, not field by field";

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)?;
        if self.is_half { write!(f, "; {HALF}") } else { Ok(()) }
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
