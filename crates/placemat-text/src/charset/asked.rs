//! Whether the result of a detection is the encoding that a user asked for.

use placemat::Form;
use placemat::label::Labels;
use placemat_detect::{Detection, Encoding};

use super::Charset;
use crate::Error;

/// What a user asks for by a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// A result that is no encoding: `binary`, `unknown`, `several encodings`.
    Verdict(Encoding),
    /// An encoding, and the one that detection names instead: a superset of it, if there is one.
    Charset(Charset, Charset),
}

impl Asked {
    /// Returns what a name asks for: any name that [`Charset::resolve`] knows, or a result that is no encoding (`several` is
    /// short for `several encodings`).
    ///
    /// # Errors
    /// As [`Charset::resolve`].
    ///
    /// ```
    /// use placemat::label::Labels;
    /// use placemat_text::charset::Asked;
    ///
    /// let is = |name, text: &[u8]| {
    ///     let asked = Asked::named(Labels::Lenient, name).unwrap();
    ///     asked.is(&placemat_detect::detect(text, true))
    /// };
    /// assert!(is("utf-8", "é".as_bytes()) && is("utf-8", b"e"), "ASCII is UTF-8");
    /// assert!(is("latin1", b"caf\xE9") && is("cp1252", b"caf\xE9") && !is("cp1250", b"caf\xE9"));
    /// assert!(is("utf-16", b"\xFF\xFEa\0") && is("unknown", b"\xFF\xFF\xFF"));
    /// assert!(Asked::named(Labels::Lenient, "utf8x").is_err());
    /// ```
    pub fn named(labels: Labels, name: &str) -> Result<Asked, Error> {
        let verdicts = [Encoding::Binary, Encoding::Unknown, Encoding::Several];
        if let Some(verdict) = verdicts.into_iter().find(|verdict| verdict.name() == name) {
            return Ok(Asked::Verdict(verdict));
        }
        if name == "several" {
            return Ok(Asked::Verdict(Encoding::Several));
        }
        let charset = Charset::resolve(labels, name)?;
        if charset.form() == Some(Form::UsAscii) {
            return Ok(Asked::Charset(charset, charset));
        }
        // For these names, the WHATWG standard and detection have the same supersets.
        let wider = Charset::resolve(Labels::Whatwg, name).unwrap_or(charset);
        let wider = if wider.name() == "gbk" { Charset::resolve(Labels::Lenient, "gb18030")? } else { wider };
        Ok(Asked::Charset(charset, wider))
    }

    /// Whether the detection found what was asked for. ASCII counts as UTF-8, and UTF-16 as either byte order.
    ///
    /// ```
    /// use placemat::label::Labels;
    /// use placemat_text::charset::Asked;
    ///
    /// let asked = Asked::named(Labels::Lenient, "shift_jis").unwrap();
    /// assert!(!asked.is(&placemat_detect::detect("é".as_bytes(), true)));
    /// ```
    #[must_use]
    pub fn is(&self, found: &Detection) -> bool {
        let (asked, wider) = match self {
            Asked::Verdict(verdict) => return found.encoding == *verdict,
            Asked::Charset(asked, wider) => (asked, wider),
        };
        let Ok(seen) = Charset::resolve(Labels::Lenient, found.encoding.name()) else { return false };
        match (asked.form(), seen.form()) {
            (Some(Form::Utf8), Some(Form::UsAscii))
            | (Some(Form::Utf16), Some(Form::Utf16Le | Form::Utf16Be))
            | (Some(Form::Utf32), Some(Form::Utf32Le | Form::Utf32Be)) => true,
            _ => asked.name() == seen.name() || wider.name() == seen.name(),
        }
    }
}
