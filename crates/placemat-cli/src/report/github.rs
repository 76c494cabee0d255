//! `--format github`: workflow commands, which GitHub shows beside the lines of a pull request.

use std::fmt::Write as _;
use std::io::{BufWriter, Write as _};

use anyhow::Result;

use super::human::{number, plural};
use placemat_text::faults::wording;

use super::{Foreign, Report, Subject, Summary, from_root, stdout};
use crate::console::Plain;
use crate::input::Input;
use placemat_text::faults::run::Run;
use placemat_text::faults::{Finding, Totals};
use placemat_text::formats::github::{escaped, property};

/// One command a finding.
pub(crate) struct Github {
    out: BufWriter<Plain>,
}

impl Github {
    pub(crate) fn new() -> Github {
        Github { out: stdout() }
    }
}

impl Report for Github {
    fn finding(&mut self, subject: Subject<'_>, finding: &Finding<'_>) -> Result<()> {
        // The rest of a broken character that was reported as a whole.
        if finding.continues_broken() {
            return Ok(());
        }
        let mut message = wording::sentence(finding);
        for more in [wording::expected(finding), subject.advice(finding)].into_iter().flatten() {
            // Writing to a string cannot fail.
            let _ = write!(message, "; {more}");
        }
        writeln!(
            self.out,
            "::error file={},line={},col={},title={}::{} (byte {})",
            property(from_root(subject.input.path())),
            finding.line,
            finding.column,
            finding.kind,
            escaped(&message, false),
            finding.offset,
        )?;
        Ok(())
    }

    fn run(&mut self, input: &Input, run: &Run<'_>) -> Result<()> {
        let message = match run.advice(input.file()) {
            Some(advice) => format!("{}; {advice}", run.sentence()),
            None => run.sentence(),
        };
        writeln!(
            self.out,
            "::error file={},line={},col={},title={}::{} (byte {})",
            property(from_root(input.path())),
            run.line,
            run.column,
            run.name(),
            escaped(&message, false),
            run.offset,
        )?;
        Ok(())
    }

    fn sums_up(&self) -> bool {
        true
    }

    fn foreign(&mut self, subject: Subject<'_>, foreign: Foreign<'_>) -> Result<()> {
        let (path, message) =
            (property(from_root(subject.input.path())), escaped(&foreign.sentence(subject), false));
        match foreign.place {
            Some((line, column, offset)) => writeln!(
                self.out,
                "::error file={path},line={line},col={column},title=other encoding::{message} (byte {offset})"
            )?,
            None => writeln!(self.out, "::notice file={path},title=other encoding::{message}")?,
        }
        Ok(())
    }

    fn file(&mut self, subject: Subject<'_>, totals: Totals, shown: u64) -> Result<()> {
        let more = totals.errors.saturating_sub(shown);
        if more > 0 {
            let (path, s) = (property(from_root(subject.input.path())), plural(more));
            writeln!(
                self.out,
                "::error file={path},title=more errors::{} more error{s} in this file",
                number(more)
            )?;
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
