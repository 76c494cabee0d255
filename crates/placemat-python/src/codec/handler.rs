//! Error handlers: calls Python's by the rules of CPython's own codecs, and provides ours for any codec.

use placemat::label::{Label, Labels};
use placemat::{
    Decision, ErrorKind, ErrorSize, Fault, Form, Handler, Policy, StandIn, Text, Transcoder, Unencodable,
};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyUnicodeDecodeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::failure;

/// A handler by name, looked up when it is first needed, and the exception that is passed to it, made once and changed for each error.
pub(super) struct Asked<'a, 'py> {
    py: Python<'py>,
    errors: &'a str,
    function: Option<Bound<'py, PyAny>>,
    exception: Option<Bound<'py, PyAny>>,
}

/// The place and reason of an error, for a handler.
pub(super) struct Stuck<'a> {
    pub(super) encoding: &'a str,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) reason: &'a str,
}

impl<'a, 'py> Asked<'a, 'py> {
    pub(super) fn new(py: Python<'py>, errors: &'a str) -> Asked<'a, 'py> {
        Asked { py, errors, function: None, exception: None }
    }

    /// Calls the handler. Returns its replacement and the position to continue at, which is not checked against `object`'s length yet.
    pub(super) fn decide(
        &mut self,
        object: &Bound<'py, PyAny>,
        stuck: &Stuck<'_>,
    ) -> PyResult<(Bound<'py, PyAny>, isize)> {
        let exception = self.exception(object, stuck)?;
        if self.function.is_none() {
            let lookup = self.py.import("codecs")?.getattr("lookup_error")?;
            self.function = Some(lookup.call1((self.errors,))?);
        }
        let decodes = object.is_instance_of::<PyBytes>();
        let wrong = || {
            PyTypeError::new_err(if decodes {
                "decoding error handler must return (str, int) tuple"
            } else {
                "encoding error handler must return (str/bytes, int) tuple"
            })
        };
        let Some(function) = &self.function else { return Err(wrong()) };
        let answer = function.call1((exception,))?;
        let answer = answer.cast_into::<PyTuple>().map_err(|_| wrong())?;
        let (2, Ok(with), Ok(at)) = (answer.len(), answer.get_item(0), answer.get_item(1)) else {
            return Err(wrong());
        };
        if !with.is_instance_of::<PyString>() && (decodes || !with.is_instance_of::<PyBytes>()) {
            return Err(wrong());
        }
        let at = match at.extract::<isize>() {
            Ok(at) => at,
            Err(error) if error.is_instance_of::<PyTypeError>(self.py) => return Err(wrong()),
            Err(error) => return Err(error),
        };
        Ok((with, at))
    }

    /// The exception for an error, as it is passed to the handler or raised.
    pub(super) fn exception(
        &mut self,
        object: &Bound<'py, PyAny>,
        stuck: &Stuck<'_>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Stuck { encoding, start, end, reason } = *stuck;
        if let Some(exception) = &self.exception {
            exception.setattr("start", start)?;
            exception.setattr("end", end)?;
            exception.setattr("reason", reason)?;
            return Ok(exception.clone());
        }
        let class = if object.is_instance_of::<PyBytes>() {
            self.py.get_type::<PyUnicodeDecodeError>()
        } else {
            self.py.get_type::<PyUnicodeEncodeError>()
        };
        let exception = class.call1((encoding, object, start, end, reason))?;
        self.exception = Some(exception.clone());
        Ok(exception)
    }

    /// The object that the exception holds: a handler may have put another one there.
    pub(super) fn object(&self) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.exception.as_ref().map(|exception| exception.getattr("object")).transpose()
    }
}

/// A position that a handler returned, which may count from the end.
pub(super) fn position(at: isize, length: usize) -> PyResult<usize> {
    let from_start = if at < 0 { at.checked_add_unsigned(length) } else { Some(at) };
    from_start
        .and_then(|at| usize::try_from(at).ok())
        .filter(|&at| at <= length)
        .ok_or_else(|| PyIndexError::new_err(format!("position {at} from error handler out of bounds")))
}

/// The policy that does the same as the error handler of this name, where it does not stop.
pub(super) fn native(errors: &str) -> Option<Policy> {
    let policy = match errors {
        "ignore" => Policy::Skip,
        "replace" => Policy::Replace,
        "surrogateescape" => Policy::SurrogateEscape,
        "backslashreplace" => Policy::Escape,
        _ => Policy::named(errors.strip_prefix("placemat.")?)?,
    };
    // A code point that a str cannot hold is an error like any other.
    let unencodable = match policy.stand_in {
        StandIn::Replace => Unencodable::Replace(None),
        StandIn::Skip => Unencodable::Skip,
        _ => Unencodable::Stop,
    };
    Some(policy.unencodable(unencodable))
}

