//! `std::io` on top of the engine: a [`Reader`] that yields UTF-8 out of any form, a [`Writer`] that takes it to any form.
//!
//! ```
//! use std::io::BufRead as _;
//! use placemat::{Form, io::Reader};
//!
//! let file = &b"one\ntw\xFFo\nthree"[..];
//! let lines: Vec<String> = Reader::new(file, Form::Utf8).lines().collect::<Result<_, _>>()?;
//! assert_eq!(lines, ["one", "tw\u{FFFD}o", "three"]);      // no line is lost to a bad byte
//! # Ok::<(), std::io::Error>(())
//! ```

#![forbid(unsafe_code)]

use std::boxed::Box;
use std::io::{self, BufRead, Read, Write};
use std::ops::Range;
use std::vec;

use crate::error::Error;
use crate::form::Form;
use crate::policy::{Handler, Policy, Unencodable};
use crate::transcode::{Status, Transcoder};

const BUFFER: usize = 16 * 1024;

fn invalid(error: Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error)
}

/// Reads another reader's bytes as a form and yields them as UTF-8.
///
/// What [`BufRead::fill_buf`] returns ends on a character boundary, and so does what [`Read::read`] returns, as long as
/// the next character fits into the buffer. Constant memory; no need for a buffered reader below.
pub struct Reader<R, H = Policy> {
    inner: R,
    transcoder: Transcoder<H>,
    source: Box<[u8]>,
    /// What of `source` is not yet converted.
    unread: Range<usize>,
    text: Box<[u8]>,
    /// What of `text` is not yet handed out.
    ready: Range<usize>,
    /// An error whose preceding text has not been handed out yet.
    failed: Option<Error>,
    state: Source,
}

/// How much there is to come.
#[derive(PartialEq, Eq)]
enum Source {
    Open,
    /// `inner` is at its end, the transcoder is not.
    Ended,
    Done,
}

impl<R: Read> Reader<R> {
    /// Reads `inner` as `from`, with U+FFFD for each error and for each surrogate and number that UTF-8 cannot carry.
    ///
    /// ```
    /// use std::io::Read as _;
    /// let mut text = String::new();
    /// placemat::io::Reader::new(&b"a\xED\xA0\x80"[..], placemat::Form::Wtf8).read_to_string(&mut text)?;
    /// assert_eq!(text, "a\u{FFFD}");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn new(inner: R, from: Form) -> Reader<R> {
        let policy = Policy::Replace.unencodable(Unencodable::Replace(None));
        Reader::with_transcoder(inner, Transcoder::new(from, Form::Utf8).on_error(policy))
    }
}

impl<R: Read, H: Handler> Reader<R, H> {
    /// Reads `inner` through this transcoder, whatever its forms and policy.
    ///
    /// Where the policy stops, reading fails once, with [`io::ErrorKind::InvalidData`] and the [`Error`] within, after
    /// everything before the error was read; reading on skips it.
    #[must_use]
    pub fn with_transcoder(inner: R, transcoder: Transcoder<H>) -> Reader<R, H> {
        Reader {
            inner,
            transcoder,
            source: vec![0; BUFFER].into(),
            unread: 0..0,
            text: vec![0; BUFFER].into(),
            ready: 0..0,
            failed: None,
            state: Source::Open,
        }
    }

    /// Errors so far; see [`Transcoder::errors`].
    pub fn errors(&self) -> u64 {
        self.transcoder.errors()
    }

    /// The reader below. What is buffered is lost.
    pub fn into_inner(self) -> R {
        self.inner
    }

    /// Convert until there is text, an error, or the end.
    fn refill(&mut self) -> io::Result<()> {
        while self.ready.is_empty() && self.state != Source::Done {
            if let Some(error) = self.failed.take() {
                return Err(invalid(error));
            }
            if self.unread.is_empty() && self.state == Source::Open {
                match self.inner.read(&mut self.source) {
                    Ok(0) => self.state = Source::Ended,
                    Ok(n) => self.unread = 0..n,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => return Err(error),
                }
            }
            let step = match self.state {
                Source::Open => self.transcoder.push(&self.source[self.unread.clone()], &mut self.text),
                _ => self.transcoder.finish(&mut self.text),
            };
            self.unread.start += step.read;
            self.ready = 0..step.written;
            match step.status {
                Status::Done => self.state = Source::Done,
                Status::Failed(error) => self.failed = Some(error),
                Status::NeedInput | Status::NeedOutput => {}
            }
        }
        match self.failed.take_if(|_| self.ready.is_empty()) {
            Some(error) => Err(invalid(error)),
            None => Ok(()),
        }
    }
}

