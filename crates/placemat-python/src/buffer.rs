//! Bytes of Python objects: `bytes` are read in place, the buffer of any other object is copied first.
//!
//! Only the memory of `bytes` never changes. Another thread or process may write to a `bytearray`, a NumPy array, an `mmap` or shared
//! memory while it is read. The GIL does not prevent it: NumPy releases it, free-threaded CPython has none, and another process does not
//! need it. So the interpreter copies these before our code reads them.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyMemoryView};

/// With fewer bytes, releasing the GIL costs more than it gains.
const LARGE: usize = 16 << 10;

/// Bytes that nobody can write to.
pub(crate) struct Bytes<'py>(Bound<'py, PyBytes>);

impl<'py> Bytes<'py> {
    /// The bytes of any object with a contiguous buffer.
    ///
    /// # Errors
    ///
    /// `TypeError` where there is no buffer or one of pointers, `BufferError` where it is not contiguous, and whatever the object
    /// itself raises, such as a released view.
    pub(crate) fn of(object: &Bound<'py, PyAny>) -> PyResult<Bytes<'py>> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Bytes(bytes.clone()));
        }
        let view = PyMemoryView::from(object).map_err(|error| unreadable(object, error))?;
        if !view.getattr("c_contiguous")?.is_truthy()? {
            return Err(PyBufferError::new_err("the buffer is not contiguous; bytes(b) makes one that is"));
        }
        let format: String = view.getattr("format")?.extract()?;
        if format.contains(['O', 'P', '&']) {
            return Err(PyTypeError::new_err("the buffer holds pointers to objects, not bytes"));
        }
        // A view of a whole `bytes` object needs no copy.
        if let Ok(bytes) = view.getattr("obj")?.cast_into_exact::<PyBytes>()
            && is_all_of(&view, &bytes)?
        {
            return Ok(Bytes(bytes));
        }
        Ok(Bytes(view.call_method0("tobytes")?.cast_into()?))
    }

    /// The bytes.
    pub(crate) fn as_slice(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// Calls `work` with the bytes. Other threads run meanwhile if there are many bytes.
    pub(crate) fn detached<T: Send>(&self, py: Python<'_>, work: impl Send + FnOnce(&[u8]) -> T) -> T {
        let bytes = self.as_slice();
        detached(py, bytes.len(), || work(bytes))
    }

    /// The bytes as an object: the argument itself, if it is `bytes`.
    pub(crate) fn object(&self) -> Bound<'py, PyBytes> {
        self.0.clone()
    }
}

/// Calls `work` with a copy of the bytes of a `memoryview`, which `bytes.decode` passes to a codec; `None` for any other object.
pub(crate) fn with_view<T>(object: &Bound<'_, PyAny>, work: impl FnOnce(&[u8]) -> T) -> Option<T> {
    let view = object.cast_exact::<PyMemoryView>().ok()?;
    let buffer = PyBuffer::<u8>::get(view).ok()?;
    let mut near = [0; NEAR];
    match near.get_mut(..buffer.item_count()) {
        Some(near) => {
            buffer.copy_to_slice(object.py(), near).ok()?;
            Some(work(near))
        }
        None => Some(work(&buffer.to_vec(object.py()).ok()?)),
    }
}

/// The most bytes that are copied to the stack.
const NEAR: usize = 512;

/// Whether the contiguous view covers all of `bytes`.
fn is_all_of(view: &Bound<'_, PyMemoryView>, bytes: &Bound<'_, PyBytes>) -> PyResult<bool> {
    Ok(view.getattr("nbytes")?.extract::<usize>()? == bytes.as_bytes().len())
}

/// The exception for an object that gives no view: a `TypeError` if it has no buffer, else the object's own exception.
fn unreadable(object: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
    let is_without = error.is_instance_of::<PyTypeError>(object.py());
    if !is_without {
        return error;
    }
    let name = object.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
    PyTypeError::new_err(format!("a bytes-like object is required, not '{name}'"))
}

/// Calls `work`, without the GIL if `amount` bytes are many.
pub(crate) fn detached<T: Send>(py: Python<'_>, amount: usize, work: impl Send + FnOnce() -> T) -> T {
    if amount >= LARGE { py.detach(work) } else { work() }
}
