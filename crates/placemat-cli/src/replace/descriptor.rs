//! Paths that stand for open files, such as `/dev/stdout`: written on, not replaced.
//!
//! They are known by the folder that they lie in, whatever leads there: `/proc/self/cwd` is none of them.

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

/// `/dev/stdout` and its kin: open files under another name. Not all that lies in `/dev`: files in `/dev/shm` are files.
pub(super) fn is_a_descriptor(path: &Path) -> bool {
    let path = placed(path);
    let is_standard = ["/dev/stdin", OUTPUT[0], ERROR[0]].iter().any(|name| path == Path::new(name));
    is_standard || path.starts_with("/dev/fd") || path.starts_with("/proc")
}

fn is_one_of(path: &Path, names: [&str; 4]) -> bool {
    let path = placed(path);
    names.iter().any(|name| path == placed(Path::new(name)))
}

/// The path by the folder that it really lies in.
fn placed(path: &Path) -> PathBuf {
    let folder = path.parent().map(|folder| if folder == Path::new("") { Path::new(".") } else { folder });
    match (folder.map(fs::canonicalize), path.file_name()) {
        (Some(Ok(folder)), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}

/// What symbolic links lead to, be it nothing: that is where a file is created. What a descriptor leads to is its own
/// affair.
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

/// Open what is no file, or is open already: then to go on behind what it holds. Opened anew it would be written over from
/// its start, and the next message on the same file would be written over us.
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
