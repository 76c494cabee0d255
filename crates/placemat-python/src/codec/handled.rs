//! Malformed or unencodable text with one of Python's own error handlers, without a call of the handler for each error, which would
//! take most of the time.
#![forbid(unsafe_code)]

use std::ffi::CStr;
use std::io::Write as _;

use placemat::{Form, Status, utf16, utf32};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::fast::{SHORT, Way, behind_mark, highest, with_units};
use super::scratch::{with_room16, with_room32};
use super::{units, wide};
use crate::buffer::detached;

/// The name of a handler that is built into CPython's own functions; `None` for any other.
fn handler(errors: &str) -> Option<&'static CStr> {
    const NAMES: [&CStr; 6] = [
        c"replace",
        c"ignore",
        c"surrogateescape",
        c"backslashreplace",
        c"xmlcharrefreplace",
        c"surrogatepass",
    ];
    NAMES.into_iter().find(|name| name.to_bytes() == errors.as_bytes())
}

/// Decodes short UTF-8, or ASCII, with one of Python's own handlers; `None` for any other handler or text. CPython decodes these faster
/// than we could find out whether there is an error.
pub(super) fn decode_at_once<'py>(
    form: Form,
    py: Python<'py>,
    bytes: &[u8],
    errors: &str,
) -> Option<Bound<'py, PyString>> {
    let is_near = match form {
        Form::UsAscii => errors != "surrogatepass",
        Form::Utf8 | Form::Utf8Bom => bytes.len() < SHORT,
        _ => false,
    };
    let errors = handler(errors).filter(|_| is_near)?;
    let bytes = if form == Form::Utf8Bom { behind_mark(form, bytes).1 } else { bytes };
    units::of_bytes_with(py, bytes, form == Form::UsAscii, errors)
}

/// Decodes malformed UTF-8, UTF-16 or UTF-32 with one of Python's own handlers; `None` for any other handler or form, and where the
/// handler would raise.
pub(super) fn decode<'py>(
    (form, way): (Form, Way),
    py: Python<'py>,
    bytes: &[u8],
    errors: &str,
) -> Option<Bound<'py, PyString>> {
    let errors = handler(errors)?;
    let (way, bytes) = match (form, way) {
        (_, Way::Marked(form)) => behind_mark(form, bytes),
        (Form::Utf8, _) | (_, Way::Utf16(_) | Way::Utf32(_)) => (way, bytes),
        _ => return None,
    };
    match way {
        Way::Utf8 if errors == c"replace" => replaced(py, bytes),
        Way::Utf8 => units::of_bytes_with(py, bytes, false, errors),
        // For a long text our general path is faster than CPython.
        _ if errors == c"replace" && bytes.len() >= SHORT => None,
        // CPython counts an incomplete last unit in another way, so only whole units are decoded here.
        Way::Utf16(is_big) if bytes.len().is_multiple_of(2) => {
            units::of_wide_with(py, bytes, (false, is_big), errors)
        }
        Way::Utf32(is_big) if bytes.len().is_multiple_of(4) => {
            units::of_wide_with(py, bytes, (true, is_big), errors)
        }
        _ => None,
    }
}

/// Decodes UTF-8, with U+FFFD for malformed bytes.
fn replaced<'py>(py: Python<'py>, bytes: &[u8]) -> Option<Bound<'py, PyString>> {
    if highest(bytes) < 0xF0 {
        return with_room16(bytes.len(), |room| {
            let step = detached(py, bytes.len(), || utf16::from_utf8_lossy(bytes, room));
            (step.status == Status::Done).then(|| units::of_units16(py, &room[..step.written]).ok())?
        });
    }
    with_room32(bytes.len(), |room| {
        let step = detached(py, bytes.len(), || utf32::from_utf8_lossy(bytes, room));
        (step.status == Status::Done).then(|| units::of_units32(py, &room[..step.written]).ok())?
    })
}

/// Encodes a text as ASCII, ISO 8859-1 or UTF-8 by CPython, whose encoders have the handlers built in; `None` for any other form or
/// handler, and where the handler would raise. `mark` is the byte order mark that the form writes before "a".
pub(super) fn encode_at_once<'py>(
    (form, mark): (Form, &[u8]),
    text: &Bound<'py, PyString>,
    errors: &str,
) -> Option<Bound<'py, PyBytes>> {
    let errors = handler(errors)?;
    match form {
        Form::UsAscii if errors != c"surrogatepass" => units::encoded_with(text, c"ascii", errors),
        Form::Iso8859_1 if errors != c"surrogatepass" => units::encoded_with(text, c"latin-1", errors),
        Form::Utf8 => units::encoded_with(text, c"utf-8", errors),
        Form::Utf8Bom => {
            Way::behind_utf8_mark(text.py(), mark, units::encoded_with(text, c"utf-8", errors)?.as_bytes())
        }
        _ => None,
    }
}

/// Encodes a text with surrogates as UTF-16, UTF-32 or UTF-7, with one of Python's own handlers that replace surrogates or let them
/// pass; `None` for any other form or handler. `mark` is the byte order mark that the form writes before "a".
pub(super) fn encode<'py>(
    (way, mark): (Way, &[u8]),
    text: &Bound<'py, PyString>,
    length: usize,
    errors: &str,
) -> Option<Bound<'py, PyBytes>> {
    let (way, mark) = match way {
        Way::Utf16(_) | Way::Utf32(_) | Way::Utf7 => (way, &[][..]),
        Way::Marked(form @ (Form::Utf16 | Form::Utf32)) => (behind_mark(form, mark).0, mark),
        _ => return None,
    };
    if errors == "surrogatepass" {
        return wide::passing(way, mark, text, length);
    }
    let stand_in: fn(u32, &mut Vec<u8>) = match errors {
        "replace" => |_, out| out.push(b'?'),
        "ignore" => |_, _| {},
        // Writing to a vector does not fail.
        "backslashreplace" => |unit, out| drop(write!(out, "\\u{unit:04x}")),
        "xmlcharrefreplace" => |unit, out| drop(write!(out, "&#{unit};")),
        _ => return None,
    };
    let other = with_units(text, length, |py, units| {
        let (mut out, mut ascii) = (Vec::with_capacity(units.len()), Vec::new());
        for some in units.chunks(TOGETHER) {
            if !some.iter().fold(false, |found, &unit| found | is_surrogate(unit)) {
                out.extend_from_slice(some);
                continue;
            }
            for &unit in some {
                if !is_surrogate(unit) {
                    out.push(unit);
                    continue;
                }
                ascii.clear();
                stand_in(unit, &mut ascii);
                out.extend(ascii.iter().map(|&byte| u32::from(byte)));
            }
        }
        units::of_units32(py, &out).ok()
    })?;
    way.encode_behind(mark, &other, units::count(&other).ok()?)
}

/// The number of units that are tested for surrogates together.
const TOGETHER: usize = 32;

fn is_surrogate(unit: u32) -> bool {
    unit & 0xFFFF_F800 == 0xD800
}
