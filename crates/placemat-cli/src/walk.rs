//! Which files a command reads: those that are named, and those found in trees.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use ignore::overrides::Override;
use ignore::{DirEntry, WalkBuilder};

pub(crate) use self::selection::Selection;
use crate::console;
use crate::escape;
use crate::input::Input;
use crate::rules::{Choice, Rulebook};

mod selection;
mod standard_input;

/// What a walk found at a path.
#[derive(Debug)]
pub(crate) enum Entry {
    Input(Input),
    /// A file that was left out: hidden, or neither file nor directory.
    Skipped(PathBuf),
    /// A path that could not be read.
    Failed(PathBuf, io::Error),
}

impl Entry {
    /// Turns a file that was found into one that was named, since the user named it too.
    fn name(&mut self) {
        if let Entry::Input(Input::Found(path)) = self {
            *self = Entry::Input(Input::Named(std::mem::take(path)));
        }
    }
}

/// The roots of a walk, sorted, and what is left out of trees.
#[derive(Clone, Debug)]
pub(crate) struct Walk {
    roots: Vec<Input>,
    /// Nothing was named: paths are shown without `./`.
    is_default: bool,
    hidden: bool,
    no_ignore: bool,
    globs: Override,
    /// A hidden file that a rule matches is visited.
    rules: Arc<Rulebook>,
    /// Visit everything that has a name: folders and links too.
    by_name: bool,
}

impl Walk {
    /// The inputs that were named, or the default.
    pub(crate) fn inputs(&self) -> &[Input] {
        &self.roots
    }

    /// The files and folders among [`Walk::inputs`].
    pub(crate) fn roots(&self) -> impl Iterator<Item = &Path> {
        self.roots.iter().filter(|root| **root != Input::Stdin).map(Input::path)
    }

    /// Adds the chosen rules: a file that a rule matches is visited even if it is hidden. Returns the rules too.
    ///
    /// # Errors
    /// A file of rules that cannot be read or understood.
    pub(crate) fn heeding(self, choice: &Choice) -> Result<(Walk, Arc<Rulebook>)> {
        let rules = Arc::new(choice.rulebook(self.roots())?);
        Ok((Walk { rules: Arc::clone(&rules), ..self }, rules))
    }

    /// Visits everything that has a name, not only files. With -g no folders are visited.
    pub(crate) fn by_name(self) -> Walk {
        Walk { by_name: true, ..self }
    }

    /// Whether there is only one input, and no folder.
    pub(crate) fn is_single(&self) -> bool {
        matches!(&self.roots[..], [Input::Stdin])
            || matches!(&self.roots[..], [root] if !root.path().is_dir())
    }

    /// Calls `visit` with each entry, sorted by path, until it returns `false`. A path below several roots is visited once.
    pub(crate) fn each(&self, visit: &mut dyn FnMut(Entry) -> bool) {
        let named: HashSet<_> = self.roots.iter().map(|root| normal(root.path())).collect();
        // Whether a root is named twice or lies in another. Only then are all visited paths kept, which takes memory.
        let is_within = |path: &PathBuf| path.ancestors().skip(1).any(|above| named.contains(above));
        let overlap = named.len() < self.roots.len() || named.iter().any(is_within);
        let mut seen = HashSet::new();
        let mut is_new = |entry: &mut Entry| {
            let (path, is_skipped) = match entry {
                Entry::Input(input) => (normal(input.path()), false),
                Entry::Skipped(path) => (normal(path), true),
                Entry::Failed(..) => return true,
            };
            let is_named = named.contains(&path);
            if is_named {
                entry.name();
            }
            // A path that is skipped in one tree may be visited in another, or be a root.
            !(is_skipped && is_named) && seen.insert((is_skipped, path))
        };
        let visit = &mut |mut entry| overlap && !is_new(&mut entry) || visit(entry);
        let mut told = HashSet::new();
        for root in &self.roots {
            let path = root.path();
            let wanted = match root {
                Input::Stdin => visit(Entry::Input(Input::Stdin)),
                Input::Named(_) | Input::Found(_) => match self.metadata(path) {
                    Err(error) => visit(Entry::Failed(path.to_path_buf(), error)),
                    Ok(metadata) if metadata.is_dir() => self.tree(path, &mut told, visit),
                    Ok(_) => visit(Entry::Input(root.clone())),
                },
            };
            if !wanted {
                return;
            }
        }
    }

    /// Like [`Walk::each`], for commands that replace files. A file with two paths, through links or `..`, is visited
    /// once. All roots are listed before the first visit, so that a file written in one root is not found in another.
    /// With `no_follow` a link that was named fails, whatever is in its file: that may be replaced at the same time, under its own path.
    pub(crate) fn each_once(&self, no_follow: bool, visit: &mut dyn FnMut(Entry) -> bool) {
        let is_link = |path: &PathBuf| fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
        let refused = |entry| match entry {
            Entry::Input(Input::Named(path)) if no_follow && is_link(&path) => {
                Entry::Failed(path, io::Error::other("is a symbolic link"))
            }
            entry => entry,
        };
        if self.roots.len() == 1 {
            // With one root each folder is listed whole before the first file in it is visited.
            return self.each(&mut |entry| visit(refused(entry)));
        }
        let mut entries: Vec<Entry> = Vec::new();
        let mut seen = HashMap::new();
        self.each(&mut |entry| {
            let entry = refused(entry);
            let path = match &entry {
                Entry::Input(Input::Named(path) | Input::Found(path)) => fs::canonicalize(path).ok(),
                Entry::Input(Input::Stdin) | Entry::Skipped(_) | Entry::Failed(..) => None,
            };
            let first = path.map_or(entries.len(), |path| *seen.entry(path).or_insert(entries.len()));
            match entries.get_mut(first) {
                None => entries.push(entry),
                Some(first) if matches!(entry, Entry::Input(Input::Named(_))) => first.name(),
                Some(_) => {}
            }
            true
        });
        let _ = entries.into_iter().all(visit);
    }

