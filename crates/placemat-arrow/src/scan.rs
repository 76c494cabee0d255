//! Which rows need a closer look, found over many rows at a time.
//!
//! Rows are short, and to call a validator for each costs more than the validation. So it is called for a block of rows:
//! if the block is well-formed and every row begins where a character begins, each row is well-formed. An error
//! belongs to one row; the search goes on behind that row.
#![forbid(unsafe_code)]

use core::ops::Range;

use placemat::Form;

use crate::rows::{Contiguous, Layout, Rows, Views};

/// Rows in a block: enough to hide the cost of a call, few enough that 100-byte rows are still in the cache
/// when their boundaries are looked at.
const BLOCK: usize = 1024;

impl Rows<'_> {
    /// The rows that are not null and not well-formed, in order.
    pub(crate) fn ill_formed(&self, form: Form) -> Vec<usize> {
        let suspects = match form {
            Form::Utf8 => self.layout.not_utf8(),
            _ if form.facts().ascii_transparent => self.layout.not_ascii(),
            _ => (0..self.layout.len()).collect(),
        };
        let mut rows = match &self.keys {
            Some(keys) => with_values(keys, self.layout.len(), &suspects),
            None => suspects,
        };
        let is_ill_formed =
            |row| form == Form::Utf8 || placemat::errors(form, self.row(row)).next().is_some();
        rows.retain(|&row| !self.is_null(row) && is_ill_formed(row));
        rows
    }
}

/// The rows whose value is among those `found` of a dictionary of `len` values.
fn with_values(keys: &[usize], len: usize, found: &[usize]) -> Vec<usize> {
    if found.is_empty() {
        return Vec::new();
    }
    let mut is_found = vec![false; len];
    found.iter().for_each(|&value| is_found[value] = true);
    (0..keys.len()).filter(|&row| is_found[keys[row]]).collect()
}

impl Layout<'_> {
    /// The rows that are not well-formed UTF-8, in order, null ones among them.
    pub(crate) fn not_utf8(&self) -> Vec<usize> {
        let mut found = Vec::new();
        match self {
            Layout::Small(spans) => not_utf8(spans, &mut found),
            Layout::Large(spans) => not_utf8(spans, &mut found),
            Layout::Fixed(fixed) => not_utf8(fixed, &mut found),
            Layout::Views(views) => views.not_utf8(&mut found),
        }
        found
    }

    /// The rows that hold a byte from 80 up, in order, null ones among them.
    pub(crate) fn not_ascii(&self) -> Vec<usize> {
        let mut found = Vec::new();
        match self {
            Layout::Small(spans) => not_ascii(spans, &mut found),
            Layout::Large(spans) => not_ascii(spans, &mut found),
            Layout::Fixed(fixed) => not_ascii(fixed, &mut found),
            Layout::Views(views) => found.extend((0..views.len()).filter(|&row| !views.row(row).is_ascii())),
        }
        found
    }
}

fn not_utf8(rows: &impl Contiguous, found: &mut Vec<usize>) {
    for start in (0..rows.len()).step_by(BLOCK) {
        let block = start..rows.len().min(start + BLOCK);
        check(rows.values(), block, &|row| rows.start(row), &mut |row| found.push(row));
    }
}

fn not_ascii(rows: &impl Contiguous, found: &mut Vec<usize>) {
    for start in (0..rows.len()).step_by(BLOCK) {
        let block = start..rows.len().min(start + BLOCK);
        if !rows.values()[rows.start(block.start)..rows.start(block.end)].is_ascii() {
            found.extend(block.filter(|&row| !rows.row(row).is_ascii()));
        }
    }
}

/// Reports the rows of a block that are not well-formed, in order. `start` says where a row starts, and, asked for
/// the row behind the last one, where that ends.
fn check(
    values: &[u8],
    block: Range<usize>,
    start: &impl Fn(usize) -> usize,
    report: &mut impl FnMut(usize),
) {
    let end = start(block.end);
    let mut next = block.start;
    while next < block.end {
        let from = start(next);
        let error = placemat::validate(&values[from..end]).err();
        // Below the length of a slice, so it fits a `usize`.
        let bad =
            error.map_or(block.end, |error| holder(next..block.end, from + error.offset() as usize, start));
        // Up to the error all is characters, and the rows between are well-formed if none is cut.
        if is_cut(values, next + 1..block.end.min(bad + 1), end, start) {
            let is_ill_formed = |&row: &usize| !placemat::is_valid(&values[start(row)..start(row + 1)]);
            (next..bad).filter(is_ill_formed).for_each(&mut *report);
        }
        if bad < block.end {
            report(bad);
        }
        next = bad + 1;
    }
}

/// The row that holds the byte `at`: the last one that starts there or before.
fn holder(rows: Range<usize>, at: usize, start: &impl Fn(usize) -> usize) -> usize {
    let (mut low, mut high) = (rows.start, rows.end);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if start(middle) <= at { low = middle } else { high = middle }
    }
    low
}

/// Whether one of these rows starts inside a character. All of them start at or before `end`, which is no such place.
fn is_cut(values: &[u8], rows: Range<usize>, end: usize, start: &impl Fn(usize) -> usize) -> bool {
    let Some(last) = end.checked_sub(1) else { return false };
    let values = &values[..=last];
    // Without branches: it is done for every row.
    rows.fold(false, |found, row| {
        let at = start(row);
        found | ((at <= last) & (values[at.min(last)] & 0xC0 == 0x80))
    })
}

/// Bits of a view that are set if the row is in it and not ASCII.
const NOT_ASCII: u128 = 0x8080_8080_8080_8080_8080_8080_0000_0000;

/// What lies between two rows in the pages of Parquet: the length of the second, in four bytes.
const GAP: usize = 4;

impl Views<'_> {
    fn not_utf8(&self, found: &mut Vec<usize>) {
        let mut run = Run::default();
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
        // Rows in their views were looked at before runs that began ahead of them.
        if !found.is_sorted() {
            found.sort_unstable();
        }
    }
}

/// Rows that follow one another in one buffer.
#[derive(Default)]
struct Run {
    buffer: usize,
    /// Which rows, and where they start.
    rows: Vec<(usize, usize)>,
    end: usize,
}

impl Run {
    /// Whether a row at this place goes on with the run. What lies between may be ASCII, which cannot hide an error.
    #[inline]
    fn continues(&self, views: &Views<'_>, buffer: usize, at: usize) -> bool {
        buffer == self.buffer
            && (1..BLOCK).contains(&self.rows.len())
            && (at == self.end
                || at > self.end && at - self.end <= GAP && views.buffers[buffer][self.end..at].is_ascii())
    }

    /// Looks at the rows of the run, and begins a new one.
    fn check(&mut self, views: &Views<'_>, found: &mut Vec<usize>) {
        let n = self.rows.len();
        if n > 0 {
            let start = |k: usize| if k == n { self.end } else { self.rows[k].1 };
            check(&views.buffers[self.buffer], 0..n, &start, &mut |k| found.push(self.rows[k].0));
        }
        self.rows.clear();
    }
}
