//! `placemat check`: every malformed sequence in every file.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::ValueEnum;
use placemat::{Form, bom};

use crate::args::Common;
use crate::crew::Crew;
use crate::input::Input;
use crate::outcome::Outcome;
use crate::report::{Github, Human, Json, Lines, Report, Sarif, Subject, Summary};
use crate::scan::locate::{Search, search};
use crate::scan::spans::{self, Cut};
use crate::scan::{Finding, Totals};
use crate::shown;
use crate::walk::{Entry, Selection};

/// Find every malformed sequence in every file; say nothing when there is none
///
/// A tree is walked as its .gitignore files say; hidden and binary files are skipped. The exit code is 0 when all is
/// well, 1 when an error was found, and 2 when something could not be read.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  placemat check                           everything below the current directory
  placemat check --format github .         annotations on a pull request
  zcat log.gz | placemat check -           standard input
  placemat check --format paths -0 . | xargs -0 placemat detect")]
pub(crate) struct Args {
    #[command(flatten)]
    selection: Selection,

    /// What the files are in; without it utf-8, and a mark of UTF-16 or UTF-32 is one error
    #[arg(short = 'f', long = "from", value_name = "FORM", value_parser = crate::args::form)]
    form: Option<Form>,

    /// How to write what was found
    #[arg(long, value_enum, default_value_t = Format::Human, hide_default_value = true)]
    format: Format,

    /// Errors to show of each file; all are counted [default: 10 for human, 1000 for the rest]
    #[arg(long, value_name = "N")]
    max_errors: Option<u64>,

    /// Print only `PATH:N` for each file with N errors
    #[arg(long, conflicts_with = "format")]
    count: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The line around each error, and what is wrong with it
    Human,
    /// One JSON object a line
    Json,
    /// The paths of files with errors
    Paths,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Workflow commands, for annotations on GitHub
    Github,
}

impl Args {
    fn report(&self) -> Box<dyn Report> {
        match self.format {
            _ if self.count => Box::new(Lines::new(true, self.selection.null)),
            Format::Human => Box::new(Human::new()),
            Format::Json => Box::new(Json::new()),
            Format::Sarif => Box::new(Sarif::new()),
            Format::Github => Box::new(Github::new()),
            Format::Paths => Box::new(Lines::new(false, self.selection.null)),
        }
    }

    /// How many findings of each file are wanted.
    fn limit(&self) -> u64 {
        match self.format {
            _ if self.count => 0,
            Format::Paths => 0,
            Format::Human => self.max_errors.unwrap_or(10),
            Format::Json | Format::Sarif | Format::Github => self.max_errors.unwrap_or(1000),
        }
    }
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<Outcome> {
    let walk = args.selection.walk()?;
    let crew = Crew::new(common.threads());
    let checker = Checker::new(args, &crew);
    let mut tally = Tally { report: args.report(), summary: Summary::default(), outcome: Outcome::Clean };
    if walk.is_single() {
        let mut outcome = Ok(());
        walk.each(&mut |entry| {
            let seat = crew.seat();
            let checked = checker.check(entry);
            drop(seat);
            outcome = tally.take(&checker, checked);
            outcome.is_ok()
        });
        outcome?;
    } else {
        crew.in_order(
            |put| walk.each(put),
            |entry| checker.check(entry),
            |checked| tally.take(&checker, checked),
        )?;
    }
    tally.report.finish(&tally.summary)?;
    Ok(tally.outcome)
}

/// Checks one input.
struct Checker<'a> {
    search: Search,
    /// Files of a tree that look binary are read too.
    binary: bool,
    crew: &'a Crew,
}

/// What became of one entry.
enum Checked {
    Counted(Input, Totals),
    /// It can be read only once, so it waits for its turn.
    AtTurn(Input),
    Skipped,
    Failed(PathBuf, io::Error),
}

