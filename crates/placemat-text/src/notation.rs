//! The notation of bytes, numbers and objects in output for programs, and how it is read.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Error, escape};

/// The text found where two hexadecimal digits were expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAByte(pub String);

impl std::fmt::Display for NotAByte {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} is not a byte", escape::text(&self.0).to_string())
    }
}

impl std::error::Error for NotAByte {}

impl From<NotAByte> for Error {
    fn from(error: NotAByte) -> Error {
        Error::refused(error.to_string())
    }
}

/// The plural ending of a noun after this number: empty after 1, else `s`.
///
/// ```
/// assert_eq!(["error", placemat_text::notation::plural(2)].concat(), "errors");
/// ```
#[must_use]
pub fn plural(n: u64) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// A number with commas between thousands.
///
/// ```
/// assert_eq!([0, 999, 1_234_567].map(placemat_text::notation::number), ["0", "999", "1,234,567"]);
/// ```
#[must_use]
pub fn number(n: u64) -> String {
    placemat_detect::number(n)
}

/// Bytes in upper-case hexadecimal, with spaces between.
///
/// ```
/// assert_eq!(placemat_text::notation::hex("€".as_bytes()), "E2 82 AC");
/// ```
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")
}

/// Reads bytes in hexadecimal, with spaces between.
///
/// # Errors
/// The text that is not a byte.
///
/// ```
/// use placemat_text::notation::{NotAByte, unhex};
///
/// assert_eq!(unhex("E2 82 AC").unwrap(), "€".as_bytes());
/// assert_eq!(unhex("E2 8"), Err(NotAByte("8".into())));
/// ```
pub fn unhex(text: &str) -> Result<Vec<u8>, NotAByte> {
    let byte = |digits: &str| match (digits.len(), u8::from_str_radix(digits, 16)) {
        (2, Ok(byte)) if digits.bytes().all(|b| b.is_ascii_hexdigit()) => Ok(byte),
        _ => Err(NotAByte(digits.to_owned())),
    };
    text.split(' ').filter(|digits| !digits.is_empty()).map(byte).collect()
}

/// Makes a path of these bytes, which need not be UTF-8 on systems where paths are bytes.
///
/// # Errors
/// The bytes are not UTF-8, on systems where paths are not bytes.
///
/// ```
/// assert_eq!(placemat_text::notation::path_of(b"a.txt".to_vec()).unwrap(), std::path::Path::new("a.txt"));
/// ```
#[cfg(unix)]
pub fn path_of(bytes: Vec<u8>) -> Result<PathBuf, Error> {
    use std::os::unix::ffi::OsStringExt as _;
    Ok(std::ffi::OsString::from_vec(bytes).into())
}

/// Makes a path of these bytes, which need not be UTF-8 on systems where paths are bytes.
///
/// # Errors
/// The bytes are not UTF-8, on systems where paths are not bytes.
///
/// ```
/// assert_eq!(placemat_text::notation::path_of(b"a.txt".to_vec()).unwrap(), std::path::Path::new("a.txt"));
/// ```
#[cfg(not(unix))]
pub fn path_of(bytes: Vec<u8>) -> Result<PathBuf, Error> {
    match String::from_utf8(bytes) {
        Ok(path) => Ok(path.into()),
        Err(error) => Err(Error::refused(error.to_string())),
    }
}

/// JSON on one line. Characters in its strings that a terminal would act on are escaped.
///
/// # Errors
/// The error of serialising `value`.
///
/// ```
/// assert_eq!(placemat_text::notation::json_text(&"a\u{202E}").unwrap(), r#""a\u202e""#);
/// ```
pub fn json_text(value: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string(value)?;
    if !text.contains(escape::is_hostile) {
        return Ok(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    // Such characters occur only within strings.
    for c in text.chars() {
        if escape::is_hostile(c) {
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

/// Writes one object as a line.
///
/// # Errors
/// Those of writing, and of serialising `value`.
///
/// ```
/// let mut out = Vec::new();
/// placemat_text::notation::write_line(&mut out, &["a"]).unwrap();
/// assert_eq!(out, b"[\"a\"]\n");
/// ```
pub fn write_line(out: &mut impl Write, value: &impl Serialize) -> Result<(), Error> {
    Ok(writeln!(out, "{}", json_text(value)?)?)
}

/// Reads an object from a line.
///
/// # Errors
/// The first byte of the line that does not fit, from 1, and why.
///
/// ```
/// use placemat_text::notation::read_line;
///
/// assert_eq!(read_line::<Vec<u8>>(b"[1]").unwrap(), [1]);
/// assert_eq!(read_line::<Vec<u8>>(b"[1").unwrap_err().to_string(), "byte 2: EOF while parsing a list");
/// ```
pub fn read_line<T: DeserializeOwned>(line: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(line).map_err(|error| {
        // The error says "at line 1" too, which would be taken for the first line of the file.
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        Error::refused(format!("byte {}: {message}", error.column()))
    })
}

/// Rounds a share or a confidence to a thousandth.
///
/// ```
/// assert_eq!(placemat_text::notation::rounded(0.91234), 0.912);
/// ```
#[must_use]
pub fn rounded(share: f32) -> f64 {
    (f64::from(share) * 1000.0).round() / 1000.0
}
