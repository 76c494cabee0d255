//! Bytes to str.

use placemat::{CodePoint, ErrorKind, Fault, Form, Handler, Policy, Status, Text, Transcoder, Verdict};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::Room;
use super::handler::{Asked, Stuck, native, position};
use crate::buffer::{Bytes, detached};

/// What of a reader's memory outlives the end of the text: which form its mark decided on.
const ORDER: u32 = 3;

/// Stops where a policy does, or everywhere.
#[derive(Clone, Copy)]
struct Native(Option<Policy>);

impl Handler for Native {
    fn decide(&mut self, fault: &Fault<'_>, text: &mut Text) -> Verdict {
        // A surrogate is not malformed here; the target is too narrow.
        if fault.error.kind() == ErrorKind::Unencodable
            && fault.code_point.is_some_and(CodePoint::is_surrogate)
        {
            return Verdict::Stop;
        }
        self.0.map_or(Verdict::Stop, |mut policy| policy.decide(fault, text))
    }

    fn size(&self) -> placemat::ErrorSize {
        self.0.map_or_else(Default::default, |policy| policy.size)
    }

    fn fixed(&self) -> Option<placemat::Fixed> {
        self.0.map_or(Some(placemat::Fixed::Stop), |policy| policy.fixed())
    }
}

pub(super) fn decode<'py>(
    form: Form,
    data: &Bound<'py, PyAny>,
    errors: &str,
    last: bool,
    state: u32,
) -> PyResult<(Bound<'py, PyString>, usize, u32)> {
    let bytes = Bytes::of(data)?;
    let narrow = match Decoder::new(form, errors, last, state, Form::Utf8)?.run(&bytes, data.py())? {
        Some(done) => Some(done),
        // A surrogate: with a target that holds it, from the start.
        None => Decoder::new(form, errors, last, state, Form::Utf8Surrogates)?.run(&bytes, data.py())?,
    };
    narrow.ok_or_else(|| PyValueError::new_err("the text cannot be held"))
}

struct Decoder<'a> {
    errors: &'a str,
    last: bool,
    transcoder: Transcoder<Native>,
    target: Form,
    /// Where in the data the transcoder began, and how much it has read from there.
    base: usize,
    read: usize,
    out: Room,
}

impl<'a> Decoder<'a> {
    fn new(form: Form, errors: &'a str, last: bool, state: u32, target: Form) -> PyResult<Decoder<'a>> {
        let transcoder = Transcoder::new(form, target)
            .on_error(Native(native(errors)))
            .recalling(state)
            .ok_or_else(|| PyValueError::new_err(format!("{state} is no state of {form}")))?;
        let out = Room::for_source(0);
        Ok(Decoder { errors, last, transcoder, target, base: 0, read: 0, out })
    }

    /// Text, bytes read and state; `None` if the target proves too narrow.
    fn run<'py>(
        mut self,
        bytes: &Bytes<'py>,
        py: Python<'py>,
    ) -> PyResult<Option<(Bound<'py, PyString>, usize, u32)>> {
        let mut source = Source::Lent(bytes);
        let length = bytes.as_slice().len();
        self.out = Room::for_source(length);
        let mut asked = Asked::new(py, self.errors);
        while let Some(error) = source.detached(py, |data| self.advance(data)) {
            if error.kind() == ErrorKind::Unencodable && self.target == Form::Utf8 {
                return Ok(None);
            }
            self.ask(&mut source, &mut asked, error)?;
        }
        let memory = self.transcoder.memory();
        let (read, state) = if self.last {
            (length, memory & ORDER)
        } else {
            (self.base + self.transcoder.offset() as usize, memory)
        };
        Ok(Some((self.text(py)?, read, state)))
    }

    /// Convert up to the next error that is not settled here, or to the end.
    fn advance(&mut self, data: &[u8]) -> Option<placemat::Error> {
        loop {
            let rest = &data[self.base + self.read..];
            let step = if rest.is_empty() {
                if !self.last {
                    return None;
                }
                self.transcoder.finish_part(self.out.rest())
            } else {
                self.transcoder.push(rest, self.out.rest())
            };
            self.read += step.read;
            self.out.written += step.written;
            match step.status {
                Status::Done => return None,
                Status::NeedInput => {}
                Status::NeedOutput => self.out.grow(rest.len()),
                Status::Failed(error) => return Some(error),
            }
        }
    }

    /// Let Python's handler say what stands in, and go on where it says.
    fn ask<'py>(
        &mut self,
        source: &mut Source<'_, 'py>,
        asked: &mut Asked<'_, 'py>,
        error: placemat::Error,
    ) -> PyResult<()> {
        let object = source.object(asked.py()).into_any();
        let start = self.base + error.offset() as usize;
        let end = start + usize::from(error.length());
        let reason = match error.kind() {
            ErrorKind::Unencodable => "above U+10FFFF",
            kind => kind.name(),
        };
        let stuck = Stuck { encoding: self.transcoder.source_form().name(), start, end, reason };
        let (with, at) = asked.decide(&object, &stuck)?;
        let other = asked.object()?.filter(|other| !other.is(&object));
        let is_changed = other.is_some();
        if let Some(other) = other {
            let wrong = |_| PyTypeError::new_err("exception attribute object must be bytes");
            *source = Source::Own(other.cast_into::<PyBytes>().map_err(wrong)?);
        }
        let at = position(at, source.as_slice().len())?;
        if let Ok(text) = with.cast::<PyString>() {
            match text.to_str() {
                Ok(text) => self.out.append(text.as_bytes()),
                Err(_) => self.out.append(generalised(text)?.as_bytes()),
            }
        }
        if at != end || is_changed {
            self.resume(at);
        }
        Ok(())
    }

    /// Go on elsewhere, outside of any run and without a mark.
    fn resume(&mut self, at: usize) {
        let form = self.transcoder.source_form();
        self.transcoder = Transcoder::new(form, self.target).on_error(Native(native(self.errors))).midway();
        (self.base, self.read) = (at, 0);
    }

    fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let written = self.out.text();
        match placemat::validate(written) {
            Ok(text) => Ok(PyString::new(py, text)),
            Err(_) => {
                let bytes = PyBytes::new(py, written);
                PyString::from_encoded_object(&bytes, Some(c"utf-8"), Some(c"surrogatepass"))
            }
        }
    }
}

/// UTF-8 of a str in which surrogates stand.
pub(super) fn generalised<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>> {
    Ok(text.call_method1("encode", ("utf-8", "surrogatepass"))?.cast_into()?)
}

/// What is read: the caller's bytes, and once a handler was asked, an object that it may put another in place of.
enum Source<'a, 'py> {
    Lent(&'a Bytes<'py>),
    Own(Bound<'py, PyBytes>),
}

impl<'py> Source<'_, 'py> {
    fn as_slice(&self) -> &[u8] {
        match self {
            Source::Lent(bytes) => bytes.as_slice(),
            Source::Own(bytes) => bytes.as_bytes(),
        }
    }

    fn detached<T: Send>(&self, py: Python<'_>, work: impl Send + FnOnce(&[u8]) -> T) -> T {
        match self {
            Source::Lent(bytes) => bytes.detached(py, work),
            Source::Own(bytes) => {
                let bytes = bytes.as_bytes();
                detached(py, bytes.len(), || work(bytes))
            }
        }
    }

    fn object(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let object = match self {
            Source::Lent(bytes) => bytes.object(py),
            Source::Own(bytes) => bytes.clone(),
        };
        *self = Source::Own(object.clone());
        object
    }
}