/// The error handler `placemat.` + `policy`, for any codec. Returns the replacement for the error that `exception` describes, and
/// the position to continue at.
#[pyfunction]
pub(crate) fn stand_in<'py>(
    policy: &str,
    exception: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, usize)> {
    let py = exception.py();
    let end: usize = exception.getattr("end")?.extract()?;
    let start: usize = exception.getattr("start")?.extract()?;
    let refused = || PyErr::from_value(exception.clone());
    if exception.is_instance_of::<PyUnicodeDecodeError>() {
        let policy = failure::policy(policy)?;
        let object = exception.getattr("object")?.cast_into::<PyBytes>()?;
        let encoding: String = exception.getattr("encoding")?.extract()?;
        let bytes = object.as_bytes();
        let end = group(&encoding, policy.size, bytes, start, end.min(bytes.len()));
        let text = decided(policy, bytes, start, end).ok_or_else(refused)?;
        return Ok((string(py, &text)?, end));
    }
    if exception.is_instance_of::<PyUnicodeEncodeError>() {
        let unencodable = failure::unencodable_named(policy).unwrap_or_default();
        let policy = Policy::Stop.unencodable(match unencodable {
            Unencodable::Replace(None) => Unencodable::Replace(Some('?'.into())),
            other => other,
        });
        let object = exception.getattr("object")?.cast_into::<PyString>()?;
        let ord = py.import("builtins")?.getattr("ord")?;
        let mut text = Vec::new();
        for at in start..end {
            let c: u32 = ord.call1((object.get_item(at)?,))?.extract()?;
            let error = placemat::Error::new(ErrorKind::Unencodable, at as u64, 1);
            let fault = Fault::new(error, &[], placemat::CodePoint::new(c), true);
            one(policy, &fault, &mut text).ok_or_else(refused)?;
        }
        return Ok((string(py, &text)?, end));
    }
    Err(PyTypeError::new_err(format!("don't know how to handle {}", exception.get_type().name()?)))
}

/// The end of the group of errors that begins with the error at `start..end`.
fn group(encoding: &str, size: ErrorSize, bytes: &[u8], start: usize, end: usize) -> usize {
    let form = match Labels::Lenient.resolve(encoding.strip_prefix("placemat-").unwrap_or(encoding)) {
        Some(Label::Form(form)) if matches!(size, ErrorSize::Run | ErrorSize::Sequence) => form,
        _ => return end,
    };
    let errors =
        placemat::sequences(form, &bytes[start..]).take_while(|sequence| sequence.code_point().is_err());
    if size == ErrorSize::Run {
        return errors.last().map_or(end, |error| start + error.range().end);
    }
    // No sequence announces more than six bytes.
    let errors = errors.take(6).last().map_or(end, |error| start + error.range().end);
    let mut group = Group { size, end: None };
    let transcoder = Transcoder::new(form, Form::Ucs4Be).on_error(&mut group);
    let _ = placemat::convert_with(transcoder, &bytes[start..errors.max(end)]);
    group.end.map_or(end, |end| start + end)
}

/// Records the end of the first group of errors.
struct Group {
    size: ErrorSize,
    end: Option<usize>,
}

impl Handler for &mut Group {
    fn decide(&mut self, fault: &Fault<'_>, _: &mut Text) -> Decision {
        if fault.opens && self.end.is_some() {
            return Decision::Stop;
        }
        self.end = Some(fault.error.range().end as usize);
        Decision::Resume
    }

    fn size(&self) -> ErrorSize {
        self.size
    }
}

/// The replacement for the bytes of an error, as code points; `None` if the policy stops.
fn decided(policy: Policy, bytes: &[u8], start: usize, end: usize) -> Option<Vec<u32>> {
    let mut text = Vec::new();
    let by_byte = policy.size == ErrorSize::Byte || policy.stand_in != StandIn::Replace;
    let mut opens = true;
    for piece in bytes[start..end].chunks(if by_byte { 1 } else { end - start }) {
        let error = placemat::Error::new(ErrorKind::InvalidByte, start as u64, 1);
        one(policy, &Fault::new(error, piece, None, opens), &mut text)?;
        opens = by_byte;
    }
    Some(text)
}

fn one(mut policy: Policy, fault: &Fault<'_>, out: &mut Vec<u32>) -> Option<()> {
    let mut text = Text::new();
    if policy.decide(fault, &mut text) == Decision::Stop {
        return None;
    }
    out.extend(text.code_points().iter().map(|c| c.value()));
    Some(())
}

/// Code points as a str, surrogates included.
fn string<'py>(py: Python<'py>, code_points: &[u32]) -> PyResult<Bound<'py, PyAny>> {
    let bytes: Vec<u8> = code_points.iter().flat_map(|c| c.to_le_bytes()).collect();
    let bytes = PyBytes::new(py, &bytes);
    Ok(PyString::from_encoded_object(&bytes, Some(c"utf-32-le"), Some(c"surrogatepass"))?.into_any())
}
