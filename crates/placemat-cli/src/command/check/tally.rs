//! Passes what was checked to the report, in order.

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
use crate::report::{Foreign, Report, Subject, Summary};
use placemat_text::charset::Charset;
use placemat_text::faults::breach::{Breach, Shown};
use placemat_text::faults::declaration::contradiction;
use placemat_text::faults::locate::{self, Search};
use placemat_text::faults::run::{self, Run, Sought, Source};
use placemat_text::faults::seeming::{Judge, Overheard, Seeming};
use placemat_text::faults::{Finding, Totals};

/// Gathers what was checked, in order, and reports it.
pub(super) struct Tally {
    report: Box<dyn Report>,
    known: Known,
    /// Files that are not read are listed.
    lists_skipped: bool,
    summary: Summary,
    outcome: Outcome,
    progress: Progress,
    done: Arc<Done>,
}

/// What was found in an input.
#[derive(Default)]
struct Seen {
    totals: Totals,
    /// Findings that were reported.
    shown: u64,
    /// Errors that do not count, since they are known.
    known: u64,
    /// Why it could not be read, or not to its end.
    broken: Option<Error>,
    /// What it seems to be as a whole, if not UTF-8.
    seeming: Option<Seeming>,
    unpack: bool,
}

/// An input that was kept, up to the error at which it breaks off.
struct Kept<'a> {
    body: &'a mut Body,
    end: Option<io::ErrorKind>,
}

impl Source for Kept<'_> {
    fn start(&mut self) -> io::Result<Box<dyn Read + '_>> {
        self.body.rewind()?;
        Ok(Box::new(self.body.by_ref().chain(End(self.end.map(io::Error::from)))))
    }
}

impl Tally {
    pub(super) fn new(report: Box<dyn Report>, known: Known, lists_skipped: bool, pool: &Pool) -> Tally {
        let (summary, outcome) = (Summary::default(), Outcome::Clean);
        let progress = Progress::start(&pool.done);
        Tally { report, known, lists_skipped, summary, outcome, progress, done: Arc::clone(&pool.done) }
    }

    /// Ends the report, if all before it was written.
    ///
    /// # Errors
    /// Those of writing, except that the output was closed.
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

    /// Lists a file that is not read.
    pub(super) fn skipped(&mut self, path: &Path, reason: &str) -> Result<()> {
        self.progress.suspend(|| self.report.skipped(path, reason))
    }

    /// Reports a file that was counted, with those of its findings that are wanted.
    fn show(&mut self, counted: Counted, unpack: bool) -> Result<()> {
        let malformed = counted.malformed();
        let Counted { input, search, totals, breaches, seeming, sought, runs, broken, .. } = counted;
        let subject = Subject { input: &input, charset: search.charset, seeming: seeming.as_ref(), unpack };
        let mut seen = Seen::default();
        if search.limit.min(totals.errors) > 0 || totals.errors > 0 && self.known.asks() {
            let show = |breach: &Breach| breach.show(&mut *input.reader(unpack)?, search.charset);
            let shown = breaches.iter().map(show).collect::<io::Result<Vec<_>>>();
            let limit = if self.known.asks() { u64::MAX } else { search.limit };
            let limit = limit.min(malformed);
            let wanted = Search { limit, only_findings: true, ..search };
            seen = match shown.and_then(|shown| Ok((shown, input.reader(unpack)?))) {
                Ok((shown, mut reader)) => {
                    self.findings(subject, &mut *reader, wanted, (&shown, search.limit), malformed)?
                }
                Err(error) => Seen::failed(error),
            };
        }
        if runs > 0 && (seen.shown < search.limit || self.known.asks()) {
            self.runs(&input, &mut || input.reader(unpack), (sought, search.limit), &mut seen)?;
        }
        let totals = Totals { errors: totals.errors + runs, ..totals };
        let broken = broken.map(Error::from).or(seen.broken);
        self.file(&input, search.charset, Seen { totals, broken, seeming, unpack, ..seen })
    }

