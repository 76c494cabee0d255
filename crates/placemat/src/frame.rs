//! Strings of Modified UTF-8 as they are stored: with a count before them, and in DEX a byte 00 behind them.
//!
//! The text itself is in the form [`Form::Mutf8`](crate::Form::Mutf8) (or a profile of it) and is converted like any other. A
//! count that is too large is refused without a cost in memory or time.
//!
//! ```
//! use placemat::frame::Frame;
//! let (text, rest) = Frame::Java.read(b"\x00\x03A\xC0\x80next").unwrap();
//! assert_eq!((text, rest), (&b"A\xC0\x80"[..], &b"next"[..]));
//! assert_eq!(Frame::Dex.header(text).unwrap().as_bytes(), [2]);
//! ```

#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use crate::error::{Error, ErrorKind};
use crate::form::{announced_length, is_continuation};

/// A layout of strings: how the count before a string is written, and what it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Frame {
    /// Two bytes, big-endian: the count of *bytes*, at most 65,535. `DataOutput.writeUTF`, `CONSTANT_Utf8` of a class file
    /// (JVM specification, 4.4.7).
    Java,
    /// Eight bytes, big-endian: the count of *bytes*. `TC_LONGSTRING` of the Java object serialization protocol.
    JavaLong,
    /// `uleb128`: the count of *UTF-16 units*; behind the text a byte 00. `string_data_item` of Android's DEX format.
    Dex,
}

/// The count that goes before a string: at most eight bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    bytes: [u8; 8],
    len: u8,
}

impl Header {
    /// The bytes to write before the text.
    ///
    /// ```
    /// # use placemat::frame::Frame;
    /// assert_eq!(Frame::Java.header(b"abc").unwrap().as_bytes(), [0, 3]);
    /// ```
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

impl Frame {
    /// The text of the string at the start of `bytes`, and what follows the string.
    ///
    /// The text is not validated; only with [`Frame::Dex`] it must agree with the count. At most linear in the text.
    ///
    /// ```
    /// # use placemat::frame::Frame;
    /// assert_eq!(Frame::Dex.read(b"\x02ab\0next").unwrap(), (&b"ab"[..], &b"next"[..]));
    /// assert_eq!(Frame::Java.read(b"\0\x09ab").unwrap_err().kind().name(), "truncated");
    /// ```
    ///
    /// # Errors
    /// At the count: `truncated` if it is larger than the rest of the bytes, `too-large` if it does not fit its type,
    /// `non-canonical` if a DEX string is shorter or longer than its count.
    pub fn read(self, bytes: &[u8]) -> Result<(&[u8], &[u8]), Error> {
        match self {
            Frame::Java => {
                let (count, rest) = bytes.split_first_chunk().ok_or(short(bytes.len()))?;
                split(rest, u64::from(u16::from_be_bytes(*count)), 2)
            }
            Frame::JavaLong => {
                let (count, rest) = bytes.split_first_chunk().ok_or(short(bytes.len()))?;
                split(rest, u64::from_be_bytes(*count), 8)
            }
            Frame::Dex => {
                let (units, width) = uleb128(bytes)?;
                let rest = &bytes[width..];
                // A unit takes three bytes at most, so the end is near or the count is wrong.
                let within = rest.len().min((units as usize).saturating_mul(3).saturating_add(1));
                let wrong = Error::new(ErrorKind::NonCanonical, 0, width as u8);
                match rest[..within].iter().position(|&byte| byte == 0) {
                    Some(end) if count_units(&rest[..end]) == units as usize => {
                        Ok((&rest[..end], &rest[end + 1..]))
                    }
                    None if within == rest.len() && count_units(rest) <= units as usize => Err(short(width)),
                    _ => Err(wrong),
                }
            }
        }
    }

