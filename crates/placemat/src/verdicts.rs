//! Verdicts: in which forms some bytes are well-formed, and their first error in the other forms.

#![forbid(unsafe_code)]

use core::iter::FusedIterator;

use crate::error::Error;
use crate::form::Form;

/// Reads `bytes` in every form, in the order of [`Form::ALL`], and returns the first error of each form, if there is one.
///
/// One pass for each form, and only as far as its first error; no allocation. Bytes that are well-formed in many forms need
/// not be the same text in all: [`sequences()`](crate::sequences()) shows what each form reads.
///
/// ```
/// use placemat::{Form, verdicts};
/// let pair = b"\xED\xA0\xBD\xED\xB8\x80";                  // U+1F600, as CESU-8 writes it
/// let first = |form| verdicts(pair).find(|v| v.form() == form).unwrap().error();
/// assert_eq!(first(Form::Utf8).unwrap().kind().name(), "surrogate");
/// assert_eq!(first(Form::Utf8Surrogates), None);
/// ```
#[must_use]
pub fn verdicts(bytes: &[u8]) -> Verdicts<'_> {
    Verdicts { bytes, forms: Form::ALL.iter() }
}

/// The iterator that [`verdicts`] returns.
#[derive(Clone, Debug)]
pub struct Verdicts<'a> {
    bytes: &'a [u8],
    forms: core::slice::Iter<'static, Form>,
}

/// The verdict of one form on some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormVerdict {
    form: Form,
    error: Option<Error>,
}

impl FormVerdict {
    /// The form that the bytes were read as.
    ///
    /// ```
    /// use placemat::{Form, verdicts};
    /// assert_eq!(verdicts(b"a").next().unwrap().form(), Form::ALL[0]);
    /// ```
    #[must_use]
    pub const fn form(&self) -> Form {
        self.form
    }

    /// The first error, or `None` when the bytes are well-formed.
    ///
    /// ```
    /// # use placemat::{Form, verdicts};
    /// let utf8 = verdicts(b"a\xFF").find(|verdict| verdict.form() == Form::Utf8).unwrap();
    /// assert_eq!(utf8.error().unwrap().offset(), 1);
    /// ```
    #[must_use]
    pub const fn error(&self) -> Option<Error> {
        self.error
    }

    /// Whether the bytes are well-formed.
    ///
    /// ```
    /// # use placemat::{Form, verdicts};
    /// assert!(verdicts(b"a\xFF").any(|verdict| verdict.form() == Form::Iso8859_1 && verdict.is_well_formed()));
    /// ```
    #[must_use]
    pub const fn is_well_formed(&self) -> bool {
        self.error.is_none()
    }
}

impl Iterator for Verdicts<'_> {
    type Item = FormVerdict;

    fn next(&mut self) -> Option<FormVerdict> {
        let &form = self.forms.next()?;
        Some(FormVerdict { form, error: crate::errors(form, self.bytes).next() })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.forms.size_hint()
    }
}

impl ExactSizeIterator for Verdicts<'_> {}
impl FusedIterator for Verdicts<'_> {}
