//! UTF-32 in `u32`s, in the byte order of this machine. Lengths and offsets count the elements of a slice: code units, or bytes of UTF-8.
//!
//! ```
//! use placemat::{Status, utf32};
//! let mut units = [0; 4];
//! let step = utf32::from_utf8("n\u{1F600}".as_bytes(), &mut units);
//! assert_eq!(units[..step.written], [0x6E, 0x1F600]);
//! let Status::Failed(error) = utf32::to_utf8(&[0x6E, 0xD800], &mut [0; 8]).status else { panic!() };
//! assert_eq!(error.offset(), 1);
//! ```

#![forbid(unsafe_code)]

faces! {
    /// UTF-8 to UTF-32. One unit of room for each byte is enough.
    ///
    /// ```
    /// let mut units = [0; 4];
    /// let step = placemat::utf32::from_utf8("né".as_bytes(), &mut units);
    /// assert_eq!(units[..step.written], [0x6E, 0xE9]);
    /// ```
    from_utf8(UTF8: u8 => UTF32: u32) Stop none;
    /// Like [`from_utf8`], with U+FFFD for each ill-formed maximal subpart.
    ///
    /// ```
    /// let mut units = [0; 4];
    /// let step = placemat::utf32::from_utf8_lossy(b"n\xFF", &mut units);
    /// assert_eq!(units[..step.written], [0x6E, 0xFFFD]);
    /// ```
    from_utf8_lossy(UTF8: u8 => UTF32: u32) Replace none;
    /// UTF-32 to UTF-8. Four bytes of room for each unit are enough.
    ///
    /// ```
    /// let mut text = [0; 8];
    /// let step = placemat::utf32::to_utf8(&[0x6E, 0x1F600], &mut text);
    /// assert_eq!(&text[..step.written], "n😀".as_bytes());
    /// ```
    to_utf8(UTF32: u32 => UTF8: u8) Stop utf32_to_utf8;
    /// Like [`to_utf8`], with U+FFFD for each unit that is no scalar value.
    ///
    /// ```
    /// let mut text = [0; 8];
    /// let step = placemat::utf32::to_utf8_lossy(&[0x6E, 0x11_0000], &mut text);
    /// assert_eq!(&text[..step.written], "n\u{FFFD}".as_bytes());
    /// ```
    to_utf8_lossy(UTF32: u32 => UTF8: u8) Replace utf32_to_utf8;
    /// UTF-32 to UTF-16. Two units of room for each unit are enough.
    ///
    /// ```
    /// let mut units = [0; 4];
    /// let step = placemat::utf32::to_utf16(&[0x1F600], &mut units);
    /// assert_eq!(units[..step.written], [0xD83D, 0xDE00]);
    /// ```
    to_utf16(UTF32: u32 => UTF16: u16) Stop utf32_to_utf16;
    /// Like [`to_utf16`], with U+FFFD for each unit that is no scalar value.
    ///
    /// ```
    /// let mut units = [0; 4];
    /// let step = placemat::utf32::to_utf16_lossy(&[0x11_0000], &mut units);
    /// assert_eq!(units[..step.written], [0xFFFD]);
    /// ```
    to_utf16_lossy(UTF32: u32 => UTF16: u16) Replace utf32_to_utf16;
    /// UTF-32 to ISO 8859-1; fails at the first unit above U+00FF. One byte of room for each unit is enough.
    ///
    /// ```
    /// let mut bytes = [0; 4];
    /// let step = placemat::utf32::to_latin1(&[0x6E, 0x20AC], &mut bytes);
    /// assert!(matches!(step.status, placemat::Status::Failed(error) if error.offset() == 1));
    /// ```
    to_latin1(UTF32: u32 => LATIN1: u8) Stop none;
}
looks! {
    /// ```
    /// use placemat::utf32;
    /// assert_eq!(utf32::validate(&[0x61, 0x1F600]), Ok(()));
    /// assert_eq!(utf32::validate(&[0x61, 0xD800]).unwrap_err().offset(), 1);
    /// ```
    validate(UTF32: u32)
}
looks! {
    /// The exact number of bytes that [`to_utf8`] will write.
    ///
    /// ```
    /// assert_eq!(placemat::utf32::utf8_len(&[0x6E, 0x1F600]), Ok(5));
    /// ```
    utf8_len(UTF32: u32 => UTF8: u8)
}
looks! {
    /// The exact number of units that [`to_utf16`] will write.
    ///
    /// ```
    /// assert_eq!(placemat::utf32::utf16_len(&[0x6E, 0x1F600]), Ok(3));
    /// ```
    utf16_len(UTF32: u32 => UTF16: u16)
}
