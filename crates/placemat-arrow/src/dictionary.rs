//! Dictionaries whose values were mapped. No two of the values are equal, since readers of dictionaries rely on that.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray, make_array};
use arrow_buffer::{Buffer, NullBuffer};
use arrow_data::ArrayData;
use arrow_schema::DataType;

use crate::rows::{Layout, Rows};

/// Returns the dictionary with other values, of bytes or text, one for each of its own. Of equal values only the first is kept, and
/// null values are dropped; in both cases the keys change.
///
/// Cost: a hash of each value, unless they are the values that the dictionary had.
///
/// # Panics
/// If `array` is no dictionary, or if there are fewer `values` than it has.
///
/// ```
/// use std::sync::Arc;
/// use arrow_array::{BinaryArray, DictionaryArray, Int8Array, StringArray, cast::AsArray, types::Int8Type};
///
/// let values = Arc::new(BinaryArray::from_vec(vec![b"A", b"a", b"b"]));
/// let dictionary = DictionaryArray::<Int8Type>::new(Int8Array::from(vec![0, 1, 2]), values);
/// let lower = placemat_arrow::with_values(&dictionary, Arc::new(StringArray::from(vec!["a", "a", "b"])));
/// let lower = lower.as_dictionary::<Int8Type>();
/// assert_eq!((lower.keys(), lower.values().len()), (&Int8Array::from(vec![0, 0, 1]), 2));
/// ```
#[must_use]
pub fn with_values(array: &dyn Array, values: ArrayRef) -> ArrayRef {
    let dictionary = array.as_any_dictionary();
    if !is_same(dictionary.values(), &values)
        && let Some((places, kept)) = distinct(&values)
    {
        let nulls = array.nulls();
        let place = |(row, key): (usize, usize)| {
            if nulls.is_some_and(|nulls| nulls.is_null(row)) { None } else { places[key] }
        };
        let keys: Vec<_> = dictionary.normalized_keys().into_iter().enumerate().map(place).collect();
        return keyed(array.data_type(), &keys, &kept);
    }
    dictionary.with_values(values)
}

/// Whether the values are in the same memory; their types may differ.
fn is_same(before: &ArrayRef, after: &ArrayRef) -> bool {
    let [before, after] = [before, after].map(Array::to_data);
    let places = |data: &ArrayData| {
        data.buffers().iter().map(|buffer| (buffer.as_ptr(), buffer.len())).collect::<Vec<_>>()
    };
    before.offset() == after.offset()
        && before.len() == after.len()
        && before.null_count() == after.null_count()
        && places(&before) == places(&after)
}

/// Returns the values without those that are null or equal to an earlier one, and the new index of each old value. Returns `None` if
/// no value is null or repeated.
fn distinct(values: &ArrayRef) -> Option<(Vec<Option<usize>>, ArrayRef)> {
    let rows = Rows::of(values).ok()?;
    let (mut first, mut kept) = (HashMap::with_capacity(rows.len()), Vec::new());
    let place = |row| {
        (!rows.is_null(row)).then(|| {
            *first.entry(rows.row(row)).or_insert_with(|| {
                kept.push(row);
                kept.len() - 1
            })
        })
    };
    let places: Vec<_> = (0..rows.len()).map(place).collect();
    if kept.len() == rows.len() {
        return None;
    }
    Some((places, taken(&rows, values.data_type(), &kept)?))
}

/// Some rows of a column of this type, none of them null. `None` if the column has a fixed size.
fn taken(rows: &Rows<'_>, data_type: &DataType, kept: &[usize]) -> Option<ArrayRef> {
    let kept = kept.iter().map(|&row| rows.row(row));
    let bytes: ArrayRef = match rows.layout {
        Layout::Small(_) => Arc::new(BinaryArray::from_iter_values(kept)),
        Layout::Large(_) => Arc::new(LargeBinaryArray::from_iter_values(kept)),
        Layout::Views(_) => Arc::new(BinaryViewArray::from_iter_values(kept)),
        Layout::Fixed(_) => return None,
    };
    let data = bytes.to_data().into_builder().data_type(data_type.clone());
    // SAFETY: both types have the same layout, and text is of rows that were text.
    Some(make_array(unsafe { data.build_unchecked() }))
}

/// Returns a dictionary with these keys and values. Its key type is that of `dictionary`.
///
/// # Panics
/// If a key is beyond the values.
fn keyed(dictionary: &DataType, keys: &[Option<usize>], values: &ArrayRef) -> ArrayRef {
    let DataType::Dictionary(key, _) = dictionary else { unreachable!("a dictionary") };
    assert!(keys.iter().flatten().all(|&key| key < values.len()), "a key is beyond the values");
    let numbers = keys.iter().map(|key| key.unwrap_or(0));
    // A value's new index is at most its old one, so it fits the type of the keys.
    let buffer = match key.primitive_width() {
        Some(1) => Buffer::from_vec(numbers.map(|key| key as u8).collect()),
        Some(2) => Buffer::from_vec(numbers.map(|key| key as u16).collect()),
        Some(4) => Buffer::from_vec(numbers.map(|key| key as u32).collect()),
        _ => Buffer::from_vec(numbers.map(|key| key as u64).collect()),
    };
    let nulls = NullBuffer::from_iter(keys.iter().map(Option::is_some));
    let data_type = DataType::Dictionary(key.clone(), Box::new(values.data_type().clone()));
    let data = ArrayData::builder(data_type).len(keys.len()).add_buffer(buffer);
    let data = data.nulls(Some(nulls).filter(|nulls| nulls.null_count() > 0));
    let data = data.add_child_data(values.to_data());
    // SAFETY: there are as many keys as rows, of the width of their type. Each key is null or less than the number of values, and at
    // most the row's old key (see `distinct`), so it fits a signed type too.
    make_array(unsafe { data.build_unchecked() })
}
