//! `placemat convert`: from any encoding to any other.

mod in_place;
mod join;
mod options;
pub(super) mod source;
mod stopped;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};

use self::join::{Join, Joined};
use self::options::Options;
use super::repair::report::Report;
use super::repair::undo::Undo;
use crate::args::Common;
use crate::choices;
use crate::console::{self, Stdout, say};
use crate::escape;
use crate::input::Input;
use crate::outcome::Outcome;
use crate::progress::{Done, Progress};
use crate::replace::{Replacement, is_standard_output, suffix};
use crate::rules::Choice;
use crate::walk::Selection;
use placemat_text::charset::Charset;

/// Bytes read at once.
const BLOCK: usize = 128 * 1024;

/// Transcode text from any form or encoding to any other
#[derive(clap::Args, Debug)]
#[command(mut_arg("paths", |paths| paths.help("Files, and with --in-place directories too; `-` is standard input")), mut_arg("config", |config| config.requires("in_place")), mut_arg("no_config", |none| none.requires("in_place")), after_help = "\
Examples:
  placemat convert -f windows-1252 notes.txt > notes.utf8.txt
  placemat convert -f utf-8,windows-1252 --in-place src
  placemat convert -t utf-16le --bom add -o for-windows.txt notes.txt

Several inputs are decoded one by one and joined. What precedes an error is written to standard output; with -o \
and --in-place the result appears whole or not at all.

Rules: with --in-place, files under `allow` of the nearest placemat.toml are left alone, even if they are named. \
Without -f a file is read in the `form` that a rule says. --no-config ignores the rules.

With --in-place, a file is refused if -f is probably wrong: if it is UTF-8 with characters of several bytes and -f names \
another encoding (it would be encoded twice); if it is UTF-8 or ASCII and -f names UTF-16 or UTF-32; if it begins with a \
byte order mark of UTF-16 or UTF-32 and -f names anything else. --force converts it all the same. --report keeps what \
is needed to put everything back with --undo.

Exit codes: 0 all is well (what a policy replaced is counted on standard error), 1 stopped at an error, refused, or \
something would change (--dry-run), 2 it could \
not be done.")]
pub(crate) struct Args {
    #[command(flatten)]
    options: options::Conversion,

    /// Write to this file, whole or not at all
    #[arg(short, long, value_name = "FILE", conflicts_with = "in_place")]
    output: Option<PathBuf>,

    /// Write at most N bytes: the output ends after the last character that fits
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = choices::number::<u64>, conflicts_with = "in_place")]
    max_bytes: Option<u64>,

    /// Replace each file by its conversion, whole or not at all. With SUFFIX, such as .bak, the original is kept as FILE.bak; if there is a file of that
    /// name already, nothing is changed
    #[arg(long, value_name = "SUFFIX", num_args = 0..=1, require_equals = true, value_parser = suffix)]
    in_place: Option<Option<String>>,

    /// With --in-place: say which file would be converted, from what to what, and change nothing
    #[arg(short = 'n', long)]
    dry_run: bool,

    /// With --in-place: also convert files that are UTF-8 already, or have a byte order mark, although -f names another encoding
    #[arg(long, requires = "in_place")]
    force: bool,

    /// With --in-place: keep each change with its original bytes in this new file (a dry run writes none): JSON, one object a line
    #[arg(long, value_name = "FILE", requires = "in_place")]
    report: Option<PathBuf>,

    /// Undo the changes in a report, in files below its folder that have not changed since the conversion
    #[arg(long, value_name = "FILE", conflicts_with_all = ["paths", "files_from", "in_place", "output", "list", "force", "from", "to", "labels", "sure", "on_error", "unencodable", "bom", "skip", "max_bytes", "hidden", "no_ignore", "binary", "globs", "unpack", "null", "config", "no_config"])]
    undo: Option<PathBuf>,

    #[command(flatten)]
    replacing: crate::replace::Protection,

    #[command(flatten)]
    choice: Choice,

    /// List every form and encoding
    #[arg(short, long, conflicts_with_all = ["output", "in_place", "paths", "files_from"])]
    list: bool,

    #[command(flatten)]
    selection: Selection,
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<Outcome> {
    if args.list {
        return list();
    }
    if let Some(report) = &args.undo {
        let silent = args.options.is_silent();
        return Undo { report, protection: args.replacing, dry_run: args.dry_run, silent }.run();
    }
    if args.dry_run && args.in_place.is_none() {
        bail!("--dry-run needs --in-place or --undo");
    }
    let guards = args.in_place.is_some() && !args.force;
    let limit = args.max_bytes;
    let options = Options { unpack: args.selection.unpack, guards, limit, ..args.options.resolve(common)? };
    if let Some(suffix) = &args.in_place {
        if options.unpack {
            bail!("--in-place cannot write compressed files: leave out -z, or write to another file with -o");
        }
        if args.selection.is_empty() {
            bail!("--in-place: no files named");
        }
        let (walk, rules) = args.selection.walk_named()?.heeding(&args.choice)?;
        let job = in_place::Job {
            options: &options,
            rules: &rules,
            heeds_forms: args.options.names_no_source(),
            binary: args.selection.binary,
            protection: args.replacing,
            report: args.report.as_deref().filter(|_| !args.dry_run).map(Report::create).transpose()?,
            dry_run: args.dry_run,
            suffix: suffix.as_deref(),
        };
        return job.run(&walk);
    }
    let inputs = args.inputs()?;
    match args.output.as_deref().filter(|path| !is_standard_output(path)) {
        None => to_standard_output(&inputs, &options),
        Some(path) => {
            let mut out = Replacement::of(path, args.replacing)?;
            source::refuse_output(&inputs, out.written_through())?;
            let joined = join(&options, &inputs, &mut out, Progress::start)
                .with_context(|| escape::path(path).to_string())?;
            if joined.outcome == Outcome::Clean {
                out.commit(None)?;
            }
            Ok(joined.conclude())
        }
    }
}

/// Converts the inputs to one output, and shows how far it is.
fn join(
    options: &Options,
    inputs: &[Input],
    out: &mut (dyn Write + Send),
    progress: fn(&Arc<Done>) -> Progress,
) -> Result<Joined> {
    let _permit = options.pool.permit();
    let done = &options.pool.done;
    let progress = progress(done);
    let mut say = |text: &str| progress.suspend(|| say(text));
    Join { options, from: &options.from, done, say: &mut say }.run(inputs, out)
}

impl Joined {
    /// Prints the remarks and returns the outcome.
    fn conclude(self) -> Outcome {
        self.remarks.iter().for_each(|remark| say(remark));
        self.outcome
    }
}

impl Args {
    fn inputs(&self) -> Result<Vec<Input>> {
        let paths = self.selection.named()?;
        if paths.is_empty() && self.selection.files_from.is_none() {
            return Ok(vec![Input::Stdin]);
        }
        Ok(paths.into_iter().map(Input::named).collect())
    }
}

fn list() -> Result<Outcome> {
    let mut out = console::coloured();
    Charset::all().try_for_each(|charset| writeln!(out, "{charset}"))?;
    Ok(Outcome::Clean)
}

fn to_standard_output(inputs: &[Input], options: &Options) -> Result<Outcome> {
    let mut out = Stdout::open()?;
    source::refuse_output(inputs, out.metadata())?;
    let joined = join(options, inputs, &mut out, Progress::beside_results)?;
    Ok(joined.conclude())
}
