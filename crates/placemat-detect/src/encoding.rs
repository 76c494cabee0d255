//! Encodings by name.
#![forbid(unsafe_code)]

use core::fmt;

use placemat::Form;

/// The encoding of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Encoding {
    /// A form of Unicode, or US-ASCII.
    Form(Form),
    /// A legacy encoding, by its name in lower case: `windows-1252`, `koi8-r`, `shift_jis`, `cp850` … Some of them, such as
    /// `euc-tw`, are known here only by their bytes: `placemat::label` does not have them.
    Legacy(&'static str),
    /// No text.
    Binary,
    /// No encoding is likely; the candidates of the verdict say what it might be.
    Unknown,
    /// Parts of the text are in different encodings.
    Several,
}

impl Encoding {
    /// The encoding of a name from this crate's own code.
    pub(crate) fn of(name: &'static str) -> Self {
        match name {
            "binary" => Self::Binary,
            "unknown" => Self::Unknown,
            _ => Form::named(name).map_or(Self::Legacy(name), Self::Form),
        }
    }

    /// The name in lower case: `utf-8`, `windows-1252` …; or `binary`, `unknown`, `several encodings`.
    ///
    /// ```
    /// use placemat_detect::{Encoding, detect};
    /// assert_eq!(detect(b"text", true).encoding.name(), "us-ascii");
    /// assert_eq!(Encoding::Binary.name(), "binary");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Form(form) => form.name(),
            Self::Legacy(name) => name,
            Self::Binary => "binary",
            Self::Unknown => "unknown",
            Self::Several => "several encodings",
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl PartialEq<str> for Encoding {
    fn eq(&self, name: &str) -> bool {
        self.name() == name
    }
}

impl PartialEq<&str> for Encoding {
    fn eq(&self, name: &&str) -> bool {
        self == *name
    }
}
