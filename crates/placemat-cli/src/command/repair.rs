//! `placemat repair`: makes well-formed UTF-8 of text that is nearly that, and touches nothing else.

mod fields;
mod job;
mod names;
mod reading;
pub(super) mod report;
mod sink;
mod tally;
pub(super) mod turns;
pub(super) mod undo;

use std::path::PathBuf;

use anyhow::{Result, bail};
use placemat::Policy;
use placemat::invisible::Kinds;

use self::fields::Fields;
use self::job::{Job, Target};
use self::reading::Mend;
use self::report::Report;
use self::tally::{Done, Tally};
use self::turns::Turns;
use self::undo::Undo;
use crate::args::Common;
use crate::command::convert;
use crate::console::Stdout;
use crate::outcome::Outcome;
use crate::pool::Pool;
use crate::progress::Progress;
use crate::replace::{Protection, suffix};
use crate::rules::Choice;
use crate::walk::{Selection, Walk};
use placemat_text::hidden;
use placemat_text::repair::mend::Mending;

/// Make files well-formed UTF-8 and touch nothing else
///
/// Each malformed sequence is diagnosed by itself. Surrogate pairs of CESU-8 are joined. In a file that is UTF-8 except for a few bytes, runs in
/// another encoding are converted to UTF-8, if the runs and the language of the text make that encoding likely enough. Everything else becomes U+FFFD
/// on standard output; with --in-place it stays as it is, is counted, and makes the exit code 1. --diff and --dry-run of one input show what
/// standard output gets; of several, what --in-place does. A file that looks like another encoding as a whole, or in which nothing shows that it is
/// UTF-8, is refused, and the message names the command that converts it, if one is known. Well-formed text stays as it is, byte for byte.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  placemat repair letter.txt > mended.txt          one file
  placemat repair --diff .                         what would change in a tree
  placemat repair --in-place --report log.json .
  placemat repair --undo log.json                  undo it all
  placemat repair --csv=';' --mojibake a.csv       field by field

Rules: files under `allow` of the nearest placemat.toml are left alone, even if they are named, and so are files for \
which a rule sets another form than UTF-8. On standard output `allow` has no effect, since no file changes. \
--no-config ignores the rules.

Exit codes: 0 all is well, 1 something would change (--diff, --dry-run), stays malformed, or a file was refused, \
2 it could not be done.")]
pub(crate) struct Args {
    /// Replace each file by its repair, whole or not at all. With SUFFIX, such as .bak, the original is kept as FILE.bak; if there is a file of that name
    /// already, nothing is changed
    #[arg(long, value_name = "SUFFIX", num_args = 0..=1, require_equals = true, conflicts_with_all = ["diff", "unpack"], value_parser = suffix)]
    in_place: Option<Option<String>>,

    /// Show what would change, line by line; malformed bytes as \xhh
    #[arg(long, conflicts_with = "dry_run")]
    diff: bool,

    /// Say what would be done to which file, and do nothing, even with --in-place
    #[arg(short = 'n', long)]
    dry_run: bool,

    /// The second encoding of mixed files (its name, or auto: the default), and what else to mend (overlong, nul), such as koi8-r,overlong
    ///
    /// auto: the parts that are not UTF-8 and the language of the other lines decide which encoding those parts are in. The name of an encoding
    /// (windows-1250, koi8-r, shift_jis …): the parts that are not UTF-8 are in that encoding, even if little of the file is UTF-8. cp1252: every lone
    /// byte is windows-1252. overlong: a character in more bytes than it needs becomes that character (U+0000 only if nul is named too). nul: C0 80
    /// becomes U+0000, as in Modified UTF-8. overlong and nul are never done without being named: a filter that looks for `/`, `<` or NUL lets C0 AF, C0 BC
    /// and C0 80 pass, and mending them would let in what the filter keeps out.
    #[arg(long, value_name = "WHAT", value_parser = reading::mend, value_delimiter = ',')]
    mend: Vec<Mend>,

    /// What to write for every malformed sequence, whatever it was meant to be
    ///
    /// replace: U+FFFD per error (replace-byte: per byte, replace-sequence: per sequence as its lead byte announced it, replace-run:
    /// per run). skip: nothing; unsafe, since it joins what a filter kept apart. latin1, cp1252, cp1252-strict: what
    /// each byte means there. optu: U+EF80 and up. escape: the text \xhh. Only what --mend names is still
    /// mended. A file that looks like another encoding is still refused (`placemat convert --on-error` refuses none).
    #[arg(long, value_name = "POLICY", value_parser = policies())]
    on_error: Option<String>,

    /// Write U+FFFD in place too, for what cannot be mended
    #[arg(long)]
    lossy: bool,

    /// Also repair text that was decoded twice (`Ã©` becomes `é`), although it is well-formed
    #[arg(long)]
    mojibake: bool,

    /// Remove characters that are not shown and have no purpose where they are, as `placemat check --invisible` finds them
    #[arg(long, value_name = "KINDS", num_args = 0..=1, require_equals = true, default_missing_value = hidden::DEFAULT, value_parser = hidden::kinds)]
    invisible: Option<Kinds>,

    #[command(flatten)]
    fields: Fields,

    /// Rename files and folders whose names are not UTF-8 or were decoded twice, instead of repairing their content; never over an existing name,
    /// deepest first
    ///
    /// Names that are not UTF-8 are read in the encoding that --mend names, or in the one that all of them together seem to be in. Names that remain
    /// unclear are reported, stay as they are, and make the exit code 1.
    #[arg(long, conflicts_with_all = ["diff", "on_error", "lossy", "mojibake", "invisible", "nul", "unpack", "no_follow", "break_links", "keep_time", "binary"])]
    names: bool,

