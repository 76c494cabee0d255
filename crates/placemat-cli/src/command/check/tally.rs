//! What was checked, in order, on its way to the report.

use std::io;
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;

use super::checker::{Checked, Checker, Counted};
use crate::crew::Crew;
use crate::input::Input;
use crate::outcome::Outcome;
use crate::progress::{Done, Progress};
use crate::report::{Report, Subject, Summary};
use crate::scan::breach::{Breach, Shown};
use crate::scan::locate::{Search, search};
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
            Checked::Counted(counted) => {
                let shown = self.show(&counted, checker.unpack)?;
                let Counted { input, search, totals, .. } = counted;
                self.file(Subject { input: &input, charset: search.charset }, totals, shown)?;
            }
            Checked::AtTurn(input, search) => {
                if let Some((totals, shown)) = self.locate(&input, checker.unpack, search, &[])? {
                    self.file(Subject { input: &input, charset: search.charset }, totals, shown)?;
                }
            }
        }
        Ok(())
    }

    /// Report what is wanted of a file that was counted; how many findings that were.
    fn show(&mut self, counted: &Counted, unpack: bool) -> Result<u64> {
        let Counted { input, search, totals, breaches } = counted;
        if search.limit.min(totals.errors) == 0 {
            return Ok(0);
        }
        let show = |breach: &Breach| breach.show(&mut *input.reader(unpack)?, search.charset);
        let breaches: Vec<_> = match breaches.iter().map(show).collect() {
            Ok(shown) => shown,
            Err(error) => {
                self.fail(input.path(), &error);
                return Ok(0);
            }
        };
        let limit = search.limit.min(totals.errors - breaches.len() as u64);
        let wanted = Search { limit, only_findings: true, ..*search };
        Ok(self.locate(input, unpack, wanted, &breaches)?.map_or(0, |(_, shown)| shown))
    }

    /// Report the findings of an input, breaches of rules among them; `None` when it cannot be read.
    fn locate(
        &mut self,
        input: &Input,
        unpack: bool,
        wanted: Search,
        breaches: &[Shown],
    ) -> Result<Option<(Totals, u64)>> {
        let mut shown = 0;
        let (report, progress) = (&mut self.report, &self.progress);
        let subject = Subject { input, charset: wanted.charset };
        let mut breaches = breaches.iter().peekable();
        let mut reader = match input.reader(unpack) {
            Ok(reader) if wanted.only_findings => reader,
            Ok(reader) => Box::new(self.done.watch(reader)),
            Err(error) => {
                self.fail(input.path(), &error);
                return Ok(None);
            }
        };
        let mut written = Ok(());
        let found = search(&mut *reader, wanted, &mut |finding: &Finding<'_>| {
            while let Some(breach) = breaches.next_if(|b| b.breach.offset <= finding.offset) {
                shown += 1;
                progress.suspend(|| report.finding(subject, &breach.finding()))?;
            }
            shown += 1;
            written = progress.suspend(|| report.finding(subject, finding));
            match &written {
                Ok(()) => Ok(()),
                Err(_) => anyhow::bail!("cannot write"),
            }
        });
        written?;
        for breach in breaches {
            shown += 1;
            self.progress.suspend(|| self.report.finding(subject, &breach.finding()))?;
        }
        match found {
            Ok(totals) => Ok(Some((totals, shown))),
            Err(error) => {
                self.fail(input.path(), &error.downcast().unwrap_or_else(io::Error::other));
                Ok(None)
            }
        }
    }

    fn file(&mut self, subject: Subject<'_>, totals: Totals, shown: u64) -> Result<()> {
        self.done.add_file();
        self.summary.files += 1;
        self.summary.bytes += totals.bytes;
        self.summary.errors += totals.errors;
        if totals.errors > 0 {
            self.summary.files_with_errors += 1;
            self.outcome = self.outcome.max(Outcome::Found);
            self.progress.suspend(|| self.report.file(subject, totals, shown))?;
        }
        Ok(())
    }

    fn fail(&mut self, path: &Path, error: &io::Error) {
        self.progress.suspend(|| anstream::eprintln!("placemat: {}: {error}", shown::path(path)));
        self.outcome = Outcome::Trouble;
    }
}
