//! Renaming that loses nothing: never over what is there, or by exchange.

use std::fs;
use std::io;
use std::path::Path;

/// Give a file or folder a new name in its folder, if nothing has that name: one step of the system on Linux and macOS
/// (`renameat2` with `RENAME_NOREPLACE`, `renamex_np`); elsewhere, or where the file system cannot, a file gets the second name as a link
/// and then loses the first.
///
/// # Errors
/// `AlreadyExists` where something has the name; those of the system.
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
            "here a folder cannot be renamed without the danger of replacing another",
        ));
    }
    fs::hard_link(from, to)?;
    fs::remove_file(from)
}

/// Let two files exchange their names, in one step of the system (`renameat2` with `RENAME_EXCHANGE`, `renameatx_np` with
/// `RENAME_SWAP`); `false` where the system or the file system cannot.
///
/// # Errors
/// Those of the system: one of them has gone, among others.
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
