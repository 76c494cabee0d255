//! A reader that converts what it reads from another reader to UTF-8.

#![forbid(unsafe_code)]

use std::boxed::Box;
use std::fmt;
use std::io::{self, BufRead, Read};
use std::ops::Range;
use std::vec;

use super::BUFFER;
use crate::boundary;
use crate::error::Error;
use crate::form::Form;
use crate::policy::{Handler, Policy};
use crate::transcode::{Status, Transcoder};

/// Reads another reader's bytes as a form and yields them as UTF-8.
///
/// What [`BufRead::fill_buf`] returns ends on a character boundary, and so does what [`Read::read`] returns, as long as
/// the next character fits into the buffer (and the transcoder writes UTF-8). Constant memory. The reader
/// below needs no buffer. After the end, reading returns no more, even if the reader below does.
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

/// Whether more input can come.
#[derive(PartialEq, Eq)]
enum Source {
    Open,
    /// `inner` is at its end, the transcoder is not.
    Ended,
    Done,
}

impl<R: Read> Reader<R> {
    /// Reads `inner` as `from`, with U+FFFD for each error and for each surrogate and number that UTF-8 cannot carry. A byte order
    /// mark stays in the text: see [`Reader::strict`].
    ///
    /// ```
    /// use std::io::Read as _;
    /// let mut text = String::new();
    /// placemat::io::Reader::lossy(&b"a\xED\xA0\x80"[..], placemat::Form::Wtf8).read_to_string(&mut text)?;
    /// assert_eq!(text, "a\u{FFFD}");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn lossy(inner: R, from: Form) -> Reader<R> {
        Reader::with_transcoder(inner, Transcoder::new(from, Form::Utf8).on_error(Policy::Lossy))
    }

    /// Reads `inner` as `from`; an error is an error of reading, after everything before it was read.
    ///
    /// A byte order mark stays in the text; `Transcoder::new(from, Form::Utf8).bom(Bom::Strip)` and [`Reader::with_transcoder`]
    /// leave it out.
    ///
    /// ```
    /// use std::io::Read as _;
    /// let mut text = String::new();
    /// let error = placemat::io::Reader::strict(&b"a\xFF"[..], placemat::Form::Utf8).read_to_string(&mut text).unwrap_err();
    /// assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
    /// ```
    #[must_use]
    pub fn strict(inner: R, from: Form) -> Reader<R> {
        Reader::with_transcoder(inner, Transcoder::new(from, Form::Utf8))
    }
}

impl<R: Read, H: Handler> Reader<R, H> {
    /// Reads `inner` through this transcoder, whatever its forms and policy.
    ///
    /// Where the policy stops, reading fails once, with [`io::ErrorKind::InvalidData`] and the [`Error`] within, after
    /// everything before the error was read (see [`Status::Failed`]); reading on skips it.
    ///
    /// ```
    /// use std::io::Read as _;
    /// use placemat::{Bom, Form, Transcoder, io::Reader};
    /// let mut text = String::new();
    /// let transcoder = Transcoder::new(Form::Utf8, Form::Utf8).bom(Bom::Strip);
    /// Reader::with_transcoder("\u{FEFF}text".as_bytes(), transcoder).read_to_string(&mut text)?;
    /// assert_eq!(text, "text");
    /// # Ok::<(), std::io::Error>(())
    /// ```
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
    ///
    /// ```
    /// # use std::io::Read as _;
    /// # use placemat::{Form, io::Reader};
    /// let mut reader = Reader::lossy(&b"a\xFFb\xFF"[..], Form::Utf8);
    /// reader.read_to_string(&mut String::new())?;
    /// assert_eq!(reader.errors(), 2);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn errors(&self) -> u64 {
        self.transcoder.errors()
    }

    /// The reader below. More was read from it than was handed out.
    ///
    /// ```
    /// # use placemat::{Form, io::Reader};
    /// assert_eq!(Reader::lossy(&b"abc"[..], Form::Utf8).get_ref().len(), 3);
    /// ```
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The reader below. More was read from it than was handed out.
    ///
    /// ```
    /// # use placemat::{Form, io::Reader};
    /// let mut reader = Reader::lossy(&b"abc"[..], Form::Utf8);
    /// *reader.get_mut() = b"other";
    /// assert_eq!(std::io::read_to_string(reader)?, "other");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// The reader below. What is buffered is lost.
    ///
    /// ```
    /// # use placemat::{Form, io::Reader};
    /// assert_eq!(Reader::lossy(&b"abc"[..], Form::Utf8).into_inner(), b"abc");
    /// ```
    pub fn into_inner(self) -> R {
        self.inner
    }

    /// Convert until there is text, an error, or the end.
    fn refill(&mut self) -> io::Result<()> {
        while self.ready.is_empty() && self.state != Source::Done {
            if let Some(error) = self.failed.take() {
                return Err(error.into());
            }
            if self.unread.is_empty() && self.state == Source::Open {
                match self.inner.read(&mut self.source) {
                    Ok(0) => self.state = Source::Ended,
                    Ok(n) if n > self.source.len() => return Err(io::Error::other(LIES)),
                    Ok(n) => self.unread = 0..n,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => return Err(error),
                }
            }
            let step = match self.state {
                Source::Open => self.transcoder.push(&self.source[self.unread.clone()], &mut self.text),
                Source::Ended | Source::Done => self.transcoder.finish(&mut self.text),
            };
            self.unread.start += step.read;
            self.ready = 0..step.written;
            match step.status {
                Status::Done => self.state = Source::Done,
                Status::Failed(error) => self.failed = Some(error),
                Status::NeedInput | Status::NeedOutput => {}
            }
        }
        Ok(())
    }
}

/// Of a reader below that breaks the contract of [`Read::read`].
const LIES: &str = "the reader below says that it read more bytes than there is room for";

impl<R: Read, H: Handler> BufRead for Reader<R, H> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.refill()?;
        Ok(&self.text[self.ready.clone()])
    }

    fn consume(&mut self, n: usize) {
        self.ready.start = self.ready.end.min(self.ready.start.saturating_add(n));
    }
}

impl<R: Read, H: Handler> Read for Reader<R, H> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let text = self.fill_buf()?;
        // A shorter read is better than a divided character, but not an empty one, which would mean the end.
        let n = match boundary::floor(text, buf.len()) {
            0 => text.len().min(buf.len()),
            whole => whole,
        };
        buf[..n].copy_from_slice(&text[..n]);
        self.consume(n);
        Ok(n)
    }
}

impl<R: fmt::Debug, H> fmt::Debug for Reader<R, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reader { inner, transcoder, .. } = self;
        f.debug_struct("Reader").field("inner", inner).field("transcoder", transcoder).finish_non_exhaustive()
    }
}
