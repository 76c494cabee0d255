//! Bytes that Python lends: any object with a contiguous buffer, without a copy.

use core::slice;

use pyo3::buffer::PyUntypedBuffer;
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};

/// Below this many bytes, letting other threads run costs more than it gives.
const LARGE: usize = 16 << 10;

/// Borrowed bytes, for as long as this lives.
pub(crate) enum Bytes<'py> {
    Immutable(Bound<'py, PyBytes>),
    /// A buffer, and whether it is that of `bytes`: that it is read-only does not keep its owner from writing.
    Lent(PyUntypedBuffer, bool, Python<'py>),
}

impl<'py> Bytes<'py> {
    pub(crate) fn of(object: &Bound<'py, PyAny>) -> PyResult<Bytes<'py>> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Bytes::Immutable(bytes.clone()));
        }
        let buffer = PyUntypedBuffer::get(object).map_err(|error| {
            if error.is_instance_of::<PyBufferError>(object.py()) {
                return error;
            }
            let name = object.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
            PyTypeError::new_err(format!("a bytes-like object is required, not '{name}'"))
        })?;
        if !buffer.is_c_contiguous() {
            return Err(PyBufferError::new_err("the buffer is not contiguous; bytes(b) makes one that is"));
        }
        let is_fixed =
            object.is_instance_of::<PyMemoryView>() && object.getattr("obj")?.is_instance_of::<PyBytes>();
        Ok(Bytes::Lent(buffer, is_fixed, object.py()))
    }

    /// The bytes.
    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Bytes::Immutable(bytes) => bytes.as_bytes(),
            Bytes::Lent(buffer, ..) if buffer.len_bytes() == 0 => &[],
            Bytes::Lent(buffer, ..) => {
                // SAFETY: the exporter keeps `len_bytes` bytes at `buf_ptr` in place until the buffer is released, which `self` owns;
                // they are contiguous (`of` saw to it) and not null (there is at least one). No Python code writes
                // meanwhile: we hold the interpreter's lock, and `detached` gives it away only where the memory is that of `bytes`.
                unsafe { slice::from_raw_parts(buffer.buf_ptr().cast(), buffer.len_bytes()) }
            }
        }
    }

    /// `work` on the bytes; other threads run meanwhile if there are many bytes and nobody can write to them.
    pub(crate) fn detached<T: Send>(&self, py: Python<'_>, work: impl Send + FnOnce(&[u8]) -> T) -> T {
        let bytes = self.as_slice();
        let is_fixed = match self {
            Bytes::Immutable(_) => true,
            Bytes::Lent(_, is_fixed, _) => *is_fixed,
        };
        if is_fixed && bytes.len() >= LARGE { py.detach(|| work(bytes)) } else { work(bytes) }
    }

    /// The bytes as an object that cannot change: itself, if it is one.
    pub(crate) fn object(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        match self {
            Bytes::Immutable(bytes) => bytes.clone(),
            Bytes::Lent(..) => PyBytes::new(py, self.as_slice()),
        }
    }
}

/// `work` without the interpreter's lock if there is much of it.
pub(crate) fn detached<T: Send>(py: Python<'_>, amount: usize, work: impl Send + FnOnce() -> T) -> T {
    if amount >= LARGE { py.detach(work) } else { work() }
}
