//! WTF-8 strings: the strings of Windows and JavaScript, in bytes that are UTF-8 except for unpaired surrogates.
//!
//! Each WTF-8 string corresponds to exactly one string of 16-bit units, with or without unpaired surrogates, and back; nothing is
//! lost. Every `str` is a WTF-8 string. WTF-8 is for use inside a program and must not be sent to other programs.
//!
//! Two things differ from `str`. To **join** strings, it is not enough to concatenate their bytes: a high surrogate and a low
//! surrogate behind it become one character of four bytes, which [`push_wtf8`](Wtf8Buf::push_wtf8) handles. To **cut** a string
//! where UTF-16 could be cut, inside a character of four bytes, half a character of three bytes would be needed on either side;
//! cut at [code points](Wtf8::get), or use [units](Wtf8::units).

#[cfg(feature = "alloc")]
mod owned;

use core::fmt;
use core::iter::FusedIterator;
use core::ops::Range;

#[cfg(feature = "alloc")]
use alloc::borrow::Cow;

#[cfg(feature = "alloc")]
pub use self::owned::Wtf8Buf;
use crate::code_point::CodePoint;
use crate::error::{Error, ErrorKind};
use crate::form::{Form, is_continuation};
use crate::padding;
use crate::sequences::{Sequences, errors, sequences};
use crate::validate::validate;

/// A WTF-8 string, always behind a reference. It is to [`Wtf8Buf`] what `str` is to `String`.
///
/// ```
/// use placemat::wtf8::Wtf8;
/// let text = Wtf8::new(b"a\xED\xA0\xBD").unwrap();
/// assert_eq!(text.units().collect::<Vec<_>>(), [0x61, 0xD83D]);
/// assert_eq!(text.to_str().unwrap_err().range(), 1..4);
/// assert_eq!(text.to_string_lossy(), "a\u{FFFD}");
/// ```
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Wtf8 {
    bytes: [u8],
}

impl Wtf8 {
    /// Returns the bytes as a string if they are WTF-8. One pass.
    ///
    /// ```
    /// # use placemat::wtf8::Wtf8;
    /// assert_eq!(Wtf8::new(b"\xED\xA0\xBD\xED\xB8\x80").unwrap_err().length(), 6);
    /// ```
    ///
    /// # Errors
    /// The first ill-formed sequence. Two surrogates that make a pair are one such sequence, of six bytes.
    pub fn new(bytes: &[u8]) -> Result<&Wtf8, Error> {
        errors(Form::Wtf8, bytes).next().map_or_else(|| Ok(Wtf8::of(bytes)), Err)
    }

    /// Bytes that the caller knows to be WTF-8.
    const fn of(bytes: &[u8]) -> &Wtf8 {
        // SAFETY: `Wtf8` is `repr(transparent)` over `[u8]`, so both pointers have the same address, length and alignment. No
        // `unsafe` code relies on the content of the bytes.
        unsafe { &*(core::ptr::from_ref(bytes) as *const Wtf8) }
    }

    /// The bytes. They compare in the order of code points.
    ///
    /// ```
    /// # use placemat::wtf8::Wtf8;
    /// assert_eq!(<&Wtf8>::from("é").as_bytes(), b"\xC3\xA9");
    /// ```
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The number of bytes.
    ///
    /// ```
    /// # use placemat::wtf8::Wtf8;
    /// assert_eq!(<&Wtf8>::from("é").len(), 2);
    /// ```
    #[must_use]
    pub const fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there are no bytes.
    ///
    /// ```
    /// # use placemat::wtf8::Wtf8;
    /// assert!(<&Wtf8>::default().is_empty());
    /// ```
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The part in this range of bytes, if both its ends are boundaries of code points. Constant time.
    ///
    /// ```
    /// # use placemat::wtf8::Wtf8;
    /// let text = <&Wtf8>::from("né");
    /// assert_eq!(text.get(1..3).unwrap(), "é");
    /// assert_eq!(text.get(0..2), None);
    /// ```
    #[must_use]
    pub fn get(&self, range: Range<usize>) -> Option<&Wtf8> {
        let is_boundary = |at: usize| self.bytes.get(at).is_none_or(|&byte| !is_continuation(byte));
        let bytes = self.bytes.get(range.clone())?;
        (is_boundary(range.start) && is_boundary(range.end)).then_some(Wtf8::of(bytes))
    }

    /// The string as UTF-8. One pass.
    ///
    /// ```
    /// # use placemat::wtf8::Wtf8;
    /// assert_eq!(<&Wtf8>::from("é").to_str(), Ok("é"));
    /// ```
    ///
    /// # Errors
    /// The first surrogate, whose length is three bytes.
    pub fn to_str(&self) -> Result<&str, Error> {
        validate(&self.bytes).map_err(|error| Error::new(ErrorKind::Surrogate, error.offset(), 3))
    }

