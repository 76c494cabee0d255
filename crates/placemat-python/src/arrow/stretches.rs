//! Undoes mojibake in a column whose rows are contiguous in memory. Many rows are searched as one text, and those between two changed
//! rows are copied together.

use core::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, GenericBinaryArray, OffsetSizeTrait};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use placemat_arrow::Error;
use placemat_detect::mojibake::{Rows, first_suspect};

use crate::arrow::capsule::as_bytes;
use crate::arrow::met::Met;

/// The most bytes of rows that are validated and searched as one text, so that it stays in the first-level cache. A longer row is a
/// text by itself.
const STRETCH: usize = 8 << 10;
/// After this many changed rows in succession, the next row is tried without a search.
const RUN: usize = 2;

/// The column as bytes with mojibake undone; `None` if nothing changes. `O` is the type of its offsets.
pub(super) fn undo<O: OffsetSizeTrait>(array: &dyn Array) -> Result<Option<ArrayRef>, Error> {
    let bytes = as_bytes(array);
    let column = bytes.as_binary::<O>();
    let source =
        Source { values: column.value_data(), offsets: column.value_offsets(), nulls: column.nulls() };
    let made = Made { source, bytes: Vec::new(), starts: Vec::new() };
    let mut undoing = Undoing { source, rows: Rows::new(), met: None, made };
    let mut row = 0;
    while row < column.len() {
        let end = source.stretch_end(row);
        undoing.stretch(row, end)?;
        row = end;
    }
    undoing.made.finish()
}

/// The column that is read.
#[derive(Clone, Copy)]
struct Source<'a, O> {
    values: &'a [u8],
    offsets: &'a [O],
    nulls: Option<&'a NullBuffer>,
}

impl<'a, O: OffsetSizeTrait> Source<'a, O> {
    fn start(&self, row: usize) -> usize {
        self.offsets[row].as_usize()
    }

    /// The bytes of a row; `None` if it is null.
    fn row(&self, row: usize) -> Option<&'a [u8]> {
        let is_null = self.nulls.is_some_and(|nulls| nulls.is_null(row));
        (!is_null).then(|| &self.values[self.start(row)..self.start(row + 1)])
    }

    /// The end of the rows from `row` on, at least one, that are searched as one text.
    fn stretch_end(&self, row: usize) -> usize {
        let most = self.start(row) + STRETCH;
        let rest = &self.offsets[row + 1..];
        let near = &rest[..rest.len().min(STRETCH)];
        row + near.partition_point(|end| end.as_usize() <= most).max(1)
    }

    /// The row from `row` on and before `end` that holds the byte `at`: mostly one of the first.
    fn holder(&self, row: usize, end: usize, at: usize) -> usize {
        let mut step = 1;
        while row + step < end && self.start(row + step) <= at {
            step *= 2;
        }
        let (from, to) = (row + step / 2, end.min(row + step));
        from + self.offsets[from + 1..to.max(from + 1)].partition_point(|start| start.as_usize() <= at)
    }
}

struct Undoing<'a, O> {
    source: Source<'a, O>,
    rows: Rows,
    /// Rows in which mojibake was suspected.
    met: Option<Met>,
    made: Made<'a, O>,
}

