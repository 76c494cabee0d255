//! Bytes to str.

use core::cell::Cell;

use placemat::{Bom, Decision, ErrorKind, Fault, Form, Handler, Policy, Status, Text, Transcoder};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::Room;
use super::handler::{Asked, Stuck, native, position};
use crate::buffer::{Bytes, detached};

/// What of a reader's memory outlives the end of the text: which form its mark decided on.
const ORDER: u32 = 3;
/// That it decided on the order that is not the form's own.
const OTHER_ORDER: u32 = 1;

/// Does what a policy does, or stops everywhere. It stops too where surrogates are to be written, which a str can hold and
/// UTF-8 cannot: these it keeps.
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
        // No policy mixes them with other characters.
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
    /// What the mark decided on before [`Decoder::resume`], whose transcoders know of none.
    order: u32,
    /// Where in the data the transcoder began, and how much it has read from there.
    base: usize,
    read: usize,
    out: Room,
}

impl<'a> Decoder<'a> {
    /// Text, bytes read and state.
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

    /// Convert up to the next error that is not settled here, or to the end.
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

    /// Write surrogates as UTF-8 would.
    fn write(&mut self, surrogates: &Text) {
        for c in surrogates.code_points() {
            let tail = |bits: u32| 0x80 | (c.value() >> bits & 0x3F) as u8;
            self.out.append(&[0xED, tail(6), tail(0)]);
        }
    }

    /// Let Python's handler say what stands in, and go on where it says.
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

    /// Go on elsewhere, outside of any run and without a mark.
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

    fn object(&mut self) -> Bound<'py, PyBytes> {
        let object = match self {
            Source::Lent(bytes) => bytes.object(),
            Source::Own(bytes) => bytes.clone(),
        };
        *self = Source::Own(object.clone());
        object
    }
}
