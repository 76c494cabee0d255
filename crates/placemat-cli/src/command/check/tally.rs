//! What was checked, in order, on its way to the report.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;

use super::checker::{Checked, Checker};
use crate::crew::Crew;
use crate::input::{Body, Input};
use crate::outcome::Outcome;
use crate::progress::{Done, Progress};
use crate::report::{Report, Subject, Summary};
use crate::scan::locate::{Search, search};
use crate::scan::misread;
use crate::scan::{Finding, Totals};
use crate::shown;

/// Gathers what was checked, in order, and reports it.
pub(super) struct Tally {
    report: Box<dyn Report>,
    summary: Summary,
    outcome: Outcome,
    progress: Progress,
    done: Arc<Done>,
}

impl Tally {
    pub(super) fn new(report: Box<dyn Report>, crew: &Crew) -> Tally {
        let (summary, outcome) = (Summary::default(), Outcome::Clean);
        let progress = Progress::start(&crew.done);
        Tally { report, summary, outcome, progress, done: Arc::clone(&crew.done) }
    }

    pub(super) fn finish(mut self) -> Result<Outcome> {
        drop(self.progress);
        self.report.finish(&self.summary)?;
        Ok(self.outcome)
    }

    pub(super) fn take(&mut self, checker: &Checker<'_>, checked: Checked) -> Result<()> {
        match checked {
            Checked::Skipped => self.summary.files_skipped += 1,
            Checked::Failed(path, error) => self.fail(&path, &error),
            Checked::Counted(input, totals) => {
                let shown = self.locate_again(checker, &input, totals)?;
                self.file(checker, &input, totals, shown)?;
            }
            Checked::Misread(input, totals, runs) => {
                let shown = self.locate_again(checker, &input, totals)?;
                let reader = input.reader(checker.unpack);
                let found = self.misread(checker, &input, reader)?.unwrap_or((runs, 0));
                self.add_runs(checker, &input, (totals, shown), found)?;
            }
            Checked::AtTurn(input) if checker.mojibake => {
                let mut body = match Body::kept(&input, checker.unpack) {
                    Ok(body) => body,
                    Err(error) => {
                        self.fail(input.path(), &error.downcast().unwrap_or_else(io::Error::other));
                        return Ok(());
                    }
                };
                let Some(errors) = self.locate_in(&input, &mut body, checker.search)? else { return Ok(()) };
                let again = body.rewind().map(|()| Box::new(body) as Box<dyn Read>);
                if let Some(runs) = self.misread(checker, &input, again)? {
                    self.add_runs(checker, &input, errors, runs)?;
                }
            }
            Checked::AtTurn(input) => {
                if let Some((totals, shown)) = self.locate(&input, checker.unpack, checker.search)? {
                    self.file(checker, &input, totals, shown)?;
                }
            }
        }
        Ok(())
    }

    /// Report the findings of an input whose errors were counted, and say how many.
    fn locate_again(&mut self, checker: &Checker<'_>, input: &Input, totals: Totals) -> Result<u64> {
        let limit = checker.search.limit.min(totals.errors);
        if limit == 0 {
            return Ok(0);
        }
        let search = Search { limit, only_findings: true, ..checker.search };
        Ok(self.locate(input, checker.unpack, search)?.map_or(0, |(_, shown)| shown))
    }

    /// Report the runs of mojibake of an input: how many there are, and were shown; `None` when it cannot be read.
    fn misread(
        &mut self,
        checker: &Checker<'_>,
        input: &Input,
        reader: io::Result<Box<dyn Read>>,
    ) -> Result<Option<(u64, u64)>> {
        let (report, progress) = (&mut self.report, &self.progress);
        let (mut shown, mut written) = (0, Ok(()));
        let found = reader.map_err(anyhow::Error::from).and_then(|mut reader| {
            misread::search(&mut *reader, checker.search.limit, &mut |run| {
                shown += 1;
                written = progress.suspend(|| report.misread(input, run));
                if written.is_err() { anyhow::bail!("cannot write") } else { Ok(()) }
            })
        });
        written?;
        match found {
            Ok(runs) => Ok(Some((runs, shown))),
            Err(error) => {
                self.fail(input.path(), &error.downcast().unwrap_or_else(io::Error::other));
                Ok(None)
            }
        }
    }

    /// A file whose runs of mojibake are errors too.
    fn add_runs(
        &mut self,
        checker: &Checker<'_>,
        input: &Input,
        (totals, shown): (Totals, u64),
        (runs, runs_shown): (u64, u64),
    ) -> Result<()> {
        let totals = Totals { errors: totals.errors + runs, ..totals };
        self.file(checker, input, totals, shown + runs_shown)
    }

    /// Report the findings of an input; `None` when it cannot be read.
    fn locate(&mut self, input: &Input, unpack: bool, wanted: Search) -> Result<Option<(Totals, u64)>> {
        let mut reader = match input.reader(unpack) {
            Ok(reader) if wanted.only_findings => reader,
            Ok(reader) => Box::new(self.done.watch(reader)),
            Err(error) => {
                self.fail(input.path(), &error);
                return Ok(None);
            }
        };
        self.locate_in(input, &mut *reader, wanted)
    }

    fn locate_in(
        &mut self,
        input: &Input,
        reader: &mut dyn Read,
        wanted: Search,
    ) -> Result<Option<(Totals, u64)>> {
        let mut shown = 0;
        let (report, progress) = (&mut self.report, &self.progress);
        let subject = Subject { input, form: wanted.form };
        let mut written = Ok(());
        let found = search(reader, wanted, &mut |finding: &Finding<'_>| {
            shown += 1;
            written = progress.suspend(|| report.finding(subject, finding));
            match &written {
                Ok(()) => Ok(()),
                Err(_) => anyhow::bail!("cannot write"),
            }
        });
        written?;
        match found {
            Ok(totals) => Ok(Some((totals, shown))),
            Err(error) => {
                self.fail(input.path(), &error.downcast().unwrap_or_else(io::Error::other));
                Ok(None)
            }
        }
    }

    fn file(&mut self, checker: &Checker<'_>, input: &Input, totals: Totals, shown: u64) -> Result<()> {
        self.done.add_file();
        self.summary.files += 1;
        self.summary.bytes += totals.bytes;
        self.summary.errors += totals.errors;
        if totals.errors > 0 {
            self.summary.files_with_errors += 1;
            self.outcome = self.outcome.max(Outcome::Found);
            let subject = Subject { input, form: checker.search.form };
            self.progress.suspend(|| self.report.file(subject, totals, shown))?;
        }
        Ok(())
    }

    fn fail(&mut self, path: &Path, error: &io::Error) {
        self.progress.suspend(|| anstream::eprintln!("placemat: {}: {error}", shown::path(path)));
        self.outcome = Outcome::Trouble;
    }
}