    /// Reports the wanted findings of an input that can be read only once.
    fn read(&mut self, input: &Input, search: Search, checker: &Checker<'_>) -> Result<Seen> {
        let judges = checker.judges(search.charset);
        let unpack = checker.unpack;
        let mut body = match Body::unpacked(input, unpack) {
            Ok(body) => body,
            Err(error) => return Ok(Seen::failed(error)),
        };
        if judges {
            body = body.keep_if_short();
        }
        if checker.sought(input, search.charset) != Sought::NONE || judges && body.is_rereadable() {
            return self.read_twice(input, body, search, checker);
        }
        let subject = Subject { input, charset: search.charset, seeming: None, unpack };
        let mut reader = Overheard { reader: self.done.watch(body), judge: judges.then(Judge::new) };
        let seen = self.locate(subject, &mut reader, search, &[], search.limit)?;
        let judge = reader.judge.filter(|_| seen.totals.errors > 0);
        let seeming = judge.and_then(Judge::finish).filter(|s| !(search.heeds_marks && s.has_mark()));
        // Else nothing is wanted, or all errors are known.
        if seen.shown > 0 {
            self.tell(Subject { seeming: seeming.as_ref(), ..subject }, None, seen.totals.errors)?;
        }
        Ok(Seen { seeming, unpack, ..seen })
    }

    /// Like [`Tally::read`], but keeps the input, up to where it breaks off, and reads it again: for runs of mojibake,
    /// and for what it seems to be as a whole.
    fn read_twice(
        &mut self,
        input: &Input,
        mut body: Body,
        search: Search,
        checker: &Checker<'_>,
    ) -> Result<Seen> {
        let unpack = checker.unpack;
        let broken = match body.keep_unbroken(Some(&self.done)) {
            Ok(broken) => broken,
            Err(error) => return Ok(Seen::failed(error)),
        };
        // The reason is reported once.
        let again = broken.as_ref().map(io::Error::kind);
        let counting = Search { limit: 0, ..search };
        let (Totals { errors, .. }, _) = locate::search(&mut body, counting, &mut |_| anyhow::Ok(()))?;
        let mut seeming = None;
        if errors > 0 && checker.judges(search.charset) {
            body.rewind()?;
            seeming = Seeming::of(&mut body)?.filter(|s| !(search.heeds_marks && s.has_mark()));
        }
        body.rewind()?;
        let said = if seeming.is_none() && checker.hears(search) { contradiction(&mut body)? } else { None };
        body.rewind()?;
        let said = said.map(|breach| breach.show(&mut body, search.charset)).transpose()?;
        body.rewind()?;
        let subject = Subject { input, charset: search.charset, seeming: seeming.as_ref(), unpack };
        let breaches = (said.as_slice(), search.limit);
        let mut reader = body.by_ref().chain(End(broken));
        let mut seen = self.findings(subject, &mut reader, search, breaches, errors)?;
        seen.totals.errors += said.iter().count() as u64;
        if seeming.is_none() {
            let mut kept = Kept { body: &mut body, end: again };
            let sought = checker.sought(input, search.charset);
            self.runs(input, &mut kept, (sought, search.limit), &mut seen)?;
        }
        Ok(Seen { seeming, unpack, ..seen })
    }

