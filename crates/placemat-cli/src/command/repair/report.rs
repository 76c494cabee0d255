//! `--report`: every change with its original bytes, one JSON object a line, so that `--undo` can put them back.
//!
//! A report begins with a line of type `report`. Each file that changes has a line of type `file`, then as many of type
//! `change` as it says, sorted by offset. A line of type `summary` ends it. The lines of a file are on the disk before
//! the file is replaced, so that the replacements of a run that was killed can be undone.

use std::fs::{self, File};
use std::io::{self, Read, Seek, Write as _};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, Result, bail};
use tempfile::SpooledTempFile;

use placemat_text::models::FilePath;
use placemat_text::names::Rename;
use placemat_text::repair::record::{self, Line, VERSION};

use crate::escape;
use crate::input::Input;
use crate::report::{hex, json_text, write_line};
use crate::walk::Entry;

/// The changes of one file while they are collected: few in memory, more in a temporary file.
pub(in crate::command) type Record = record::Record<SpooledTempFile>;

/// A record for the file at `path` in the report.
pub(in crate::command) fn record(path: (String, Option<String>)) -> Record {
    Record::new(path, tempfile::spooled_tempfile(1 << 20))
}

/// A report that is being written.
pub(in crate::command) struct Report {
    inner: Mutex<Inner>,
    /// Where it is, without links.
    folder: PathBuf,
    path: PathBuf,
}

struct Inner {
    file: File,
    files: u64,
    changes: u64,
}

impl Report {
    /// Creates a report. An existing file is never overwritten: it may hold the only copy of somebody's bytes.
    ///
    /// # Errors
    /// When the file exists, or cannot be created.
    pub(in crate::command) fn create(path: &Path) -> Result<Report> {
        if path.as_os_str() == "-" {
            bail!("--report -: a report must be a file, since it is about files below its own folder");
        }
        if path.symlink_metadata().is_ok() {
            bail!(
                "--report {}: exists already, and reports are not overwritten: name a new file",
                escape::path(path)
            );
        }
        let create = || {
            let mut file = File::create_new(path)?;
            let begun = write_line(&mut file, &Line::Report { version: VERSION });
            let begun = begun.and_then(|()| Ok(fs::canonicalize(path)?));
            if begun.is_err() {
                // Otherwise it would be in the way of the next run.
                let _ = fs::remove_file(path);
            }
            anyhow::Ok((file, begun?))
        };
        let (file, path) = create().with_context(|| format!("--report {}", escape::path(path)))?;
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        Ok(Report { inner: Mutex::new(Inner { file, files: 0, changes: 0 }), folder, path })
    }

    /// Whether this is the report itself, which may lie in the tree that is walked.
    pub(in crate::command) fn is_own(&self, entry: &Entry) -> bool {
        match entry {
            Entry::Input(Input::Found(path)) | Entry::Skipped(path) => self.is_at(path),
            Entry::Input(Input::Stdin | Input::Named(_)) | Entry::Failed(..) => false,
        }
    }

    fn is_at(&self, path: &Path) -> bool {
        path.file_name() == self.path.file_name()
            && fs::canonicalize(path).is_ok_and(|path| path == self.path)
    }

    /// The path of a file as the report has it: text, and hex too if it is not UTF-8.
    ///
    /// # Errors
    /// When the file is not below the folder of the report: it could not be undone.
    pub(in crate::command) fn path_of(&self, path: &Path) -> Result<(String, Option<String>)> {
        let path = fs::canonicalize(path)?;
        let Ok(below) = path.strip_prefix(&self.folder) else {
            bail!(
                "is not below {}, the folder of the report, and --undo changes no other files",
                escape::path(&self.folder)
            );
        };
        let names: Vec<_> = below.components().map(Component::as_os_str).collect();
        let bytes = names.iter().map(|name| name.as_encoded_bytes()).collect::<Vec<_>>().join(&b'/');
        match String::from_utf8(bytes) {
            Ok(text) => Ok((text, None)),
            Err(error) => {
                Ok((String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(hex(error.as_bytes()))))
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the record of a file; it is on the disk when this returns.
    ///
    /// # Errors
    /// Those of writing. The file must not be replaced then.
    pub(in crate::command) fn add(&self, record: Record) -> Result<()> {
        let count = record.changes();
        let (line, mut changes) = record.finish()?;
        let mut inner = self.lock();
        inner.append(&json_text(&line)?, &mut changes)?;
        inner.files += 1;
        inner.changes += count;
        Ok(())
    }

    /// Adds that a file or folder is about to be renamed to `to`; it is on the disk when this returns.
    ///
    /// # Errors
    /// Those of writing, and when it is not below the folder of the report. It must not be renamed then.
    pub(super) fn rename(&self, path: &Path, to: &str) -> Result<()> {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let whole = fs::canonicalize(parent)?.join(path.file_name().unwrap_or_default());
        let below = whole.strip_prefix(&self.folder).context("is not below the folder of the report")?;
        let line = json_text(&Rename { path: FilePath::of(below), to: to.to_owned() })?;
        let mut inner = self.lock();
        inner.append(&line, &mut io::empty())?;
        inner.files += 1;
        Ok(())
    }

    /// Ends the report.
    ///
    /// # Errors
    /// Those of writing.
    pub(in crate::command) fn finish(&self) -> Result<()> {
        let mut inner = self.lock();
        let (files, changes) = (inner.files, inner.changes);
        inner.append(&json_text(&Line::Summary { files, changes })?, &mut io::empty())
    }
}

impl Drop for Report {
    /// Removes a report without files: it would be in the way of the next run.
    fn drop(&mut self) {
        if self.lock().files == 0 {
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl Inner {
    /// Writes this to the disk, or nothing: a part of it would make the whole report unreadable.
    fn append(&mut self, line: &str, changes: &mut dyn Read) -> Result<()> {
        let start = self.file.stream_position()?;
        let written = writeln!(self.file, "{line}")
            .and_then(|()| io::copy(changes, &mut self.file))
            .and_then(|_| self.file.sync_data());
        if written.is_err() {
            let _ = self.file.set_len(start).and_then(|()| self.file.seek(io::SeekFrom::Start(start)));
        }
        written.context("the report cannot be written")
    }
}
