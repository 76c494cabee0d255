//! Columns row by row: what only the text library does, such as legacy encodings and mojibake.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::builder::{BinaryViewBuilder, GenericBinaryBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, OffsetSizeTrait};
use arrow_schema::DataType;
use placemat::{Form, Policy};
use placemat_arrow::Error;

/// What becomes of a row.
type Row<'a> = Result<Cow<'a, [u8]>, placemat::Error>;

/// Each row as what `work` makes of it, which is UTF-8 if `is_text`; a column of the same width.
pub(super) fn each_row(
    array: &dyn Array,
    is_text: bool,
    work: &dyn for<'a> Fn(&'a [u8]) -> Row<'a>,
) -> Result<ArrayRef, Error> {
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        let values = each_row(dictionary.values(), is_text, work)?;
        return Ok(dictionary.with_values(values));
    }
    let rows = rows(array)?;
    let made = rows
        .into_iter()
        .enumerate()
        .map(|(row, bytes)| bytes.map(work).transpose().map_err(|error| Error::Row { row, error }));
    let made: ArrayRef = match array.data_type() {
        DataType::LargeBinary | DataType::LargeUtf8 => offsets::<i64>(made)?,
        DataType::BinaryView | DataType::Utf8View => {
            let mut builder = BinaryViewBuilder::with_capacity(array.len());
            for row in made {
                builder.append_option(row?);
            }
            Arc::new(builder.finish())
        }
        _ => offsets::<i32>(made)?,
    };
    // It is well-formed, so nothing is copied.
    if is_text { placemat_arrow::repair(&*made, Policy::Replace) } else { Ok(made) }
}

fn offsets<'a, O: OffsetSizeTrait>(
    rows: impl Iterator<Item = Result<Option<Cow<'a, [u8]>>, Error>>,
) -> Result<ArrayRef, Error> {
    let mut builder = GenericBinaryBuilder::<O>::new();
    for row in rows {
        let row = row?;
        let room = O::MAX_OFFSET - builder.values_slice().len();
        if row.as_ref().is_some_and(|row| row.len() > room) {
            return Err(Error::TooLong);
        }
        builder.append_option(row);
    }
    Ok(Arc::new(builder.finish()))
}

fn rows(array: &dyn Array) -> Result<Vec<Option<&[u8]>>, Error> {
    Ok(match array.data_type() {
        DataType::Binary => array.as_binary::<i32>().iter().collect(),
        DataType::LargeBinary => array.as_binary::<i64>().iter().collect(),
        DataType::BinaryView => array.as_binary_view().iter().collect(),
        DataType::FixedSizeBinary(_) => array.as_fixed_size_binary().iter().collect(),
        DataType::Utf8 => array.as_string::<i32>().iter().map(|row| row.map(str::as_bytes)).collect(),
        DataType::LargeUtf8 => array.as_string::<i64>().iter().map(|row| row.map(str::as_bytes)).collect(),
        DataType::Utf8View => array.as_string_view().iter().map(|row| row.map(str::as_bytes)).collect(),
        other => return Err(Error::Type(other.clone())),
    })
}

/// A row with its mojibake undone; what is not UTF-8 stays as it is.
pub(super) fn undone(row: &[u8]) -> Row<'_> {
    let undone = str::from_utf8(row).ok().and_then(placemat_detect::mojibake::undo);
    Ok(undone.map_or(Cow::Borrowed(row), |undone| Cow::Owned(undone.text.into_bytes())))
}

/// Whether a column is of text.
pub(super) fn is_text(array: &dyn Array) -> bool {
    placemat_arrow::converted_type(array.data_type(), Form::Utf8).is_ok_and(|text| text == *array.data_type())
}
