//! Replaces a file as a whole or not at all: the new file is written beside it under a temporary name, synced, then renamed.
//!
//! Permission bits, owner, group, access control lists and extended attributes are kept, or nothing is replaced. Set-user-ID
//! and set-group-ID bits and other privileges are dropped, as with any write. The time of modification is that of the
//! replacement, unless --keep-time asks for the old one. A file whose content would not change is left alone, with its times.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use self::adopt::adopt;
pub(crate) use self::descriptor::is_standard_output;
use self::descriptor::{end_of_links, is_a_descriptor};
use self::identity::{is_only_renamed, is_unchanged, links, same_content};
pub(crate) use self::identity::{is_same_file, open_itself};
pub(crate) use self::rename::rename_new;
pub(crate) use self::signals::{Held, heed_limits};
pub(crate) use self::temp_file::TempFile;
use crate::escape;

mod adopt;
mod descriptor;
mod identity;
mod leftovers;
mod rename;
#[cfg_attr(not(unix), path = "replace/interrupts.rs")]
mod signals;
mod temp_file;

/// What may be replaced.
#[derive(clap::Args, Debug, Clone, Copy, Default)]
pub(crate) struct Protection {
    /// Refuse to write through a symbolic link, instead of replacing the file that it leads to
    #[arg(long)]
    pub(crate) no_follow: bool,

    /// Also replace a file that has other names (hard links); those keep the old content
    #[arg(long)]
    break_links: bool,

    /// Keep the modification time of a file that is replaced
    #[arg(long)]
    keep_time: bool,
}

impl Protection {
    /// The same flags, with `no_follow`.
    pub(crate) fn without_links(self) -> Protection {
        Protection { no_follow: true, ..self }
    }
}

/// Parses the suffix that is appended to the name of an original that is kept.
///
/// # Errors
/// An empty suffix, which would leave the name of the file itself, and one that names a folder.
pub(crate) fn suffix(text: &str) -> Result<String, &'static str> {
    match text {
        "" => Err("the suffix is empty; without `=` no original is kept"),
        _ if text.contains(std::path::is_separator) => {
            Err("the suffix may not name a folder: the original is kept beside the file")
        }
        _ => Ok(text.to_owned()),
    }
}

/// A file that is being written.
pub(crate) struct Replacement {
    file: File,
    /// `None` where nothing is replaced: a FIFO, a device, an open file.
    place: Option<Place>,
}

struct Place {
    /// As the user named it.
    name: String,
    temp: TempFile,
    /// The final path, without symbolic links.
    path: PathBuf,
    original: Option<Metadata>,
    flags: Protection,
}

impl Replacement {
    /// Begins to replace or create the file at `path`. What is no regular file is written to directly.
    ///
    /// # Errors
    /// When the file could not be replaced in the end: a directory, a file that may not be written, one that `flags` protect.
    pub(crate) fn of(path: &Path, flags: Protection) -> Result<Replacement> {
        Replacement::begin(path, flags).with_context(|| escape::path(path).to_string())
    }

    /// Begins to replace the regular file at `path`.
    ///
    /// # Errors
    /// As [`Replacement::of`] and [`require_regular`].
    pub(crate) fn in_place(path: &Path, flags: Protection) -> Result<Replacement> {
        let begun = require_regular(path).and_then(|()| Replacement::begin(path, flags));
        begun.with_context(|| escape::path(path).to_string())
    }

