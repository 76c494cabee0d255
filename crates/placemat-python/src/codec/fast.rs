//! The fast path for whole well-formed texts in the most common forms: directly between bytes and the units of a str.
//!
//! Each function returns what the general path (`decode`, `encode`) would return, or `None`.
#![forbid(unsafe_code)]

use placemat::{Form, Status, utf16, utf32};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::scratch::{with_room16, with_room32, with_text};
use super::units::{self, Inside};
use super::wide::{has_surrogate, joined, of_utf16, of_utf32, to_utf8, to_utf16, to_utf32};
use super::{inside, utf7};
use crate::buffer::detached;

/// The way in which a form is decoded and encoded here.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// UTF-8, and forms that are the same for texts without surrogates.
    Utf8,
    /// Forms that equal UTF-8 for texts without supplementary characters, and if `true` without U+0000.
    Basic(bool),
    /// UTF-16 and UTF-32, with the high byte first if `true`.
    Utf16(bool),
    Utf32(bool),
    Latin1,
    Ascii,
    Windows1252,
    Utf7,
    /// UTF-8, UTF-16 and UTF-32 with a byte order mark.
    Marked(Form),
}

impl Way {
    pub(super) fn of(form: Form) -> Option<Way> {
        Some(match form {
            Form::Utf8 | Form::Utf8Surrogates | Form::Wtf8 => Way::Utf8,
            Form::Cesu8 => Way::Basic(false),
            Form::Mutf8 => Way::Basic(true),
            Form::Utf16Be | Form::Utf16Le => Way::Utf16(form == Form::Utf16Be),
            Form::Utf32Be | Form::Utf32Le => Way::Utf32(form == Form::Utf32Be),
            Form::Iso8859_1 => Way::Latin1,
            Form::UsAscii => Way::Ascii,
            Form::Windows1252 => Way::Windows1252,
            Form::Utf7 => Way::Utf7,
            Form::Utf8Bom | Form::Utf16 | Form::Utf32 => Way::Marked(form),
            _ => return None,
        })
    }

    /// The text, if it is well-formed.
    pub(super) fn decode<'py>(self, py: Python<'py>, bytes: &[u8]) -> Option<Bound<'py, PyString>> {
        match self {
            Way::Utf8 => of_utf8(py, bytes),
            Way::Basic(without_nul) => is_basic(bytes, without_nul).then(|| of_utf8(py, bytes))?,
            Way::Utf16(is_big) => of_utf16(py, bytes, is_big),
            Way::Utf32(is_big) => of_utf32(py, bytes, is_big),
            Way::Latin1 => units::of_latin1(py, bytes).ok(),
            Way::Ascii => bytes[..bytes.len().min(SHORT)].is_ascii().then(|| units::of_ascii(py, bytes))?,
            Way::Windows1252 => of_windows_1252(py, bytes),
            Way::Utf7 => of_utf7(py, bytes),
            Way::Marked(form) => {
                let (way, text) = behind_mark(form, bytes);
                way.decode(py, text)
            }
        }
    }

    /// The bytes behind `mark`, which may be empty, if the form can encode the text. Only UTF-8, UTF-16 and UTF-32 have a byte
    /// order mark, and not before every text.
    pub(super) fn encode_behind<'py>(
        self,
        mark: &[u8],
        text: &Bound<'py, PyString>,
        length: usize,
    ) -> Option<Bound<'py, PyBytes>> {
        match self {
            Way::Utf8 if mark.is_empty() => to_utf8(text, length),
            Way::Utf8 => Self::behind_utf8_mark(text.py(), mark, to_utf8(text, length)?.as_bytes()),
            Way::Basic(without_nul) => {
                to_utf8(text, length).filter(|bytes| is_basic(bytes.as_bytes(), without_nul))
            }
            Way::Utf16(is_big) => to_utf16(mark, text, length, is_big),
            Way::Utf32(is_big) => to_utf32(mark, text, length, is_big),
            Way::Latin1 => units::latin1(text),
            Way::Ascii => units::ascii(text),
            Way::Windows1252 => own_bytes(text, length).or_else(|| with_units(text, length, to_windows_1252)),
            Way::Utf7 => with_units(text, length, |py, units| Some(PyBytes::new(py, &utf7::encode(units)?))),
            Way::Marked(_) => None,
        }
    }

    /// UTF-8 behind its byte order mark; `None` if the text is empty or begins like a mark.
    pub(super) fn behind_utf8_mark<'py>(
        py: Python<'py>,
        mark: &[u8],
        utf8: &[u8],
    ) -> Option<Bound<'py, PyBytes>> {
        let is_special =
            utf8.is_empty() || [b"\xEF\xBB\xBF", b"\xEF\xBF\xBE"].iter().any(|it| utf8.starts_with(*it));
        (!is_special).then(|| units::bytes(py, mark, utf8, |byte| [byte]))?
    }

    /// The bytes, if the form can encode the text. `mark` is the byte order mark that the form writes before "a".
    pub(super) fn encode<'py>(
        self,
        mark: &[u8],
        text: &Bound<'py, PyString>,
        length: usize,
    ) -> Option<Bound<'py, PyBytes>> {
        let Way::Marked(form) = self else { return self.encode_behind(&[], text, length) };
        let (way, _) = behind_mark(form, mark);
        way.encode_behind(mark, text, length)
    }
}

