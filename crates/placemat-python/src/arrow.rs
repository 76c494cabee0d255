//! The functions for Arrow columns, which any library with the Arrow PyCapsule interface can pass and receive.

#[expect(unsafe_code, reason = "the C data interface is pointers")]
mod capsule;
mod column;
mod equal;
pub(crate) mod legacy;
mod met;
mod parallel;
mod part;
mod result;
mod stretches;

pub(crate) use column::OBJECTS;

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StructArray};
use placemat_arrow::Error;
use pyo3::exceptions::{PyLookupError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use self::column::Input;
use self::result::Chunks;
use crate::{failure, hidden};

/// The same functions for columns: from pyarrow, Polars, DuckDB, DataFusion, pandas, or anything else with the Arrow
/// PyCapsule interface.
///
/// A column is an array or a stream of arrays. For a table with more than one column, name the `column`. Results have the same
/// interface: `pyarrow.array(result)`, `polars.Series(result)`.
#[pymodule]
pub(crate) mod arrow {
    #[pymodule_export]
    use super::result::{Array, ChunkedArray};

    use pyo3::prelude::*;
    use pyo3::wrap_pyfunction;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Workers find a function by the name of its module, which it copies when it is made: so the module is named first.
        module.setattr("__name__", "placemat.arrow")?;
        module.add_function(wrap_pyfunction!(super::is_valid, module)?)?;
        module.add_function(wrap_pyfunction!(super::first_error, module)?)?;
        module.add_function(wrap_pyfunction!(super::errors, module)?)?;
        module.add_function(wrap_pyfunction!(super::repair, module)?)?;
        module.add_function(wrap_pyfunction!(super::convert, module)?)?;
        module.add_function(wrap_pyfunction!(super::mojibake, module)?)?;
        module.add_function(wrap_pyfunction!(super::detect, module)?)?;
        module.add_function(wrap_pyfunction!(super::invisible, module)?)?;
        module.add_function(wrap_pyfunction!(super::invisible_counts, module)?)?;
        module.add_function(wrap_pyfunction!(super::lengths, module)?)?;
        module.add_function(wrap_pyfunction!(super::release_memory, module)?)
    }
}

/// Return whether each row is well-formed: a column of booleans, null where the row is null.
///
/// >>> pa.array(placemat.arrow.is_valid(pa.array([b"plain", b"caf\xe9", None]))).to_pylist()
/// [True, False, None]
#[pyfunction]
#[pyo3(signature = (data, form="utf-8", *, column=None))]
fn is_valid<'py>(data: &Bound<'py, PyAny>, form: &str, column: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
    let form = failure::form(form)?;
    each(data, column, move |array, _| Ok(Arc::new(placemat_arrow::is_valid(array, form)?)))
}

/// Return the first error of each row: a column of structs (offset, length, kind), null where nothing is wrong.
///
/// >>> pa.array(placemat.arrow.first_error(pa.array([b"plain", b"caf\xe9"]))).to_pylist()
/// [None, {'offset': 3, 'length': 1, 'kind': 'truncated'}]
#[pyfunction]
#[pyo3(signature = (data, form="utf-8", *, column=None))]
fn first_error<'py>(
    data: &Bound<'py, PyAny>,
    form: &str,
    column: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let form = failure::form(form)?;
    each(data, column, move |array, _| Ok(Arc::new(placemat_arrow::first_error(array, form)?)))
}

/// Return every error of every row: a table of row, offset, length, kind.
///
/// >>> pa.table(placemat.arrow.errors(pa.array([b"plain", b"\xff, \xfe"]))).to_pydict()
/// {'row': [1, 1], 'offset': [0, 3], 'length': [1, 1], 'kind': ['invalid-byte', 'invalid-byte']}
#[pyfunction]
#[pyo3(signature = (data, form="utf-8", *, column=None))]
fn errors<'py>(data: &Bound<'py, PyAny>, form: &str, column: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
    let form = failure::form(form)?;
    each(data, column, move |array, before| Ok(counted_on(&placemat_arrow::errors(array, form)?, before)))
}

