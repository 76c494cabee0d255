//! Reports what became of each entry, and counts.

use std::io::{self, Seek as _, Write as _};

use anyhow::Result;

use super::Args;
use super::job::Fate;
use crate::console::{self, say};
use crate::escape;
use crate::input::{Input, Packed};
use crate::outcome::{Outcome, is_broken_pipe};
use crate::portion;
use crate::walk::Entry;
use placemat_text::repair::advice;
use placemat_text::repair::wording;

/// An entry, and what became of it.
pub(super) struct Done {
    input: Option<Input>,
    fate: Result<Fate>,
}

impl Done {
    pub(super) fn of(entry: Entry, repair: impl FnOnce(&Input) -> Result<Fate>) -> Done {
        match entry {
            Entry::Skipped(_) => Done { input: None, fate: Ok(Fate::Skipped) },
            Entry::Failed(path, error) => Done { input: Some(Input::named(path)), fate: Err(error.into()) },
            Entry::Input(input) => Done { fate: repair(&input), input: Some(input) },
        }
    }
}

/// Reports what was done, in order, and counts.
pub(super) struct Tally<'a> {
    args: &'a Args,
    pub(super) outcome: Outcome,
    repaired: u64,
    well_formed: u64,
    refused: u64,
    ruled: u64,
    skipped: u64,
    failed: u64,
}

impl Tally<'_> {
    pub(super) fn new(args: &Args) -> Tally<'_> {
        let (repaired, well_formed, refused, ruled, skipped, failed) = (0, 0, 0, 0, 0, 0);
        Tally { args, outcome: Outcome::Clean, repaired, well_formed, refused, ruled, skipped, failed }
    }

    pub(super) fn take(&mut self, done: Done) -> Result<()> {
        let input = done.input.unwrap_or(Input::Stdin);
        match done.fate {
            Ok(Fate::Skipped) => self.skipped += 1,
            Ok(Fate::WellFormed) => self.well_formed += 1,
            Ok(Fate::Ruled(demand)) => {
                self.ruled += 1;
                if matches!(input, Input::Named(_)) && !self.args.silent {
                    say(&format!("{input}: {}", demand.reason()));
                }
            }
            Ok(Fate::Refused(found)) => {
                self.refused += 1;
                self.outcome = self.outcome.max(Outcome::Found);
                let unpack = self.args.selection.unpack;
                let advice =
                    compressed(&input, unpack).unwrap_or_else(|| advice::of(input.file(), &found, unpack));
                say(&format!("{input}: {advice}"));
            }
            Ok(Fate::Unclear(advice)) => {
                self.refused += 1;
                self.outcome = self.outcome.max(Outcome::Found);
                say(&format!("{input}: {advice}"));
            }
            Ok(Fate::Repaired(counts, diff, left)) => {
                if !left.is_empty() {
                    self.outcome = self.outcome.max(Outcome::Found);
                    say(&format!("{input}: {}", left.sentence()));
                }
                if counts.is_empty() {
                    self.refused += 1;
                    return Ok(());
                }
                self.repaired += 1;
                if self.args.diff || self.args.dry_run {
                    self.outcome = self.outcome.max(Outcome::Found);
                }
                if let Some(mut diff) = diff {
                    diff.rewind()?;
                    let mut out = console::coloured();
                    io::copy(&mut diff, &mut out)?;
                    out.flush()?;
                }
                let text = format!("{input}: {}", wording::counts(&counts));
                match self.args.dry_run {
                    true => writeln!(console::coloured(), "{text}")?,
                    // A diff shows it already.
                    false if self.args.silent || self.args.diff => {}
                    false => say(&text),
                }
            }
            Err(error) if is_broken_pipe(&error) && self.args.in_place.is_none() => return Err(error),
            Err(error) => {
                self.failed += 1;
                self.outcome = Outcome::Trouble;
                say(&escape::about(&input.to_string(), &escape::message(&error)));
            }
        }
        Ok(())
    }

    pub(super) fn summary(&self) {
        let is_done = self.args.in_place.is_some() && !self.args.dry_run;
        console::summary(&[
            (self.repaired, if is_done { "repaired" } else { "to repair" }),
            (self.well_formed, "well-formed"),
            (self.refused, "refused"),
            (self.ruled, "excluded by rules"),
            (self.skipped, "skipped"),
            (self.failed, "left after an error"),
        ]);
    }
}

/// What to do with a file that is compressed, if it was read without `unpack`.
fn compressed(input: &Input, unpack: bool) -> Option<String> {
    if unpack || *input == Input::Stdin {
        return None;
    }
    let (file, _) = input.open().ok().filter(|(_, is_file)| *is_file)?;
    let format = Packed::of(&portion::head(&file).ok()?)?;
    Some(format!("is compressed ({format}): -z unpacks it"))
}
