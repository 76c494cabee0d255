//! A report of repairs and conversions. It has every change with its original bytes, so that they can be restored.
//!
//! A report is lines of JSON. It starts with a line of type `report`. Each changed file has a line of type `file`, which says how
//! many lines of type `change` follow, sorted by offset. A line of type `summary` ends the report.

mod hashing;
mod line;

use std::io::{self, BufRead, Read as _, Seek, Write};

pub use self::hashing::{Hashing, State};
pub use self::line::{Line, VERSION};
use super::mend::Change;
use crate::Error;
use crate::notation::write_line;

/// The length in bytes above which a line is recorded in parts.
const LONGEST: u64 = 64 << 10;

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
            read_line(before, &mut old)?;
            read_line(after, &mut new)?;
            if old.is_empty() && new.is_empty() {
                return Ok(());
            }
            self.before.add(&old);
            self.after.add(&new);
            if old != new {
                self.changes += 1;
                write_line(&mut self.lines, &line::converted(offset, &old, &new))?;
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
fn read_line(reader: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<()> {
    line.clear();
    reader.take(LONGEST).read_until(b'\n', line)?;
    Ok(())
}
