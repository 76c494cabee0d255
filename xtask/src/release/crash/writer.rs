//! The commands that write files in place, and the result of each for the same texts.

use std::fs;

use super::stage::{Ended, Stage, is_passing, said};

const LINE: &str = "déjà vu, à Noël, où l'été fut gênant, très gêné\n";
const LINES: usize = 4000;

/// Version `n` of a text with damage.
fn damaged(n: usize) -> Vec<u8> {
    [format!("version {n}\n{}", LINE.repeat(LINES)).as_bytes(), b"caf\xE9\n"].concat()
}

fn mended(n: usize) -> Vec<u8> {
    format!("version {n}\n{}café\n", LINE.repeat(LINES)).into_bytes()
}

/// `edit` restores the damage exactly.
fn edited(n: usize) -> Vec<u8> {
    [b"V", &damaged(n)[1..]].concat()
}

/// A command whose second run changes nothing.
pub(super) struct Writer {
    pub(super) name: &'static str,
    /// Arguments; `TREE` is what it runs on.
    words: &'static [&'static str],
    /// The content of version `n` of a file before the command, and after it.
    pub(super) old: fn(usize) -> Vec<u8>,
    pub(super) new: fn(usize) -> Vec<u8>,
}

pub(super) const CONVERT: Writer = Writer {
    name: "convert",
    words: &["convert", "--on-error=cp1252", "--in-place", "TREE"],
    old: damaged,
    new: mended,
};

pub(super) const REPAIR: Writer =
    Writer { name: "repair", words: &["repair", "--in-place", "TREE"], old: damaged, new: mended };

pub(super) const EDIT: Writer = Writer {
    name: "edit",
    words: &["edit", "-f", "utf-8", "TREE", "--", "sed", "-i", "s/^version/Version/"],
    old: damaged,
    new: edited,
};

pub(super) const UNDO: Writer =
    Writer { name: "--undo", words: &["repair", "--undo", "report"], old: mended, new: damaged };

pub(super) const WRITERS: [Writer; 4] = [CONVERT, REPAIR, EDIT, UNDO];

impl Writer {
    pub(super) fn is_undo(&self) -> bool {
        self.name == UNDO.name
    }

    /// Writes these files (name and version) to `tree`; for `--undo` also the report of their repair.
    pub(super) fn prepare(&self, stage: &Stage, files: &[(String, usize)]) -> Result<(), String> {
        for left in ["tree", "report"].map(|name| stage.path(name)) {
            let _ = fs::remove_dir_all(&left).or_else(|_| fs::remove_file(&left));
        }
        for (name, n) in files {
            stage.put(name, damaged(*n))?;
        }
        if self.is_undo() {
            let ended = stage.run(&["repair", "--in-place", "--report", "report", "tree"])?;
            if ended.code != 0 {
                return Err(format!("no report: {}", ended.err));
            }
        }
        match files.iter().find(|(name, n)| fs::read(stage.path(name)).ok() != Some((self.old)(*n))) {
            Some((name, _)) => Err(format!("{name} is not ready for {}", self.name)),
            None => Ok(()),
        }
    }

    /// The arguments of the command, with these flags, for `path`.
    pub(super) fn words<'a>(&'a self, flags: &[&'a str], path: &'a str) -> Vec<&'a str> {
        let mut words: Vec<_> =
            self.words.iter().map(|&word| if word == "TREE" { path } else { word }).collect();
        words.splice(1..1, flags.iter().copied());
        words
    }

    pub(super) fn run(&self, stage: &Stage, flags: &[&str], path: &str) -> Result<Ended, String> {
        stage.run(&self.words(flags, path))
    }

    /// Fails if a file of `tree` has neither its old nor its new content, if a file is missing that `removed` does not
    /// allow, or if there is any other file.
    pub(super) fn inspect(
        &self,
        stage: &Stage,
        files: &[(String, usize)],
        removed: impl Fn(usize) -> bool,
    ) -> Result<(), String> {
        nothing_left(stage)?;
        let mut tree = stage.tree("tree")?;
        for (name, n) in files {
            match tree.remove(&stage.path(name)) {
                None if removed(*n) => {}
                None => return Err(format!("{}: {name} is gone", self.name)),
                Some(content) if content == (self.old)(*n) || content == (self.new)(*n) => {}
                Some(_) => return Err(format!("{}: {name} is something else", self.name)),
            }
        }
        match tree.pop_first() {
            Some((path, _)) => Err(format!("{}: nobody needs {}", self.name, path.display())),
            None => Ok(()),
        }
    }

    /// Fails unless this file has its old content, or with `is_new` its new content.
    pub(super) fn expect(&self, stage: &Stage, name: &str, n: usize, is_new: bool) -> Result<(), String> {
        let expected = if is_new { (self.new)(n) } else { (self.old)(n) };
        match fs::read(stage.path(name)).map_err(said)? == expected {
            true => Ok(()),
            false if is_new => Err(format!("{}: {name} is not what it was to become", self.name)),
            false => Err(format!("{}: {name} is not what it was", self.name)),
        }
    }
}

/// Fails if temporary files or private copies are left after all commands have ended.
pub(super) fn nothing_left(stage: &Stage) -> Result<(), String> {
    let unfinished = stage.tree("tree")?.into_keys().find(|path| is_passing(path));
    let copy = fs::read_dir(stage.path("tmp")).map_err(said)?.flatten().next();
    match unfinished.or(copy.map(|copy| copy.path())) {
        Some(path) => Err(format!("{} is left behind", path.display())),
        None => Ok(()),
    }
}
