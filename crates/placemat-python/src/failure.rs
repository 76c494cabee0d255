//! Exceptions, and the forms, encodings and policies of names.

use core::num::NonZeroUsize;

use placemat::label::{Label, Labels};
use placemat::{Bom, CodePoint, Form, Policy, Unencodable};
use placemat_arrow::Unit;
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

/// The form or legacy encoding that a name or label means.
pub(crate) fn label(name: &str) -> Option<Label> {
    Form::named(name).map(Label::Form).or_else(|| Labels::Lenient.resolve(name))
}

/// The form with this name or label.
pub(crate) fn form(name: &str) -> PyResult<Form> {
    match label(name) {
        Some(Label::Form(form)) => Ok(form),
        Some(legacy) => {
            let legacy = legacy.to_string();
            let (subject, advice) = match Charset::resolve(Labels::Lenient, &legacy) {
                Ok(_) => (&*legacy, format!("convert it to UTF-8 first: placemat.convert(data, {legacy:?})")),
                Err(_) => (name, format!("bytes.decode({name:?}) reads it where Python has that codec")),
            };
            let message = format!("{subject} is a legacy encoding, not a form of placemat; {advice}");
            Err(PyLookupError::new_err(message))
        }
        None => Err(PyLookupError::new_err(format!("unknown form: {name:?}; placemat.forms() lists them"))),
    }
}

/// The unit with this name; the name of a form means its bytes.
pub(crate) fn unit(name: &str) -> Result<Unit, String> {
    match label(name) {
        Some(Label::Form(form)) => Ok(Unit::Byte(form)),
        _ => Unit::named(name).ok_or_else(|| {
            format!("unknown unit: {name:?}; one of code-points, utf-16-units, or the name of a form (its bytes are counted)")
        }),
    }
}

/// The form or legacy encoding with this name or label.
pub(crate) fn charset(name: &str) -> PyResult<Charset> {
    resolved(name).map_err(PyLookupError::new_err)
}

/// Like [`charset`], with the error as a message.
pub(crate) fn resolved(name: &str) -> Result<Charset, String> {
    Charset::resolve(Labels::Lenient, name).map_err(|error| unread(name).unwrap_or_else(|| error.to_string()))
}

/// The message for a name that `detect` returns and that this library cannot read.
fn unread(name: &str) -> Option<String> {
    let plain = name.to_ascii_lowercase().replace('_', "-");
    let elsewhere = match &*plain {
        "johab" | "iso-2022-kr" | "hz-gb-2312" => {
            format!("bytes.decode({plain:?}) can")
        }
        "euc-tw" | "iso-2022-cn" => "neither can Python".to_owned(),
        "binary" | "unknown" | "several encodings" => {
            return Some(format!("{plain:?} is no encoding: detect returns it if it cannot name one"));
        }
        _ => return None,
    };
    Some(format!("detect recognises {plain}, but placemat cannot decode it; {elsewhere}"))
}

/// Checks a `limit`, the most results.
pub(crate) fn limit(limit: isize) -> PyResult<usize> {
    usize::try_from(limit).map_err(|_| PyValueError::new_err("limit must not be negative"))
}

/// Checks the number of `threads`.
pub(crate) fn threads(threads: isize) -> PyResult<NonZeroUsize> {
    let checked = usize::try_from(threads).ok().and_then(NonZeroUsize::new);
    checked.ok_or_else(|| PyValueError::new_err(format!("threads must be 1 or more, not {threads}")))
}

/// Python's names of three policies.
const OF_PYTHON: [(&str, &str); 3] = [("strict", "stop"), ("ignore", "skip"), ("backslashreplace", "escape")];

/// The policy with this name, perhaps Python's name.
pub(crate) fn policy(name: &str) -> PyResult<Policy> {
    policy_named(name, |_| true).map_err(PyLookupError::new_err)
}

/// Like [`policy`], for a function that writes UTF-8.
pub(crate) fn policy_of_repair(name: &str) -> PyResult<Policy> {
    policy_named(name, writes_utf8).map_err(PyLookupError::new_err)
}

/// Whether UTF-8 can hold what the policy writes.
pub(crate) fn writes_utf8(policy: Policy) -> bool {
    policy.fits(Form::Utf8, Form::Utf8).is_ok()
}

/// Like [`policy`], with the error as a message, which lists the policies that are `possible`.
pub(crate) fn policy_named(name: &str, possible: impl Fn(Policy) -> bool) -> Result<Policy, String> {
    let of_python = OF_PYTHON.iter().find(|(theirs, _)| *theirs == name).map(|(_, ours)| *ours);
    let ours = of_python.unwrap_or_else(|| name.strip_prefix("placemat.").unwrap_or(name));
    Policy::named(ours).ok_or_else(|| {
        let all = Policy::ALL.iter().filter(|(_, policy)| possible(*policy)).map(|(name, _)| *name);
        let names: Vec<_> = all.chain(OF_PYTHON.map(|(theirs, _)| theirs)).collect();
        format!("unknown policy: {name:?}; one of {}", names.join(", "))
    })
}

/// The policy with this name for code points that the target lacks; `strict`, `ignore` and `xmlcharrefreplace` are Python's names
/// of three.
pub(crate) fn unencodable(name: &str, target: Charset) -> PyResult<Unencodable> {
    let unencodable = unencodable_named(name).map_err(PyLookupError::new_err)?;
    replaceable(unencodable, target).map_err(PyValueError::new_err)?;
    Ok(unencodable)
}

/// Like [`unencodable`], with the error as a message, and without the target.
pub(crate) fn unencodable_named(name: &str) -> Result<Unencodable, String> {
    let ours = match name {
        "strict" => "stop",
        "ignore" => "skip",
        "xmlcharrefreplace" => "ncr",
        name => name,
    };
    Unencodable::named(ours).ok_or_else(|| {
        format!("unknown unencodable: {name:?}; one of stop, replace, replace=X, skip, escape, ncr")
    })
}

/// Checks that the target has the character of `replace=X`. One that lacks U+FFFD gets `?`, as with `replace` alone.
pub(crate) fn replaceable(unencodable: Unencodable, target: Charset) -> Result<(), String> {
    match unencodable {
        Unencodable::Replace(Some(c)) if !target.carries(c) && c != CodePoint::REPLACEMENT => {
            let x = c.to_char().unwrap_or_default();
            Err(format!("unencodable=\"replace={x}\": {target} cannot carry {c} either"))
        }
        _ => Ok(()),
    }
}

pub(crate) fn bom(name: &str) -> PyResult<Bom> {
    Bom::named(name)
        .ok_or_else(|| PyLookupError::new_err(format!("unknown bom: {name:?}; one of keep, strip, add")))
}
