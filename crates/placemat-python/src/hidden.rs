//! The function `invisible`: characters that are not shown.

use placemat::invisible::{Finding, Kind, Kinds};
use placemat_text::hidden::{found, kind};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::buffer::Bytes;

/// A run of invisible characters that the text around them does not explain.
#[pyclass(frozen, eq, hash, get_all, module = "placemat")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Hidden {
    /// The kind: tag-payload, variation-payload, bidi-unbalanced, zero-width, invisible, control, private-use, noncharacter,
    /// unassigned.
    kind: &'static str,
    /// The offset of its first byte, from 0.
    offset: usize,
    /// Its length in bytes.
    length: usize,
    /// The hidden bytes that tag characters or variation selectors encode; empty for other kinds.
    payload: Vec<u8>,
}

impl From<Finding<'_>> for Hidden {
    fn from(found: Finding<'_>) -> Hidden {
        let Finding { kind, offset, length, .. } = found;
        Hidden { kind: kind.name(), offset, length, payload: found.payload().collect() }
    }
}

#[pymethods]
impl Hidden {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str, &'static str, &'static str, &'static str) =
        ("kind", "offset", "length", "payload");

    #[new]
    fn new(kind: &str, offset: usize, length: usize, payload: Vec<u8>) -> PyResult<Hidden> {
        Ok(Hidden { kind: named(kind)?.name(), offset, length, payload })
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Hidden>,
    ) -> (Bound<'py, PyType>, (&'static str, usize, usize, Vec<u8>)) {
        let Hidden { kind, offset, length, payload } = slf.get().clone();
        (slf.get_type(), (kind, offset, length, payload))
    }

    fn __repr__(&self) -> String {
        let payload = String::from_utf8_lossy(&self.payload);
        format!(
            "Hidden(kind='{}', offset={}, length={}, payload={payload:?})",
            self.kind, self.offset, self.length
        )
    }
}

/// Return the invisible characters of UTF-8 text that the text around them does not explain, in the order of their offsets. `kinds`
/// are names, by default all but private-use, noncharacter and unassigned. Malformed bytes are skipped.
///
/// >>> hidden = "".join(chr(0xE0000 + ord(c)) for c in "ignore this")
/// >>> found = placemat.invisible(f"hello{hidden}".encode())
/// >>> found[0].kind, found[0].offset, bytes(found[0].payload)
/// ('tag-payload', 5, b'ignore this')
/// >>> placemat.invisible("👩‍👩‍👦 می‌خواهم".encode())
/// []
/// >>> [one.kind for one in placemat.invisible(b"\x1b[31m", kinds=["control"])]
/// ['control']
#[pyfunction]
#[pyo3(signature = (data, *, kinds=None))]
pub(crate) fn invisible(data: &Bound<'_, PyAny>, kinds: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Hidden>> {
    let kinds = self::kinds(kinds)?;
    Ok(Bytes::of(data)?
        .detached(data.py(), |bytes| found(bytes, kinds, true).into_iter().map(Hidden::from).collect()))
}

/// The kinds with these names; without names, the default kinds.
pub(crate) fn kinds(names: Option<&Bound<'_, PyAny>>) -> PyResult<Kinds> {
    let Some(names) = names else { return Ok(Kinds::DEFAULT) };
    // A str is a sequence too, of characters.
    let names: Vec<String> = names.extract().map_err(|_| {
        let given = names.repr().map_or_else(|_| "this".to_owned(), |given| given.to_string());
        PyTypeError::new_err(format!("kinds is a list of names, such as [\"control\"], not {given}"))
    })?;
    names.iter().try_fold(Kinds::NONE, |set, name| Ok(set.with(named(name)?)))
}

fn named(name: &str) -> PyResult<Kind> {
    kind(name).map_err(PyValueError::new_err)
}
