//! The error type: what is wrong, where, and how many bytes are ill-formed.

#![forbid(unsafe_code)]

use core::fmt;
use core::ops::Range;

use crate::padding;

/// What is wrong with a sequence, in the standard's terms.
///
/// The names are those that [`ErrorKind::name`] prints and that the command writes in its JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A continuation byte (or the second half of a pair) where a sequence should start.
    UnexpectedContinuation,
    /// A sequence that the next byte cannot continue.
    MissingContinuation,
    /// A sequence that the end of the input cuts off.
    Truncated,
    /// A value written in more bytes than it needs.
    Overlong,
    /// A surrogate code point, or an unpaired surrogate code unit.
    Surrogate,
    /// A value above the form's range (above U+10FFFF in the forms of today).
    TooLarge,
    /// A byte that no sequence of the form contains.
    InvalidByte,
    /// The right value, written in a way that the form does not allow.
    NonCanonical,
    /// A code point that the target form cannot carry.
    Unencodable,
}

impl ErrorKind {
    /// Every kind, in the order of the documentation.
    pub const ALL: &'static [ErrorKind] = &[
        ErrorKind::UnexpectedContinuation,
        ErrorKind::MissingContinuation,
        ErrorKind::Truncated,
        ErrorKind::Overlong,
        ErrorKind::Surrogate,
        ErrorKind::TooLarge,
        ErrorKind::InvalidByte,
        ErrorKind::NonCanonical,
        ErrorKind::Unencodable,
    ];

    /// The kind of that name (exact).
    ///
    /// ```
    /// # use placemat::ErrorKind;
    /// assert_eq!(ErrorKind::named("overlong"), Some(ErrorKind::Overlong));
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<ErrorKind> {
        ErrorKind::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// The stable name: lower-case words joined by hyphens.
    ///
    /// ```
    /// assert_eq!(placemat::ErrorKind::TooLarge.name(), "too-large");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ErrorKind::UnexpectedContinuation => "unexpected-continuation",
            ErrorKind::MissingContinuation => "missing-continuation",
            ErrorKind::Truncated => "truncated",
            ErrorKind::Overlong => "overlong",
            ErrorKind::Surrogate => "surrogate",
            ErrorKind::TooLarge => "too-large",
            ErrorKind::InvalidByte => "invalid-byte",
            ErrorKind::NonCanonical => "non-canonical",
            ErrorKind::Unencodable => "unencodable",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One ill-formed sequence (or one code point that the target cannot carry).
///
/// In UTF-8 the length is that of the *maximal subpart* (Unicode 3.9, D93b), so [`offset`](Error::offset) and
/// [`length`](Error::length) equal what [`core::str::Utf8Error`] and the WHATWG Encoding Standard report.
///
/// ```
/// let error = placemat::validate(b"caf\xE9!").unwrap_err();
/// assert_eq!((error.offset(), error.length()), (3, 1));
/// assert_eq!(error.kind().name(), "missing-continuation");
/// assert_eq!(error.to_string(), "missing-continuation at byte 3 (length 1)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Error {
    kind: ErrorKind,
    length: u8,
    #[cfg_attr(feature = "serde", serde(default = "one_byte"))]
    unit: u8,
    offset: u64,
}

/// The unit of an error in JSON that names none.
#[cfg(feature = "serde")]
const fn one_byte() -> u8 {
    1
}

impl Error {
    /// An error that another decoder found, to be passed to a [`Handler`](crate::Handler).
    ///
    /// ```
    /// # use placemat::{Error, ErrorKind};
    /// let error = Error::new(ErrorKind::InvalidByte, 7, 1);
    /// assert_eq!(error.to_string(), "invalid-byte at byte 7 (length 1)");
    /// ```
    #[must_use]
    pub const fn new(kind: ErrorKind, offset: u64, length: u8) -> Error {
        Error { kind, length, unit: 1, offset }
    }

    /// The same error, with its numbers counted in units of `unit` bytes instead of in bytes.
    ///
    /// ```
    /// use placemat::{Error, ErrorKind, utf16};
    /// let lone = Error::new(ErrorKind::Surrogate, 1, 1).in_units_of(2);
    /// assert_eq!(utf16::validate(&[0x61, 0xD800, 0x62]), Err(lone));
    /// assert_eq!(lone.to_string(), "surrogate at unit 1 (length 1)");
    /// ```
    #[must_use]
    pub const fn in_units_of(self, unit: u8) -> Error {
        Error { unit, ..self }
    }

    /// The size in bytes of the unit in which [`offset`](Error::offset) and [`length`](Error::length) count: 1, or 2 or 4 if the
    /// input was a slice of numbers of that size ([`utf16`](crate::utf16), [`utf32`](crate::utf32)).
    ///
    /// ```
    /// assert_eq!(placemat::validate(b"\xFF").unwrap_err().unit(), 1);
    /// assert_eq!(placemat::utf32::validate(&[0xD800]).unwrap_err().unit(), 4);
    /// ```
    #[must_use]
    pub const fn unit(&self) -> u8 {
        self.unit
    }

    /// What is wrong.
    ///
    /// ```
    /// assert_eq!(placemat::validate(b"a\xFF").unwrap_err().kind(), placemat::ErrorKind::InvalidByte);
    /// ```
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The offset of the ill-formed sequence, counted from 0 at the start of the whole input, in [`unit`](Error::unit)s.
    ///
    /// ```
    /// assert_eq!(placemat::validate(b"a\xFF").unwrap_err().offset(), 1);
    /// ```
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// How many bytes (or [`unit`](Error::unit)s) are ill-formed: 1 to 6. In `utf-7/lenient` it can be up to 10, because shifts
    /// may stand between the halves of a character; for the count of a [`crate::frame`] it is 0 to 8 bytes.
    ///
    /// ```
    /// assert_eq!(placemat::validate(b"\xE2\x82!").unwrap_err().length(), 2);
    /// ```
    #[must_use]
    pub const fn length(&self) -> u8 {
        self.length
    }

    /// The ill-formed bytes as a range of the whole input.
    ///
    /// ```
    /// assert_eq!(placemat::validate(b"a\xE2\x82!").unwrap_err().range(), 1..3);
    /// ```
    #[must_use]
    pub const fn range(&self) -> Range<u64> {
        self.offset..self.offset.saturating_add(self.length as u64)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = if self.unit == 1 { "byte" } else { "unit" };
        padding::pad_formatted::<96>(
            f,
            format_args!("{} at {unit} {} (length {})", self.kind, self.offset, self.length),
        )
    }
}

impl core::error::Error for Error {}

/// [`InvalidData`](std::io::ErrorKind::InvalidData), which holds the error.
#[cfg(feature = "std")]
impl From<Error> for std::io::Error {
    fn from(error: Error) -> std::io::Error {
        std::io::Error::new(std::io::ErrorKind::InvalidData, error)
    }
}
