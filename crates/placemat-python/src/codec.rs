//! A form as a codec for Python's `codecs`: functions without state of their own, which take the state and return the next one.
//!
//! Whole texts take a fast path where there is one (`fast`, `handled`, `single`). Everything else takes the general path (`decode`, `encode`).

mod decode;
mod encode;
mod fast;
mod handled;
mod handler;
mod inside;
mod scratch;
mod single;
#[expect(unsafe_code, reason = "what Python has for a str of units is pointers")]
mod units;
mod utf7;
mod wide;

use placemat::{Bom, CodePoint, Form, Transcoder};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use self::fast::Way;
pub(crate) use self::handler::stand_in;
use crate::buffer::with_view;
use crate::failure;

/// The state of an encoder that has not written its byte order mark yet, and of a decoder that may still meet one. CPython's
/// UTF-16 uses the same number.
const AT_START: u32 = 2;

/// Decodes and encodes one form, under its name in `codecs`.
#[pyclass(frozen, module = "placemat._core")]
pub(crate) struct Codec {
    name: String,
    form: Form,
    /// The fast path for whole texts, if the form has one.
    way: Option<Way>,
    /// The profile that lets surrogates pass, for `surrogatepass`.
    passing: Option<Form>,
    /// The byte order mark that the form itself writes: before most texts, and before a text that begins like a mark.
    marks: [Vec<u8>; 2],
    /// The state of a decoder at the start of a text.
    start: u32,
    /// The size of a code unit in bytes.
    unit: usize,
}

#[pymethods]
impl Codec {
    #[new]
    #[pyo3(signature = (form, name=None))]
    fn new(form: &str, name: Option<String>) -> PyResult<Codec> {
        let form = failure::form(form)?;
        let marks = ["a", "\u{FFFE}"].map(|text| mark(form, text).unwrap_or_default());
        let start = Transcoder::new(form, Form::Ucs4Be).state_bits();
        let passing = passing(form);
        let unit = usize::from(form.facts().width.0).max(1);
        Ok(Codec {
            name: name.unwrap_or_else(|| form.name().into()),
            form,
            way: Way::of(form),
            passing,
            marks,
            start,
            unit,
        })
    }

    /// The name in `codecs`.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The states of a decoder and of an encoder at the start of a text.
    #[getter]
    fn start(&self) -> (u32, u32) {
        (self.start, if self.marks[1].is_empty() { 0 } else { AT_START })
    }

    /// Decode a whole text. Returns it and the number of bytes (all), as `codecs.decode` requires.
    #[pyo3(signature = (data, errors="strict"))]
    fn decode_whole<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        errors: Option<&str>,
    ) -> PyResult<(Bound<'py, PyString>, usize)> {
        let (py, errors) = (data.py(), errors.unwrap_or("strict"));
        let whole = |bytes: &[u8]| {
            let text = handled::decode_at_once(self.form, py, bytes, errors);
            let text = text.or_else(|| self.way?.decode(py, bytes));
            let text = text.or_else(|| handled::decode((self.form, self.way?), py, bytes, errors));
            text.map(|text| (text, bytes.len()))
        };
        let found = match data.cast_exact::<PyBytes>() {
            Ok(bytes) => whole(bytes.as_bytes()),
            Err(_) => with_view(data, whole).flatten(),
        };
        if let Some(found) = found {
            return Ok(found);
        }
        self.decode(data, Some(errors), true, None).map(|(text, read, _)| (text, read))
    }

    /// Encode a whole text. Returns its bytes and the number of characters (all), as `codecs.encode` requires.
    #[pyo3(signature = (text, errors="strict"))]
    fn encode_whole<'py>(
        &self,
        text: &Bound<'py, PyString>,
        errors: Option<&str>,
    ) -> PyResult<(Bound<'py, PyBytes>, usize)> {
        let (length, errors) = (units::count(text)?, errors.unwrap_or("strict"));
        let mark = &*self.marks[0];
        let bytes = handled::encode_at_once((self.form, mark), text, errors);
        let bytes = bytes.or_else(|| single::encode_with(self.way?, text, length, errors));
        let bytes = bytes.or_else(|| self.way?.encode(mark, text, length));
        match bytes.or_else(|| handled::encode((self.way?, mark), text, length, errors)) {
            Some(bytes) => Ok((bytes, length)),
            None => self.encode(text, Some(errors), None).map(|(bytes, length, _)| (bytes, length)),
        }
    }

    /// Decode a part of a text. Returns the text, the number of bytes read, and the state after them. Pass the rest again, with more.
    #[pyo3(signature = (data, errors=None, last=true, state=None))]
    fn decode<'py>(
        &self,
        data: &Bound<'py, PyAny>,
        errors: Option<&str>,
        last: bool,
        state: Option<u32>,
    ) -> PyResult<(Bound<'py, PyString>, usize, u32)> {
        let (form, errors) = self.under(errors);
        // The profile that lets surrogates pass does not remove a byte order mark by itself.
        let is_marked = (self.form, form) == (Form::Utf8Bom, Form::Utf8Surrogates);
        let bom = if is_marked { Bom::Strip } else { Bom::Keep };
        decode::decode((form, bom), data, errors, last, state.unwrap_or(self.start))
    }

    /// Encode a part of a text. Returns the bytes, the number of characters (all), and the state after them.
    #[pyo3(signature = (text, errors=None, state=None))]
    fn encode<'py>(
        &self,
        text: &Bound<'py, PyString>,
        errors: Option<&str>,
        state: Option<u128>,
    ) -> PyResult<(Bound<'py, PyBytes>, usize, u128)> {
        let start = u128::from(self.start().1);
        let (form, errors) = self.under(errors);
        encode::encode(self, form, text, errors, state.unwrap_or(start))
    }
}

