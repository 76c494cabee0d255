//! What can be asked of a file beside being well-formed.

use placemat::Form;
use placemat::invisible::Kinds;
use serde::Deserialize;

use crate::charset::Charset;

/// What is asked of a file.
#[derive(Clone, Copy, Debug)]
pub struct Demand {
    /// What it is in, if that is asked.
    pub charset: Option<Charset>,
    /// Whether it has a byte order mark.
    pub mark: Mark,
    /// What ends its lines.
    pub line_ending: LineEnding,
    /// Whether characters that are not shown may be in it, if that is said.
    pub invisible: Option<Invisible>,
    /// Kinds of such characters that may be in it in any case.
    pub may_have: Kinds,
    /// Its faults are known.
    pub is_allowed: bool,
}

impl Default for Demand {
    fn default() -> Demand {
        let (mark, line_ending) = (Mark::Any, LineEnding::Any);
        Demand { charset: None, mark, line_ending, invisible: None, may_have: Kinds::NONE, is_allowed: false }
    }
}

impl Demand {
    /// The kinds of characters that are not shown and that are looked for in it, where the command line asks for `told`, if it does.
    ///
    /// ```
    /// use placemat::invisible::{Kind, Kinds};
    /// use placemat_text::rules::{Demand, Invisible};
    ///
    /// let rule = Demand { may_have: Kinds::NONE.with(Kind::Control), ..Demand::default() };
    /// assert_eq!(rule.forbidden(None), Kinds::NONE);
    /// assert!(!rule.forbidden(Some(Kinds::DEFAULT)).contains(Kind::Control));
    /// let rule = Demand { invisible: Some(Invisible::Forbidden), ..Demand::default() };
    /// assert_eq!(rule.forbidden(None), Kinds::DEFAULT);
    /// ```
    #[must_use]
    pub fn forbidden(&self, told: Option<Kinds>) -> Kinds {
        let kinds = match (self.invisible, told) {
            (Some(Invisible::Any), _) | (None, None) => return Kinds::NONE,
            (_, Some(told)) => told,
            (Some(Invisible::Forbidden), None) => Kinds::DEFAULT,
        };
        kinds.difference(self.may_have)
    }

    /// Why a command that writes leaves the file alone, in one sentence without the name of the file.
    ///
    /// ```
    /// use placemat_text::rules::Demand;
    ///
    /// let demand = Demand { is_allowed: true, ..Demand::default() };
    /// assert!(demand.reason().starts_with("stays as it is: the rules allow its faults"));
    /// ```
    pub fn reason(&self) -> String {
        match self.charset {
            Some(charset) if !self.is_allowed => {
                format!("stays as it is: the rules say that it is {charset} (--no-config heeds no rules)")
            }
            _ => "stays as it is: the rules allow its faults (--no-config heeds no rules)".to_owned(),
        }
    }

    /// The form of the rules, if that is another than UTF-8.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::rules::Demand;
    ///
    /// let of = |form: Form| Demand { charset: Some(form.into()), ..Demand::default() }.other_than_utf8();
    /// assert!(of(Form::Cesu8).is_some());
    /// assert!(of(Form::Utf8Bom).is_none());
    /// ```
    pub fn other_than_utf8(&self) -> Option<Charset> {
        let utf8 = [Form::Utf8, Form::Utf8Bom, Form::UsAscii];
        self.charset.filter(|charset| !utf8.iter().any(|form| charset == form))
    }

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

/// Whether characters that are not shown, and that their place does not explain, may be in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Invisible {
    /// They may.
    Any,
    /// They may not.
    Forbidden,
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
