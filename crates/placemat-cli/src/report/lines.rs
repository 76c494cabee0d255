//! `--format paths` and `--count`: a line for each file with errors.

use std::io::{self, BufWriter, IsTerminal as _, Write as _};

use anyhow::Result;

use super::{Report, Subject, Summary, stdout, write_path};
use crate::console::Plain;
use crate::escape;
use crate::input::Input;
use placemat_text::faults::run::Run;
use placemat_text::faults::{Finding, Totals};

/// Paths, with or without the number of errors.
pub(crate) struct Lines {
    out: BufWriter<Plain>,
    counts: bool,
    end: &'static [u8],
    /// A list for other programs has paths as they are; for a terminal they are escaped.
    is_terminal: bool,
}

impl Lines {
    pub(crate) fn new(counts: bool, null: bool) -> Lines {
        let end: &[u8] = if null { b"\0" } else { b"\n" };
        Lines { out: stdout(), counts, end, is_terminal: io::stdout().is_terminal() }
    }
}

impl Report for Lines {
    fn finding(&mut self, _: Subject<'_>, _: &Finding<'_>) -> Result<()> {
        Ok(())
    }

    fn run(&mut self, _: &Input, _: &Run<'_>) -> Result<()> {
        Ok(())
    }

    fn file(&mut self, subject: Subject<'_>, totals: Totals, _: u64) -> Result<()> {
        if self.is_terminal {
            write!(self.out, "{}", escape::path(subject.input.path()))?;
        } else {
            write_path(&mut self.out, subject.input)?;
        }
        if self.counts {
            write!(self.out, ":{}", totals.errors)?;
        }
        self.out.write_all(self.end)?;
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(self.out.flush()?)
    }

    fn finish(&mut self, _: &Summary) -> Result<()> {
        Ok(self.out.flush()?)
    }
}
