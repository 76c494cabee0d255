//! Input columns, from any object that is or becomes an Arrow array or stream.

use arrow_array::cast::AsArray;
use arrow_array::{Array as _, ArrayRef, new_empty_array, new_null_array};
use arrow_schema::{DataType, Field};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyUnicodeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyFrozenSet, PySet, PyString, PyTuple};

use super::Refusal;
use super::capsule::{self, Stream};

/// The message for a column of Polars' type Object.
pub(crate) const OBJECTS: &str =
    "a column of Polars' type Object holds objects of Python, not bytes or text; cast it to Binary or String";

/// A column that is to be read.
pub(super) struct Input {
    field: Field,
    /// Which column of a table.
    index: Option<usize>,
    source: Source,
}

enum Source {
    One(Option<ArrayRef>),
    Many(Box<Stream>),
}

impl Input {
    pub(super) fn of(object: &Bound<'_, PyAny>, column: Option<&str>) -> PyResult<Input> {
        let whole = match Input::whole(object) {
            Ok(Some(whole)) => whole,
            Ok(None) => return Input::of(&through_pyarrow(object)?, column),
            // pandas, of an object column with such a str.
            Err(error) if has_surrogates(&error, object)? => return Input::of(&unescaped(object)?, column),
            Err(error) => return Err(error),
        };
        let Input { field, source, .. } = whole;
        let index = choose(&field, column)?;
        let field = match (index, field.data_type()) {
            (Some(index), DataType::Struct(fields)) => fields[index].as_ref().clone(),
            _ => field,
        };
        if matches!(field.data_type(), DataType::FixedSizeBinary(_)) && is_of_polars(object)? {
            return Err(PyTypeError::new_err(OBJECTS));
        }
        Ok(Input { field, index, source })
    }

    /// The array or stream, maybe a table, of an object with the PyCapsule interface; `None` for any other object.
    pub(super) fn whole(object: &Bound<'_, PyAny>) -> PyResult<Option<Input>> {
        let (field, source) = if object.hasattr("__arrow_c_array__")? {
            let capsules = object.call_method0("__arrow_c_array__")?.cast_into::<PyTuple>()?;
            let schema = capsules.get_item(0)?.cast_into::<PyCapsule>()?;
            let array = capsules.get_item(1)?.cast_into::<PyCapsule>()?;
            let (array, field) = capsule::import(&schema, &array)?;
            (field, Source::One(Some(array)))
        } else if object.hasattr("__arrow_c_stream__")? {
            let capsule = object.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
            let (stream, field) = Stream::import(&capsule)?;
            (field, Source::Many(Box::new(stream)))
        } else {
            return Ok(None);
        };
        Ok(Some(Input { field, index: None, source }))
    }

    pub(super) fn name(&self) -> &str {
        self.field.name()
    }

    pub(super) fn is_one(&self) -> bool {
        matches!(self.source, Source::One(_))
    }

    /// The next array.
    pub(super) fn next(&mut self) -> Result<Option<ArrayRef>, Refusal> {
        let array = match &mut self.source {
            Source::One(array) => array.take(),
            Source::Many(stream) => stream.next().map_err(Refusal::Input)?,
        };
        let Some(array) = array else { return Ok(None) };
        let column = match self.index {
            // Where the struct is null, each of its fields is null, whatever the field's own nulls are.
            Some(index) => capsule::masked(array.as_struct().column(index), array.nulls()),
            None => array,
        };
        // A column of the type Null becomes nulls of bytes.
        let is_of_nulls = self.field.data_type() == &DataType::Null;
        Ok(Some(if is_of_nulls { new_null_array(&DataType::Binary, column.len()) } else { column }))
    }

    /// An empty array of the type that `next` returns.
    pub(super) fn empty(&self) -> ArrayRef {
        match self.field.data_type() {
            DataType::Null => new_empty_array(&DataType::Binary),
            data_type => new_empty_array(data_type),
        }
    }
}

