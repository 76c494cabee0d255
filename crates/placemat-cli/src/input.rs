//! What a command reads: standard input, or a file.

mod body;
mod packed;

use std::fmt;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, IsTerminal as _, Read};
use std::path::{Path, PathBuf};
use std::sync::Once;

use crate::{console, escape};

pub(crate) use self::body::{Body, End};
pub(crate) use self::packed::Packed;
pub(crate) use placemat_text::io::{HEAD, is_binary, read_more, read_some};

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

/// Returns a reader that unpacks gzip, zstd, bzip2 or xz if the first bytes announce one of them, and else passes the bytes as they are.
///
/// Constant memory: data that needs more than 128 MiB to unpack is an error, and so is a file that is cut off.
///
/// # Errors
/// Those of reading the first bytes, and of setting up the unpacker.
pub fn unpacked<R: Read + 'static>(reader: R) -> io::Result<Box<dyn Read>> {
    packed::unpacked(reader)
}

impl Input {
    /// The input that the user named; `-` is standard input.
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

    /// The path of a file; `None` for standard input.
    pub(crate) fn file(&self) -> Option<&Path> {
        (*self != Input::Stdin).then(|| self.path())
    }

    /// The metadata, without opening the file: a FIFO that is opened twice may have nothing for the second reader.
    ///
    /// # Errors
    /// When there is no such file.
    #[cfg(unix)]
    pub(crate) fn metadata(&self) -> io::Result<Metadata> {
        match self {
            Input::Stdin => standard_input()?.metadata(),
            Input::Named(path) | Input::Found(path) => fs::metadata(path),
        }
    }

    #[cfg(not(unix))]
    pub(crate) fn metadata(&self) -> io::Result<Metadata> {
        fs::metadata(self.path())
    }

    /// Opens the file. Returns it with whether it is regular: then it can be read at any position, more than once.
    ///
    /// # Errors
    /// When it cannot be opened, or is a directory; for standard input, which has no name to open.
    pub(crate) fn open(&self) -> io::Result<(File, bool)> {
        if *self == Input::Stdin {
            return Err(io::ErrorKind::InvalidInput.into());
        }
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

    /// Opens the input to be read once, from the start; with `unpack` compressed data is unpacked.
    ///
    /// # Errors
    /// As [`Input::open`], and those of reading the first bytes.
    pub(crate) fn reader(&self, unpack: bool) -> io::Result<Box<dyn Read>> {
        match self {
            Input::Stdin if self.metadata().is_ok_and(|metadata| metadata.is_dir()) => {
                Err(io::ErrorKind::IsADirectory.into())
            }
            Input::Stdin if unpack => packed::unpacked(standard_input()?),
            Input::Stdin => Ok(Box::new(standard_input()?)),
            Input::Named(_) | Input::Found(_) if unpack => packed::unpacked(self.open()?.0),
            Input::Named(_) | Input::Found(_) => Ok(Box::new(self.open()?.0)),
        }
    }

    /// Returns the reader, unless the input was found in a tree and looks binary.
    ///
    /// # Errors
    /// Those of reading the first bytes.
    pub(crate) fn unless_binary(&self, mut reader: Box<dyn Read>) -> io::Result<Option<Box<dyn Read>>> {
        if !matches!(self, Input::Found(_)) {
            return Ok(Some(reader));
        }
        let mut head = Vec::new();
        reader.by_ref().take(HEAD).read_to_end(&mut head)?;
        let is_binary = is_binary(&head);
        Ok((!is_binary).then(|| Box::new(io::Cursor::new(head).chain(reader)) as Box<dyn Read>))
    }
}

/// Standard input without std's buffer, to which a closed standard input is an empty one.
#[cfg(unix)]
pub(crate) fn standard_input() -> io::Result<File> {
    use std::os::fd::AsFd as _;
    tell_of_waiting();
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// Says once that the terminal is read. Otherwise a user who forgot to name a file sees a command that does nothing.
fn tell_of_waiting() {
    static ONCE: Once = Once::new();
    if io::stdin().is_terminal() && io::stderr().is_terminal() {
        let end = if cfg!(windows) { "Ctrl-Z and Enter" } else { "Ctrl-D" };
        ONCE.call_once(|| console::say(&format!("reading standard input from the terminal; {end} ends it")));
    }
}

#[cfg(not(unix))]
pub(crate) fn standard_input() -> io::Result<io::StdinLock<'static>> {
    tell_of_waiting();
    Ok(io::stdin().lock())
}

/// The name, escaped for a terminal.
impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Stdin => f.write_str("<stdin>"),
            Input::Named(_) | Input::Found(_) => escape::path(self.path()).fmt(f),
        }
    }
}
