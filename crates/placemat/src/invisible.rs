//! Characters that are not shown: well-formed UTF-8 that hides something, or changes the order of what is shown.
//!
//! [`findings`] checks each default-ignorable character, bidirectional control and control code where it stands. A character that
//! its place explains is no finding: a joiner in Persian or Hindi, or in an emoji that Unicode recommends, a variation selector
//! after an ideograph, a soft hyphen inside a word, a balanced isolate in prose, a byte order mark at the start.
//!
//! ```
//! use placemat::invisible::{Kind, findings};
//!
//! // "hi" in tag characters behind a visible word.
//! let text = "ok\u{E0068}\u{E0069}";
//! let found: Vec<_> = findings(text.as_bytes()).collect();
//! assert_eq!((found[0].kind, found[0].offset, found[0].length), (Kind::TagPayload, 2, 8));
//! assert!(found[0].payload().eq(*b"hi"));
//! // A family, and Persian with its joiner.
//! assert_eq!(findings("👩‍👩‍👦 می‌خواهم".as_bytes()).count(), 0);
//! ```
//!
//! Sources: UAX #9 (bidirectional controls), UAX #31 section 2.3 (joiners), UTS #51 (emoji), "Trojan Source" (CVE-2021-42574).
//! The tables are those of the Unicode version [`UNICODE_VERSION`].

mod bidi;
mod context;
mod kind;
mod near;
mod parts;
mod payload;
mod scan;
mod tables;

pub use kind::{Kind, Kinds};
pub use near::AROUND;
pub use payload::Payload;
pub use scan::Findings;

/// The version of the Unicode Character Database that the tables are from.
pub const UNICODE_VERSION: &str = tables::VERSION;

/// A sequence that is not shown and has no legitimate reason to be at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Finding<'a> {
    /// The kind of the finding.
    pub kind: Kind,
    /// Where it begins, in bytes from the start of the input.
    pub offset: usize,
    /// The number of bytes, at least one.
    pub length: usize,
    /// The bytes of the finding.
    pub bytes: &'a [u8],
}

impl<'a> Finding<'a> {
    /// The hidden bytes: ASCII from tag characters, 0 to 255 from variation selectors. Empty for other kinds.
    ///
    /// ```
    /// # use placemat::invisible::findings;
    /// let hidden = "😀\u{E0158}\u{E0159}";
    /// assert!(findings(hidden.as_bytes()).next().unwrap().payload().eq(*b"hi"));
    /// ```
    #[must_use]
    pub fn payload(&self) -> Payload<'a> {
        Payload::new(self.kind, self.bytes)
    }
}

/// Iterates over the findings of [`Kinds::DEFAULT`] in `bytes`, which should be UTF-8. Ill-formed sequences are skipped.
///
/// Findings come in the order of their ends: a bidirectional control is reported where it is closed, or at the end of its line.
/// One pass, no allocation.
///
/// ```
/// use placemat::invisible::{Kind, findings};
///
/// let source = "if (level != \"user\u{202E} \u{2066}// admin\u{2069} \u{2066}\") {";
/// assert!(findings(source.as_bytes()).all(|found| found.kind == Kind::BidiUnbalanced));
/// assert_eq!(findings(source.as_bytes()).count(), 3);
/// ```
#[must_use]
pub fn findings(bytes: &[u8]) -> Findings<'_> {
    findings_of(bytes, Kinds::DEFAULT)
}

/// Like [`findings`], for the chosen kinds.
///
/// ```
/// use placemat::invisible::{Kind, Kinds, findings_of};
///
/// let kinds = Kinds::DEFAULT.with(Kind::PrivateUse);
/// assert_eq!(findings_of("\u{E000}".as_bytes(), kinds).next().unwrap().kind, Kind::PrivateUse);
/// ```
#[must_use]
pub fn findings_of(bytes: &[u8], kinds: Kinds) -> Findings<'_> {
    Findings::new(bytes, parts::Parts::new(bytes), kinds)
}

/// Like [`findings_of`], for well-formed text.
///
/// ```
/// use placemat::invisible::{Kinds, findings_in};
/// assert_eq!(findings_in("a\u{200B}b", Kinds::DEFAULT).next().unwrap().offset, 1);
/// ```
#[must_use]
pub fn findings_in(text: &str, kinds: Kinds) -> Findings<'_> {
    Findings::new(text.as_bytes(), parts::Parts::of(text), kinds)
}

/// How many bytes at the start of a text surely have no finding of these kinds; there may be more. Most clean text is skipped
/// with vectors, which is many times as fast as the first step of [`findings_in`].
///
/// ```
/// use placemat::invisible::{Kinds, clean_prefix};
/// assert_eq!(clean_prefix("می‌خواهم", Kinds::DEFAULT), 17);
/// assert_eq!(clean_prefix("a\u{200B}b", Kinds::DEFAULT), 1);
/// ```
#[must_use]
pub fn clean_prefix(text: &str, kinds: Kinds) -> usize {
    scan::before(text.as_bytes(), kinds)
}