/// How to decode bytes that may begin with a byte order mark, and the bytes behind it. Without one, UTF-16 and UTF-32 are
/// big-endian.
pub(super) fn behind_mark(form: Form, bytes: &[u8]) -> (Way, &[u8]) {
    let behind = |mark: &[u8]| bytes.strip_prefix(mark);
    match form {
        Form::Utf8Bom => (Way::Utf8, behind(b"\xEF\xBB\xBF").unwrap_or(bytes)),
        Form::Utf16 => match behind(b"\xFF\xFE") {
            Some(rest) => (Way::Utf16(false), rest),
            None => (Way::Utf16(true), behind(b"\xFE\xFF").unwrap_or(bytes)),
        },
        _ => match behind(b"\xFF\xFE\0\0") {
            Some(rest) => (Way::Utf32(false), rest),
            None => (Way::Utf32(true), behind(b"\0\0\xFE\xFF").unwrap_or(bytes)),
        },
    }
}

/// With fewer bytes, Python's own decoder is faster than a scan of all bytes first.
pub(super) const SHORT: usize = 1024;

fn of_utf8<'py>(py: Python<'py>, bytes: &[u8]) -> Option<Bound<'py, PyString>> {
    // Where the sampled bytes are ASCII, Python's decoder is fast enough for the few others between them.
    let sample = bytes.chunks(SHORT).map(|part| &part[..part.len().min(64)]);
    let is_plain = bytes.len() < SHORT || sample.map(highest).all(|most| most < 0x80);
    let most = if is_plain { 0 } else { highest(bytes) };
    match most {
        // Python copies ASCII as fast as possible.
        0..0x80 => units::of_utf8(py, bytes),
        0x80..0xF0 => with_room16(bytes.len(), |room| {
            let step = detached(py, bytes.len(), || utf16::from_utf8(bytes, room));
            (step.status == Status::Done).then(|| units::of_units16(py, &room[..step.written]).ok())?
        }),
        _ => with_room32(bytes.len(), |room| {
            let step = detached(py, bytes.len(), || utf32::from_utf8(bytes, room));
            (step.status == Status::Done).then(|| units::of_units32(py, &room[..step.written]).ok())?
        }),
    }
}

fn of_utf7<'py>(py: Python<'py>, bytes: &[u8]) -> Option<Bound<'py, PyString>> {
    with_room16(bytes.len(), |room| {
        let count = detached(py, bytes.len(), || utf7::decode(bytes, room))?;
        let units = &room[..count];
        let has_pairs = has_surrogate(units.iter().copied());
        if has_pairs { joined(py, units) } else { units::of_units16(py, units).ok() }
    })
}

