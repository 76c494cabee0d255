//! Passes what was checked to the report, in order.

mod findings;

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
use placemat_text::faults::Totals;
use placemat_text::faults::breach::Breach;
use placemat_text::faults::declaration::contradiction;
use placemat_text::faults::locate::{self, Search};
use placemat_text::faults::run::{Sought, Source};
use placemat_text::faults::seeming::{Judge, Overheard, Seeming};

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
        let opened = Body::open(input).and_then(|body| {
            let body = if judges { body.keep_if_short() } else { body };
            if unpack { body.unpack() } else { Ok(body) }
        });
        let body = match opened {
            Ok(body) => body,
            Err(error) => return Ok(Seen::failed(error)),
        };
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
        // What breaks off where it is read again, as damaged packed data does, is not judged. The reason is reported below.
        if errors > 0 && checker.judges(search.charset) {
            body.rewind()?;
            let judged = Seeming::of(&mut body).unwrap_or_default();
            seeming = judged.filter(|s| !(search.heeds_marks && s.has_mark()));
        }
        body.rewind()?;
        let is_utf8 = seeming.as_ref().is_none_or(Seeming::is_utf8);
        let hears = is_utf8 && checker.hears(search);
        let said = if hears { contradiction(&mut body).unwrap_or_default() } else { None };
        body.rewind()?;
        let said = said.map(|breach| breach.show(&mut body, search.charset)).transpose()?;
        body.rewind()?;
        let subject = Subject { input, charset: search.charset, seeming: seeming.as_ref(), unpack };
        let breaches = (said.as_slice(), search.limit);
        let mut reader = body.by_ref().chain(End(broken));
        let mut seen = self.findings(subject, &mut reader, search, breaches, errors)?;
        seen.totals.errors += said.iter().count() as u64;
        if is_utf8 {
            let mut kept = Kept { body: &mut body, end: again };
            let sought = checker.sought(input, search.charset);
            self.runs(input, &mut kept, (sought, search.limit), &mut seen)?;
        }
        Ok(Seen { seeming, unpack, ..seen })
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
