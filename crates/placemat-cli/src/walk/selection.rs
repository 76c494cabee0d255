//! The arguments that name paths and choose what to read of trees.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use ignore::overrides::OverrideBuilder;

use super::Walk;
use super::standard_input;
use crate::escape;
use crate::input::Input;

/// Paths, and what to leave out of trees.
#[derive(clap::Args, Debug)]
pub(crate) struct Selection {
    /// Files and directories; `-` is standard input
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Read hidden files and directories of a tree too
    #[arg(long, help_heading = "Trees")]
    pub(crate) hidden: bool,

    /// Do not apply .gitignore and .ignore
    #[arg(long, help_heading = "Trees")]
    pub(crate) no_ignore: bool,

    /// Read binary files of a tree too (those with a NUL in the first 8 KiB and no byte order mark)
    #[arg(long, help_heading = "Trees")]
    pub(crate) binary: bool,

    /// Read only files of a tree that match, such as '*.txt', or with ! only those that do not, such as '!*.log'. A match is read even if
    /// hidden or ignored, but in a hidden or ignored folder only if the folder matches too. May be given several times
    #[arg(short = 'g', long = "glob", value_name = "GLOB", help_heading = "Trees")]
    pub(crate) globs: Vec<String>,

    /// Decompress gzip, zstd, bzip2 and xz
    #[arg(short = 'z', long = "unpack", help_heading = "Trees")]
    pub(crate) unpack: bool,

    /// Read the paths from a file, one per line, which may end with CR LF; `-` is standard input
    #[arg(long, value_name = "FILE", help_heading = "Trees")]
    pub(crate) files_from: Option<PathBuf>,

    /// In lists of paths, NUL instead of a line feed ends each path
    #[arg(short = '0', long = "null", help_heading = "Trees")]
    pub(crate) null: bool,
}

impl Selection {
    /// Returns what to walk. If no path is named: standard input, if it is a file, a pipe or a socket, otherwise the
    /// current directory. `command` is the subcommand, for a hint about empty input.
    ///
    /// # Errors
    /// A bad glob, or a list of paths that cannot be read.
    pub(crate) fn walk(&self, command: &str) -> Result<Walk> {
        if self.is_standard_input() {
            standard_input::tell_of_nothing(command);
            return self.walk_or_stdin();
        }
        self.walk_tree()
    }

    /// Whether [`Selection::walk`] reads standard input although no path says so.
    pub(crate) fn is_standard_input(&self) -> bool {
        self.is_empty() && standard_input::is_redirected()
    }

    /// Returns what to walk, for commands that do not read standard input. If no path is named: the current directory.
    ///
    /// # Errors
    /// As [`Selection::walk`].
    pub(crate) fn walk_tree(&self) -> Result<Walk> {
        Ok(Walk { is_default: self.is_empty(), ..self.walk_or(Some("."))? })
    }

    /// Returns what to walk. If no path is named: standard input.
    ///
    /// # Errors
    /// As [`Selection::walk`].
    pub(crate) fn walk_or_stdin(&self) -> Result<Walk> {
        self.walk_or(Some("-"))
    }

    /// Returns what to walk. If no path is named: nothing.
    ///
    /// # Errors
    /// As [`Selection::walk`].
    pub(crate) fn walk_named(&self) -> Result<Walk> {
        self.walk_or(None)
    }

    /// Whether no path is named, and no list of them.
    pub(crate) fn is_empty(&self) -> bool {
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
            by_name: false,
        })
    }

    /// Returns the named paths, in that order. To be called once: a list may come from a pipe.
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
            .with_context(|| format!("--files-from {}", escape::path(list)))?;
        let end = if self.null { 0 } else { b'\n' };
        let paths = names.split(|&byte| byte == end).map(|name| match name {
            [name @ .., b'\r'] if !self.null => before_return(name),
            name => path_of(name),
        });
        Ok(paths.filter(|path| !path.as_os_str().is_empty()).collect())
    }
}

/// The path in a line that ends with CR LF. A name on Unix may end with CR, which counts if there is such a file.
fn before_return(name: &[u8]) -> PathBuf {
    let whole = path_of(&[name, b"\r"].concat());
    if cfg!(unix) && whole.symlink_metadata().is_ok() { whole } else { path_of(name) }
}

#[cfg(unix)]
fn path_of(name: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;
    PathBuf::from(std::ffi::OsStr::from_bytes(name))
}

#[cfg(not(unix))]
fn path_of(name: &[u8]) -> PathBuf {
    PathBuf::from(&*String::from_utf8_lossy(name))
}
