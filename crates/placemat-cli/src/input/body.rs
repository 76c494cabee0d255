//! What an input holds, for those who read it more than once: a pipe is kept in memory, and what is too long for that in a
//! file without a name.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek as _, SeekFrom, Write as _};
use std::sync::Arc;

use anyhow::{Context as _, Result};

use super::{Input, read_some};
use crate::progress::Done;

/// How much of a pipe is kept in memory.
const IN_MEMORY: u64 = 1024 * 1024;

/// Nothing, and why there is no more, where it is no end.
pub(crate) struct End(pub(crate) Option<io::Error>);

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
            Input::Named(_) | Input::Found(_) => input.open()?,
        };
        if !is_file {
            return Ok(Body::Stream(Box::new(file)));
        }
        let start = file.stream_position()?;
        Ok(Body::File { file, start })
    }

    /// Open the input, and see to it that it can be read again.
    ///
    /// # Errors
    /// Those of opening, reading and keeping it.
    pub(crate) fn kept(input: &Input) -> Result<Body> {
        let mut body = Body::open(input)?;
        body.keep(None)?;
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
        let is_stream = matches!(self, Body::Stream(_));
        self.keep_unbroken(done)?.map_or(Ok(is_stream), |broken| Err(broken.into()))
    }

    /// The same for those who take what precedes the place where it breaks off: why it does.
    ///
    /// # Errors
    /// Those of the temporary file.
    pub(crate) fn keep_unbroken(&mut self, done: Option<&Arc<Done>>) -> Result<Option<io::Error>> {
        let Body::Stream(stream) = self else { return Ok(None) };
        let mut watched = done.map(|done| done.watch(&mut *stream));
        let stream: &mut dyn Read = match &mut watched {
            Some(watched) => watched,
            None => stream,
        };
        let mut memory = Vec::new();
        let broken = stream.take(IN_MEMORY).read_to_end(&mut memory).err();
        if broken.is_some() || (memory.len() as u64) < IN_MEMORY {
            *self = Body::Memory(Cursor::new(memory));
            return Ok(broken);
        }
        let (file, broken) = spool(memory, stream).context("it cannot be kept in a temporary file")?;
        *self = Body::File { file, start: 0 };
        Ok(broken)
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

/// A file without a name of what was read and what follows, and why that breaks off, if it does.
fn spool(mut block: Vec<u8>, stream: &mut dyn Read) -> io::Result<(File, Option<io::Error>)> {
    let mut file = tempfile::tempfile()?;
    let mut read = Ok(block.len());
    while let Ok(len @ 1..) = read {
        file.write_all(&block[..len])?;
        read = read_some(stream, &mut block);
    }
    file.rewind()?;
    Ok((file, read.err()))
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

impl Read for End {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
