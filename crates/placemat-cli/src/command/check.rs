//! `placemat check`: every malformed sequence in every file.

mod checker;
mod known;
mod names;
mod patch;
mod tally;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::ValueEnum;

use self::checker::Checker;
use self::known::Known;
use self::tally::Tally;
use placemat::invisible::Kinds;
use placemat_text::hidden;

use crate::args::Common;
use crate::choices;
use crate::naming::Naming;
use crate::outcome::Outcome;
use crate::pool::Pool;
use crate::report::{Github, Gitlab, Human, Json, Junit, Lines, Report, Sarif, Short};
use crate::rules::Choice;
use crate::walk::Selection;

/// Find every malformed sequence in every file; say nothing when there is none
///
/// A file that is in another encoding as a whole gets one line, with the command that converts it; -f utf-8 shows each of its errors. In a tree,
/// hidden files, binary files and what .gitignore leaves out are skipped (with -f utf-16 or utf-32 no file counts as binary: such text has NULs). The
/// exit code is 0 when all is well, 1 when an error was found, and 2 when something could not be read.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  placemat check .                         everything below this directory
  placemat check --format github .         annotations on a pull request
  placemat check -z logs/                  compressed files too
  placemat check -f shift_jis old/*.txt    files in another encoding
  git diff --cached | placemat check --patch   only what a commit adds
  curl -s URL | placemat check             standard input, without a path
  placemat check --format paths -0 . | xargs -0 placemat detect

Rules: the nearest placemat.toml, in the folder that is checked or above it, says what files must be. It is only \
data: nothing in it is run.

  allow = [\"tests/broken/**\"]     # skipped: their errors are known

  [[rule]]
  files = [\"*.md\", \"/src/**\"]     # as in .gitignore, even if hidden or binary
  form = \"utf-8\"                  # any name that `placemat forms` lists
  mark = \"forbidden\"              # or required, any: the byte order mark
  line-ending = \"lf\"              # or crlf, any
  invisible = \"forbidden\"         # or any: characters that are not shown
  may-have = [\"control\"]          # kinds of these that are allowed

A file that breaks a rule has an error of kind mark-forbidden, mark-required or line-ending. An empty file needs no \
mark; of wrong line endings only the first is reported. Where several rules match, the last one that sets a key \
decides. A file that a rule matches is read even if it is binary or hidden (in a hidden folder only if the pattern names \
that folder), but not if .gitignore leaves it out.

A UTF-8 file that declares another encoding (in an XML declaration, a meta element, a coding comment, the header of a \
catalogue or a mail, @charset, SET NAMES of an SQL dump, inputenc of LaTeX) has an error of kind declared-encoding. \
ASCII files have none; with -f utf-8 declarations are ignored.

A baseline lists known errors: with --baseline only new ones are reported and counted. Entries that are no longer \
found are named on standard error; write the baseline again to remove them.")]
pub(crate) struct Args {
    #[command(flatten)]
    selection: Selection,

    /// Form or encoding of the files [default: utf-8; then a file that begins with a byte order mark of UTF-16 or UTF-32 has only that error]
    #[arg(short = 'f', long = "from", value_name = "FORM")]
    from: Option<String>,

    #[command(flatten)]
    naming: Naming,

    #[command(flatten)]
    choice: Choice,

    /// Look for mojibake too: well-formed text that was decoded twice, such as `Ã©` for `é`; each run is one error, reported after the others
    #[arg(long, conflicts_with = "from")]
    mojibake: bool,

    /// Look for characters that are not shown and have no purpose where they are: payloads in tag characters and variation
    /// selectors, bidirectional controls that are not closed, zero-width characters, control codes
    ///
    /// KINDS limits this to some kinds, such as --invisible=zero-width,control. The kinds are tag-payload, variation-payload, bidi-unbalanced,
    /// zero-width, invisible, control, and three that are found only if they are named: private-use, noncharacter, unassigned. `all` stands for all
    /// nine. Kinds that a rule allows are left out.
    #[arg(long, value_name = "KINDS", num_args = 0..=1, require_equals = true, default_missing_value = hidden::DEFAULT, conflicts_with = "from", value_parser = hidden::kinds)]
    invisible: Option<Kinds>,

    /// Read a unified diff from FILE or standard input, and check only the lines that it adds: for malformed bytes, U+FFFD, mojibake
    /// and characters that are not shown; lines and columns are those of the new files
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-", conflicts_with_all = ["paths", "files_from", "mojibake", "unpack", "skipped", "baseline", "write_baseline", "hidden", "no_ignore", "binary", "globs"])]
    patch: Option<PathBuf>,

    /// Check the names of files and folders instead of their content: find names that are not UTF-8 or were decoded twice; positions are within the
    /// name
    #[arg(long, conflicts_with_all = ["from", "mojibake", "invisible", "patch", "unpack", "skipped", "baseline", "write_baseline"])]
    names: bool,

    /// How to write what was found
    #[arg(long, value_enum, default_value_t = Format::Human, hide_default_value = true)]
    format: Format,

    /// Show at most N errors of each file; all are counted [default: 10 for human, 1000 for the rest]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = choices::number::<u64>)]
    max_errors: Option<u64>,

    /// List what is skipped in trees, and why: hidden, binary, not a file, allowed by a rule; at the end, what .gitignore and -g leave out
    #[arg(long)]
    skipped: bool,

    /// Report and count only errors that this baseline does not list. An error is listed by its path (from the current directory), its kind and the text
    /// of its line, so it is still known when the line moves
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Write a baseline with all errors to this file, and report none
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    write_baseline: Option<PathBuf>,

    /// Print only `PATH:N` for each file with N errors; with --format json only the lines of files and the summary
    #[arg(long)]
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
    /// One line per error: PATH:LINE:COLUMN: KIND: what is wrong
    Short,
    /// JUnit's XML, a test case for each file with errors
    Junit,
    /// The code quality report of GitLab
    Gitlab,
}

impl Args {
    fn report(&self) -> Box<dyn Report> {
        match self.format {
            Format::Human if self.count => Box::new(Lines::new(true, self.selection.null)),
            Format::Human => Box::new(Human::new()),
            Format::Json => Box::new(Json::new()),
            Format::Sarif => Box::new(Sarif::new()),
            Format::Github => Box::new(Github::new()),
            Format::Short => Box::new(Short::new()),
            Format::Junit => Box::new(Junit::new()),
            Format::Gitlab => Box::new(Gitlab::new()),
            Format::Paths => Box::new(Lines::new(false, self.selection.null)),
        }
    }

    /// How many findings of each file are wanted.
    fn limit(&self) -> u64 {
        match self.format {
            _ if self.count => 0,
            Format::Paths => 0,
            Format::Human => self.max_errors.unwrap_or(10),
            Format::Json
            | Format::Sarif
            | Format::Github
            | Format::Short
            | Format::Junit
            | Format::Gitlab => self.max_errors.unwrap_or(1000),
        }
    }
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<Outcome> {
    if args.count && !matches!(args.format, Format::Human | Format::Json) {
        bail!("--count works only with --format human or json");
    }
    if let Some(patch) = &args.patch {
        return patch::run(args, patch);
    }
    if args.names {
        return names::run(args);
    }
    let (walk, rules) = args.selection.walk("check")?.heeding(&args.choice)?;
    let pool = Pool::new(common.threads());
    let checker = Checker::new(args, &rules, &pool)?;
    let known = Known::of(args.baseline.as_deref(), args.write_baseline.as_deref())?;
    let mut tally = Tally::new(args.report(), known, args.skipped, &pool);
    let mut written = Ok(());
    if walk.is_single() {
        walk.each(&mut |entry| {
            let permit = pool.permit();
            let checked = checker.check(entry);
            drop(permit);
            written = tally.take(&checker, checked);
            written.is_ok()
        });
    } else {
        written = pool.in_order(
            |put| walk.each(put),
            |entry| checker.check(entry),
            |checked| tally.take(&checker, checked),
        );
    }
    if args.skipped && written.is_ok() {
        written = walk.ignored(&mut |path| tally.skipped(path, "ignored"));
    }
    tally.finish(written)
}
