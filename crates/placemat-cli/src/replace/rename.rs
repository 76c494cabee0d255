//! Renaming that loses no file: only to a name that is free, or by exchange.

use std::fs;
use std::io;
use std::path::Path;

/// Gives a file or folder a new name in its folder, if that name is free. On Linux and macOS this is one system call
/// (`renameat2` with `RENAME_NOREPLACE`, `renamex_np`). Elsewhere, or where the file system has no such call, a file
/// gets the new name as a hard link and then loses the old one.
///
/// # Errors
/// `AlreadyExists` where the name is taken; those of the system.
pub(crate) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;

        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            renamed => return Ok(renamed?),
        }
    }
    if fs::symlink_metadata(from)?.is_dir() {
        return Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "here a folder cannot be renamed safely: it could replace another",
        ));
    }
    fs::hard_link(from, to)?;
    fs::remove_file(from)
}

/// Exchanges the names of two files in one system call (`renameat2` with `RENAME_EXCHANGE`, `renameatx_np` with
/// `RENAME_SWAP`). Returns `false` where the system or the file system cannot do that.
///
/// # Errors
/// Those of the system, for example that one of the files has gone.
pub(super) fn exchange(a: &Path, b: &Path) -> io::Result<bool> {
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;

        match renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Ok(false),
            exchanged => Ok(exchanged.map(|()| true)?),
        }
    }
    #[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
    {
        let _ = (a, b);
        Ok(false)
    }
}
