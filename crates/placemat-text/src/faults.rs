//! The errors of an input: how many there are, and where.
//!
//! Counting ([`placemat::errors`]) is fast and knows no lines. Locating ([`locate`]) then reads the input again, up
//! to the last error that is shown. An input that cannot be read twice is counted and located in one pass.

pub mod advice;
pub mod breach;
pub mod declaration;
pub mod excerpt;
pub mod hidden;
pub mod hint;
pub mod locate;
pub mod misread;
pub mod run;
pub mod seeming;
pub mod wording;

use std::fmt;
use std::ops::Range;

use placemat::{ErrorKind, Form};

use crate::charset::Charset;
use crate::charset::guess::other_form;
use crate::rules::LineEnding;

/// The length of an input and the number of its errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The length of the input.
    pub bytes: u64,
    /// The number of malformed sequences.
    pub errors: u64,
}

/// One error, where it is, and what surrounds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding<'a> {
    /// What is wrong.
    pub kind: Kind,
    /// Bytes from the start of the input.
    pub offset: u64,
    /// From 1.
    pub line: u64,
    /// In code points, from 1.
    pub column: u64,
    /// The encoding that the input was read in, never a form that leaves the byte order to a mark.
    pub charset: Charset,
    /// The form that the input announces instead, when the error is a byte order mark.
    pub announced: Option<Form>,
    /// The bytes of the input around the error: at most [`locate::CONTEXT`] before and after it.
    pub window: &'a [u8],
    /// The malformed bytes, as a range of the window.
    pub range: Range<usize>,
    /// Whether the window reaches the end of the input.
    pub at_end: bool,
}

/// What is wrong: a malformed sequence, a breach of a rule, or a declaration that is not true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A malformed sequence.
    Malformed(ErrorKind),
    /// A byte order mark where there should be none.
    MarkForbidden,
    /// No byte order mark where there should be one.
    MarkRequired,
    /// A line end that differs from the one given here.
    LineEnding(LineEnding),
    /// The text declares another encoding than its own.
    Declared,
}

impl Kind {
    /// The name of the kind, as it is printed.
    ///
    /// ```
    /// use placemat::ErrorKind;
    /// use placemat_text::faults::Kind;
    ///
    /// assert_eq!(Kind::Malformed(ErrorKind::Overlong).name(), "overlong");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Kind::Malformed(kind) => kind.name(),
            Kind::MarkForbidden => "mark-forbidden",
            Kind::MarkRequired => "mark-required",
            Kind::LineEnding(_) => "line-ending",
            Kind::Declared => "declared-encoding",
        }
    }

    /// Returns one kind for each name.
    ///
    /// ```
    /// assert!(placemat_text::faults::Kind::all().any(|kind| kind.name() == "mark-forbidden"));
    /// ```
    pub fn all() -> impl Iterator<Item = Kind> {
        let breaches =
            [Kind::MarkForbidden, Kind::MarkRequired, Kind::LineEnding(LineEnding::Any), Kind::Declared];
        ErrorKind::ALL.iter().copied().map(Kind::Malformed).chain(breaches)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl<'a> Finding<'a> {
    /// Whether this finding breaks a rule or contradicts a declaration. Such bytes may be well-formed.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::faults::locate::{Search, search};
    ///
    /// let search_for = Search { limit: 10, ..Search::new(Form::Utf8.into()) };
    /// search(&mut &b"na\xC3\xAFve\ncaf\xE9!"[..], search_for, &mut |finding| {
    ///     assert!(!finding.is_breach());
    ///     Ok::<_, ()>(())
    /// })
    /// .unwrap();
    /// ```
    pub fn is_breach(&self) -> bool {
        !matches!(self.kind, Kind::Malformed(_))
    }

    /// The malformed bytes.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_text::faults::locate::{Search, search};
    ///
    /// let search_for = Search { limit: 10, ..Search::new(Form::Utf8.into()) };
    /// search(&mut &b"na\xC3\xAFve\ncaf\xE9!"[..], search_for, &mut |finding| {
    ///     assert_eq!(finding.bytes(), b"\xE9");
    ///     Ok::<_, ()>(())
    /// })
    /// .unwrap();
    /// ```
    pub fn bytes(&self) -> &'a [u8] {
        &self.window[self.range.clone()]
    }

    /// The bytes after the malformed ones, as far as the window reaches.
    pub(crate) fn after(&self) -> &'a [u8] {
        &self.window[self.range.end..]
    }

    /// The offset of the window's first byte from the start of the input.
    pub(crate) fn window_offset(&self) -> u64 {
        self.offset - self.range.start as u64
    }
}

/// Whether an input starts with the byte order mark of a form that is not UTF-8, and does not plainly contradict it. `head` is the start
/// of the input, of which at most [`HEAD`](crate::io::HEAD) bytes are read.
///
/// ```
/// use placemat_text::faults::announces_other_form;
///
/// assert!(announces_other_form(b"\xFF\xFEa\0") && !announces_other_form(b"\xEF\xBB\xBFa"));
/// assert!(!announces_other_form(b"\xFF\xFEplain text\n"));
/// ```
pub fn announces_other_form(head: &[u8]) -> bool {
    other_form(head).is_some()
}
