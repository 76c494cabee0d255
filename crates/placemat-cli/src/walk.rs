//! Which files a command reads: those that are named, and those found in trees.

use std::collections::HashSet;
use std::fs;
use std::io::{self, IsTerminal as _, Read as _};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use ignore::overrides::{Override, OverrideBuilder};
use ignore::{DirEntry, WalkBuilder};

use crate::console;
use crate::input::Input;
use crate::rules::Rulebook;
use crate::shown;

/// Paths, and what to leave out of trees.
#[derive(clap::Args, Debug)]
pub(crate) struct Selection {
    /// Files and directories; `-` is standard input
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Read hidden files and directories of a tree too
    #[arg(long, help_heading = "Trees")]
    pub(crate) hidden: bool,

    /// Pay no heed to .gitignore and .ignore
    #[arg(long, help_heading = "Trees")]
    pub(crate) no_ignore: bool,

    /// Read binary files of a tree too (those with a NUL in the first 8 KiB and no byte order mark)
    #[arg(long, help_heading = "Trees")]
    pub(crate) binary: bool,

    /// Only files of a tree that match (or, after !, do not match); what matches is read even if hidden or ignored; may be
    /// given several times
    #[arg(short = 'g', long = "glob", value_name = "GLOB", help_heading = "Trees")]
    pub(crate) globs: Vec<String>,

    /// Read through gzip, zstd, bzip2 and xz
    #[arg(short = 'z', long = "unpack", help_heading = "Trees")]
    pub(crate) unpack: bool,

    /// Read the paths from a file, one a line; `-` is standard input
    #[arg(long, value_name = "FILE", help_heading = "Trees")]
    pub(crate) files_from: Option<PathBuf>,

    /// In lists of paths NUL, not a line feed, ends each
    #[arg(short = '0', long = "null", help_heading = "Trees")]
    pub(crate) null: bool,
}

/// What a walk came upon.
#[derive(Debug)]
pub(crate) enum Entry {
    Input(Input),
    /// A file that was left out: hidden, or neither file nor directory.
    Skipped,
    /// Something that could not be read.
    Failed(PathBuf, io::Error),
}

/// The roots of a walk, sorted.
#[derive(Debug)]
pub(crate) struct Walk {
    roots: Vec<Input>,
    /// Nothing was named: paths are shown without `./`.
    is_default: bool,
    hidden: bool,
    no_ignore: bool,
    globs: Override,
    /// What lets a hidden file in.
    rules: Arc<Rulebook>,
}

impl Selection {
    /// What to walk; the current directory when nothing is named.
    ///
    /// # Errors
    /// A bad glob, or a list of paths that cannot be read.
    pub(crate) fn walk(&self) -> Result<Walk> {
        let is_default = self.is_empty();
        if is_default {
            warn_about_piped_input();
        }
        Ok(Walk { is_default, ..self.walk_or(Some("."))? })
    }

    /// What to walk; standard input when nothing is named.
    ///
    /// # Errors
    /// As [`Selection::walk`].
    pub(crate) fn walk_or_stdin(&self) -> Result<Walk> {
        self.walk_or(Some("-"))
    }

    /// What to walk; nothing when nothing is named.
    ///
    /// # Errors
    /// As [`Selection::walk`].
    pub(crate) fn walk_named(&self) -> Result<Walk> {
        self.walk_or(None)
    }

    fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.files_from.is_none()
    }

    fn walk_or(&self, default: Option<&str>) -> Result<Walk> {
        let mut paths = self.named()?;
        if self.is_empty() {
            paths.extend(default.map(PathBuf::from));
        }
        paths.sort();
        paths.dedup();
        let mut globs = OverrideBuilder::new(".");
        for glob in &self.globs {
            globs.add(glob).with_context(|| format!("-g {glob}"))?;
        }
        Ok(Walk {
            roots: paths.into_iter().map(Input::named).collect(),
            is_default: false,
            hidden: self.hidden,
            no_ignore: self.no_ignore,
            globs: globs.build().context("-g")?,
            rules: Arc::default(),
        })
    }

    /// The paths that were named, in that order. To be asked once: a list may come from a pipe.
    ///
    /// # Errors
    /// A list of paths that cannot be read.
    pub(crate) fn named(&self) -> Result<Vec<PathBuf>> {
        let mut paths = self.paths.clone();
        if let Some(list) = &self.files_from {
            paths.extend(self.listed(list)?);
        }
        Ok(paths)
    }

    fn listed(&self, list: &Path) -> Result<Vec<PathBuf>> {
        let mut names = Vec::new();
        let mut reader = Input::named(list.to_path_buf()).reader(false);
        reader
            .as_mut()
            .map_or_else(|e| Err(io::Error::new(e.kind(), e.to_string())), |r| r.read_to_end(&mut names))
            .with_context(|| format!("--files-from {}", shown::path(list)))?;
        let end = if self.null { 0 } else { b'\n' };
        let names = names.split(|&byte| byte == end).filter(|name| !name.is_empty());
        Ok(names.map(path_of).collect())
    }
}

#[cfg(unix)]
fn path_of(name: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(std::ffi::OsStr::from_bytes(name))
}

#[cfg(not(unix))]
fn path_of(name: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(name).trim_end_matches('\r'))
}

/// Someone who writes `cat FILE | placemat check` means the pipe.
#[cfg(unix)]
fn warn_about_piped_input() {
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::FileTypeExt as _;
    let stdin = io::stdin();
    if stdin.is_terminal() {
        return;
    }
    let metadata = stdin.as_fd().try_clone_to_owned().and_then(|fd| fs::File::from(fd).metadata());
    if metadata.is_ok_and(|metadata| metadata.file_type().is_fifo()) {
        console::say("reading the current directory; name `-` to read standard input");
    }
}

#[cfg(not(unix))]
fn warn_about_piped_input() {}

impl Walk {
    /// What was named, or the default.
    pub(crate) fn inputs(&self) -> &[Input] {
        &self.roots
    }

    /// The files and folders among it.
    pub(crate) fn roots(&self) -> impl Iterator<Item = &Path> {
        self.roots.iter().filter(|root| **root != Input::Stdin).map(Input::path)
    }

    /// The same, with the files that rules speak of, hidden or not.
    pub(crate) fn heeding(self, rules: Arc<Rulebook>) -> Walk {
        Walk { rules, ..self }
    }

    /// Whether there can be more than one file.
    pub(crate) fn is_single(&self) -> bool {
        matches!(&self.roots[..], [Input::Stdin])
            || matches!(&self.roots[..], [root] if !root.path().is_dir())
    }

