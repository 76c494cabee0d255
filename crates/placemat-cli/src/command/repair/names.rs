//! `repair --names`: renames files and folders, the deepest ones first, and never over an existing one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use placemat::Form;
use placemat_text::charset::Charset;
use placemat_text::names::{Misnamed, Rename};
use placemat_text::notation::read_line;

use super::Args;
use super::reading::Mend;
use super::report::Report;
use crate::command::names::find;
use crate::console;
use crate::escape;
use crate::outcome::Outcome;
use crate::replace::rename_new;

/// The first line of a report. It is compared as a whole: parsing it would take 16 KB more code.
const FIRST: &str = r#"{"type":"report","version":1}"#;

pub(super) fn run(args: &Args) -> Result<Outcome> {
    if let Some(report) = &args.undo {
        return undo(args, report);
    }
    ensure!(
        args.dry_run || args.in_place == Some(None),
        "--names: --dry-run says what would be renamed, and --in-place (without a suffix) renames it"
    );
    let charset = match args.mend[..] {
        [] | [Mend::Auto] => None,
        [Mend::Windows1252] => Some(Charset::Form(Form::Windows1252)),
        [Mend::Second(legacy)] => Some(Charset::Legacy(legacy)),
        _ => bail!("--names: --mend takes one encoding, or auto"),
    };
    let (walk, rules) = args.selection.walk_named()?.heeding(&args.choice)?;
    ensure!(!walk.inputs().is_empty(), "--names: no files or folders named");
    let found = find(&walk, &rules, charset);
    let mut outcome = Outcome::Clean;
    for (path, error) in &found.failed {
        console::say(&format!("{}: {error}", escape::path(path)));
        outcome = Outcome::Trouble;
    }
    let report = args.report.as_deref().filter(|_| !args.dry_run).map(Report::create).transpose()?;
    let mut by_depth = BTreeMap::<_, Vec<_>>::new();
    for (path, misnamed) in found.misnamed {
        by_depth.entry(path.components().count()).or_default().push((path, misnamed));
    }
    let (mut planned, mut renamed, mut left) = (BTreeSet::new(), 0, 0);
    for (path, misnamed) in by_depth.into_values().rev().flatten() {
        match rename(args, &path, &misnamed, &mut planned, report.as_ref()) {
            Ok(()) => {
                renamed += 1;
                if args.dry_run {
                    outcome = outcome.max(Outcome::Found);
                }
            }
            Err(error) => {
                let is_known = matches!(error.downcast_ref(), Some(Left));
                let reason = if is_known { misnamed.sentence() } else { escape::message(&error).to_string() };
                console::say(&format!("{}: {reason}; it is left as it is", escape::path(&path)));
                left += 1;
                outcome = outcome.max(Outcome::Found);
            }
        }
    }
    if !args.silent {
        let verb = if args.dry_run { "to rename" } else { "renamed" };
        console::summary(&[(renamed, verb), (left, "left")]);
    }
    Ok(outcome)
}

/// It is not known what a name should be.
#[derive(Debug)]
struct Left;

impl std::fmt::Display for Left {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the right name is not known")
    }
}

impl std::error::Error for Left {}

/// Renames one, or says what would be done.
fn rename(
    args: &Args,
    path: &Path,
    misnamed: &Misnamed,
    planned: &mut BTreeSet<PathBuf>,
    report: Option<&Report>,
) -> Result<()> {
    let name = misnamed.becomes.as_deref().ok_or(Left)?;
    let to = path.with_file_name(name);
    ensure!(!is_there(&to) && planned.insert(to.clone()), "{} exists already", escape::path(&to));
    if args.dry_run {
        return Ok(writeln!(console::coloured(), "{} -> {}", escape::path(path), escape::text(name))?);
    }
    if let Some(report) = report {
        report.rename(path, name)?;
    }
    rename_new(path, &to).map_err(|error| told(error, &to))?;
    if !args.silent {
        console::say(&format!("{}: renamed to {}", escape::path(path), escape::text(name)));
    }
    Ok(())
}

fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

/// What a dry run would have put back so far.
#[derive(Default)]
struct PutBack {
    /// The paths that folders would have, and where they are now.
    folders: Vec<(PathBuf, PathBuf)>,
    /// Names that would be free.
    free: BTreeSet<PathBuf>,
}

