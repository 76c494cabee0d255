//! The library's functions for any object with a buffer.

use std::ffi::OsString;

use placemat::{Form, Policy, Transcoder};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::buffer::Bytes;
use crate::failure::{self, stopped};
use crate::fault::Error;
use placemat_text::convert::{Settings, whole};

/// Return the first malformed sequence, or None.
///
/// >>> placemat.check("naïve".encode())
/// >>> placemat.check(b"na\xefve")
/// Error(kind='missing-continuation', offset=2, length=1)
/// >>> print(placemat.check(b"\xed\xa0\x80!", "cesu-8"))
/// surrogate at byte 0 (length 3)
#[pyfunction]
#[pyo3(signature = (data, form="utf-8"))]
pub(crate) fn check(data: &Bound<'_, PyAny>, form: &str) -> PyResult<Option<Error>> {
    let (bytes, form) = (Bytes::of(data)?, failure::form(form)?);
    Ok(bytes.detached(data.py(), |bytes| first_error(bytes, form)).map(Error::from))
}

fn first_error(bytes: &[u8], form: Form) -> Option<placemat::Error> {
    if form == Form::Utf8 { placemat::validate(bytes).err() } else { placemat::errors(form, bytes).next() }
}

/// Return whether nothing is malformed.
///
/// >>> placemat.is_valid(b"plain"), placemat.is_valid(b"\xc0\x80"), placemat.is_valid(b"\xc0\x80", "mutf-8")
/// (True, False, True)
#[pyfunction]
#[pyo3(signature = (data, form="utf-8"))]
pub(crate) fn is_valid(data: &Bound<'_, PyAny>, form: &str) -> PyResult<bool> {
    Ok(check(data, form)?.is_none())
}

/// Return every malformed sequence, in order, or the first `limit` of them.
///
/// >>> [str(error) for error in placemat.errors(b"\xc0\x80 caf\xe9")]
/// ['overlong at byte 0 (length 1)', 'unexpected-continuation at byte 1 (length 1)', 'truncated at byte 6 (length 1)']
#[pyfunction]
#[pyo3(signature = (data, form="utf-8", *, limit=None))]
pub(crate) fn errors(data: &Bound<'_, PyAny>, form: &str, limit: Option<isize>) -> PyResult<Vec<Error>> {
    let limit = limit.map_or(Ok(usize::MAX), failure::limit)?;
    let (bytes, form) = (Bytes::of(data)?, failure::form(form)?);
    Ok(bytes
        .detached(data.py(), |bytes| placemat::errors(form, bytes).take(limit).map(Error::from).collect()))
}

/// Return the bytes as well-formed UTF-8. Well-formed `bytes` are returned without a copy.
///
/// >>> placemat.repair(b"caf\xe9").decode()
/// 'caf\ufffd'
/// >>> placemat.repair(b"caf\xe9 \x93na\xc3\xafve\x94", "cp1252").decode()
/// 'café “naïve”'
#[pyfunction]
#[pyo3(signature = (data, policy="replace"))]
pub(crate) fn repair<'py>(data: &Bound<'py, PyAny>, policy: &str) -> PyResult<Bound<'py, PyBytes>> {
    let (py, bytes, policy) = (data.py(), Bytes::of(data)?, failure::policy_of_repair(policy)?);
    fits(policy, Form::Utf8, Form::Utf8)?;
    let repaired = bytes.detached(py, |bytes| {
        if placemat::is_valid(bytes) {
            return Ok(None);
        }
        placemat::convert_with(Transcoder::new(Form::Utf8, Form::Utf8).on_error(policy), bytes).map(Some)
    });
    match repaired {
        Ok(None) => Ok(bytes.object()),
        Ok(Some(text)) => Ok(PyBytes::new(py, &text)),
        Err(error) => Err(stopped(py, error)),
    }
}

