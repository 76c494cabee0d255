//! `--in-place`: each file of a selection is replaced by its conversion, several at a time.

use std::ffi::OsStr;
use std::sync::Arc;
use std::{io, slice};

use anyhow::{Context as _, Result, bail};

use super::join::Join;
use super::options::{Candidate, Options};
use crate::console;
use crate::escape;
use crate::input::Input;
use crate::input::is_binary;
use crate::outcome::Outcome;
use crate::progress::{Done as Progressed, Progress};
use crate::replace::{Protection, Replacement};
use crate::rules::Rulebook;
use crate::spans::head;
use crate::walk::{Entry, Walk};

/// What is done to each file.
pub(super) struct Job<'a> {
    pub(super) options: &'a Options,
    pub(super) rules: &'a Rulebook,
    /// What a file is in may be said by a rule.
    pub(super) heeds_forms: bool,
    /// Binary files of a tree are read too.
    pub(super) binary: bool,
    pub(super) protection: Protection,
    /// Appended to the name under which the original is kept.
    pub(super) suffix: Option<&'a str>,
}

/// What became of one file.
struct Done {
    outcome: Outcome,
    fate: Fate,
    complaints: Vec<String>,
}

/// What is counted.
#[derive(Clone, Copy)]
enum Fate {
    Replaced,
    /// Its conversion is what it was.
    Unchanged,
    /// Binary, hidden, or not a file.
    Skipped,
    /// Its faults are allowed.
    Ruled,
    /// Left as it was, for the reason told.
    Left,
}

impl Fate {
    /// In their order.
    const NAMES: [&str; 5] = ["replaced", "unchanged", "skipped", "left to the rules", "left as they were"];
}

impl Job<'_> {
    pub(super) fn run(&self, walk: &Walk) -> Result<Outcome> {
        if walk.inputs().is_empty() {
            bail!("--in-place: which files?");
        }
        let mut outcome = Outcome::Clean;
        let mut counts = [0; 5];
        let pool = &self.options.pool;
        let progress = Progress::start(&pool.done);
        let mut take = |done: Done| {
            progress.suspend(|| done.complaints.iter().for_each(|text| super::say(text)));
            outcome = outcome.max(done.outcome);
            counts[done.fate as usize] += 1;
            Ok(())
        };
        if walk.is_single() {
            let _permit = pool.permit();
            walk.each(&mut |entry| take(self.entry(entry, &pool.done)).is_ok());
            return Ok(outcome);
        }
        let each = |put: &mut dyn FnMut(Entry) -> bool| walk.each_once(self.protection.no_follow, put);
        pool.in_order(each, |entry| self.entry(entry, &pool.done), take)?;
        drop(progress);
        if !self.options.silent {
            console::summary(&counts.into_iter().zip(Fate::NAMES).collect::<Vec<_>>());
        }
        Ok(outcome)
    }

    fn entry(&self, entry: Entry, done: &Arc<Progressed>) -> Done {
        let mut complaints = Vec::new();
        let (outcome, fate) = match entry {
            Entry::Skipped(_) => (Outcome::Clean, Fate::Skipped),
            Entry::Failed(path, error) => {
                complaints.push(format!("{}: {error}", escape::path(&path)));
                (Outcome::Trouble, Fate::Left)
            }
            Entry::Input(input) => self.replace(&input, done, &mut complaints).unwrap_or_else(|error| {
                complaints.push(escape::message(&error));
                (Outcome::Trouble, Fate::Left)
            }),
        };
        Done { outcome, fate, complaints }
    }

    fn replace(
        &self,
        input: &Input,
        done: &Arc<Progressed>,
        complaints: &mut Vec<String>,
    ) -> Result<(Outcome, Fate)> {
        if *input == Input::Stdin {
            bail!("--in-place: standard input has no place");
        }
        let demand = self.rules.of(input);
        if demand.is_allowed {
            if matches!(input, Input::Named(_)) && !self.options.silent {
                complaints.push(format!("{input}: {}", demand.reason()));
            }
            return Ok((Outcome::Clean, Fate::Ruled));
        }
        let ruled = demand.charset.filter(|_| self.heeds_forms).map(Candidate::Named);
        let from = ruled.as_ref().map_or(&self.options.from[..], slice::from_ref);
        if let Some(Candidate::Named(charset)) = ruled {
            self.options.check(charset).with_context(|| input.to_string())?;
        }
        let skips_binary = !self.binary && from.iter().all(is_bytewise);
        if let Input::Found(_) = input {
            let is_fit = || {
                let (file, is_file) = input.open()?;
                Ok::<_, io::Error>(is_file && !(skips_binary && is_binary(&head(&file)?)))
            };
            if !is_fit().with_context(|| input.to_string())? {
                return Ok((Outcome::Clean, Fate::Skipped));
            }
        }
        let mut out = Replacement::in_place(input.path(), self.protection)?;
        let inputs = slice::from_ref(input);
        let mut say = |text: &str| complaints.push(text.to_owned());
        let join = Join { options: self.options, from, done, say: &mut say };
        let joined = join.run(inputs, &mut out).with_context(|| input.to_string())?;
        if joined.outcome != Outcome::Clean {
            return Ok((joined.outcome, Fate::Left));
        }
        let fate = if out.commit(self.suffix.map(OsStr::new))? { Fate::Replaced } else { Fate::Unchanged };
        complaints.extend(joined.remarks);
        Ok((joined.outcome, fate))
    }
}

/// Whether its units are bytes, so that a NUL is out of the way.
fn is_bytewise(candidate: &Candidate) -> bool {
    match candidate {
        Candidate::Named(charset) => charset.unit() == 1,
        // A guess takes what has no mark and many NULs for binary anyway.
        Candidate::Auto => true,
    }
}
