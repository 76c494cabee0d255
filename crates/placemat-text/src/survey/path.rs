//! The path of a file: as people read it, and as programs do.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::escape;
use crate::notation::{NotAByte, hex, unhex};

/// A path in JSON: text, and its bytes where it is not UTF-8.
#[derive(Serialize, Deserialize)]
pub(crate) struct Path {
    path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
}

impl Path {
    pub(crate) fn of(path: &std::path::Path) -> Path {
        let path_bytes = path.to_str().is_none().then(|| hex(path.as_os_str().as_encoded_bytes()));
        Path { path: path.to_string_lossy().into_owned(), path_bytes }
    }

    /// The path that it was made of.
    ///
    /// # Errors
    /// Where its bytes are not written as [`hex`] does; and on systems whose paths are text, where they are not UTF-8.
    pub(crate) fn path(self) -> Result<PathBuf, BadPath> {
        match self.path_bytes {
            Some(bytes) => of_bytes(unhex(&bytes).map_err(BadPath::Hex)?),
            None => Ok(PathBuf::from(self.path)),
        }
    }
}

/// Bytes that are no path.
#[derive(Debug)]
pub(crate) enum BadPath {
    Hex(NotAByte),
    #[cfg_attr(unix, expect(dead_code, reason = "where paths are bytes, all bytes are paths"))]
    Utf8(std::string::FromUtf8Error),
}

impl std::fmt::Display for BadPath {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BadPath::Hex(error) => error.fmt(f),
            BadPath::Utf8(error) => error.fmt(f),
        }
    }
}

#[cfg(unix)]
fn of_bytes(bytes: Vec<u8>) -> Result<PathBuf, BadPath> {
    use std::os::unix::ffi::OsStringExt as _;
    Ok(std::ffi::OsString::from_vec(bytes).into())
}

#[cfg(not(unix))]
fn of_bytes(bytes: Vec<u8>) -> Result<PathBuf, BadPath> {
    Ok(String::from_utf8(bytes).map_err(BadPath::Utf8)?.into())
}

/// As people read it, with `-` for standard input.
pub(crate) fn shown(path: &std::path::Path) -> String {
    if path.as_os_str() == "-" { "<stdin>".to_owned() } else { escape::path(path).to_string() }
}
