//! `placemat count`: lines, code points, bytes, UTF-16 units, errors.

use std::io::{self, BufWriter, Read, Write as _};

use anyhow::Result;
use clap::ValueEnum;
use placemat::{Bom, Form, Policy, Transcoder, Unencodable};
use serde::Serialize;

use crate::args::Common;
use crate::charset::{Charset, LegacyReader, Naming, mark_of};
use crate::console::{self, Plain};
use crate::crew::Crew;
use crate::input::{Input, read_some};
use crate::outcome::Outcome;
use crate::pipeline::{Halt, Pipeline, Settings};
use crate::progress::Progress;
use crate::report::human::plural;
use crate::report::{Path, stdout, write_line};
use crate::scan::feed::feed;
use crate::scan::position::{code_points, count_bytes};
use crate::walk::{Entry, Selection};

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

    /// What the files are in [default: utf-8]
    #[arg(
        short = 'f',
        long = "from",
        value_name = "FORM",
        default_value = "utf-8",
        hide_default_value = true
    )]
    from: String,

    /// Add how many bytes it is in this form or encoding, with U+FFFD for errors, and U+FFFD or `?` for what it lacks
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

/// What is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Counts {
    lines: u64,
    code_points: u64,
    bytes: u64,
    utf16_units: u64,
    errors: u64,
    /// Bytes in the form of `-t`.
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<u64>,
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.lines += other.lines;
        self.code_points += other.code_points;
        self.bytes += other.bytes;
        self.utf16_units += other.utf16_units;
        self.errors += other.errors;
        self.length = self.length.zip(other.length).map(|(a, b)| a + b);
    }

    /// Count text in UTF-8 (of six octets, with surrogates), cut between characters.
    fn add_text(&mut self, text: &[u8]) {
        self.lines += memchr::memchr_iter(b'\n', text).count() as u64;
        let code_points = code_points(text);
        self.code_points += code_points;
        // Above U+10FFFF, from F4 90 on, there are no pairs.
        let last =
            memchr::memchr_iter(0xF4, text).filter(|at| text.get(at + 1).is_some_and(|next| *next < 0x90));
        let pairs = count_bytes(text, |byte| matches!(byte, 0xF0..=0xF3)) + last.count() as u64;
        self.utf16_units += code_points + pairs;
    }
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<Outcome> {
    let walk = args.selection.walk_or_stdin()?;
    let crew = Crew::new(common.threads());
    let job = Job::new(args)?;
    let mut table = Table::new(&job);
    let work = |entry| match entry {
        Entry::Input(input) => match count_input(&input, &job, &crew) {
            Ok(Some(counts)) => Counted::Counts(input, counts),
            Ok(None) => Counted::Skipped,
            Err(error) => Counted::Failed(input, error),
        },
        Entry::Skipped(_) => Counted::Skipped,
        Entry::Failed(path, error) => Counted::Failed(Input::Named(path), error),
    };
    let progress = Progress::start(&crew.done);
    let written = crew.in_order(
        |put| walk.each(put),
        work,
        |counted| {
            crew.done.add_file();
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
    to: Option<Charset>,
}

impl Job<'_> {
    fn new(args: &Args) -> Result<Job<'_>> {
        let from = args.naming.charset(&args.from)?;
        let to = args.to.as_deref().map(|name| args.naming.charset(name)).transpose()?;
        Ok(Job { args, from, to })
    }
}

enum Counted {
    Counts(Input, Counts),
    Skipped,
    Failed(Input, io::Error),
}

/// Count one input; `None` when it is a binary file of a tree.
fn count_input(input: &Input, job: &Job<'_>, crew: &Crew) -> io::Result<Option<Counts>> {
    let selection = &job.args.selection;
    let mut reader = input.reader(selection.unpack)?;
    // In a form of wider units a NUL is nothing out of the way.
    let is_wide = job.from.unit() > 1;
    if !selection.binary && !is_wide {
        match input.unless_binary(reader)? {
            Some(text) => reader = text,
            None => return Ok(None),
        }
    }
    count(&mut crew.done.watch(reader), job).map(Some)
}