impl Checker<'_> {
    fn new<'a>(args: &Args, crew: &'a Crew) -> Checker<'a> {
        let form = args.form.unwrap_or(Form::Utf8);
        let search = Search { heeds_marks: args.form.is_none(), limit: args.limit(), ..Search::new(form) };
        // In a form of wider units a NUL is nothing out of the way.
        let binary = args.selection.binary || form.facts().width.0 > 1;
        Checker { search, binary, crew }
    }

    fn check(&self, entry: Entry) -> Checked {
        match entry {
            Entry::Skipped => Checked::Skipped,
            Entry::Failed(path, error) => Checked::Failed(path, error),
            Entry::Input(Input::Stdin) => Checked::AtTurn(Input::Stdin),
            Entry::Input(input) => {
                let path = input.path().to_path_buf();
                self.count(input).unwrap_or_else(|error| Checked::Failed(path, error))
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
        if self.search.form != Form::Utf8 {
            if is_found && !self.binary && is_binary(&spans::head(&file)?) {
                return Ok(Checked::Skipped);
            }
            let mut file = file;
            let totals = search(&mut file, Search { limit: 0, ..self.search }, &mut |_| Ok(()));
            return match totals {
                Ok(totals) => Ok(Checked::Counted(input, totals)),
                Err(error) => Err(error.downcast().unwrap_or_else(io::Error::other)),
            };
        }
        let head = spans::head(&file)?;
        if is_found && !self.binary && is_binary(&head) {
            return Ok(Checked::Skipped);
        }
        if self.search.heeds_marks && bom::sniff(&head).is_some_and(|(form, _)| form != Form::Utf8) {
            let bytes = file.metadata()?.len();
            return Ok(Checked::Counted(input, Totals { bytes, errors: 1 }));
        }
        let totals = spans::count(&file, self.crew, Cut::default())?;
        Ok(Checked::Counted(input, totals))
    }
}

/// A NUL in the first 8 KiB, and no byte order mark.
pub(super) fn is_binary(head: &[u8]) -> bool {
    bom::sniff(head).is_none() && memchr::memchr(0, head).is_some()
}

/// Gathers what was checked, in order, and reports it.
struct Tally {
    report: Box<dyn Report>,
    summary: Summary,
    outcome: Outcome,
}

impl Tally {
    fn take(&mut self, checker: &Checker<'_>, checked: Checked) -> Result<()> {
        match checked {
            Checked::Skipped => self.summary.files_skipped += 1,
            Checked::Failed(path, error) => self.fail(&path, &error),
            Checked::Counted(input, totals) => {
                let mut shown = 0;
                let wanted = checker.search.limit.min(totals.errors);
                if wanted > 0 {
                    let search = Search { limit: wanted, only_findings: true, ..checker.search };
                    shown = self.locate(&input, search)?.map_or(0, |(_, shown)| shown);
                }
                self.file(checker, &input, totals, shown)?;
            }
            Checked::AtTurn(input) => {
                if let Some((totals, shown)) = self.locate(&input, checker.search)? {
                    self.file(checker, &input, totals, shown)?;
                }
            }
        }
        Ok(())
    }

    /// Report the findings of an input; `None` when it cannot be read.
    fn locate(&mut self, input: &Input, wanted: Search) -> Result<Option<(Totals, u64)>> {
        let mut shown = 0;
        let report = &mut self.report;
        let subject = Subject { input, form: wanted.form };
        let mut reader = match input.reader() {
            Ok(reader) => reader,
            Err(error) => {
                self.fail(input.path(), &error);
                return Ok(None);
            }
        };
        let mut written = Ok(());
        let found = search(&mut *reader, wanted, &mut |finding: &Finding<'_>| {
            shown += 1;
            written = report.finding(subject, finding);
            match &written {
                Ok(()) => Ok(()),
                Err(_) => anyhow::bail!("cannot write"),
            }
        });
        written?;
        match found {
            Ok(totals) => Ok(Some((totals, shown))),
            Err(error) => {
                self.fail(input.path(), &error.downcast().unwrap_or_else(io::Error::other));
                Ok(None)
            }
        }
    }

    fn file(&mut self, checker: &Checker<'_>, input: &Input, totals: Totals, shown: u64) -> Result<()> {
        self.summary.files += 1;
        self.summary.bytes += totals.bytes;
        self.summary.errors += totals.errors;
        if totals.errors > 0 {
            self.summary.files_with_errors += 1;
            self.outcome = self.outcome.max(Outcome::Found);
            self.report.file(Subject { input, form: checker.search.form }, totals, shown)?;
        }
        Ok(())
    }

    fn fail(&mut self, path: &Path, error: &io::Error) {
        anstream::eprintln!("placemat: {}: {error}", shown::path(path));
        self.outcome = Outcome::Trouble;
    }
}
