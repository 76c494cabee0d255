//! The first half of a conversion: bytes to code points. A reader can also go back to an earlier state.

use std::sync::OnceLock;

use placemat::{Form, Status, Transcoder};

use super::iso_2022_jp::{self, Set};
use super::names::Encoding;
use super::pairs::read_plain;
use super::subset::Subset;
use super::table::{ASK, Found, Table};
use crate::charset::Charset;
use crate::feed::exceeds_unicode;

/// The number of bytes of a code point between reader and writer.
pub(super) const WIDTH: usize = 4;

/// Reads one encoding. It never consumes a part of a sequence.
pub(super) enum Reader {
    Form(Box<FormReader>),
    Table(&'static Table),
    Iso2022Jp(Set),
    /// The byte order is not known yet.
    Unmarked {
        little: Form,
        big: Form,
    },
}

/// The state that a reader needs to go back.
#[derive(Clone, Copy)]
pub(super) struct Memory(u32);

/// The result of a read.
pub(super) struct Batch {
    /// The number of bytes that the code points take in the source.
    pub(super) read: usize,
    /// The number of code points.
    pub(super) len: usize,
    /// Whether the code points are one sequence, and must be written together.
    pub(super) is_one: bool,
    pub(super) stop: Stop,
}

/// Why a read ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// The room for code points is full.
    More,
    End,
    /// The next bytes are an incomplete sequence.
    Incomplete,
    /// The next bytes are malformed; this many of them are the error.
    Malformed(usize),
}

impl Reader {
    pub(super) fn new(encoding: Encoding) -> Reader {
        match encoding {
            Encoding::Form(form) => Reader::Form(Box::new(FormReader::new(form))),
            Encoding::Marked { little, big } => Reader::Unmarked { little, big },
            Encoding::Table(charset, subset) => Reader::Table(Table::of(charset, subset)),
            Encoding::Iso2022Jp => Reader::Iso2022Jp(Set::Ascii),
        }
    }

    /// Returns to the start of a text in `encoding`, which must be the reader's.
    pub(super) fn reset(&mut self, encoding: Encoding) {
        match (&mut *self, encoding) {
            (Reader::Form(_), Encoding::Marked { .. }) => *self = Reader::new(encoding),
            (Reader::Form(form), _) => form.transcoder = form.fresh.clone(),
            (Reader::Iso2022Jp(set), _) => *set = Set::Ascii,
            (Reader::Table(_) | Reader::Unmarked { .. }, _) => {}
        }
    }

    pub(super) fn memory(&self) -> Memory {
        Memory(match self {
            Reader::Form(form) => form.transcoder.state_bits(),
            Reader::Iso2022Jp(set) => *set as u32,
            Reader::Table(_) | Reader::Unmarked { .. } => 0,
        })
    }

    pub(super) fn restore(&mut self, Memory(memory): Memory) {
        match self {
            Reader::Form(form) => form.restore(memory),
            Reader::Iso2022Jp(set) => *set = Set::of(memory),
            Reader::Table(_) | Reader::Unmarked { .. } => {}
        }
    }

    /// Decides the byte order by the start of a text. Returns the number of bytes of the byte order mark; `None` if `src` is too short.
    pub(super) fn resolve(&mut self, src: &[u8]) -> Option<usize> {
        let &mut Reader::Unmarked { little, big } = self else { return Some(0) };
        let unit = usize::from(little.facts().width.0);
        let first = src.get(..unit)?;
        let is_mark = |form: Form| *first == mark(form)[..unit];
        let native = if cfg!(target_endian = "little") { little } else { big };
        let (form, len) = match (is_mark(little), is_mark(big)) {
            (true, _) => (little, unit),
            (_, true) => (big, unit),
            _ => (native, 0),
        };
        *self = Reader::Form(Box::new(FormReader::new(form)));
        Some(len)
    }

    /// Reads into `pivot`, which holds [`WIDTH`] bytes per code point and must have room for at least two. After an error, the
    /// reader is past the error; after any other stop, at [`Batch::read`].
    pub(super) fn read(&mut self, src: &[u8], pivot: &mut [u8]) -> Batch {
        match self {
            Reader::Form(form) => form.read(src, pivot),
            Reader::Table(table) => read_table(table, src, pivot),
            Reader::Iso2022Jp(set) => iso_2022_jp::read(set, src, pivot),
            Reader::Unmarked { .. } => Batch { read: 0, len: 0, is_one: false, stop: Stop::Incomplete },
        }
    }

    /// Reads again what was read before, until `pivot` is full.
    pub(super) fn read_again(&mut self, src: &[u8], pivot: &mut [u8]) -> usize {
        match self {
            Reader::Form(form) => form.read_all(src, pivot).read,
            _ => self.read(src, pivot).read,
        }
    }
}

/// The byte order mark of a form with code units of two or four bytes, with zeros after it.
pub(super) fn mark(form: Form) -> [u8; 4] {
    match form {
        Form::Utf16Be | Form::Ucs2Be => [0xFE, 0xFF, 0, 0],
        Form::Utf32Be => [0, 0, 0xFE, 0xFF],
        _ => [0xFF, 0xFE, 0, 0],
    }
}

/// The form between reader and writer; it can hold all that `from` yields. To iconv, a surrogate in UCS-2 is not a character.
pub(super) fn pivot(from: Form) -> Form {
    let is_ucs2 = matches!(from, Form::Ucs2Le | Form::Ucs2Be);
    if exceeds_unicode(from) && !is_ucs2 { Form::Ucs4Le } else { Form::Utf32Le }
}

