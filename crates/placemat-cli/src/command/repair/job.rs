//! Diagnoses and repairs one input.

use std::ffi::OsStr;
use std::io::{self, BufWriter, IntoInnerError, Write};
use std::sync::Arc;

use anyhow::{Result, bail};
use placemat::invisible::Kinds;
use placemat_detect::Detection;
use tempfile::SpooledTempFile;

use super::fields;
use super::reading;
use super::report::{Record, Report, record};
use super::sink::{Left, Sink};
use super::turns::Turn;
use crate::console::Stdout;
use crate::input::{Body, Input, is_binary};
use crate::portion::head;
use crate::progress::Done;
use crate::replace::{Protection, Replacement, require_regular};
use crate::report::human::width;
use crate::rules::Rulebook;
use placemat_text::charset::{Legacy, guess};
use placemat_text::repair::advice;
use placemat_text::repair::blocks::Blocks;
use placemat_text::repair::choice::{Choice, needs_its_controls};
use placemat_text::repair::diff::Diff;
use placemat_text::repair::mend::{Change, Mender, Mending, Reading};
use placemat_text::repair::wording::Counts;
use placemat_text::rules::Demand;
use placemat_text::structure::{FieldMender, Mended, Structure};

/// What is done to each input.
pub(super) struct Job<'a> {
    pub(super) mending: Mending,
    /// The structure that holds the text, if it is not text alone.
    pub(super) structure: Option<Structure>,
    /// The second encoding, if it is named.
    pub(super) second: Option<Legacy>,
    /// U+FFFD was asked for.
    pub(super) is_lossy: bool,
    /// Sequences that could only become U+FFFD stay as they are.
    pub(super) leaves: bool,
    pub(super) target: Target<'a>,
    pub(super) rules: &'a Rulebook,
    pub(super) report: Option<&'a Report>,
    pub(super) unpack: bool,
    /// Binary files of a tree are read too.
    pub(super) binary: bool,
    pub(super) done: &'a Arc<Done>,
}

/// How one text is repaired.
struct How {
    mending: Mending,
    reading: Reading,
    structure: Option<Structure>,
}

/// Where a repaired text goes.
pub(super) enum Target<'a> {
    Stdout,
    /// In place of the file; with a suffix the original is kept under another name.
    InPlace {
        protection: Protection,
        suffix: Option<&'a str>,
    },
    Diff,
    /// Nowhere: changes are only counted.
    Counts,
}

/// What became of an input.
pub(super) enum Fate {
    WellFormed,
    /// How often each rule fired, the diff, and what stays as it is.
    Repaired(Counts, Option<SpooledTempFile>, Left),
    /// It is not clear how to repair it; this is the advice.
    Unclear(String),
    /// The rules say to leave it alone.
    Ruled(Demand),
    /// It is in another encoding as a whole.
    Refused(Box<Detection>),
    Skipped,
}

