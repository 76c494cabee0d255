//! One input of a conversion: opened, and its encoding chosen.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write as _};

use anyhow::Context as _;
use placemat::{Form, Policy, Unencodable};

use super::BLOCK;
use super::options::{Candidate, Options};
use crate::charset::Charset;
use crate::input::Input;
use crate::pipeline::{Halt, Large, Pipeline, Place, Settings};
use crate::replace;

/// How much of a pipe is kept in memory while its encoding is looked for.
const IN_MEMORY: u64 = 1024 * 1024;

/// An input that is open.
pub(super) struct Source {
    body: Body,
    charset: Charset,
}

enum Body {
    /// Can be read once.
    Stream(Box<dyn Read>),
    /// Can be read again from `start`.
    File {
        file: File,
        start: u64,
    },
    Memory(Cursor<Vec<u8>>),
}

/// Why an input is left out.
pub(super) enum Unread {
    Trouble(anyhow::Error),
    /// No candidate fits, for these reasons.
    NoneFits(String),
}

impl From<io::Error> for Unread {
    fn from(error: io::Error) -> Unread {
        Unread::Trouble(error.into())
    }
}

impl Source {
    /// Open the input and take the first candidate in which the whole of it is well-formed; a single one is taken as it
    /// is, and so is a guess that is sure.
    pub(super) fn open(input: &Input, options: &Options) -> Result<Source, Unread> {
        let mut body = Body::open(input)?;
        if let &[Candidate::Named(charset)] = &options.from[..] {
            return Ok(Source { body, charset });
        }
        body.keep()?;
        let mut reasons = Vec::new();
        for candidate in &options.from {
            let fits = match candidate {
                Candidate::Auto => Charset::guess(&mut body)?,
                Candidate::Named(charset) => match body.is_well_formed(*charset)? {
                    true => Ok(*charset),
                    false => Err(format!("is not well-formed {charset}")),
                },
            };
            body.rewind()?;
            match fits {
                Err(reason) => reasons.push(reason),
                Ok(charset) => {
                    options.check(charset).map_err(Unread::Trouble)?;
                    return Ok(Source { body, charset });
                }
            }
        }
        Err(Unread::NoneFits(reasons.join(", ")))
    }

    pub(super) fn charset(&self) -> Charset {
        self.charset
    }

    /// The input as one that several threads can convert, if it is.
    pub(super) fn large(&self, settings: Settings) -> Option<Large<'_>> {
        match &self.body {
            Body::File { file, start } => Large::of(file, *start, self.charset, settings),
            Body::Stream(_) | Body::Memory(_) => None,
        }
    }

    /// Whether [`Source::place`] works.
    pub(super) fn is_rereadable(&self) -> bool {
        !matches!(self.body, Body::Stream(_))
    }

    /// The place of the byte at `offset`: reads all that precedes it again.
    pub(super) fn place(&mut self, offset: u64) -> io::Result<Place> {
        let mut place = Place::new(self.charset);
        self.body.rewind()?;
        let mut before = (&mut self.body).take(offset);
        let mut block = vec![0; BLOCK];
        loop {
            match before.read(&mut block) {
                Ok(0) => return Ok(place),
                Ok(read) => place.pass(&block[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Read for Source {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        self.body.read(block)
    }
}

impl Body {
    fn open(input: &Input) -> io::Result<Body> {
        let (mut file, is_file) = match input {
            Input::Stdin => match standard_input()? {
                Ok(opened) => opened,
                Err(stream) => return Ok(Body::Stream(stream)),
            },
            _ => input.open()?,
        };
        if !is_file {
            return Ok(Body::Stream(Box::new(file)));
        }
        let start = file.stream_position()?;
        Ok(Body::File { file, start })
    }

    /// See to it that it can be read again.
    fn keep(&mut self) -> Result<(), Unread> {
        let Body::Stream(stream) = self else { return Ok(()) };
        let mut memory = Vec::new();
        stream.take(IN_MEMORY).read_to_end(&mut memory)?;
        if (memory.len() as u64) < IN_MEMORY {
            *self = Body::Memory(Cursor::new(memory));
            return Ok(());
        }
        let spool = |stream: &mut dyn Read| {
            let mut file = unnamed_file()?;
            file.write_all(&memory)?;
            io::copy(stream, &mut file)?;
            file.rewind()?;
            Ok::<_, io::Error>(file)
        };
        let file = spool(stream)
            .context("standard input cannot be kept in a temporary file")
            .map_err(Unread::Trouble)?;
        *self = Body::File { file, start: 0 };
        Ok(())
    }

    fn rewind(&mut self) -> io::Result<()> {
        match self {
            Body::Stream(_) => Err(io::ErrorKind::NotSeekable.into()),
            Body::File { file, start } => file.seek(SeekFrom::Start(*start)).map(drop),
            Body::Memory(cursor) => cursor.rewind(),
        }
    }

    /// Whether all of it is well-formed. To be rewound afterwards.
    fn is_well_formed(&mut self, charset: Charset) -> io::Result<bool> {
        let to = Charset::Form(Form::Utf8);
        let policy = Policy::Stop.unencodable(Unencodable::Skip);
        let mut pipeline = Pipeline::new(charset, Settings { to, policy, bom: placemat::Bom::Keep });
        let mut block = vec![0; BLOCK];
        loop {
            let read = match self.read(&mut block) {
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let block = &block[..read];
            let done = match read {
                0 => pipeline.finish_input(&mut io::sink()),
                _ => pipeline.push(block, &mut io::sink()),
            };
            match done {
                Err(Halt::Stopped(_)) => return Ok(false),
                Err(Halt::Output(error) | Halt::Input(error)) => return Err(error),
                Ok(()) if read == 0 => return Ok(true),
                Ok(()) => {}
            }
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

/// Standard input as a file, without std's buffer, and whether it can be read again; or as it is.
#[cfg(unix)]
fn standard_input() -> io::Result<Result<(File, bool), Box<dyn Read>>> {
    use std::os::fd::AsFd as _;
    let file = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    Ok(Ok((file, metadata.is_file())))
}

#[cfg(not(unix))]
fn standard_input() -> io::Result<Result<(File, bool), Box<dyn Read>>> {
    Ok(Err(Box::new(io::stdin())))
}

/// A file in the folder for temporary files that has no name any more.
fn unnamed_file() -> io::Result<File> {
    let mut number = std::process::id();
    loop {
        let path = std::env::temp_dir().join(format!("placemat-{number}"));
        let mut options = File::options();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(&path) {
            Ok(file) => return std::fs::remove_file(&path).map(|()| file),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number = number.wrapping_add(1),
            Err(error) => return Err(error),
        }
    }
}

/// Whether writing `out` would lengthen what is being read.
pub(super) fn is_output(input: &Input, out: &File) -> bool {
    let (Ok(Body::File { file, .. }), Ok(out)) = (Body::open(input), out.metadata()) else { return false };
    out.is_file() && file.metadata().is_ok_and(|file| replace::is_same_file(&file, &out))
}
