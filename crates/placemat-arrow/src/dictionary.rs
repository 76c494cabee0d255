//! Dictionaries whose values were mapped: no two of them are equal, as readers of dictionaries count on.
#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::ArrowDictionaryKeyType;
use arrow_array::{Array, ArrayRef, DictionaryArray, PrimitiveArray, downcast_dictionary_array, make_array};
use arrow_buffer::ArrowNativeType;
use arrow_data::transform::MutableArrayData;

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
        downcast_dictionary_array!(
            array => return with_keys(array, &places, kept),
            _ => {}
        );
    }
    dictionary.with_values(values)
}

/// Whether the values are in the same memory, if not of the same type.
fn is_same(before: &ArrayRef, after: &ArrayRef) -> bool {
    let [before, after] = [before, after].map(|values| values.to_data());
    let places = |data: &arrow_data::ArrayData| {
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
    let data = values.to_data();
    let mut taken = MutableArrayData::new(vec![&data], false, kept.len());
    // They are fewer than there were, so offsets that counted those count these.
    kept.iter().try_for_each(|&row| taken.try_extend(0, row, row + 1)).ok()?;
    let taken = taken.freeze().into_builder().nulls(None).build();
    Some((places, make_array(taken.ok()?)))
}

/// The keys of the dictionary, each another one.
fn with_keys<K: ArrowDictionaryKeyType>(
    dictionary: &DictionaryArray<K>,
    places: &[Option<usize>],
    values: ArrayRef,
) -> ArrayRef {
    let other = |key: K::Native| {
        let place = places.get(key.as_usize()).copied().flatten()?;
        K::Native::from_usize(place)
    };
    let keys: PrimitiveArray<K> = dictionary.keys().iter().map(|key| key.and_then(other)).collect();
    Arc::new(DictionaryArray::new(keys, values))
}
