//! The baseline of `check`: a file of known errors, so that only new ones count.
//!
//! An entry is a path, a kind and a hash of the line, with a count. An error whose line has moved therefore stays known. The
//! file holds sorted lines of JSON, so that two versions can be compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::Error;
use crate::error::{ensure, refuse};
use crate::faults::Finding;
use crate::faults::run::Run;
use crate::models::FilePath;
use crate::notation::{read_line, write_line};

/// The version of the format that is written here.
pub const VERSION: u32 = 1;

/// The number of bytes on each side of an error that are hashed, if its line is longer.
const EDGE: usize = 256;

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
enum Line {
    Baseline {
        version: u32,
    },
    Known {
        path: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        path_bytes: Option<String>,
        kind: String,
        line: String,
        count: u64,
    },
}

/// The key of a known error: path, bytes of the path if it is not UTF-8, kind, hash of the line.
type Key = (String, Option<String>, String, String);

/// Known errors.
///
/// ```
/// use placemat_text::baseline::{Baseline, hash};
///
/// let mut seen = Baseline::default();
/// seen.add("./a.txt".as_ref(), "overlong", &hash(b"a \xC0\x80 b"));
/// let mut file = Vec::new();
/// seen.write(&mut file).unwrap();
/// let mut known = Baseline::parse(&file).unwrap();
/// assert!(known.take("a.txt".as_ref(), "overlong", &hash(b"a \xC0\x80 b")));
/// assert!(!known.take("a.txt".as_ref(), "overlong", &hash(b"a \xC0\x80 b")));
/// ```
#[derive(Default)]
pub struct Baseline {
    known: BTreeMap<Key, u64>,
    paths: BTreeSet<(String, Option<String>)>,
    read: BTreeSet<(String, Option<String>)>,
}

impl Baseline {
    /// Reads a baseline file.
    ///
    /// # Errors
    /// The file is no baseline, or has another version. The error names the line.
    ///
    /// ```
    /// assert!(placemat_text::baseline::Baseline::parse(b"{}").is_err());
    /// ```
    pub fn parse(file: &[u8]) -> Result<Baseline, Error> {
        let mut baseline = Baseline::default();
        let lines = file.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let mut has_version = false;
        for (at, line) in lines.enumerate() {
            let number = at + 1;
            let line = match read_line(line) {
                Ok(line) => line,
                Err(_) if at == 0 => break,
                Err(error) => refuse!("line {number}: {error}"),
            };
            match line {
                Line::Baseline { version: VERSION } if at == 0 => has_version = true,
                Line::Baseline { version } => refuse!("line {number}: unknown version {version}"),
                Line::Known { path, path_bytes, kind, line, count } => {
                    baseline.paths.insert((path.clone(), path_bytes.clone()));
                    *baseline.known.entry((path, path_bytes, kind, line)).or_default() += count;
                }
            }
        }
        ensure!(has_version, "is not a baseline of `placemat check --write-baseline`");
        Ok(baseline)
    }

    /// Writes the baseline, sorted.
    ///
    /// # Errors
    /// Those of writing.
    ///
    /// ```
    /// let mut file = Vec::new();
    /// placemat_text::baseline::Baseline::default().write(&mut file).unwrap();
    /// assert_eq!(file, b"{\"type\":\"baseline\",\"version\":1}\n");
    /// ```
    pub fn write(&self, out: &mut dyn Write) -> Result<(), Error> {
        let mut out = out;
        write_line(&mut out, &Line::Baseline { version: VERSION })?;
        for ((path, path_bytes, kind, line), &count) in &self.known {
            let (path, path_bytes) = (path.clone(), path_bytes.clone());
            let (kind, line) = (kind.clone(), line.clone());
            write_line(&mut out, &Line::Known { path, path_bytes, kind, line, count })?;
        }
        Ok(())
    }

    /// Adds one known error.
    ///
    /// ```
    /// use placemat_text::baseline::Baseline;
    ///
    /// let mut seen = Baseline::default();
    /// seen.add("a.txt".as_ref(), "overlong", "00");
    /// assert_eq!(seen.totals(), (1, 1));
    /// ```
    pub fn add(&mut self, path: &Path, kind: &str, line: &str) {
        let (path, bytes) = name(path);
        self.paths.insert((path.clone(), bytes.clone()));
        *self.known.entry((path, bytes, kind.to_owned(), line.to_owned())).or_default() += 1;
    }

    /// Whether the error is known. Each entry is used up by one error.
    ///
    /// ```
    /// use placemat_text::baseline::Baseline;
    ///
    /// assert!(!Baseline::default().take("a.txt".as_ref(), "overlong", "00"));
    /// ```
    pub fn take(&mut self, path: &Path, kind: &str, line: &str) -> bool {
        let (path, bytes) = name(path);
        match self.known.get_mut(&(path, bytes, kind.to_owned(), line.to_owned())) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }

