//! Writes code points, given by number, in a form.

use std::{error, fmt};

use placemat::{CodePoint, Form};

use crate::escape;

/// Why code points cannot be written in a form.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CodePointsError {
    /// This text is not a code point in hexadecimal.
    NotACodePoint(String),
    /// The form cannot carry this code point.
    NotCarried {
        /// The form that was asked for.
        form: Form,
        /// The code point that it cannot carry.
        code_point: CodePoint,
        /// A form that can carry it, if possible a variant of the one that was asked for.
        other: Option<Form>,
    },
    /// The form can carry each code point, but not this sequence of them.
    Refused {
        /// The form that was asked for.
        form: Form,
        /// The first error.
        error: placemat::Error,
    },
}

impl fmt::Display for CodePointsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CodePointsError::NotACodePoint(word) => write!(
                f,
                "“{}” is not a code point: hexadecimal, at most 7FFFFFFF, is expected",
                escape::text(word)
            ),
            CodePointsError::NotCarried { form, code_point, other } => {
                write!(f, "{form} cannot carry {code_point}")?;
                other.map_or(Ok(()), |other| write!(f, "; {other} can"))
            }
            CodePointsError::Refused { form, error } => write!(f, "{form} cannot carry this: {error}"),
        }
    }
}

impl error::Error for CodePointsError {}

/// Returns the bytes of code points in a form. They are given in hexadecimal (`U+20AC`, `0x20AC`, `20AC`), with spaces
/// or commas between.
///
/// # Errors
/// A part of the text is not a code point, or the form cannot carry it.
///
/// ```
/// use placemat::Form;
/// use placemat_text::explain::of_code_points;
///
/// assert_eq!(of_code_points("U+20AC, 41", Form::Utf8).unwrap(), "€A".as_bytes());
/// let error = of_code_points("20AC", Form::UsAscii).unwrap_err();
/// assert_eq!(error.to_string(), "us-ascii cannot carry U+20AC; utf-8 can");
/// ```
pub fn of_code_points(text: &str, form: Form) -> Result<Vec<u8>, CodePointsError> {
    let mut source = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()) {
        let prefixes = ["U+", "u+", "0x", "\\u{", "&#x"];
        let digits = prefixes.iter().find_map(|prefix| word.strip_prefix(prefix)).unwrap_or(word);
        let digits = digits.trim_end_matches(['}', ';']);
        let value = u32::from_str_radix(digits, 16).ok().and_then(CodePoint::new);
        let c = value.ok_or_else(|| CodePointsError::NotACodePoint(word.to_owned()))?;
        if !form.carries(c) {
            return Err(CodePointsError::NotCarried { form, code_point: c, other: carrier(form, c) });
        }
        source.extend_from_slice(&c.value().to_be_bytes());
    }
    placemat::convert(Form::Ucs4Be, form, &source).map_err(|error| CodePointsError::Refused { form, error })
}

/// Returns a form that carries `c`: a profile of this one, or else the first in the list of forms.
fn carrier(form: Form, c: CodePoint) -> Option<Form> {
    let carries = |other: &&Form| other.carries(c);
    let is_profile =
        |other: &&Form| other.name().split_once('/').is_some_and(|(base, _)| base == form.name());
    let all = Form::ALL.iter();
    all.clone().filter(is_profile).find(carries).or_else(|| all.clone().find(carries)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_points_are_written_in_the_form() {
        assert_eq!(of_code_points("U+20AC, 41", Form::Utf8).unwrap(), "€A".as_bytes());
        assert_eq!(of_code_points("D800", Form::Ucs2Be).unwrap(), b"\xD8\0");
        for (points, form, other) in [
            ("D83D DE00", Form::Utf8, "utf-8/surrogates"),
            ("D800", Form::Utf16Le, "utf-16le/surrogates"),
            ("20AC", Form::UsAscii, "utf-8"),
            ("7FFFFFFF", Form::Utf16, "utf-8-rfc2279"),
        ] {
            let message = of_code_points(points, form).unwrap_err().to_string();
            assert!(message.ends_with(&format!("; {other} can")), "{message}");
        }
        assert!(of_code_points("80000000", Form::Utf8).is_err());
    }
}
