//! Repairs and converts UTF-8 columns: the well-formed bytes between two errors, often many rows, are copied or converted in one
//! call.
#![forbid(unsafe_code)]

use core::ops::Range;
use std::sync::Arc;

use arrow_array::{ArrayRef, GenericBinaryArray, OffsetSizeTrait};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use placemat::{Form, Policy, Transcoder};

use crate::rewrite::offset;
use crate::rows::Contiguous;
use crate::scan::{Fault, Faults};
use crate::sink::Sink;
use crate::stand_in::{StandIns, replaces};
use crate::{Error, joined};

/// Returns the column with its errors replaced as `policy` says, or `None` if there are none, not even in null rows.
///
/// In one pass: bytes are copied right after their check, while they are in the cache.
pub(crate) fn mended<O: OffsetSizeTrait>(
    rows: &impl Contiguous,
    policy: Policy,
    nulls: Option<NullBuffer>,
) -> Result<Option<ArrayRef>, Error> {
    let mut faults = Faults::of(rows);
    let Some(first) = faults.next() else { return Ok(None) };
    mend::<O, _>(rows, (Form::Utf8, policy), nulls, faults, Some(first)).map(Some)
}

/// Like [`mended`], but converts to `to`, one of the forms of [`is_wide`]. Never returns `None`.
pub(crate) fn widened<O: OffsetSizeTrait>(
    rows: &impl Contiguous,
    (to, policy): (Form, Policy),
    nulls: Option<NullBuffer>,
) -> Result<Option<ArrayRef>, Error> {
    let mut faults = Faults::of(rows);
    let first = faults.next();
    mend::<O, _>(rows, (to, policy), nulls, faults, first).map(Some)
}

/// Whether [`widened`] can convert to a form: it has every character, and its texts can be joined by concatenation.
pub(crate) fn is_wide(to: Form) -> bool {
    matches!(to, Form::Utf16Le | Form::Utf16Be | Form::Utf32Le | Form::Utf32Be)
}

fn mend<O: OffsetSizeTrait, C: Contiguous>(
    rows: &C,
    (to, policy): (Form, Policy),
    nulls: Option<NullBuffer>,
    mut faults: Faults<'_, C>,
    mut next: Option<Fault>,
) -> Result<ArrayRef, Error> {
    let bytes = rows.start(rows.len()) - rows.start(0);
    let mut mending = Mending::<O, _> {
        rows,
        nulls,
        to,
        transcoder: Transcoder::new(Form::Utf8, to).on_error(policy),
        // Most repairs add little, and pages that are not written to cost nothing.
        sink: Sink::with_capacity(if to == Form::Utf8 { bytes + bytes / 16 } else { 0 }),
        stand_ins: StandIns::of(policy),
        offsets: Vec::with_capacity(rows.len() + 1),
        errors: 0,
        done: rows.start(0),
        joined: Vec::new(),
        mended: Vec::new(),
    };
    let is_ahead = to == Form::Utf8 && replaces(policy);
    let mut before = None;
    while let Some(fault) = next {
        if let Some(at) = mending.mend(&fault)? {
            faults.resume(at);
        } else if is_ahead && before.is_some_and(|before| before + 1 == fault.row) {
            // Two ill-formed rows in succession: there may be more.
            let end = mending.mend_ahead(faults.ahead())?;
            faults.skip_to(end);
        }
        before = Some(fault.row);
        next = faults.next();
    }
    mending.come_to(rows.len())?;
    let offsets = OffsetBuffer::new(ScalarBuffer::from(mending.offsets));
    Ok(Arc::new(GenericBinaryArray::new(offsets, mending.sink.take(), mending.nulls)))
}

/// The size of a code unit in bytes: 1, 2 or 4.
fn width(form: Form) -> usize {
    match form {
        Form::Utf8 => 1,
        Form::Utf16Le | Form::Utf16Be => 2,
        _ => 4,
    }
}

/// How many code units (of 2 or 4 bytes) well-formed UTF-8 becomes: one for each sequence, but in UTF-16 two for a sequence of four
/// bytes.
fn units(width: usize, text: &[u8]) -> usize {
    let sequences = text.iter().filter(|&byte| byte & 0xC0 != 0x80).count();
    let pairs = if width == 2 { text.iter().filter(|&&byte| byte >= 0xF0).count() } else { 0 };
    sequences + pairs
}

struct Mending<'a, O, C> {
    rows: &'a C,
    nulls: Option<NullBuffer>,
    to: Form,
    transcoder: Transcoder<Policy>,
    sink: Sink,
    stand_ins: StandIns,
    /// The start of each row so far, and the number of errors in the last row.
    offsets: Vec<O>,
    errors: usize,
    /// The bytes of the values before this place are written.
    done: usize,
    /// Rows joined into one text, and the same text repaired.
    joined: Vec<u8>,
    mended: Vec<u8>,
}

/// A row of up to this many bytes is repaired to its end once it has an error: to start the kernels again takes longer.
const SHORT: usize = 512;

/// After this many well-formed rows in succession, searching ahead for errors pays again.
const CLEAN: u32 = 3;

/// How many bytes of rows are repaired as one text: few at first, since it is not known how many rows are ill-formed.
const FIRST: usize = 512;
const MOST: usize = 4 << 10;
/// Rows are repaired as one text if they have at most this many bytes on average.
const BRIEF: usize = 128;

