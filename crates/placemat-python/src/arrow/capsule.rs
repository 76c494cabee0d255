//! The Arrow C data interface in Python's capsules: who owns what, and when it is released.
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

/// Take the array out of its capsule, which is empty then.
pub(super) fn import(
    schema: &Bound<'_, PyCapsule>,
    array: &Bound<'_, PyCapsule>,
) -> PyResult<(ArrayRef, Field)> {
    let schema: NonNull<FFI_ArrowSchema> = schema.pointer_checked(Some(SCHEMA))?.cast();
    let array: NonNull<FFI_ArrowArray> = array.pointer_checked(Some(ARRAY))?.cast();
    // SAFETY: a capsule of this name holds a schema (PyCapsule interface), which stays there while we hold the capsule and the
    // interpreter's lock; nothing of Python's runs before the borrow ends.
    let schema = unsafe { schema.as_ref() };
    // SAFETY: as above; the array is moved out and marked as released, so that the capsule will not release it again.
    let array = unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) };
    if array.is_released() {
        return Err(PyValueError::new_err("the capsule's array was taken before"));
    }
    let field = Field::try_from(schema).map_err(refused)?;
    // SAFETY: the producer promises that the array is what its schema says; that is the interface.
    let array = unsafe { of_ffi(array, schema, &field) }.map_err(refused)?;
    Ok((array, field))
}

/// The array that a producer gives; where it has nulls without a type, maybe a struct of no fields.
///
/// # Safety
/// The array is what its schema, which is that of the field, says.
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

/// The type of an array with structs of no fields in place of nulls without a type, where these have a buffer: Polars gives them
/// one, which the interface does not have. `None` where it gives none.
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

/// The array, null also where `nulls`, which is as long, says so.
pub(super) fn masked(array: &ArrayRef, nulls: Option<&NullBuffer>) -> ArrayRef {
    // What has no nulls of its own is no column of bytes or text, and will be refused.
    let Some(nulls) = nulls.filter(|_| converted_type(array.data_type(), Form::Utf8).is_ok()) else {
        return array.clone();
    };
    let data = array.to_data().into_builder().nulls(NullBuffer::union(array.nulls(), Some(nulls)));
    // SAFETY: the array was valid, the nulls of a struct are as many as its fields have rows, and to more nulls no column of
    // bytes or text objects.
    make_array(unsafe { data.build_unchecked() })
}

/// A column of text as one of bytes, in the same memory; any other as it is.
pub(super) fn as_bytes(array: &dyn Array) -> ArrayRef {
    exchanged(array, &ALIKE)
}

/// A column of bytes as one of text, in the same memory; any other as it is. Rows that are no UTF-8 stay as they are, so what reads
/// the column takes it for bytes first, by [`as_bytes`] or as `placemat_arrow` does: so, too, what others hand over as text.
pub(super) fn as_text(array: &dyn Array) -> ArrayRef {
    exchanged(array, &ALIKE.map(|[text, bytes]| [bytes, text]))
}

/// Types of text, each with that of bytes in the same layout.
const ALIKE: [[DataType; 2]; 3] = [
    [DataType::Utf8, DataType::Binary],
    [DataType::LargeUtf8, DataType::LargeBinary],
    [DataType::Utf8View, DataType::BinaryView],
];

/// The column under the second type of a pair of [`ALIKE`], if it has the first.
fn exchanged(array: &dyn Array, pairs: &[[DataType; 2]]) -> ArrayRef {
    let Some([_, other]) = pairs.iter().find(|[one, _]| one == array.data_type()) else {
        return array.slice(0, array.len());
    };
    // SAFETY: both have the same layout, and bytes may be any; rows of text that are no UTF-8 are, as with what the C data interface
    // brings, read only as bytes.
    make_array(unsafe { array.to_data().into_builder().data_type(other.clone()).build_unchecked() })
}

/// A producer's stream of arrays.
pub(super) struct Stream {
    stream: FFI_ArrowArrayStream,
    schema: FFI_ArrowSchema,
    field: Field,
}

impl Stream {
    /// Take the stream out of its capsule, which is empty then.
    pub(super) fn import(capsule: &Bound<'_, PyCapsule>) -> PyResult<(Stream, Field)> {
        let pointer: NonNull<FFI_ArrowArrayStream> = capsule.pointer_checked(Some(STREAM))?.cast();
        // SAFETY: a capsule of this name holds a stream; it is moved out and marked as released.
        let mut stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
        let Some(get_schema) = stream.get_schema.filter(|_| stream.release.is_some()) else {
            return Err(PyValueError::new_err("the capsule's stream was taken before"));
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

    /// The next array; call it without the interpreter's lock, which the producer may want.
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

/// What the producer says of its failure.
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

/// What an exported stream owns.
struct Own {
    field: Field,
    chunks: std::vec::IntoIter<ArrayRef>,
}

/// `EINVAL`, which the interface asks for; the number is the same on all systems.
const INVALID: c_int = 22;

/// # Safety
/// `stream` is one of `export_stream` and not released; `out` can be written.
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

/// Nothing can be said beyond the code.
unsafe extern "C" fn get_last_error(_: *mut FFI_ArrowArrayStream) -> *const c_char {
    ptr::null()
}

/// # Safety
/// As for [`get_schema`].
unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: as in `get_schema`; the box is taken back once, since `release` is unset behind it.
    unsafe {
        drop(Box::from_raw((*stream).private_data.cast::<Own>()));
        (*stream).private_data = ptr::null_mut();
        (*stream).release = None;
    }
}
