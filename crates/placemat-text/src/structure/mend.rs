//! Repairs the fields of an input, and keeps the bytes between them.

use std::io::Read;

use super::keys::{CLASH, Keys};
use super::scan::Scan;
use super::{Cell, Misfit, Structure};
use crate::error::Error;
use crate::repair::mend::{Change, Mender, Mending, Reading};

/// A part of an input, and the changes to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mended<'a> {
    /// The bytes of the input.
    pub text: &'a [u8],
    /// The offset of the bytes in the input.
    pub offset: u64,
    /// The changes, with offsets in the input.
    pub changes: Vec<Change>,
}

/// Repairs the fields of an input, block by block.
pub struct FieldMender<R> {
    scan: Scan<R>,
    mender: Mender,
    /// The number of the scan's bytes that were returned.
    ready: usize,
    /// Changes after those bytes.
    ahead: Vec<Change>,
    keys: Keys,
}

impl<R: Read> FieldMender<R> {
    /// Repairs what `reader` reads. Bytes that are not UTF-8 are read as `reading` says.
    ///
    /// ```
    /// use placemat_text::repair::mend::{Mending, Reading};
    /// use placemat_text::structure::{FieldMender, Structure};
    ///
    /// let mending = Mending { mojibake: true, ..Mending::default() };
    /// let json = br#"{"name": "caf\u00c3\u00a9"}"#;
    /// let mut mender = FieldMender::new(Structure::JsonLines, &json[..], mending, Reading::default());
    /// let mended = mender.block().unwrap().unwrap();
    /// let change = &mended.changes[0];
    /// assert_eq!((mended.text, change.range.clone(), &*change.text), (&json[..], 13..25, r"\u00e9"));
    /// ```
    pub fn new(structure: Structure, reader: R, mending: Mending, reading: Reading) -> FieldMender<R> {
        let mut scan = Scan::new(structure, reader);
        if let Some(second) = reading.second() {
            scan.reads(second);
        }
        let (mender, keys) = (Mender::reading(mending, reading), Keys::new(&mending));
        FieldMender { scan, mender, ready: 0, ahead: Vec::new(), keys }
    }

    /// Returns the next bytes of the input with their changes, at most about two [`super::LONGEST_FIELD`]; `None` at the end. Linear.
    ///
    /// # Errors
    /// Those of reading, and [`Error::Misfit`].
    ///
    /// ```
    /// use placemat_text::repair::mend::{Mending, Reading};
    /// use placemat_text::structure::{FieldMender, Structure};
    ///
    /// let mut mender = FieldMender::new(Structure::Csv(b','), &b"a,\"b"[..], Mending::default(), Reading::default());
    /// assert_eq!(mender.block().unwrap_err().to_string(), "line 1: a field in quotes does not end");
    /// ```
    pub fn block(&mut self) -> Result<Option<Mended<'_>>, Error> {
        self.scan.settle(self.ready);
        self.ready = 0;
        let offset = self.scan.offset;
        let (mender, ahead, keys) = (&mut self.mender, &mut self.ahead, &mut self.keys);
        let mut clash = None;
        let ready = self.scan.advance(&mut |lines, grammar, buffer, field| {
            let says = field.says(buffer);
            let changes = changes(mender, says);
            if let Some(key) = grammar.key()
                && keys.clash(key, says, &changes)
            {
                clash.get_or_insert_with(|| lines.line(buffer, field.range.start));
            }
            if !changes.is_empty() {
                let cell = grammar.cell().map(|cell| match cell.row {
                    0 => Cell { row: lines.line(buffer, field.range.start), ..cell },
                    _ => cell,
                });
                let changes = field.changes(changes, cell, grammar, buffer);
                ahead.extend(changes.into_iter().map(|change| Change {
                    range: offset + change.range.start..offset + change.range.end,
                    ..change
                }));
            }
        })?;
        if let Some(line) = clash {
            return Err(Misfit { line, what: CLASH, is_half: false }.into());
        }
        let Some(ready) = ready else { return Ok(None) };
        self.ready = ready;
        if offset == 0 {
            let marks = &self.scan.bytes(ready)[..self.scan.marks];
            self.ahead.splice(..0, self.mender.marks(marks));
        }
        let end = offset + ready as u64;
        let behind = self.ahead.partition_point(|change| change.range.end <= end);
        let rest = self.ahead.split_off(behind);
        let changes = std::mem::replace(&mut self.ahead, rest);
        Ok(Some(Mended { text: self.scan.bytes(ready), offset, changes }))
    }
}

/// Returns the changes to the text of a field. More input follows a field, so a lead byte at its end is a letter in another
/// encoding, not a sequence that was cut off as at the end of a file.
fn changes(mender: &mut Mender, says: &[u8]) -> Vec<Change> {
    match says {
        [.., 0xC0..=0xFF] => mender.text(&[says, b"\n"].concat()),
        _ => mender.text(says),
    }
}