/// Convert bytes to another form or legacy encoding. Raises ConversionError where a policy stops.
///
/// >>> placemat.convert(b"\x93caf\xe9\x94", "windows-1252").decode()
/// '“café”'
/// >>> placemat.convert("é".encode(), "utf-8", "utf-16le")
/// b'\xe9\x00'
/// >>> placemat.convert(b"\xc0\x80\xed\xa0\xbd\xed\xb8\x80", "mutf-8", "utf-8").decode()
/// '\x00😀'
/// >>> placemat.convert("3 €".encode(), "utf-8", "iso-8859-1", unencodable="ncr")
/// b'3 &#8364;'
/// >>> placemat.convert("3 €".encode(), "utf-8", "us-ascii")
/// Traceback (most recent call last):
///     ...
/// placemat.ConversionError: unencodable at byte 2 (length 3)
#[pyfunction]
#[pyo3(signature = (data, source="utf-8", target="utf-8", *, on_error="stop", unencodable="stop", bom="keep"))]
pub(crate) fn convert<'py>(
    data: &Bound<'py, PyAny>,
    source: &str,
    target: &str,
    on_error: &str,
    unencodable: &str,
    bom: &str,
) -> PyResult<Bound<'py, PyBytes>> {
    let (py, bytes) = (data.py(), Bytes::of(data)?);
    let policy = failure::policy(on_error)?;
    let (source, target, bom) = (failure::charset(source)?, failure::charset(target)?, failure::bom(bom)?);
    let policy = policy.unencodable(failure::unencodable(unencodable, target)?);
    // A legacy encoding has no surrogates, so a policy fits it if it fits UTF-8.
    fits(policy, source.form().unwrap_or(Form::Utf8), target.form().unwrap_or(Form::Utf8))?;
    let converted = bytes.detached(py, |bytes| whole(source, Settings { to: target, policy, bom }, bytes));
    converted.map(|text| PyBytes::new(py, &text)).map_err(|error| stopped(py, error))
}

fn fits(policy: Policy, source: Form, target: Form) -> PyResult<()> {
    policy.fits(source, target).map_err(|why| PyValueError::new_err(why.to_string()))
}

/// Return the number of code points; each error counts as one.
///
/// >>> placemat.count("naïve".encode())
/// 5
#[pyfunction]
#[pyo3(signature = (data, form="utf-8"))]
pub(crate) fn count(data: &Bound<'_, PyAny>, form: &str) -> PyResult<usize> {
    let (bytes, form) = (Bytes::of(data)?, failure::form(form)?);
    Ok(bytes.detached(data.py(), |bytes| placemat::count(form, bytes)))
}

/// Return the exact number of bytes that `convert` will write, without converting.
///
/// >>> placemat.length("né😀".encode(), "utf-8", "utf-16le")
/// 8
#[pyfunction]
#[pyo3(signature = (data, source="utf-8", target="utf-16le"))]
pub(crate) fn length(data: &Bound<'_, PyAny>, source: &str, target: &str) -> PyResult<usize> {
    let (bytes, source, target) = (Bytes::of(data)?, failure::form(source)?, failure::form(target)?);
    bytes
        .detached(data.py(), |bytes| placemat::length(source, target, bytes))
        .map_err(|error| stopped(data.py(), error))
}

/// Return the number of U+FFFD in UTF-8 text. An earlier reader wrote them in place of bytes that it could not read. The text is
/// well-formed again since then, so `is_valid` does not find this damage.
///
/// >>> placemat.replaced(b"caf\xe9".decode(errors="replace").encode())
/// 1
#[pyfunction]
pub(crate) fn replaced(data: &Bound<'_, PyAny>) -> PyResult<usize> {
    let bytes = Bytes::of(data)?;
    // EF is a lead byte, so these three bytes are always one whole character.
    Ok(bytes.detached(data.py(), |bytes| bytes.windows(3).filter(|three| *three == b"\xEF\xBF\xBD").count()))
}

/// Run the command `placemat` with these arguments, of which the first is its name. Returns its exit code, from 0 to 2.
///
/// It writes to the file descriptors of standard output and standard error, not to `sys.stdout`, and can run once in a process.
/// Use `python -m placemat` instead.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| placemat_cli::main(&arguments))
}

/// Return whether a file with these first bytes is binary: it has a NUL and no byte order mark. 8,192 bytes are enough.
#[pyfunction]
pub(crate) fn is_binary(head: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(placemat_text::io::is_binary(Bytes::of(head)?.as_slice()))
}