/// Count what is read, in constant memory.
fn count(input: &mut dyn Read, job: &Job<'_>) -> io::Result<Counts> {
    let mut counts = Counts::default();
    let mut text = TextCounter::new(job.from);
    let bom = job.args.to.as_deref().map_or(Bom::Keep, mark_of);
    let mut other = job.to.map(|to| {
        let policy = Policy::Replace.unencodable(Unencodable::Replace(None));
        Pipeline::new(job.from, Settings { to, policy, bom })
    });
    let mut length = Length(0);
    let mut source = vec![0; 64 << 10];
    loop {
        let read = read_some(input, &mut source)?;
        counts.bytes += read as u64;
        text.feed(&source[..read], &mut counts);
        if let Some(other) = &mut other {
            let pushed = match read {
                0 => other.finish_input(&mut length).and_then(|()| other.finish(&mut length)),
                _ => other.push(&source[..read], &mut length),
            };
            // The policy never stops; what has no stand-in either (a mark where there is none) takes no room.
            if let Err(Halt::Input(error) | Halt::Output(error)) = pushed {
                return Err(error);
            }
        }
        if read == 0 {
            return Ok(Counts { length: other.map(|_| length.0), ..counts });
        }
    }
}

/// Counts bytes that are written.
struct Length(u64);

impl io::Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Counts what a text says, whatever it is in.
enum TextCounter {
    /// Brought to UTF-8 of six octets, with surrogates; errors are left out of it.
    Form(Box<Transcoder>, Vec<u8>),
    /// Brought to UTF-8, with U+FFFD for errors.
    Legacy(Box<LegacyReader>, Vec<u8>),
}

impl TextCounter {
    fn new(from: Charset) -> TextCounter {
        match from {
            Charset::Form(form) => {
                let transcoder = Transcoder::new(form, Form::Utf8Rfc2279Surrogates);
                TextCounter::Form(Box::new(transcoder), vec![0; 64 << 10])
            }
            Charset::Legacy(legacy) => {
                TextCounter::Legacy(Box::new(LegacyReader::new(legacy, Policy::Replace)), Vec::new())
            }
        }
    }

    /// Count a chunk, or (with none) what the end brings.
    fn feed(&mut self, chunk: &[u8], counts: &mut Counts) {
        match self {
            TextCounter::Form(transcoder, room) => feed(transcoder, chunk, room, &mut |text, is_error| {
                counts.add_text(text);
                // Each error is passed over, and counts as one code point.
                let errors = u64::from(is_error);
                counts.errors += errors;
                counts.code_points += errors;
                counts.utf16_units += errors;
            }),
            TextCounter::Legacy(reader, text) => {
                text.clear();
                // Replacing never stops.
                let _ = if chunk.is_empty() { reader.finish(text) } else { reader.push(chunk, text) };
                counts.add_text(text);
                counts.errors = reader.errors();
            }
        }
    }
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

/// A line of JSON.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    File {
        #[serde(flatten)]
        path: Path,
        form: &'static str,
        #[serde(flatten)]
        counts: Counts,
    },
    Summary {
        files: u64,
        files_skipped: u64,
        #[serde(flatten)]
        counts: Counts,
    },
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
                        let form = self.job.from.name();
                        let line = Line::File { path: Path::of(&input), form, counts };
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
            if let Some(to) = self.job.to {
                write!(self.out, " {:>9}", to.name())?;
            }
            writeln!(self.out)?;
        }
        let Counts { lines, code_points, bytes, utf16_units, errors, length } = counts;
        write!(self.out, "{lines:>9} {code_points:>11} {bytes:>11} {utf16_units:>12} {errors:>7}")?;
        if let Some(length) = length {
            let width = self.job.to.map_or(0, |to| to.name().len()).max(9);
            write!(self.out, " {length:>width$}")?;
        }
        Ok(writeln!(self.out, "  {name}")?)
    }

    fn finish(&mut self) -> Result<()> {
        let total = self.total;
        match self.job.args.format {
            Format::Json => {
                let (files, files_skipped) = (self.rows, self.skipped);
                write_line(&mut self.out, &Line::Summary { files, files_skipped, counts: total })?;
            }
            Format::Table if self.rows > 1 => self.row(&total, "total")?,
            Format::Table => {}
        }
        self.out.flush()?;
        if self.job.args.format == Format::Table && self.skipped > 0 {
            console::tell(&format!("{} file{}, {} skipped", self.rows, plural(self.rows), self.skipped));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_counts_as_one() {
        let mut counts = Counts::default();
        counts.add_text("né\u{1F600}\n".as_bytes());
        let expected = Counts { lines: 1, code_points: 4, utf16_units: 5, ..Counts::default() };
        assert_eq!(counts, expected);
    }

    #[test]
    fn what_utf16_lacks_is_one_unit() {
        let mut counts = Counts::default();
        counts.add_text(b"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\xF4\x90\x80\x80\xF8\x88\x80\x80\x80\xFD\xBF\xBF\xBF\xBF\xBF\xED\xA0\x80");
        assert_eq!((counts.code_points, counts.utf16_units), (6, 8));
    }
}
