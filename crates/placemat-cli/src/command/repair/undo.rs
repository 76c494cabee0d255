//! `--undo`: puts back the original bytes that a report has.
//!
//! The report is read to its end before anything is touched. It reaches only files below its own folder, not through links. A
//! file is replaced only if it has the content that the repair left, and if it then gets the content that the repair found.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use crate::console;
use crate::escape;
use crate::outcome::Outcome;
use crate::replace::{Protection, Replacement, open_itself};
use crate::report::human::{number, plural};
use placemat_text::repair::record::Hashing;
use placemat_text::repair::undo::{Entry, Lines, entries};

const NO_FILE: &str = "a report must be a file, since it is about files below its own folder";

/// The path in a report about standard input.
const STANDARD_INPUT: &str = "-";

/// How to undo.
pub(in crate::command) struct Undo<'a> {
    pub(in crate::command) report: &'a Path,
    pub(in crate::command) protection: Protection,
    /// Say what would be done, and touch nothing.
    pub(in crate::command) dry_run: bool,
    pub(in crate::command) silent: bool,
}

/// What became of a file.
enum Fate {
    PutBack,
    /// It is what it was before the repair.
    AsItWas,
    Refused(&'static str),
}

impl Undo<'_> {
    /// Puts everything back that can be.
    ///
    /// # Errors
    /// When the file is not a report; nothing was touched then.
    pub(in crate::command) fn run(&self) -> Result<Outcome> {
        let name = escape::path(self.report).to_string();
        ensure!(self.report.as_os_str() != "-", "--undo -: {NO_FILE}");
        let report = File::open(self.report).with_context(|| name.clone())?;
        // A pipe cannot be read again, and has no folder.
        let kind = report.metadata().with_context(|| name.clone())?.file_type();
        ensure!(kind.is_file() || kind.is_dir(), "--undo {name}: {NO_FILE}");
        let mut lines = Lines::new(report);
        let entries = entries(&mut lines).with_context(|| format!("{name}, line {}", lines.number.max(1)))?;
        let report = fs::canonicalize(self.report)?;
        let folder = report.parent().unwrap_or(Path::new("/"));
        let (mut outcome, mut put_back, mut as_it_was, mut refused) = (Outcome::Clean, 0, 0, 0);
        for entry in &entries {
            // The path from the current directory, not from the folder of the report.
            let shown = self.report.with_file_name("").join(&entry.path);
            let (path, whole) = (escape::path(&shown), folder.join(&entry.path));
            match self.file(&whole, entry, &mut lines) {
                Ok(Fate::PutBack) => {
                    put_back += 1;
                    if self.dry_run {
                        let n = entry.changes;
                        writeln!(
                            console::coloured(),
                            "{path}: {} change{} to take back",
                            number(n),
                            plural(n)
                        )?;
                    }
                }
                Ok(Fate::AsItWas) => as_it_was += 1,
                Ok(Fate::Refused(reason)) => {
                    console::say(&format!("{path}: {reason}; it is left as it is"));
                    refused += 1;
                    outcome = outcome.max(Outcome::Found);
                }
                Err(error) => {
                    // An error of replacing begins with the whole path.
                    let message = escape::message(&error);
                    let named = format!("{}: ", escape::path(&whole));
                    console::say(&format!("{path}: {}", message.strip_prefix(&named).unwrap_or(&message)));
                    refused += 1;
                    outcome = Outcome::Trouble;
                }
            }
        }
        if self.dry_run && put_back > 0 {
            outcome = outcome.max(Outcome::Found);
        }
        if !self.silent {
            let verb = if self.dry_run { "to put back" } else { "put back" };
            let parts = [(put_back, verb), (as_it_was, "as they were already"), (refused, "left")];
            console::summary(&parts);
        }
        Ok(outcome)
    }

    fn file(&self, path: &Path, entry: &Entry, lines: &mut Lines<File>) -> Result<Fate> {
        let found = fs::canonicalize(path);
        ensure!(
            found.is_ok() || entry.path.as_os_str() != STANDARD_INPUT,
            "the report is about standard input: save the repaired text beside the report, in a file with the name -, and undo again"
        );
        if found? != path {
            return Ok(Fate::Refused("is reached through a symbolic link"));
        }
        if !fs::symlink_metadata(path)?.is_file() {
            return Ok(Fate::Refused("is not a file"));
        }
        let mut now = Hashing::default();
        io::copy(&mut open_itself(path)?, &mut now)?;
        match now.finish() {
            state if state == entry.before => return Ok(Fate::AsItWas),
            state if state != entry.after => return Ok(Fate::Refused("has changed since then")),
            _ => {}
        }
        let mut out = Replacement::in_place(path, self.protection.without_links())?;
        out.require_one_name()?;
        if !entry.put_back(lines, open_itself(path)?, &mut out)? {
            return Ok(Fate::Refused(
                "cannot be restored: the changes in the report do not give the original",
            ));
        }
        if fs::canonicalize(path)? != path {
            return Ok(Fate::Refused("is reached through a symbolic link"));
        }
        if !self.dry_run {
            out.commit(None)?;
        }
        Ok(Fate::PutBack)
    }
}
