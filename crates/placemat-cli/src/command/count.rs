//! `placemat count`: lines, code points, bytes, UTF-16 units, errors.

use std::io::{self, BufWriter, Write as _};

use anyhow::Result;
use clap::ValueEnum;
use placemat::{Bom, Form};
use placemat_text::count::{Counts, count};
use placemat_text::models::{CountLine, FilePath};

use crate::args::Common;
use crate::console::{self, Plain};
use crate::input::{Input, Packed};
use crate::naming::Naming;
use crate::outcome::Outcome;
use crate::pool::Pool;
use crate::portion;
use crate::progress::Progress;
use crate::report::human::{number, plural};
use crate::report::{stdout, write_line};
use crate::sections::{self, SECTION};
use crate::walk::{Entry, Selection};
use placemat_text::charset::{Charset, mark_of};

/// Count lines, code points, bytes, UTF-16 units and errors
///
/// A line ends with U+000A. Each malformed sequence counts as one code point and as one UTF-16 unit; so does a value above
/// U+10FFFF, for which UTF-16 has U+FFFD.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  placemat count notes.txt                 five numbers
  placemat count -t utf-16le *.txt         and the bytes each would take
  curl -s URL | placemat count --format json")]
pub(crate) struct Args {
    #[command(flatten)]
    selection: Selection,

    /// Form or encoding of the files [default: utf-8]
    #[arg(
        short = 'f',
        long = "from",
        value_name = "FORM",
        default_value = "utf-8",
        hide_default_value = true
    )]
    from: String,

    /// Also count the bytes in this form or encoding, with U+FFFD for errors, and U+FFFD or `?` for characters that it lacks
    #[arg(short = 't', long = "to", value_name = "FORM")]
    to: Option<String>,

    #[command(flatten)]
    naming: Naming,

    /// How to write the counts
    #[arg(long, value_enum, default_value_t = Format::Table, hide_default_value = true)]
    format: Format,
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
    let job = Job::new(args)?;
    let mut table = Table::new(&job);
    let work = |entry| match entry {
        Entry::Input(input) => match count_input(&input, &job, &pool) {
            Ok(Some(counts)) => Counted::Counts(input, counts),
            Ok(None) => Counted::Skipped,
            Err(error) => Counted::Failed(input, error),
        },
        Entry::Skipped(_) => Counted::Skipped,
        Entry::Failed(path, error) => Counted::Failed(Input::Named(path), error),
    };
    let progress = Progress::start(&pool.done);
    let written = pool.in_order(
        |put| walk.each(put),
        work,
        |counted| {
            pool.done.add_file();
            progress.suspend(|| table.take(counted))
        },
    );
    drop(progress);
    let written = written.and_then(|()| table.finish());
    table.outcome.after(written)
}

/// What the flags mean.
struct Job<'a> {
    args: &'a Args,
    from: Charset,
    to: Option<(Charset, Bom)>,
}

impl Job<'_> {
    fn new(args: &Args) -> Result<Job<'_>> {
        let from = args.naming.charset(&args.from)?;
        let to = |name| anyhow::Ok((args.naming.charset(name)?, mark_of(name)));
        let to = args.to.as_deref().map(to).transpose()?;
        Ok(Job { args, from, to })
    }
}

enum Counted {
    Counts(Input, Counts),
    Skipped,
    Failed(Input, io::Error),
}

/// Counts one input; `None` when it is a binary file of a tree.
fn count_input(input: &Input, job: &Job<'_>, pool: &Pool) -> io::Result<Option<Counts>> {
    let selection = &job.args.selection;
    let mut reader = input.reader(selection.unpack)?;
    // In a form with wider code units a NUL is common.
    let is_wide = job.from.unit() > 1;
    if !selection.binary && !is_wide {
        match input.unless_binary(reader)? {
            Some(text) => reader = text,
            None => return Ok(None),
        }
    }
    if let Some(counts) = count_sections(input, job, pool)? {
        return Ok(Some(counts));
    }
    count(&mut pool.done.watch(reader), job.from, job.to).map(Some)
}

/// Counts a large file in UTF-8 with as many threads as are free; `None` for any other input.
fn count_sections(input: &Input, job: &Job<'_>, pool: &Pool) -> io::Result<Option<Counts>> {
    let is_utf8 = matches!(job.from, Charset::Form(Form::Utf8));
    if !is_utf8 || job.to.is_some() || *input == Input::Stdin || !input.metadata()?.is_file() {
        return Ok(None);
    }
    let (file, is_file) = input.open()?;
    if !is_file || job.args.selection.unpack && Packed::of(&portion::head(&file)?).is_some() {
        return Ok(None);
    }
    let each = |source: &mut dyn io::Read| count(source, job.from, None);
    sections::fold(&file, pool, SECTION, &each, &|sum: &mut Counts, more| sum.add(&more))
}

/// Writes counts as they come.
struct Table<'a> {
    job: &'a Job<'a>,
    out: BufWriter<Plain>,
    total: Counts,
    rows: u64,
    skipped: u64,
    outcome: Outcome,
}

impl Table<'_> {
    fn new<'a>(job: &'a Job<'a>) -> Table<'a> {
        let total = Counts { length: job.to.map(|_| 0), ..Counts::default() };
        Table { job, out: stdout(), total, rows: 0, skipped: 0, outcome: Outcome::Clean }
    }

    fn take(&mut self, counted: Counted) -> Result<()> {
        match counted {
            Counted::Skipped => self.skipped += 1,
            Counted::Failed(input, error) => {
                console::say(&format!("{input}: {error}"));
                self.outcome = Outcome::Trouble;
            }
            Counted::Counts(input, counts) => {
                self.total.add(&counts);
                match self.job.args.format {
                    Format::Json => {
                        let line = CountLine::file(FilePath::of(input.path()), self.job.from, counts);
                        write_line(&mut self.out, &line)?;
                    }
                    Format::Table => self.row(&counts, &input.to_string())?,
                }
                self.rows += 1;
            }
        }
        Ok(())
    }

    fn row(&mut self, counts: &Counts, name: &str) -> Result<()> {
        if self.rows == 0 {
            write!(
                self.out,
                "{:>9} {:>11} {:>11} {:>12} {:>7}",
                "lines", "code points", "bytes", "UTF-16 units", "errors"
            )?;
            if let Some((to, _)) = self.job.to {
                write!(self.out, " {:>9}", to.name())?;
            }
            writeln!(self.out)?;
        }
        let Counts { lines, code_points, bytes, utf16_units, errors, length } = counts;
        write!(self.out, "{lines:>9} {code_points:>11} {bytes:>11} {utf16_units:>12} {errors:>7}")?;
        if let Some(length) = length {
            let width = self.job.to.map_or(0, |(to, _)| to.name().len()).max(9);
            write!(self.out, " {length:>width$}")?;
        }
        Ok(writeln!(self.out, "  {name}")?)
    }

    fn finish(&mut self) -> Result<()> {
        let total = self.total;
        match self.job.args.format {
            Format::Json => {
                let (files, files_skipped) = (self.rows, self.skipped);
                write_line(&mut self.out, &CountLine::summary(files, files_skipped, total))?;
            }
            Format::Table if self.rows > 1 => self.row(&total, "total")?,
            Format::Table => {}
        }
        self.out.flush()?;
        if self.job.args.format == Format::Table && self.skipped > 0 {
            console::tell(&format!(
                "{} file{}, {} skipped",
                number(self.rows),
                plural(self.rows),
                number(self.skipped)
            ));
        }
        Ok(())
    }
}
