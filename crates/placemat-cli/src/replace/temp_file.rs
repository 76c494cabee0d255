//! Temporary files and folders. They are removed when they are dropped, and when the run is interrupted.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::mem;
use std::panic;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, Result, bail};

use super::identity::is_same_file;
use super::rename::exchange;
use super::{leftovers, signals};
use crate::escape;

/// What is removed when a signal ends the run.
static TEMP_FILES: LazyLock<Mutex<BTreeSet<PathBuf>>> = LazyLock::new(|| {
    signals::watch();
    heed_panics();
    Mutex::default()
});

/// Where a panic aborts the process, nothing is dropped: a hook removes all temporary files before that.
fn heed_panics() {
    if cfg!(panic = "abort") {
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            tell(info);
            // The thread that panics may hold the lock itself.
            if let Ok(all) = TEMP_FILES.try_lock() {
                all.iter().for_each(|path| remove(path));
            }
        }));
    }
}

/// Removes all temporary files. No new one can appear while the returned guard lives.
pub(super) fn remove_all() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    let all = all();
    all.iter().for_each(|path| remove(path));
    all
}

fn remove(path: &Path) {
    let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
}

fn all() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    TEMP_FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file in the folder of another, to take its place; or a folder for private use.
pub(crate) struct TempFile {
    path: PathBuf,
}

impl TempFile {
    /// Creates a file beside `place`. A `private` one can be read by its owner only, until it is given other permissions.
    pub(super) fn create(place: &Path, private: bool) -> Result<(TempFile, File)> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = place.file_name().context("is not the name of a file")?;
        leftovers::tell(place.parent().unwrap_or(Path::new("")));
        let mut all = all();
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let mut new = OsString::from(".");
            // Names have at most 255 bytes on most file systems.
            new.push(if name.len() < 200 { name } else { "file".as_ref() });
            new.push(format!("{}{}-{number}", leftovers::MARK, std::process::id()));
            match TempFile::create_new(place.with_file_name(new), private, &mut all) {
                Ok(created) => return Ok(created),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error).context("no file can be created beside it"),
            }
        }
    }

    /// Creates a file at `path`, which its owner alone can read and which may stay there.
    ///
    /// # Errors
    /// Those of creating it, for example that the name is taken.
    pub(super) fn at(path: &Path) -> io::Result<(TempFile, File)> {
        TempFile::create_new(path.to_path_buf(), true, &mut all())
    }

    fn create_new(path: PathBuf, private: bool, all: &mut BTreeSet<PathBuf>) -> io::Result<(TempFile, File)> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, if private { 0o600 } else { 0o666 });
        // Elsewhere the access control list of the folder says who may read what is in it.
        #[cfg(not(unix))]
        let _ = private;
        let file = options.open(&path)?;
        all.insert(path.clone());
        Ok((TempFile { path }, file))
    }

    /// Creates a folder that nobody else may enter, among the temporary files.
    pub(crate) fn folder() -> Result<TempFile> {
        let mut all = all();
        for number in 0.. {
            let path = std::env::temp_dir().join(format!("placemat-{}-{number}", std::process::id()));
            match private_folder().create(&path) {
                Ok(()) => {
                    all.insert(path.clone());
                    return Ok(TempFile { path });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error).context("no temporary folder can be created"),
            }
        }
        bail!("no temporary folder has a free name");
    }

    /// Lets it stay, and returns its path.
    pub(crate) fn keep(self) -> PathBuf {
        all().remove(&self.path);
        let path = self.path.clone();
        mem::forget(self);
        path
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Moves it to `place` in one step.
    pub(super) fn rename(self, place: &Path) -> Result<()> {
        Ok(fs::rename(&self.path, place)?)
    }

    /// Replaces the file at `place`. Where two files can exchange names, `is_original` is asked about the other file once that has
    /// only the temporary name. If it is not the original, they are exchanged back, so that no version of another program is lost.
    ///
    /// # Errors
    /// The other file is then at `place` or, if exchanging back fails too, at the path that the error names.
    pub(super) fn replace(self, place: &Path, is_original: impl Fn(&Metadata) -> bool) -> Result<()> {
        let ours = fs::symlink_metadata(&self.path)?;
        // Until this is over, no signal removes what has the temporary name.
        let mut all = all();
        match exchange(&self.path, place) {
            Ok(true) => {}
            Ok(false) => return Ok(fs::rename(&self.path, place)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => bail!("was removed meanwhile"),
            Err(error) => return Err(error.into()),
        }
        let other = fs::symlink_metadata(&self.path);
        if other.is_ok_and(|other| is_original(&other)) {
            return Ok(());
        }
        let put_back = exchange(&self.path, place).and_then(|_| match fs::symlink_metadata(&self.path)? {
            now if is_same_file(&now, &ours) => Ok(()),
            // Another program has replaced ours by a third version: that is the newest.
            _ => exchange(&self.path, place).map(drop),
        });
        if let Err(error) = put_back {
            all.remove(&self.path);
            let kept = escape::path(&self.path).to_string();
            mem::forget(self);
            return Err(error).context(format!("has changed meanwhile; the new version is {kept}"));
        }
        bail!("has changed meanwhile");
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let mut all = all();
        // After renaming nothing is there, after an exchange the original. Nobody else uses this name.
        remove(&self.path);
        all.remove(&self.path);
    }
}

#[cfg(unix)]
fn private_folder() -> fs::DirBuilder {
    let mut builder = fs::DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Elsewhere the folder for temporary files is the user's own, and what is in it inherits its access control list.
#[cfg(not(unix))]
fn private_folder() -> fs::DirBuilder {
    fs::DirBuilder::new()
}

#[cfg(all(test, any(target_os = "linux", target_vendor = "apple")))]
mod tests {
    use std::fs;
    use std::io::Write as _;

    use super::TempFile;

    #[test]
    fn a_version_of_somebody_else_stays() {
        for (is_original, expected) in [(true, "ours"), (false, "theirs")] {
            let folder = tempfile::tempdir().unwrap();
            let place = folder.path().join("file");
            fs::write(&place, "theirs").unwrap();
            let (temp, mut file) = TempFile::create(&place, true).unwrap();
            file.write_all(b"ours").unwrap();
            let replaced = temp.replace(&place, |_| is_original);
            assert_eq!(replaced.is_ok(), is_original);
            assert_eq!(fs::read_to_string(&place).unwrap(), expected);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "something is left behind");
        }
    }

    #[test]
    fn what_has_gone_is_not_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("file");
        let (temp, _) = TempFile::create(&place, true).unwrap();
        let error = temp.replace(&place, |_| true).unwrap_err();
        assert_eq!(error.to_string(), "was removed meanwhile");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
