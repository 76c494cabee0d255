//! The classes of results, `Array` and `ChunkedArray`.

use arrow_array::{Array as _, ArrayRef, new_empty_array};
use arrow_schema::{DataType, Field};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyIterator, PySlice, PyType};

use super::column::Input;
use super::{capsule, part};

/// The data of a result.
pub(super) struct Chunks {
    pub(super) field: Field,
    pub(super) chunks: Vec<ArrayRef>,
}

impl Chunks {
    /// The rows of a column of another library, in the same memory.
    fn of(column: &Bound<'_, PyAny>) -> PyResult<Chunks> {
        let Some(mut input) = Input::whole(column)? else {
            return Err(PyTypeError::new_err("a column with the Arrow PyCapsule interface is required"));
        };
        let mut chunks = Vec::new();
        while let Some(chunk) = input.next().map_err(|refusal| refusal.raise(column.py()))? {
            chunks.push(chunk);
        }
        Ok(Chunks::new(input.name(), input.empty().data_type().clone(), chunks))
    }

    /// A result without nulls that has fields is a table.
    pub(super) fn new(name: &str, data_type: DataType, chunks: Vec<ArrayRef>) -> Chunks {
        let is_table = matches!(data_type, DataType::Struct(_)) && chunks.iter().all(|c| c.nulls().is_none());
        Chunks { field: Field::new(name, data_type, !is_table), chunks }
    }

    pub(super) fn into_object(self, py: Python<'_>, is_one: bool) -> PyResult<Bound<'_, PyAny>> {
        if is_one { Array(self).into_bound_py_any(py) } else { ChunkedArray(self).into_bound_py_any(py) }
    }

    pub(super) fn len(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    fn stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::export_stream(py, self.field.clone(), self.chunks.clone())
    }

    /// A row as a Python object, or a slice of the rows. pyarrow takes them from `column`, which holds the same rows.
    fn item<'py>(
        &self,
        column: &Bound<'py, PyAny>,
        at: &Bound<'py, PyAny>,
    ) -> PyResult<Result<Bound<'py, PyAny>, Chunks>> {
        let Ok(slice) = at.cast::<PySlice>() else {
            return column.get_item(at.extract::<isize>()?)?.call_method0("as_py").map(Ok);
        };
        let slice = slice.indices(self.len() as isize)?;
        if slice.step != 1 && matches!(self.field.data_type(), DataType::BinaryView | DataType::Utf8View) {
            let chunks =
                part::of(&self.chunks, &slice).map_err(|error| PyValueError::new_err(error.to_string()))?;
            return Ok(Err(Chunks { field: self.field.clone(), chunks: chunks.into_iter().collect() }));
        }
        let mut chunks = Vec::new();
        if let Some(mut part) = Input::whole(&column.get_item(at)?)? {
            while let Some(chunk) = part.next().map_err(|refusal| refusal.raise(at.py()))? {
                chunks.push(chunk);
            }
        }
        Ok(Err(Chunks { field: self.field.clone(), chunks }))
    }
}

/// The rows of a pyarrow column as a numpy array. Integers in structs stay integers, even if others are null.
fn numpy<'py>(
    Chunks { field, .. }: &Chunks,
    column: &Bound<'py, PyAny>,
    dtype: Option<&Bound<'py, PyAny>>,
    copy: Option<bool>,
) -> PyResult<Bound<'py, PyAny>> {
    if copy == Some(false) {
        return Err(PyValueError::new_err(
            "a numpy array of the rows needs a copy, so copy=False is refused",
        ));
    }
    let py = column.py();
    // Not through pandas, whose version 3 turns a null in a text column into the number nan.
    let in_numpy = |column: &Bound<'py, PyAny>| {
        let options = PyDict::new(py);
        options.set_item("zero_copy_only", false)?;
        column.call_method("to_numpy", (), Some(&options))
    };
    let array = match field.data_type() {
        DataType::Struct(_) => {
            py.import("numpy")?.call_method1("array", (column.call_method0("to_pylist")?, "O"))?
        }
        // In chunks with a dictionary, pyarrow would read a null as the dictionary's last value.
        DataType::Dictionary(..) => {
            in_numpy(&column.call_method1("cast", (column.getattr("type")?.getattr("value_type")?,))?)?
        }
        _ => in_numpy(column)?,
    };
    match dtype {
        Some(dtype) => array.call_method1("astype", (dtype,)),
        None => Ok(array),
    }
}

/// An Arrow array, for `pyarrow.array`, `polars.Series` and anything else with the Arrow PyCapsule interface.
#[pyclass(frozen, module = "placemat.arrow")]
pub(crate) struct Array(Chunks);

/// A column in the chunks of its input, for `pyarrow.chunked_array`, `polars.Series` and the like.
#[pyclass(frozen, module = "placemat.arrow")]
pub(crate) struct ChunkedArray(Chunks);

impl Array {
    fn in_pyarrow<'py>(slf: &Bound<'py, Array>) -> PyResult<Bound<'py, PyAny>> {
        let column = slf.py().import("pyarrow")?.call_method1("chunked_array", (slf,))?;
        as_one(&column)
    }
}

/// A pyarrow chunked array as an array, without a copy if it has one chunk.
fn as_one<'py>(column: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    match column.getattr("num_chunks")?.extract()? {
        1 => column.call_method1("chunk", (0,)),
        _ => column.call_method0("combine_chunks"),
    }
}

#[pymethods]
impl Array {
    #[new]
    fn new(column: &Bound<'_, PyAny>) -> PyResult<Array> {
        let column = Chunks::of(column)?;
        match column.chunks.len() {
            0 | 1 => Ok(Array(column)),
            count => Err(PyValueError::new_err(format!(
                "an Array has one chunk, and this column has {count}: ChunkedArray takes it"
            ))),
        }
    }

