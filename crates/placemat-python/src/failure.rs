//! Exceptions, and names that stand for forms and policies.

use placemat::label::{Label, Labels};
use placemat::{Bom, Form, Policy, Unencodable};
use placemat_text::charset::Charset;
use pyo3::create_exception;
use pyo3::exceptions::{PyLookupError, PyValueError};
use pyo3::prelude::*;

use crate::fault::Error;

create_exception!(
    placemat,
    ConversionError,
    PyValueError,
    "A conversion stopped at an error: its `error` says what and where, counted in bytes of the source."
);

/// The exception for an error at which a policy stopped.
pub(crate) fn stopped(py: Python<'_>, error: placemat::Error) -> PyErr {
    let exception = ConversionError::new_err(error.to_string());
    match exception.value(py).setattr("error", Error::from(error)) {
        Ok(()) => exception,
        Err(other) => other,
    }
}

/// The form of this name or label.
pub(crate) fn form(name: &str) -> PyResult<Form> {
    match Form::named(name).map(Label::Form).or_else(|| Labels::Lenient.resolve(name)) {
        Some(Label::Form(form)) => Ok(form),
        Some(legacy) => Err(PyLookupError::new_err(format!(
            "{legacy} is a legacy encoding, not a form of placemat; bytes.decode({:?}) reads it where Python has that codec",
            legacy.to_string()
        ))),
        None => Err(PyLookupError::new_err(format!("unknown form: {name:?}; placemat.forms() lists them"))),
    }
}

/// The form or legacy encoding of this name or label.
pub(crate) fn charset(name: &str) -> PyResult<Charset> {
    Charset::resolve(Labels::Lenient, name).map_err(|error| PyLookupError::new_err(error.to_string()))
}

/// The policy of this name; `ignore`, `strict` and `backslashreplace` are what Python calls three of them.
pub(crate) fn policy(name: &str) -> PyResult<Policy> {
    let ours = match name {
        "strict" => "stop",
        "ignore" => "skip",
        "backslashreplace" => "escape",
        name => name.strip_prefix("placemat.").unwrap_or(name),
    };
    Policy::named(ours).ok_or_else(|| {
        let names: Vec<_> = Policy::ALL.iter().map(|(name, _)| *name).collect();
        PyLookupError::new_err(format!("unknown policy: {name:?}; one of {}", names.join(", ")))
    })
}

/// What becomes of code points that the target lacks; `strict`, `ignore` and `xmlcharrefreplace` are what Python calls three
/// of them.
pub(crate) fn unencodable(name: &str) -> PyResult<Unencodable> {
    let ours = match name {
        "strict" => "stop",
        "ignore" => "skip",
        "xmlcharrefreplace" => "ncr",
        name => name,
    };
    Unencodable::named(ours).ok_or_else(|| {
        PyLookupError::new_err(format!(
            "unknown: {name:?}; one of stop, replace, replace=X, skip, escape, ncr"
        ))
    })
}

pub(crate) fn bom(name: &str) -> PyResult<Bom> {
    Bom::named(name)
        .ok_or_else(|| PyLookupError::new_err(format!("unknown: {name:?}; one of keep, strip, add")))
}