impl Job<'_> {
    /// Repairs one input.
    ///
    /// # Errors
    /// When it cannot be read or replaced; a file is then as it was.
    pub(super) fn run(&self, input: &Input, turn: Option<&Turn<'_>>) -> Result<Fate> {
        self.repair(input, turn).or_else(|error| match error.downcast_ref() {
            // Found only by repairing it, such as two keys of an object that the repair makes equal.
            Some(placemat_text::Error::Misfit(misfit)) => Ok(Fate::Unclear(misfit.to_string())),
            _ => Err(error),
        })
    }

    fn repair(&self, input: &Input, turn: Option<&Turn<'_>>) -> Result<Fate> {
        if let (Input::Stdin, Target::InPlace { .. }) = (input, &self.target) {
            bail!("--in-place: standard input is not a file that can be replaced");
        }
        if let Some(fate) = self.ruled(input) {
            return Ok(fate);
        }
        if let (Input::Named(path), Target::InPlace { .. }) = (input, &self.target) {
            // Checked before it is read: a FIFO may never end.
            require_regular(path)?;
        }
        if let Input::Found(_) = input {
            let (file, is_file) = input.open()?;
            if !is_file || !self.binary && is_binary(&head(&file)?) {
                return Ok(Fate::Skipped);
            }
        }
        let mut body = Body::unpacked(input, self.unpack)?;
        let is_counted = body.keep(Some(self.done))?;
        let is_well_formed = reading::is_well_formed(&mut body, (!is_counted).then_some(self.done))?;
        body.rewind()?;
        let mending = self.mending(input);
        let takes_controls = mending.takes_controls();
        if is_well_formed && !mending.mojibake && !takes_controls && self.structure.is_none() {
            if let Target::Stdout = self.target {
                io::copy(&mut body, &mut Stdout::open()?)?;
            }
            return Ok(Fate::WellFormed);
        }
        if is_well_formed && takes_controls {
            let found = guess::detect(&mut body)?;
            body.rewind()?;
            if needs_its_controls(&found) {
                return Ok(Fate::Refused(Box::new(found)));
            }
        }
        let (structure, reading) = if is_well_formed && self.structure.is_none() {
            (None, Reading::default())
        } else {
            let choice = Choice { mending: self.mending, second: self.second, is_lossy: self.is_lossy };
            match fields::judge(self.structure, &choice, input, &mut body, self.unpack)? {
                Ok(how) => how,
                Err(fate) => return Ok(fate),
            }
        };
        let how = How { mending, reading, structure };
        let record = match self.report {
            Some(_) if *input == Input::Stdin => {
                bail!("--report: standard input is not a file that --undo could restore")
            }
            Some(report) => Some(record(report.path_of(input.path())?)),
            None => None,
        };
        let (counts, left) = match &self.target {
            Target::Stdout => self.mend(body, &how, &mut Stdout::open()?, record, turn)?,
            Target::Counts => self.mend(body, &how, &mut io::sink(), record, turn)?,
            Target::InPlace { protection, suffix } => {
                drop(body);
                self.in_place(input, &how, *protection, suffix.map(OsStr::new), record, turn)?
            }
            Target::Diff => {
                let out = BufWriter::new(tempfile::spooled_tempfile(1 << 20));
                let mut diff = Diff::new(out, &input.to_string(), width());
                let mut nowhere = io::sink();
                let mut sink = Sink::new(&mut nowhere, record);
                let left = self.each_block(body, &how, |block, changes, offset| {
                    diff.block(block, changes)?;
                    sink.block(block, changes, offset)
                })?;
                let (counts, record) = (sink.counts, sink.record);
                self.add(record, &counts, turn)?;
                let diff = diff.finish().into_inner().map_err(IntoInnerError::into_error)?;
                return Ok(fate(counts, Some(diff), left));
            }
        };
        Ok(fate(counts, None, left))
    }

    /// What to repair in this input: rules may allow kinds of characters that are not shown.
    fn mending(&self, input: &Input) -> Mending {
        let hidden = match self.mending.hidden {
            Kinds::NONE => Kinds::NONE,
            kinds => self.rules.of(input).forbidden(Some(kinds)),
        };
        Mending { hidden, ..self.mending }
    }

    /// What the rules decide, if they do. `allow` means nothing on standard output, as no file changes.
    fn ruled(&self, input: &Input) -> Option<Fate> {
        let demand = self.rules.of(input);
        match (&self.target, demand.other_than_utf8()) {
            (Target::Stdout, Some(charset)) => {
                Some(Fate::Unclear(advice::ruled(input.file(), charset, self.unpack)))
            }
            (Target::Stdout, None) => None,
            (_, other) => (demand.is_allowed || other.is_some()).then_some(Fate::Ruled(demand)),
        }
    }

    /// Replaces the file by its repair, once the report has the changes.
    fn in_place(
        &self,
        input: &Input,
        how: &How,
        protection: Protection,
        suffix: Option<&OsStr>,
        record: Option<Record>,
        turn: Option<&Turn<'_>>,
    ) -> Result<(Counts, Left)> {
        let mut out = Replacement::in_place(input.path(), protection)?;
        // Opened again, so that the bytes that are repaired are those with which the replacement is compared.
        let body = Body::kept(input)?;
        let mut sink = Sink::new(&mut out, record);
        let left = self.each_block(body, how, |block, changes, offset| sink.block(block, changes, offset))?;
        let (counts, record) = (sink.counts, sink.record);
        if !counts.is_empty() {
            // Checked before the report has the changes.
            out.require_one_name()?;
            self.add(record, &counts, turn)?;
            out.commit(suffix)?;
        }
        Ok((counts, left))
    }

    /// Writes the repaired text, and the changes to the report.
    fn mend(
        &self,
        body: Body,
        how: &How,
        out: &mut dyn Write,
        record: Option<Record>,
        turn: Option<&Turn<'_>>,
    ) -> Result<(Counts, Left)> {
        let mut sink = Sink::new(out, record);
        let left = self.each_block(body, how, |block, changes, offset| sink.block(block, changes, offset))?;
        let (counts, record) = (sink.counts, sink.record);
        self.add(record, &counts, turn)?;
        Ok((counts, left))
    }

    fn add(&self, record: Option<Record>, counts: &Counts, turn: Option<&Turn<'_>>) -> Result<()> {
        match (self.report, record) {
            (Some(report), Some(record)) if !counts.is_empty() => {
                if let Some(turn) = turn {
                    turn.wait();
                }
                report.add(record)
            }
            _ => Ok(()),
        }
    }

    /// Repairs block by block. `take` gets each block, its changes, and where it starts.
    fn each_block(
        &self,
        body: Body,
        how: &How,
        mut take: impl FnMut(&[u8], &[Change], u64) -> Result<()>,
    ) -> Result<Left> {
        let mut left = Left::default();
        if let Some(structure) = how.structure {
            let mut mender = FieldMender::new(structure, body, how.mending, how.reading.clone());
            while let Some(Mended { text, offset, mut changes }) = mender.block()? {
                if self.leaves {
                    changes = left.without(text, changes, offset);
                }
                take(text, &changes, offset)?;
            }
            return Ok(left);
        }
        let mut blocks = Blocks::new(body);
        let mut mender = Mender::reading(how.mending, how.reading.clone());
        let mut offset = 0;
        loop {
            let next = blocks.block()?;
            let (block, is_last) = (next.text, next.is_last);
            let (settled, mut changes) = mender.next(next);
            if self.leaves {
                changes = left.without(&block[..settled], changes, offset);
            }
            take(&block[..settled], &changes, offset)?;
            offset += settled as u64;
            if is_last {
                return Ok(left);
            }
            blocks.settle(settled);
        }
    }
}

fn fate(counts: Counts, diff: Option<SpooledTempFile>, left: Left) -> Fate {
    if counts.is_empty() && left.is_empty() { Fate::WellFormed } else { Fate::Repaired(counts, diff, left) }
}
