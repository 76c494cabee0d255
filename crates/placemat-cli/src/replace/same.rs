//! Whether two files, or one at two times, are the same.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

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

#[cfg(unix)]
pub(super) fn links(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

#[cfg(not(unix))]
pub(super) fn links(_: &Metadata) -> u64 {
    1
}

/// Whether these describe one file with one content.
pub(super) fn is_unchanged(before: &Metadata, now: &Metadata) -> bool {
    let same = before.len() == now.len() && before.modified().ok() == now.modified().ok();
    same && is_same_file(before, now) && changed(before) == changed(now)
}

/// When content, name or permissions last changed: nobody can set that, as they can the time of modification.
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

#[cfg(not(unix))]
pub(crate) fn is_same_file(_: &Metadata, _: &Metadata) -> bool {
    true
}
