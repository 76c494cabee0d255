//! Text with characters that a form of single bytes lacks, by one of Python's own handlers.
#![forbid(unsafe_code)]

use std::io::Write as _;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::fast::{Way, in_windows_1252, with_units};
use super::units;

/// The ASCII or ISO 8859-1 of a text by CPython, which has the handlers in its encoders; `None` for another form or handler, and where it
/// would raise.
pub(super) fn by_cpython<'py>(
    way: Way,
    text: &Bound<'py, PyString>,
    errors: &str,
) -> Option<Bound<'py, PyBytes>> {
    let name = match way {
        Way::Ascii => c"ascii",
        Way::Latin1 => c"latin-1",
        _ => return None,
    };
    let handlers = [c"replace", c"ignore", c"surrogateescape", c"backslashreplace", c"xmlcharrefreplace"];
    let errors = handlers.into_iter().find(|handler| handler.to_bytes() == errors.as_bytes())?;
    units::encoded_with(text, name, errors)
}

/// The windows-1252 of a text that it cannot carry; `None` for another form or handler, and where the handler would raise.
pub(super) fn encode_with<'py>(
    way: Way,
    text: &Bound<'py, PyString>,
    length: usize,
    errors: &str,
) -> Option<Bound<'py, PyBytes>> {
    let stand_in: fn(u32, &mut Vec<u8>) -> Option<()> = match errors {
        _ if !matches!(way, Way::Windows1252) => return None,
        "replace" => |_, out| {
            out.push(b'?');
            Some(())
        },
        "ignore" => |_, _| Some(()),
        "surrogateescape" => |unit, out| {
            let byte = u8::try_from(unit.wrapping_sub(0xDC00)).ok().filter(|byte| !byte.is_ascii())?;
            out.push(byte);
            Some(())
        },
        "backslashreplace" => |unit, out| match unit {
            0..0x100 => write!(out, "\\x{unit:02x}").ok(),
            0x100..0x1_0000 => write!(out, "\\u{unit:04x}").ok(),
            _ => write!(out, "\\U{unit:08x}").ok(),
        },
        "xmlcharrefreplace" => |unit, out| write!(out, "&#{unit};").ok(),
        _ => return None,
    };
    with_units(text, length, |py, units| {
        let mut out = Vec::with_capacity(units.len());
        for &unit in units {
            match in_windows_1252(unit) {
                Some(byte) => out.push(byte),
                None => stand_in(unit, &mut out)?,
            }
        }
        Some(PyBytes::new(py, &out))
    })
}
