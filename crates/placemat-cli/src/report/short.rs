//! `--format short`: a line an error, as compilers write them.

use std::io::{BufWriter, Write as _};

use anyhow::Result;

use super::human::plural;
use super::{Report, Subject, Summary, stdout};
use crate::console::Plain;
use crate::input::Input;
use placemat_text::faults::misread::Misread;
use placemat_text::faults::{Finding, Totals, wording};
use placemat_text::models::MOJIBAKE;

/// `PATH:LINE:COLUMN: KIND: what is wrong`.
pub(crate) struct Short {
    out: BufWriter<Plain>,
}

impl Short {
    pub(crate) fn new() -> Short {
        Short { out: stdout() }
    }
}

/// An error in a line.
pub(super) fn line(subject: Subject<'_>, finding: &Finding<'_>) -> String {
    let Finding { line, column, kind, .. } = finding;
    format!("{}:{line}:{column}: {kind}: {}", subject.input, wording::sentence(finding))
}

/// A run of mojibake in a line.
pub(super) fn misread_line(input: &Input, run: &Misread<'_>) -> String {
    format!("{input}:{}:{}: {MOJIBAKE}: {}", run.line, run.column, run.sentence())
}

/// What is said of errors that are not shown.
pub(super) fn more(totals: Totals, shown: u64) -> Option<String> {
    let more = totals.errors.saturating_sub(shown);
    (more > 0).then(|| format!("{more} more error{}", plural(more)))
}

impl Report for Short {
    fn finding(&mut self, subject: Subject<'_>, finding: &Finding<'_>) -> Result<()> {
        Ok(writeln!(self.out, "{}", line(subject, finding))?)
    }

    fn misread(&mut self, input: &Input, run: &Misread<'_>) -> Result<()> {
        Ok(writeln!(self.out, "{}", misread_line(input, run))?)
    }

    fn file(&mut self, subject: Subject<'_>, totals: Totals, shown: u64) -> Result<()> {
        if let Some(more) = more(totals, shown) {
            writeln!(self.out, "{}: {more}", subject.input)?;
        }
        // Whoever waits for the next file sees this one.
        Ok(self.out.flush()?)
    }

    fn finish(&mut self, _: &Summary) -> Result<()> {
        Ok(self.out.flush()?)
    }
}
