//! `--in-place`: each file of a selection is replaced by its conversion, several at a time.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, Write as _};
use std::slice;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};

use super::join::{Join, Joined};
use super::options::{Candidate, Options};
use crate::command::repair::report::{Report, record};
use crate::command::repair::turns::{Turn, Turns};
use crate::console;
use crate::escape;
use crate::input::Input;
use crate::input::is_binary;
use crate::outcome::Outcome;
use crate::portion::head;
use crate::progress::{Done as Progressed, Progress};
use crate::replace::{Protection, Replacement, require_regular};
use crate::rules::Rulebook;
use crate::walk::{Entry, Walk};
use placemat_text::charset::Charset;
use placemat_text::io::Comparison;

/// What is done to each file.
pub(super) struct Job<'a> {
    pub(super) options: &'a Options,
    pub(super) rules: &'a Rulebook,
    /// A rule may name the encoding of a file.
    pub(super) heeds_forms: bool,
    /// Binary files of a tree are read too.
    pub(super) binary: bool,
    pub(super) protection: Protection,
    pub(super) report: Option<Report>,
    /// Say what would be done, and touch nothing.
    pub(super) dry_run: bool,
    /// Appended to the name under which the original is kept.
    pub(super) suffix: Option<&'a str>,
}

/// What became of one file.
struct Done {
    outcome: Outcome,
    fate: Fate,
    complaints: Vec<String>,
    /// The line that says what would be done.
    preview: Option<String>,
}

impl Done {
    fn of(fate: Fate) -> Done {
        Done { outcome: Outcome::Clean, fate, complaints: Vec::new(), preview: None }
    }

    fn fail(&mut self, reason: String) {
        self.complaints.push(reason);
        self.outcome = Outcome::Trouble;
        self.fate = Fate::Left;
    }
}

/// What became of a file, as the summary counts it.
#[derive(Clone, Copy)]
enum Fate {
    Replaced,
    /// The conversion is the same as the file.
    Unchanged,
    /// Binary, hidden, or not a file.
    Skipped,
    /// Its faults are allowed.
    Ruled,
    /// Left as it was, for the reason that was reported.
    Left,
}

impl Fate {
    /// The words of the summary, in the order of the variants.
    const NAMES: [&str; 5] = ["replaced", "unchanged", "skipped", "excluded by rules", "left as they were"];
}

