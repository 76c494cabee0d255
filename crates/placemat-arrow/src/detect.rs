//! Guesses each row's encoding.
#![forbid(unsafe_code)]

use std::collections::HashMap;
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
/// Meant for columns of documents, since a few bytes say little about their encoding. Takes at least some microseconds per row; a row that
/// is equal to one of the first 16,384 different ones costs only a look-up.
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
    for found in once(&rows, Found::of) {
        encodings.append_option(found.map(|found| found.encoding));
        boms.append_option(found.map(|found| found.bom));
        confidences.append_option(found.map(|found| found.confidence));
        malformed.append_option(found.map(|found| found.malformed));
        endings.append_option(found.map(|found| found.line_ending));
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

/// What the columns have about a row.
#[derive(Clone, Copy)]
struct Found {
    encoding: &'static str,
    bom: bool,
    confidence: f64,
    malformed: i64,
    line_ending: &'static str,
}

impl Found {
    fn of(bytes: &[u8]) -> Found {
        let found = placemat_detect::detect(bytes, true);
        Found {
            encoding: found.encoding.name(),
            bom: found.bom,
            confidence: round(found.confidence),
            malformed: found.malformed as i64,
            line_ending: found.line_ending.name(),
        }
    }
}

/// The most rows that are remembered.
const MOST: usize = 1 << 14;

/// The result of `of` for each row, `None` for null rows. Rows that are equal to a remembered one get its result.
fn once<T: Copy>(rows: &Rows<'_>, mut of: impl FnMut(&[u8]) -> T) -> Vec<Option<T>> {
    let mut met: HashMap<&[u8], T> = HashMap::new();
    let mut one = |row| {
        let bytes = rows.row(row);
        met.get(bytes).copied().unwrap_or_else(|| {
            let found = of(bytes);
            if met.len() < MOST {
                met.insert(bytes, found);
            }
            found
        })
    };
    (0..rows.len()).map(|row| (!rows.is_null(row)).then(|| one(row))).collect()
}

/// A confidence needs no more than four decimal places.
fn round(confidence: f32) -> f64 {
    (f64::from(confidence) * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use arrow_array::{BinaryArray, DictionaryArray, Int8Array, StringViewArray};

    use super::*;

    #[test]
    fn equal_rows_are_judged_once() {
        let texts =
            [Some("café"), None, Some("plain"), Some("café"), Some("a text that is not in its view"), None];
        let plain =
            BinaryArray::from_iter(texts.iter().cycle().take(600).map(|text| text.map(str::as_bytes)));
        let views = StringViewArray::from_iter(texts.into_iter().cycle().take(600));
        let keys = Int8Array::from_iter((0..600).map(|row| texts[row % 6].map(|_| (row % 6) as i8)));
        let values = StringViewArray::from_iter_values(texts.map(Option::unwrap_or_default));
        let keyed = DictionaryArray::new(keys, Arc::new(values));
        for array in [&plain as &dyn Array, &views, &keyed] {
            let mut judged = 0;
            let lengths = once(&Rows::of(array).unwrap(), |bytes| {
                judged += 1;
                bytes.len()
            });
            assert_eq!(judged, 3, "{}", array.data_type());
            let expected: Vec<_> = texts.iter().map(|text| text.map(str::len)).cycle().take(600).collect();
            assert_eq!(lengths, expected);
        }
    }

    #[test]
    fn a_bounded_number_of_rows_is_remembered() {
        let rows: Vec<_> = (0..2 * MOST).map(usize::to_le_bytes).collect();
        let twice = BinaryArray::from_iter_values(rows.iter().chain(&rows));
        let mut judged = 0;
        let numbers = once(&Rows::of(&twice).unwrap(), |bytes| {
            judged += 1;
            usize::from_le_bytes(bytes.try_into().unwrap())
        });
        assert!(numbers.into_iter().flatten().eq((0..2 * MOST).chain(0..2 * MOST)));
        assert_eq!(judged, 3 * MOST);
    }
}
