//! Standard output, and what is said on standard error beside it.

#[cfg(unix)]
use std::fs::File;
use std::fs::Metadata;
use std::io::{self, IsTerminal as _, StdoutLock, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anstream::AutoStream;
use anyhow::Result;

/// Whether what was last written to standard output, a terminal, ended within a line.
static IS_WITHIN_LINE: AtomicBool = AtomicBool::new(false);

/// Standard output without the line buffer that std puts before it, where that can be had.
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

    /// What it is; `None` where that cannot be told.
    #[cfg(unix)]
    pub(crate) fn metadata(&self) -> Option<Metadata> {
        self.out.metadata().ok()
    }

    #[cfg(not(unix))]
    pub(crate) fn metadata(&self) -> Option<Metadata> {
        None
    }
}

/// What writes to standard output, with errors that name it: else an input would be blamed, or nobody.
pub(crate) struct Named<W>(W);

pub(crate) type Plain = Named<StdoutLock<'static>>;
pub(crate) type Coloured = Named<AutoStream<StdoutLock<'static>>>;

/// Standard output, for what is written as it is.
pub(crate) fn plain() -> Plain {
    Named(io::stdout().lock())
}

/// The same for what has colours, where they are wanted.
pub(crate) fn coloured() -> Coloured {
    Named(anstream::stdout().lock())
}

/// An error of standard output.
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

/// Say something on standard error, on a line of its own even where the output stands on the same terminal.
pub(crate) fn say(text: &str) {
    tell(&format!("placemat: {text}"));
}

/// The same without our name before it. That it cannot be written changes nothing, and there is nobody to tell.
pub(crate) fn tell(text: &str) {
    let is_within_line = IS_WITHIN_LINE.swap(false, Ordering::Relaxed) && io::stderr().is_terminal();
    let line = format!("{}{text}\n", if is_within_line { "\n" } else { "" });
    let _ = anstream::stderr().write_all(line.as_bytes());
}

/// Say how many files came to what: "files: 3 repaired, 1 refused", on standard error.
pub(crate) fn summary(parts: &[(u64, &str)]) {
    let parts: Vec<_> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    match parts.is_empty() {
        true => say("no files"),
        false => say(&format!("files: {}", parts.join(", "))),
    }
}