/// The table with `before` added to its first column, the numbers of rows.
fn counted_on(table: &RecordBatch, before: usize) -> ArrayRef {
    let mut columns = table.columns().to_vec();
    let rows = columns[0].as_primitive::<Int64Type>();
    columns[0] = Arc::new(Int64Array::from_iter_values(rows.values().iter().map(|row| row + before as i64)));
    Arc::new(StructArray::new(table.schema().fields().clone(), columns, None))
}

/// Return the unexplained invisible characters of each row, as `placemat.invisible` does: a table of row, offset, length, kind,
/// payload.
///
/// >>> pa.record_batch(placemat.arrow.invisible(pa.array(["fine", "pass\u200bword"]))).to_pylist()
/// [{'row': 1, 'offset': 4, 'length': 3, 'kind': 'zero-width', 'payload': b''}]
#[pyfunction]
#[pyo3(signature = (data, *, kinds=None, column=None))]
fn invisible<'py>(
    data: &Bound<'py, PyAny>,
    kinds: Option<&Bound<'py, PyAny>>,
    column: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let kinds = hidden::kinds(kinds)?;
    each(data, column, move |array, before| Ok(counted_on(&placemat_arrow::invisible(array, kinds)?, before)))
}

/// Return the number of `invisible`'s findings in each row.
///
/// >>> pa.array(placemat.arrow.invisible_counts(pa.array(["fine", "pass\u200bword"]))).to_pylist()
/// [0, 1]
#[pyfunction]
#[pyo3(signature = (data, *, kinds=None, column=None))]
fn invisible_counts<'py>(
    data: &Bound<'py, PyAny>,
    kinds: Option<&Bound<'py, PyAny>>,
    column: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let kinds = hidden::kinds(kinds)?;
    each(data, column, move |array, _| Ok(Arc::new(placemat_arrow::invisible_counts(array, kinds)?)))
}

/// Return the rows as well-formed text. A column of bytes in which nothing is malformed becomes text without a copy.
///
/// >>> pa.array(placemat.arrow.repair(pa.array([b"plain", b"caf\xe9"]), "cp1252")).to_pylist()
/// ['plain', 'café']
#[pyfunction]
#[pyo3(signature = (data, policy="replace", *, column=None))]
fn repair<'py>(data: &Bound<'py, PyAny>, policy: &str, column: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
    let policy = failure::policy_of_repair(policy)?;
    each(data, column, move |array, _| placemat_arrow::repair(array, policy))
}

/// Convert the rows to another form or legacy encoding: text if that is UTF-8, else bytes. Raises ConversionError, with the
/// `row`, where a policy stops.
///
/// >>> pa.array(placemat.arrow.convert(pa.array([b"\x93\xfa"]), "shift_jis")).to_pylist()
/// ['日']
/// >>> pa.array(placemat.arrow.convert(pa.array([b"\xc0\x80"]), "mutf-8")).to_pylist()
/// ['\x00']
/// >>> pa.array(placemat.arrow.convert(pa.array(["é"]), "utf-8", "utf-16le")).to_pylist()
/// [b'\xe9\x00']
#[pyfunction]
#[pyo3(signature = (data, source="utf-8", target="utf-8", *, on_error="stop", unencodable="stop", column=None))]
fn convert<'py>(
    data: &Bound<'py, PyAny>,
    source: &str,
    target: &str,
    on_error: &str,
    unencodable: &str,
    column: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let policy = failure::policy(on_error)?;
    let (source, target) = (failure::charset(source)?, failure::charset(target)?);
    let policy = policy.unencodable(failure::unencodable(unencodable, target)?);
    each(data, column, move |array, _| legacy::convert(array, source, target, policy))
}

/// Undo mojibake in the rows, as `placemat.mojibake` does: every run of text that was decoded twice. Rows that are not UTF-8 stay as
/// they are. A large column is read by this number of `threads`, or by one per processor; the result is the same.
///
/// >>> pa.array(placemat.arrow.mojibake(pa.array(["cafÃ©", "São Paulo"]))).to_pylist()
/// ['café', 'São Paulo']
#[pyfunction]
#[pyo3(signature = (data, *, column=None, threads=None))]
fn mojibake<'py>(
    data: &Bound<'py, PyAny>,
    column: Option<&str>,
    threads: Option<isize>,
) -> PyResult<Bound<'py, PyAny>> {
    let threads = threads.map(failure::threads).transpose()?;
    each(data, column, |array, _| parallel::each(array, threads, &legacy::mojibake))
}