    /// Calls `visit` with each file and folder that ignore files and -g leave out of trees. What is in such a folder is
    /// not visited, nor are hidden files and folders that are not asked for.
    pub(crate) fn ignored(&self, visit: &mut dyn FnMut(&Path) -> Result<()>) -> Result<()> {
        for root in self.roots().filter(|root| root.is_dir()) {
            let paths = |walk: &WalkBuilder| walk.build().flatten().map(DirEntry::into_path).collect();
            let seen: Arc<HashSet<PathBuf>> = Arc::new(paths(&self.builder(root)));
            let all = Walk { no_ignore: true, globs: Override::empty(), ..self.clone() };
            let (entered, known) = (Arc::clone(&seen), Arc::clone(&seen));
            let mut walk = all.builder(root);
            let rules = Arc::clone(&self.rules);
            let hidden = self.hidden;
            // What is in a folder that was not entered is not listed.
            walk.filter_entry(move |entry| {
                let is_shown = hidden || !is_hidden(entry) || rules.enters(entry.path());
                is_shown
                    && entry.path().parent().is_none_or(|above| entry.depth() == 0 || entered.contains(above))
            });
            for entry in walk.build().flatten().filter(|entry| !known.contains(entry.path())) {
                visit(&self.shown(entry.into_path()))?;
            }
        }
        Ok(())
    }

    fn tree(
        &self,
        root: &Path,
        told: &mut HashSet<(PathBuf, String)>,
        visit: &mut dyn FnMut(Entry) -> bool,
    ) -> bool {
        for entry in self.builder(root).build() {
            // Errors in the ignore files of a folder come with the entry of the folder, those in folders above the root on their own.
            let broken = entry.as_ref().map_or_else(Some, DirEntry::error);
            if let Some(error) = broken.filter(|error| error.io_error().is_none()) {
                self.warn(error, told);
            }
            let entry = match entry {
                Err(error) if error.io_error().is_none() => continue,
                // The root is a folder, even where it is named by a link.
                Ok(entry) if (is_dir(&entry) || entry.depth() == 0) && !self.visits_folders() => continue,
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

    fn visits_folders(&self) -> bool {
        self.by_name && self.globs.is_empty()
    }

    /// The metadata of the path, or of the target of a link. Where names are visited, a link without a target has its own.
    fn metadata(&self, path: &Path) -> io::Result<fs::Metadata> {
        fs::metadata(path).or_else(|error| if self.by_name { fs::symlink_metadata(path) } else { Err(error) })
    }

    fn builder(&self, root: &Path) -> WalkBuilder {
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
        walk
    }

    /// Reports patterns that are malformed, each once. The other patterns of that file apply.
    fn warn(&self, error: &ignore::Error, told: &mut HashSet<(PathBuf, String)>) {
        match error {
            ignore::Error::Partial(errors) => errors.iter().for_each(|error| self.warn(error, told)),
            ignore::Error::WithPath { path, err } => {
                let place = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
                if told.insert((place, err.to_string())) {
                    let path = self.shown(path.clone());
                    console::say(&format!("{}: {}", escape::path(&path), escape::text(&err.to_string())));
                }
            }
            error => console::say(&escape::text(&error.to_string()).to_string()),
        }
    }

    fn file(&self, entry: DirEntry, root: &Path) -> Entry {
        let is_file = self.by_name || entry.file_type().is_some_and(|kind| kind.is_file());
        let path = entry.path();
        let is_wanted = self.hidden
            || !is_hidden(&entry) && !self.is_below_hidden(path, root)
            || self.globs.matched(path, false).is_whitelist()
            || self.rules.demand(path).is_some();
        if !is_file || !is_wanted {
            return Entry::Skipped(self.shown(entry.into_path()));
        }
        Entry::Input(Input::Found(self.shown(entry.into_path())))
    }

    /// Whether the file is in a hidden folder that was entered only because a rule names it. No rule need match the file.
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

/// Normalizes the path: `./a`, `a` and `.//a` become the same. Standard input equals no file.
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
    // The text of the walker's error repeats the path. The error of the system is inside it.
    let system = |io: &io::Error| {
        let beneath = || io.get_ref()?.source()?.downcast_ref::<io::Error>()?.raw_os_error();
        io.raw_os_error().or_else(beneath).map(io::Error::from_raw_os_error)
    };
    let said = error.io_error().and_then(system);
    (path, said.unwrap_or_else(|| io::Error::other(inner.to_string())))
}
