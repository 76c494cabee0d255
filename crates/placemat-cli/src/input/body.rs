//! The bytes of an input, for commands that read it more than once. A pipe is kept in memory or, if it is too long for
//! that, in a temporary file without a name.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek as _, SeekFrom, Write as _};
use std::sync::Arc;

use anyhow::{Context as _, Result};

use super::{Input, packed, read_some};
use crate::progress::Done;

/// How much of a pipe is kept in memory, in bytes.
const IN_MEMORY: u64 = 1024 * 1024;

/// A reader without bytes. It fails once if it has an error: then the input broke off.
pub(crate) struct End(pub(crate) Option<io::Error>);

/// The bytes of an input that is open.
pub(crate) enum Body {
    /// Can be read once.
    Stream(Box<dyn Read>),
    /// Can be read once: a pipe or a device, as it was opened.
    #[cfg(unix)]
    Pipe(File),
    /// Can be read again from `start`.
    File {
        file: File,
        start: u64,
    },
    Memory(Cursor<Vec<u8>>),
    /// What `reader` unpacks from a body that can be read again. Each reading unpacks it anew: what little data unpacks to may be long.
    Unpacked {
        packed: Box<Body>,
        reader: Box<dyn Read>,
    },
}

/// The length up to which the end of a pipe is waited for, in bytes, and how long to wait for the next bytes.
#[cfg(unix)]
const SHORT: usize = 256 * 1024;
#[cfg(unix)]
const MOMENT: rustix::event::Timespec = rustix::event::Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

impl Body {
    /// Keeps a pipe that ends soon, such as one through which a file is sent. Any other pipe, such as a log that is
    /// being written, becomes a stream that still begins at its start.
    #[cfg(unix)]
    pub(crate) fn keep_if_short(self) -> Body {
        use rustix::event::{PollFd, PollFlags, poll};
        let Body::Pipe(mut pipe) = self else { return self };
        let (mut memory, mut block) = (Vec::new(), vec![0; 64 * 1024]);
        let mut end = End(None);
        while memory.len() < SHORT {
            let waited = poll(&mut [PollFd::new(&pipe, PollFlags::IN)], Some(&MOMENT));
            match waited.map_err(io::Error::from).and_then(|ready| match ready {
                0 => Ok(None),
                _ => read_some(&mut pipe, &mut block).map(Some),
            }) {
                Ok(Some(0)) => return Body::Memory(Cursor::new(memory)),
                Ok(Some(read)) => memory.extend_from_slice(&block[..read]),
                Ok(None) => break,
                Err(error) => {
                    end = End(Some(error));
                    break;
                }
            }
        }
        Body::Stream(Box::new(Cursor::new(memory).chain(end).chain(pipe)))
    }

    /// Elsewhere a wait for input cannot be limited.
    #[cfg(not(unix))]
    pub(crate) fn keep_if_short(self) -> Body {
        self
    }

    /// Opens the input.
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
        #[cfg(unix)]
        if !is_file {
            return Ok(Body::Pipe(file));
        }
        #[cfg(not(unix))]
        if !is_file {
            return Ok(Body::Stream(Box::new(file)));
        }
        let start = file.stream_position()?;
        Ok(Body::File { file, start })
    }

    /// Opens the input and makes it rereadable.
    ///
    /// # Errors
    /// Those of opening, reading and keeping it.
    pub(crate) fn kept(input: &Input) -> Result<Body> {
        let mut body = Body::open(input)?;
        body.keep(None)?;
        Ok(body)
    }

    /// Opens the input; with `unpack` compressed data is unpacked.
    ///
    /// # Errors
    /// As [`Input::reader`].
    pub(crate) fn unpacked(input: &Input, unpack: bool) -> io::Result<Body> {
        if unpack { Ok(Body::Stream(input.reader(true)?)) } else { Body::open(input) }
    }

    /// Unpacks compressed data. The result can be read as often as the body.
    ///
    /// # Errors
    /// Those of reading the first bytes, and of setting up the unpacker.
    pub(crate) fn unpack(self) -> io::Result<Body> {
        Ok(match self {
            Body::Stream(stream) => Body::Stream(packed::unpacked(stream)?),
            #[cfg(unix)]
            Body::Pipe(pipe) => Body::Stream(packed::unpacked(pipe)?),
            packed @ (Body::File { .. } | Body::Memory(_)) => {
                let reader = packed::unpacked(packed.again()?)?;
                Body::Unpacked { packed: Box::new(packed), reader }
            }
            Body::Unpacked { .. } => self,
        })
    }

    /// Another reader of a body in a file or in memory, at its start.
    fn again(&self) -> io::Result<Box<dyn Read>> {
        match self {
            Body::File { file, start } => {
                let mut file = file.try_clone()?;
                file.seek(SeekFrom::Start(*start))?;
                Ok(Box::new(file))
            }
            Body::Memory(cursor) => Ok(Box::new(Cursor::new(cursor.get_ref().clone()))),
            _ => Err(io::ErrorKind::NotSeekable.into()),
        }
    }

    /// Makes the body rereadable. Returns whether the input was read for that; its bytes are then counted in `done`.
    ///
    /// # Errors
    /// Those of reading, and of the temporary file.
    pub(crate) fn keep(&mut self, done: Option<&Arc<Done>>) -> Result<bool> {
        let is_stream = !self.is_rereadable();
        self.keep_unbroken(done)?.map_or(Ok(is_stream), |broken| Err(broken.into()))
    }

    /// Like [`Body::keep`], but keeps what precedes an error of reading. Returns that error.
    ///
    /// # Errors
    /// Those of the temporary file.
    pub(crate) fn keep_unbroken(&mut self, done: Option<&Arc<Done>>) -> Result<Option<io::Error>> {
        let stream: &mut dyn Read = match self {
            Body::Stream(stream) => stream,
            #[cfg(unix)]
            Body::Pipe(pipe) => pipe,
            Body::File { .. } | Body::Memory(_) | Body::Unpacked { .. } => return Ok(None),
        };
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
        let (file, broken) = spool(memory, stream).context("the input cannot be kept in a temporary file")?;
        *self = Body::File { file, start: 0 };
        Ok(broken)
    }

    /// Whether [`Body::rewind`] works.
    pub(crate) fn is_rereadable(&self) -> bool {
        matches!(self, Body::File { .. } | Body::Memory(_) | Body::Unpacked { .. })
    }

    /// Goes back to the start, if the body is rereadable.
    ///
    /// # Errors
    /// Those of the file; `NotSeekable` if the body is not rereadable.
    pub(crate) fn rewind(&mut self) -> io::Result<()> {
        match self {
            Body::Stream(_) => Err(io::ErrorKind::NotSeekable.into()),
            #[cfg(unix)]
            Body::Pipe(_) => Err(io::ErrorKind::NotSeekable.into()),
            Body::File { file, start } => file.seek(SeekFrom::Start(*start)).map(drop),
            Body::Memory(cursor) => cursor.rewind(),
            Body::Unpacked { packed, reader } => {
                *reader = packed::unpacked(packed.again()?)?;
                Ok(())
            }
        }
    }
}

/// Writes the bytes in `block` and the rest of the stream to a temporary file without a name. Returns the file and, if
/// the stream breaks off, the error.
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
            #[cfg(unix)]
            Body::Pipe(pipe) => pipe.read(block),
            Body::File { file, .. } => file.read(block),
            Body::Memory(cursor) => cursor.read(block),
            Body::Unpacked { reader, .. } => reader.read(block),
        }
    }
}

impl Read for End {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