/// A row with more errors than this is given to the transcoder, which does not restart after each error.
const FEW: usize = 4;

impl<O: OffsetSizeTrait, C: Contiguous> Mending<'_, O, C> {
    /// Writes the bytes before the error, and the replacement of the error or of the rest of its row. Returns where the search in
    /// this row continues, if it does.
    fn mend(&mut self, fault: &Fault) -> Result<Option<usize>, Error> {
        let (start, end) = (self.rows.start(fault.row), self.rows.start(fault.row + 1));
        if self.offsets.len() <= fault.row {
            self.come_to(fault.row)?;
        }
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(fault.row)) {
            self.done = end;
            return Ok(None);
        }
        self.write(fault.at);
        let rest = &self.rows.values()[fault.at..end];
        let length = usize::from(fault.error.length());
        let is_utf8 = self.to == Form::Utf8;
        if is_utf8 && end - start <= SHORT && self.stand_ins.write(rest, length, &mut self.sink) {
            self.done = end;
            return Ok(None);
        }
        self.errors += 1;
        if is_utf8 && self.errors <= FEW && self.stand_ins.stand_in(&rest[..length], &mut self.sink) {
            self.done = fault.at + length;
        } else {
            self.sink.transcode(&mut self.transcoder, rest).map_err(|error| {
                let before = (fault.at - start) as u64;
                let error = placemat::Error::new(error.kind(), before + error.offset(), error.length());
                Error::Row { row: fault.row, error }
            })?;
            self.done = end;
        }
        Ok((self.done < end).then_some(self.done))
    }

    /// Writes short rows without searching for errors ahead, until [`CLEAN`] rows in succession seem to be well-formed. Returns the
    /// first row that is not written.
    fn mend_ahead(&mut self, rows: Range<usize>) -> Result<usize, Error> {
        let (mut next, mut clean, mut most) = (rows.start, 0, FIRST);
        while next < rows.end && clean < CLEAN {
            let start = self.rows.start(next);
            let fits = |row: &usize| {
                let (from, to) = (self.rows.start(*row), self.rows.start(row + 1));
                to - from <= SHORT && to - start <= most
            };
            let end = (next..rows.end).find(|row| !fits(row)).unwrap_or(rows.end);
            if end == next {
                break;
            }
            clean = self.mend_rows(next..end, clean)?;
            (next, most) = (end, (4 * most).min(MOST));
        }
        Ok(next)
    }

    /// Writes rows. Brief ones are joined into one text, each followed by a byte that none of them has: a call for a brief row takes
    /// longer than its work. Returns how many of the last rows seem to be well-formed, including the `clean` ones before these rows.
    fn mend_rows(&mut self, rows: Range<usize>, mut clean: u32) -> Result<u32, Error> {
        let values = &self.rows.values()[self.rows.start(rows.start)..self.rows.start(rows.end)];
        self.sink.reserve(3 * values.len());
        let stop = joined::stop(values).filter(|_| values.len() <= BRIEF * rows.len());
        self.joined.clear();
        for row in rows.clone() {
            let is_null = self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
            let text = if is_null { &[] } else { self.rows.row(row) };
            match stop {
                Some(stop) => {
                    self.joined.extend_from_slice(text);
                    self.joined.push(stop);
                }
                None => {
                    self.offsets.push(offset(self.sink.len())?);
                    clean = if self.sink.repair(text) == 0 { clean + 1 } else { 0 };
                }
            }
        }
        self.done = self.rows.start(rows.end);
        let Some(stop) = stop else { return Ok(clean) };
        self.mended.clear();
        placemat::repair_into(&self.joined, &mut self.mended);
        let mut rest = &*self.mended;
        for row in rows {
            let (text, behind) = rest.split_at(joined::until(stop, rest));
            self.offsets.push(offset(self.sink.len())?);
            self.sink.extend(text);
            clean = if text.len() == self.rows.row(row).len() { clean + 1 } else { 0 };
            rest = &behind[1..];
        }
        Ok(clean)
    }

    /// Writes the values up to this place, which are well-formed.
    fn write(&mut self, to: usize) {
        let stretch = &self.rows.values()[self.done..to];
        match self.to {
            Form::Utf8 => self.sink.extend(stretch),
            to => self.sink.convert(to, stretch),
        }
        self.done = to;
    }

    /// Writes all rows before this one, and stores the starts of these and of this one.
    fn come_to(&mut self, row: usize) -> Result<(), Error> {
        let (from, base) = (self.done, self.sink.len());
        self.write(self.rows.start(row));
        offset::<O>(self.sink.len())?;
        let starts = self.rows.starts(self.offsets.len()..row);
        let unit = width(self.to);
        if self.sink.len() - base == unit * (self.done - from) {
            // Each byte stays (UTF-8 to itself), or becomes one unit (ASCII).
            self.offsets.extend(starts.map(|start| O::usize_as(unit * (start - from) + base)));
        } else {
            let (mut last, mut at) = (from, base);
            let ends = starts.map(|start| {
                at += unit * units(unit, &self.rows.values()[last..start]);
                last = start;
                O::usize_as(at)
            });
            self.offsets.extend(ends);
        }
        self.offsets.push(O::usize_as(self.sink.len()));
        self.errors = 0;
        Ok(())
    }
}
