//! `placemat.toml`: the rules for the files of a tree.
//!
//! A file of rules says what is looked for; nothing in it is run. The root under which a path was found decides which
//! file governs the path: the nearest `placemat.toml` in that root or above it.

mod document;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use globset::GlobSet;

use crate::input::Input;
use placemat::invisible::Kinds;
use placemat_text::charset::Charset;
use placemat_text::rules::{Demand, Invisible, LineEnding, Mark};

/// The name under which rules are found.
const NAME: &str = "placemat.toml";

/// Which rules apply.
#[derive(clap::Args, Debug)]
pub(crate) struct Choice {
    /// Use the rules in this file instead of placemat.toml; its globs are relative to the current directory
    #[arg(long, value_name = "FILE", help_heading = "Rules", conflicts_with = "no_config")]
    config: Option<PathBuf>,

    /// Ignore placemat.toml
    #[arg(long, help_heading = "Rules")]
    no_config: bool,
}

/// One file of rules.
#[derive(Debug)]
struct Rules {
    rules: Vec<Rule>,
    /// The patterns of all rules, and to which rule each belongs.
    files: GlobSet,
    owners: Vec<usize>,
    allowed: GlobSet,
    /// The hidden folders that a pattern names.
    hidden: GlobSet,
}

#[derive(Clone, Copy, Debug)]
struct Rule {
    charset: Option<Charset>,
    mark: Option<Mark>,
    line_ending: Option<LineEnding>,
    invisible: Option<Invisible>,
    may_have: Option<Kinds>,
}

/// The rules of each root.
#[derive(Debug, Default)]
pub(crate) struct Rulebook {
    /// For each root its rules, and its path as their globs see it.
    roots: BTreeMap<PathBuf, (Arc<Rules>, PathBuf)>,
}

impl Choice {
    /// The rules that govern each of these roots.
    ///
    /// # Errors
    /// A file of rules that cannot be read or understood.
    pub(crate) fn rulebook<'a>(&self, roots: impl Iterator<Item = &'a Path>) -> Result<Rulebook> {
        let mut book = Rulebook::default();
        if self.no_config {
            return Ok(book);
        }
        let chosen = self.config.as_deref().map(Rules::read).transpose()?.map(Arc::new);
        let here = Path::new(".").canonicalize().context("the current directory")?;
        let mut known = HashMap::new();
        for root in roots {
            // A root that does not exist is reported by the walk.
            let Some((path, folder)) = absolute(root) else { continue };
            let found = match &chosen {
                Some(rules) => Some((Arc::clone(rules), here.clone())),
                None => nearest(&folder, &mut known)?,
            };
            if let Some((rules, base)) = found {
                let seen = path.strip_prefix(&base).unwrap_or(Path::new("")).to_path_buf();
                if root == Path::new(".") {
                    // Paths below it are shown without `./`.
                    book.roots.insert(PathBuf::new(), (Arc::clone(&rules), seen.clone()));
                }
                book.roots.insert(root.to_path_buf(), (rules, seen));
            }
        }
        Ok(book)
    }
}

/// The path of a root without links, and the folder from which its rules are looked for.
fn absolute(root: &Path) -> Option<(PathBuf, PathBuf)> {
    if root.is_dir() {
        let folder = root.canonicalize().ok()?;
        return Some((folder.clone(), folder));
    }
    // For a link, the rules where the link is apply, not those of its target.
    let name = root.file_name()?;
    let parent = root.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = parent.canonicalize().ok()?;
    Some((folder.join(name), folder))
}

/// The encoding that a rule says an input has, if the input can be read again to check that.
pub(crate) fn said_of(demand: Demand, input: &Input) -> Option<Charset> {
    demand.charset.filter(|_| input.metadata().is_ok_and(|data| data.is_file()))
}

type Found = Option<(Arc<Rules>, PathBuf)>;

/// The rules in this folder or the nearest above it, and the folder where they are.
fn nearest(folder: &Path, known: &mut HashMap<PathBuf, Found>) -> Result<Found> {
    if let Some(found) = known.get(folder) {
        return Ok(found.clone());
    }
    let mut found = None;
    for folder in folder.ancestors() {
        let file = folder.join(NAME);
        if file.is_file() {
            found = Some((Arc::new(Rules::read(&file)?), folder.to_path_buf()));
            break;
        }
    }
    known.insert(folder.to_path_buf(), found.clone());
    Ok(found)
}

impl Rulebook {
    /// What the rules demand of the file at `path`; `None` when no rule matches it.
    pub(crate) fn demand(&self, path: &Path) -> Option<Demand> {
        let (rules, path) = self.governing(path)?;
        let mut demand = Demand { is_allowed: rules.allowed.is_match(&path), ..Demand::default() };
        let mut matching: Vec<_> =
            rules.files.matches(&path).iter().map(|&glob| rules.owners[glob]).collect();
        // Where several rules set the same, the last one applies.
        matching.sort_unstable();
        for rule in matching.iter().map(|&owner| rules.rules[owner]) {
            demand.charset = rule.charset.or(demand.charset);
            demand.mark = rule.mark.unwrap_or(demand.mark);
            demand.line_ending = rule.line_ending.unwrap_or(demand.line_ending);
            demand.invisible = rule.invisible.or(demand.invisible);
            demand.may_have = rule.may_have.unwrap_or(demand.may_have);
        }
        (demand.is_allowed || !matching.is_empty()).then_some(demand)
    }

    /// What the rules demand of an input that a command may change; nothing of standard input, which is in no tree.
    pub(crate) fn of(&self, input: &Input) -> Demand {
        match input {
            Input::Stdin => Demand::default(),
            Input::Named(path) | Input::Found(path) => self.demand(path).unwrap_or_default(),
        }
    }

    /// Whether a pattern names this hidden folder.
    pub(crate) fn enters(&self, folder: &Path) -> bool {
        self.governing(folder).is_some_and(|(rules, path)| rules.hidden.is_match(path))
    }

    /// The rules of the root above this path, and the path as their globs see it.
    fn governing(&self, path: &Path) -> Option<(&Rules, PathBuf)> {
        if self.roots.is_empty() {
            return None;
        }
        path.ancestors().find_map(|root| {
            let (rules, seen) = self.roots.get(root)?;
            let below = path.strip_prefix(root).ok()?;
            // Joining nothing would leave a separator at the end.
            let whole = if below.as_os_str().is_empty() { seen.clone() } else { seen.join(below) };
            Some((&**rules, whole))
        })
    }
}
