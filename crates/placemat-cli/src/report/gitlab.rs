//! `--format gitlab`: the code quality report of GitLab.

use std::io::BufWriter;

use anyhow::Result;

use super::{Report, Subject, Summary, from_root, stdout};
use crate::console::Plain;
use crate::input::Input;
use placemat_text::faults::run::Run;
use placemat_text::faults::{Finding, Totals};

/// One array.
pub(crate) struct Gitlab(placemat_text::formats::Gitlab<BufWriter<Plain>>);

impl Gitlab {
    pub(crate) fn new() -> Gitlab {
        Gitlab(placemat_text::formats::Gitlab::new(stdout()))
    }
}

impl Report for Gitlab {
    fn finding(&mut self, subject: Subject<'_>, finding: &Finding<'_>) -> Result<()> {
        Ok(self.0.finding(from_root(subject.input.path()), finding)?)
    }

    fn run(&mut self, input: &Input, run: &Run<'_>) -> Result<()> {
        Ok(self.0.run(from_root(input.path()), run)?)
    }

    fn file(&mut self, _: Subject<'_>, _: Totals, _: u64) -> Result<()> {
        self.0.end_file();
        Ok(())
    }

    fn finish(&mut self, _: &Summary) -> Result<()> {
        Ok(self.0.finish()?)
    }
}
