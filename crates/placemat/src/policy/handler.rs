//! Handlers: what they learn about an error, and the text that they write in its place.

#![forbid(unsafe_code)]

use core::fmt;

use super::ErrorSize;
use crate::code_point::CodePoint;
use crate::error::Error;

/// One error, as a [`Handler`] sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault<'a> {
    /// Kind and place. With [`ErrorSize::Byte`] one fault per byte is reported.
    pub error: Error,
    /// The ill-formed bytes. Empty if the target refuses a stand-in, not something in the source.
    pub bytes: &'a [u8],
    /// The code point that the target cannot carry, if the kind is [`ErrorKind::Unencodable`](crate::ErrorKind::Unencodable).
    pub code_point: Option<CodePoint>,
    /// Whether this error is the first of its group; [`Handler::size`] defines the groups.
    pub opens: bool,
}

impl<'a> Fault<'a> {
    /// Creates a fault for an error that another reader or writer found, so that a [`Handler`] can decide on it too.
    ///
    /// ```
    /// use placemat::{Error, ErrorKind, Fault, Handler as _, Policy, Text, Decision};
    /// let error = Error::new(ErrorKind::InvalidByte, 7, 1);
    /// let mut text = Text::new();
    /// assert_eq!(Policy::Escape.decide(&Fault::new(error, b"\xFF", None, true), &mut text), Decision::Resume);
    /// assert_eq!(text.code_points().len(), 4); // \xff
    /// ```
    #[must_use]
    pub const fn new(error: Error, bytes: &'a [u8], code_point: Option<CodePoint>, opens: bool) -> Fault<'a> {
        Fault { error, bytes, code_point, opens }
    }
}

/// What a [`Handler`] decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Write the text, which may be empty, and go on.
    Resume,
    /// Report the error and stop. The text is not written.
    Stop,
}

/// The text that stands in for one error: at most [`Text::CAPACITY`] code points.
#[derive(Clone, Copy)]
pub struct Text {
    code_points: [CodePoint; Text::CAPACITY],
    len: u8,
}

impl Text {
    /// The most code points that a text can hold. The longest stand-in of the built-in policies has 24 (six bytes as `\xhh`).
    pub const CAPACITY: usize = 32;

    /// Creates an empty text.
    ///
    /// ```
    /// assert!(placemat::Text::new().code_points().is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Text {
        Text { code_points: [CodePoint::of(0); Text::CAPACITY], len: 0 }
    }

    /// Append one code point.
    ///
    /// ```
    /// let mut text = placemat::Text::new();
    /// (0..placemat::Text::CAPACITY).try_for_each(|_| text.push('?')).unwrap();
    /// assert!(text.push('!').is_err());
    /// ```
    ///
    /// # Errors
    /// The code point itself, when the text is full.
    pub fn push(&mut self, c: impl Into<CodePoint>) -> Result<(), CodePoint> {
        let c = c.into();
        let Some(place) = self.code_points.get_mut(usize::from(self.len)) else { return Err(c) };
        *place = c;
        self.len += 1;
        Ok(())
    }

    /// Appends all of a string, or nothing if it does not fit. `write!` works too.
    ///
    /// ```
    /// use placemat::Text;
    /// let mut text = Text::new();
    /// text.push_str("&euro;").unwrap();
    /// assert_eq!(text.code_points().len(), 6);
    /// ```
    ///
    /// # Errors
    /// The first code point for which there is no room.
    pub fn push_str(&mut self, string: &str) -> Result<(), CodePoint> {
        let room = Text::CAPACITY - usize::from(self.len);
        if let Some(c) = string.chars().nth(room) {
            return Err(c.into());
        }
        string.chars().try_for_each(|c| self.push(c))
    }

    /// Put `c` in the place of the code point at `index`, if there is one.
    pub(crate) fn replace(&mut self, index: usize, c: CodePoint) {
        if let Some(place) = self.code_points[..usize::from(self.len)].get_mut(index) {
            *place = c;
        }
    }

    pub(crate) fn clear(&mut self) {
        self.len = 0;
    }

    /// The code points that the text holds so far.
    ///
    /// ```
    /// let mut text = placemat::Text::new();
    /// text.push('?').unwrap();
    /// assert_eq!(text.code_points(), ['?'.into()]);
    /// ```
    #[must_use]
    pub fn code_points(&self) -> &[CodePoint] {
        &self.code_points[..usize::from(self.len)]
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, string: &str) -> fmt::Result {
        self.push_str(string).map_err(|_| fmt::Error)
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        self.code_points() == other.code_points()
    }
}

impl Eq for Text {}

impl Default for Text {
    fn default() -> Text {
        Text::new()
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Only the first `len` code points: those behind them are left over from earlier texts.
        f.debug_tuple("Text").field(&self.code_points()).finish()
    }
}

/// The policies that a kernel can apply by itself, because they treat all errors alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fixed {
    /// Stops at every error.
    Stop,
    /// One U+FFFD per maximal subpart.
    Replace,
}

/// Decides what is done about each error. [`Policy`](super::Policy) is the usual handler; closures are handlers too
/// ([`Transcoder::on_error_with`](crate::Transcoder::on_error_with)).
pub trait Handler {
    /// Decide on one fault: append its stand-in to `text`, or stop. With [`ErrorSize::Byte`], `text` already holds the stand-ins
    /// of the earlier bytes of the same error.
    ///
    /// ```
    /// use placemat::{Decision, Error, ErrorKind, Fault, Handler as _, Policy, Text};
    /// let fault = Fault::new(Error::new(ErrorKind::InvalidByte, 7, 1), b"\xFF", None, true);
    /// let mut text = Text::new();
    /// assert_eq!(Policy::Replace.decide(&fault, &mut text), Decision::Resume);
    /// assert_eq!(text.code_points(), ['\u{FFFD}'.into()]);
    /// ```
    fn decide(&mut self, fault: &Fault<'_>, text: &mut Text) -> Decision;

    /// How errors are grouped ([`Fault::opens`]) or split ([`ErrorSize::Byte`]).
    ///
    /// ```
    /// use placemat::{ErrorSize, Handler as _, Policy};
    /// assert_eq!((Policy::ReplaceByte.size(), Policy::Replace.size()), (ErrorSize::Byte, ErrorSize::Maximal));
    /// ```
    fn size(&self) -> ErrorSize {
        ErrorSize::Maximal
    }

    /// The fixed policy that this handler equals, if any. It lets the engine use kernels that replace errors by themselves.
    ///
    /// ```
    /// use placemat::{Fixed, Handler as _, Policy};
    /// assert_eq!((Policy::Stop.fixed(), Policy::Skip.fixed()), (Some(Fixed::Stop), None));
    /// ```
    fn fixed(&self) -> Option<Fixed> {
        None
    }

    /// Whether this handler always removes characters that the target lacks. The engine then removes them without a call for
    /// each.
    ///
    /// ```
    /// use placemat::{Handler as _, Policy, Unencodable};
    /// assert!(Policy::Stop.unencodable(Unencodable::Skip).skips_unencodable());
    /// assert!(!Policy::Skip.unencodable(Unencodable::Ncr).skips_unencodable());
    /// ```
    fn skips_unencodable(&self) -> bool {
        false
    }
}

impl<F: FnMut(&Fault<'_>, &mut Text) -> Decision> Handler for F {
    fn decide(&mut self, fault: &Fault<'_>, text: &mut Text) -> Decision {
        self(fault, text)
    }
}
