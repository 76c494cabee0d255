//! Reports the errors of each row.
#![forbid(unsafe_code)]

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, BooleanArray, Int64Array, RecordBatch, StringArray, StructArray};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Fields, Schema};
use placemat::Form;

use crate::Error;
use crate::rows::Rows;

/// Whether each row is well-formed; null for a null row.
///
/// Rows of UTF-8 are validated in blocks, so that short rows do not cost a call each.
///
/// ```
/// use arrow_array::{BinaryArray, BooleanArray};
/// use placemat::Form;
///
/// let column = BinaryArray::from_opt_vec(vec![Some(b"caf\xC3\xA9"), Some(b"caf\xE9"), None]);
/// let valid = placemat_arrow::is_valid(&column, Form::Utf8)?;
/// assert_eq!(valid, BooleanArray::from(vec![Some(true), Some(false), None]));
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
///
/// # Errors
/// [`Error::Type`].
pub fn is_valid(array: &dyn Array, form: Form) -> Result<BooleanArray, Error> {
    let rows = Rows::of(array)?;
    let mut valid = BooleanBufferBuilder::new(rows.len());
    valid.append_n(rows.len(), true);
    rows.ill_formed(form).into_iter().for_each(|row| valid.set_bit(row, false));
    Ok(BooleanArray::new(valid.finish(), rows.nulls))
}

/// The fields of an error: `offset` and `length` in bytes from the start of the row, `kind` as
/// [`ErrorKind::name`](placemat::ErrorKind::name) has it.
///
/// Numbers are `Int64`, here and everywhere in this crate, because engines on the JVM have no unsigned ones.
fn fields(nullable: bool) -> [Field; 3] {
    [("offset", DataType::Int64), ("length", DataType::Int64), ("kind", DataType::Utf8)]
        .map(|(name, data_type)| Field::new(name, data_type, nullable))
}

/// The type of what [`first_error`] returns: a struct of `offset: Int64`, `length: Int64`, `kind: Utf8`.
#[must_use]
pub fn first_error_type() -> DataType {
    DataType::Struct(Fields::from(fields(true).to_vec()))
}

/// The first error of each row, as a struct of [`first_error_type`]; null where a row is well-formed or null.
///
/// ```
/// use arrow_array::{Array, BinaryArray, cast::AsArray, types::Int64Type};
/// use placemat::Form;
///
/// let column = BinaryArray::from_vec(vec![b"fine", b"caf\xE9"]);
/// let errors = placemat_arrow::first_error(&column, Form::Utf8)?;
/// assert!(errors.is_null(0));
/// assert_eq!(errors.column_by_name("offset").unwrap().as_primitive::<Int64Type>().value(1), 3);
/// assert_eq!(errors.column_by_name("kind").unwrap().as_string::<i32>().value(1), "truncated");
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
///
/// # Errors
/// [`Error::Type`]; [`Error::TooLong`] with some ninety million errors.
pub fn first_error(array: &dyn Array, form: Form) -> Result<StructArray, Error> {
    let rows = Rows::of(array)?;
    let mut has_error = BooleanBufferBuilder::new(rows.len());
    has_error.append_n(rows.len(), false);
    let mut found = Found::default();
    for row in rows.ill_formed(form) {
        if let Some(error) = placemat::errors(form, rows.row(row)).next() {
            found.skip_to(row);
            found.push(&error);
            has_error.set_bit(row, true);
        }
    }
    found.skip_to(rows.len());
    let nulls = Some(NullBuffer::new(has_error.finish()));
    Ok(StructArray::new(Fields::from(fields(true).to_vec()), found.columns(&nulls)?.to_vec(), nulls))
}

/// Every error of every row: `row: Int64`, from 0, and the fields of [`first_error_type`].
///
/// The result has a row for each error. For a column that may be wholly ill-formed, check one slice after another.
///
/// ```
/// use arrow_array::BinaryArray;
/// use placemat::Form;
///
/// let column = BinaryArray::from_opt_vec(vec![Some(b"fine"), None, Some(b"\xFF, \xFE")]);
/// assert_eq!(placemat_arrow::errors(&column, Form::Utf8)?.num_rows(), 2);
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
///
/// # Errors
/// [`Error::Type`]; [`Error::TooLong`] with some ninety million errors.
pub fn errors(array: &dyn Array, form: Form) -> Result<RecordBatch, Error> {
    let rows = Rows::of(array)?;
    let mut numbers = Vec::new();
    let mut found = Found::default();
    for row in rows.ill_formed(form) {
        for error in placemat::errors(form, rows.row(row)) {
            numbers.push(row as i64);
            found.push(&error);
        }
    }
    let schema =
        Schema::new([vec![Field::new("row", DataType::Int64, false)], fields(false).to_vec()].concat());
    let mut columns: Vec<ArrayRef> = vec![Arc::new(Int64Array::from(numbers))];
    columns.extend(found.columns(&None)?);
    Ok(RecordBatch::try_new(Arc::new(schema), columns).expect("the columns of the schema, of one length"))
}

/// Collects errors into columns.
#[derive(Default)]
struct Found {
    offsets: Vec<i64>,
    lengths: Vec<i64>,
    kinds: String,
    ends: Vec<usize>,
}

impl Found {
    fn push(&mut self, error: &placemat::Error) {
        self.offsets.push(error.offset() as i64);
        self.lengths.push(error.length().into());
        self.kinds.push_str(error.kind().name());
        self.ends.push(self.kinds.len());
    }

    /// Fills up with nulls to `row`.
    fn skip_to(&mut self, row: usize) {
        self.offsets.resize(row, 0);
        self.lengths.resize(row, 0);
        self.ends.resize(row, self.kinds.len());
    }

    fn columns(self, nulls: &Option<NullBuffer>) -> Result<[ArrayRef; 3], Error> {
        if i32::try_from(self.kinds.len()).is_err() {
            return Err(Error::TooLong);
        }
        let ends: Vec<i32> = [0].into_iter().chain(self.ends.into_iter().map(|end| end as i32)).collect();
        let ends = OffsetBuffer::new(ScalarBuffer::from(ends));
        Ok([
            Arc::new(Int64Array::new(self.offsets.into(), nulls.clone())),
            Arc::new(Int64Array::new(self.lengths.into(), nulls.clone())),
            Arc::new(StringArray::new(ends, Buffer::from_vec(self.kinds.into_bytes()), nulls.clone())),
        ])
    }
}
