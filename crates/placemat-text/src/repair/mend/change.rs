//! What a repair changed, and why.

use std::ops::Range;

use placemat::invisible;
use placemat_detect::Kind;
use placemat_detect::mojibake::Page;

/// Why something was changed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A byte order mark of a form that the text is not in was removed at its start.
    Mark,
    /// A byte was read as windows-1252.
    Windows1252,
    /// A run was read in this encoding, the second encoding of the text.
    Second(&'static str),
    /// Two surrogates were joined.
    Cesu8,
    /// An overlong sequence became U+0000.
    Nul,
    /// An overlong sequence became the character that it encodes.
    Overlong,
    /// The policy of this name was applied to a sequence of this kind.
    Policy(&'static str, Sequence),
    /// Text was decoded twice. Here are the encodings that it was misread in, the last misreading first.
    Mojibake(Vec<Page>),
    /// Characters that are not shown were removed.
    Hidden(invisible::Kind),
    /// U+0000 was replaced by the entry of [`ZEROS`](super::ZEROS) with this name.
    Zero(&'static str),
}

/// A kind of malformed sequence, in the order of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence(pub Kind);

impl Ord for Sequence {
    fn cmp(&self, other: &Sequence) -> std::cmp::Ordering {
        let place = |kind| Kind::ALL.iter().position(|&k| k == kind);
        place(self.0).cmp(&place(other.0))
    }
}

impl PartialOrd for Sequence {
    fn partial_cmp(&self, other: &Sequence) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The position of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The record of CSV, or the line of JSON Lines or of a dump, from 1.
    pub row: u64,
    /// The field of a record or of a row of COPY, or the string in a line of JSON, from 1; 0 elsewhere.
    pub field: u64,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The range in the source, in bytes from its start.
    pub range: Range<u64>,
    /// The new text.
    pub text: String,
    /// The rule that made the change.
    pub rule: Rule,
    /// The field that it is in, if the input is a structure.
    pub cell: Option<Cell>,
}

impl Change {
    /// Whether information is lost: the new text stands for something that could not be read.
    ///
    /// ```
    /// use placemat_text::repair::mend::{Mender, Mending};
    ///
    /// let (_, changes) = Mender::new(Mending::default()).block(b"a\x81", true);
    /// assert!(changes[0].is_loss());
    /// ```
    #[must_use]
    pub fn is_loss(&self) -> bool {
        match self.rule {
            Rule::Policy(..) => true,
            // The user asked for it.
            Rule::Zero(_) => false,
            _ => self.text.contains(char::REPLACEMENT_CHARACTER),
        }
    }
}
