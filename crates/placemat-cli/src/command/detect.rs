//! `placemat detect`: the encoding of a file, how sure that is, and why.

use std::io::{self, BufWriter, IsTerminal as _, Write as _};

use anyhow::Result;
use clap::ValueEnum;
use placemat_detect::Detection;
use placemat_text::models::{DetectLine, FilePath};

use crate::args::Common;
use crate::choices;
use crate::console::{self, Coloured, Plain};
use crate::escape;
use crate::input::Input;
use crate::naming::Naming;
use crate::outcome::Outcome;
use crate::pool::Pool;
use crate::progress::Progress;
use crate::report::human::{number, plural, width};
use crate::report::{stdout, write_line, write_path};
use crate::rules::{self, Choice, Rulebook};
use crate::walk::{Entry, Selection};
use placemat_text::charset::table::Table;
use placemat_text::charset::{Asked, guess};
use placemat_text::convert::verify;

/// Tell which encoding a file is in, how sure that is, and why
///
/// A byte order mark decides. Well-formed UTF-8 is UTF-8, however short. UTF-8 except for a few sequences is distinguished from its relatives:
/// CESU-8, Modified UTF-8, WTF-8, the six-octet form. Otherwise the text is read in each legacy encoding, and the reading that looks most like a
/// language decides; such a verdict is a guess, and says how sure it is. UTF-7 is never guessed.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  placemat detect letter.txt               which encoding, how sure, and why
  placemat detect -v --binary old-disk/    and what else it may be
  placemat detect --not utf-8 . | less     PATH: ENCODING of what is not UTF-8
  placemat detect --only windows-1250 --sure 80 --format paths -0 . |
      xargs -0 placemat convert -f windows-1250 --in-place
  curl -s URL | placemat detect --format json

`placemat convert -f auto` converts a file from the encoding that this finds, if it is sure enough.

Rules: a file for which a rule in the nearest placemat.toml sets a `form` is in that form, if it can be. In a tree, \
files under `allow` are skipped; one that is named is read.")]
pub(crate) struct Args {
    #[command(flatten)]
    selection: Selection,

    /// How to write the verdicts [default: table on a terminal and with -v, else brief]
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// The same as --format brief
    #[arg(long, conflicts_with_all = ["format", "verbose"])]
    brief: bool,

    /// In the table, also show what else each file may be
    #[arg(short, long)]
    verbose: bool,

    /// Only files in this encoding (utf-8 includes us-ascii). May be given several times
    #[arg(long, value_name = "ENC", help_heading = "Verdicts")]
    only: Vec<String>,

    /// Only files that are not in this encoding (utf-8 includes us-ascii). May be given several times
    #[arg(long, value_name = "ENC", help_heading = "Verdicts")]
    not: Vec<String>,

    /// Only verdicts that are at least N percent sure
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = choices::number_in(0..=100_u8), default_value_t = 0,
        hide_default_value = true, help_heading = "Verdicts")]
    sure: u8,

    #[command(flatten)]
    naming: Naming,

    #[command(flatten)]
    choice: Choice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Columns
    Table,
    /// `PATH: ENCODING`
    Brief,
    /// The paths
    Paths,
    /// One JSON object a line
    Json,
}

impl Args {
    fn format(&self) -> Format {
        let is_table = self.verbose || io::stdout().is_terminal();
        match self.format {
            Some(format) => format,
            None if is_table && !self.brief => Format::Table,
            None => Format::Brief,
        }
    }
}

/// Which verdicts are wanted.
struct Filter {
    only: Vec<Asked>,
    not: Vec<Asked>,
    sure: u8,
}

impl Filter {
    fn new(args: &Args) -> Result<Filter> {
        let asked =
            |names: &[String]| names.iter().map(|name| args.naming.asked(name)).collect::<Result<Vec<_>>>();
        Ok(Filter { only: asked(&args.only)?, not: asked(&args.not)?, sure: args.sure })
    }