impl Job<'_> {
    pub(super) fn run(&self, walk: &Walk) -> Result<Outcome> {
        if walk.inputs().is_empty() {
            bail!("--in-place: no files named");
        }
        let mut outcome = Outcome::Clean;
        let mut counts = [0; 5];
        let pool = &self.options.pool;
        let progress = Progress::start(&pool.done);
        let mut take = |done: Done| -> Result<()> {
            progress.suspend(|| done.complaints.iter().for_each(|text| super::say(text)));
            if let Some(line) = done.preview {
                progress.suspend(|| writeln!(console::coloured(), "{line}"))?;
            }
            outcome = outcome.max(done.outcome);
            counts[done.fate as usize] += 1;
            Ok(())
        };
        let turns = self.report.as_ref().map(|_| Turns::default());
        let mut number = 0;
        let mut each = |put: &mut dyn FnMut((u64, Entry)) -> bool| {
            walk.each_once(self.protection.no_follow, &mut |entry| {
                if self.report.as_ref().is_some_and(|report| report.is_own(&entry)) {
                    return true;
                }
                number += 1;
                put((number - 1, entry))
            });
        };
        let work = |(number, entry)| {
            let turn = turns.as_ref().map(|turns| turns.of(number));
            self.entry(entry, &pool.done, turn.as_ref())
        };
        let mut written = Ok(());
        if walk.is_single() {
            let _permit = pool.permit();
            each(&mut |entry| {
                written = take(work(entry));
                written.is_ok()
            });
        } else {
            written = pool.in_order(each, work, take);
        }
        drop(progress);
        if written.is_err() {
            return outcome.after(written);
        }
        if let Some(report) = &self.report {
            report.finish()?;
        }
        if !walk.is_single() && !self.options.silent {
            let replaced = if self.dry_run { "to replace" } else { Fate::NAMES[0] };
            let names = [replaced].into_iter().chain(Fate::NAMES.into_iter().skip(1));
            console::summary(&counts.into_iter().zip(names).collect::<Vec<_>>());
        }
        Ok(outcome)
    }

    fn entry(&self, entry: Entry, done: &Arc<Progressed>, turn: Option<&Turn<'_>>) -> Done {
        let mut ended = Done::of(Fate::Skipped);
        match entry {
            Entry::Skipped(_) => {}
            Entry::Failed(path, error) => ended.fail(format!("{}: {error}", escape::path(&path))),
            Entry::Input(input) => {
                if let Err(error) = self.replace(&input, done, turn, &mut ended) {
                    ended.fail(escape::message(&error));
                }
            }
        }
        ended
    }

    fn replace(
        &self,
        input: &Input,
        done: &Arc<Progressed>,
        turn: Option<&Turn<'_>>,
        ended: &mut Done,
    ) -> Result<()> {
        if *input == Input::Stdin {
            bail!("--in-place: standard input is not a file that can be replaced");
        }
        let demand = self.rules.of(input);
        if demand.is_allowed {
            if matches!(input, Input::Named(_)) && !self.options.silent {
                ended.complaints.push(format!("{input}: {}", demand.reason()));
            }
            ended.fate = Fate::Ruled;
            return Ok(());
        }
        let ruled = demand.charset.filter(|_| self.heeds_forms).map(Candidate::Named);
        let from = ruled.as_ref().map_or(&self.options.from[..], slice::from_ref);
        if let Some(Candidate::Named(charset)) = ruled {
            self.options.check(charset).with_context(|| input.to_string())?;
        }
        if !self.is_fit(input, from).with_context(|| input.to_string())? {
            return Ok(());
        }
        let mut say = |text: &str| ended.complaints.push(text.to_owned());
        let join = Join { options: self.options, from, done, say: &mut say };
        let (joined, fate) =
            if self.dry_run { self.preview(input, join)? } else { self.converted(input, join, turn)? };
        ended.outcome = joined.outcome;
        ended.fate = fate;
        if let (Fate::Replaced, Some(charset)) = (fate, joined.charset) {
            let line = format!("{input}: {charset} to {}", self.options.settings.to);
            if self.dry_run {
                ended.outcome = Outcome::Found;
                ended.preview = Some(line);
            } else if !self.options.silent && !self.is_read_as_told(charset) {
                ended.complaints.push(line);
            }
        }
        ended.complaints.extend(joined.remarks);
        Ok(())
    }

    /// Whether it is a file, and not a binary one that was found in a tree.
    fn is_fit(&self, input: &Input, from: &[Candidate]) -> io::Result<bool> {
        let Input::Found(_) = input else { return Ok(true) };
        let skips_binary = !self.binary && from.iter().all(is_bytewise);
        let (file, is_file) = input.open()?;
        Ok(is_file && !(skips_binary && is_binary(&head(&file)?)))
    }

    /// Whether -f named only this encoding: then it is not reported for each file.
    fn is_read_as_told(&self, charset: Charset) -> bool {
        matches!(&self.options.from[..], [Candidate::Named(named)] if named.name() == charset.name())
    }

    /// Converts the file without writing the result, and says what would become of it.
    fn preview(&self, input: &Input, join: Join<'_>) -> Result<(Joined, Fate)> {
        require_regular(input.path()).with_context(|| input.to_string())?;
        let mut out = Comparison::with(File::open(input.path()).with_context(|| input.to_string())?);
        let joined = join.run(slice::from_ref(input), &mut out).with_context(|| input.to_string())?;
        let fate = match joined.outcome {
            Outcome::Clean if out.finish()? => Fate::Unchanged,
            Outcome::Clean => Fate::Replaced,
            _ => Fate::Left,
        };
        Ok((joined, fate))
    }

    /// Replaces the file, once the report has its original bytes.
    fn converted(&self, input: &Input, join: Join<'_>, turn: Option<&Turn<'_>>) -> Result<(Joined, Fate)> {
        let mut out = Replacement::in_place(input.path(), self.protection)?;
        let joined = join.run(slice::from_ref(input), &mut out).with_context(|| input.to_string())?;
        if joined.outcome != Outcome::Clean {
            return Ok((joined, Fate::Left));
        }
        if let Some(report) = &self.report {
            let path = report.path_of(input.path()).with_context(|| input.to_string())?;
            let mut record = record(path);
            let before = File::open(input.path()).with_context(|| input.to_string())?;
            record.converted(&mut BufReader::new(before), &mut BufReader::new(out.written()?))?;
            if record.changes() > 0 {
                // Checked before the report has the change.
                out.require_one_name()?;
                if let Some(turn) = turn {
                    turn.wait();
                }
                report.add(record)?;
            }
        }
        let fate = if out.commit(self.suffix.map(OsStr::new))? { Fate::Replaced } else { Fate::Unchanged };
        Ok((joined, fate))
    }
}

/// Whether its code units are bytes, so that a NUL makes a file binary.
fn is_bytewise(candidate: &Candidate) -> bool {
    match candidate {
        Candidate::Named(charset) => charset.unit() == 1,
        // A guess takes a file with many NULs and no byte order mark for binary anyway.
        Candidate::Auto => true,
    }
}
