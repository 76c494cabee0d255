//! Counts the errors of a file in UTF-8, its characters that are not shown, and its runs of mojibake.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use memchr::{memchr, memrchr};
use placemat::invisible::Kinds;

use super::{Cut, each};
use crate::input::Input;
use crate::pool::Pool;
use crate::portion::{Section, head, read_fully};
use placemat_text::faults::run::Sought;
use placemat_text::faults::{Totals, announces_other_form, hidden, misread};

/// What was counted in a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) totals: Totals,
    /// Findings of characters that are not shown.
    pub(crate) hidden: u64,
    /// Where mojibake may be, in order. A range may begin or end within a line: the whole line is to be searched.
    pub(crate) suspects: Vec<Range<u64>>,
}

/// Counts the bytes, errors and findings of a file in UTF-8, and finds where mojibake may be, with the free threads of the pool.
///
/// Memory: that of [`each`], and some bytes for each block in which mojibake may be.
///
/// # Errors
/// Those of reading.
pub(crate) fn count(file: &File, pool: &Pool, cut: Cut, sought: Sought) -> io::Result<Counts> {
    let sum = Mutex::new(Counts::default());
    let has_lines = sought.mojibake || sought.hidden != Kinds::NONE;
    each(file, pool, cut, has_lines, &|part| {
        let (text, len) = (part.text, part.text.len());
        let counts = hidden::count(text, part.around, sought.hidden, part.offset == 0);
        let clean = match (sought.mojibake, counts.errors) {
            (false, _) => len,
            (true, 0) => misread::clean_prefix(text, part.around),
            (true, _) => 0,
        };
        let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
        sum.totals.bytes += len as u64;
        sum.totals.errors += counts.errors;
        sum.hidden += counts.hidden;
        if clean < len {
            let suspect = part.offset + clean as u64..part.offset + len as u64;
            // Spans are nearly in order.
            let at = sum.suspects.partition_point(|other| other.start < suspect.start);
            sum.suspects.insert(at, suspect);
        }
        true
    })?;
    let mut counts = sum.into_inner().unwrap_or_else(PoisonError::into_inner);
    counts.suspects.dedup_by(|next, last| {
        let is_one = next.start == last.end;
        last.end = if is_one { next.end } else { last.end };
        is_one
    });
    Ok(counts)
}

/// Counts the runs of mojibake in suspect lines: one after the other, since each may say something about the next. A
/// file that announces another form than UTF-8 has none.
///
/// # Errors
/// Those of opening and reading.
pub(crate) fn misread(input: &Input, suspects: &[Range<u64>]) -> io::Result<u64> {
    if suspects.is_empty() {
        return Ok(0);
    }
    let (file, _) = input.open()?;
    if announces_other_form(&head(&file)?) { Ok(0) } else { runs(&file, suspects) }
}

/// Counts the runs of mojibake in the suspect lines of an open file.
pub(super) fn runs(file: &File, suspects: &[Range<u64>]) -> io::Result<u64> {
    let (mut counter, mut done) = (misread::Counter::default(), 0);
    for suspect in suspects {
        if suspect.end <= done {
            continue;
        }
        let at = line_start(file, suspect.start.max(done))?;
        let end = line_end(file, suspect.end)?;
        counter.lines(&mut Section { file, at, end }, at)?;
        done = end;
    }
    Ok(counter.runs())
}

/// Bytes read at once in search of the end of a line.
const STEP: u64 = 64 << 10;

/// The start of the line that goes on at `at`.
fn line_start(file: &File, at: u64) -> io::Result<u64> {
    let (mut end, mut size) = (at, 256);
    while end > 0 {
        let start = end.saturating_sub(size);
        let mut bytes = vec![0; (end - start) as usize];
        let read = read_fully(file, &mut bytes, start)?;
        if let Some(line) = memrchr(b'\n', &bytes[..read]) {
            return Ok(start + line as u64 + 1);
        }
        (end, size) = (start, STEP);
    }
    Ok(0)
}

/// The end, after its line feed, of the line that goes on before `at`.
fn line_end(file: &File, at: u64) -> io::Result<u64> {
    let (mut start, mut size) = (at.saturating_sub(1), 256);
    loop {
        let mut bytes = vec![0; size as usize];
        let read = read_fully(file, &mut bytes, start)?;
        if let Some(line) = memchr(b'\n', &bytes[..read]) {
            return Ok(start + line as u64 + 1);
        }
        start += read as u64;
        if (read as u64) < size {
            return Ok(start);
        }
        size = STEP;
    }
}
