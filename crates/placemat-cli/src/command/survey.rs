//! `placemat survey`: what a tree is made of.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write as _};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::ValueEnum;
use placemat_text::convert::verify;
use placemat_text::survey::{MergeError, Merged, Part, Reader, Survey, each_field};

use crate::args::Common;
use crate::console;
use crate::escape;
use crate::input::{Input, Packed};
use crate::outcome::Outcome;
use crate::pool::Pool;
use crate::portion;
use crate::progress::Progress;
use crate::replace::{Protection, Replacement, is_standard_output};
use crate::report::{human, write_line};
use crate::rules::{self, Choice, Rulebook};
use crate::spans::{self, Cut};
use crate::walk::{Entry, Selection};

/// Tell what a tree is made of: encodings, byte order marks, line endings, scripts, errors, invisible characters
///
/// The encoding of a file is detected from at most 1 MiB of it, of which at least half begins at the first byte that is not ASCII. Then the whole file
/// is read in that encoding, in constant memory. Each error counts as one code point. Files in euc-tw, johab, iso-2022-kr, iso-2022-cn and
/// hz-gb-2312 and binary files cannot be read: only their number and bytes are counted.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  placemat survey .                             the tree below this directory
  placemat survey -z --html logs.html /var/log  compressed logs too, as a page
  placemat survey --jsonl text -z dump/*.jsonl.zst --format json
  placemat survey --merge monday.json tuesday.json --html week.html

JSON is one object: files, files_skipped, files_failed, texts (a text is a file; with --jsonl, a field of a line), \
texts_well_formed_utf8, bytes, code_points, errors, and lists whose largest entry comes first: encodings (encoding, texts, bytes, \
code_points, errors, boms, unsure), line_endings (line_ending, texts, lines), scripts (script, code, texts, \
code_points, utf8_bytes), error_kinds (kind, texts, errors, bytes), dialects (dialect, texts, sequences), \
invisible (kind, texts, findings: what check --invisible finds) and worst (path, encoding, errors). With --jsonl there is jsonl: field, lines, lines_broken, lines_without.")]
pub(crate) struct Args {
    #[command(flatten)]
    selection: Selection,

    /// Survey this field of each line of JSON Lines: a key, or a path of keys joined by dots
    ///
    /// Each string there is a text of its own. Lines that are not JSON, or longer than 16 MiB, are counted as broken.
    #[arg(long, value_name = "FIELD")]
    jsonl: Option<String>,

    /// Add up surveys that --format json wrote: the files named, or standard input
    ///
    /// With this, several machines can each survey a part. A file may hold several surveys, one per line.
    #[arg(long, conflicts_with = "jsonl")]
    merge: bool,

    /// Title of the page, instead of the paths
    #[arg(long, value_name = "TEXT", requires = "html")]
    title: Option<PathBuf>,

    /// How to write the numbers
    #[arg(long, value_enum, default_value_t = Format::Table, hide_default_value = true)]
    format: Format,

    /// Also write a self-contained page with charts to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    #[command(flatten)]
    choice: Choice,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Columns and bars
    Table,
    /// One JSON object
    Json,
}

/// The size from which a file is read in parts, in bytes: more than a sample of it.
const LARGE: u64 = 8 << 20;

pub(crate) fn run(args: &Args, common: &Common) -> Result<Outcome> {
    if let Some(path) = args.html.as_ref().filter(|path| is_standard_output(path)) {
        bail!("--html {}: standard output gets the numbers; name a file for the page", escape::path(path));
    }
    if args.merge {
        return merge(args);
    }
    let (walk, rules) = args.selection.walk("survey")?.heeding(&args.choice)?;
    let pool = Pool::new(common.threads());
    let mut total = Survey::new(args.jsonl.clone());
    let work = |entry| match entry {
        Entry::Skipped(_) => Ok(None),
        Entry::Failed(path, error) => Err((Input::Named(path), error)),
        Entry::Input(input) => match survey(&input, args, &rules, &pool) {
            Ok(found) => Ok(found.map(|survey| survey.of_file(input.path().to_owned()))),
            Err(error) => Err((input, error)),
        },
    };
    let progress = Progress::start(&pool.done);
    pool.in_order(
        |put| walk.each(put),
        work,
        |found| {
            pool.done.add_file();
            match found {
                Ok(Some(survey)) => total.merge(survey),
                Ok(None) => total.files_skipped += 1,
                Err((input, error)) => {
                    total.files_failed += 1;
                    progress.suspend(|| console::say(&format!("{input}: {error}")));
                }
            }
            Ok(())
        },
    )?;
    drop(progress);
    args.write(&total)
}

/// Adds up surveys that were made before.
fn merge(args: &Args) -> Result<Outcome> {
    let mut merged = Merged::default();
    let mut paths = args.selection.named()?;
    if paths.is_empty() && args.selection.files_from.is_none() {
        paths.push(PathBuf::from("-"));
    }
    for input in paths.into_iter().map(Input::named) {
        let added = input
            .reader(args.selection.unpack)
            .map_err(anyhow::Error::from)
            .and_then(|source| merged.add(&mut BufReader::new(source)).map_err(told));
        added.with_context(|| input.to_string())?;
    }
    args.write(&merged.into_total())
}

/// The error for what cannot be added up, with the flag that writes what can.
fn told(error: MergeError) -> anyhow::Error {
    match error {
        MergeError::NoSurvey { why: None, .. } => anyhow!("{NO_SURVEY}"),
        MergeError::NoSurvey { line, why: Some(why) } => anyhow!("{NO_SURVEY}: line {line}: {why}"),
        error => error.into(),
    }
}

const NO_SURVEY: &str = "not a survey written by --format json";

/// The survey of one input; `None` when it is a file of a tree that is binary or allowed.
fn survey(input: &Input, args: &Args, rules: &Rulebook, pool: &Pool) -> io::Result<Option<Survey>> {
    let demand = rules.of(input);
    if demand.is_allowed && matches!(input, Input::Found(_)) {
        return Ok(None);
    }
    let again = || input.reader(args.selection.unpack);
    let mut source = again()?;
    if !args.selection.binary {
        match input.unless_binary(source)? {
            Some(text) => source = text,
            None => return Ok(None),
        }
    }
    let (mut survey, mut reader) = (Survey::default(), Reader::new());
    let Some(field) = &args.jsonl else {
        let said = rules::said_of(demand, input);
        let heed = &mut |found: &mut _| said.map_or(Ok(()), |said| verify::heed(found, said, again));
        if let Some(file) = large(input, args.selection.unpack)? {
            if let Some(text) =
                reader.read_parts(&mut source, heed, &mut || parts(&file, pool, Cut::default()))?
            {
                survey.add(&text);
                return Ok(Some(survey));
            }
            source = again()?;
        }
        survey.add(&reader.read_as(&mut pool.done.watch(source), heed)?);
        return Ok(Some(survey));
    };
    let source = pool.done.watch(source);
    let mut failed = Ok(());
    let lines = each_field(&mut BufReader::with_capacity(64 << 10, source), field, &mut |text| match reader
        .read(&mut &text[..])
    {
        Ok(text) => survey.add(&text),
        Err(error) => failed = Err(error),
    })?;
    survey.lines = lines;
    failed.map(|()| Some(survey))
}

/// The input, if it is a file that is worth several threads, and not compressed.
fn large(input: &Input, unpack: bool) -> io::Result<Option<File>> {
    if *input == Input::Stdin || !input.metadata()?.is_file() {
        return Ok(None);
    }
    let (file, is_file) = input.open()?;
    let is_large = is_file && file.metadata()?.len() >= LARGE;
    let is_packed = is_large && unpack && Packed::of(&portion::head(&file)?).is_some();
    Ok((is_large && !is_packed).then_some(file))
}

/// Surveys a file in UTF-8 in parts; `None` if its numbers depend on more than single parts.
fn parts(file: &File, pool: &Pool, cut: Cut) -> io::Result<Option<Part>> {
    let sum = Mutex::new(Part::default());
    let is_known = spans::each(file, pool, cut, true, &|spans::Part { text, around, offset }| {
        let mut part = Part::default();
        let is_known = part.add(text, around, offset == 0);
        sum.lock().unwrap_or_else(PoisonError::into_inner).merge(&part);
        is_known
    })?;
    Ok(is_known.then(|| sum.into_inner().unwrap_or_else(PoisonError::into_inner)))
}

impl Args {
    fn write(&self, survey: &Survey) -> Result<Outcome> {
        let outcome = if survey.files_failed > 0 { Outcome::Trouble } else { Outcome::Clean };
        let outcome = outcome.after(self.print(survey))?;
        if let Some(path) = &self.html {
            let of = self.subject();
            let mut file = Replacement::of(path, Protection::default())?;
            let page = survey.page(&of);
            file.write_all(page.as_bytes()).with_context(|| escape::path(path).to_string())?;
            file.commit(None)?;
        }
        Ok(outcome)
    }

    /// What the page is about: the title, or else what was read.
    fn subject(&self) -> String {
        if let Some(title) = &self.title {
            return escape::path(title).to_string();
        }
        let named = |path: &PathBuf| match path.as_os_str() == "-" {
            true => "standard input".to_owned(),
            false => escape::path(path).to_string(),
        };
        let mut of: Vec<String> = self.selection.paths.iter().map(named).collect();
        of.extend(
            self.selection.files_from.as_ref().map(|list| format!("the files listed in {}", named(list))),
        );
        if of.is_empty() {
            let is_input = self.merge || self.selection.is_standard_input();
            of.push(named(&PathBuf::from(if is_input { "-" } else { "." })));
        }
        of.join(", ")
    }

    fn print(&self, survey: &Survey) -> Result<()> {
        let mut out = BufWriter::new(console::coloured());
        match self.format {
            Format::Table => survey.write_table(human::width(), &mut out)?,
            Format::Json => write_line(&mut out, survey)?,
        }
        Ok(out.flush()?)
    }
}

#[cfg(test)]
mod tests;
