//! Finds the rows of a column of views that have errors: rows that follow one another in a buffer are scanned together.
#![forbid(unsafe_code)]

use core::ops::Range;

use arrow_buffer::Buffer;

use super::{BLOCK, Faults};
use crate::rows::{Contiguous, Views};

/// The bits of a view that are set if the row is stored in the view and is not ASCII.
const NOT_ASCII: u128 = 0x8080_8080_8080_8080_8080_8080_0000_0000;

/// The bytes between two rows in a page of Parquet: the length of the second row.
const GAP: usize = 4;

impl Views<'_> {
    /// Whether rows and buffers are ASCII and no row points outside of them. Also `false` if most bytes of the buffers belong to no
    /// row.
    pub(super) fn is_ascii(&self) -> bool {
        let mut bytes = 0;
        let is_plain = |row: usize| match self.place(row) {
            (_, None) => self.views[row] & NOT_ASCII == 0,
            (len, Some((buffer, at))) => {
                bytes += len;
                self.buffers.get(buffer).is_some_and(|buffer| at + len <= buffer.len())
            }
        };
        (0..self.len()).all(is_plain)
            && bytes >= self.buffers.iter().map(Buffer::len).sum::<usize>() / 2
            && self.buffers.iter().all(|buffer| buffer.is_ascii())
    }

    /// The rows that are ill-formed, and some that follow two of them, ascending. If most rows are ill-formed, searching ahead for
    /// each takes longer than rewriting some that do not need it.
    pub(crate) fn suspects(&self) -> Vec<usize> {
        let mut found = Vec::new();
        self.not_utf8(GUESSED, &mut found);
        found
    }

    /// Finds ill-formed rows. After two of them in succession, the next `guessed` rows are taken to be ill-formed too.
    pub(super) fn not_utf8(&self, guessed: usize, found: &mut Vec<usize>) {
        if self.is_ascii() {
            return;
        }
        let mut run = Run { guessed, ..Run::default() };
        for row in 0..self.len() {
            let (len, place) = self.place(row);
            match place {
                None if self.views[row] & NOT_ASCII == 0 => {}
                Some((buffer, at)) if self.buffers.get(buffer).is_some_and(|b| at + len <= b.len()) => {
                    if !run.continues(self, buffer, at) {
                        run.check(self, found);
                        run.buffer = buffer;
                    }
                    run.rows.push((row, at));
                    run.end = at + len;
                }
                _ => {
                    if !placemat::is_valid(self.row(row)) {
                        found.push(row);
                    }
                }
            }
        }
        run.check(self, found);
        // Rows that are stored in their views were found before runs that began earlier.
        if !found.is_sorted() {
            found.sort_unstable();
        }
    }
}

/// How many rows are taken to be ill-formed after two that are.
const GUESSED: usize = 8;

/// Rows that follow one another in one buffer.
#[derive(Default)]
struct Run {
    guessed: usize,
    buffer: usize,
    /// The rows, and their starts.
    rows: Vec<(usize, usize)>,
    end: usize,
}

impl Run {
    /// Whether a row at this place continues the run. The bytes between may be ASCII, which cannot hide an error.
    #[inline]
    fn continues(&self, views: &Views<'_>, buffer: usize, at: usize) -> bool {
        buffer == self.buffer
            && (1..BLOCK).contains(&self.rows.len())
            && (at == self.end
                || at > self.end && at - self.end <= GAP && views.buffers[buffer][self.end..at].is_ascii())
    }

    /// Checks the rows of the run, and begins a new run.
    fn check(&mut self, views: &Views<'_>, found: &mut Vec<usize>) {
        if !self.rows.is_empty() {
            let rows = Near { run: self, values: &views.buffers[self.buffer] };
            let mut faults = Faults::of(&rows);
            let mut next = None;
            while let Some(fault) = faults.next() {
                let mut end = fault.row + 1;
                if next == Some(fault.row) {
                    let ahead = faults.ahead();
                    end = ahead.end.min(end + self.guessed);
                    faults.skip_to(end);
                }
                found.extend(self.rows[fault.row..end].iter().map(|row| row.0));
                next = Some(end);
            }
        }
        self.rows.clear();
    }
}

/// A run and the buffer that it is in.
struct Near<'a> {
    run: &'a Run,
    values: &'a [u8],
}

impl Contiguous for Near<'_> {
    fn values(&self) -> &[u8] {
        self.values
    }

    fn len(&self) -> usize {
        self.run.rows.len()
    }

    #[inline]
    fn start(&self, row: usize) -> usize {
        self.run.rows.get(row).map_or(self.run.end, |row| row.1)
    }

    fn starts(&self, rows: Range<usize>) -> impl Iterator<Item = usize> {
        self.run.rows[rows].iter().map(|row| row.1)
    }
}
