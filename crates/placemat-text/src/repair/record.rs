//! A report of repairs and conversions. It has every change with its original bytes, so that they can be restored.
//!
//! A report is lines of JSON. It starts with a line of type `report`. Each changed file has a line of type `file`, which says how
//! many lines of type `change` follow, sorted by offset. A line of type `summary` ends the report.

use std::fmt::Write as _;
use std::io::{self, BufRead, Read as _, Seek, Write};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::mend::{Change, Rule};
use crate::Error;
use crate::notation::{hex, write_line};

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

/// The length in bytes above which a line is recorded in parts.
const LONGEST: u64 = 64 << 10;

/// The version of the format that is written here.
pub const VERSION: u32 = 1;

/// The content of a file, by length and hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The length in bytes.
    pub bytes: u64,
    /// The SHA-256 in lower-case hexadecimal.
    pub sha256: String,
}

/// Computes the [`State`] of a file, piece by piece.
#[derive(Default)]
pub struct Hashing {
    bytes: u64,
    hash: Sha256,
}

impl Hashing {
    /// Adds the next bytes.
    ///
    /// ```
    /// use placemat_text::repair::record::Hashing;
    ///
    /// let mut hashing = Hashing::default();
    /// hashing.add(b"ab");
    /// hashing.add(b"c");
    /// assert!(hashing.finish().sha256.starts_with("ba7816bf"));
    /// ```
    pub fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.hash.update(bytes);
    }

    /// Returns the state of all bytes.
    ///
    /// ```
    /// use placemat_text::repair::record::Hashing;
    ///
    /// let mut hashing = Hashing::default();
    /// hashing.add(b"ab");
    /// assert_eq!(hashing.finish().bytes, 2);
    /// ```
    pub fn finish(self) -> State {
        let mut sha256 = String::with_capacity(64);
        for byte in self.hash.finalize() {
            // Writing to a string cannot fail.
            let _ = write!(sha256, "{byte:02x}");
        }
        State { bytes: self.bytes, sha256 }
    }
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
            Rule::Windows1252
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

/// The record of the changes of one file. `lines` holds them until the whole file is read.
pub struct Record<L> {
    path: (String, Option<String>),
    before: Hashing,
    after: Hashing,
    changes: u64,
    lines: L,
}

impl<L: Write + Seek> Record<L> {
    /// Creates a record for the file at this path, relative to the folder of the report; with the bytes of the path in
    /// hexadecimal, if they are not UTF-8.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use placemat_text::repair::record::{Line, Record};
    ///
    /// let record = Record::new(("a.txt".into(), None), Cursor::new(Vec::new()));
    /// let (line, _) = record.finish().unwrap();
    /// assert!(matches!(line, Line::File { changes: 0, .. }));
    /// ```
    pub fn new(path: (String, Option<String>), lines: L) -> Record<L> {
        let (before, after) = (Hashing::default(), Hashing::default());
        Record { path, before, after, changes: 0, lines }
    }

    /// Adds the next bytes of the original file.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use placemat_text::repair::record::{Line, Record};
    ///
    /// let mut record = Record::new(("a.txt".into(), None), Cursor::new(Vec::new()));
    /// record.before(b"caf\xE9");
    /// let (line, _) = record.finish().unwrap();
    /// assert!(matches!(line, Line::File { before, .. } if before.bytes == 4));
    /// ```
    pub fn before(&mut self, block: &[u8]) {
        self.before.add(block);
    }

    /// Adds the next bytes of the new file.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use placemat_text::repair::record::{Line, Record};
    ///
    /// let mut record = Record::new(("a.txt".into(), None), Cursor::new(Vec::new()));
    /// record.after("café".as_bytes());
    /// let (line, _) = record.finish().unwrap();
    /// assert!(matches!(line, Line::File { after, .. } if after.bytes == 5));
    /// ```
    pub fn after(&mut self, text: &[u8]) {
        self.after.add(text);
    }

