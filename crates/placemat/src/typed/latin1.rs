//! ISO 8859-1: the first 256 code points, one byte each.
//!
//! ```
//! use placemat::latin1;
//! let mut text = [0; 8];
//! let step = latin1::to_utf8(b"caf\xE9", &mut text);
//! assert_eq!(&text[..step.written], "café".as_bytes());
//! ```

#![forbid(unsafe_code)]

faces! {
    /// UTF-8 to ISO 8859-1; fails at the first code point above U+00FF. One byte of room for each byte is enough.
    ///
    /// ```
    /// let mut bytes = [0; 8];
    /// let step = placemat::latin1::from_utf8("café".as_bytes(), &mut bytes);
    /// assert_eq!(&bytes[..step.written], b"caf\xE9");
    /// ```
    from_utf8(UTF8: u8 => LATIN1: u8) Stop none;
    /// Like [`from_utf8`], with `?` for each ill-formed maximal subpart and each code point above U+00FF.
    ///
    /// ```
    /// let mut out = [0; 8];
    /// let written = placemat::latin1::from_utf8_lossy("3 €".as_bytes(), &mut out).ok().unwrap();
    /// assert_eq!(out[..written], *b"3 ?");
    /// ```
    from_utf8_lossy(UTF8: u8 => LATIN1: u8) Replace none;
    /// ISO 8859-1 to UTF-8. Two bytes of room for each byte are enough.
    ///
    /// ```
    /// let mut text = [0; 8];
    /// let step = placemat::latin1::to_utf8(b"caf\xE9", &mut text);
    /// assert_eq!(&text[..step.written], "café".as_bytes());
    /// ```
    to_utf8(LATIN1: u8 => UTF8: u8) Stop latin1_to_utf8;
    /// ISO 8859-1 to UTF-16. One unit of room for each byte is enough.
    ///
    /// ```
    /// let mut units = [0; 4];
    /// let step = placemat::latin1::to_utf16(b"n\xE9", &mut units);
    /// assert_eq!(units[..step.written], [0x6E, 0xE9]);
    /// ```
    to_utf16(LATIN1: u8 => UTF16: u16) Stop none;
    /// ISO 8859-1 to UTF-32. One unit of room for each byte is enough.
    ///
    /// ```
    /// let mut units = [0; 4];
    /// let step = placemat::latin1::to_utf32(b"n\xE9", &mut units);
    /// assert_eq!(units[..step.written], [0x6E, 0xE9]);
    /// ```
    to_utf32(LATIN1: u8 => UTF32: u32) Stop none;
}

/// The exact number of bytes that [`to_utf8`] will write.
///
/// ```
/// assert_eq!(placemat::latin1::utf8_len(b"caf\xE9"), 5);
/// ```
#[must_use]
#[inline]
pub fn utf8_len(src: &[u8]) -> usize {
    crate::count::utf8_len_of_latin1(src)
}