impl<R: Read, H: Handler> BufRead for Reader<R, H> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.refill()?;
        Ok(&self.text[self.ready.clone()])
    }

    fn consume(&mut self, n: usize) {
        self.ready.start = self.ready.end.min(self.ready.start + n);
    }
}

impl<R: Read, H: Handler> Read for Reader<R, H> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let text = self.fill_buf()?;
        let n = match text.get(..buf.len()) {
            // Rather a shorter read than a divided character, but never an empty one, which would mean the end.
            Some(head) => match crate::valid_prefix(head).0 {
                0 => head.len(),
                whole => whole,
            },
            None => text.len(),
        };
        buf[..n].copy_from_slice(&text[..n]);
        self.consume(n);
        Ok(n)
    }
}

/// Takes UTF-8, in pieces of any size, and writes it to another writer as a form.
///
/// Call [`Writer::finish`]: only there is it known that nothing more follows. Dropping it tries the same and ignores
/// errors. Constant memory.
///
/// ```
/// use std::io::Write as _;
/// use placemat::{Form, io::Writer};
///
/// let mut writer = Writer::new(Vec::new(), Form::Utf16Le);
/// writer.write_all(b"\xC3")?;                 // half of é
/// writer.write_all(b"\xA9")?;
/// assert_eq!(writer.finish()?, b"\xE9\0");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Writer<W: Write, H: Handler = Policy> {
    /// `None` once finished.
    inner: Option<W>,
    transcoder: Transcoder<H>,
    buffer: Box<[u8]>,
}

impl<W: Write> Writer<W> {
    /// Writes `to`; ill-formed input and characters that the form lacks are errors.
    #[must_use]
    pub fn new(inner: W, to: Form) -> Writer<W> {
        Writer::with_transcoder(inner, Transcoder::new(Form::Utf8, to))
    }
}

impl<W: Write, H: Handler> Writer<W, H> {
    /// Writes through this transcoder, whatever its forms and policy.
    #[must_use]
    pub fn with_transcoder(inner: W, transcoder: Transcoder<H>) -> Writer<W, H> {
        Writer { inner: Some(inner), transcoder, buffer: vec![0; BUFFER].into() }
    }

    /// Errors so far; see [`Transcoder::errors`].
    pub fn errors(&self) -> u64 {
        self.transcoder.errors()
    }

    /// Write what was held back and the form's last words, flush, and return the writer below.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`] with an [`Error`] within when the text ends inside a sequence and the policy is to
    /// stop; and those of the writer below.
    pub fn finish(mut self) -> io::Result<W> {
        self.write_last()?;
        self.inner.take().ok_or_else(|| io::Error::other("the writer is finished"))
    }

    fn write_last(&mut self) -> io::Result<()> {
        let Some(inner) = &mut self.inner else { return Ok(()) };
        loop {
            let step = self.transcoder.finish(&mut self.buffer);
            inner.write_all(&self.buffer[..step.written])?;
            match step.status {
                Status::Done => return inner.flush(),
                Status::Failed(error) => return Err(invalid(error)),
                Status::NeedInput | Status::NeedOutput => {}
            }
        }
    }
}

impl<W: Write, H: Handler> Write for Writer<W, H> {
    /// Fails where the policy stops; everything before the error is written.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(inner) = &mut self.inner else { return Ok(0) };
        loop {
            let step = self.transcoder.push(bytes, &mut self.buffer);
            inner.write_all(&self.buffer[..step.written])?;
            match step.status {
                Status::Failed(error) => return Err(invalid(error)),
                // Only stand-ins of an earlier error were written: `Ok(0)` would mean a full disk.
                Status::NeedOutput if step.read == 0 => {}
                _ => return Ok(step.read),
            }
        }
    }

    /// Flushes the writer below; an unfinished sequence stays held back.
    fn flush(&mut self) -> io::Result<()> {
        self.inner.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl<W: Write, H: Handler> Drop for Writer<W, H> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // Whoever cares calls `finish`.
            let _ = self.write_last();
        }
    }
}
