//! Dictionaries whose values were mapped: no two of them are equal, as readers of dictionaries count on.
#![forbid(unsafe_code)]

use std::collections::HashMap;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_data::ArrayData;

use crate::convert::{keyed, taken};
use crate::rows::Rows;

/// The dictionary with other values, one for each of its own, of bytes or text. Of values that are equal only the first is kept, and of
/// null ones none: then the keys are others.
///
/// Cost: a hash of each value, if they are not those that the dictionary had.
///
/// # Panics
/// If `array` is no dictionary, or `values` are fewer than its own.
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

/// Whether the values are in the same memory, if not of the same type.
fn is_same(before: &ArrayRef, after: &ArrayRef) -> bool {
    let [before, after] = [before, after].map(|values| values.to_data());
    let places = |data: &ArrayData| {
        data.buffers().iter().map(|buffer| (buffer.as_ptr(), buffer.len())).collect::<Vec<_>>()
    };
    before.offset() == after.offset()
        && before.len() == after.len()
        && before.null_count() == after.null_count()
        && places(&before) == places(&after)
}

/// The values without those that are null or equal to an earlier one, and where each of all is among them; `None` if there are no such.
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