impl Codec {
    /// The form and the error handler to use. For `surrogatepass` they are the profile of the form that lets surrogates pass, and
    /// `strict`: CPython's `surrogatepass` knows only CPython's forms, and needs a whole surrogate where our decoders stop earlier.
    fn under<'a>(&self, errors: Option<&'a str>) -> (Form, &'a str) {
        match (errors.unwrap_or("strict"), self.passing) {
            ("surrogatepass", Some(form)) => (form, "strict"),
            (errors, _) => (self.form, errors),
        }
    }
}

/// The profile of a form that lets surrogates pass, if the form does not.
fn passing(form: Form) -> Option<Form> {
    let carries = |form: &Form| CodePoint::new(0xD800).is_some_and(|c| form.carries(c));
    let profile = |name| Form::named(&format!("{form}/{name}")).filter(carries);
    match form {
        Form::Utf8Bom => Some(Form::Utf8Surrogates),
        _ if carries(&form) => None,
        _ => profile("surrogates").or_else(|| profile("lenient")),
    }
}

/// The form without its byte order mark. Errors are reported with its name, so that handlers know the byte order.
fn unmarked(form: Form) -> Form {
    Transcoder::new(form, Form::Ucs4Be).from_middle().source_form()
}

/// The byte order mark that is written before `text` at the start, and not in the middle.
fn mark(form: Form, text: &str) -> Option<Vec<u8>> {
    let mut whole = placemat::convert(Form::Utf8, form, text.as_bytes()).ok()?;
    let midway =
        placemat::convert_with(Transcoder::new(Form::Utf8, form).from_middle(), text.as_bytes()).ok()?;
    whole.truncate(whole.len() - midway.len());
    Some(whole)
}

/// The output so far, and free space behind it.
struct Room {
    bytes: Vec<u8>,
    written: usize,
}

impl Room {
    fn for_source(length: usize) -> Room {
        Room { bytes: vec![0; length + length / 8 + Transcoder::MIN_OUTPUT], written: 0 }
    }

    fn text(&self) -> &[u8] {
        &self.bytes[..self.written]
    }

    fn rest(&mut self) -> &mut [u8] {
        &mut self.bytes[self.written..]
    }

    fn grow(&mut self, least: usize) {
        let more = least.max(self.bytes.len() / 2).max(Transcoder::MIN_OUTPUT);
        self.bytes.resize(self.bytes.len() + more, 0);
    }

    fn append(&mut self, text: &[u8]) {
        if self.rest().len() < text.len() {
            self.grow(text.len());
        }
        self.rest()[..text.len()].copy_from_slice(text);
        self.written += text.len();
    }
}