    /// Records that the file was read to its end, or no longer exists: entries of it that were not taken are out of date.
    ///
    /// ```
    /// use placemat_text::baseline::Baseline;
    ///
    /// let mut known = Baseline::default();
    /// known.add("a.txt".as_ref(), "overlong", "00");
    /// known.read("a.txt".as_ref());
    /// assert_eq!(known.gone(|_| true), ["a.txt: 1 overlong"]);
    /// ```
    pub fn read(&mut self, path: &Path) {
        let name = name(path);
        if self.paths.contains(&name) {
            self.read.insert(name);
        }
    }

    /// Lists the entries that are out of date, of files that were read or do not exist: `a.txt: 2 overlong`, one text for
    /// each path and kind.
    ///
    /// ```
    /// use placemat_text::baseline::Baseline;
    ///
    /// let mut known = Baseline::default();
    /// known.add("a.txt".as_ref(), "overlong", "00");
    /// assert!(known.gone(|_| true).is_empty());
    /// assert_eq!(known.gone(|_| false).len(), 1);
    /// ```
    pub fn gone(&self, exists: impl Fn(&Path) -> bool) -> Vec<String> {
        let mut sums: BTreeMap<(&str, &Option<String>, &str), u64> = BTreeMap::new();
        for ((path, bytes, kind, _), count) in self.known.iter().filter(|(_, count)| **count > 0) {
            *sums.entry((path, bytes, kind)).or_default() += count;
        }
        let mut gone = Vec::new();
        for ((path, bytes, kind), count) in sums {
            let name = FilePath { path: path.to_owned(), path_bytes: bytes.clone() };
            let is_read = self.read.contains(&(name.path.clone(), bytes.clone()));
            if is_read || name.path().is_ok_and(|path| !exists(&path)) {
                gone.push(format!(
                    "{}: {} {kind}",
                    crate::escape::text(path),
                    crate::notation::number(count)
                ));
            }
        }
        gone
    }

    /// The number of errors and of files in the baseline.
    ///
    /// ```
    /// assert_eq!(placemat_text::baseline::Baseline::default().totals(), (0, 0));
    /// ```
    pub fn totals(&self) -> (u64, u64) {
        (self.known.values().sum(), self.paths.len() as u64)
    }
}

/// The path without a leading `./`, as text, and as bytes if it is not UTF-8.
fn name(path: &Path) -> (String, Option<String>) {
    let FilePath { path, path_bytes } = FilePath::of(path.strip_prefix(".").unwrap_or(path));
    (path, path_bytes)
}

/// Returns the hash of an error's line, or of the part of the line near the error.
///
/// ```
/// use placemat::Form;
/// use placemat_text::baseline::{hash, line_of};
/// use placemat_text::faults::locate::{Search, search};
///
/// let search_for = Search { limit: 10, ..Search::new(Form::Utf8.into()) };
/// search(&mut &b"one\ncaf\xE9!\nthree"[..], search_for, &mut |finding| {
///     assert_eq!(line_of(finding), hash(b"caf\xE9!"));
///     Ok::<_, ()>(())
/// })
/// .unwrap();
/// ```
pub fn line_of(finding: &Finding<'_>) -> String {
    let (window, range) = (finding.window, &finding.range);
    hash_around(&window[..range.start], &window[range.clone()], &window[range.end..])
}

/// Like [`line_of`], for a run of well-formed text.
///
/// ```
/// use placemat_text::baseline::{hash, line_of_run};
/// use placemat_text::faults::misread::search;
///
/// search(&mut "café\ncafÃ©\n".as_bytes(), 10, &mut |run| {
///     assert_eq!(line_of_run(run), hash("cafÃ©".as_bytes()));
///     Ok::<_, ()>(())
/// })
/// .unwrap();
/// ```
pub fn line_of_run(run: &Run<'_>) -> String {
    let [before, after] = run.around;
    hash_around(before, run.bytes, after)
}

fn hash_around(before: &[u8], bytes: &[u8], after: &[u8]) -> String {
    let before = &before[before.len().saturating_sub(EDGE)..];
    let before = &before[memchr::memrchr(b'\n', before).map_or(0, |at| at + 1)..];
    let after = &after[..after.len().min(EDGE)];
    let after = &after[..memchr::memchr(b'\n', after).unwrap_or(after.len())];
    hash(&[before, bytes, after].concat())
}

/// The first 8 bytes of the SHA-256 of a line, in hexadecimal.
///
/// ```
/// assert_eq!(placemat_text::baseline::hash(b"abc"), "ba7816bf8f01cfea");
/// ```
pub fn hash(line: &[u8]) -> String {
    let mut text = String::new();
    for byte in &Sha256::digest(line)[..8] {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
