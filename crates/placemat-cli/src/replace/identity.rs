//! The identity of files: whether the file at a path is still the one that was read.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;

/// Opens the file at `path` for reading, without following a link and without blocking on a FIFO.
///
/// # Errors
/// Where there is nothing, or a symbolic link.
pub(crate) fn open_itself(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NOFOLLOW | libc::O_NONBLOCK);
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::custom_flags(&mut options, FILE_FLAG_OPEN_REPARSE_POINT);
    let file = options.open(path)?;
    // On Windows a link itself can be opened, and is then no text.
    match cfg!(windows) && file.metadata()?.is_symlink() {
        true => Err(io::Error::other("is a symbolic link")),
        false => Ok(file),
    }
}

/// Opens a link itself, not what it leads to (`CreateFileW`).
#[cfg(windows)]
const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;

#[cfg(unix)]
pub(super) fn links(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
pub(super) fn links(_: &Metadata) -> u64 {
    1
}

/// Whether these describe the same file with the same content.
pub(super) fn is_unchanged(before: &Metadata, now: &Metadata) -> bool {
    is_only_renamed(before, now) && changed(before) == changed(now)
}

/// Like [`is_unchanged`], for a file that was renamed in between: to the system that is a change of the file.
pub(super) fn is_only_renamed(before: &Metadata, now: &Metadata) -> bool {
    let same = before.len() == now.len() && before.modified().ok() == now.modified().ok();
    same && is_same_file(before, now) && before.permissions() == now.permissions()
}

/// When content, name or permissions last changed. Unlike the time of modification, nobody can set this.
#[cfg(unix)]
fn changed(metadata: &Metadata) -> (i64, i64) {
    use std::os::unix::fs::MetadataExt as _;
    (metadata.ctime(), metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn changed(_: &Metadata) {}

#[cfg(unix)]
pub(crate) fn is_same_file(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// Elsewhere std does not give the number of a file; another time of creation means another file.
#[cfg(not(unix))]
pub(crate) fn is_same_file(a: &Metadata, b: &Metadata) -> bool {
    a.created().ok() == b.created().ok()
}

pub(super) fn same_content(a: &Path, b: &Path) -> io::Result<bool> {
    let (mut a, mut b) = (File::open(a)?, File::open(b)?);
    let (mut left, mut right) = (vec![0; 64 * 1024], vec![0; 64 * 1024]);
    loop {
        let n = a.read(&mut left)?;
        if n == 0 {
            return Ok(b.read(&mut right)? == 0);
        }
        match b.read_exact(&mut right[..n]) {
            Ok(()) if left[..n] == right[..n] => {}
            Ok(()) => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            Err(error) => return Err(error),
        }
    }
}
