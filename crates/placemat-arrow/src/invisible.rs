//! Finds the characters of each row that are not shown.
#![forbid(unsafe_code)]

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, BinaryArray, Int64Array, RecordBatch, StringArray};
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Schema};
use placemat::invisible::{Finding, Kinds, clean_prefix, findings_in, findings_of};

use crate::Error;
use crate::rows::Rows;

/// Returns the number of characters, or runs of them, in each row that are not shown and that their place does not explain; null for
/// a null row. They are those of [`placemat::invisible::findings_of`].
///
/// ```
/// use arrow_array::{Int64Array, StringArray};
/// use placemat::invisible::Kinds;
///
/// let column = StringArray::from(vec!["می‌خواهم", "pass\u{200B}word"]);
/// assert_eq!(placemat_arrow::invisible_counts(&column, Kinds::DEFAULT)?, Int64Array::from(vec![0, 1]));
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
///
/// # Errors
/// [`Error::Type`].
pub fn invisible_counts(array: &dyn Array, kinds: Kinds) -> Result<Int64Array, Error> {
    let rows = Rows::of(array)?;
    let count = |bytes: &[u8]| {
        let mut count = 0;
        each(bytes, kinds, |_| count += 1);
        count
    };
    let counts: Vec<i64> = rows.map(count).collect();
    Ok(Int64Array::new(counts.into(), rows.nulls.clone()))
}

/// Returns each of the characters or runs that [`invisible_counts`] counts: `row: Int64`, from 0, `offset: Int64` and `length: Int64`
/// in bytes from the start of the row, `kind: Utf8`, and `payload: Binary`, the bytes that tag characters and variation selectors
/// hide, or else empty.
///
/// ```
/// use arrow_array::{StringArray, cast::AsArray};
/// use placemat::invisible::Kinds;
///
/// let column = StringArray::from(vec!["fine", "ok\u{E0068}\u{E0069}"]);
/// let found = placemat_arrow::invisible(&column, Kinds::DEFAULT)?;
/// assert_eq!(found.column_by_name("kind").unwrap().as_string::<i32>().value(0), "tag-payload");
/// assert_eq!(found.column_by_name("payload").unwrap().as_binary::<i32>().value(0), b"hi");
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
///
/// # Errors
/// [`Error::Type`]; [`Error::TooLong`] if kinds or payloads have more bytes than 32 bits can count.
pub fn invisible(array: &dyn Array, kinds: Kinds) -> Result<RecordBatch, Error> {
    let rows = Rows::of(array)?;
    let (mut numbers, mut offsets, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
    let (mut names, mut payloads) = (Values::default(), Values::default());
    for row in (0..rows.len()).filter(|&row| !rows.is_null(row)) {
        let mut found = Vec::new();
        each(rows.row(row), kinds, |one| found.push((one.offset, one.length, one.kind, one.payload())));
        found.sort_unstable_by_key(|&(offset, ..)| offset);
        for (offset, length, kind, payload) in found {
            numbers.push(row as i64);
            offsets.push(offset as i64);
            lengths.push(length as i64);
            names.push(kind.name().bytes());
            payloads.push(payload);
        }
    }
    let (name_ends, names) = names.finish()?;
    let (payload_ends, payloads) = payloads.finish()?;
    let number = |name: &str| Field::new(name, DataType::Int64, false);
    let fields = vec![
        number("row"),
        number("offset"),
        number("length"),
        Field::new("kind", DataType::Utf8, false),
        Field::new("payload", DataType::Binary, false),
    ];
    let columns: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::from(numbers)),
        Arc::new(Int64Array::from(offsets)),
        Arc::new(Int64Array::from(lengths)),
        Arc::new(StringArray::new(name_ends, names, None)),
        Arc::new(BinaryArray::new(payload_ends, payloads, None)),
    ];
    Ok(RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
        .expect("the columns of the schema, of one length"))
}

/// Calls `take` for each finding of a row.
fn each<'a>(bytes: &'a [u8], kinds: Kinds, take: impl FnMut(Finding<'a>)) {
    match placemat::validate(bytes) {
        Ok(text) if clean_prefix(text, kinds) == text.len() => {}
        Ok(text) => findings_in(text, kinds).for_each(take),
        Err(_) => findings_of(bytes, kinds).for_each(take),
    }
}

/// Values of several bytes each.
#[derive(Default)]
struct Values {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Values {
    fn push(&mut self, value: impl Iterator<Item = u8>) {
        self.bytes.extend(value);
        self.ends.push(self.bytes.len());
    }

    fn finish(self) -> Result<(OffsetBuffer<i32>, Buffer), Error> {
        i32::try_from(self.bytes.len()).map_err(|_| Error::TooLong)?;
        let ends: Vec<i32> = [0].into_iter().chain(self.ends.into_iter().map(|end| end as i32)).collect();
        Ok((OffsetBuffer::new(ScalarBuffer::from(ends)), Buffer::from_vec(self.bytes)))
    }
}