    /// Visit everything, sorted by path, until `visit` answers `false`; a path that several roots lead to, once.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(Entry) -> bool) {
        let named: HashSet<_> = self.roots.iter().map(|root| normal(root.path())).collect();
        // Whether one is named twice or lies in another. Only then are all paths remembered, which takes room.
        let is_within = |path: &PathBuf| path.ancestors().skip(1).any(|above| named.contains(above));
        let overlap = named.len() < self.roots.len() || named.iter().any(is_within);
        let mut seen = HashSet::new();
        let visit = &mut |entry| match entry {
            Entry::Input(input) if overlap => {
                let path = normal(input.path());
                let input = match input {
                    Input::Found(found) if named.contains(&path) => Input::Named(found),
                    input => input,
                };
                !seen.insert(path) || visit(Entry::Input(input))
            }
            entry => visit(entry),
        };
        for root in &self.roots {
            let path = root.path();
            let wanted = match root {
                Input::Stdin => visit(Entry::Input(Input::Stdin)),
                _ => match fs::metadata(path) {
                    Err(error) => visit(Entry::Failed(path.to_path_buf(), error)),
                    Ok(metadata) if metadata.is_dir() => self.tree(path, visit),
                    Ok(_) => visit(Entry::Input(root.clone())),
                },
            };
            if !wanted {
                return;
            }
        }
    }

    /// The same, but a file that has two paths, through links or `..`, is visited once too.
    pub(crate) fn each_once(&self, visit: &mut dyn FnMut(Entry) -> bool) {
        let mut seen = HashSet::new();
        self.each(&mut |entry| {
            let is_new = match &entry {
                Entry::Input(input) => fs::canonicalize(input.path()).map_or(true, |path| seen.insert(path)),
                Entry::Skipped | Entry::Failed(..) => true,
            };
            !is_new || visit(entry)
        });
    }

    fn tree(&self, root: &Path, visit: &mut dyn FnMut(Entry) -> bool) -> bool {
        let mut walk = WalkBuilder::new(root);
        // Hidden files pass here, so that those left out can be counted.
        walk.hidden(false).require_git(false).overrides(self.globs.clone());
        walk.sort_by_file_name(std::ffi::OsStr::cmp);
        if self.no_ignore {
            walk.ignore(false).git_ignore(false).git_global(false).git_exclude(false).parents(false);
        }
        let (hidden, globs, rules) = (self.hidden, self.globs.clone(), Arc::clone(&self.rules));
        walk.filter_entry(move |entry| {
            // Hidden files are counted below; hidden directories are not entered.
            let is_named = |path| globs.matched(path, true).is_whitelist() || rules.enters(path);
            hidden || !is_hidden(entry) || !is_dir(entry) || is_named(entry.path())
        });
        for entry in walk.build() {
            let entry = match entry {
                // The root is a folder, even where it is named by a link.
                Ok(entry) if is_dir(&entry) || entry.depth() == 0 => continue,
                Ok(entry) => self.file(entry, root),
                Err(error) => {
                    let (path, error) = cause(&error, root);
                    Entry::Failed(self.shown(path), error)
                }
            };
            if !visit(entry) {
                return false;
            }
        }
        true
    }

    fn file(&self, entry: DirEntry, root: &Path) -> Entry {
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        let path = entry.path();
        let is_wanted = self.hidden
            || !is_hidden(&entry) && !self.is_below_hidden(path, root)
            || self.globs.matched(path, false).is_whitelist()
            || self.rules.demand(path).is_some();
        if !is_file || !is_wanted {
            return Entry::Skipped;
        }
        Entry::Input(Input::Found(self.shown(entry.into_path())))
    }

    /// Whether only a rule led to this file, of which that rule need not speak.
    fn is_below_hidden(&self, path: &Path, root: &Path) -> bool {
        let folders = path.ancestors().skip(1).take_while(|folder| *folder != root);
        let is_hidden = |folder: &Path| {
            folder.file_name().is_some_and(|name| name.as_encoded_bytes().first() == Some(&b'.'))
        };
        let mut hidden = folders.filter(|folder| is_hidden(folder));
        hidden.any(|folder| !self.globs.matched(folder, true).is_whitelist())
    }

    /// The path as it is shown.
    fn shown(&self, path: PathBuf) -> PathBuf {
        match path.strip_prefix(".") {
            Ok(stripped) if self.is_default && !stripped.as_os_str().is_empty() => stripped.to_path_buf(),
            _ => path,
        }
    }
}

/// The path without what changes nothing: `./a`, `a` and `.//a` are one. Standard input is like none.
fn normal(path: &Path) -> PathBuf {
    if path.as_os_str() == "-" {
        return path.to_path_buf();
    }
    let steps = path.components().filter(|step| *step != Component::CurDir);
    Path::new(".").join(steps.collect::<PathBuf>())
}

fn is_dir(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.depth() > 0 && entry.file_name().as_encoded_bytes().first() == Some(&b'.')
}

/// Where an error of the walk happened, and what it was.
fn cause(error: &ignore::Error, root: &Path) -> (PathBuf, io::Error) {
    let mut path = root.to_path_buf();
    let mut inner = error;
    loop {
        inner = match inner {
            ignore::Error::WithPath { path: at, err } => {
                path.clone_from(at);
                err
            }
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => err,
            _ => break,
        };
    }
    // The text of the walker's own errors repeats the path.
    match error.io_error().map(io::Error::kind) {
        Some(io::ErrorKind::Other) | None => (path, io::Error::other(inner.to_string())),
        Some(kind) => (path, kind.into()),
    }
}
