//! Byte order marks: which form one announces, and what to do with it.

#![forbid(unsafe_code)]

use crate::code_point::CodePoint;
use crate::form::Form;
use crate::policy::Misfit;

/// What to do with U+FEFF at the start of the text.
///
/// Forms with a byte order mark of their own ([`Form::Utf16`], [`Form::Utf8Bom`] …) read and write it themselves, and never write
/// two. Empty input gives empty output, without a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Bom {
    /// Leave U+FEFF as it is; it is dropped if the target form cannot carry it.
    #[default]
    Keep,
    /// Remove U+FEFF if the text begins with it.
    Strip,
    /// Write U+FEFF if the text does not begin with it. Not for a target that cannot carry it: see [`Bom::fits`].
    Add,
}

impl Bom {
    /// The value with that name, as in the command's `--bom`: `keep`, `strip` or `add` (exact).
    ///
    /// ```
    /// # use placemat::Bom;
    /// assert_eq!(Bom::named("strip"), Some(Bom::Strip));
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Bom> {
        Some(match name {
            "keep" => Bom::Keep,
            "strip" => Bom::Strip,
            "add" => Bom::Add,
            _ => return None,
        })
    }

    /// Checks whether this setting is possible with the target form `to`.
    ///
    /// ```
    /// # use placemat::{Bom, Form, Misfit};
    /// assert_eq!(Bom::Add.fits(Form::UsAscii), Err(Misfit::NoMark));
    /// assert_eq!(Bom::Add.fits(Form::Utf8), Ok(()));
    /// ```
    ///
    /// # Errors
    /// [`Misfit::NoMark`].
    pub fn fits(self, to: Form) -> Result<(), Misfit> {
        if self == Bom::Add && !to.carries(CodePoint::MARK) { Err(Misfit::NoMark) } else { Ok(()) }
    }
}

/// The forms and their byte order marks, longest mark first (`FF FE 00 00` is UTF-32 rather than UTF-16 and U+0000).
const SIGNATURES: [(&[u8], Form); 5] = [
    (&[0x00, 0x00, 0xFE, 0xFF], Form::Utf32Be),
    (&[0xFF, 0xFE, 0x00, 0x00], Form::Utf32Le),
    (&[0xEF, 0xBB, 0xBF], Form::Utf8),
    (&[0xFE, 0xFF], Form::Utf16Be),
    (&[0xFF, 0xFE], Form::Utf16Le),
];

/// The form that a byte order mark at the start announces, and the length of the mark in bytes.
///
/// ```
/// use placemat::{Form, bom};
/// assert_eq!(bom::sniff(b"\xEF\xBB\xBFhello"), Some((Form::Utf8, 3)));
/// assert_eq!(bom::sniff(b"hello"), None);
/// ```
#[must_use]
pub fn sniff(bytes: &[u8]) -> Option<(Form, usize)> {
    SIGNATURES.iter().find(|(mark, _)| bytes.starts_with(mark)).map(|&(mark, form)| (form, mark.len()))
}

/// The bytes without a byte order mark of UTF-8 at the start.
///
/// ```
/// assert_eq!(placemat::bom::strip(b"\xEF\xBB\xBFhello"), b"hello");
/// ```
#[must_use]
pub fn strip(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}
