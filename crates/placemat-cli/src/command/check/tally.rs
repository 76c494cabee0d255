//! What was checked, in order, on its way to the report.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;

use super::checker::{Checked, Checker, Counted};
use crate::console;
use crate::crew::Crew;
use crate::input::{Body, Input};
use crate::outcome::Outcome;
use crate::progress::{Done, Progress};
use crate::report::{Report, Subject, Summary};
use crate::scan::breach::{Breach, Shown};
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

    /// The end, if all before it was written.
    ///
    /// # Errors
    /// Why not all was written, unless nobody wants it any more.
    pub(super) fn finish(mut self, written: Result<()>) -> Result<Outcome> {
        drop(self.progress);
        let written = written.and_then(|()| self.report.finish(&self.summary));
        self.outcome.after(written)
    }

    pub(super) fn take(&mut self, checker: &Checker<'_>, checked: Checked) -> Result<()> {
        match checked {
            Checked::Skipped => self.summary.files_skipped += 1,
            Checked::Failed(path, error) => self.fail(&path, &error),
            Checked::Counted(counted) => {
                let shown = self.show(&counted, checker.unpack)?;
                let Counted { input, search, totals, misread, .. } = counted;
                let runs = match misread {
                    0 => (0, 0),
                    runs => self.misread(&input, search, input.reader(checker.unpack))?.unwrap_or((runs, 0)),
                };
                self.file(
                    Subject { input: &input, charset: search.charset },
                    plus(totals, runs.0),
                    shown + runs.1,
                )?;
            }
            Checked::AtTurn(input, search) if checker.mojibake => {
                let mut body = match Body::kept(&input, checker.unpack, Some(&self.done)) {
                    Ok(body) => body,
                    Err(error) => {
                        self.fail(input.path(), &error.downcast().unwrap_or_else(io::Error::other));
                        return Ok(());
                    }
                };
                let Some((totals, shown)) = self.locate_in(&input, &mut body, search, &[])? else {
                    return Ok(());
                };
                let again = body.rewind().map(|()| Box::new(body) as Box<dyn Read>);
                if let Some((runs, shown_runs)) = self.misread(&input, search, again)? {
                    let subject = Subject { input: &input, charset: search.charset };
                    self.file(subject, plus(totals, runs), shown + shown_runs)?;
                }
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
        let Counted { input, search, totals, breaches, .. } = counted;
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
        let mut reader = match input.reader(unpack) {
            Ok(reader) if wanted.only_findings => reader,
            Ok(reader) => Box::new(self.done.watch(reader)),
            Err(error) => {
                self.fail(input.path(), &error);
                return Ok(None);
            }
        };
        self.locate_in(input, &mut *reader, wanted, breaches)
    }

    fn locate_in(
        &mut self,
        input: &Input,
        reader: &mut dyn Read,
        wanted: Search,
        breaches: &[Shown],
    ) -> Result<Option<(Totals, u64)>> {
        let mut shown = 0;
        let (report, progress) = (&mut self.report, &self.progress);
        let subject = Subject { input, charset: wanted.charset };
        let mut breaches = breaches.iter().peekable();
        let mut written = Ok(());
        let mut show = |finding: &Finding<'_>| {
            shown += 1;
            progress.suspend(|| report.finding(subject, finding))
        };
        let found = search(reader, wanted, &mut |finding: &Finding<'_>| {
            let before = std::iter::from_fn(|| breaches.next_if(|b| b.breach.offset <= finding.offset));
            written = before.map(Shown::finding).try_for_each(|f| show(&f)).and_then(|()| show(finding));
            if written.is_err() { anyhow::bail!("cannot write") } else { Ok(()) }
        });
        let written = written.and_then(|()| breaches.map(Shown::finding).try_for_each(|f| show(&f)));
        self.found(shown);
        written?;
        match found {
            Ok(totals) => Ok(Some((totals, shown))),
            Err(error) => {
                self.fail(input.path(), &error.downcast().unwrap_or_else(io::Error::other));
                Ok(None)
            }
        }
    }

    /// Report the runs of mojibake of an input: how many there are, and were shown; `None` when it cannot be read.
    fn misread(
        &mut self,
        input: &Input,
        wanted: Search,
        reader: io::Result<Box<dyn Read>>,
    ) -> Result<Option<(u64, u64)>> {
        let (report, progress) = (&mut self.report, &self.progress);
        let (mut shown, mut written) = (0, Ok(()));
        let found = reader.map_err(anyhow::Error::from).and_then(|mut reader| {
            misread::search(&mut *reader, wanted.limit, &mut |run| {
                shown += 1;
                written = progress.suspend(|| report.misread(input, run));
                if written.is_err() { anyhow::bail!("cannot write") } else { Ok(()) }
            })
        });
        self.found(shown);
        written?;
        match found {
            Ok(runs) => Ok(Some((runs, shown))),
            Err(error) => {
                self.fail(input.path(), &error.downcast().unwrap_or_else(io::Error::other));
                Ok(None)
            }
        }
    }

    /// So many findings were reported, or would have been if that could be written.
    fn found(&mut self, findings: u64) {
        if findings > 0 {
            self.outcome = self.outcome.max(Outcome::Found);
        }
    }

    fn file(&mut self, subject: Subject<'_>, totals: Totals, shown: u64) -> Result<()> {
        self.done.add_file();
        self.summary.files += 1;
        self.summary.bytes += totals.bytes;
        self.summary.errors += totals.errors;
        self.found(totals.errors);
        if totals.errors > 0 {
            self.summary.files_with_errors += 1;
            self.progress.suspend(|| self.report.file(subject, totals, shown))?;
        }
        Ok(())
    }

    fn fail(&mut self, path: &Path, error: &io::Error) {
        self.progress.suspend(|| console::say(&format!("{}: {error}", shown::path(path))));
        self.outcome = Outcome::Trouble;
    }
}

/// Runs of mojibake are errors too.
fn plus(totals: Totals, runs: u64) -> Totals {
    Totals { errors: totals.errors + runs, ..totals }
}
