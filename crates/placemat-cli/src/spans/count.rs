//! Counting the errors of a file in UTF-8, its characters that are not shown, and its runs of mojibake.

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

/// What a file has.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) totals: Totals,
    /// Findings.
    pub(crate) hidden: u64,
    /// Where mojibake may be, in order; lines that begin or end elsewhere are to be searched as a whole.
    pub(crate) suspects: Vec<Range<u64>>,
}

/// Count the bytes and errors of a file in UTF-8 and its findings, and find where mojibake may be, with as many of the pool as are free.
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

/// The runs of mojibake in lines that are suspect: one after the other, since each may say something about the next. What announces
/// another form than UTF-8 has none.
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

/// The same in a file.
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

/// Bytes that are looked at for the end of a line.
const STEP: u64 = 64 << 10;

/// Where the line begins that goes on at `at`.
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

/// Where the line ends, behind its line feed, that goes on before `at`.
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
