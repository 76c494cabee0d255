//! `--format short`: a line an error, as compilers write them.

use std::io::{BufWriter, Write as _};

use anyhow::Result;

use super::human::{number, plural};
use super::{Report, Subject, Summary, stdout};
use crate::console::Plain;
use crate::input::Input;
use placemat_text::faults::run::Run;
use placemat_text::faults::{Finding, Totals};
use placemat_text::formats::{short, short_run};

/// `PATH:LINE:COLUMN: KIND: what is wrong`.
pub(crate) struct Short {
    out: BufWriter<Plain>,
}

impl Short {
    pub(crate) fn new() -> Short {
        Short { out: stdout() }
    }
}

/// The message about errors that are not shown.
pub(super) fn more(totals: Totals, shown: u64) -> Option<String> {
    let more = totals.errors.saturating_sub(shown);
    (more > 0).then(|| format!("{} more error{}", number(more), plural(more)))
}

impl Report for Short {
    fn finding(&mut self, subject: Subject<'_>, finding: &Finding<'_>) -> Result<()> {
        Ok(writeln!(self.out, "{}", short(&subject.input.to_string(), finding))?)
    }

    fn run(&mut self, input: &Input, run: &Run<'_>) -> Result<()> {
        Ok(writeln!(self.out, "{}", short_run(&input.to_string(), run))?)
    }

    fn file(&mut self, subject: Subject<'_>, totals: Totals, shown: u64) -> Result<()> {
        if let Some(more) = more(totals, shown) {
            writeln!(self.out, "{}: {more}", subject.input)?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }

    fn finish(&mut self, _: &Summary) -> Result<()> {
        Ok(self.out.flush()?)
    }
}
