//! Finds the rows that have errors, many rows at a time.
//!
//! For a short row the call of a validator takes longer than the validation. So the validator is called for a block of rows: if the
//! block is well-formed and every row begins where a character begins, each row is well-formed. An error belongs to one row; the
//! search continues after that row.
#![forbid(unsafe_code)]

mod views;

use core::ops::Range;

use placemat::Form;

use crate::rows::{Contiguous, Layout, Rows};

/// The number of rows in a block: enough to hide the cost of a call, few enough that rows of 100 bytes are still in the cache when
/// their boundaries are checked.
pub(crate) const BLOCK: usize = 1024;

impl Rows<'_> {
    /// The indices of rows that are ill-formed and not null, ascending.
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

/// The rows whose value is among `found`, in a dictionary of `len` values.
fn with_values(keys: &[usize], len: usize, found: &[usize]) -> Vec<usize> {
    if found.is_empty() {
        return Vec::new();
    }
    let mut is_found = vec![false; len];
    found.iter().for_each(|&value| is_found[value] = true);
    (0..keys.len()).filter(|&row| is_found[keys[row]]).collect()
}

impl Layout<'_> {
    /// The indices of rows that are not well-formed UTF-8, ascending, including null rows.
    pub(crate) fn not_utf8(&self) -> Vec<usize> {
        let mut found = Vec::new();
        match self {
            Layout::Small(spans) => not_utf8(spans, &mut found),
            Layout::Large(spans) => not_utf8(spans, &mut found),
            Layout::Fixed(fixed) => not_utf8(fixed, &mut found),
            Layout::Views(views) => views.not_utf8(0, &mut found),
        }
        found
    }

    /// The indices of rows that have a byte from 80 up, ascending, including null rows.
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

    /// Whether all rows are ASCII.
    pub(crate) fn is_ascii(&self) -> bool {
        match self {
            Layout::Small(spans) => values(spans).is_ascii(),
            Layout::Large(spans) => values(spans).is_ascii(),
            Layout::Fixed(fixed) => values(fixed).is_ascii(),
            Layout::Views(views) => (0..views.len()).all(|row| views.row(row).is_ascii()),
        }
    }
}

/// The bytes of all rows.
fn values(rows: &impl Contiguous) -> &[u8] {
    // If there are no rows, offsets may point outside.
    if rows.len() == 0 {
        return &[];
    }
    &rows.values()[rows.start(0)..rows.start(rows.len())]
}

fn not_utf8(rows: &impl Contiguous, found: &mut Vec<usize>) {
    let mut faults = Faults::of(rows);
    while let Some(fault) = faults.next() {
        found.push(fault.row);
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

/// Finds errors in contiguous rows, ascending: the first error of each row, and on request those after a place in it.
pub(crate) struct Faults<'a, C> {
    rows: &'a C,
    /// The block that is searched.
    block: Range<usize>,
    /// Whether a row of the block begins inside a character. If so, each row must be validated by itself.
    is_cut: bool,
    /// The first row and the first byte that are not searched yet.
    next: usize,
    from: usize,
    /// How many rows the next call of the validator gets: few if errors are dense, since the cost of a call that soon ends is mostly
    /// that of its start.
    reach: usize,
}

/// The place of an error.
pub(crate) struct Fault {
    pub(crate) row: usize,
    /// Its index among the values. The offset in `error` counts from where the validator began, and its kind may be wrong at the end
    /// of a row.
    pub(crate) at: usize,
    pub(crate) error: placemat::Error,
}

impl<'a, C: Contiguous> Faults<'a, C> {
    pub(crate) fn of(rows: &'a C) -> Faults<'a, C> {
        let from = rows.start(0);
        Faults { rows, block: 0..0, is_cut: false, next: 0, from, reach: BLOCK }
    }

    pub(crate) fn next(&mut self) -> Option<Fault> {
        loop {
            if self.next == self.block.end && !self.enter() {
                return None;
            }
            let reach = if self.is_cut { 1 } else { self.reach };
            let stop = self.block.end.min(self.next + reach);
            let end = self.rows.start(stop);
            let found = placemat::validate(&self.rows.values()[self.from..end]).err().map(|error| {
                // Less than the length of a slice, so it fits a `usize`.
                let at = self.from + error.offset() as usize;
                Fault { row: holder(self.rows, self.next..stop, at), at, error }
            });
            // Checked only now, when the rows are in the cache. An error may reach into the next row, so the start of that row is
            // checked too.
            let read = found.as_ref().map_or(stop, |fault| stop.min(fault.row + 2));
            if !self.is_cut && self.rows.is_cut(self.next..read) {
                self.is_cut = true;
                continue;
            }
            let Some(fault) = found else {
                (self.next, self.from) = (stop, end);
                self.reach = (4 * self.reach).min(BLOCK);
                continue;
            };
            self.reach = (2 * (fault.row - self.next) + 1).min(BLOCK);
            (self.next, self.from) = (fault.row + 1, self.rows.start(fault.row + 1));
            return Some(fault);
        }
    }

    /// Continues the search in the row that was found last, at this index among the values.
    pub(crate) fn resume(&mut self, at: usize) {
        self.next -= 1;
        self.from = at;
    }

    /// The rows of the block that are not searched yet.
    pub(crate) fn ahead(&self) -> Range<usize> {
        self.next..self.block.end
    }

    /// Skips the rows before this one, which is in the block or its end.
    pub(crate) fn skip_to(&mut self, row: usize) {
        (self.next, self.from) = (row, self.rows.start(row));
    }

    /// Goes to the next block that is not ASCII, if there is one.
    fn enter(&mut self) -> bool {
        loop {
            let start = self.block.end;
            let end = self.rows.len().min(start + BLOCK);
            (self.block, self.next, self.from) = (start..end, start, self.rows.start(start));
            // In ASCII every row is well-formed, wherever it starts.
            if start == end || !self.rows.values()[self.from..self.rows.start(end)].is_ascii() {
                self.is_cut = false;
                return start < end;
            }
        }
    }
}

/// The row that holds the byte `at`: the last one of `rows` that starts there or before.
fn holder(column: &impl Contiguous, rows: Range<usize>, at: usize) -> usize {
    let (mut low, mut high) = (rows.start, rows.end);
    // If most rows have errors, it is the next one.
    if column.start(low + 1) > at {
        return low;
    }
    // Most rows have similar lengths: guess, then search from there in growing steps.
    let (first, bytes) = (column.start(low), column.start(high) - column.start(low));
    let guess = low + ((at - first) as u64 * (high - low) as u64 / bytes.max(1) as u64) as usize;
    let mut step = 1;
    if column.start(guess) <= at {
        low = guess;
        while step < high - low && column.start(low + step) <= at {
            low += step;
            step *= 2;
        }
        high = high.min(low + step);
    } else {
        high = guess;
        while step < high - low && column.start(high - step) > at {
            high -= step;
            step *= 2;
        }
        low = low.max(high.saturating_sub(step));
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if column.start(middle) <= at { low = middle } else { high = middle }
    }
    low
}
