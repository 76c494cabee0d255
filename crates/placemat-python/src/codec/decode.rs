//! Decodes bytes to a str, with any error handler.

use core::cell::Cell;

use placemat::{Bom, Decision, ErrorKind, Fault, Form, Handler, Policy, Status, Text, Transcoder};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::Room;
use super::handler::{Asked, Stuck, native, position};
use crate::buffer::{Bytes, detached};

/// The bits of a decoder's state that outlive the end of the text: the form that its byte order mark decided on.
const ORDER: u32 = 3;
/// The bit of a state that says: the mark decided on the byte order that is not the form's default.
const OTHER_ORDER: u32 = 1;

/// Follows a policy; without one it stops at every error. It also stops where the policy writes surrogates, and keeps these: a str
/// can hold them, and UTF-8 cannot.
struct Native {
    policy: Option<Policy>,
    surrogates: Cell<Option<Text>>,
}

impl Native {
    fn of(policy: Option<Policy>) -> Native {
        Native { policy, surrogates: Cell::new(None) }
    }
}

impl Handler for Native {
    fn decide(&mut self, fault: &Fault<'_>, text: &mut Text) -> Decision {
        let verdict = match fault.code_point.filter(|c| c.is_surrogate()) {
            Some(c) => text.push(c).map_or(Decision::Stop, |()| Decision::Resume),
            None => self.policy.map_or(Decision::Stop, |mut policy| policy.decide(fault, text)),
        };
        // No policy mixes surrogates with other characters.
        let is_apart = text.code_points().iter().any(|c| c.is_surrogate());
        self.surrogates.set((is_apart && verdict == Decision::Resume).then_some(*text));
        if is_apart { Decision::Stop } else { verdict }
    }

    fn size(&self) -> placemat::ErrorSize {
        self.policy.map_or_else(Default::default, |policy| policy.size)
    }

    fn fixed(&self) -> Option<placemat::Fixed> {
        self.policy.map_or(Some(placemat::Fixed::Stop), |policy| policy.fixed())
    }
}

pub(super) fn decode<'py>(
    (form, bom): (Form, Bom),
    data: &Bound<'py, PyAny>,
    errors: &str,
    last: bool,
    state: u32,
) -> PyResult<(Bound<'py, PyString>, usize, u32)> {
    let bytes = Bytes::of(data)?;
    let transcoder = Transcoder::new(form, Form::Utf8)
        .on_error(Native::of(native(errors)))
        .bom(bom)
        .with_state_bits(state)
        .ok_or_else(|| PyValueError::new_err(format!("{state} is no state of {form}")))?;
    let out = Room::for_source(bytes.as_slice().len());
    Decoder { errors, last, transcoder, order: 0, base: 0, read: 0, out }.run(&bytes, data.py())
}

struct Decoder<'a> {
    errors: &'a str,
    last: bool,
    transcoder: Transcoder<Native>,
    /// The byte order that the mark decided on. The transcoders of [`Decoder::resume`] do not know that there was one.
    order: u32,
    /// The offset in the data at which the transcoder began, and the number of bytes that it has read since.
    base: usize,
    read: usize,
    out: Room,
}

impl<'a> Decoder<'a> {
    /// Decodes. Returns the text, the number of bytes read, and the state.
    fn run<'py>(
        mut self,
        bytes: &Bytes<'py>,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyString>, usize, u32)> {
        let mut source = Source::Lent(bytes);
        let mut asked = Asked::new(py, self.errors);
        while let Some(error) = source.detached(py, |data| self.advance(data)) {
            self.ask(&mut source, &mut asked, error)?;
        }
        let memory = self.transcoder.state_bits() | self.order;
        let (read, state) = if self.last {
            (bytes.as_slice().len(), memory & ORDER)
        } else {
            (self.base + self.transcoder.offset() as usize, memory)
        };
        Ok((self.text(py)?, read, state))
    }

    /// Converts up to the next error that Python's handler must decide on, or to the end.
    fn advance(&mut self, data: &[u8]) -> Option<placemat::Error> {
        loop {
            let rest = &data[self.base + self.read..];
            let step = if self.last && rest.is_empty() {
                self.transcoder.finish_part(self.out.rest())
            } else {
                self.transcoder.push(rest, self.out.rest())
            };
            self.read += step.read;
            self.out.written += step.written;
            match step.status {
                Status::Done => return None,
                Status::NeedInput if self.last => {}
                Status::NeedInput => return None,
                Status::NeedOutput => self.out.grow(rest.len()),
                Status::Failed(error) => match self.transcoder.handler().surrogates.take() {
                    Some(surrogates) => self.write(&surrogates),
                    None => return Some(error),
                },
            }
        }
    }

    /// Writes surrogates in the bit layout of UTF-8.
    fn write(&mut self, surrogates: &Text) {
        for c in surrogates.code_points() {
            let tail = |bits: u32| 0x80 | (c.value() >> bits & 0x3F) as u8;
            self.out.append(&[0xED, tail(6), tail(0)]);
        }
    }

    /// Calls Python's error handler, writes the replacement that it returns, and continues at the position that it returns.
    fn ask<'py>(
        &mut self,
        source: &mut Source<'_, 'py>,
        asked: &mut Asked<'_, 'py>,
        error: placemat::Error,
    ) -> PyResult<()> {
        let object = source.object().into_any();
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

    /// Continues at another position, outside of any run and without a byte order mark.
    fn resume(&mut self, at: usize) {
        self.order |= self.transcoder.state_bits() & OTHER_ORDER;
        let form = self.transcoder.source_form();
        let handler = Native::of(native(self.errors));
        self.transcoder = Transcoder::new(form, Form::Utf8).on_error(handler).from_middle();
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

/// The UTF-8 of a str, in which surrogates are encoded like other code points.
pub(super) fn generalised<'py>(text: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyBytes>> {
    Ok(text.call_method1("encode", ("utf-8", "surrogatepass"))?.cast_into()?)
}

/// The input: the caller's bytes, or once a handler was called, a `bytes` object, which the handler may replace.
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

    fn object(&mut self) -> Bound<'py, PyBytes> {
        let object = match self {
            Source::Lent(bytes) => bytes.object(),
            Source::Own(bytes) => bytes.clone(),
        };
        *self = Source::Own(object.clone());
        object
    }
}
