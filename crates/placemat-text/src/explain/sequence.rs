//! Iterates over the sequences of a text, with guesses at what malformed UTF-8 was meant to be.

use placemat::{CodePoint, Error, Form};
use placemat_detect::{Before, Kind};
use serde::{Serialize, Serializer};

use super::object::Problem;
use crate::notation::hex;

/// One sequence of a text: a character, or one error.
///
/// In the serialisation, `bytes` is in hexadecimal, and either `code_point` or `error` is null.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sequence<'a> {
    /// The offset of its start, in bytes.
    pub offset: usize,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Its code point, or its error.
    pub code_point: Result<CodePoint, Error>,
    /// For malformed UTF-8: the encoding or dialect in which the bytes here are text. Several sequences that are text
    /// together have one hint, at the first of them.
    pub hint: Option<&'static str>,
    /// That text.
    pub meant: Option<String>,
}

impl Serialize for Sequence<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Written<'a> {
            offset: usize,
            length: usize,
            bytes: String,
            code_point: Option<String>,
            error: Option<Problem>,
            hint: Option<&'static str>,
            meant: Option<&'a str>,
        }
        Written {
            offset: self.offset,
            length: self.bytes.len(),
            bytes: hex(self.bytes),
            code_point: self.code_point.ok().map(|c| c.to_string()),
            error: self.code_point.err().map(|error| Problem::new(&error, 0)),
            hint: self.hint,
            meant: self.meant.as_deref(),
        }
        .serialize(serializer)
    }
}

/// The iterator that [`sequences`] returns.
#[derive(Clone, Debug)]
pub struct Sequences<'a> {
    form: Form,
    bytes: &'a [u8],
    rest: placemat::Sequences<'a>,
    /// The end of the bytes that the last hint covers.
    told: usize,
    before: Before,
}

/// Returns the sequences of `bytes`. They are found as the iterator advances, in time linear in the bytes read.
///
/// ```
/// use placemat::Form;
/// use placemat_text::explain::sequences;
///
/// let all: Vec<_> = sequences(Form::Utf8, b"caf\xE9!").collect();
/// assert_eq!(all.len(), 5);
/// assert_eq!(all[3].code_point.unwrap_err().kind().name(), "missing-continuation");
/// assert_eq!((all[3].hint, all[3].meant.as_deref()), (Some("windows-1252"), Some("é")));
/// ```
pub fn sequences(form: Form, bytes: &[u8]) -> Sequences<'_> {
    Sequences { form, bytes, rest: placemat::sequences(form, bytes), told: 0, before: Before::new() }
}

impl<'a> Iterator for Sequences<'a> {
    type Item = Sequence<'a>;

    fn next(&mut self) -> Option<Sequence<'a>> {
        let sequence = self.rest.next()?;
        let range = sequence.range();
        let bytes = &self.bytes[range.clone()];
        let (hint, meant) = match sequence.code_point() {
            _ if self.form != Form::Utf8 || range.start < self.told => (None, None),
            Err(_) => self.guess(range.start),
            Ok(_) => {
                self.before.pass(bytes);
                (None, None)
            }
        };
        Some(Sequence { offset: range.start, bytes, code_point: sequence.code_point(), hint, meant })
    }
}

impl Sequences<'_> {
    /// The relative of UTF-8 in which the bytes at `at` are text, and that text.
    fn guess(&mut self, at: usize) -> (Option<&'static str>, Option<String>) {
        let Some((kind, length)) = self.before.sequence(&self.bytes[at..]) else { return (None, None) };
        self.told = at + length;
        let form = match kind {
            Kind::Windows1252 => Form::Windows1252,
            Kind::CesuPair => Form::Cesu8,
            Kind::ModifiedNul => Form::Mutf8,
            Kind::Other => return (None, None),
            kind => return (Some(kind.name()), None),
        };
        let meant = placemat::convert(form, Form::Utf8, &self.bytes[at..at + length]);
        (Some(form.name()), meant.ok().and_then(|meant| String::from_utf8(meant).ok()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_that_make_sense_together_have_one_hint() {
        let all: Vec<_> = sequences(Form::Utf8, b"\xED\xA0\xBD\xED\xB8\x80!").collect();
        assert_eq!((all[0].hint, all[0].meant.as_deref()), (Some("cesu-8"), Some("😀")));
        assert!(all[1..].iter().all(|sequence| sequence.hint.is_none() && sequence.meant.is_none()));
        assert_eq!(all.last().unwrap().code_point, Ok('!'.into()));
    }

    #[test]
    fn other_forms_have_no_hints() {
        assert!(sequences(Form::UsAscii, b"caf\xE9").all(|sequence| sequence.hint.is_none()));
    }

    #[test]
    fn one_of_code_point_and_error_is_null() {
        let json =
            |bytes: &[u8]| serde_json::to_string(&sequences(Form::Utf8, bytes).next().unwrap()).unwrap();
        assert_eq!(
            json(b"A"),
            r#"{"offset":0,"length":1,"bytes":"41","code_point":"U+0041","error":null,"hint":null,"meant":null}"#
        );
        assert!(
            json(b"\xFF")
                .contains(r#""code_point":null,"error":{"offset":0,"length":1,"kind":"invalid-byte"}"#)
        );
    }
}
