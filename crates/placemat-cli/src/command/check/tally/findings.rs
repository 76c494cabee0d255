//! Reports the findings of one input, as many as are wanted.

use std::io::Read;

use anyhow::{Error, Result};

use super::{Seen, Tally};
use crate::input::Input;
use crate::report::{Foreign, Subject};
use placemat_text::faults::Finding;
use placemat_text::faults::breach::Shown;
use placemat_text::faults::locate::{self, Search};
use placemat_text::faults::run::{self, Run, Sought, Source};
use placemat_text::faults::seeming::Seeming;

impl Tally {
    /// Reports up to `limit` findings of an input, or what it seems to be, if that says more.
    pub(super) fn findings(
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
    pub(super) fn tell(
        &mut self,
        subject: Subject<'_>,
        place: Option<(u64, u64, u64)>,
        malformed: u64,
    ) -> Result<()> {
        let Some(seeming) = subject.seeming.filter(|seeming| seeming.is_likely() || seeming.is_mixed())
        else {
            return Ok(());
        };
        // The hint of a single byte says already that it is windows-1252.
        let is_told = place.is_some()
            || seeming.is_mixed()
            || !seeming.allows_windows_1252()
            || seeming.stands_for(malformed);
        let report = &mut self.report;
        if is_told && report.sums_up() {
            let foreign = Foreign { seeming, malformed, place };
            self.progress.suspend(|| report.foreign(subject, foreign))?;
        }
        Ok(())
    }

    /// Reports up to `limit` findings of an input, breaches of rules among them.
    pub(super) fn locate(
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
    pub(super) fn runs(
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
}
