//! Several inputs, decoded one by one and written as one text.

use std::io::{self, Read as _, Write};

use anyhow::Result;

use super::BLOCK;
use super::options::Options;
use super::source::{Source, Unread};
use super::stopped::complaint;
use crate::input::Input;
use crate::outcome::Outcome;
use crate::pipeline::{Halt, Pipeline, Place};
use crate::shown;

/// What comes in turns: the output, and what is said of it.
pub(super) struct Join<'a> {
    options: &'a Options,
    out: &'a mut (dyn Write + Send),
    say: &'a mut dyn FnMut(&str),
    outcome: Outcome,
    /// What policies replaced.
    errors: u64,
}

impl<'a> Join<'a> {
    pub(super) fn new(
        options: &'a Options,
        out: &'a mut (dyn Write + Send),
        say: &'a mut dyn FnMut(&str),
    ) -> Join<'a> {
        Join { options, out, say, outcome: Outcome::Clean, errors: 0 }
    }

    /// Convert the inputs. One that stops or cannot be read is no reason to leave the next one out.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub(super) fn run(mut self, inputs: &[Input]) -> Result<Outcome> {
        let written = self.each(inputs);
        // Where it stopped was told beside the results.
        Ok(self.outcome.max(self.outcome.after(written)?))
    }

    fn each(&mut self, inputs: &[Input]) -> Result<()> {
        let mut pipeline = None;
        for input in inputs {
            match Source::open(input, self.options) {
                Err(unread) => self.left_out(input, unread),
                Ok(mut source) => {
                    let (done, place) = self.convert(&mut source, inputs.len() == 1, &mut pipeline);
                    self.conclude(input, &mut source, done, place)?;
                }
            }
        }
        if let (Some(mut pipeline), Some(last)) = (pipeline, inputs.last()) {
            match pipeline.finish(self.out) {
                Err(Halt::Stopped(stopped)) => {
                    let (to, kind) = (self.options.settings.to, stopped.error.kind());
                    self.stopped(&format!("{last}: what it ends with cannot be written as {to}: {kind}"));
                }
                Err(Halt::Output(error) | Halt::Input(error)) => return Err(error.into()),
                Ok(()) => {}
            }
            self.errors += pipeline.errors();
        }
        if self.errors > 0 && self.outcome == Outcome::Clean && !self.options.silent {
            let subject = if let [input] = inputs { format!("{input}: ") } else { String::new() };
            let errors = self.errors;
            (self.say)(&format!("{subject}{errors} {}", self.options.verb));
        }
        Ok(())
    }

    /// Convert one input up to its end, or to where the policy stops; by several threads if it is `alone` and large.
    fn convert(
        &mut self,
        source: &mut Source,
        alone: bool,
        pipeline: &mut Option<Pipeline>,
    ) -> (Result<(), Halt>, Option<Place>) {
        let (settings, threads) = (self.options.settings, self.options.threads);
        if alone
            && threads > 1
            && let Some(large) = source.large(settings)
        {
            return (large.convert(threads, self.out).map(|errors| self.errors += errors), None);
        }
        if let Some(pipeline) = pipeline {
            pipeline.next(source.charset());
        }
        let pipeline = pipeline.get_or_insert_with(|| Pipeline::new(source.charset(), settings));
        // What can be read only once is counted as it passes.
        let mut place = (!source.is_rereadable()).then(|| Place::new(source.charset()));
        let mut block = vec![0; BLOCK];
        let mut offset = 0;
        loop {
            let read = match source.read(&mut block) {
                Ok(0) => return (pipeline.finish_input(self.out), place),
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return (Err(Halt::Input(error)), place),
            };
            let block = &block[..read];
            let pushed = pipeline.push(block, self.out);
            if let Some(place) = &mut place {
                let wanted = match &pushed {
                    Err(Halt::Stopped(stopped)) => stopped.error.offset().saturating_sub(offset) as usize,
                    _ => read,
                };
                place.pass(&block[..wanted.min(read)]);
            }
            if pushed.is_err() {
                return (pushed, place);
            }
            offset += read as u64;
        }
    }

    /// Say how one input ended, if not well.
    fn conclude(
        &mut self,
        input: &Input,
        source: &mut Source,
        done: Result<(), Halt>,
        place: Option<Place>,
    ) -> Result<()> {
        match done {
            Ok(()) => {}
            Err(Halt::Output(error)) => return Err(error.into()),
            Err(Halt::Input(error)) => self.left_out(input, error.into()),
            Err(Halt::Stopped(stopped)) => {
                let place = place.or_else(|| source.place(stopped.error.offset()).ok());
                let (from, to) = (source.charset(), self.options.settings.to);
                self.stopped(&complaint(input, from, to, place.as_ref(), &stopped));
            }
        }
        Ok(())
    }

    fn stopped(&mut self, complaint: &str) {
        (self.say)(complaint);
        self.outcome = self.outcome.max(Outcome::Found);
    }

    fn left_out(&mut self, input: &Input, unread: Unread) {
        let (outcome, reason) = match unread {
            Unread::Trouble(error) => (Outcome::Trouble, shown::message(&error)),
            Unread::NoneFits(reasons) => (Outcome::Found, reasons),
        };
        (self.say)(&format!("{input}: {reason}"));
        self.outcome = self.outcome.max(outcome);
    }
}