/// The array that pyarrow, if it is installed, makes of lists and of columns of pandas and numpy.
fn through_pyarrow<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let refused = || {
        let name = object.get_type().name().map_or_else(|_| "?".into(), |name| name.to_string());
        PyTypeError::new_err(format!(
            "a column with the Arrow PyCapsule interface is required, not '{name}'; with pyarrow installed, also \
             anything that pyarrow.array() accepts"
        ))
    };
    // pyarrow would take the keys of a dictionary for rows, and the members of a set in any order.
    let is_no_column = object.is_instance_of::<PyString>()
        || object.is_instance_of::<PyBytes>()
        || object.is_instance_of::<PyDict>()
        || object.is_instance_of::<PySet>()
        || object.is_instance_of::<PyFrozenSet>();
    if is_no_column || object.py().import("pyarrow").is_err() {
        return Err(refused());
    }
    let column = array(object, false).or_else(|error| {
        let is_escaped = has_surrogates(&error, object)?;
        if is_escaped { unescaped(object) } else { Err(error) }
    });
    column.map_err(|error| {
        let refusal = PyTypeError::new_err(format!(
            "this object has no Arrow PyCapsule interface, and pyarrow cannot convert it to an array: {}",
            error.value(object.py())
        ));
        refusal.set_cause(object.py(), Some(error));
        refusal
    })
}

/// Whether the error is that a str of this sequence has lone surrogates, as one has that was read with `surrogateescape`: the name of a
/// file, for example.
fn has_surrogates(error: &PyErr, object: &Bound<'_, PyAny>) -> PyResult<bool> {
    // The rows of a frame are its names of columns, and pyarrow has used an iterator up.
    let is_sequence = !object.hasattr("columns")? && !object.hasattr("__next__")?;
    Ok(is_sequence && error.is_instance_of::<PyUnicodeError>(object.py()))
}

/// An array of the rows as bytes. A str becomes the bytes that `surrogateescape` decoded.
fn unescaped<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let mut rows = Vec::new();
    for row in object.try_iter()? {
        let row = row?;
        rows.push(match row.is_instance_of::<PyString>() {
            false => row,
            true => row
                .call_method1("encode", ("utf-8", "surrogateescape"))
                .or_else(|_| row.call_method1("encode", ("utf-8", "surrogatepass")))?,
        });
    }
    array(&rows.into_pyobject(object.py())?, true)
}

/// An array of pyarrow, in which NaN is null, as in the arrays that pandas makes of columns of text. If `is_bytes`, rows of another type
/// are an error.
fn array<'py>(rows: &Bound<'py, PyAny>, is_bytes: bool) -> PyResult<Bound<'py, PyAny>> {
    let pyarrow = rows.py().import("pyarrow")?;
    let options = PyDict::new(rows.py());
    options.set_item("from_pandas", true)?;
    if is_bytes {
        options.set_item("type", pyarrow.call_method0("binary")?)?;
    }
    // pyarrow ends a row of these types at its first NUL.
    let rows = if is_padded(rows)? { rows.call_method0("tolist")? } else { rows.clone() };
    pyarrow.call_method("array", (rows,), Some(&options))
}

/// Whether this is a column of numpy whose rows have one size and are filled up with NUL (the types `S` and `U`).
fn is_padded(rows: &Bound<'_, PyAny>) -> PyResult<bool> {
    let (Some(dtype), Some(dimensions)) = (rows.getattr_opt("dtype")?, rows.getattr_opt("ndim")?) else {
        return Ok(false);
    };
    let is_of =
        |kind: Bound<'_, PyAny>| kind.extract::<String>().is_ok_and(|kind| kind == "S" || kind == "U");
    Ok(dtype.getattr_opt("kind")?.is_some_and(is_of) && dimensions.eq(1)?)
}

/// Whether an object is a series or frame of Polars. Polars exports bytes of a fixed size only for its type Object: the addresses of
/// Python objects.
fn is_of_polars(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    for class in object.get_type().mro() {
        let module = class.getattr("__module__")?;
        if module.extract::<String>().is_ok_and(|module| module.starts_with("polars.")) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The index of the column to read in a table; `None` if this is no table.
fn choose(field: &Field, column: Option<&str>) -> PyResult<Option<usize>> {
    let DataType::Struct(fields) = field.data_type() else {
        return match column {
            Some(_) => Err(PyValueError::new_err("column= is for tables, and this is a single column")),
            None => Ok(None),
        };
    };
    let names = || fields.iter().map(|field| field.name().as_str()).collect::<Vec<_>>().join(", ");
    match column {
        Some(column) => {
            let mut named = (0..fields.len()).filter(|&at| fields[at].name() == column);
            match (named.next(), named.next()) {
                (None, _) => Err(PyKeyError::new_err(format!("no column {column:?}; there are {}", names()))),
                (Some(_), Some(_)) => {
                    Err(PyValueError::new_err(format!("several columns have the name {column:?}")))
                }
                (index, None) => Ok(index),
            }
        }
        None if fields.len() == 1 => Ok(Some(0)),
        None => Err(PyValueError::new_err(format!("choose a column: {}", names()))),
    }
}