impl PutBack {
    /// The present path of what would be at `path`, if anything would.
    fn real(&self, path: &Path) -> Option<PathBuf> {
        let mut folders = self.folders.iter().rev();
        match folders.find_map(|(was, real)| Some((real, path.strip_prefix(was).ok()?))) {
            // Joining nothing would leave a separator at the end.
            Some((real, below)) if below.as_os_str().is_empty() => Some(real.clone()),
            Some((real, below)) => Some(real.join(below)),
            None => (!self.free.contains(path)).then(|| path.to_path_buf()),
        }
    }

    fn has(&self, path: &Path) -> bool {
        self.real(path).is_some_and(|path| is_there(&path))
    }

    /// Notes that `now` would be called `was`.
    fn put_back(&mut self, now: PathBuf, was: PathBuf) -> io::Result<()> {
        let real = self.real(&now).ok_or(io::ErrorKind::NotFound)?;
        if real.symlink_metadata()?.is_dir() {
            self.folders.push((was, real));
        }
        self.free.insert(now);
        Ok(())
    }
}

fn told(error: io::Error, to: &Path) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::AlreadyExists => anyhow::anyhow!("{} exists already", escape::path(to)),
        _ => error.into(),
    }
}

/// Whether a report is about names.
pub(super) fn wrote(report: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(report).and_then(|file| file.take(64).read_to_end(&mut head));
    // Early reports lack the first line, which has the version.
    let mut lines = head.split(|&byte| byte == b'\n').take(2);
    read.is_ok() && lines.any(|line| line.starts_with(br#"{"type":"rename""#))
}

/// Gives everything back the name that it had, in reverse order.
fn undo(args: &Args, report: &Path) -> Result<Outcome> {
    let name = escape::path(report).to_string();
    let file = BufReader::new(File::open(report).with_context(|| name.clone())?);
    let mut renames = Vec::new();
    for (number, line) in file.lines().enumerate() {
        let context = || format!("{name}, line {}", number + 1);
        let line = line.with_context(context)?;
        if number == 0 && line == FIRST {
            continue;
        }
        let rename: Rename = read_line(line.as_bytes()).with_context(context)?;
        let path = rename.path.path().with_context(context)?;
        let is_plain = |path: &Path| path.components().all(|part| matches!(part, Component::Normal(_)));
        ensure!(
            is_plain(&path)
                && is_plain(Path::new(&rename.to))
                && Path::new(&rename.to).components().count() == 1,
            "{}: leads out of the folder of the report",
            context()
        );
        renames.push((path, rename.to));
    }
    let folder = fs::canonicalize(report)?.parent().unwrap_or(Path::new("/")).to_path_buf();
    let (mut outcome, mut put_back, mut as_it_was, mut left) = (Outcome::Clean, 0, 0, 0);
    let mut planned = PutBack::default();
    for (path, to) in renames.into_iter().rev() {
        let was = folder.join(&path);
        let now = was.with_file_name(&to);
        let shown = report.with_file_name("").join(&path).with_file_name(&to);
        if !planned.has(&now) && planned.has(&was) {
            as_it_was += 1;
            continue;
        }
        let parent = was.parent().and_then(|parent| planned.real(parent)).unwrap_or_default();
        let done = match fs::canonicalize(&parent) {
            Ok(real) if real != parent => Err(anyhow::anyhow!("is reached through a symbolic link")),
            Ok(_) if planned.has(&was) => Err(anyhow::anyhow!("{} exists already", escape::path(&was))),
            Ok(_) => match args.dry_run {
                true => planned.put_back(now, was.clone()),
                false => rename_new(&now, &was),
            }
            .map_err(|error| told(error, &was)),
            Err(error) => Err(error.into()),
        };
        match done {
            Ok(()) => put_back += 1,
            Err(error) => {
                let reason = escape::message(&error);
                console::say(&format!("{}: {reason}; it is left as it is", escape::path(&shown)));
                left += 1;
                outcome = Outcome::Found;
            }
        }
    }
    if args.dry_run && put_back > 0 {
        outcome = Outcome::Found;
    }
    if !args.silent {
        let verb = if args.dry_run { "to put back" } else { "put back" };
        console::summary(&[(put_back, verb), (as_it_was, "as they were already"), (left, "left")]);
    }
    Ok(outcome)
}
