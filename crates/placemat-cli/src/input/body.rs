//! What an input holds, for those who read it more than once: a pipe is kept in memory, and what is too long for that in a
//! file without a name.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek as _, SeekFrom, Write as _};
use std::sync::Arc;

use anyhow::{Context as _, Result};

use super::Input;
use crate::progress::Done;

/// How much of a pipe is kept in memory.
const IN_MEMORY: u64 = 1024 * 1024;

/// The bytes of an input that is open.
pub(crate) enum Body {
    /// Can be read once.
    Stream(Box<dyn Read>),
    /// Can be read again from `start`.
    File {
        file: File,
        start: u64,
    },
    Memory(Cursor<Vec<u8>>),
}

impl Body {
    /// Open the input.
    ///
    /// # Errors
    /// As [`Input::open`].
    pub(crate) fn open(input: &Input) -> io::Result<Body> {
        let (mut file, is_file) = match input {
            #[cfg(not(unix))]
            Input::Stdin => return Ok(Body::Stream(Box::new(super::standard_input()?))),
            #[cfg(unix)]
            Input::Stdin => {
                let file = super::standard_input()?;
                let metadata = file.metadata()?;
                if metadata.is_dir() {
                    return Err(io::ErrorKind::IsADirectory.into());
                }
                (file, metadata.is_file())
            }
            _ => input.open()?,
        };
        if !is_file {
            return Ok(Body::Stream(Box::new(file)));
        }
        let start = file.stream_position()?;
        Ok(Body::File { file, start })
    }

    /// Open the input, and see to it that it can be read again; with `unpack` through compression, where there is any.
    ///
    /// # Errors
    /// Those of opening, reading and keeping it.
    pub(crate) fn kept(input: &Input, unpack: bool, done: Option<&Arc<Done>>) -> Result<Body> {
        let mut body = Body::unpacked(input, unpack)?;
        body.keep(done)?;
        Ok(body)
    }

    /// Open the input; with `unpack` through compression, where there is any.
    ///
    /// # Errors
    /// As [`Input::reader`].
    pub(crate) fn unpacked(input: &Input, unpack: bool) -> io::Result<Body> {
        if unpack { Ok(Body::Stream(input.reader(true)?)) } else { Body::open(input) }
    }

    /// See to it that it can be read again. Whether it was read for that, and counted as `done`.
    ///
    /// # Errors
    /// Those of reading, and of the temporary file.
    pub(crate) fn keep(&mut self, done: Option<&Arc<Done>>) -> Result<bool> {
        let Body::Stream(stream) = self else { return Ok(false) };
        let mut watched = done.map(|done| done.watch(&mut *stream));
        let stream: &mut dyn Read = match &mut watched {
            Some(watched) => watched,
            None => stream,
        };
        let mut memory = Vec::new();
        stream.take(IN_MEMORY).read_to_end(&mut memory)?;
        if (memory.len() as u64) < IN_MEMORY {
            *self = Body::Memory(Cursor::new(memory));
            return Ok(true);
        }
        let spool = |stream: &mut dyn Read| {
            let mut file = tempfile::tempfile()?;
            file.write_all(&memory)?;
            io::copy(stream, &mut file)?;
            file.rewind()?;
            Ok::<_, io::Error>(file)
        };
        let file = spool(stream).context("it cannot be kept in a temporary file")?;
        *self = Body::File { file, start: 0 };
        Ok(true)
    }

    /// Back to the start, for those who kept it.
    ///
    /// # Errors
    /// Those of the file.
    pub(crate) fn rewind(&mut self) -> io::Result<()> {
        match self {
            Body::Stream(_) => Err(io::ErrorKind::NotSeekable.into()),
            Body::File { file, start } => file.seek(SeekFrom::Start(*start)).map(drop),
            Body::Memory(cursor) => cursor.rewind(),
        }
    }
}

impl Read for Body {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        match self {
            Body::Stream(stream) => stream.read(block),
            Body::File { file, .. } => file.read(block),
            Body::Memory(cursor) => cursor.read(block),
        }
    }
}