    /// Reports up to `limit` findings of an input, or what it seems to be, if that says more.
    fn findings(
        &mut self,
        subject: Subject<'_>,
        reader: &mut dyn Read,
        wanted: Search,
        (breaches, limit): (&[Shown], u64),
        malformed: u64,
    ) -> Result<Seen> {
        let stands_for = |seeming: &Seeming| seeming.stands_for(malformed);
        if limit == 0
            || self.known.asks()
            || !self.report.sums_up()
            || !subject.seeming.is_some_and(stands_for)
        {
            let seen = self.locate(subject, reader, wanted, breaches, limit)?;
            if seen.shown > 0 {
                self.tell(subject, None, malformed)?;
            }
            return Ok(seen);
        }
        for breach in breaches {
            self.report.finding(subject, &breach.finding())?;
        }
        let mut place = None;
        let first = Search { limit: 1, ..wanted };
        let (totals, broken) = locate::search(reader, first, &mut |finding: &Finding<'_>| {
            place = Some((finding.line, finding.column, finding.offset));
            anyhow::Ok(())
        })?;
        self.tell(subject, place, malformed)?;
        Ok(Seen { totals, shown: u64::MAX, broken: broken.map(Error::from), ..Seen::default() })
    }

    /// Reports what a file seems to be as a whole, if not UTF-8: with its place instead of its errors, or after them.
    fn tell(&mut self, subject: Subject<'_>, place: Option<(u64, u64, u64)>, malformed: u64) -> Result<()> {
        let Some(seeming) = subject.seeming.filter(|seeming| seeming.is_likely()) else { return Ok(()) };
        // The hint of a single byte says already that it is windows-1252.
        let is_told = place.is_some() || !seeming.allows_windows_1252() || seeming.stands_for(malformed);
        let report = &mut self.report;
        if is_told && report.sums_up() {
            let foreign = Foreign { seeming, malformed, place };
            self.progress.suspend(|| report.foreign(subject, foreign))?;
        }
        Ok(())
    }

    /// Reports up to `limit` findings of an input, breaches of rules among them.
    fn locate(
        &mut self,
        subject: Subject<'_>,
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
        let mut breaches = breaches.iter().peekable();
        let mut show = |finding: &Finding<'_>| {
            if baseline.has(subject.input.path(), finding) {
                known += 1;
                return Ok(());
            }
            if shown == limit {
                return Ok(());
            }
            shown += 1;
            progress.suspend(|| report.finding(subject, finding))?;
            // An input may never end: each finding is written at once.
            if wanted.only_findings { Ok(()) } else { report.flush() }
        };
        let (totals, broken) = locate::search(reader, wanted, &mut |finding: &Finding<'_>| {
            let before = std::iter::from_fn(|| breaches.next_if(|b| b.breach.offset <= finding.offset));
            before.map(Shown::finding).try_for_each(|f| show(&f))?;
            show(finding)
        })?;
        breaches.map(Shown::finding).try_for_each(|f| show(&f))?;
        Ok(Seen { totals, shown, known, broken: broken.map(Error::from), ..Seen::default() })
    }

    /// Counts the runs of an input that are looked for, and reports those for which `limit` has room.
    fn runs(
        &mut self,
        input: &Input,
        source: &mut dyn Source,
        (sought, limit): (Sought, u64),
        seen: &mut Seen,
    ) -> Result<()> {
        let (report, progress, baseline) = (&mut self.report, &self.progress, &mut self.known);
        let left = if baseline.asks() { u64::MAX } else { limit.saturating_sub(seen.shown) };
        let mut show = |run: &Run<'_>| {
            if baseline.has_run(input.path(), run) {
                seen.known += 1;
                return Ok(());
            }
            if seen.shown >= limit {
                return Ok(());
            }
            seen.shown += 1;
            progress.suspend(|| report.run(input, run))
        };
        let (runs, broken) = run::search(source, sought, left, &mut show)?;
        seen.totals.errors += runs;
        seen.broken = seen.broken.take().or(broken.map(Error::from));
        Ok(())
    }

    fn file(&mut self, input: &Input, charset: Charset, seen: Seen) -> Result<()> {
        let Seen { totals, shown, known, broken, seeming, unpack } = seen;
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
            let subject = Subject { input, charset, seeming: seeming.as_ref(), unpack };
            self.progress.suspend(|| {
                self.report.file(subject, totals, shown)?;
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
    /// An input that could not be read, for this reason.
    fn failed(error: impl Into<Error>) -> Seen {
        Seen { broken: Some(error.into()), ..Seen::default() }
    }
}
