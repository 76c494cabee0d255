//! The Arrow C data interface in Python capsules: ownership and release of arrays and streams.
//!
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>

use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::{self, NonNull};
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, ArrayRef, make_array};
use arrow_buffer::NullBuffer;
use arrow_schema::{ArrowError, DataType, Field, Fields};
use placemat::Form;
use placemat_arrow::converted_type;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

fn refused(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Takes the array out of its capsule, which is empty afterwards.
pub(super) fn import(
    schema: &Bound<'_, PyCapsule>,
    array: &Bound<'_, PyCapsule>,
) -> PyResult<(ArrayRef, Field)> {
    let schema: NonNull<FFI_ArrowSchema> = schema.pointer_checked(Some(SCHEMA))?.cast();
    let array: NonNull<FFI_ArrowArray> = array.pointer_checked(Some(ARRAY))?.cast();
    // SAFETY: a capsule of this name holds a schema (PyCapsule interface), which stays there while we hold the capsule and the
    // GIL; no Python code runs before the borrow ends.
    let schema = unsafe { schema.as_ref() };
    // SAFETY: as above; the array is moved out and marked as released, so that the capsule will not release it again.
    let array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
    if array.is_released() {
        return Err(PyValueError::new_err("the capsule's array was already consumed"));
    }
    let field = Field::try_from(schema).map_err(refused)?;
    // SAFETY: the producer promises that the array is what its schema says; that is the interface.
    let array = unsafe { of_ffi(array, schema, &field) }.map_err(refused)?;
    Ok((array, field))
}

/// The array that a producer gives. Its columns of the type Null may become structs of no fields: see [`with_buffer`].
///
/// # Safety
/// The array has the layout of `schema`, and `field` is that schema.
unsafe fn of_ffi(
    array: FFI_ArrowArray,
    schema: &FFI_ArrowSchema,
    field: &Field,
) -> Result<ArrayRef, ArrowError> {
    let data = match with_buffer(field.data_type(), &array) {
        // SAFETY: by the contract above.
        None => unsafe { from_ffi(array, schema) },
        Some(data_type) => {
            let schema = FFI_ArrowSchema::try_from(&data_type)?;
            // SAFETY: by the contract above, and a struct of no fields has one buffer, which may be null.
            unsafe { from_ffi(array, &schema) }
        }
    };
    data.map(make_array)
}

/// The type of the array, with structs of no fields in place of the type Null where an array of nulls has a buffer: Polars gives it
/// one, which the interface does not allow. `None` if no such array has a buffer.
fn with_buffer(data_type: &DataType, array: &FFI_ArrowArray) -> Option<DataType> {
    match data_type {
        DataType::Null if array.num_buffers() == 1 => Some(DataType::Struct(Fields::empty())),
        DataType::Struct(fields) if array.num_children() == fields.len() => {
            let types: Vec<_> = fields
                .iter()
                .enumerate()
                .map(|(at, field)| with_buffer(field.data_type(), array.child(at)))
                .collect();
            types.iter().any(Option::is_some).then(|| {
                let fields = fields.iter().zip(types).map(|(field, data_type)| match data_type {
                    Some(data_type) => Arc::new(field.as_ref().clone().with_data_type(data_type)),
                    None => field.clone(),
                });
                DataType::Struct(fields.collect())
            })
        }
        _ => None,
    }
}

/// The array with the additional nulls of `nulls`, which is as long.
pub(super) fn masked(array: &ArrayRef, nulls: Option<&NullBuffer>) -> ArrayRef {
    // A type other than bytes or text may have no null buffer. Such a column is refused later.
    let Some(nulls) = nulls.filter(|_| converted_type(array.data_type(), Form::Utf8).is_ok()) else {
        return array.clone();
    };
    let data = array.to_data().into_builder().nulls(NullBuffer::union(array.nulls(), Some(nulls)));
    // SAFETY: the array was valid, the nulls of a struct are as many as its fields have rows, and a column of bytes or text may
    // have nulls anywhere.
    make_array(unsafe { data.build_unchecked() })
}

/// A column of text as one of bytes, in the same memory; any other as it is.
pub(super) fn as_bytes(array: &dyn Array) -> ArrayRef {
    exchanged(array, &ALIKE)
}

/// A column of bytes as one of text, in the same memory; any other as it is. Rows may still be malformed. So whoever reads the column
/// must turn it into bytes first, by [`as_bytes`] or as `placemat_arrow` does, like every text column from another library.
pub(super) fn as_text(array: &dyn Array) -> ArrayRef {
    exchanged(array, &ALIKE.map(|[text, bytes]| [bytes, text]))
}

/// Pairs of a text type and the bytes type with the same layout.
const ALIKE: [[DataType; 2]; 3] = [
    [DataType::Utf8, DataType::Binary],
    [DataType::LargeUtf8, DataType::LargeBinary],
    [DataType::Utf8View, DataType::BinaryView],
];

/// The column with its type, if that is the first of a pair, replaced by the second of that pair.
fn exchanged(array: &dyn Array, pairs: &[[DataType; 2]]) -> ArrayRef {
    let Some([_, other]) = pairs.iter().find(|[one, _]| one == array.data_type()) else {
        return array.slice(0, array.len());
    };
    // SAFETY: both types have the same layout, and a column of bytes may hold any bytes. Rows of text that are not UTF-8 are read only as
    // bytes, like the text that the C data interface brings.
    make_array(unsafe { array.to_data().into_builder().data_type(other.clone()).build_unchecked() })
}

/// A producer's stream of arrays.
pub(super) struct Stream {
    stream: FFI_ArrowArrayStream,
    schema: FFI_ArrowSchema,
    field: Field,
}

impl Stream {
    /// Takes the stream out of its capsule, which is empty afterwards.
    pub(super) fn import(capsule: &Bound<'_, PyCapsule>) -> PyResult<(Stream, Field)> {
        let pointer: NonNull<FFI_ArrowArrayStream> = capsule.pointer_checked(Some(STREAM))?.cast();
        // SAFETY: a capsule of this name holds a stream; it is moved out and marked as released.
        let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
        let Some(get_schema) = stream.get_schema.filter(|_| stream.release.is_some()) else {
            return Err(PyValueError::new_err("the capsule's stream was already consumed"));
        };
        let mut schema = FFI_ArrowSchema::empty();
        let py = capsule.py();
        let code = py.detach(|| {
            // SAFETY: the stream is not released (it has `release`), and `schema` is there to be written.
            unsafe { get_schema(&raw mut stream, &raw mut schema) }
        });
        if code != 0 {
            return Err(PyValueError::new_err(failure(&mut stream, code)));
        }
        let field = Field::try_from(&schema).map_err(refused)?;
        Ok((Stream { stream, schema, field: field.clone() }, field))
    }

    /// The next array. Call this without the GIL, because the producer may need it.
    pub(super) fn next(&mut self) -> Result<Option<ArrayRef>, String> {
        let Some(get_next) = self.stream.get_next else { return Ok(None) };
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the stream is not released before `self` is dropped, and `array` is there to be written.
        let code = unsafe { get_next(&raw mut self.stream, &raw mut array) };
        if code != 0 {
            return Err(failure(&mut self.stream, code));
        }
        if array.is_released() {
            return Ok(None);
        }
        // SAFETY: the producer promises that its arrays are what the schema of the stream says.
        let array = unsafe { of_ffi(array, &self.schema, &self.field) };
        array.map(Some).map_err(|error| error.to_string())
    }
}

/// The producer's message for its failure.
fn failure(stream: &mut FFI_ArrowArrayStream, code: c_int) -> String {
    let message = stream.get_last_error.map_or(ptr::null(), |get_last_error| {
        // SAFETY: the stream is not released.
        unsafe { get_last_error(&raw mut *stream) }
    });
    if message.is_null() {
        return format!("the stream failed with code {code}");
    }
    // SAFETY: not null, and then a C string that lives until the next call on the stream.
    unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned()
}

pub(super) fn export_schema<'py>(py: Python<'py>, field: &Field) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowSchema::try_from(field).map_err(refused)?, SCHEMA)
}

