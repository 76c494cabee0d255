//! How bytes and objects are written for programs, and read again.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use serde::Serialize;

use crate::shown;

/// Upper-case hex, with spaces.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// Bytes from upper-case hex with spaces.
pub(crate) fn unhex(text: &str) -> Result<Vec<u8>> {
    let byte = |digits: &str| match digits.len() {
        2 if digits.bytes().all(|b| b.is_ascii_hexdigit()) => Ok(u8::from_str_radix(digits, 16)?),
        _ => bail!("{:?} is not a byte", shown::text(digits).to_string()),
    };
    text.split(' ').filter(|digits| !digits.is_empty()).map(byte).collect()
}

#[cfg(unix)]
pub(crate) fn path_of(bytes: Vec<u8>) -> Result<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    Ok(std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
pub(crate) fn path_of(bytes: Vec<u8>) -> Result<PathBuf> {
    Ok(String::from_utf8(bytes)?.into())
}

/// JSON in one line; what a terminal would act on is escaped in its strings.
pub(crate) fn json_text(value: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string(value)?;
    if !text.contains(shown::is_hostile) {
        return Ok(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    // Only within strings can such characters stand.
    for c in text.chars() {
        if shown::is_hostile(c) {
            // Writing to a string cannot fail.
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(c);
        }
    }
    Ok(escaped)
}

/// Write one object as a line.
pub(crate) fn write_line(out: &mut impl Write, value: &impl Serialize) -> Result<()> {
    Ok(writeln!(out, "{}", json_text(value)?)?)
}
