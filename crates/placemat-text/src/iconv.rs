//! `iconv()` as POSIX describes it: a descriptor, and calls that convert as much as the input and the room allow.
//!
//! A [`Descriptor`] is safe code; `libplacemat_iconv.so` wraps it in the C functions.
//!
//! ```
//! use placemat_text::iconv::{Descriptor, Habit, Status};
//!
//! let mut descriptor = Descriptor::open("ASCII//TRANSLIT", "UTF-8", "UTF-8", Habit::Posix)?;
//! let mut out = [0; 16];
//! let done = descriptor.convert("déjà vu".as_bytes(), &mut out);
//! assert_eq!(&out[..done.written], b"deja vu");
//! assert_eq!((done.status, done.irreversible), (Status::Done, 2));
//! # Ok::<(), placemat_text::Error>(())
//! ```

mod direct;
mod iso_2022_jp;
mod names;
mod pairs;
mod reader;
mod round;
mod short;
mod subset;
mod table;
#[cfg(test)]
mod tests;
mod writer;

use placemat::Form;

use self::direct::Direct;
use self::names::Encoding;
pub use self::names::{Suffixes, names};
use self::reader::{Reader, WIDTH};
use self::short::Short;
use self::writer::Writer;
use crate::Error;

/// Whose rules apply where POSIX and glibc differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Habit {
    /// POSIX.1-2024: a character that the target lacks is replaced by `?` and counted.
    #[default]
    Posix,
    /// glibc: the conversion stops at such a character with [`Status::Malformed`]; with `//IGNORE`, the call returns that at its end.
    Glibc,
}

/// A conversion between two encodings, with its state.
pub struct Descriptor {
    from: Encoding,
    to: Encoding,
    habit: Habit,
    suffixes: Suffixes,
    reader: Reader,
    writer: Writer,
    direct: Option<Direct>,
    short: Option<Short>,
    /// The number of code points to read next: few where the target lacks many, since the code points after a lacking one are read again.
    stride: usize,
    /// Code points between reader and writer.
    pivot: Box<[u8; WIDTH * BATCH]>,
}

/// The number of code points that are read at once.
const BATCH: usize = 1024;
/// The number of code points that are read after one that the target lacks.
const FEW: usize = 8;
/// The least number of bytes for which [`Direct`] is used.
const WORTHWHILE: usize = 4;

/// The result of a call.
#[must_use = "a call says how much was read and written, and why it came no further"]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes of the source that are converted and written, and need not be passed again.
    pub read: usize,
    /// Bytes written.
    pub written: usize,
    /// Characters that were not converted as they are: transliterated, replaced or left out.
    pub irreversible: usize,
    /// Why the call ended.
    pub status: Status,
}

/// Why a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The whole source is converted.
    Done,
    /// The next character does not fit into the destination: `E2BIG`.
    Full,
    /// The next bytes are no sequence of the source's encoding: `EILSEQ`.
    Malformed,
    /// The source ends inside a sequence: `EINVAL`.
    Incomplete,
}

impl Descriptor {
    /// Opens a conversion from `from` to `to`. Both names may have [`Suffixes`]. An empty name means `locale`, the codeset of the locale.
    ///
    /// # Errors
    /// A sentence, if a name is unknown.
    ///
    /// ```
    /// use placemat_text::iconv::{Descriptor, Habit};
    ///
    /// assert!(Descriptor::open("utf-16//IGNORE", "", "KOI8-R", Habit::Posix).is_ok());
    /// assert!(Descriptor::open("utf-17", "", "KOI8-R", Habit::Posix).is_err());
    /// ```
    pub fn open(to: &str, from: &str, locale: &str, habit: Habit) -> Result<Descriptor, Error> {
        let (to, suffixes) = Suffixes::parse(to, habit)?;
        let (from, _) = Suffixes::parse(from, habit)?;
        let (from, to) = (Encoding::named(from, locale)?, Encoding::named(to, locale)?);
        let pivot = from.form().map_or(Form::Utf32Le, reader::pivot);
        Ok(Descriptor {
            from,
            to,
            habit,
            suffixes,
            reader: Reader::new(from),
            writer: Writer::new(to, pivot),
            direct: Direct::between(from, to),
            short: Short::between(from, to),
            stride: BATCH,
            pivot: Box::new([0; WIDTH * BATCH]),
        })
    }

    /// The suffixes, which say what to do with characters that cannot be converted.
    ///
    /// ```
    /// use placemat_text::iconv::{Descriptor, Habit};
    ///
    /// let mut descriptor = Descriptor::open("ASCII", "UTF-8", "", Habit::Posix)?;
    /// descriptor.suffixes().transliterates = true;
    /// assert_eq!(descriptor.convert("é".as_bytes(), &mut [0; 4]).written, 1);
    /// # Ok::<(), placemat_text::Error>(())
    /// ```
    pub fn suffixes(&mut self) -> &mut Suffixes {
        &mut self.suffixes
    }

