//! The content of a file, by length and hash.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The content of a file, by length and hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The length in bytes.
    pub bytes: u64,
    /// The SHA-256 in lower-case hexadecimal.
    pub sha256: String,
}

/// Computes the [`State`] of a file, piece by piece.
#[derive(Default)]
pub struct Hashing {
    bytes: u64,
    hash: Sha256,
}

impl Hashing {
    /// Adds the next bytes.
    ///
    /// ```
    /// use placemat_text::repair::record::Hashing;
    ///
    /// let mut hashing = Hashing::default();
    /// hashing.add(b"ab");
    /// hashing.add(b"c");
    /// assert!(hashing.finish().sha256.starts_with("ba7816bf"));
    /// ```
    pub fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.hash.update(bytes);
    }

    /// Returns the state of all bytes.
    ///
    /// ```
    /// use placemat_text::repair::record::Hashing;
    ///
    /// let mut hashing = Hashing::default();
    /// hashing.add(b"ab");
    /// assert_eq!(hashing.finish().bytes, 2);
    /// ```
    pub fn finish(self) -> State {
        let mut sha256 = String::with_capacity(64);
        for byte in self.hash.finalize() {
            // Writing to a string cannot fail.
            let _ = write!(sha256, "{byte:02x}");
        }
        State { bytes: self.bytes, sha256 }
    }
}

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
