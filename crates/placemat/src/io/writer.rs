//! A writer that takes UTF-8 and writes it in any form to another writer.

#![forbid(unsafe_code)]

use std::boxed::Box;
use std::fmt;
use std::io::{self, Write};
use std::ops::Range;
use std::vec;

use super::BUFFER;
use crate::error::Error;
use crate::form::Form;
use crate::policy::{Handler, Policy};
use crate::transcode::{Status, Transcoder};

/// Takes UTF-8, in pieces of any size, and writes it in a form to an underlying writer.
///
/// Call [`Writer::finish`] at the end, to write what was held back and to get errors. Dropping the writer does the same, but
/// ignores errors. Constant memory. If the underlying writer fails, nothing is lost: what it did not take is kept, and is written
/// first the next time.
///
/// ```
/// use std::io::Write as _;
/// use placemat::{Form, io::Writer};
///
/// let mut writer = Writer::strict(Vec::new(), Form::Utf16Le);
/// writer.write_all(b"\xC3")?;                 // half of é
/// writer.write_all(b"\xA9")?;
/// assert_eq!(writer.finish()?, b"\xE9\0");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Writer<W: Write, H: Handler = Policy> {
    /// `None` after it is returned to the caller.
    inner: Option<W>,
    transcoder: Transcoder<H>,
    buffer: Box<[u8]>,
    /// The part of `buffer` that the underlying writer has not taken yet.
    waiting: Range<usize>,
    /// An error before which there is text that the underlying writer has not taken yet.
    failed: Option<Error>,
    /// Whether `buffer` holds what the form writes at the end of a text.
    ended: bool,
}

impl<W: Write> Writer<W> {
    /// Writes `to`; ill-formed input and characters that the form lacks are errors.
    ///
    /// ```
    /// # use std::io::Write as _;
    /// # use placemat::{Form, io::Writer};
    /// let mut writer = Writer::strict(Vec::new(), Form::Iso8859_1);
    /// writer.write_all("é €".as_bytes())?;
    /// assert!(writer.finish().is_err(), "ISO 8859-1 has no euro sign");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn strict(inner: W, to: Form) -> Writer<W> {
        Writer::with_transcoder(inner, Transcoder::new(Form::Utf8, to))
    }

    /// Writes `to`. Ill-formed input and characters that the form lacks become U+FFFD, or `?` if the form lacks that.
    ///
    /// ```
    /// use std::io::Write as _;
    /// let mut writer = placemat::io::Writer::lossy(Vec::new(), placemat::Form::Iso8859_1);
    /// writer.write_all("café €".as_bytes())?;
    /// assert_eq!(writer.finish()?, b"caf\xE9 ?");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn lossy(inner: W, to: Form) -> Writer<W> {
        Writer::with_transcoder(inner, Transcoder::new(Form::Utf8, to).on_error(Policy::Lossy))
    }
}

