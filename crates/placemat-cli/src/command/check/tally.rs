//! What was checked, in order, on its way to the report.

use std::fmt;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use anyhow::{Error, Result};

use super::checker::{Checked, Checker, Counted};
use super::known::Known;
use crate::console;
use crate::escape;
use crate::input::{Body, End, Input};
use crate::outcome::Outcome;
use crate::pool::Pool;
use crate::progress::{Done, Progress};
use crate::report::{Report, Subject, Summary};
use placemat_text::charset::Charset;
use placemat_text::faults::breach::{Breach, Shown};
use placemat_text::faults::locate::{Search, search};
use placemat_text::faults::misread::{self, Misread};
use placemat_text::faults::{Finding, Totals};

/// Gathers what was checked, in order, and reports it.
pub(super) struct Tally {
    report: Box<dyn Report>,
    known: Known,
    /// What is not looked at is listed.
    lists_skipped: bool,
    summary: Summary,
    outcome: Outcome,
    progress: Progress,
    done: Arc<Done>,
}

/// What was seen of an input.
#[derive(Default)]
struct Seen {
    totals: Totals,
    /// Findings that were reported.
    shown: u64,
    /// Errors that do not count, since they are known.
    known: u64,
    /// Why it could not be read, or not to its end.
    broken: Option<Error>,
}

impl Tally {
    pub(super) fn new(report: Box<dyn Report>, known: Known, lists_skipped: bool, pool: &Pool) -> Tally {
        let (summary, outcome) = (Summary::default(), Outcome::Clean);
        let progress = Progress::start(&pool.done);
        Tally { report, known, lists_skipped, summary, outcome, progress, done: Arc::clone(&pool.done) }
    }

    /// The end, if all before it was written.
    ///
    /// # Errors
    /// Why not all was written, unless nobody wants it any more.
    pub(super) fn finish(mut self, written: Result<()>) -> Result<Outcome> {
        drop(self.progress);
        let written = written.and_then(|()| self.report.finish(&self.summary));
        let written = written.and_then(|()| self.known.finish());
        self.outcome.after(written)
    }

    pub(super) fn take(&mut self, checker: &Checker<'_>, checked: Checked) -> Result<()> {
        match checked {
            Checked::Skipped(path, reason) => {
                self.summary.files_skipped += 1;
                if self.lists_skipped {
                    self.skipped(&path, reason)?;
                }
            }
            Checked::Failed(path, error) => self.fail(&path, escape::path(&path), &error)?,
            Checked::Counted(counted) => self.show(counted, checker.unpack)?,
            Checked::AtTurn(input, search) => {
                let seen = self.read(&input, search, checker)?;
                self.file(&input, search.charset, seen)?;
            }
        }
        Ok(())
    }

    /// List what is not looked at.
    pub(super) fn skipped(&mut self, path: &Path, reason: &str) -> Result<()> {
        self.progress.suspend(|| self.report.skipped(path, reason))
    }

    /// Report a file that was counted, and what is wanted of it.
    fn show(&mut self, counted: Counted, unpack: bool) -> Result<()> {
        let Counted { input, search, totals, breaches, misread, broken } = counted;
        let mut seen = Seen::default();
        if search.limit.min(totals.errors) > 0 || totals.errors > 0 && self.known.asks() {
            let show = |breach: &Breach| breach.show(&mut *input.reader(unpack)?, search.charset);
            let shown = breaches.iter().map(show).collect::<io::Result<Vec<_>>>();
            let limit = if self.known.asks() { u64::MAX } else { search.limit };
            let limit = limit.min(totals.errors - breaches.len() as u64);
            let wanted = Search { limit, only_findings: true, ..search };
            seen = match shown.and_then(|shown| Ok((shown, input.reader(unpack)?))) {
                Ok((shown, mut reader)) => self.locate(&input, &mut *reader, wanted, &shown, search.limit)?,
                Err(error) => Seen::failed(error),
            };
        }
        if misread > 0 && (seen.shown < search.limit || self.known.asks()) {
            self.misread(&input, input.reader(unpack), search.limit, &mut seen)?;
        }
        let totals = Totals { errors: totals.errors + misread, ..totals };
        let broken = broken.map(Error::from).or(seen.broken);
        self.file(&input, search.charset, Seen { totals, broken, ..seen })
    }

    /// Report what is wanted of an input that can be read only once.
    fn read(&mut self, input: &Input, search: Search, checker: &Checker<'_>) -> Result<Seen> {
        if checker.seeks_mojibake(search.charset) {
            return self.read_twice(input, search, checker.unpack);
        }
        let watched = input.reader(checker.unpack).map(|reader| self.done.watch(reader));
        match watched {
            Ok(mut reader) => self.locate(input, &mut reader, search, &[], search.limit),
            Err(error) => Ok(Seen::failed(error)),
        }
    }

