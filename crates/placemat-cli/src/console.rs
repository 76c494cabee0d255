//! Standard output, and messages on standard error.

#[cfg(unix)]
use std::fs::File;
use std::fs::Metadata;
use std::io::{self, IsTerminal as _, StdoutLock, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::AutoStream;
use anyhow::Result;
use placemat_text::notation::number;

/// Whether the last write to standard output ended within a line. Set only if that is a terminal.
static IS_WITHIN_LINE: AtomicBool = AtomicBool::new(false);

/// Standard output without the line buffer of std, where that is possible (Unix).
pub(crate) struct Stdout {
    #[cfg(unix)]
    out: File,
    #[cfg(not(unix))]
    out: io::Stdout,
    is_terminal: bool,
}

impl Stdout {
    /// # Errors
    /// When it is closed.
    #[cfg(unix)]
    pub(crate) fn open() -> Result<Stdout> {
        use anyhow::Context as _;
        use std::os::fd::AsFd as _;
        let is_terminal = io::stdout().is_terminal();
        let fd = io::stdout().as_fd().try_clone_to_owned().context("standard output")?;
        Ok(Stdout { out: File::from(fd), is_terminal })
    }

    #[cfg(not(unix))]
    pub(crate) fn open() -> Result<Stdout> {
        Ok(Stdout { out: io::stdout(), is_terminal: io::stdout().is_terminal() })
    }

    /// The metadata of the open file; `None` where it cannot be found out.
    #[cfg(unix)]
    pub(crate) fn metadata(&self) -> Option<Metadata> {
        self.out.metadata().ok()
    }

    #[cfg(not(unix))]
    pub(crate) fn metadata(&self) -> Option<Metadata> {
        None
    }
}

/// A writer to standard output whose errors name it. Otherwise the message would seem to be about an input.
pub(crate) struct Named<W>(W);

pub(crate) type Plain = Named<StdoutLock<'static>>;
pub(crate) type Coloured = Named<AutoStream<StdoutLock<'static>>>;

/// Standard output for bytes that are written as they are.
pub(crate) fn plain() -> Plain {
    Named(io::stdout().lock())
}

/// Standard output for text with colours, which are removed where they are not wanted.
pub(crate) fn coloured() -> Coloured {
    Named(anstream::stdout().lock())
}

/// The error with "standard output" before its message.
pub(crate) fn named(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("standard output: {error}"))
}

impl<W: Write> Write for Named<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(|error| named(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(|error| named(&error))
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes).map_err(|error| named(&error))?;
        if self.is_terminal
            && let Some(last) = bytes[..written].last()
        {
            IS_WITHIN_LINE.store(*last != b'\n', Ordering::Relaxed);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().map_err(|error| named(&error))
    }
}

/// Prints a message on standard error, on a line of its own even if the output on the same terminal ended within a line.
pub(crate) fn say(text: &str) {
    tell(&format!("placemat: {text}"));
}

/// Like [`say`], without `placemat: ` before the text. If it cannot be written, there is nowhere to report that.
pub(crate) fn tell(text: &str) {
    let is_within_line = IS_WITHIN_LINE.swap(false, Ordering::Relaxed) && io::stderr().is_terminal();
    let line = format!("{}{text}\n", if is_within_line { "\n" } else { "" });
    let _ = anstream::stderr().write_all(line.as_bytes());
}

/// Prints the number of files for each result on standard error: "files: 3 repaired, 1 refused".
pub(crate) fn summary(parts: &[(u64, &str)]) {
    let parts: Vec<_> =
        parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", number(*n))).collect();
    match parts.is_empty() {
        true => say("no files"),
        false => say(&format!("files: {}", parts.join(", "))),
    }
}
