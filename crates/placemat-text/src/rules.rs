//! What can be asked of a file beside being well-formed.

use serde::Deserialize;

use crate::charset::Charset;

/// What is asked of a file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Demand {
    /// What it is in, if that is asked.
    pub charset: Option<Charset>,
    /// Whether it has a byte order mark.
    pub mark: Mark,
    /// What ends its lines.
    pub line_ending: LineEnding,
    /// Its faults are known.
    pub is_allowed: bool,
}

impl Demand {
    /// Whatever the marks and the line endings of a file are, they do.
    ///
    /// ```
    /// use placemat_text::rules::{Demand, Mark};
    ///
    /// assert!(Demand::default().is_met_by_anything());
    /// assert!(!Demand { mark: Mark::Required, ..Demand::default() }.is_met_by_anything());
    /// ```
    pub fn is_met_by_anything(&self) -> bool {
        self.mark == Mark::Any && self.line_ending == LineEnding::Any
    }
}

/// Whether a file begins with a byte order mark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// As it likes.
    #[default]
    Any,
    /// It does not.
    Forbidden,
    /// It does.
    Required,
}

/// What ends the lines of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineEnding {
    /// Whatever.
    #[default]
    Any,
    /// U+000A.
    Lf,
    /// U+000D U+000A.
    Crlf,
}
