//! UTF-16 in `u16`s, in the byte order of this machine. Lengths and offsets count the elements of a slice: code units, or bytes of UTF-8.
//!
//! ```
//! use placemat::{Status, utf16};
//! let mut units = [0; 8];
//! let step = utf16::from_utf8("né\u{1F600}".as_bytes(), &mut units);
//! assert_eq!(step.status, Status::Done);
//! assert_eq!(units[..step.written], [0x6E, 0xE9, 0xD83D, 0xDE00]);
//!
//! let mut text = [0; 16];
//! let step = utf16::to_utf8_lossy(&[0x6E, 0xD83D], &mut text);
//! assert_eq!(&text[..step.written], "n\u{FFFD}".as_bytes());
//! ```

#![forbid(unsafe_code)]

faces! {
    /// UTF-8 to UTF-16. One unit of room for each byte is enough.
    ///
    /// ```
    /// let mut units = [0; 4];
    /// let step = placemat::utf16::from_utf8("né".as_bytes(), &mut units);
    /// assert_eq!(units[..step.written], [0x6E, 0xE9]);
    /// ```
    from_utf8(UTF8: u8 => UTF16: u16) Stop none;
    /// Like [`from_utf8`], with U+FFFD for each ill-formed maximal subpart.
    ///
    /// ```
    /// let mut units = [0; 4];
    /// let step = placemat::utf16::from_utf8_lossy(b"n\xFF", &mut units);
    /// assert_eq!(units[..step.written], [0x6E, 0xFFFD]);
    /// ```
    from_utf8_lossy(UTF8: u8 => UTF16: u16) Replace none;
    /// UTF-16 to UTF-8. Three bytes of room for each unit are enough.
    ///
    /// ```
    /// let mut text = [0; 8];
    /// let step = placemat::utf16::to_utf8(&[0x6E, 0xE9], &mut text);
    /// assert_eq!(&text[..step.written], "né".as_bytes());
    /// ```
    to_utf8(UTF16: u16 => UTF8: u8) Stop utf16_to_utf8;
    /// Like [`to_utf8`], with U+FFFD for each surrogate without a partner.
    ///
    /// ```
    /// let mut text = [0; 8];
    /// let step = placemat::utf16::to_utf8_lossy(&[0x6E, 0xD800], &mut text);
    /// assert_eq!(&text[..step.written], "n\u{FFFD}".as_bytes());
    /// ```
    to_utf8_lossy(UTF16: u16 => UTF8: u8) Replace utf16_to_utf8;
    /// UTF-16 to UTF-32. One unit of room for each unit is enough.
    ///
    /// ```
    /// let mut units = [0; 2];
    /// let step = placemat::utf16::to_utf32(&[0xD83D, 0xDE00], &mut units);
    /// assert_eq!((step.read, &units[..step.written]), (2, &[0x1F600][..]));
    /// ```
    to_utf32(UTF16: u16 => UTF32: u32) Stop utf16_to_utf32;
    /// Like [`to_utf32`], with U+FFFD for each surrogate without a partner.
    ///
    /// ```
    /// let mut units = [0; 2];
    /// let step = placemat::utf16::to_utf32_lossy(&[0x6E, 0xDE00], &mut units);
    /// assert_eq!(units[..step.written], [0x6E, 0xFFFD]);
    /// ```
    to_utf32_lossy(UTF16: u16 => UTF32: u32) Replace utf16_to_utf32;
    /// UTF-16 to ISO 8859-1; fails at the first code point above U+00FF. One byte of room for each unit is enough.
    ///
    /// ```
    /// use placemat::{Status, utf16};
    /// let mut bytes = [0; 2];
    /// assert_eq!(utf16::to_latin1(&[0x6E, 0xE9], &mut bytes).status, Status::Done);
    /// assert_eq!(bytes, *b"n\xE9");
    /// ```
    to_latin1(UTF16: u16 => LATIN1: u8) Stop none;
}
looks! {
    /// ```
    /// use placemat::utf16;
    /// assert_eq!(utf16::validate(&[0x61, 0xD83D, 0xDE00]), Ok(()));
    /// assert_eq!(utf16::validate(&[0x61, 0xD83D]).unwrap_err().offset(), 1);
    /// ```
    validate(UTF16: u16)
}
looks! {
    /// The exact number of bytes that [`to_utf8`] will write.
    ///
    /// ```
    /// assert_eq!(placemat::utf16::utf8_len(&[0x6E, 0xD83D, 0xDE00]), Ok(5));
    /// ```
    utf8_len(UTF16: u16 => UTF8: u8)
}
looks! {
    /// The exact number of units that [`to_utf32`] will write, which is the number of code points.
    ///
    /// ```
    /// assert_eq!(placemat::utf16::utf32_len(&[0x6E, 0xD83D, 0xDE00]), Ok(2));
    /// ```
    utf32_len(UTF16: u16 => UTF32: u32)
}

/// Converts UTF-16 to a string. Two passes: the first one finds the length.
///
/// ```
/// assert_eq!(placemat::utf16::to_string(&[0x6E, 0xE9]).unwrap(), "né");
/// ```
///
/// # Errors
/// The first surrogate without a partner, counted in units.
#[cfg(feature = "alloc")]
pub fn to_string(src: &[u16]) -> Result<alloc::string::String, crate::Error> {
    super::string_of_utf16(src)
}

/// Converts UTF-8 to a vector of UTF-16, with room for as many units as there are bytes. One pass.
///
/// ```
/// assert_eq!(placemat::utf16::to_vec("né".as_bytes()).unwrap(), [0x6E, 0xE9]);
/// ```
///
/// # Errors
/// The first ill-formed sequence, counted in bytes.
#[cfg(feature = "alloc")]
pub fn to_vec(src: &[u8]) -> Result<alloc::vec::Vec<u16>, crate::Error> {
    super::utf16_of_utf8(src)
}

/// The exact number of units that [`from_utf8`] will write for well-formed text.
///
/// ```
/// assert_eq!(placemat::utf16::len_of_str("n\u{1F600}"), 3);
/// ```
#[must_use]
#[inline]
pub fn len_of_str(text: &str) -> usize {
    crate::count::utf16_len_of_str(text)
}