impl<O: OffsetSizeTrait> Undoing<'_, O> {
    /// Undoes mojibake in rows, searched as one text: a suspect in a row is also a suspect in that text.
    fn stretch(&mut self, mut row: usize, end: usize) -> Result<(), Error> {
        let source = self.source;
        let from = source.start(row);
        let Ok(text) = placemat::validate(&source.values[from..source.start(end)]) else {
            return self.one_by_one(row, end);
        };
        let mut run = 0;
        while row < end {
            // A row that begins or ends within a character is not UTF-8, and stays as it is.
            if run < RUN
                && let Some(rest) = text.get(source.start(row) - from..)
            {
                let Some(found) = first_suspect(rest) else { break };
                let holder = source.holder(row, end, source.start(row) + found);
                run = if holder == row { run } else { 0 };
                row = holder;
            }
            let place = source.start(row) - from..source.start(row + 1) - from;
            let is_changed = text.get(place).map(|text| self.undo(row, text)).transpose()?;
            run = if is_changed == Some(true) { run + 1 } else { 0 };
            row += 1;
        }
        Ok(())
    }

    /// Like [`Self::stretch`], for rows that are not UTF-8 when taken together.
    fn one_by_one(&mut self, row: usize, end: usize) -> Result<(), Error> {
        for row in row..end {
            if let Some(bytes) = self.source.row(row)
                && !bytes.is_ascii()
                && let Ok(text) = placemat::validate(bytes)
                && first_suspect(text).is_some()
            {
                self.undo(row, text)?;
            }
        }
        Ok(())
    }

    /// Undoes mojibake in a row and writes the row if that changes it. Of an equal row that was written before, the result is
    /// copied. Returns whether the row was written.
    fn undo(&mut self, row: usize, text: &str) -> Result<bool, Error> {
        let Some(bytes) = self.source.row(row) else { return Ok(false) };
        let met = self.met.get_or_insert_with(|| Met::new(self.source.offsets.len()));
        if let Some(before) = met.before(row, bytes, |row| self.source.row(row)) {
            let written = self.made.written(before);
            return written.map_or(Ok(false), |range| self.made.again(row, range).map(|()| true));
        }
        match self.rows.undo(text) {
            Some(undone) => self.made.push(row, undone.as_bytes()).map(|()| true),
            None => Ok(false),
        }
    }
}

/// The column that is written.
struct Made<'a, O> {
    source: Source<'a, O>,
    /// The rows up to the last that changed, and the start of each. Both are empty if none did.
    bytes: Vec<u8>,
    starts: Vec<O>,
}

impl<O: OffsetSizeTrait> Made<'_, O> {
    /// Writes a row, after those before it as they are.
    fn push(&mut self, row: usize, text: &[u8]) -> Result<(), Error> {
        self.come_to(row)?;
        self.bytes.extend_from_slice(text);
        Ok(())
    }

    /// Like [`Self::push`], with the bytes of a row that is written already.
    fn again(&mut self, row: usize, written: Range<usize>) -> Result<(), Error> {
        self.come_to(row)?;
        self.bytes.extend_from_within(written);
        Ok(())
    }

    /// The place of a row in `bytes`, if it is written.
    fn written(&self, row: usize) -> Option<Range<usize>> {
        let start = self.starts.get(row)?.as_usize();
        Some(start..self.starts.get(row + 1).map_or(self.bytes.len(), |end| end.as_usize()))
    }

    /// Writes the rows before this one as they are, and the start of this one.
    fn come_to(&mut self, row: usize) -> Result<(), Error> {
        let Source { values, offsets, .. } = self.source;
        let next = self.starts.len();
        if next == 0 {
            self.bytes.reserve(self.source.start(offsets.len() - 1) - self.source.start(0));
            self.starts.reserve(offsets.len());
        }
        let (base, from) = (self.bytes.len(), self.source.start(next));
        self.bytes.extend_from_slice(&values[from..self.source.start(row)]);
        O::from_usize(self.bytes.len()).ok_or(Error::TooLong)?;
        let starts = offsets[next..=row].iter();
        self.starts.extend(starts.map(|start| O::usize_as(start.as_usize() - from + base)));
        Ok(())
    }

    fn finish(mut self) -> Result<Option<ArrayRef>, Error> {
        if self.starts.is_empty() {
            return Ok(None);
        }
        self.come_to(self.source.offsets.len() - 1)?;
        let starts = OffsetBuffer::new(ScalarBuffer::from(self.starts));
        let nulls = self.source.nulls.cloned();
        Ok(Some(Arc::new(GenericBinaryArray::new(starts, self.bytes.into(), nulls))))
    }
}
