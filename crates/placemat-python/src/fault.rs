//! The class `Error`: the library's error as a Python object.

use placemat::ErrorKind;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// One malformed sequence: what is wrong, where, and its length.
///
/// >>> import placemat
/// >>> error = placemat.check(b"caf\xe9!")
/// >>> error.kind, error.offset, error.length
/// ('missing-continuation', 3, 1)
#[pyclass(frozen, eq, hash, get_all, from_py_object, module = "placemat")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Error {
    /// What is wrong, in lower-case words joined by hyphens.
    kind: &'static str,
    /// The offset of its first byte, from 0.
    offset: u64,
    /// The number of malformed bytes.
    length: u8,
}

impl From<placemat::Error> for Error {
    fn from(error: placemat::Error) -> Error {
        Error { kind: error.kind().name(), offset: error.offset(), length: error.length() }
    }
}

#[pymethods]
impl Error {
    #[classattr]
    #[pyo3(name = "__match_args__")]
    const MATCH_ARGS: (&'static str, &'static str, &'static str) = ("kind", "offset", "length");

    #[new]
    fn new(kind: &str, offset: u64, length: u8) -> PyResult<Error> {
        let kinds: Vec<_> = ErrorKind::ALL.iter().map(|kind| kind.name()).collect();
        match kinds.iter().copied().find(|&name| name == kind) {
            Some(kind) => Ok(Error { kind, offset, length }),
            None => {
                Err(PyValueError::new_err(format!("unknown kind: {kind:?}; one of {}", kinds.join(", "))))
            }
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Error>) -> (Bound<'py, PyType>, (&'static str, u64, u8)) {
        let Error { kind, offset, length } = *slf.get();
        (slf.get_type(), (kind, offset, length))
    }

    /// The offset of the first byte after the sequence.
    #[getter]
    fn end(&self) -> u64 {
        self.offset.saturating_add(self.length.into())
    }

    fn __repr__(&self) -> String {
        format!("Error(kind='{}', offset={}, length={})", self.kind, self.offset, self.length)
    }

    fn __str__(&self) -> String {
        format!("{} at byte {} (length {})", self.kind, self.offset, self.length)
    }
}

impl Error {
    pub(crate) const fn kind_name(&self) -> &'static str {
        self.kind
    }
}
