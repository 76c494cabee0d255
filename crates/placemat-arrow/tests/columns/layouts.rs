//! The same rows in every layout of Arrow.

use std::sync::Arc;

use arrow_array::builder::make_view;
use arrow_array::cast::AsArray;
use arrow_array::types::Int16Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, GenericBinaryArray, OffsetSizeTrait,
    PrimitiveArray,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};
use arrow_schema::DataType;

use crate::rows::{Dice, Row, under_null};

/// The rows as columns of every layout, with bytes under the nulls where the layout has room for them.
pub(crate) fn layouts(rows: &[Row], dice: &mut Dice) -> Vec<ArrayRef> {
    let nulls = NullBuffer::from_iter(rows.iter().map(Option::is_some));
    let nulls = (nulls.null_count() > 0).then_some(nulls);
    let bytes: Vec<Vec<u8>> =
        rows.iter().map(|row| row.clone().unwrap_or_else(|| under_null(dice))).collect();
    let mut columns = vec![
        spans::<i32>(&bytes, &nulls),
        spans::<i64>(&bytes, &nulls),
        views(&bytes, &nulls, |_| Vec::new()),
        // As in the pages of Parquet.
        views(&bytes, &nulls, |row| (row.len() as u32).to_le_bytes().to_vec()),
        views(&bytes, &nulls, |_| vec![0xFF; dice.below(3)]),
        dictionary(rows, &bytes, dice),
    ];
    if bytes.iter().all(|row| std::str::from_utf8(row).is_ok()) {
        let text = |data_type: &DataType, column: &ArrayRef| {
            let data = column.to_data().into_builder().data_type(data_type.clone()).build().unwrap();
            arrow_array::make_array(data)
        };
        let types = [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View];
        let texts: Vec<_> = types.iter().zip(&columns).map(|(to, column)| text(to, column)).collect();
        columns.extend(texts);
    }
    columns
}

fn spans<O: OffsetSizeTrait>(rows: &[Vec<u8>], nulls: &Option<NullBuffer>) -> ArrayRef {
    let offsets = OffsetBuffer::<O>::from_lengths(rows.iter().map(Vec::len));
    Arc::new(GenericBinaryArray::new(offsets, Buffer::from_vec(rows.concat()), nulls.clone()))
}

/// Views into buffers of some rows each, with other bytes before each row.
fn views(rows: &[Vec<u8>], nulls: &Option<NullBuffer>, mut before: impl FnMut(&[u8]) -> Vec<u8>) -> ArrayRef {
    let (mut views, mut buffers) = (Vec::new(), Vec::new());
    for (at, rows) in rows.chunks(300).enumerate() {
        let mut buffer = Vec::new();
        for row in rows {
            buffer.extend(before(row));
            views.push(make_view(row, at as u32, buffer.len() as u32));
            buffer.extend(row);
        }
        buffers.push(Buffer::from_vec(buffer));
    }
    Arc::new(BinaryViewArray::new(views.into(), buffers, nulls.clone()))
}

/// A dictionary. Each row has a value of its own, in another order, and some values have no row. Some rows are null by their key,
/// others by their value.
fn dictionary(rows: &[Row], bytes: &[Vec<u8>], dice: &mut Dice) -> ArrayRef {
    let mut values: Vec<(usize, Option<&[u8]>)> =
        (0..rows.len()).map(|at| (at, rows[at].as_deref())).collect();
    values.extend(bytes.iter().take(5).map(|unused| (usize::MAX, Some(unused.as_slice()))));
    for at in (1..values.len()).rev() {
        values.swap(at, dice.below(at + 1));
    }
    let key = |row: usize| values.iter().position(|value| value.0 == row).map(|key| key as i16);
    let keys: PrimitiveArray<Int16Type> = (0..rows.len())
        .map(|row| if rows[row].is_none() && row % 2 == 0 { None } else { key(row) })
        .collect();
    let values = BinaryArray::from_iter(values.into_iter().map(|value| value.1));
    Arc::new(DictionaryArray::new(keys, Arc::new(values)))
}

/// One row of a column of any layout.
pub(crate) fn row(column: &ArrayRef, at: usize) -> Row {
    if column.is_null(at) {
        return None;
    }
    Some(match column.data_type() {
        DataType::Binary => column.as_binary::<i32>().value(at).to_vec(),
        DataType::LargeBinary => column.as_binary::<i64>().value(at).to_vec(),
        DataType::BinaryView => column.as_binary_view().value(at).to_vec(),
        DataType::Utf8 => column.as_string::<i32>().value(at).as_bytes().to_vec(),
        DataType::LargeUtf8 => column.as_string::<i64>().value(at).as_bytes().to_vec(),
        DataType::Utf8View => column.as_string_view().value(at).as_bytes().to_vec(),
        DataType::Dictionary(..) => {
            let dictionary = column.as_any_dictionary();
            return row(dictionary.values(), dictionary.normalized_keys()[at]);
        }
        other => panic!("{other}"),
    })
}

/// The type of a column after conversion.
pub(crate) fn converted(from: &DataType, is_text: bool) -> DataType {
    match from {
        DataType::Binary | DataType::Utf8 if is_text => DataType::Utf8,
        DataType::LargeBinary | DataType::LargeUtf8 if is_text => DataType::LargeUtf8,
        DataType::BinaryView | DataType::Utf8View if is_text => DataType::Utf8View,
        DataType::Utf8 => DataType::Binary,
        DataType::LargeUtf8 => DataType::LargeBinary,
        DataType::Utf8View => DataType::BinaryView,
        DataType::Dictionary(key, value) => {
            DataType::Dictionary(key.clone(), Box::new(converted(value, is_text)))
        }
        other => other.clone(),
    }
}
