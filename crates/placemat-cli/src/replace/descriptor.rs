//! Paths that name open files, such as `/dev/stdout`. They are written to, not replaced.
//!
//! They are recognised by the folder that they really lie in: a file below `/proc/self/cwd` is none of them.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

const OUTPUT: [&str; 4] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1"];
const ERROR: [&str; 4] = ["/dev/stderr", "/dev/fd/2", "/proc/self/fd/2", "/proc/thread-self/fd/2"];

/// Whether this is one of the names of standard output.
pub(crate) fn is_standard_output(path: &Path) -> bool {
    path.as_os_str() == "-" || end_of_links(path).is_ok_and(|end| is_one_of(&end, OUTPUT))
}

/// Whether the path names an open file, as `/dev/stdout` does. Not everything in `/dev` does: files in `/dev/shm` are files.
pub(super) fn is_a_descriptor(path: &Path) -> bool {
    let path = placed(path);
    let is_standard = ["/dev/stdin", OUTPUT[0], ERROR[0]].iter().any(|name| path == Path::new(name));
    is_standard || path.starts_with("/dev/fd") || path.starts_with("/proc")
}

fn is_one_of(path: &Path, names: [&str; 4]) -> bool {
    let path = placed(path);
    names.iter().any(|name| path == placed(Path::new(name)))
}

/// The path, with its folder resolved to the real one.
fn placed(path: &Path) -> PathBuf {
    let folder = path.parent().map(|folder| if folder == Path::new("") { Path::new(".") } else { folder });
    match (folder.map(fs::canonicalize), path.file_name()) {
        (Some(Ok(folder)), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}

/// Follows symbolic links to their end, where a file is created if there is none. Links that name open files are not followed.
pub(super) fn end_of_links(path: &Path) -> Result<PathBuf> {
    let mut path = path.to_path_buf();
    // As many as Linux follows.
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(target) if !is_a_descriptor(&path) => {
                path = path.parent().unwrap_or(Path::new("")).join(target);
            }
            _ => return Ok(path),
        }
    }
    bail!("too many symbolic links");
}

/// Opens what is no regular file, or is open already. An open file is appended to: opened anew it would be overwritten
/// from its start, and the next message to the same file would overwrite our output.
pub(super) fn open(path: &Path, metadata: &Metadata) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd as _;
        if is_one_of(path, OUTPUT) {
            return io::stdout().as_fd().try_clone_to_owned().map(File::from);
        }
        if is_one_of(path, ERROR) {
            return io::stderr().as_fd().try_clone_to_owned().map(File::from);
        }
    }
    OpenOptions::new().write(true).append(metadata.is_file()).open(path)
}
