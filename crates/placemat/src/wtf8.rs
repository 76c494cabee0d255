//! WTF-8 strings: what Windows and JavaScript hold, in bytes that are UTF-8 but for unpaired surrogates.
//!
//! They correspond one to one to all strings of 16-bit units, paired or not, so nothing is lost on the way there and back.
//! Every `str` is one. WTF-8 is for use inside a program; it is never sent to others.
//!
//! Two things do not work as with `str`. To **join** is more than to put bytes behind bytes, since a high and a low surrogate
//! that meet become one character of four bytes; [`Wtf8Buf::push_wtf8`] sees to it. And to **cut** where UTF-16 could be cut,
//! inside a character of four bytes, leaves half a character on either side, three bytes each; cut at
//! [code points](Wtf8::get), or go by way of [units](Wtf8::units).

#![forbid(unsafe_code)]

use core::fmt;
use core::iter::FusedIterator;
use core::ops::Range;

#[cfg(feature = "alloc")]
use alloc::{borrow::Cow, string::String, vec::Vec};

use crate::code_point::CodePoint;
use crate::error::{Error, ErrorKind};
use crate::form::{Form, is_continuation};
use crate::sequences::{Sequences, errors, sequences};
use crate::validate::validate;

/// A borrowed WTF-8 string: to [`Wtf8Buf`] what `&str` is to `String`.
///
/// ```
/// use placemat::wtf8::Wtf8;
/// let text = Wtf8::new(b"a\xED\xA0\xBD").unwrap();
/// assert_eq!(text.units().collect::<Vec<_>>(), [0x61, 0xD83D]);
/// assert_eq!(text.to_str().unwrap_err().range(), 1..4);
/// assert_eq!(text.to_string_lossy(), "a\u{FFFD}");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wtf8<'a> {
    bytes: &'a [u8],
}

impl<'a> Wtf8<'a> {
    /// The bytes as a string, if they are WTF-8. One pass.
    ///
    /// # Errors
    /// The first ill-formed sequence; surrogates that make a pair are one of six bytes.
    pub fn new(bytes: &'a [u8]) -> Result<Wtf8<'a>, Error> {
        errors(Form::Wtf8, bytes).next().map_or(Ok(Wtf8 { bytes }), Err)
    }

    /// The bytes. Comparing them compares code points.
    #[must_use]
    pub const fn as_bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// How many bytes.
    #[must_use]
    pub const fn len(self) -> usize {
        self.bytes.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.bytes.is_empty()
    }

    /// The part in that range of bytes, if both its ends are boundaries of code points. Constant time.
    #[must_use]
    pub fn get(self, range: Range<usize>) -> Option<Wtf8<'a>> {
        let is_boundary = |at: usize| self.bytes.get(at).is_none_or(|&byte| !is_continuation(byte));
        let bytes = self.bytes.get(range.clone())?;
        (is_boundary(range.start) && is_boundary(range.end)).then_some(Wtf8 { bytes })
    }

    /// The string as UTF-8. One pass.
    ///
    /// # Errors
    /// The first surrogate, three bytes long.
    pub fn to_str(self) -> Result<&'a str, Error> {
        validate(self.bytes).map_err(|error| Error::new(ErrorKind::Surrogate, error.offset(), 3))
    }

    /// The string as UTF-8, with U+FFFD for each surrogate. Borrows when there is none.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn to_string_lossy(self) -> Cow<'a, str> {
        match self.to_str() {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(Wtf8Buf::from(self).into_string_lossy()),
        }
    }

    /// The code points.
    #[must_use]
    pub fn code_points(self) -> CodePoints<'a> {
        CodePoints { sequences: sequences(Form::Wtf8, self.bytes) }
    }

    /// The 16-bit units, which may be ill-formed UTF-16.
    #[must_use]
    pub fn units(self) -> Units<'a> {
        Units { code_points: self.code_points(), low: None }
    }
}

impl<'a> From<&'a str> for Wtf8<'a> {
    fn from(text: &'a str) -> Wtf8<'a> {
        Wtf8 { bytes: text.as_bytes() }
    }
}

/// With U+FFFD for each surrogate.
impl fmt::Display for Wtf8<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Ok(text) = self.to_str() {
            return f.pad(text);
        }
        for chunk in self.bytes.utf8_chunks() {
            f.write_str(chunk.valid())?;
            // A surrogate is three bad bytes, each a chunk; this is the first.
            if chunk.invalid() == b"\xED" {
                f.write_str("\u{FFFD}")?;
            }
        }
        Ok(())
    }
}

/// As of a `str`, with surrogates as `\u{d83d}`.
impl fmt::Debug for Wtf8<'_> {
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
}

impl FusedIterator for Units<'_> {}

/// A growable WTF-8 string.
///
/// ```
/// use placemat::wtf8::Wtf8Buf;
/// let mut text: Wtf8Buf = [0x61, 0xD83D].into_iter().collect();
/// assert_eq!(text.as_wtf8().as_bytes(), b"a\xED\xA0\xBD");
/// text.extend([0xDE00]);
/// assert_eq!(text.into_string().unwrap(), "a😀");
/// ```
#[cfg(feature = "alloc")]
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wtf8Buf {
    bytes: Vec<u8>,
}

