//! Columns that are not copied, that are refused, or that are empty.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int8Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, FixedSizeBinaryArray, Int8Array,
    Int32Array, LargeBinaryArray, new_null_array,
};
use arrow_buffer::{Buffer, MutableBuffer, NullBuffer, OffsetBuffer};
use arrow_schema::DataType;
use placemat::{Form, Policy};
use placemat_arrow::{Error, Unit, convert, detect, errors, first_error, is_valid, lengths, repair};

use crate::rows::Dice;

const TEXT: [&[u8]; 3] = [b"short", b"", "a row that is too long for a view, and has an é".as_bytes()];

fn addresses(column: &dyn Array) -> Vec<usize> {
    column.to_data().buffers().iter().map(|buffer| buffer.as_ptr() as usize).collect()
}

#[test]
fn clean_columns_keep_their_buffers() {
    let columns: [ArrayRef; 3] = [
        Arc::new(BinaryArray::from_vec(TEXT.to_vec())),
        Arc::new(LargeBinaryArray::from_vec(TEXT.to_vec())),
        Arc::new(BinaryViewArray::from_iter_values(TEXT)),
    ];
    for column in columns {
        for column in [column.clone(), column.slice(1, 2)] {
            let text = repair(&column, Policy::Replace).unwrap();
            assert_eq!(addresses(&text), addresses(&column));
            assert_eq!(addresses(&repair(&text, Policy::Stop).unwrap()), addresses(&column));
        }
    }
}

#[test]
fn a_clean_column_of_fixed_size_keeps_its_bytes() {
    let column = FixedSizeBinaryArray::try_from_iter([b"abc", b"def"].into_iter()).unwrap();
    let text = repair(&column.slice(1, 1), Policy::Stop).unwrap();
    assert_eq!(text.as_string::<i32>().value(0), "def");
    assert_eq!(text.as_string::<i32>().values().as_ptr(), column.slice(1, 1).value_data().as_ptr());
}

#[test]
fn ascii_keeps_its_buffers_in_forms_that_hold_it() {
    let column = BinaryArray::from_vec(vec![b"plain", b"text"]);
    let text = convert(&column, Form::Windows1252, Form::Utf8, Policy::Stop).unwrap();
    assert_eq!(addresses(&text), addresses(&column));
    let text = convert(&column, Form::Utf7, Form::Utf8, Policy::Stop).unwrap();
    assert_ne!(addresses(&text), addresses(&column));
}

#[test]
fn views_that_are_clean_stay_where_they_are() {
    let rows: [&[u8]; 3] =
        [b"a row that is too long for a view", b"\xFF", b"another row of more than twelve"];
    let column = BinaryViewArray::from_iter_values(rows);
    let text = repair(&column, Policy::Escape).unwrap();
    let text = text.as_string_view();
    assert_eq!(text.data_buffers()[0].as_ptr(), column.data_buffers()[0].as_ptr());
    assert_eq!(text.iter().flatten().collect::<Vec<_>>()[1], "\\xff");
}

#[test]
fn fixed_sizes_are_rows_too() {
    let rows = [b"ab\xC3", b"\xA9cd", b"efg"];
    let column = FixedSizeBinaryArray::try_from_iter(rows.into_iter()).unwrap();
    let valid = is_valid(&column, Form::Utf8).unwrap();
    assert_eq!(valid.iter().collect::<Vec<_>>(), [Some(false), Some(false), Some(true)]);
    let text = repair(&column, Policy::Cp1252).unwrap();
    assert_eq!(text.as_string::<i32>().iter().flatten().collect::<Vec<_>>(), ["abÃ", "©cd", "efg"]);
}

#[test]
fn rows_of_no_width() {
    let column = FixedSizeBinaryArray::new(0, Buffer::default(), Some(NullBuffer::from(vec![true, false])));
    assert_eq!(repair(&column, Policy::Stop).unwrap().len(), 2);
    assert_eq!(is_valid(&column, Form::Utf8).unwrap().true_count(), 1);
}

#[test]
fn columns_of_nothing() {
    let dictionary = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Binary));
    let types = [
        DataType::Binary,
        DataType::LargeUtf8,
        DataType::BinaryView,
        DataType::FixedSizeBinary(3),
        dictionary,
    ];
    for data_type in types {
        for len in [0, 3] {
            let column = new_null_array(&data_type, len);
            assert_eq!(is_valid(&column, Form::Utf8).unwrap().null_count(), len);
            assert_eq!(first_error(&column, Form::Utf16Le).unwrap().null_count(), len);
            assert_eq!(errors(&column, Form::Utf8).unwrap().num_rows(), 0);
            assert_eq!(repair(&column, Policy::Stop).unwrap().null_count(), len, "{data_type}");
            let converted = convert(&column, Form::Utf8, Form::Utf16Be, Policy::Stop).unwrap();
            assert_eq!(converted.logical_null_count(), len, "{data_type}");
            assert_eq!(lengths(&column, Form::Utf8, Unit::Utf16).unwrap().null_count(), len);
            assert_eq!(detect(&column).unwrap().null_count(), len);
        }
    }
}

