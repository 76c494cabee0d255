//! Several inputs, decoded one by one and written as one text.

use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use placemat_detect::Detection;

use super::BLOCK;
use super::options::{Candidate, Options};
use super::source::{Source, Unread};
use super::stopped::complaint;
use crate::escape;
use crate::input::{Input, read_some};
use crate::outcome::Outcome;
use crate::progress::Done;
use placemat_text::charset::{Charset, LEAD};
use placemat_text::convert::syllables::Syllables;
use placemat_text::convert::{Halt, Limited, Pipeline};
use placemat_text::notation::number;
use placemat_text::place::Place;

/// A conversion of several inputs to one output.
pub(super) struct Join<'a> {
    pub(super) options: &'a Options,
    /// The encodings that the inputs may be in, in the order of preference.
    pub(super) from: &'a [Candidate],
    pub(super) done: &'a Arc<Done>,
    pub(super) say: &'a mut dyn FnMut(&str),
}

/// The result of a conversion.
pub(super) struct Joined {
    pub(super) outcome: Outcome,
    /// Messages to print once the output is complete.
    pub(super) remarks: Vec<String>,
    /// The encoding in which the last input was read.
    pub(super) charset: Option<Charset>,
}

struct Joining<'a, 'b> {
    join: &'b mut Join<'a>,
    out: &'b mut (dyn Write + Send),
    outcome: Outcome,
    /// How many errors policies replaced.
    errors: u64,
    /// The output is as long as it may be.
    is_cut: bool,
    /// The encoding in which the last input was read.
    charset: Option<Charset>,
}

/// How one input ended, with the place and the detection that were found in passing.
struct Ended {
    result: Result<(), Halt>,
    place: Option<(u64, u64)>,
    looks: Option<Detection>,
}

impl Join<'_> {
    /// Converts the inputs. After one that stops or cannot be read, the next one is converted.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub(super) fn run(mut self, inputs: &[Input], out: &mut (dyn Write + Send)) -> Result<Joined> {
        let options = self.options;
        let mut out = Syllables::new(out, options.settings.to);
        let mut joining = Joining {
            join: &mut self,
            out: &mut out,
            outcome: Outcome::Clean,
            errors: 0,
            is_cut: false,
            charset: None,
        };
        let written = joining.each(inputs);
        let Joining { errors, outcome, is_cut, charset, .. } = joining;
        let is_said = outcome == Outcome::Clean && written.is_ok();
        // Where it stopped was reported: that counts even if the output was closed.
        let outcome = outcome.max(outcome.after(written)?);
        let subject = if let [input] = inputs { format!("{input}: ") } else { String::new() };
        let mut remarks = Vec::new();
        if is_said && errors > 0 && !options.silent {
            remarks.push(format!("{subject}{} {}", number(errors), options.verb));
        }
        if let Some(limit) = options.limit.filter(|_| is_said && is_cut && !options.silent) {
            remarks.push(format!("{subject}cut off after the last character that fits: --max-bytes {limit}"));
        }
        if is_said && !is_cut && out.are_missing() {
            let to = options.settings.to;
            let reason = "RFC 2279 keeps that label for text with Hangul of Unicode 1.1, and there is none";
            remarks.push(format!("{subject}written as {to}, but {reason}"));
        }
        Ok(Joined { outcome, remarks, charset })
    }
}

impl Joining<'_, '_> {
    fn each(&mut self, inputs: &[Input]) -> Result<()> {
        let mut pipeline = None;
        for input in inputs {
            match Source::open(input, self.join.from, self.join.options, self.join.done) {
                Err(unread) => self.left_out(input, unread),
                Ok(mut source) => {
                    self.charset = Some(source.charset());
                    let ended = self.convert(&mut source, inputs.len() == 1, &mut pipeline);
                    self.conclude(input, &mut source, ended)?;
                    self.join.done.add_file();
                }
            }
            if pipeline.as_ref().is_some_and(Limited::is_cut) {
                break;
            }
        }
        if let (Some(mut pipeline), Some(last)) = (pipeline, inputs.last()) {
            match pipeline.finish(self.out) {
                Err(Halt::Stopped(stopped)) => {
                    let (to, kind) = (self.join.options.settings.to, stopped.error.kind());
                    self.stopped(&format!("{last}: its end cannot be written as {to}: {kind}"));
                }
                Err(Halt::Output(error) | Halt::Input(error)) => return Err(error.into()),
                Ok(()) => {}
            }
            self.errors += pipeline.errors();
            self.is_cut = pipeline.is_cut();
        }
        Ok(())
    }