#[cfg(feature = "alloc")]
impl Wtf8Buf {
    /// The empty string.
    #[must_use]
    pub const fn new() -> Wtf8Buf {
        Wtf8Buf { bytes: Vec::new() }
    }

    /// The bytes as a string, if they are WTF-8. One pass, no copy.
    ///
    /// # Errors
    /// As [`Wtf8::new`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Wtf8Buf, Error> {
        Wtf8::new(&bytes)?;
        Ok(Wtf8Buf { bytes })
    }

    /// The string, borrowed.
    #[must_use]
    pub fn as_wtf8(&self) -> Wtf8<'_> {
        Wtf8 { bytes: &self.bytes }
    }

    /// The bytes.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Append a string. A high surrogate at the end and a low one at the start of `other` become one character.
    ///
    /// ```
    /// # use placemat::wtf8::{Wtf8, Wtf8Buf};
    /// let mut text = Wtf8Buf::from(Wtf8::new(b"\xED\xA0\xBD").unwrap());
    /// text.push_wtf8(Wtf8::new(b"\xED\xB8\x80").unwrap());
    /// assert_eq!(text.as_wtf8().to_str().unwrap(), "😀");
    /// ```
    pub fn push_wtf8(&mut self, other: Wtf8<'_>) {
        let mut rest = other.bytes;
        if let &[0xED, second @ 0xB0..=0xBF, third, ref behind @ ..] = rest {
            self.push_surrogate(surrogate(second, third));
            rest = behind;
        }
        self.bytes.extend_from_slice(rest);
    }

    /// Append UTF-8.
    pub fn push_str(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Append one code point; a low surrogate joins with a high one before it.
    ///
    /// # Errors
    /// The code point, if it is above U+10FFFF.
    pub fn push(&mut self, c: CodePoint) -> Result<(), CodePoint> {
        match c.to_char() {
            Some(c) => self.push_str(c.encode_utf8(&mut [0; 4])),
            None if c.is_surrogate() => self.push_surrogate(c.value() as u16),
            None => return Err(c),
        }
        Ok(())
    }

    fn push_surrogate(&mut self, unit: u16) {
        if let &[.., 0xED, second @ 0xA0..=0xAF, third] = &self.bytes[..]
            && let Some(Ok(pair)) = char::decode_utf16([surrogate(second, third), unit]).next()
        {
            self.bytes.truncate(self.bytes.len() - 3);
            self.push_str(pair.encode_utf8(&mut [0; 4]));
        } else {
            self.bytes.extend_from_slice(&[0xED, 0x80 | (unit >> 6) as u8 & 0x3F, 0x80 | unit as u8 & 0x3F]);
        }
    }

    /// The string as UTF-8, without a copy.
    ///
    /// # Errors
    /// The string itself, if it holds a surrogate.
    pub fn into_string(self) -> Result<String, Wtf8Buf> {
        String::from_utf8(self.bytes).map_err(|error| Wtf8Buf { bytes: error.into_bytes() })
    }

    /// The string as UTF-8, with U+FFFD for each surrogate: in place, since both take three bytes.
    #[must_use]
    pub fn into_string_lossy(mut self) -> String {
        let mut from = 0;
        while let Err(error) = validate(&self.bytes[from..]) {
            // Within the buffer, so it fits a `usize`; and in WTF-8 nothing but a surrogate is not UTF-8.
            from += error.offset() as usize;
            self.bytes[from..from + 3].copy_from_slice("\u{FFFD}".as_bytes());
            from += 3;
        }
        String::from_utf8(self.bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }
}

/// The unit whose three bytes end with these two.
#[cfg(feature = "alloc")]
const fn surrogate(second: u8, third: u8) -> u16 {
    0xD000 | (second as u16 & 0x3F) << 6 | third as u16 & 0x3F
}

/// From 16-bit units, paired or not.
#[cfg(feature = "alloc")]
impl Extend<u16> for Wtf8Buf {
    fn extend<I: IntoIterator<Item = u16>>(&mut self, units: I) {
        for c in char::decode_utf16(units) {
            match c {
                Ok(c) => self.push_str(c.encode_utf8(&mut [0; 4])),
                Err(lone) => self.push_surrogate(lone.unpaired_surrogate()),
            }
        }
    }
}

#[cfg(feature = "alloc")]
impl FromIterator<u16> for Wtf8Buf {
    fn from_iter<I: IntoIterator<Item = u16>>(units: I) -> Wtf8Buf {
        let mut text = Wtf8Buf::new();
        text.extend(units);
        text
    }
}

#[cfg(feature = "alloc")]
impl From<Wtf8<'_>> for Wtf8Buf {
    fn from(text: Wtf8<'_>) -> Wtf8Buf {
        Wtf8Buf { bytes: text.bytes.into() }
    }
}

#[cfg(feature = "alloc")]
impl From<String> for Wtf8Buf {
    fn from(text: String) -> Wtf8Buf {
        Wtf8Buf { bytes: text.into_bytes() }
    }
}

#[cfg(feature = "alloc")]
impl From<&str> for Wtf8Buf {
    fn from(text: &str) -> Wtf8Buf {
        Wtf8::from(text).into()
    }
}

#[cfg(feature = "alloc")]
impl fmt::Display for Wtf8Buf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.as_wtf8(), f)
    }
}

#[cfg(feature = "alloc")]
impl fmt::Debug for Wtf8Buf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.as_wtf8(), f)
    }
}
