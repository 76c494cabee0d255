//! Rewrites some rows of a column and keeps the others.
#![forbid(unsafe_code)]

use std::sync::Arc;

use arrow_array::builder::make_view;
use arrow_array::{ArrayRef, BinaryViewArray, GenericBinaryArray, OffsetSizeTrait};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use placemat::Transcoder;

use crate::Error;
use crate::rows::{Contiguous, Fixed, INLINE, Views};
use crate::sink::Sink;

/// The rows to rewrite, and the transcoder that does it.
pub(crate) struct Rewrite<'a> {
    /// Their indices, ascending, each once.
    pub(crate) touched: &'a [usize],
    pub(crate) transcoder: Transcoder,
    /// Whether only U+FFFD is written for errors of UTF-8, which needs no transcoder.
    pub(crate) replaces: bool,
    pub(crate) nulls: Option<NullBuffer>,
}

impl Rewrite<'_> {
    /// Writes one row, and returns whether it may differ. A null row becomes empty, whatever bytes it has.
    fn write(&mut self, row: usize, bytes: &[u8], sink: &mut Sink) -> Result<bool, Error> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return Ok(true);
        }
        if self.replaces {
            return Ok(sink.repair(bytes) > 0);
        }
        sink.transcode(&mut self.transcoder, bytes).map_err(|error| Error::Row { row, error })?;
        Ok(true)
    }

    /// Rewrites rows of a layout with offsets. The bytes between two rewritten rows are copied in one piece.
    pub(crate) fn contiguous<O: OffsetSizeTrait>(
        mut self,
        rows: &impl Contiguous,
    ) -> Result<ArrayRef, Error> {
        let len = rows.len();
        let bytes = rows.start(len) - rows.start(0);
        // Room for what most repairs add; memory that is never written costs nothing.
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
        Ok(Arc::new(GenericBinaryArray::new(offsets, sink.take(), self.nulls)))
    }

    /// Rewrites rows of a layout with views: new bytes go to new buffers, the other views stay.
    pub(crate) fn views(mut self, rows: &Views<'_>) -> Result<ArrayRef, Error> {
        let mut views = rows.views.to_vec();
        let mut buffers = rows.buffers.to_vec();
        let bytes: usize = self.touched.iter().map(|&row| rows.row(row).len()).sum();
        let mut sink = Sink::with_capacity((bytes + bytes / 16).min(FULL));
        for &row in self.touched {
            if sink.len() > FULL {
                buffers.push(sink.take());
            }
            let start = sink.len();
            if !self.write(row, rows.row(row), &mut sink)? {
                sink.truncate(start);
                continue;
            }
            let written = sink.written(start);
            offset::<i32>(written.len())?;
            // Both fit: `start` is at most `FULL`, and memory ends before there are 2³¹ buffers.
            views[row] = make_view(written, buffers.len() as u32, start as u32);
            if written.len() <= INLINE {
                sink.truncate(start);
            }
        }
        if sink.len() > 0 {
            buffers.push(sink.take());
        }
        Ok(Arc::new(BinaryViewArray::new(ScalarBuffer::from(views), buffers, self.nulls)))
    }
}

/// A buffer of views that is longer than this is complete, and the next one begins.
const FULL: usize = 1 << 30;

/// Converts a number of bytes to an offset; an error if its type cannot hold it.
pub(crate) fn offset<O: OffsetSizeTrait>(at: usize) -> Result<O, Error> {
    O::from_usize(at).ok_or(Error::TooLong)
}

/// Rows of fixed size as rows with offsets, without a copy of the bytes.
pub(crate) fn spans(rows: &Fixed<'_>, nulls: Option<NullBuffer>) -> Result<ArrayRef, Error> {
    offset::<i32>(rows.start(rows.len))?;
    let offsets: Vec<i32> = (0..=rows.len).map(|row| rows.start(row) as i32).collect();
    let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
    Ok(Arc::new(GenericBinaryArray::new(offsets, rows.values.clone(), nulls)))
}