    /// The count to write before `text`, which is Modified UTF-8. [`Frame::trailer`] goes behind it.
    ///
    /// ```
    /// # use placemat::frame::Frame;
    /// assert_eq!(Frame::JavaLong.header(b"abc").unwrap().as_bytes(), [0, 0, 0, 0, 0, 0, 0, 3]);
    /// assert!(Frame::Java.header(&[b'a'; 65_536]).is_err());
    /// ```
    ///
    /// # Errors
    /// `unencodable` where the text becomes too long for the count. In a DEX string also `unencodable` at a byte 00, which would
    /// end it, and `unexpected-continuation` at a continuation byte that belongs to no character, because no reader could count
    /// it.
    pub fn header(self, text: &[u8]) -> Result<Header, Error> {
        let mut header = Header { bytes: [0; 8], len: 0 };
        match self {
            Frame::Java => {
                let too_long = Error::new(ErrorKind::Unencodable, u64::from(u16::MAX), 0);
                let count = u16::try_from(text.len()).map_err(|_| too_long)?;
                header.bytes[..2].copy_from_slice(&count.to_be_bytes());
                header.len = 2;
            }
            Frame::JavaLong => {
                header.bytes = (text.len() as u64).to_be_bytes();
                header.len = 8;
            }
            Frame::Dex => {
                let too_long = Error::new(ErrorKind::Unencodable, u64::from(u32::MAX), 0);
                let mut rest = u32::try_from(units_of_dex(text)?).map_err(|_| too_long)?;
                loop {
                    let more = if rest >= 0x80 { 0x80 } else { 0 };
                    header.bytes[usize::from(header.len)] = rest as u8 & 0x7F | more;
                    header.len += 1;
                    rest >>= 7;
                    if more == 0 {
                        break;
                    }
                }
            }
        }
        Ok(header)
    }

    /// The bytes to write behind the text.
    ///
    /// ```
    /// # use placemat::frame::Frame;
    /// assert_eq!((Frame::Dex.trailer(), Frame::Java.trailer()), (&b"\0"[..], &b""[..]));
    /// ```
    #[must_use]
    pub const fn trailer(self) -> &'static [u8] {
        match self {
            Frame::Java | Frame::JavaLong => b"",
            Frame::Dex => b"\0",
        }
    }

    /// Appends the whole string to `out`, or nothing on an error.
    ///
    /// ```
    /// # use placemat::frame::Frame;
    /// let mut out = Vec::new();
    /// Frame::Java.write(b"abc", &mut out)?;
    /// assert_eq!(out, b"\0\x03abc");
    /// # Ok::<(), placemat::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Frame::header`].
    #[cfg(feature = "alloc")]
    pub fn write(self, text: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        out.extend_from_slice(self.header(text)?.as_bytes());
        out.extend_from_slice(text);
        out.extend_from_slice(self.trailer());
        Ok(())
    }
}

/// The error of a count that is larger than the rest of the bytes. The `width` bytes of the count are the error.
fn short(width: usize) -> Error {
    Error::new(ErrorKind::Truncated, 0, width as u8)
}

fn split(rest: &[u8], count: u64, width: usize) -> Result<(&[u8], &[u8]), Error> {
    usize::try_from(count).ok().and_then(|count| rest.split_at_checked(count)).ok_or(short(width))
}

/// The UTF-16 units of a text, as [`count_units`] counts them.
///
/// # Errors
/// The first byte 00, and the first continuation byte that no lead byte can announce: [`Frame::read`] refuses both.
fn units_of_dex(text: &[u8]) -> Result<usize, Error> {
    let mut announced = 0;
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            0 => return Err(Error::new(ErrorKind::Unencodable, at as u64, 1)),
            0x80..0xC0 if announced == 0 => {
                return Err(Error::new(ErrorKind::UnexpectedContinuation, at as u64, 1));
            }
            0x80..0xC0 => announced -= 1,
            _ => announced = announced_length(byte).saturating_sub(1),
        }
    }
    Ok(count_units(text))
}

/// Each unit has one byte that is no continuation byte. Only the four-byte sequences that some profiles read are two units.
fn count_units(text: &[u8]) -> usize {
    text.iter().map(|&byte| usize::from(!is_continuation(byte)) + usize::from(byte >= 0xF0)).sum()
}

/// A number in groups of seven bits, lowest first, and its width: at most five bytes for 32 bits.
fn uleb128(bytes: &[u8]) -> Result<(u32, usize), Error> {
    let mut value = 0;
    for (at, &byte) in bytes.iter().enumerate().take(5) {
        value |= u64::from(byte & 0x7F) << (7 * at);
        if byte < 0x80 {
            let value = u32::try_from(value).map_err(|_| Error::new(ErrorKind::TooLarge, 0, at as u8 + 1))?;
            return Ok((value, at + 1));
        }
    }
    Err(if bytes.len() < 5 { short(bytes.len()) } else { Error::new(ErrorKind::TooLarge, 0, 5) })
}