    /// Adds the next change. `bytes` are the original bytes.
    ///
    /// # Errors
    /// Those of writing to `lines`.
    ///
    /// ```
    /// use placemat_text::repair::mend::{Mender, Mending};
    /// use std::io::Cursor;
    /// use placemat_text::repair::record::Record;
    ///
    /// let mut record = Record::new(("a.txt".into(), None), Cursor::new(Vec::new()));
    /// for change in Mender::new(Mending::default()).block(b"na\xC3\xAFve caf\xE9", true).1 {
    ///     record.change(&change, b"\xE9").unwrap();
    /// }
    /// assert_eq!(record.changes(), 1);
    /// ```
    pub fn change(&mut self, change: &Change, bytes: &[u8]) -> Result<(), Error> {
        self.changes += 1;
        write_line(&mut self.lines, &Line::change(change, bytes))
    }

    /// Adds the whole original and the whole new file, line by line.
    ///
    /// # Errors
    /// Those of reading, and of writing to `lines`.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use placemat_text::repair::record::Record;
    ///
    /// let mut record = Record::new(("a.txt".into(), None), Cursor::new(Vec::new()));
    /// record.converted(&mut &b"plain\ncaf\xE9\n"[..], &mut "plain\ncafé\n".as_bytes()).unwrap();
    /// assert_eq!(record.changes(), 1);
    /// ```
    pub fn converted(&mut self, before: &mut dyn BufRead, after: &mut dyn BufRead) -> Result<(), Error> {
        let (mut old, mut new) = (Vec::new(), Vec::new());
        let mut offset = 0;
        loop {
            line(before, &mut old)?;
            line(after, &mut new)?;
            if old.is_empty() && new.is_empty() {
                return Ok(());
            }
            self.before.add(&old);
            self.after.add(&new);
            if old != new {
                self.changes += 1;
                write_line(&mut self.lines, &converted(offset, &old, &new))?;
            }
            offset += old.len() as u64;
        }
    }

    /// The number of changes so far.
    ///
    /// ```
    /// use placemat_text::repair::mend::{Mender, Mending};
    /// use std::io::Cursor;
    /// use placemat_text::repair::record::Record;
    ///
    /// let mut record = Record::new(("a.txt".into(), None), Cursor::new(Vec::new()));
    /// for change in Mender::new(Mending::default()).block(b"na\xC3\xAFve caf\xE9", true).1 {
    ///     record.change(&change, b"\xE9").unwrap();
    /// }
    /// assert_eq!(record.changes(), 1);
    /// ```
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Returns the line of the file, and the writer with the lines of its changes, at its start.
    ///
    /// # Errors
    /// Those of seeking to the start.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use placemat_text::repair::mend::{Mender, Mending};
    /// use placemat_text::repair::record::Record;
    ///
    /// let mut record = Record::new(("a.txt".into(), None), Cursor::new(Vec::new()));
    /// for change in Mender::new(Mending::default()).block(b"na\xC3\xAFve caf\xE9", true).1 {
    ///     record.change(&change, b"\xE9").unwrap();
    /// }
    /// let (_, lines) = record.finish().unwrap();
    /// assert!(lines.into_inner().starts_with(br#"{"type":"change","offset":10,"bytes":"E9""#));
    /// ```
    pub fn finish(mut self) -> Result<(Line, L), Error> {
        self.lines.rewind()?;
        let (path, path_bytes) = self.path;
        let (before, after) = (self.before.finish(), self.after.finish());
        Ok((Line::File { path, path_bytes, before, after, changes: self.changes }, self.lines))
    }
}

/// Reads the next line with its line end, or the next part of a long line; nothing at the end.
fn line(reader: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<()> {
    line.clear();
    reader.take(LONGEST).read_until(b'\n', line)?;
    Ok(())
}

/// The line of a change made by a conversion.
fn converted(offset: u64, old: &[u8], new: &[u8]) -> Line {
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

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
