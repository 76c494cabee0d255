//! The function `explain`: bytes, one sequence at a time.

use placemat_text::explain::sequences;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};

use crate::buffer::Bytes;
use crate::failure;
use crate::fault::Error;

/// One sequence of a text: its code point, or what is wrong with it.
#[pyclass(frozen, eq, hash, get_all, module = "placemat")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Sequence {
    /// The offset of its first byte.
    offset: usize,
    /// Its bytes.
    bytes: Vec<u8>,
    /// Each byte in binary.
    bits: Vec<String>,
    /// The code point; None where the sequence is malformed.
    code_point: Option<u32>,
    /// The error; None where the sequence is well-formed.
    error: Option<Error>,
    /// For malformed UTF-8: the encoding or dialect in which the bytes at this place make sense.
    hint: Option<String>,
    /// The text that was probably meant.
    meant: Option<String>,
}

#[pymethods]
impl Sequence {
    #[new]
    fn new(
        offset: usize,
        bytes: Vec<u8>,
        code_point: Option<u32>,
        error: Option<Error>,
        hint: Option<String>,
        meant: Option<String>,
    ) -> Sequence {
        let bits = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
        Sequence { offset, bytes, bits, code_point, error, hint, meant }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Sequence>) -> PyResult<Bound<'py, PyTuple>> {
        let Sequence { offset, bytes, code_point, error, hint, meant, .. } = slf.get();
        let arguments =
            (*offset, PyBytes::new(slf.py(), bytes), *code_point, error.clone(), hint.as_deref(), meant);
        (slf.get_type(), arguments).into_pyobject(slf.py())
    }

    /// The character as str; None where the sequence is malformed or above U+10FFFF.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let in_range = self.code_point.filter(|&c| c <= 0x10_FFFF);
        in_range.map(|c| py.import("builtins")?.getattr("chr")?.call1((c,))).transpose()
    }

    /// The character's name in the Unicode database of this Python, or "".
    #[getter]
    fn name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.text(py)? {
            Some(text) => py.import("unicodedata")?.getattr("name")?.call1((text, "")),
            None => Ok(PyString::new(py, "").into_any()),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let hex: Vec<_> = self.bytes.iter().map(|byte| format!("{byte:02X}")).collect();
        let what = match (&self.error, self.code_point) {
            (Some(error), _) => format!("{} (length {})", error.kind_name(), self.bytes.len()),
            (None, Some(c)) => format!("U+{c:04X} {}", self.name(py)?),
            (None, None) => String::new(),
        };
        let meant = match (&self.hint, &self.meant) {
            (Some(hint), Some(text)) => format!(", {} in {hint}", text.escape_debug()),
            (Some(hint), None) => format!(", {hint}"),
            _ => String::new(),
        };
        Ok(format!("<{}: {} {}{}>", self.offset, hex.join(" "), what.trim_end(), meant))
    }
}

/// Return the sequences of the bytes, each with its bytes and bits, and its code point or the error and what was probably meant.
///
/// >>> for sequence in placemat.explain(b"\xe2\x82\xac \xe9!"): print(sequence)
/// <0: E2 82 AC U+20AC EURO SIGN>
/// <3: 20 U+0020 SPACE>
/// <4: E9 missing-continuation (length 1), é in windows-1252>
/// <5: 21 U+0021 EXCLAMATION MARK>
/// >>> placemat.explain("é".encode())[0].bits
/// ['11000011', '10101001']
#[pyfunction]
#[pyo3(signature = (data, form="utf-8", *, limit=1000))]
pub(crate) fn explain(data: &Bound<'_, PyAny>, form: &str, limit: isize) -> PyResult<Vec<Sequence>> {
    let limit = failure::limit(limit)?;
    let (bytes, form) = (Bytes::of(data)?, failure::form(form)?);
    Ok(bytes.detached(data.py(), |bytes| sequences(form, bytes).take(limit).map(|one| of(&one)).collect()))
}

fn of(sequence: &placemat_text::explain::Sequence<'_>) -> Sequence {
    Sequence::new(
        sequence.offset,
        sequence.bytes.to_vec(),
        sequence.code_point.ok().map(placemat::CodePoint::value),
        sequence.code_point.err().map(Error::from),
        sequence.hint.map(str::to_owned),
        sequence.meant.clone(),
    )
}
