//! What a command reads: standard input, or a file.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::shown;

/// Something to read, and how it came to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// `-`
    Stdin,
    /// Named by the user: read whatever it is.
    Named(PathBuf),
    /// Found in a tree.
    Found(PathBuf),
}

impl Input {
    /// As the user named it.
    pub(crate) fn named(path: PathBuf) -> Input {
        if path.as_os_str() == "-" { Input::Stdin } else { Input::Named(path) }
    }

    /// The path; `-` for standard input.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Input::Stdin => Path::new("-"),
            Input::Named(path) | Input::Found(path) => path,
        }
    }

    /// Open the file and say whether it can be read at any position, as often as one likes.
    ///
    /// # Errors
    /// When it cannot be opened, or is a directory; for standard input, which is open.
    pub(crate) fn open(&self) -> io::Result<(File, bool)> {
        let mut options = OpenOptions::new();
        options.read(true);
        #[cfg(unix)]
        if let Input::Found(_) = self {
            // What was a file when the tree was walked may be a FIFO now; that must not block.
            std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
        }
        let file = options.open(self.path())?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok((file, metadata.is_file()))
    }

    /// Open it to be read once, from the start.
    ///
    /// # Errors
    /// As [`Input::open`].
    pub(crate) fn reader(&self) -> io::Result<Box<dyn Read>> {
        match self {
            Input::Stdin => Ok(Box::new(io::stdin().lock())),
            _ => Ok(Box::new(self.open()?.0)),
        }
    }
}

/// As it may stand on a terminal.
impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Stdin => f.write_str("<stdin>"),
            _ => shown::path(self.path()).fmt(f),
        }
    }
}
