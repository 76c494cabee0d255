//! Columns in which some rows are written anew, and the others stay.
#![forbid(unsafe_code)]

use std::sync::Arc;

use arrow_array::builder::make_view;
use arrow_array::{ArrayRef, BinaryViewArray, GenericBinaryArray, OffsetSizeTrait};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use placemat::Transcoder;

use crate::Error;
use crate::rows::{Contiguous, Fixed, INLINE, Views};
use crate::sink::Sink;

/// Rows that are written anew: which, and by what.
pub(crate) struct Rewrite<'a> {
    /// In order, each once.
    pub(crate) touched: &'a [usize],
    pub(crate) transcoder: Transcoder,
    pub(crate) nulls: Option<NullBuffer>,
}

impl Rewrite<'_> {
    /// Writes one row; nothing for a null one, whatever bytes it has.
    fn write(&mut self, row: usize, bytes: &[u8], sink: &mut Sink) -> Result<(), Error> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return Ok(());
        }
        sink.transcode(&mut self.transcoder, bytes).map_err(|error| Error::Row { row, error })
    }

    /// Rows one behind another. What lies between touched rows is copied as a whole.
    pub(crate) fn contiguous<O: OffsetSizeTrait>(
        mut self,
        rows: &impl Contiguous,
    ) -> Result<ArrayRef, Error> {
        let len = rows.len();
        let bytes = rows.start(len) - rows.start(0);
        // Most repairs add little, and pages that are not written to cost nothing.
        let mut sink = Sink::with_capacity(bytes + bytes / 16);
        let mut offsets = Vec::with_capacity(len + 1);
        let mut next = 0;
        for touched in self.touched.iter().copied().chain([len]) {
            let (from, to) = (rows.start(next), rows.start(touched));
            let base = sink.len();
            sink.extend(&rows.values()[from..to]);
            offset::<O>(sink.len())?;
            offsets.extend((next..touched).map(|row| O::usize_as(rows.start(row) - from + base)));
            offsets.push(offset(sink.len())?);
            if touched < len {
                self.write(touched, rows.row(touched), &mut sink)?;
            }
            next = touched + 1;
        }
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        Ok(Arc::new(GenericBinaryArray::new(offsets, Buffer::from_vec(sink.take()), self.nulls)))
    }

    /// Rows in views: new ones go to buffers of their own, the others stay where they are.
    pub(crate) fn views(mut self, rows: &Views<'_>) -> Result<ArrayRef, Error> {
        let mut views = rows.views.to_vec();
        let mut buffers = rows.buffers.to_vec();
        let mut sink = Sink::with_capacity(0);
        for &row in self.touched {
            if sink.len() > FULL {
                buffers.push(Buffer::from_vec(sink.take()));
            }
            let start = sink.len();
            self.write(row, rows.row(row), &mut sink)?;
            let written = sink.written(start);
            offset::<i32>(written.len())?;
            // Both far below the limits: `start` by `FULL`, and so many buffers would fill the memory.
            views[row] = make_view(written, buffers.len() as u32, start as u32);
            if written.len() <= INLINE {
                sink.truncate(start);
            }
        }
        if sink.len() > 0 {
            buffers.push(Buffer::from_vec(sink.take()));
        }
        Ok(Arc::new(BinaryViewArray::new(ScalarBuffer::from(views), buffers, self.nulls)))
    }
}

/// A buffer of views that is longer is not written to any more.
const FULL: usize = 1 << 30;

/// An offset in bytes, if its type can count so far.
pub(crate) fn offset<O: OffsetSizeTrait>(at: usize) -> Result<O, Error> {
    O::from_usize(at).ok_or(Error::TooLong)
}

/// Rows of fixed size as rows with offsets, in the same buffer.
pub(crate) fn spans(rows: &Fixed<'_>, nulls: Option<NullBuffer>) -> Result<ArrayRef, Error> {
    offset::<i32>(rows.start(rows.len))?;
    let offsets: Vec<i32> = (0..=rows.len).map(|row| rows.start(row) as i32).collect();
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    Ok(Arc::new(GenericBinaryArray::new(offsets, rows.values.clone(), nulls)))
}