#[test]
fn a_dictionary_is_repaired_value_by_value() {
    let keys = Int8Array::from(vec![Some(1), None, Some(1), Some(0)]);
    // No row has the last value, so its error is not reported.
    let values = BinaryArray::from_vec(vec![b"ok", b"caf\xE9", b"\xFF"]);
    let column = DictionaryArray::<Int8Type>::new(keys, Arc::new(values));
    let text = repair(&column, Policy::Cp1252).unwrap();
    let text = text.as_dictionary::<Int8Type>();
    assert_eq!(text.keys(), column.keys());
    assert_eq!(text.values().as_string::<i32>().value(1), "café");

    let stopped = repair(&column, Policy::Stop).unwrap_err();
    assert!(matches!(stopped, Error::Row { row: 0, .. }), "{stopped}");
    let fine = column.slice(3, 1);
    assert!(repair(&fine, Policy::Stop).is_ok());

    // The error names the first row, not the first value.
    let keys = Int8Array::from(vec![Some(2), Some(1), Some(0)]);
    let values = BinaryArray::from_vec(vec![b"\xFF", b"ok", b"caf\xE9"]);
    let column = DictionaryArray::<Int8Type>::new(keys, Arc::new(values));
    let error = placemat::Error::new(placemat::ErrorKind::Truncated, 3, 1);
    assert_eq!(repair(&column, Policy::Stop).unwrap_err(), Error::Row { row: 0, error });
}

#[test]
fn nulls_hide_what_is_under_them() {
    let offsets = OffsetBuffer::from_lengths([2, 2]);
    let nulls = NullBuffer::from(vec![true, false]);
    let column = BinaryArray::new(offsets, Buffer::from(b"ok\xFF\xFF"), Some(nulls));
    let text = repair(&column, Policy::Stop).unwrap();
    text.to_data().validate_full().unwrap();
    assert_eq!(text.as_string::<i32>().value(1), "");
}

#[test]
fn errors_say_where() {
    let column = BinaryArray::from_vec(vec![b"fine", b"caf\xE9"]);
    let error = repair(&column, Policy::Stop).unwrap_err();
    assert_eq!(error.to_string(), "row 1: truncated at byte 3 (length 1)");
    let error = repair(&column, Policy::SurrogateEscape).unwrap_err();
    assert!(matches!(error, Error::Misfit(_)), "{error}");
    let error = repair(&Int32Array::from(vec![1]), Policy::Stop).unwrap_err();
    assert_eq!(error.to_string(), "a column of type Int32 holds neither bytes nor text");
}

#[test]
fn more_bytes_than_offsets_count() {
    let (width, len) = (1 << 20, 1 << 11);
    let zeros = Buffer::from(MutableBuffer::from_len_zeroed(width << 11));
    let column = FixedSizeBinaryArray::new(width as i32, zeros, None);
    assert_eq!(is_valid(&column, Form::Utf8).unwrap().true_count(), len);
    assert_eq!(repair(&column, Policy::Stop).unwrap_err(), Error::TooLong);
    assert!(repair(&column.slice(0, len - 1), Policy::Stop).is_ok());
}

#[test]
fn brief_rows_may_hold_what_ends_rows() {
    let mut dice = Dice(26);
    for stops in [&[][..], &[0], &[0, 0x1F], &[0, 0x1F, 0x7F]] {
        let pieces = [&b"\xE9"[..], b"caf", b"\xC3\xA9", b"\xF0\x9F\x98", b"\xE2\x82", b" word", b"\xAC"];
        let row = |_| {
            let mut row: Vec<u8> = (0..dice.below(9)).flat_map(|_| pieces[dice.below(7)]).copied().collect();
            row.extend((dice.below(50) == 0).then_some(stops).into_iter().flatten());
            (dice.below(20) > 0).then_some(row)
        };
        let rows: Vec<_> = (0..4000).map(row).collect();
        let column = BinaryArray::from_iter(rows.iter().map(Option::as_deref));
        let repaired = repair(&column, Policy::Replace).unwrap();
        let expected = rows.iter().map(|row| row.as_ref().map(|row| String::from_utf8_lossy(row)));
        assert!(
            repaired.as_string::<i32>().iter().eq(expected.collect::<Vec<_>>().iter().map(Option::as_deref))
        );
    }
}

#[test]
fn latin1_of_any_length() {
    for longest in [40, 300, 900, 20_000] {
        let text =
            |row: usize| (0..row * 31 % longest).map(move |at| (row + at * at) as u8).collect::<Vec<_>>();
        let rows: Vec<_> = (0..200).map(text).collect();
        let column = BinaryArray::from_iter_values(&rows);
        for form in [Form::Iso8859_1, Form::Windows1252] {
            let made = convert(&column, form, Form::Utf8, Policy::Stop).unwrap();
            let expected = rows.iter().map(|row| placemat::convert(form, Form::Utf8, row).unwrap());
            let expected: Vec<_> = expected.map(|text| String::from_utf8(text).unwrap()).collect();
            assert!(made.as_string::<i32>().iter().eq(expected.iter().map(|text| Some(&**text))));
        }
    }
}
