//! Encodes windows-1252 with one of Python's own error handlers, for text with characters that it may lack.
#![forbid(unsafe_code)]

use std::io::Write as _;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::fast::{Way, in_windows_1252, own_bytes, with_units};

/// The windows-1252 of a text, with or without unencodable characters; `None` for any other form or handler, and where the handler
/// would raise.
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
    if let Some(bytes) = own_bytes(text, length) {
        return Some(bytes);
    }
    with_units(text, length, |py, units| {
        let mut out = Vec::with_capacity(units.len());
        for some in units.chunks(TOGETHER) {
            if some.iter().fold(true, |is, unit| is & (*unit < 0x80 || matches!(unit, 0xA0..=0xFF))) {
                out.extend(some.iter().map(|&unit| unit as u8));
                continue;
            }
            for &unit in some {
                match in_windows_1252(unit) {
                    Some(byte) => out.push(byte),
                    None => stand_in(unit, &mut out)?,
                }
            }
        }
        Some(PyBytes::new(py, &out))
    })
}

/// The number of units that are tested together: for most of them the byte equals the unit.
const TOGETHER: usize = 16;