    fn wants(&self, found: &Detection) -> bool {
        let is = |asked: &Asked| asked.is(found);
        (self.only.is_empty() || self.only.iter().any(is))
            && !self.not.iter().any(is)
            && guess::hundredths(found.confidence) >= self.sure
    }
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<Outcome> {
    let filter = Filter::new(args)?;
    let (walk, rules) = args.selection.walk_or_stdin()?.heeding(&args.choice)?;
    let pool = Pool::new(common.threads());
    let mut tally = Tally::new(args);
    let work = |entry| match entry {
        Entry::Skipped(_) => Seen::Skipped,
        Entry::Failed(path, error) => Seen::Failed(Input::Named(path), error),
        Entry::Input(input) => match detect(&input, args, &rules, &pool) {
            Ok(Some(found)) if !filter.wants(&found) => Seen::Unwanted,
            Ok(Some(found)) => Seen::Found(input, Box::new(found)),
            Ok(None) => Seen::Skipped,
            Err(error) => Seen::Failed(input, error),
        },
    };
    let progress = Progress::start(&pool.done);
    let written = pool.in_order(
        |put| walk.each(put),
        work,
        |seen| {
            pool.done.add_file();
            progress.suspend(|| tally.take(seen))
        },
    );
    drop(progress);
    let written = written.and_then(|()| tally.finish());
    tally.outcome.after(written)
}

/// What became of one entry.
enum Seen {
    Found(Input, Box<Detection>),
    /// Read, and not what was asked for.
    Unwanted,
    Skipped,
    Failed(Input, io::Error),
}

/// The verdict on one input; `None` when it is a file of a tree that is binary or allowed.
fn detect(input: &Input, args: &Args, rules: &Rulebook, pool: &Pool) -> io::Result<Option<Detection>> {
    let demand = rules.of(input);
    if demand.is_allowed && matches!(input, Input::Found(_)) {
        return Ok(None);
    }
    let again = || input.reader(args.selection.unpack);
    let mut reader = again()?;
    if !args.selection.binary {
        match input.unless_binary(reader)? {
            Some(text) => reader = text,
            None => return Ok(None),
        }
    }
    let mut found = guess::detect(&mut pool.done.watch(reader))?;
    if let Some(said) = rules::said_of(demand, input) {
        verify::heed(&mut found, said, again)?;
    }
    Ok(Some(found))
}

/// Gathers the verdicts, in order, and writes them.
struct Tally {
    outcome: Outcome,
    files: u64,
    skipped: u64,
    out: Out,
}

/// What is written, and where.
enum Out {
    Table(Table, BufWriter<Coloured>),
    /// Lines or paths; what ends each; whether a terminal shows them.
    Lines(Format, &'static str, bool, BufWriter<Plain>),
    Json(BufWriter<Plain>),
}

impl Out {
    fn new(args: &Args) -> Out {
        match args.format() {
            Format::Table => Out::Table(table(args.verbose), BufWriter::new(console::coloured())),
            Format::Json => Out::Json(stdout()),
            format @ (Format::Brief | Format::Paths) => {
                let end = if args.selection.null { "\0" } else { "\n" };
                Out::Lines(format, end, io::stdout().is_terminal(), stdout())
            }
        }
    }

    fn write(&mut self, input: &Input, found: &Detection) -> Result<()> {
        match self {
            Out::Table(table, out) => Ok(table.add(&input.to_string(), found, out)?),
            Out::Json(out) => write_line(out, &DetectLine::file(FilePath::of(input.path()), found)),
            Out::Lines(format, end, is_terminal, out) => {
                // Lines may go to the log of a build, where some names would act as commands.
                if *is_terminal || *format == Format::Brief && *end == "\n" {
                    write!(out, "{}", escape::path(input.path()))?;
                } else {
                    write_path(out, input)?;
                }
                if *format == Format::Brief {
                    write!(out, ": {}", found.encoding)?;
                }
                Ok(out.write_all(end.as_bytes())?)
            }
        }
    }
}

impl Tally {
    fn new(args: &Args) -> Tally {
        Tally { outcome: Outcome::Clean, files: 0, skipped: 0, out: Out::new(args) }
    }

    fn take(&mut self, seen: Seen) -> Result<()> {
        match seen {
            Seen::Skipped => self.skipped += 1,
            Seen::Unwanted => self.files += 1,
            Seen::Failed(input, error) => {
                console::say(&format!("{input}: {error}"));
                self.outcome = Outcome::Trouble;
            }
            Seen::Found(input, found) => {
                self.files += 1;
                self.out.write(&input, &found)?;
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        let (files, files_skipped) = (self.files, self.skipped);
        match &mut self.out {
            Out::Table(table, out) => {
                table.flush(out)?;
                out.flush()?;
            }
            Out::Lines(.., out) => out.flush()?,
            Out::Json(out) => {
                write_line(out, &DetectLine::summary(files, files_skipped))?;
                return Ok(out.flush()?);
            }
        }
        if files_skipped > 0 {
            console::tell(&format!(
                "{} file{}, {} skipped",
                number(files),
                plural(files),
                number(files_skipped)
            ));
        }
        Ok(())
    }
}

/// A table as wide as the terminal. In a pipe each file has one line, unless COLUMNS asks for a width.
fn table(is_verbose: bool) -> Table {
    let is_terminal = io::stdout().is_terminal();
    let is_narrow = is_terminal || std::env::var_os("COLUMNS").is_some();
    Table::new(if is_narrow { width() } else { usize::MAX / 2 }, is_terminal, is_verbose)
}