    /// The string as UTF-8, with U+FFFD for each surrogate. Borrows if there are no surrogates.
    ///
    /// ```
    /// # use placemat::wtf8::Wtf8;
    /// assert_eq!(Wtf8::new(b"\xED\xA0\xBD!").unwrap().to_string_lossy(), "\u{FFFD}!");
    /// ```
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn to_string_lossy(&self) -> Cow<'_, str> {
        match self.to_str() {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(Wtf8Buf::from(self).into_string_lossy()),
        }
    }

    /// The code points.
    ///
    /// ```
    /// # use placemat::wtf8::Wtf8;
    /// let text = Wtf8::new(b"a\xED\xA0\xBD").unwrap();
    /// assert_eq!(text.code_points().map(|c| c.value()).collect::<Vec<_>>(), [0x61, 0xD83D]);
    /// ```
    #[must_use]
    pub fn code_points(&self) -> CodePoints<'_> {
        CodePoints { sequences: sequences(Form::Wtf8, &self.bytes) }
    }

    /// The 16-bit units, which may be ill-formed UTF-16.
    ///
    /// ```
    /// # use placemat::wtf8::Wtf8;
    /// assert_eq!(<&Wtf8>::from("😀").units().collect::<Vec<_>>(), [0xD83D, 0xDE00]);
    /// ```
    #[must_use]
    pub fn units(&self) -> Units<'_> {
        Units { code_points: self.code_points(), low: None }
    }

    /// The characters for display: U+FFFD for each surrogate.
    fn chars(&self) -> impl Iterator<Item = char> + Clone + '_ {
        self.code_points().map(|c| c.to_char().unwrap_or(char::REPLACEMENT_CHARACTER))
    }
}

impl<'a> From<&'a str> for &'a Wtf8 {
    fn from(text: &'a str) -> &'a Wtf8 {
        Wtf8::of(text.as_bytes())
    }
}

impl Default for &Wtf8 {
    fn default() -> Self {
        Wtf8::of(&[])
    }
}

impl AsRef<Wtf8> for str {
    fn as_ref(&self) -> &Wtf8 {
        self.into()
    }
}

impl AsRef<Wtf8> for Wtf8 {
    fn as_ref(&self) -> &Wtf8 {
        self
    }
}

impl AsRef<[u8]> for Wtf8 {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl PartialEq<str> for Wtf8 {
    fn eq(&self, other: &str) -> bool {
        &self.bytes == other.as_bytes()
    }
}

/// Writes U+FFFD for each surrogate.
impl fmt::Display for Wtf8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.to_str() {
            Ok(text) => f.pad(text),
            Err(_) => padding::pad(f, self.chars()),
        }
    }
}

/// Like that of `str`, with surrogates as `\u{d83d}`.
impl fmt::Debug for Wtf8 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for c in self.code_points() {
            match c.to_char() {
                Some('\'') => f.write_str("'")?,
                Some(c) => write!(f, "{}", c.escape_debug())?,
                None => write!(f, "\\u{{{:x}}}", c.value())?,
            }
        }
        f.write_str("\"")
    }
}

/// The code points of a [`Wtf8`].
#[derive(Clone, Debug)]
pub struct CodePoints<'a> {
    sequences: Sequences<'a>,
}

impl Iterator for CodePoints<'_> {
    type Item = CodePoint;

    fn next(&mut self) -> Option<CodePoint> {
        self.sequences.next()?.code_point().ok()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.sequences.size_hint()
    }
}

impl FusedIterator for CodePoints<'_> {}

/// The 16-bit units of a [`Wtf8`].
#[derive(Clone, Debug)]
pub struct Units<'a> {
    code_points: CodePoints<'a>,
    low: Option<u16>,
}

impl Iterator for Units<'_> {
    type Item = u16;

    fn next(&mut self) -> Option<u16> {
        if let Some(low) = self.low.take() {
            return Some(low);
        }
        let c = self.code_points.next()?;
        let mut units = [0; 2];
        let Some(c) = c.to_char() else { return Some(c.value() as u16) };
        if let [_, low] = *c.encode_utf16(&mut units) {
            self.low = Some(low);
        }
        Some(units[0])
    }

    /// A code point has at least as many bytes as units.
    fn size_hint(&self) -> (usize, Option<usize>) {
        let low = usize::from(self.low.is_some());
        (low, self.code_points.size_hint().1.map(|units| units + low))
    }
}

impl FusedIterator for Units<'_> {}
