//! Code points: what every reader yields and every writer takes.

#![forbid(unsafe_code)]

use core::fmt;

use crate::padding;

/// A code point of ISO/IEC 10646 in its original range of 31 bits, `0..=7FFF_FFFF`, surrogates included.
///
/// The forms of today carry only scalar values ([`char`]); UCS-2, WTF-8, UTF-1 and the six-octet UTF-8 carry more. A
/// reader may therefore yield any `CodePoint`, and it is the *writer* that refuses what its form cannot hold.
///
/// ```
/// use placemat::CodePoint;
/// let euro = CodePoint::from('€');
/// assert_eq!(euro.to_char(), Some('€'));
/// assert_eq!(euro.to_string(), "U+20AC");
/// assert!(CodePoint::new(0xD800).unwrap().is_surrogate());
/// assert_eq!(CodePoint::new(0x8000_0000), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodePoint(u32);

impl CodePoint {
    /// The largest value of the 31-bit code space, `7FFF_FFFF`.
    pub const MAX: CodePoint = CodePoint(0x7FFF_FFFF);
    /// U+FFFD, which replaces what could not be read.
    pub const REPLACEMENT: CodePoint = CodePoint(0xFFFD);
    /// U+FEFF, the byte order mark.
    pub const MARK: CodePoint = CodePoint(0xFEFF);

    /// U+FFFE: what a byte order mark becomes when it is read in the wrong byte order.
    pub(crate) const NO_MARK: CodePoint = CodePoint(0xFFFE);

    /// The code point with this value, or `None` above `7FFF_FFFF`.
    ///
    /// ```
    /// # use placemat::CodePoint;
    /// assert_eq!(CodePoint::new(0x20AC), Some('€'.into()));
    /// assert_eq!(CodePoint::new(0x8000_0000), None);
    /// ```
    #[must_use]
    pub const fn new(value: u32) -> Option<CodePoint> {
        if value <= Self::MAX.0 { Some(CodePoint(value)) } else { None }
    }

    /// Like [`CodePoint::new`] without the check, for decoders, whose arithmetic cannot exceed 31 bits.
    #[inline(always)]
    pub(crate) const fn of(value: u32) -> CodePoint {
        debug_assert!(value <= Self::MAX.0);
        CodePoint(value)
    }

    /// The number, in `0..=7FFF_FFFF`.
    ///
    /// ```
    /// assert_eq!(placemat::CodePoint::from('€').value(), 0x20AC);
    /// ```
    #[must_use]
    #[inline(always)]
    pub const fn value(self) -> u32 {
        self.0
    }

    /// The character, if this is a scalar value (Unicode D76).
    ///
    /// ```
    /// # use placemat::CodePoint;
    /// assert_eq!(CodePoint::from(0xD800_u16).to_char(), None);
    /// assert_eq!(CodePoint::from(b'a').to_char(), Some('a'));
    /// ```
    #[must_use]
    #[inline(always)]
    pub const fn to_char(self) -> Option<char> {
        char::from_u32(self.0)
    }

    /// Whether this is one of `D800..=DFFF`.
    ///
    /// ```
    /// # use placemat::CodePoint;
    /// assert!(CodePoint::from(0xDFFF_u16).is_surrogate() && !CodePoint::from('€').is_surrogate());
    /// ```
    #[must_use]
    #[inline(always)]
    pub const fn is_surrogate(self) -> bool {
        self.0 & 0xFFFF_F800 == 0xD800
    }

    /// Whether this is a leading (high) surrogate, `D800..=DBFF`.
    ///
    /// ```
    /// # use placemat::CodePoint;
    /// assert!(CodePoint::from(0xD83D_u16).is_high_surrogate());
    /// ```
    #[must_use]
    #[inline(always)]
    pub const fn is_high_surrogate(self) -> bool {
        self.0 & 0xFFFF_FC00 == 0xD800
    }

    /// Whether this is a trailing (low) surrogate, `DC00..=DFFF`.
    ///
    /// ```
    /// # use placemat::CodePoint;
    /// assert!(CodePoint::from(0xDE00_u16).is_low_surrogate());
    /// ```
    #[must_use]
    #[inline(always)]
    pub const fn is_low_surrogate(self) -> bool {
        self.0 & 0xFFFF_FC00 == 0xDC00
    }

    /// Whether this is one of the 66 noncharacters, which are well-formed but never assigned (Unicode D14).
    ///
    /// ```
    /// # use placemat::CodePoint;
    /// assert!(CodePoint::from('\u{FFFE}').is_noncharacter() && !CodePoint::REPLACEMENT.is_noncharacter());
    /// ```
    #[must_use]
    pub const fn is_noncharacter(self) -> bool {
        self.0 <= 0x10_FFFF && (self.0 & 0xFFFE == 0xFFFE || matches!(self.0, 0xFDD0..=0xFDEF))
    }
}

impl From<char> for CodePoint {
    fn from(c: char) -> Self {
        CodePoint(c as u32)
    }
}

impl From<u8> for CodePoint {
    fn from(byte: u8) -> Self {
        CodePoint(u32::from(byte))
    }
}

impl From<u16> for CodePoint {
    fn from(unit: u16) -> Self {
        CodePoint(u32::from(unit))
    }
}

impl From<CodePoint> for u32 {
    fn from(c: CodePoint) -> u32 {
        c.0
    }
}

/// The error for a number above `7FFF_FFFF`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NoCodePoint(());

impl fmt::Display for NoCodePoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("a number above 7FFFFFFF is no code point")
    }
}

impl core::error::Error for NoCodePoint {}

/// ```
/// use placemat::CodePoint;
/// assert_eq!(CodePoint::try_from(0x20AC_u32), Ok(CodePoint::from('€')));
/// assert!(CodePoint::try_from(0x8000_0000_u32).is_err());
/// ```
impl TryFrom<u32> for CodePoint {
    type Error = NoCodePoint;

    fn try_from(value: u32) -> Result<CodePoint, NoCodePoint> {
        CodePoint::new(value).ok_or(NoCodePoint(()))
    }
}

impl TryFrom<CodePoint> for char {
    type Error = core::char::CharTryFromError;

    fn try_from(c: CodePoint) -> Result<char, Self::Error> {
        char::try_from(c.0)
    }
}

impl fmt::UpperHex for CodePoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::UpperHex::fmt(&self.0, f)
    }
}

impl fmt::Display for CodePoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        padding::pad_formatted::<12>(f, format_args!("U+{:04X}", self.0))
    }
}

impl fmt::Debug for CodePoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
