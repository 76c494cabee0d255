//! WTF-8 strings that own their bytes.

#![forbid(unsafe_code)]

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::fmt;
use core::ops::Deref;

use super::Wtf8;
use crate::code_point::CodePoint;
use crate::error::Error;
use crate::validate::validate;

/// A growable WTF-8 string.
///
/// ```
/// use placemat::wtf8::Wtf8Buf;
/// let mut text: Wtf8Buf = [0x61, 0xD83D].into_iter().collect();
/// assert_eq!(text.as_wtf8().as_bytes(), b"a\xED\xA0\xBD");
/// text.extend([0xDE00]);
/// assert_eq!(text.into_string().unwrap(), "a😀");
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wtf8Buf {
    bytes: Vec<u8>,
}

impl Wtf8Buf {
    /// The empty string.
    ///
    /// ```
    /// # use placemat::wtf8::Wtf8Buf;
    /// assert!(Wtf8Buf::new().as_wtf8().is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Wtf8Buf {
        Wtf8Buf { bytes: Vec::new() }
    }

    /// The empty string, with room for `capacity` bytes.
    ///
    /// ```
    /// # use placemat::wtf8::Wtf8Buf;
    /// assert!(Wtf8Buf::with_capacity(10).is_empty());
    /// ```
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Wtf8Buf {
        Wtf8Buf { bytes: Vec::with_capacity(capacity) }
    }

    /// Returns the bytes as a string if they are WTF-8. One pass, no copy.
    ///
    /// ```
    /// # use placemat::wtf8::Wtf8Buf;
    /// assert!(Wtf8Buf::from_bytes(b"a\xED\xA0\xBD".to_vec()).is_ok());
    /// assert_eq!(Wtf8Buf::from_bytes(b"a\xFF".to_vec()).unwrap_err().offset(), 1);
    /// ```
    ///
    /// # Errors
    /// As [`Wtf8::new`].
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Wtf8Buf, Error> {
        Wtf8::new(&bytes)?;
        Ok(Wtf8Buf { bytes })
    }

    /// The string, borrowed.
    ///
    /// ```
    /// # use placemat::wtf8::Wtf8Buf;
    /// assert_eq!(Wtf8Buf::from("é").as_wtf8().to_str(), Ok("é"));
    /// ```
    #[must_use]
    pub fn as_wtf8(&self) -> &Wtf8 {
        Wtf8::of(&self.bytes)
    }

    /// The bytes.
    ///
    /// ```
    /// # use placemat::wtf8::Wtf8Buf;
    /// assert_eq!([0xD83D_u16].into_iter().collect::<Wtf8Buf>().into_bytes(), b"\xED\xA0\xBD");
    /// ```
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Appends a string. A high surrogate at the end and a low surrogate at the start of `other` become one character.
    ///
    /// ```
    /// # use placemat::wtf8::{Wtf8, Wtf8Buf};
    /// let mut text = Wtf8Buf::from(Wtf8::new(b"\xED\xA0\xBD").unwrap());
    /// text.push_wtf8(Wtf8::new(b"\xED\xB8\x80").unwrap());
    /// assert_eq!(text.as_wtf8().to_str().unwrap(), "😀");
    /// ```
    pub fn push_wtf8(&mut self, other: &Wtf8) {
        let mut rest = other.as_bytes();
        if let &[0xED, second @ 0xB0..=0xBF, third, ref behind @ ..] = rest {
            self.push_surrogate(surrogate(second, third));
            rest = behind;
        }
        self.bytes.extend_from_slice(rest);
    }

    /// Append UTF-8.
    ///
    /// ```
    /// # use placemat::wtf8::Wtf8Buf;
    /// let mut text = Wtf8Buf::from("na");
    /// text.push_str("ïve");
    /// assert_eq!(text.into_string().unwrap(), "naïve");
    /// ```
    pub fn push_str(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Appends one code point. A low surrogate joins with a high surrogate before it.
    ///
    /// ```
    /// # use placemat::{CodePoint, wtf8::Wtf8Buf};
    /// let mut text = Wtf8Buf::new();
    /// text.push(CodePoint::from(0xD83D_u16)).unwrap();
    /// text.push(CodePoint::from(0xDE00_u16)).unwrap();
    /// assert_eq!(text.into_string().unwrap(), "😀");
    /// ```
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
    /// ```
    /// # use placemat::wtf8::Wtf8Buf;
    /// assert_eq!(Wtf8Buf::from("é").into_string(), Ok("é".to_owned()));
    /// let lone: Wtf8Buf = [0xD83D_u16].into_iter().collect();
    /// assert_eq!(lone.clone().into_string(), Err(lone));
    /// ```
    ///
    /// # Errors
    /// The string itself, if it holds a surrogate.
    pub fn into_string(self) -> Result<String, Wtf8Buf> {
        String::from_utf8(self.bytes).map_err(|error| Wtf8Buf { bytes: error.into_bytes() })
    }

    /// The string as UTF-8, with U+FFFD for each surrogate: in place, since both take three bytes.
    ///
    /// ```
    /// # use placemat::wtf8::Wtf8Buf;
    /// assert_eq!([0xD83D_u16, 0x21].into_iter().collect::<Wtf8Buf>().into_string_lossy(), "\u{FFFD}!");
    /// ```
    #[must_use]
    pub fn into_string_lossy(mut self) -> String {
        let mut from = 0;
        while let Err(error) = validate(&self.bytes[from..]) {
            // The offset is within the buffer, so it fits a `usize`. In WTF-8 only surrogates are not UTF-8.
            from += error.offset() as usize;
            self.bytes[from..from + 3].copy_from_slice("\u{FFFD}".as_bytes());
            from += 3;
        }
        String::from_utf8(self.bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }
}

/// The unit whose three bytes end with these two.
const fn surrogate(second: u8, third: u8) -> u16 {
    0xD000 | (second as u16 & 0x3F) << 6 | third as u16 & 0x3F
}

/// Appends 16-bit units, paired or not.
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

impl FromIterator<u16> for Wtf8Buf {
    fn from_iter<I: IntoIterator<Item = u16>>(units: I) -> Wtf8Buf {
        let mut text = Wtf8Buf::new();
        text.extend(units);
        text
    }
}

impl From<&Wtf8> for Wtf8Buf {
    fn from(text: &Wtf8) -> Wtf8Buf {
        Wtf8Buf { bytes: text.as_bytes().into() }
    }
}

impl From<String> for Wtf8Buf {
    fn from(text: String) -> Wtf8Buf {
        Wtf8Buf { bytes: text.into_bytes() }
    }
}

impl From<&str> for Wtf8Buf {
    fn from(text: &str) -> Wtf8Buf {
        <&Wtf8>::from(text).into()
    }
}

impl ToOwned for Wtf8 {
    type Owned = Wtf8Buf;

    fn to_owned(&self) -> Wtf8Buf {
        self.into()
    }
}

impl Deref for Wtf8Buf {
    type Target = Wtf8;

    fn deref(&self) -> &Wtf8 {
        self.as_wtf8()
    }
}

impl Borrow<Wtf8> for Wtf8Buf {
    fn borrow(&self) -> &Wtf8 {
        self
    }
}

impl AsRef<Wtf8> for Wtf8Buf {
    fn as_ref(&self) -> &Wtf8 {
        self
    }
}

impl AsRef<[u8]> for Wtf8Buf {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl PartialEq<str> for Wtf8Buf {
    fn eq(&self, other: &str) -> bool {
        **self == *other
    }
}

impl fmt::Display for Wtf8Buf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl fmt::Debug for Wtf8Buf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