    /// Keep each change with its original bytes in this new file (a dry run writes none): JSON, one object a line
    #[arg(long, value_name = "FILE", conflicts_with = "unpack")]
    report: Option<PathBuf>,

    /// Undo the changes in a report, in files below its folder that have not changed since the repair
    #[arg(long, value_name = "FILE", conflicts_with_all = ["paths", "files_from", "in_place", "diff", "report", "mend", "on_error", "lossy", "mojibake", "invisible", "structure", "nul", "hidden", "no_ignore", "binary", "globs", "unpack", "null", "config", "no_config"])]
    undo: Option<PathBuf>,

    #[command(flatten)]
    replacing: Protection,

    #[command(flatten)]
    choice: Choice,

    /// Do not say what was done
    #[arg(short, long)]
    silent: bool,

    #[command(flatten)]
    selection: Selection,
}

fn policies() -> clap::builder::PossibleValuesParser {
    // A repair does not stop at an error, and its result is UTF-8, which has no surrogates.
    let is_fit = |name: &str| !matches!(name, "stop" | "surrogateescape");
    Policy::ALL.iter().map(|&(name, _)| name).filter(|name| is_fit(name)).collect::<Vec<_>>().into()
}

impl Args {
    fn mending(&self) -> Mending {
        let standard = Mending::default();
        let chosen = self.on_error.as_deref();
        let known = chosen.and_then(|chosen| Policy::ALL.iter().find(|(name, _)| *name == chosen));
        Mending {
            policy: known.copied().unwrap_or(standard.policy),
            diagnoses: known.is_none(),
            cp1252: self.mend.iter().any(|mend| matches!(mend, Mend::Windows1252)),
            overlong: self.mend.iter().any(|mend| matches!(mend, Mend::Overlong)),
            nul: self.mend.iter().any(|mend| matches!(mend, Mend::Nul)),
            mojibake: self.mojibake,
            hidden: self.invisible.unwrap_or(Kinds::NONE),
            zero: self.fields.zero(),
        }
    }

    fn target(&self) -> Target<'_> {
        match &self.in_place {
            _ if self.dry_run => Target::Counts,
            Some(suffix) => Target::InPlace { protection: self.replacing, suffix: suffix.as_deref() },
            None if self.diff => Target::Diff,
            None => Target::Stdout,
        }
    }

    /// What to repair, if `target` allows it.
    fn walk(&self, target: &Target<'_>) -> Result<Walk> {
        let walk = match &self.in_place {
            Some(_) => self.selection.walk_named()?,
            None => self.selection.walk_or_stdin()?,
        };
        match target {
            _ if self.in_place.is_some() && walk.inputs().is_empty() => bail!("--in-place: no files named"),
            Target::Stdout if !walk.is_single() => {
                bail!("several files: --in-place replaces each, --diff and --dry-run show what would be done")
            }
            Target::Stdout => convert::source::refuse_output(walk.inputs(), Stdout::open()?.metadata())?,
            Target::InPlace { .. } | Target::Diff | Target::Counts => {}
        }
        Ok(walk)
    }
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<Outcome> {
    if args.names || args.undo.as_deref().is_some_and(names::wrote) {
        return names::run(args);
    }
    if let Some(report) = &args.undo {
        let undo = Undo { report, protection: args.replacing, dry_run: args.dry_run, silent: args.silent };
        return undo.run();
    }
    let second = reading::second(&args.mend)?;
    let target = args.target();
    let (walk, rules) = args.walk(&target)?.heeding(&args.choice)?;
    let report = args.report.as_deref().filter(|_| !args.dry_run).map(Report::create).transpose()?;
    let pool = Pool::new(common.threads());
    let pool = if let Target::Diff = target { pool.holding_few() } else { pool };
    let job = Job {
        mending: args.mending(),
        structure: args.fields.structure(),
        second,
        is_lossy: args.lossy || args.on_error.is_some(),
        // A tree can only be repaired in place.
        leaves: (args.in_place.is_some() || !walk.is_single()) && !args.lossy && args.on_error.is_none(),
        target,
        rules: &rules,
        report: report.as_ref(),
        unpack: args.selection.unpack,
        binary: args.selection.binary,
        done: &pool.done,
    };
    let progress = match job.target {
        Target::Stdout => Progress::beside_results(&pool.done),
        Target::InPlace { .. } | Target::Diff | Target::Counts => Progress::start(&pool.done),
    };
    let turns = report.as_ref().map(|_| Turns::default());
    let mut tally = Tally::new(args);
    let mut number = 0;
    let no_follow = args.replacing.no_follow && matches!(job.target, Target::InPlace { .. });
    let written = pool.in_order(
        |put| {
            walk.each_once(no_follow, &mut |entry| {
                if report.as_ref().is_some_and(|report| report.is_own(&entry)) {
                    return true;
                }
                number += 1;
                put((number - 1, entry))
            });
        },
        |(number, entry)| {
            let turn = turns.as_ref().map(|turns| turns.of(number));
            let done = Done::of(entry, |input| job.run(input, turn.as_ref()));
            pool.done.add_file();
            done
        },
        |done| progress.suspend(|| tally.take(done)),
    );
    drop(progress);
    if written.is_err() {
        return tally.outcome.after(written);
    }
    if let Some(report) = &report {
        report.finish()?;
    }
    if !walk.is_single() && !args.silent {
        tally.summary();
    }
    Ok(tally.outcome)
}