/// Return the likely encoding of each row: a column of structs (encoding, bom, confidence, malformed, line_ending).
/// A large column is read by this number of `threads`, or by one per processor.
///
/// >>> found = pa.array(placemat.arrow.detect(pa.array([b"plain", "Привет, мир!".encode("koi8-r")])))
/// >>> found.field("encoding").to_pylist()
/// ['us-ascii', 'koi8-r']
#[pyfunction]
#[pyo3(signature = (data, *, column=None, threads=None))]
fn detect<'py>(
    data: &Bound<'py, PyAny>,
    column: Option<&str>,
    threads: Option<isize>,
) -> PyResult<Bound<'py, PyAny>> {
    let threads = threads.map(failure::threads).transpose()?;
    each(data, column, |array, _| {
        parallel::each(array, threads, &|array| Ok(Arc::new(placemat_arrow::detect(array)?)))
    })
}

/// Return the length of each row in `code-points`, `utf-16-units`, or bytes of the form that `unit` names. An error is as long as
/// U+FFFD; if `unit` is `form` itself, its bytes are counted as they are.
///
/// >>> pa.array(placemat.arrow.lengths(pa.array(["né😀"]), "utf-16-units")).to_pylist()
/// [4]
#[pyfunction]
#[pyo3(signature = (data, unit="code-points", *, form="utf-8", column=None))]
fn lengths<'py>(
    data: &Bound<'py, PyAny>,
    unit: &str,
    form: &str,
    column: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let form = failure::form(form)?;
    let unit = failure::unit(unit).map_err(PyLookupError::new_err)?;
    each(data, column, move |array, _| Ok(Arc::new(placemat_arrow::lengths(array, form, unit)?)))
}

/// Free the memory, at most 512 MiB, that is kept for the next column that is rewritten. Memory not used for some seconds is also
/// freed when a later column is dropped.
///
/// >>> placemat.arrow.release_memory()
#[pyfunction]
fn release_memory(py: Python<'_>) {
    py.detach(placemat_arrow::release_memory);
}

/// Calls `work` with each array and the number of rows before it. Other threads run meanwhile.
fn each<'py>(
    data: &Bound<'py, PyAny>,
    column: Option<&str>,
    work: impl Fn(&dyn Array, usize) -> Result<ArrayRef, Error> + Send + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let py = data.py();
    let mut input = Input::of(data, column)?;
    let result = py.detach(|| {
        let (mut chunks, mut before) = (Vec::new(), 0);
        while let Some(array) = input.next()? {
            chunks.push(work(&*array, before).map_err(|error| Refusal::Rows(before, error))?);
            before += array.len();
        }
        let data_type = match chunks.first() {
            Some(chunk) => chunk.data_type().clone(),
            // Without any array, the type of the result is that for an empty one.
            None => work(&*input.empty(), 0).map_err(|error| Refusal::Rows(0, error))?.data_type().clone(),
        };
        Ok((chunks, data_type))
    });
    let (chunks, data_type) = result.map_err(|refusal: Refusal| refusal.raise(py))?;
    Chunks::new(input.name(), data_type, chunks).into_object(py, input.is_one())
}

/// Why there is no result.
enum Refusal {
    /// The column cannot be read.
    Input(String),
    /// A chunk was refused; the number of rows before it.
    Rows(usize, Error),
}

impl Refusal {
    fn raise(self, py: Python<'_>) -> PyErr {
        match self {
            Refusal::Input(message) => PyValueError::new_err(message),
            Refusal::Rows(_, error @ Error::Type(_)) => PyTypeError::new_err(error.to_string()),
            Refusal::Rows(before, Error::Row { row, error }) => {
                let exception = failure::ConversionError::new_err(format!("row {}: {error}", before + row));
                let value = exception.value(py);
                let set = value
                    .setattr("row", before + row)
                    .and_then(|()| value.setattr("error", crate::fault::Error::from(error)));
                set.err().unwrap_or(exception)
            }
            Refusal::Rows(_, error) => PyValueError::new_err(error.to_string()),
        }
    }
}