fn of_windows_1252<'py>(py: Python<'py>, bytes: &[u8]) -> Option<Bound<'py, PyString>> {
    if !has_c1(bytes) {
        return units::of_latin1(py, bytes).ok();
    }
    with_room16(bytes.len(), |room| {
        let units = &mut room[..bytes.len()];
        for (unit, &byte) in units.iter_mut().zip(bytes) {
            *unit = u16::from(byte);
            if let Some(other) = byte.checked_sub(0x80).and_then(|at| C1.get(usize::from(at))) {
                *unit = *other;
            }
        }
        units::of_units16(py, units).ok()
    })
}

fn has_c1(bytes: &[u8]) -> bool {
    bytes.iter().fold(false, |found, byte| found | (0x80..0xA0).contains(byte))
}

/// The windows-1252 of a text whose characters all have their own number as the byte; `None` if not, or if the str cannot be read in
/// place.
pub(super) fn own_bytes<'py>(text: &Bound<'py, PyString>, length: usize) -> Option<Bound<'py, PyBytes>> {
    match inside::of(text, length)? {
        Inside::Latin1(bytes) if has_c1(bytes) => None,
        Inside::Ascii(bytes) | Inside::Latin1(bytes) => Some(PyBytes::new(text.py(), bytes)),
        Inside::Units16(_) => None,
    }
}

fn to_windows_1252<'py>(py: Python<'py>, units: &[u32]) -> Option<Bound<'py, PyBytes>> {
    // In a text that windows-1252 cannot encode, most often the first character beyond U+00FF shows it.
    in_windows_1252(*units.iter().find(|unit| **unit >= 0x100).unwrap_or(&0))?;
    let mut is_carried = true;
    let bytes = PyBytes::new_with(py, units.len(), |bytes| {
        for (to, &unit) in bytes.iter_mut().zip(units) {
            let byte = in_windows_1252(unit);
            is_carried &= byte.is_some();
            *to = byte.unwrap_or(0);
        }
        Ok(())
    });
    bytes.ok().filter(|_| is_carried)
}

/// The byte of a character in windows-1252.
pub(super) fn in_windows_1252(unit: u32) -> Option<u8> {
    match unit {
        0..0x80 | 0xA0..=0xFF => Some(unit as u8),
        // The ranges of all other characters with a byte, so that the slow search in the table is rare.
        0x80..0xA0 | 0x152..0x193 | 0x2C6..0x2DD | 0x2013..0x203B | 0x20AC | 0x2122 => {
            C1.iter().position(|&c| u32::from(c) == unit).map(|at| 0x80 + at as u8)
        }
        _ => None,
    }
}

/// The characters of the bytes 80 to 9F in windows-1252, as the Encoding Standard defines them.
const C1: [u16; 32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161,
    0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
];

pub(super) fn highest(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |most, &byte| most.max(byte))
}

/// Whether the UTF-8 has no supplementary character, and if `without_nul` no NUL.
fn is_basic(bytes: &[u8], without_nul: bool) -> bool {
    let (least, most) =
        bytes.iter().fold((u8::MAX, 0), |(least, most), &byte| (least.min(byte), most.max(byte)));
    most < 0xF0 && (least > 0 || !without_nul)
}

/// Calls `work` with the code points of a str.
pub(super) fn with_units<'py, T>(
    text: &Bound<'py, PyString>,
    length: usize,
    work: impl FnOnce(Python<'py>, &[u32]) -> Option<T>,
) -> Option<T> {
    with_text(length, |room| work(text.py(), units::read(text, length, room).ok()?))
}

/// Like [`with_units`], if `mark` is the right one for the text; an empty `mark` always is. An empty text has no mark, and a text that
/// begins like a mark may have another one.
pub(super) fn with_units_behind<'py, T>(
    mark: &[u8],
    text: &Bound<'py, PyString>,
    length: usize,
    work: impl FnOnce(Python<'py>, &[u32]) -> Option<T>,
) -> Option<T> {
    with_units(text, length, |py, units| {
        let is_special = units.first().is_none_or(|first| matches!(first, 0xFEFF | 0xFFFE));
        (mark.is_empty() || !is_special).then(|| work(py, units))?
    })
}
