//! Guesses each row's encoding.
#![forbid(unsafe_code)]

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::{DataType, Field, Fields};

use crate::Error;
use crate::rows::Rows;

fn fields() -> Fields {
    let fields = [
        ("encoding", DataType::Utf8),
        ("bom", DataType::Boolean),
        ("confidence", DataType::Float64),
        ("malformed", DataType::Int64),
        ("line_ending", DataType::Utf8),
    ];
    fields.into_iter().map(|(name, data_type)| Field::new(name, data_type, true)).collect()
}

/// The type of what [`detect`] returns: a struct of `encoding: Utf8`, `bom: Boolean`, `confidence: Float64`,
/// `malformed: Int64`, `line_ending: Utf8`, as [`placemat_detect::Detection`] has them.
#[must_use]
pub fn detect_type() -> DataType {
    DataType::Struct(fields())
}

/// Guesses the encoding of each row, taken as a whole text. Returns a struct of [`detect_type`], null for a null row.
///
/// Meant for columns of documents, since a few bytes say little about their encoding. Takes at least some microseconds per row.
///
/// ```
/// use arrow_array::{BinaryArray, cast::AsArray};
///
/// let column = BinaryArray::from_vec(vec![b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0!", "né".as_bytes()]);
/// let found = placemat_arrow::detect(&column)?;
/// let encodings = found.column_by_name("encoding").unwrap().as_string::<i32>();
/// assert_eq!((encodings.value(0), encodings.value(1)), ("windows-1251", "utf-8"));
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
///
/// # Errors
/// [`Error::Type`].
pub fn detect(array: &dyn Array) -> Result<StructArray, Error> {
    let rows = Rows::of(array)?;
    let (mut encodings, mut endings) = (StringBuilder::new(), StringBuilder::new());
    let (mut boms, mut confidences, mut malformed) =
        (BooleanBuilder::new(), Float64Builder::new(), Int64Builder::new());
    for found in rows.map(|bytes| Some(placemat_detect::detect(bytes, true))) {
        let found = found.as_ref();
        encodings.append_option(found.map(|found| found.encoding.name()));
        boms.append_option(found.map(|found| found.bom));
        confidences.append_option(found.map(|found| round(found.confidence)));
        malformed.append_option(found.map(|found| found.malformed as i64));
        endings.append_option(found.map(|found| found.line_ending.name()));
    }
    let columns: Vec<ArrayRef> = vec![
        Arc::new(encodings.finish()),
        Arc::new(boms.finish()),
        Arc::new(confidences.finish()),
        Arc::new(malformed.finish()),
        Arc::new(endings.finish()),
    ];
    Ok(StructArray::new(fields(), columns, rows.nulls.clone()))
}

/// A confidence needs no more than four decimal places.
fn round(confidence: f32) -> f64 {
    (f64::from(confidence) * 1e4).round() / 1e4
}
