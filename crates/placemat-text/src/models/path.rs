//! A path in JSON.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::notation::{hex, path_of, unhex};

/// A path as text, with its bytes in hexadecimal if it is not UTF-8.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilePath {
    /// The path, with U+FFFD for bytes that are not UTF-8; `-` for standard input.
    pub path: String,
    /// The bytes of the path in hexadecimal, if they are not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_bytes: Option<String>,
}

impl FilePath {
    /// The model of a path.
    ///
    /// ```
    /// use placemat_text::models::FilePath;
    ///
    /// assert_eq!(FilePath::of("a/b.txt".as_ref()).path, "a/b.txt");
    /// ```
    #[must_use]
    pub fn of(path: &Path) -> FilePath {
        let path_bytes = path.to_str().is_none().then(|| hex(path.as_os_str().as_encoded_bytes()));
        FilePath { path: path.to_string_lossy().into_owned(), path_bytes }
    }

    /// Returns the path that the model was made from.
    ///
    /// # Errors
    /// `path_bytes` is not hexadecimal, or its bytes are no path on this system.
    ///
    /// ```
    /// use placemat_text::models::FilePath;
    ///
    /// let path = FilePath::of("a/b.txt".as_ref());
    /// assert_eq!(path.path().unwrap(), std::path::Path::new("a/b.txt"));
    /// ```
    pub fn path(&self) -> Result<PathBuf, Error> {
        match &self.path_bytes {
            Some(bytes) => path_of(unhex(bytes)?),
            None => Ok(PathBuf::from(&self.path)),
        }
    }
}
