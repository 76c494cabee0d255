//! `--undo`: original bytes go back to where a report has them from.
//!
//! A report may come from anywhere. It is read to its end before anything is touched; it reaches only files below its own
//! folder, not through links; and a file is replaced only if it has the content that the repair left, and gets
//! the content that the repair found.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Read, Seek as _, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};

use super::report::{Hashing, Line, State, VERSION};
use crate::console;
use crate::outcome::Outcome;
use crate::replace::{Protection, Replacement, open_itself};
use crate::report::human::plural;
use crate::report::json::{path_of, unhex};
use crate::shown;

/// No line of a report is longer, in bytes.
const LONGEST_LINE: u64 = 4 << 20;

/// How to undo.
pub(super) struct Undo<'a> {
    pub(super) report: &'a Path,
    pub(super) protection: Protection,
    /// Look, and touch nothing.
    pub(super) dry_run: bool,
    pub(super) silent: bool,
}

/// A file of the report.
struct Entry {
    /// From the folder of the report; names only.
    path: PathBuf,
    before: State,
    after: State,
    changes: u64,
    /// Where its changes are in the report.
    position: u64,
}

/// What became of a file.
enum Fate {
    PutBack,
    /// It is what it was before the repair.
    AsItWas,
    Refused(&'static str),
}

impl Undo<'_> {
    /// Put everything back that can be.
    ///
    /// # Errors
    /// When the report is not one; then nothing was touched.
    pub(super) fn run(&self) -> Result<Outcome> {
        ensure!(
            self.report.as_os_str() != "-",
            "--undo -: a report is about files below its own folder; name the file that holds it"
        );
        let name = shown::path(self.report).to_string();
        let mut lines = Lines::open(self.report).with_context(|| name.clone())?;
        let entries = entries(&mut lines).with_context(|| format!("{name}, line {}", lines.number))?;
        let report = fs::canonicalize(self.report)?;
        let folder = report.parent().unwrap_or(Path::new("/"));
        let (mut outcome, mut put_back, mut as_it_was, mut refused) = (Outcome::Clean, 0, 0, 0);
        for entry in &entries {
            let path = shown::path(&entry.path);
            match self.file(&folder.join(&entry.path), entry, &mut lines) {
                Ok(Fate::PutBack) => {
                    put_back += 1;
                    if self.dry_run {
                        let n = entry.changes;
                        writeln!(anstream::stdout().lock(), "{path}: {n} change{} to take back", plural(n))?;
                    }
                }
                Ok(Fate::AsItWas) => as_it_was += 1,
                Ok(Fate::Refused(reason)) => {
                    console::say(&format!("{path}: {reason}; it is left as it is"));
                    refused += 1;
                    outcome = outcome.max(Outcome::Found);
                }
                Err(error) => {
                    console::say(&format!("{path}: {}", shown::message(&error)));
                    refused += 1;
                    outcome = Outcome::Trouble;
                }
            }
        }
        if self.dry_run && put_back > 0 {
            outcome = outcome.max(Outcome::Found);
        }
        if !self.silent {
            let verb = if self.dry_run { "to put back" } else { "put back" };
            let parts = [(put_back, verb), (as_it_was, "as they were already"), (refused, "left")];
            console::summary(&parts);
        }
        Ok(outcome)
    }

    fn file(&self, path: &Path, entry: &Entry, lines: &mut Lines) -> Result<Fate> {
        if fs::canonicalize(path)? != path {
            return Ok(Fate::Refused("is reached through a symbolic link"));
        }
        if !fs::symlink_metadata(path)?.is_file() {
            return Ok(Fate::Refused("is not a file"));
        }
        let mut now = Hashing::default();
        io::copy(&mut open_itself(path)?, &mut now)?;
        match now.finish() {
            state if state == entry.before => return Ok(Fate::AsItWas),
            state if state != entry.after => return Ok(Fate::Refused("has changed since the repair")),
            _ => {}
        }
        let mut out = Replacement::in_place(path, self.protection.without_links())?;
        out.require_one_name()?;
        let mut source = Hashed { inner: BufReader::new(open_itself(path)?), hash: Hashing::default() };
        let mut target = Hashed { inner: &mut out, hash: Hashing::default() };
        lines.seek(entry.position)?;
        let fits = put_back(entry, lines, &mut source, &mut target)?;
        let (source, target) = (source.hash.finish(), target.hash.finish());
        if !fits || source != entry.after || target != entry.before {
            return Ok(Fate::Refused("cannot be what it was: the changes of the report lead elsewhere"));
        }
        if fs::canonicalize(path)? != path {
            return Ok(Fate::Refused("is reached through a symbolic link"));
        }
        if !self.dry_run {
            out.commit(None)?;
        }
        Ok(Fate::PutBack)
    }
}

