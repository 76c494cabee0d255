//! `--names`: finds wrong names of files and folders.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use placemat_text::charset::Charset;
use placemat_text::names::{Misnamed, Names};

use crate::input::Input;
use crate::rules::Rulebook;
use crate::walk::{Entry, Walk};

/// The names that a walk found.
#[derive(Default)]
pub(super) struct Found {
    /// Files, and folders that hold them, with a wrong name, and what it should be.
    pub(super) misnamed: Vec<(PathBuf, Misnamed)>,
    pub(super) paths: u64,
    pub(super) skipped: u64,
    pub(super) failed: Vec<(PathBuf, io::Error)>,
}

/// Judges the names of all files of a walk and of the folders that hold them, up to the roots. Names that are not UTF-8
/// are read in `charset`, or in the encoding in which all of them together seem to be.
pub(super) fn find(walk: &Walk, rules: &Rulebook, charset: Option<Charset>) -> Found {
    let (mut roots, mut paths, mut found) = (BTreeSet::new(), BTreeSet::new(), Found::default());
    roots.extend(walk.roots());
    walk.clone().by_name().each(&mut |entry| {
        match entry {
            Entry::Input(Input::Named(path) | Input::Found(path)) => {
                if !rules.demand(&path).unwrap_or_default().is_allowed {
                    let is_above = |path: &&Path| path.as_os_str().is_empty() || roots.contains(path);
                    let last = path.ancestors().position(|path| is_above(&path)).unwrap_or(usize::MAX);
                    paths.extend(path.ancestors().take(last.saturating_add(1)).map(Path::to_path_buf));
                }
            }
            Entry::Input(Input::Stdin) => {}
            Entry::Skipped(_) => found.skipped += 1,
            Entry::Failed(path, error) => found.failed.push((path, error)),
        }
        true
    });
    paths.retain(|path| path.file_name().is_some());
    found.paths = paths.len() as u64;
    let bytes =
        |path: &'_ PathBuf| path.file_name().map(OsStr::as_encoded_bytes).unwrap_or_default().to_vec();
    let all: Vec<Vec<u8>> = paths.iter().map(bytes).collect();
    let names = match charset {
        Some(charset) => Names::in_charset(charset),
        None => Names::of(all.iter().map(Vec::as_slice)),
    };
    let judged = paths.into_iter().zip(&all).filter_map(|(path, name)| Some((path, names.judge(name)?)));
    found.misnamed = judged.collect();
    found
}