pub(super) fn export<'py>(py: Python<'py>, array: &ArrayRef) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowArray::new(&array.to_data()), ARRAY)
}

/// The arrays as a stream.
pub(super) fn export_stream(
    py: Python<'_>,
    field: Field,
    chunks: Vec<ArrayRef>,
) -> PyResult<Bound<'_, PyCapsule>> {
    let own = Box::new(Own { field, chunks: chunks.into_iter() });
    let stream = FFI_ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        private_data: Box::into_raw(own).cast::<c_void>(),
    };
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// The data that an exported stream owns.
struct Own {
    field: Field,
    chunks: std::vec::IntoIter<ArrayRef>,
}

/// `EINVAL`, the error code that the interface requires; the number is the same on all systems.
const INVALID: c_int = 22;

/// # Safety
/// `stream` was made by `export_stream` and is not released; `out` can be written.
unsafe extern "C" fn get_schema(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowSchema) -> c_int {
    // SAFETY: by the contract above, `private_data` is the box of `export_stream`, and nobody else uses it during a call.
    let own = unsafe { &*(*stream).private_data.cast::<Own>() };
    match FFI_ArrowSchema::try_from(&own.field) {
        Ok(schema) => {
            // SAFETY: `out` can be written; what it held is not to be dropped.
            unsafe { ptr::write(out, schema) };
            0
        }
        Err(_) => INVALID,
    }
}

/// # Safety
/// As for [`get_schema`].
unsafe extern "C" fn get_next(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowArray) -> c_int {
    // SAFETY: as in `get_schema`.
    let own = unsafe { &mut *(*stream).private_data.cast::<Own>() };
    let next = own.chunks.next();
    let array = next.map_or_else(FFI_ArrowArray::empty, |chunk| FFI_ArrowArray::new(&chunk.to_data()));
    // SAFETY: `out` can be written; what it held is not to be dropped.
    unsafe { ptr::write(out, array) };
    0
}

/// There is no message, only the error code.
unsafe extern "C" fn get_last_error(_: *mut FFI_ArrowArrayStream) -> *const c_char {
    ptr::null()
}

/// # Safety
/// As for [`get_schema`].
unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: as in `get_schema`; the box is taken back once, because `release` is unset afterwards.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Own>()));
        (*stream).private_data = ptr::null_mut();
        (*stream).release = None;
    }
}