impl<W: Write, H: Handler> Writer<W, H> {
    /// Writes through this transcoder, whatever its forms and policy.
    ///
    /// ```
    /// # use std::io::Write as _;
    /// use placemat::{Form, Transcoder, Policy, Unencodable, io::Writer};
    /// let policy = Policy::Stop.unencodable(Unencodable::Ncr);
    /// let mut writer = Writer::with_transcoder(Vec::new(), Transcoder::new(Form::Utf8, Form::UsAscii).on_error(policy));
    /// writer.write_all("3 €".as_bytes())?;
    /// assert_eq!(writer.finish()?, b"3 &#8364;");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn with_transcoder(inner: W, transcoder: Transcoder<H>) -> Writer<W, H> {
        let buffer = vec![0; BUFFER].into();
        Writer { inner: Some(inner), transcoder, buffer, waiting: 0..0, failed: None, ended: false }
    }

    /// The number of errors so far; see [`Transcoder::errors`].
    ///
    /// ```
    /// # use std::io::Write as _;
    /// # use placemat::{Form, io::Writer};
    /// let mut writer = Writer::lossy(Vec::new(), Form::Iso8859_1);
    /// writer.write_all("3 €".as_bytes())?;
    /// assert_eq!(writer.errors(), 1);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn errors(&self) -> u64 {
        self.transcoder.errors()
    }

    /// The underlying writer. It does not have what is held back.
    ///
    /// ```
    /// # use std::io::Write as _;
    /// # use placemat::{Form, io::Writer};
    /// let mut writer = Writer::strict(Vec::new(), Form::Utf16Be);
    /// writer.write_all(b"a\xC3")?;
    /// assert_eq!(*writer.get_ref(), b"\0a", "the lead byte is held back");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_ref(&self) -> &W {
        self.inner.as_ref().expect(HERE)
    }

    /// The underlying writer. What you write to it directly comes before what is held back.
    ///
    /// ```
    /// # use std::io::Write as _;
    /// # use placemat::{Form, io::Writer};
    /// let mut writer = Writer::strict(Vec::new(), Form::Utf16Be);
    /// writer.get_mut().extend_from_slice(b"header");
    /// writer.write_all(b"a")?;
    /// assert_eq!(writer.finish()?, b"header\0a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn get_mut(&mut self) -> &mut W {
        self.inner.as_mut().expect(HERE)
    }

    /// Returns the underlying writer, without what is held back. For use after a failed [`Writer::try_finish`].
    ///
    /// ```
    /// # use std::io::Write as _;
    /// # use placemat::{Form, io::Writer};
    /// let mut writer = Writer::strict(Vec::new(), Form::Utf8);
    /// writer.write_all(b"a\xC3")?;
    /// assert!(writer.try_finish().is_err());
    /// assert_eq!(writer.into_inner(), b"a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_inner(mut self) -> W {
        self.inner.take().expect(HERE)
    }

    /// Writes what was held back and what the form needs at the end of a text, flushes, and returns the underlying writer.
    ///
    /// ```
    /// # use std::io::Write as _;
    /// # use placemat::{Form, io::Writer};
    /// let mut writer = Writer::strict(Vec::new(), Form::Utf7);
    /// writer.write_all("£1".as_bytes())?;
    /// assert_eq!(writer.finish()?, b"+AKM-1");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Writer::try_finish`]. The underlying writer is dropped then; [`Writer::try_finish`] itself keeps it.
    pub fn finish(mut self) -> io::Result<W> {
        self.try_finish()?;
        Ok(self.into_inner())
    }

    /// Writes what was held back and what the form needs at the end of a text, and flushes. Nothing can be written afterwards.
    /// After an error it can be called again.
    ///
    /// ```
    /// # use std::io::Write as _;
    /// # use placemat::{Form, io::Writer};
    /// let mut writer = Writer::strict(Vec::new(), Form::Utf16Le);
    /// writer.write_all(b"ab")?;
    /// writer.try_finish()?;
    /// assert!(writer.write(b"c").is_err(), "the text is finished");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`], which holds an [`Error`], if the text ends inside a sequence and the policy is to stop.
    /// Also the errors of the underlying writer.
    pub fn try_finish(&mut self) -> io::Result<()> {
        loop {
            self.pass_on()?;
            if self.ended {
                return self.get_mut().flush();
            }
            let step = self.transcoder.finish(&mut self.buffer);
            self.waiting = 0..step.written;
            match step.status {
                Status::Done => self.ended = true,
                Status::Failed(error) => self.failed = Some(error),
                Status::NeedInput | Status::NeedOutput => {}
            }
        }
    }

    /// Write what is waiting to the underlying writer. Then return the error behind it, if there is one.
    fn pass_on(&mut self) -> io::Result<()> {
        self.write_waiting()?;
        self.failed.take().map_or(Ok(()), |error| Err(error.into()))
    }

    fn write_waiting(&mut self) -> io::Result<()> {
        let inner = self.inner.as_mut().expect(HERE);
        while !self.waiting.is_empty() {
            match inner.write(&self.buffer[self.waiting.clone()]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(n) => self.waiting.start += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Why `inner` is always there.
const HERE: &str = "only methods that consume the Writer take the underlying writer";

impl<W: Write, H: Handler> Write for Writer<W, H> {
    /// Takes bytes up to an error at which the policy stops, and returns their number, the error included. The next call reports
    /// the error, whichever it is ([`Write::write`], [`Write::flush`], [`Writer::finish`]). So if a `write` fails, none of
    /// `bytes` was taken, as [`Write`] requires, and a [`std::io::BufWriter`] around this writer writes nothing twice.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pass_on()?;
        if self.ended {
            return Err(io::Error::other("the text is finished"));
        }
        loop {
            let step = self.transcoder.push(bytes, &mut self.buffer);
            self.waiting = 0..step.written;
            let taken = self.write_waiting();
            match step.status {
                // The error is in bytes that were taken earlier.
                Status::Failed(error) if taken.is_ok() && step.read == 0 => return Err(error.into()),
                Status::Failed(error) => self.failed = Some(error),
                // Only stand-ins of an earlier error were written: `Ok(0)` would mean a full disk.
                Status::NeedOutput if step.read == 0 && taken.is_ok() => continue,
                Status::NeedInput | Status::NeedOutput | Status::Done => {}
            }
            // What was read counts as taken. If the underlying writer failed, the next call reports that.
            return if step.read > 0 { Ok(step.read) } else { taken.map(|()| 0) };
        }
    }

    /// Flushes the underlying writer. An unfinished sequence stays held back.
    fn flush(&mut self) -> io::Result<()> {
        loop {
            self.pass_on()?;
            if self.ended {
                break;
            }
            // Write stand-ins for which there was no room.
            let step = self.transcoder.push(&[], &mut self.buffer);
            self.waiting = 0..step.written;
            match step.status {
                Status::Failed(error) => self.failed = Some(error),
                Status::NeedInput if step.written == 0 => break,
                Status::NeedInput | Status::NeedOutput | Status::Done => {}
            }
        }
        self.get_mut().flush()
    }
}

impl<W: Write, H: Handler> Drop for Writer<W, H> {
    fn drop(&mut self) {
        if self.inner.is_some() && !std::thread::panicking() {
            // Only `finish` reports errors. After an error in the text, what the form needs at the end must still be written.
            while self.try_finish().is_err() && self.waiting.is_empty() && !self.ended {}
        }
    }
}

impl<W: Write + fmt::Debug, H: Handler> fmt::Debug for Writer<W, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Writer { inner, transcoder, .. } = self;
        f.debug_struct("Writer").field("inner", inner).field("transcoder", transcoder).finish_non_exhaustive()
    }
}