/// The least number of code points for which limiting the input is worthwhile.
const MANY: usize = 128;

/// Reads a form.
pub(super) struct FormReader {
    form: Form,
    transcoder: Transcoder,
    fresh: Transcoder,
}

impl FormReader {
    fn new(form: Form) -> FormReader {
        let new = Transcoder::new(form, pivot(form));
        let fresh = new.clone().with_state_bits(new.state_bits()).unwrap_or(new);
        FormReader { form, transcoder: fresh.clone(), fresh }
    }

    fn restore(&mut self, memory: u32) {
        self.transcoder = self.fresh.clone().with_state_bits(memory).unwrap_or_else(|| self.fresh.clone());
    }

    /// The kernels are fast while there is room, so they get no more input than fits.
    fn read(&mut self, src: &[u8], pivot: &mut [u8]) -> Batch {
        let fitting = self.fitting(src, pivot.len() / WIDTH);
        if fitting == src.len() {
            return self.read_all(src, pivot);
        }
        let before = self.transcoder.state_bits();
        match self.read_all(&src[..fitting], pivot) {
            Batch { stop: Stop::End, read, len, .. } => Batch { read, len, is_one: false, stop: Stop::More },
            // The input was cut inside a sequence: the next byte says what it is.
            Batch { stop: Stop::Incomplete, .. } => {
                self.restore(before);
                self.read_all(src, pivot)
            }
            batch => batch,
        }
    }

    /// Returns how much of `src` is sure to fit with some room left, up to the end of a sequence.
    fn fitting(&self, src: &[u8], len: usize) -> usize {
        let least = match self.form {
            Form::Utf8 => 1,
            Form::Utf16Le | Form::Utf16Be => 2,
            _ => return src.len(),
        };
        let cut = least * (len - len / 8);
        if len < MANY || cut >= src.len() {
            return src.len();
        }
        let is_start = |&at: &usize| match self.form {
            Form::Utf8 => src[at] & 0xC0 != 0x80,
            Form::Utf16Le => src[at + 1] & 0xFC != 0xDC,
            _ => src[at] & 0xFC != 0xDC,
        };
        (cut - 4 + least..=cut - least).rev().step_by(least).find(is_start).unwrap_or(src.len())
    }

    fn read_all(&mut self, src: &[u8], pivot: &mut [u8]) -> Batch {
        let start = self.transcoder.offset();
        let step = self.transcoder.push(src, pivot);
        let mut read = (self.transcoder.offset() - start) as usize;
        let stop = match step.status {
            Status::NeedOutput => Stop::More,
            Status::NeedInput | Status::Done if read == src.len() => Stop::End,
            Status::NeedInput | Status::Done => {
                self.restore(self.transcoder.state_bits());
                Stop::Incomplete
            }
            Status::Failed(error) => {
                read = (error.offset() - start) as usize;
                Stop::Malformed(usize::from(error.length()).max(1))
            }
        };
        Batch { read, len: step.written / WIDTH, is_one: false, stop }
    }
}

fn read_table(table: &Table, src: &[u8], pivot: &mut [u8]) -> Batch {
    let (places, _) = pivot.as_chunks_mut::<WIDTH>();
    if table.is_single() {
        return read_single(table.singles(), src, places);
    }
    let (mut read, mut len) = (0, 0);
    let stop = loop {
        let (bytes, count) = read_plain(table, &src[read..], &mut places[len..]);
        (read, len) = (read + bytes, len + count);
        if read == src.len() {
            break Stop::End;
        }
        let Some(place) = places.get_mut(len) else { break Stop::More };
        let (c, bytes) = match table.read(&src[read..]) {
            Found::Characters { first, second: None, len } => (u32::from(first), len),
            // Two code points are returned as a batch of their own, so that both are written or none.
            Found::Characters { second: Some(_), .. } if len > 0 => break Stop::More,
            Found::Characters { first, second: Some(second), len } => {
                places[..2].copy_from_slice(&[first, second].map(|c| u32::from(c).to_le_bytes()));
                return Batch { read: len, len: 2, is_one: true, stop: Stop::More };
            }
            Found::Incomplete => break Stop::Incomplete,
            Found::Malformed { len } => break Stop::Malformed(len),
        };
        *place = c.to_le_bytes();
        len += 1;
        read += bytes;
    };
    Batch { read, len, is_one: false, stop }
}

fn read_single(singles: &[u32; 256], src: &[u8], places: &mut [[u8; WIDTH]]) -> Batch {
    let len = src.len().min(places.len());
    let mut seen = 0;
    for (place, &byte) in places.iter_mut().zip(&src[..len]) {
        let c = singles[usize::from(byte)];
        seen |= c;
        *place = c.to_le_bytes();
    }
    let stop = if len == src.len() { Stop::End } else { Stop::More };
    let is_malformed = |&byte: &u8| singles[usize::from(byte)] == ASK;
    match if seen & ASK == 0 { None } else { src[..len].iter().position(is_malformed) } {
        Some(at) => Batch { read: at, len: at, is_one: false, stop: Stop::Malformed(1) },
        None => Batch { read: len, len, is_one: false, stop },
    }
}

/// The tables of JIS X 0208, the set that ISO-2022-JP escapes to.
pub(super) fn jis() -> Option<&'static Table> {
    static JIS: OnceLock<Option<&Table>> = OnceLock::new();
    *JIS.get_or_init(|| {
        let euc = Charset::resolve(placemat::label::Labels::Lenient, "euc-jp").ok()?;
        Some(Table::of(euc, Subset::EucJp))
    })
}