    /// Pickled as an array of pyarrow.
    fn __reduce__<'py>(slf: &Bound<'py, Array>) -> PyResult<(Bound<'py, PyType>, (Bound<'py, PyAny>,))> {
        Ok((slf.get_type(), (Array::in_pyarrow(slf)?,)))
    }

    /// The rows as objects of Python; pyarrow makes them.
    fn to_pylist<'py>(slf: &Bound<'py, Array>) -> PyResult<Bound<'py, PyAny>> {
        Array::in_pyarrow(slf)?.call_method0("to_pylist")
    }

    /// The rows as an array of numpy; pyarrow makes it.
    fn to_numpy<'py>(slf: &Bound<'py, Array>) -> PyResult<Bound<'py, PyAny>> {
        numpy(&slf.get().0, &Array::in_pyarrow(slf)?, None, None)
    }

    /// So that numpy and pandas take the rows.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        slf: &Bound<'py, Array>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        numpy(&slf.get().0, &Array::in_pyarrow(slf)?, dtype, copy)
    }

    fn __iter__<'py>(slf: &Bound<'py, Array>) -> PyResult<Bound<'py, PyIterator>> {
        Array::to_pylist(slf)?.try_iter()
    }

    fn __getitem__<'py>(slf: &Bound<'py, Array>, at: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match slf.get().0.item(&Array::in_pyarrow(slf)?, at)? {
            Ok(row) => Ok(row),
            Err(part) => Array(part).into_bound_py_any(slf.py()),
        }
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __eq__(&self, other: &Array) -> bool {
        self.0 == other.0
    }

    fn __repr__(&self) -> String {
        format!("<placemat.arrow.Array of {} rows of {}>", self.0.len(), self.0.field.data_type())
    }

    /// Called by `pyarrow.array`, which relies on it for the cast to `type`.
    #[pyo3(signature = (r#type=None))]
    fn __arrow_array__<'py>(
        slf: &Bound<'py, Array>,
        r#type: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let array = Array::in_pyarrow(slf)?;
        match r#type {
            Some(other) => array.call_method1("cast", (other,)),
            None => Ok(array),
        }
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::export_schema(py, &self.0.field)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // The consumer has to cast if it wants another type: the interface does not require that the producer does.
        drop(requested_schema);
        let array =
            self.0.chunks.first().cloned().unwrap_or_else(|| new_empty_array(self.0.field.data_type()));
        Ok((capsule::export_schema(py, &self.0.field)?, capsule::export(py, &array)?))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        self.0.stream(py)
    }
}

impl ChunkedArray {
    fn in_pyarrow<'py>(slf: &Bound<'py, ChunkedArray>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("pyarrow")?.call_method1("chunked_array", (slf,))
    }
}

#[pymethods]
impl ChunkedArray {
    #[new]
    fn new(column: &Bound<'_, PyAny>) -> PyResult<ChunkedArray> {
        Chunks::of(column).map(ChunkedArray)
    }

    /// Pickled as a chunked array of pyarrow.
    fn __reduce__<'py>(
        slf: &Bound<'py, ChunkedArray>,
    ) -> PyResult<(Bound<'py, PyType>, (Bound<'py, PyAny>,))> {
        Ok((slf.get_type(), (ChunkedArray::in_pyarrow(slf)?,)))
    }

    /// The rows as objects of Python; pyarrow makes them.
    fn to_pylist<'py>(slf: &Bound<'py, ChunkedArray>) -> PyResult<Bound<'py, PyAny>> {
        ChunkedArray::in_pyarrow(slf)?.call_method0("to_pylist")
    }

    /// The rows as an array of numpy; pyarrow makes it.
    fn to_numpy<'py>(slf: &Bound<'py, ChunkedArray>) -> PyResult<Bound<'py, PyAny>> {
        numpy(&slf.get().0, &ChunkedArray::in_pyarrow(slf)?, None, None)
    }

    /// So that numpy and pandas take the rows.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        slf: &Bound<'py, ChunkedArray>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        numpy(&slf.get().0, &ChunkedArray::in_pyarrow(slf)?, dtype, copy)
    }

    fn __iter__<'py>(slf: &Bound<'py, ChunkedArray>) -> PyResult<Bound<'py, PyIterator>> {
        ChunkedArray::to_pylist(slf)?.try_iter()
    }

    fn __getitem__<'py>(
        slf: &Bound<'py, ChunkedArray>,
        at: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match slf.get().0.item(&ChunkedArray::in_pyarrow(slf)?, at)? {
            Ok(row) => Ok(row),
            Err(part) => ChunkedArray(part).into_bound_py_any(slf.py()),
        }
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __eq__(&self, other: &ChunkedArray) -> bool {
        self.0 == other.0
    }

    fn __repr__(&self) -> String {
        format!(
            "<placemat.arrow.ChunkedArray of {} rows of {} in {} chunks>",
            self.0.len(),
            self.0.field.data_type(),
            self.0.chunks.len()
        )
    }

    /// Called by `pyarrow.array`: all chunks as one array, if one can hold them.
    #[pyo3(signature = (r#type=None))]
    fn __arrow_array__<'py>(
        slf: &Bound<'py, ChunkedArray>,
        r#type: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let column = ChunkedArray::in_pyarrow(slf)?;
        let column = match r#type {
            Some(other) => column.call_method1("cast", (other,))?,
            None => column,
        };
        as_one(&column)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::export_schema(py, &self.0.field)
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        self.0.stream(py)
    }
}
