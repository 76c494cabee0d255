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

/// Reads bytes of a form from an underlying reader and yields them as UTF-8.
///
/// What [`BufRead::fill_buf`] returns ends on a character boundary. So does what [`Read::read`] returns, if the next character
/// fits into the buffer (and the transcoder writes UTF-8). Constant memory. The underlying reader needs no buffer. After the end,
/// reading returns no more, even if the underlying reader has more.
pub struct Reader<R, H = Policy> {
    inner: R,
    transcoder: Transcoder<H>,
    source: Box<[u8]>,
    /// The part of `source` that is not yet converted.
    unread: Range<usize>,
    text: Box<[u8]>,
    /// The part of `text` that the caller has not read yet.
    ready: Range<usize>,
    /// An error before which there is text that the caller has not read yet.
    failed: Option<Error>,
    state: Source,
}

/// Whether more input can come.
#[derive(PartialEq, Eq)]
enum Source {
    Open,
    /// `inner` is at its end, but the transcoder is not.
    Ended,
    Done,
}

impl<R: Read> Reader<R> {
    /// Reads `inner` as `from`, with U+FFFD for each error and for each code point that UTF-8 cannot carry. A byte order mark
    /// stays in the text: see [`Reader::strict`].
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

    /// Reads `inner` as `from`. An ill-formed sequence is an error of reading, after everything before it was read.
    ///
    /// A byte order mark stays in the text. To remove it, use `Transcoder::new(from, Form::Utf8).bom(Bom::Strip)` and
    /// [`Reader::with_transcoder`].
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
    /// If the policy stops at an error, reading fails once, after everything before the error was read (see [`Status::Failed`]):
    /// with [`io::ErrorKind::InvalidData`], which holds the [`Error`]. The next read continues behind the error.
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

    /// The number of errors so far; see [`Transcoder::errors`].
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

    /// The underlying reader. More was read from it than this reader has returned.
    ///
    /// ```
    /// # use placemat::{Form, io::Reader};
    /// assert_eq!(Reader::lossy(&b"abc"[..], Form::Utf8).get_ref().len(), 3);
    /// ```
    pub fn get_ref(&self) -> &R {
        &self.inner
    }

    /// The underlying reader. More was read from it than this reader has returned.
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

    /// Returns the underlying reader. What is buffered is lost.
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

/// For an underlying reader that breaks the contract of [`Read::read`].
const LIES: &str = "the underlying reader returned a length greater than its buffer";

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
        // A short read is better than a divided character. But an empty read would mean the end.
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