    /// Converts one input up to its end, or to where the policy stops; with several threads if it is `alone` and large.
    fn convert(&mut self, source: &mut Source, alone: bool, pipeline: &mut Option<Limited>) -> Ended {
        let Options { settings, pool, limit, transliterates, .. } = self.join.options;
        let (settings, transliterates) = (*settings, *transliterates);
        if alone
            && limit.is_none()
            && !transliterates
            && pool.size() > 1
            && let Some(large) = source.large(settings)
        {
            let result = large.convert(pool, self.out);
            return Ended::of(result.map(|errors| self.errors += errors));
        }
        if let Some(pipeline) = pipeline {
            pipeline.next(source.charset());
        }
        let pipeline = pipeline.get_or_insert_with(|| {
            let pipeline = Pipeline::new(source.charset(), settings);
            let pipeline = if transliterates { pipeline.transliterating() } else { pipeline };
            Limited::new(pipeline, limit.unwrap_or(u64::MAX))
        });
        // In an input that can be read only once, lines and columns are counted as it passes.
        let mut place = (!source.is_rereadable()).then(|| Place::new(source.charset()));
        let mut block = vec![0; BLOCK];
        let mut offset = 0;
        loop {
            let read = match read_some(source, &mut block) {
                Ok(0) => {
                    let result = pipeline.finish_input(self.out);
                    return Ended::of(result).placed(place, offset, &[]);
                }
                Ok(read) => read,
                Err(error) => {
                    // Half a character before it is no error of the text.
                    pipeline.next(source.charset());
                    return Ended::of(Err(Halt::Input(error)));
                }
            };
            let block = &block[..read];
            let pushed = pipeline.push(block, self.out);
            if pipeline.is_cut() {
                return Ended::of(pushed);
            }
            if pushed.is_err() {
                let looks = (offset == 0).then(|| placemat_detect::detect(block, false));
                return Ended { looks, ..Ended::of(pushed).placed(place, offset, block) };
            }
            if let Some(place) = &mut place {
                place.pass(block);
            }
            offset += read as u64;
            if !source.is_counted() {
                self.join.done.add_bytes(read as u64);
            }
        }
    }

    /// Reports how one input ended, if it stopped or could not be read.
    fn conclude(&mut self, input: &Input, source: &mut Source, ended: Ended) -> Result<()> {
        let Ended { result, place, looks } = ended;
        match result {
            Ok(()) => {}
            Err(Halt::Output(error)) => return Err(error.into()),
            Err(Halt::Input(error)) => self.left_out(input, error.into()),
            Err(Halt::Stopped(stopped)) => {
                let place = place.or_else(|| source.place(&stopped).ok());
                let (from, to) = (source.charset(), self.join.options.settings.to);
                let detect = || if source.is_rereadable() { source.detect() } else { looks };
                self.stopped(&complaint(input, from, to, place, &stopped, self.join.options.unpack, detect));
            }
        }
        Ok(())
    }

    fn stopped(&mut self, complaint: &str) {
        (self.join.say)(complaint);
        self.outcome = self.outcome.max(Outcome::Found);
    }

    fn left_out(&mut self, input: &Input, unread: Unread) {
        let (outcome, reason) = match unread {
            Unread::Trouble(error) => (Outcome::Trouble, escape::message(&error)),
            Unread::NoneFits(reasons) => (Outcome::Found, reasons),
        };
        (self.join.say)(&format!("{input}: {reason}"));
        self.outcome = self.outcome.max(outcome);
    }
}

impl Ended {
    fn of(result: Result<(), Halt>) -> Ended {
        Ended { result, place: None, looks: None }
    }

    /// Adds line and column, if it stopped in this block. `place` counts all that precedes the block, which is at `offset`.
    fn placed(mut self, place: Option<Place>, offset: u64, block: &[u8]) -> Ended {
        if let (Err(Halt::Stopped(stopped)), Some(mut place)) = (&self.result, place) {
            let wanted = stopped.error.offset();
            let (before, behind) = block.split_at(block.len().min(wanted.saturating_sub(offset) as usize));
            place.pass(before);
            self.place =
                Some(place.of(stopped.error.offset(), stopped.code_point, &behind[..behind.len().min(LEAD)]));
        }
        self
    }
}