/// Write the original; `false` when a change is not where the report has it.
fn put_back(
    entry: &Entry,
    lines: &mut Lines,
    source: &mut impl Read,
    target: &mut impl Write,
) -> Result<bool> {
    let mut at = 0;
    for _ in 0..entry.changes {
        let (offset, bytes, text) = lines.change()?;
        let Some(same) = offset.checked_sub(at) else { return Ok(false) };
        if io::copy(&mut source.take(same), target)? < same {
            return Ok(false);
        }
        let mut here = vec![0; text.len()];
        match source.read_exact(&mut here) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            read => read?,
        }
        if here != text.as_bytes() {
            return Ok(false);
        }
        target.write_all(&bytes)?;
        at = offset + bytes.len() as u64;
    }
    io::copy(source, target)?;
    Ok(true)
}

/// The files of a report, all of which is read and none of which is believed.
fn entries(lines: &mut Lines) -> Result<Vec<Entry>> {
    match lines.line()? {
        Some(Line::Report { version: VERSION }) => {}
        Some(Line::Report { version }) => bail!("version {version} of reports is not known here"),
        _ => bail!("is not a report of `placemat repair`"),
    }
    let mut entries = Vec::new();
    let mut paths = BTreeSet::new();
    loop {
        match lines.line()? {
            Some(Line::File { path, path_bytes, before, after, changes }) => {
                let path = checked(&path, path_bytes.as_deref())?;
                ensure!(paths.insert(path.clone()), "{} comes twice", shown::path(&path));
                let position = lines.position;
                let mut end = 0;
                for _ in 0..changes {
                    let (offset, bytes, _) = lines.change()?;
                    ensure!(offset >= end, "the changes are not in order");
                    end = offset.saturating_add(bytes.len() as u64);
                    ensure!(end <= before.bytes, "a change lies behind the end of the file");
                }
                entries.push(Entry { path, before, after, changes, position });
            }
            Some(Line::Summary { files, .. }) => {
                ensure!(files == entries.len() as u64, "the report has lost files");
                ensure!(lines.line()?.is_none(), "something follows the end of the report");
                return Ok(entries);
            }
            // A run that was killed, after the last file that it had replaced.
            None => return Ok(entries),
            Some(_) => bail!("a file or the end of the report is expected"),
        }
    }
}

/// The path, if it leads down from the folder of the report by names alone.
fn checked(text: &str, bytes: Option<&str>) -> Result<PathBuf> {
    let path = match bytes {
        None => PathBuf::from(text),
        Some(bytes) => path_of(unhex(bytes)?)?,
    };
    let is_plain = !path.as_os_str().as_encoded_bytes().contains(&0);
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
    // `a/./b`, `a//b` and `a/` are written by nobody who means well.
    let is_canonical = path.components().collect::<PathBuf>().as_os_str() == path.as_os_str();
    ensure!(
        is_plain && is_below && is_canonical && path.file_name().is_some(),
        "{} does not lead to a file below the folder of the report",
        shown::path(&path)
    );
    Ok(path)
}

/// Lines of a report.
struct Lines {
    reader: BufReader<File>,
    number: u64,
    /// Where the next line begins.
    position: u64,
}

impl Lines {
    fn open(path: &Path) -> Result<Lines> {
        Ok(Lines { reader: BufReader::new(File::open(path)?), number: 0, position: 0 })
    }

    fn seek(&mut self, position: u64) -> io::Result<()> {
        self.position = position;
        self.reader.seek(SeekFrom::Start(position)).map(drop)
    }

    /// The next line, if there is one.
    fn line(&mut self) -> Result<Option<Line>> {
        let mut line = Vec::new();
        let read = (&mut self.reader).take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        self.position += read as u64;
        ensure!(
            line.ends_with(b"\n"),
            "the report is cut off here; without this line and what belongs to it, it can be undone"
        );
        Ok(Some(serde_json::from_slice(&line)?))
    }

    /// The next line, which is to be a change: its offset, the original bytes, and what took their place.
    fn change(&mut self) -> Result<(u64, Vec<u8>, String)> {
        match self.line()? {
            Some(Line::Change { offset, bytes, text, .. }) => Ok((offset, unhex(&bytes)?, text)),
            Some(_) => bail!("a change is expected"),
            None => bail!("the report is cut off: a change is missing"),
        }
    }
}

/// What passes is hashed.
struct Hashed<T> {
    inner: T,
    hash: Hashing,
}

impl<T: Read> Read for Hashed<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.hash.add(&bytes[..read]);
        Ok(read)
    }
}

impl<T: Write> Write for Hashed<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
