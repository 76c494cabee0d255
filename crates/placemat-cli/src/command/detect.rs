//! `placemat detect`: what a file is in, how sure that is, and why.

mod table;

use std::io::{self, BufWriter, Write as _};

use anyhow::Result;
use clap::ValueEnum;
use placemat_detect::Detection;
use placemat_text::models::{DetectLine, FilePath};

use self::table::Table;
use crate::args::Common;
use crate::console::{self, Coloured};
use crate::input::Input;
use crate::outcome::Outcome;
use crate::pool::Pool;
use crate::progress::Progress;
use crate::report::human::plural;
use crate::report::write_line;
use crate::walk::{Entry, Selection};
use placemat_text::charset::guess;

/// Say what a file is in, how sure that is, and why
///
/// A byte order mark decides. Well-formed UTF-8 is UTF-8, however short, and UTF-8 but for a few sequences is told from
/// its relatives: CESU-8, Modified UTF-8, WTF-8, the six-octet form. What is left is compared with how several languages
/// look in the encodings that they were written in; such a verdict is a guess, and says how sure it is. UTF-7 is
/// never guessed.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  placemat detect letter.txt               what it is in, how sure, and why
  placemat detect -v --binary old-disk/    and what else each may be
  curl -s URL | placemat detect --format json

`placemat convert -f auto` converts from what this finds, where it is sure.")]
pub(crate) struct Args {
    #[command(flatten)]
    selection: Selection,

    /// How to write the verdicts
    #[arg(long, value_enum, default_value_t = Format::Table, hide_default_value = true)]
    format: Format,

    /// In the table, what else each may be
    #[arg(short, long)]
    verbose: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Columns
    Table,
    /// One JSON object a line
    Json,
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<Outcome> {
    let walk = args.selection.walk_or_stdin()?;
    let pool = Pool::new(common.threads());
    let mut tally = Tally::new(args);
    let work = |entry| match entry {
        Entry::Skipped(_) => Seen::Skipped,
        Entry::Failed(path, error) => Seen::Failed(Input::Named(path), error),
        Entry::Input(input) => match detect(&input, args, &pool) {
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
    Skipped,
    Failed(Input, io::Error),
}

/// The verdict on one input; `None` when it is a binary file of a tree.
fn detect(input: &Input, args: &Args, pool: &Pool) -> io::Result<Option<Detection>> {
    let mut reader = input.reader(args.selection.unpack)?;
    if !args.selection.binary {
        match input.unless_binary(reader)? {
            Some(text) => reader = text,
            None => return Ok(None),
        }
    }
    guess::detect(&mut pool.done.watch(reader)).map(Some)
}

/// Gathers the verdicts, in order, and writes them.
struct Tally {
    outcome: Outcome,
    files: u64,
    skipped: u64,
    /// Of the two, the one that was asked for.
    table: Option<Table>,
    out: BufWriter<Coloured>,
}

impl Tally {
    fn new(args: &Args) -> Tally {
        let table = (args.format == Format::Table).then(|| Table::new(args.verbose));
        let out = BufWriter::new(console::coloured());
        Tally { outcome: Outcome::Clean, files: 0, skipped: 0, table, out }
    }

    fn take(&mut self, seen: Seen) -> Result<()> {
        match seen {
            Seen::Skipped => self.skipped += 1,
            Seen::Failed(input, error) => {
                console::say(&format!("{input}: {error}"));
                self.outcome = Outcome::Trouble;
            }
            Seen::Found(input, found) => {
                self.files += 1;
                match &mut self.table {
                    Some(table) => table.add(&input, &found, &mut self.out)?,
                    None => write_line(&mut self.out, &DetectLine::file(FilePath::of(input.path()), &found))?,
                }
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        let (files, files_skipped) = (self.files, self.skipped);
        match &mut self.table {
            Some(table) => table.flush(&mut self.out)?,
            None => write_line(&mut self.out, &DetectLine::summary(files, files_skipped))?,
        }
        self.out.flush()?;
        if self.table.is_some() && files_skipped > 0 {
            console::tell(&format!("{files} file{}, {files_skipped} skipped", plural(files)));
        }
        Ok(())
    }
}
