//! Counting the errors of one input.

use std::io;
use std::path::PathBuf;

use placemat::{Form, bom};

use super::Args;
use crate::crew::Crew;
use crate::input::{Input, Packed, is_binary};
use crate::scan::Totals;
use crate::scan::locate::{Search, search};
use crate::scan::misread;
use crate::scan::spans::{self, Cut};
use crate::walk::Entry;

/// Checks one input.
pub(super) struct Checker<'a> {
    pub(super) search: Search,
    /// Files of a tree that look binary are read too.
    binary: bool,
    pub(super) unpack: bool,
    /// Runs of mojibake are looked for.
    pub(super) mojibake: bool,
    crew: &'a Crew,
}

/// What became of one entry.
pub(super) enum Checked {
    Counted(Input, Totals),
    /// It can be read only once, so it waits for its turn.
    AtTurn(Input),
    /// The same, and it has so many runs of mojibake.
    Misread(Input, Totals, u64),
    Skipped,
    Failed(PathBuf, io::Error),
}

impl Checker<'_> {
    pub(super) fn new<'a>(args: &Args, crew: &'a Crew) -> Checker<'a> {
        let form = args.form.unwrap_or(Form::Utf8);
        let search = Search { heeds_marks: args.form.is_none(), limit: args.limit(), ..Search::new(form) };
        // In a form of wider units a NUL is nothing out of the way.
        let binary = args.selection.binary || form.facts().width.0 > 1;
        Checker { search, binary, unpack: args.selection.unpack, mojibake: args.mojibake, crew }
    }

    pub(super) fn check(&self, entry: Entry) -> Checked {
        match entry {
            Entry::Skipped => Checked::Skipped,
            Entry::Failed(path, error) => Checked::Failed(path, error),
            Entry::Input(Input::Stdin) => Checked::AtTurn(Input::Stdin),
            Entry::Input(input) => {
                let path = input.path().to_path_buf();
                let checked = self.count(input).and_then(|checked| self.misread(checked));
                checked.unwrap_or_else(|error| Checked::Failed(path, error))
            }
        }
    }

    fn count(&self, input: Input) -> io::Result<Checked> {
        let (file, is_file) = input.open()?;
        let is_found = matches!(input, Input::Found(_));
        match is_file {
            false if is_found => return Ok(Checked::Skipped),
            false => return Ok(Checked::AtTurn(input)),
            true => {}
        }
        let head = spans::head(&file)?;
        if self.unpack && Packed::of(&head).is_some() {
            return self.count_stream(input);
        }
        if is_found && !self.binary && is_binary(&head) {
            return Ok(Checked::Skipped);
        }
        if self.search.form != Form::Utf8 {
            return self.count_stream(input);
        }
        if self.search.heeds_marks && bom::sniff(&head).is_some_and(|(form, _)| form != Form::Utf8) {
            let bytes = file.metadata()?.len();
            return Ok(Checked::Counted(input, Totals { bytes, errors: 1 }));
        }
        let totals = spans::count(&file, self.crew, Cut::default())?;
        Ok(Checked::Counted(input, totals))
    }

    /// Count the runs of mojibake as well, if that is wanted.
    fn misread(&self, checked: Checked) -> io::Result<Checked> {
        let Checked::Counted(input, totals) = checked else { return Ok(checked) };
        if !self.mojibake {
            return Ok(Checked::Counted(input, totals));
        }
        match misread::search(&mut input.reader(self.unpack)?, 0, &mut |_| Ok(())) {
            Ok(0) => Ok(Checked::Counted(input, totals)),
            Ok(runs) => Ok(Checked::Misread(input, totals, runs)),
            Err(error) => Err(error.downcast().unwrap_or_else(io::Error::other)),
        }
    }

    /// Count what can only be read from the start to the end.
    fn count_stream(&self, input: Input) -> io::Result<Checked> {
        let mut reader = input.reader(self.unpack)?;
        if !self.binary {
            match input.unless_binary(reader)? {
                Some(text) => reader = text,
                None => return Ok(Checked::Skipped),
            }
        }
        let counting = Search { limit: 0, ..self.search };
        let mut whole = self.crew.done.watch(reader);
        match search(&mut whole, counting, &mut |_| Ok(())) {
            Ok(totals) => Ok(Checked::Counted(input, totals)),
            Err(error) => Err(error.downcast().unwrap_or_else(io::Error::other)),
        }
    }
}
