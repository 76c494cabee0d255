//! Fields mended, and the bytes between them as they were.

use std::io::Read;

use super::scan::Scan;
use super::{Cell, Structure};
use crate::error::Error;
use crate::repair::mend::{Change, Mender, Mending, Reading};

/// Some of an input, and what is to be changed in it.
#[derive(Debug)]
pub struct Mended<'a> {
    /// The bytes as they are.
    pub text: &'a [u8],
    /// Where they start in the input.
    pub offset: u64,
    /// The changes, by their places in the input.
    pub changes: Vec<Change>,
}

/// Mends the fields of an input, block by block.
pub struct FieldMender<R> {
    scan: Scan<R>,
    mender: Mender,
    /// How much of the scan's bytes was handed out.
    ready: usize,
    /// Changes behind those.
    ahead: Vec<Change>,
}

impl<R: Read> FieldMender<R> {
    /// Mend what `reader` reads; runs that are no UTF-8 are read as `reading` says.
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
        let (scan, mender) = (Scan::new(structure, reader), Mender::reading(mending, reading));
        FieldMender { scan, mender, ready: 0, ahead: Vec::new() }
    }

    /// The next bytes of the input, and the changes to them; none at its end. They are about two of [`super::LONGEST_FIELD`] at most.
    /// Linear.
    ///
    /// # Errors
    /// Those of reading, and a misfit.
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
        let (mender, ahead) = (&mut self.mender, &mut self.ahead);
        let ready = self.scan.advance(&mut |lines, grammar, buffer, field| {
            let changes = changes(mender, field.says(buffer));
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
        let Some(ready) = ready else { return Ok(None) };
        self.ready = ready;
        let end = offset + ready as u64;
        let behind = self.ahead.partition_point(|change| change.range.end <= end);
        let rest = self.ahead.split_off(behind);
        let changes = std::mem::replace(&mut self.ahead, rest);
        Ok(Some(Mended { text: self.scan.bytes(ready), offset, changes }))
    }
}

/// The changes to what a field says. Something stands behind it: a byte at its end that begins a character is a letter of another encoding,
/// and not cut off, as at the end of a file.
fn changes(mender: &mut Mender, says: &[u8]) -> Vec<Change> {
    match says {
        [.., 0xC0..=0xFF] => mender.text(&[says, b"\n"].concat()),
        _ => mender.text(says),
    }
}