    /// Whether both sides are the same form, so that every sequence is written as it is read.
    ///
    /// ```
    /// use placemat_text::iconv::{Descriptor, Habit};
    ///
    /// assert!(Descriptor::open("UTF8", "UTF-8", "", Habit::Posix)?.is_trivial());
    /// # Ok::<(), placemat_text::Error>(())
    /// ```
    pub fn is_trivial(&self) -> bool {
        matches!((self.from, self.to), (Encoding::Form(from), Encoding::Form(to)) if from == to)
    }

    /// Converts what fits. The time is linear in the bytes read and written.
    ///
    /// A sequence counts as read only when all of its output is written. In UTF-7 the last bits of a character may wait for the
    /// next character, or for [`Descriptor::reset`].
    ///
    /// ```
    /// use placemat_text::iconv::{Descriptor, Habit, Status};
    ///
    /// let mut descriptor = Descriptor::open("UTF-16LE", "Shift_JIS", "", Habit::Posix)?;
    /// let mut out = [0; 3];
    /// let done = descriptor.convert(b"\x93\xFA\x96\x7B", &mut out);
    /// assert_eq!((done.read, done.written, done.status), (2, 2, Status::Full));
    /// let done = descriptor.convert(b"\x96", &mut out);
    /// assert_eq!((done.read, done.written, done.status), (0, 0, Status::Incomplete));
    /// # Ok::<(), placemat_text::Error>(())
    /// ```
    #[inline]
    pub fn convert(&mut self, src: &[u8], dst: &mut [u8]) -> Progress {
        // If a byte order mark must be written or read, that comes first.
        let (read, written) = match &self.short {
            Some(short) if short.is_for(src.len()) && self.writer.has_begun() => short.run(src, dst),
            _ => (0, 0),
        };
        let at = Progress { read, written, irreversible: 0, status: Status::Done };
        if read == src.len() { at } else { self.go_on(src, dst, at) }
    }

    /// Converts the rest of the source.
    #[inline(never)]
    fn go_on(&mut self, src: &[u8], dst: &mut [u8], mut at: Progress) -> Progress {
        let Some(written) = self.writer.begin(dst) else { return Progress { status: Status::Full, ..at } };
        at.written += written;
        let Some(read) = self.reader.resolve(src) else {
            return Progress { status: Status::Incomplete, ..at };
        };
        at.read += read;
        let mut has_discarded = false;
        at.status = loop {
            self.hurry(src, dst, &mut at);
            if at.read == src.len() {
                break Status::Done;
            }
            if let Some(status) = self.round(src, dst, &mut at, &mut has_discarded) {
                break status;
            }
        };
        // glibc reports malformed input when all is read, and characters that the target lacks also before an incomplete sequence.
        let complains = match at.status {
            Status::Done => has_discarded,
            Status::Incomplete => at.irreversible > 0,
            Status::Full | Status::Malformed => false,
        };
        if complains && self.habit == Habit::Glibc && !self.suffixes.transliterates {
            at.status = Status::Malformed;
        }
        at
    }

    /// Converts from `at` on, as far as the fast ways lead.
    fn hurry(&mut self, src: &[u8], dst: &mut [u8], at: &mut Progress) {
        let left = src.len() - at.read;
        match (&mut self.direct, &self.short) {
            (_, Some(short)) if short.is_for(left) => {
                let (read, written) = short.run(&src[at.read..], &mut dst[at.written..]);
                at.read += read;
                at.written += written;
            }
            (Some(direct), _) if left >= WORTHWHILE => direct.run(src, dst, at),
            _ => {}
        }
    }

    /// Returns to the initial state. With a destination, first writes the bytes that lead there; if they do not fit
    /// ([`Status::Full`]), nothing changes.
    ///
    /// ```
    /// use placemat_text::iconv::{Descriptor, Habit, Status};
    ///
    /// let mut descriptor = Descriptor::open("ISO-2022-JP", "UTF-8", "", Habit::Posix)?;
    /// let mut out = [0; 8];
    /// assert_eq!(descriptor.convert("日".as_bytes(), &mut out).written, 5);
    /// assert_eq!(descriptor.reset(Some(&mut out[..2])).status, Status::Full);
    /// assert_eq!(descriptor.reset(Some(&mut out)).written, 3);
    /// assert_eq!(&out[..3], b"\x1B(B");
    /// # Ok::<(), placemat_text::Error>(())
    /// ```
    pub fn reset(&mut self, dst: Option<&mut [u8]>) -> Progress {
        let mut at = Progress { read: 0, written: 0, irreversible: 0, status: Status::Done };
        if let Some(dst) = dst {
            match self.writer.end(dst) {
                Some(written) => at.written = written,
                None => return Progress { status: Status::Full, ..at },
            }
        }
        self.reader.reset(self.from);
        self.writer.reset();
        at
    }
}
