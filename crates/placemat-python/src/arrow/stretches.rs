//! Mojibake undone in rows that stand one behind the other in memory: looked at many at a time, and written as stretches between those
//! that change.

use core::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, GenericBinaryArray, OffsetSizeTrait};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use placemat_arrow::Error;
use placemat_detect::mojibake::{Rows, first_suspect};

use crate::arrow::capsule::as_bytes;
use crate::arrow::met::Met;

/// Bytes of rows that are validated and looked at as one text: it stays in the first-level cache. A longer row is one alone.
const STRETCH: usize = 8 << 10;
/// After so many rows that changed, one behind the other, the next is not looked for.
const RUN: usize = 2;

/// The column as bytes with mojibake undone; `None` if nothing is to be changed. `O`: the type of its offsets.
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

    /// The bytes of a row that is not null.
    fn row(&self, row: usize) -> Option<&'a [u8]> {
        let is_null = self.nulls.is_some_and(|nulls| nulls.is_null(row));
        (!is_null).then(|| &self.values[self.start(row)..self.start(row + 1)])
    }

    /// The end of the rows from `row` on, one at least, that are looked at as one text.
    fn stretch_end(&self, row: usize) -> usize {
        let most = self.start(row) + STRETCH;
        let rest = &self.offsets[row + 1..];
        let near = &rest[..rest.len().min(STRETCH)];
        row + near.partition_point(|end| end.as_usize() <= most).max(1)
    }

    /// The row that holds a byte, one of those from `row` on and before `end`: mostly one of the next.
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
    /// Rows that were not clean.
    met: Option<Met>,
    made: Made<'a, O>,
}

impl<O: OffsetSizeTrait> Undoing<'_, O> {
    /// Looks at rows as one text. What may change in a row may change in that, too.
    fn stretch(&mut self, mut row: usize, end: usize) -> Result<(), Error> {
        let source = self.source;
        let from = source.start(row);
        let Ok(text) = placemat::validate(&source.values[from..source.start(end)]) else {
            return self.one_by_one(row, end);
        };
        let mut run = 0;
        while row < end {
            // A row that begins or ends within a character is no UTF-8, and stays as it is.
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

    /// The same for rows of which one at least is no UTF-8, or seems to be none.
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

    /// Undoes mojibake in a row, and writes it if it changes, or if it is as one that was written. Whether it was.
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
    /// The rows up to the last that changed, and where each starts; nothing if none did.
    bytes: Vec<u8>,
    starts: Vec<O>,
}

impl<O: OffsetSizeTrait> Made<'_, O> {
    /// Writes a row, and those before it as they are.
    fn push(&mut self, row: usize, text: &[u8]) -> Result<(), Error> {
        self.come_to(row)?;
        self.bytes.extend_from_slice(text);
        Ok(())
    }

    /// The same with the bytes of a row that was written.
    fn again(&mut self, row: usize, written: Range<usize>) -> Result<(), Error> {
        self.come_to(row)?;
        self.bytes.extend_from_within(written);
        Ok(())
    }

    /// Where a row is written, if it is.
    fn written(&self, row: usize) -> Option<Range<usize>> {
        let start = self.starts.get(row)?.as_usize();
        Some(start..self.starts.get(row + 1).map_or(self.bytes.len(), |end| end.as_usize()))
    }

    /// Writes the rows before this one as they are, and where this one starts.
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
