//! The lines of a report.

use serde::{Deserialize, Serialize};

use super::hashing::State;
use crate::notation::hex;
use crate::repair::mend::{Change, Rule};

/// The version of the format that is written here.
pub const VERSION: u32 = 1;

/// A line of a report.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum Line {
    /// The first line.
    Report {
        /// [`VERSION`].
        version: u32,
    },
    /// A file that was changed; its changes follow.
    File {
        /// The path relative to the folder of the report, with `/` between names.
        path: String,
        /// The bytes of the path in hexadecimal, if they are not UTF-8.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path_bytes: Option<String>,
        /// The file before.
        before: State,
        /// The file after.
        after: State,
        /// The number of changes that follow.
        changes: u64,
    },
    /// One change.
    Change {
        /// The offset in the original file.
        offset: u64,
        /// The original bytes in hexadecimal.
        bytes: String,
        /// The text that replaced them.
        text: String,
        /// That text in hexadecimal, if it is not UTF-8; `text` is then empty.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text_bytes: Option<String>,
        /// The name of the rule.
        rule: String,
        /// The kind of the malformed sequence, if the rule does not tell it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kind: Option<String>,
        /// For mojibake: the encodings that it was misread in, the last misreading first.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        via: Vec<String>,
        /// For a field: its row.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        row: Option<u64>,
        /// The number of the field in its row, where fields are counted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        field: Option<u64>,
    },
    /// The last line.
    Summary {
        /// Files in the report.
        files: u64,
        /// Changes in all of them.
        changes: u64,
    },
}

impl Line {
    /// The line of one change. `bytes` are the original bytes.
    ///
    /// ```
    /// use placemat_text::notation::json_text;
    /// use placemat_text::repair::mend::{Mender, Mending};
    /// use placemat_text::repair::record::Line;
    ///
    /// let (_, changes) = Mender::new(Mending::default()).block(b"na\xC3\xAFve caf\xE9", true);
    /// let json = json_text(&Line::change(&changes[0], b"\xE9")).unwrap();
    /// assert_eq!(json, r#"{"type":"change","offset":10,"bytes":"E9","text":"é","rule":"windows-1252"}"#);
    /// ```
    #[must_use]
    pub fn change(change: &Change, bytes: &[u8]) -> Line {
        let (kind, via) = match &change.rule {
            Rule::Policy(_, kind) => (Some(kind.0.name().to_owned()), Vec::new()),
            Rule::Mojibake(via) => (None, via.iter().map(|page| page.name().to_owned()).collect()),
            Rule::Hidden(kind) => (Some(kind.name().to_owned()), Vec::new()),
            Rule::Mark
            | Rule::Windows1252
            | Rule::Second(_)
            | Rule::Cesu8
            | Rule::Nul
            | Rule::Overlong
            | Rule::Zero(_) => (None, Vec::new()),
        };
        Line::Change {
            offset: change.range.start,
            bytes: hex(bytes),
            text: change.text.clone(),
            text_bytes: None,
            rule: change.rule.name().into(),
            kind,
            via,
            row: change.cell.map(|cell| cell.row),
            field: change.cell.map(|cell| cell.field).filter(|&field| field > 0),
        }
    }
}

/// The line of a change made by a conversion.
pub(super) fn converted(offset: u64, old: &[u8], new: &[u8]) -> Line {
    let text = str::from_utf8(new).ok();
    Line::Change {
        offset,
        bytes: hex(old),
        text: text.unwrap_or_default().to_owned(),
        text_bytes: text.is_none().then(|| hex(new)),
        rule: "convert".to_owned(),
        kind: None,
        via: Vec::new(),
        row: None,
        field: None,
    }
}
