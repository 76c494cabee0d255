//! `--format junit`: the report that build servers read, a test case a file with errors.

use std::path::Path;

use anyhow::Result;
use tempfile::SpooledTempFile;

use super::short::more;
use super::{Report, Subject, Summary, stdout};
use crate::input::Input;
use placemat_text::faults::run::Run;
use placemat_text::faults::{Finding, Totals};
use placemat_text::formats::{self, short, short_run};

/// One suite.
pub(crate) struct Junit {
    report: formats::Junit<SpooledTempFile>,
    /// The errors of the file that comes next, a line each.
    errors: String,
}

impl Junit {
    pub(crate) fn new() -> Junit {
        let cases = tempfile::spooled_tempfile(1 << 20);
        Junit { report: formats::Junit::new(cases), errors: String::new() }
    }
}

impl Report for Junit {
    fn finding(&mut self, subject: Subject<'_>, finding: &Finding<'_>) -> Result<()> {
        self.errors += &(short(&subject.input.to_string(), finding) + "\n");
        Ok(())
    }

    fn run(&mut self, input: &Input, run: &Run<'_>) -> Result<()> {
        self.errors += &(short_run(&input.to_string(), run) + "\n");
        Ok(())
    }

    fn file(&mut self, subject: Subject<'_>, totals: Totals, shown: u64) -> Result<()> {
        let mut errors = std::mem::take(&mut self.errors);
        if let Some(more) = more(totals, shown) {
            errors += &format!("{}: {more}\n", subject.input);
        }
        let message = more(totals, 0).unwrap_or_default().replace(" more", "");
        Ok(self.report.case(subject.input.path(), "failure", &message, &errors)?)
    }

    fn failed(&mut self, path: &Path, reason: &str) -> Result<()> {
        Ok(self.report.case(path, "error", reason, "")?)
    }

    fn finish(&mut self, summary: &Summary) -> Result<()> {
        Ok(self.report.finish(summary, &mut stdout())?)
    }
}