    fn begin(path: &Path, flags: Protection) -> Result<Replacement> {
        if flags.no_follow && fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink()) {
            bail!("is a symbolic link");
        }
        let end = end_of_links(path)?;
        let original = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        if let Some(metadata) = &original {
            if metadata.is_dir() {
                bail!(io::Error::from(io::ErrorKind::IsADirectory));
            }
            if !metadata.is_file() || is_a_descriptor(&end) {
                return Ok(Replacement { file: descriptor::open(&end, metadata)?, place: None });
            }
            // Fails where the file may not be written, even if its folder may be.
            OpenOptions::new().write(true).open(path)?;
        }
        let name = escape::path(path).to_string();
        let path = if original.is_some() { fs::canonicalize(path)? } else { end };
        let (temp, file) = TempFile::create(&path, original.is_some())?;
        let place = Place { name, temp, path, original, flags };
        Ok(Replacement { file, place: Some(place) })
    }

    /// The metadata of a target that is written to directly; `None` where a file is replaced.
    pub(crate) fn written_through(&self) -> Option<Metadata> {
        self.place.is_none().then(|| self.file.metadata().ok()).flatten()
    }

    /// Opens the new content, to be read from its start.
    ///
    /// # Errors
    /// Those of opening it; `NotSeekable` for a target that is written to directly.
    pub(crate) fn written(&self) -> io::Result<File> {
        match &self.place {
            Some(place) => File::open(place.temp.path()),
            None => Err(io::ErrorKind::NotSeekable.into()),
        }
    }

    /// Checks the number of names as [`Replacement::commit`] does, for callers that know that the content changes.
    ///
    /// # Errors
    /// The file has other names, and they are protected.
    pub(crate) fn require_one_name(&self) -> Result<()> {
        self.place.as_ref().map_or(Ok(()), |place| place.require_one_name().context(place.name.clone()))
    }

    /// Puts the file in its place; with a suffix, keeps the original beside it. Returns whether anything changed.
    ///
    /// # Errors
    /// Nothing has changed then. It is an error if the name for the original is taken: unlike `sed -i`, no older copy is overwritten.
    pub(crate) fn commit(self, suffix: Option<&OsStr>) -> Result<bool> {
        match self.place {
            None => Ok(true),
            Some(place) => {
                let name = place.name.clone();
                place.commit(&self.file, suffix).context(name)
            }
        }
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Place {
    fn commit(self, file: &File, suffix: Option<&OsStr>) -> Result<bool> {
        if let Some(original) = &self.original {
            self.check(original)?;
            if original.len() == file.metadata()?.len() && same_content(&self.path, self.temp.path())? {
                return Ok(false);
            }
            self.require_one_name()?;
            adopt(file, &self.path, original)?;
            if self.flags.keep_time {
                file.set_modified(original.modified()?).context("its modification time cannot be kept")?;
            }
        }
        file.sync_all()?;
        if let Some(original) = &self.original {
            // Checked again, since syncing takes time. Where two files cannot exchange names, what another program
            // writes is lost only between this line and the renaming.
            self.check(original)?;
        }
        let kept = self.original.as_ref().and(suffix).map(|suffix| self.keep_original(suffix)).transpose()?;
        let placed = match &self.original {
            Some(original) => self.temp.replace(&self.path, |other| is_only_renamed(original, other)),
            None => self.temp.rename(&self.path),
        };
        if let Err(error) = placed {
            // The original still has its own name.
            kept.map(fs::remove_file);
            return Err(error);
        }
        if let Some(folder) = self.path.parent() {
            // The file is in its place. This decides only whether its name survives a power failure.
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        Ok(true)
    }

    fn require_one_name(&self) -> Result<()> {
        let names = self.original.as_ref().map_or(1, links);
        if names > 1 && !self.flags.break_links {
            bail!("has {names} names (hard links); --break-links replaces only this one");
        }
        Ok(())
    }

    /// Fails unless the file is still what it was when the replacement began.
    fn check(&self, original: &Metadata) -> Result<()> {
        let now = fs::metadata(&self.path).context("was removed meanwhile")?;
        // This run may have replaced another name of the file, which changes its ctime.
        let has_lost_names = self.flags.break_links && links(&now) < links(original);
        let is_same = if has_lost_names { is_only_renamed } else { is_unchanged };
        if !is_same(original, &now) {
            bail!("has changed meanwhile");
        }
        Ok(())
    }

    /// Gives the original a second name or, without hard links, copies it. An existing file is not overwritten.
    fn keep_original(&self, suffix: &OsStr) -> Result<PathBuf> {
        let mut backup = OsString::from(&self.path);
        backup.push(suffix);
        let backup = PathBuf::from(backup);
        let kept = match fs::hard_link(&self.path, &backup) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => self.copy_original(&backup),
            kept => kept,
        };
        let name = || escape::bytes(backup.file_name().unwrap_or_default().as_encoded_bytes()).to_string();
        match kept {
            Ok(()) => Ok(backup),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                bail!("{} exists already: move it away, or choose another suffix", name())
            }
            Err(error) => Err(error).with_context(name),
        }
    }

    /// Copies the original, where the file system has no hard links.
    fn copy_original(&self, backup: &Path) -> io::Result<()> {
        let (temp, mut copy) = TempFile::at(backup)?;
        io::copy(&mut File::open(&self.path)?, &mut copy)?;
        copy.sync_all()?;
        temp.keep();
        Ok(())
    }
}

/// Checks that there is a regular file: nothing else can be replaced, and opening a FIFO would block.
///
/// # Errors
/// When there is something else, or nothing.
pub(crate) fn require_regular(path: &Path) -> Result<()> {
    if !fs::metadata(path)?.is_file() || is_a_descriptor(&end_of_links(path)?) {
        bail!("is not a regular file");
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn each_name_of_a_file_is_replaced_by_one_run() {
        let folder = std::env::temp_dir().join(format!("placemat-names-{}", std::process::id()));
        fs::create_dir(&folder).unwrap();
        let names = ["a", "b"].map(|name| folder.join(name));
        fs::write(&names[0], b"\xE9").unwrap();
        fs::hard_link(&names[0], &names[1]).unwrap();
        let flags = Protection { break_links: true, ..Protection::default() };
        let begun = names.each_ref().map(|name| Replacement::of(name, flags).unwrap());
        for mut replacement in begun {
            replacement.write_all("é".as_bytes()).unwrap();
            replacement.commit(None).unwrap();
        }
        assert_eq!(names.map(|name| fs::read_to_string(name).unwrap()), ["é", "é"]);
        fs::remove_dir_all(folder).unwrap();
    }
}