    /// The same with runs of mojibake: it is kept, up to where it breaks off.
    fn read_twice(&mut self, input: &Input, search: Search, unpack: bool) -> Result<Seen> {
        let kept = Body::unpacked(input, unpack).map_err(Error::from);
        let kept = kept.and_then(|mut body| Ok((body.keep_unbroken(Some(&self.done))?, body)));
        let (broken, mut body) = match kept {
            Ok(kept) => kept,
            Err(error) => return Ok(Seen::failed(error)),
        };
        // The reason is told once.
        let again = broken.as_ref().map(|error| error.kind().into());
        let mut seen =
            self.locate(input, &mut body.by_ref().chain(End(broken)), search, &[], search.limit)?;
        let again = body.rewind().map(|()| body.chain(End(again)));
        self.misread(input, again, search.limit, &mut seen)?;
        Ok(seen)
    }

    /// Report up to `limit` findings of an input, breaches of rules among them.
    fn locate(
        &mut self,
        input: &Input,
        reader: &mut dyn Read,
        wanted: Search,
        breaches: &[Shown],
        limit: u64,
    ) -> Result<Seen> {
        let mut shown = 0;
        let mut known = 0;
        let wanted = match self.known.asks() {
            true if !wanted.only_findings => Search { limit: u64::MAX, ..wanted },
            _ => wanted,
        };
        let (report, progress, baseline) = (&mut self.report, &self.progress, &mut self.known);
        let subject = Subject { input, charset: wanted.charset };
        let mut breaches = breaches.iter().peekable();
        let mut show = |finding: &Finding<'_>| {
            if baseline.has(input.path(), finding) {
                known += 1;
                return Ok(());
            }
            if shown == limit {
                return Ok(());
            }
            shown += 1;
            progress.suspend(|| report.finding(subject, finding))?;
            // Of what may never end, each at once.
            if wanted.only_findings { Ok(()) } else { report.flush() }
        };
        let (totals, broken) = search(reader, wanted, &mut |finding: &Finding<'_>| {
            let before = std::iter::from_fn(|| breaches.next_if(|b| b.breach.offset <= finding.offset));
            before.map(Shown::finding).try_for_each(|f| show(&f))?;
            show(finding)
        })?;
        breaches.map(Shown::finding).try_for_each(|f| show(&f))?;
        Ok(Seen { totals, shown, known, broken: broken.map(Error::from) })
    }

    /// Count the runs of mojibake of an input as well, and report those for which `limit` has room.
    fn misread(
        &mut self,
        input: &Input,
        reader: io::Result<impl Read>,
        limit: u64,
        seen: &mut Seen,
    ) -> Result<()> {
        let (report, progress, baseline) = (&mut self.report, &self.progress, &mut self.known);
        let left = if baseline.asks() { u64::MAX } else { limit - seen.shown };
        let mut show = |run: &Misread<'_>| {
            if baseline.has_misread(input.path(), run) {
                seen.known += 1;
                return Ok(());
            }
            if seen.shown == limit {
                return Ok(());
            }
            seen.shown += 1;
            progress.suspend(|| report.misread(input, run))
        };
        let (runs, broken) = match reader {
            Ok(mut reader) => misread::search(&mut reader, left, &mut show)?,
            Err(error) => (0, Some(error)),
        };
        seen.totals.errors += runs;
        seen.broken = seen.broken.take().or(broken.map(Error::from));
        Ok(())
    }

    fn file(&mut self, input: &Input, charset: Charset, seen: Seen) -> Result<()> {
        let Seen { totals, shown, known, broken } = seen;
        let totals = Totals { errors: totals.errors.saturating_sub(known), ..totals };
        match &broken {
            Some(error) => self.fail(input.path(), input, error)?,
            None => self.known.read(input.path()),
        }
        if broken.is_some() && totals.bytes == 0 {
            return Ok(());
        }
        self.done.add_file();
        self.summary.files += 1;
        self.summary.bytes += totals.bytes;
        self.summary.errors += totals.errors;
        if totals.errors > 0 {
            self.outcome = self.outcome.max(Outcome::Found);
            self.summary.files_with_errors += 1;
            self.progress.suspend(|| {
                self.report.file(Subject { input, charset }, totals, shown)?;
                self.report.flush()
            })?;
        }
        Ok(())
    }

    fn fail(&mut self, path: &Path, shown: impl fmt::Display, error: &Error) -> Result<()> {
        let reason = escape::message(error);
        let text = format!("{shown}: {reason}");
        self.progress.suspend(|| console::say(&text));
        self.outcome = Outcome::Trouble;
        self.report.failed(path, &reason)
    }
}

impl Seen {
    /// Nothing, for this reason.
    fn failed(error: impl Into<Error>) -> Seen {
        Seen { broken: Some(error.into()), ..Seen::default() }
    }
}
