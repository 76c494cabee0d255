//! The rules for a file, besides being well-formed.

use placemat::Form;
use placemat::invisible::Kinds;
use serde::Deserialize;

use crate::charset::Charset;

/// The rules for one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// The required encoding, if there is one.
    pub charset: Option<Charset>,
    /// Whether it must have a byte order mark.
    pub mark: Mark,
    /// The line ending that it must have.
    pub line_ending: LineEnding,
    /// Whether it may have characters that are not shown, if there is a rule about that.
    pub invisible: Option<Invisible>,
    /// Kinds of such characters that it may always have.
    pub may_have: Kinds,
    /// Whether its errors are allowed.
    pub is_allowed: bool,
}

impl Default for Demand {
    fn default() -> Demand {
        let (mark, line_ending) = (Mark::Any, LineEnding::Any);
        Demand { charset: None, mark, line_ending, invisible: None, may_have: Kinds::NONE, is_allowed: false }
    }
}

impl Demand {
    /// The kinds of characters that are not shown and that are searched in the file. `told` are the kinds of the command line, if any.
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

    /// Says in one sentence, without the name of the file, why a command that writes leaves the file alone.
    ///
    /// ```
    /// use placemat_text::rules::Demand;
    ///
    /// let demand = Demand { is_allowed: true, ..Demand::default() };
    /// assert!(demand.reason().starts_with("stays as it is: the rules allow its errors"));
    /// ```
    pub fn reason(&self) -> String {
        match self.charset {
            Some(charset) if !self.is_allowed => {
                format!("stays as it is: the rules say that it is {charset} (--no-config ignores the rules)")
            }
            _ => "stays as it is: the rules allow its errors (--no-config ignores the rules)".to_owned(),
        }
    }

    /// The required encoding, if it is another than UTF-8.
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

    /// Whether any byte order mark and any line ending is allowed.
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

/// The rule about a byte order mark at the start of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// There may be one.
    #[default]
    Any,
    /// There must be none.
    Forbidden,
    /// There must be one.
    Required,
}

/// The rule about characters that are not shown, where their context does not explain them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Invisible {
    /// They are allowed.
    Any,
    /// They are not allowed.
    Forbidden,
}

/// The rule about line endings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineEnding {
    /// Any is allowed.
    #[default]
    Any,
    /// U+000A.
    Lf,
    /// U+000D U+000A.
    Crlf,
}
