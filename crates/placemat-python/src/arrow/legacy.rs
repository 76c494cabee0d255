//! Functions that work row by row, because `placemat_arrow` has no faster way: legacy encodings and mojibake.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::builder::{BinaryViewBuilder, GenericBinaryBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{AnyDictionaryArray, Array, ArrayRef, OffsetSizeTrait};
use arrow_schema::DataType;
use encoding_rs::{BIG5, DecoderResult, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS};
use placemat::{Bom, ErrorSize, Form, Policy, StandIn};
use placemat_arrow::{ByteTable, Error};
use placemat_detect::mojibake::Rows;
use placemat_text::charset::{Charset, LegacyReader};
use placemat_text::convert::{Settings, whole};

use crate::arrow::capsule::{as_bytes, as_text};
use crate::arrow::met::Met;
use crate::arrow::stretches;

/// The result for a row.
type Row<'a> = Result<Cow<'a, [u8]>, placemat::Error>;

/// The column in another encoding.
pub(crate) fn convert(
    array: &dyn Array,
    source: Charset,
    target: Charset,
    policy: Policy,
) -> Result<ArrayRef, Error> {
    if let (Charset::Form(source), Charset::Form(target)) = (source, target) {
        return placemat_arrow::convert(array, source, target, policy);
    }
    // A legacy encoding has no surrogates, so a policy fits it if it fits UTF-8.
    let [from, to] = [source, target].map(|charset| charset.form().unwrap_or(Form::Utf8));
    policy.fits(from, to).map_err(Error::Misfit)?;
    let slowly = |row: &[u8]| whole(source, Settings { to: target, policy, bom: Bom::Keep }, row);
    let is_text = target == Form::Utf8;
    let replaces =
        policy.stand_in == StandIn::Replace && !matches!(policy.size, ErrorSize::Byte | ErrorSize::Run);
    if is_text && let Some(table) = table(source, replaces) {
        let otherwise = |row: &[u8], out: &mut Vec<u8>| match source {
            Charset::Legacy(legacy) => {
                let mut reader = LegacyReader::new(legacy, policy);
                reader.push(row, out).and_then(|()| reader.finish(out)).map_err(|malformed| malformed.error)
            }
            Charset::Form(_) => slowly(row).map(|row| out.extend(row)),
        };
        return table.decode(array, &otherwise);
    }
    each_row(array, is_text, &|row| slowly(row).map(Cow::Owned))
}

/// The table of a legacy encoding whose characters have one byte, or one or two bytes, or two bytes behind escapes; `None` for any
/// other. With `replaces`, malformed bytes have U+FFFD. Each table is made once.
fn table(source: Charset, replaces: bool) -> Option<&'static ByteTable> {
    static MADE: Mutex<Vec<((&str, bool), &ByteTable)>> = Mutex::new(Vec::new());
    let name = source.name();
    let is_single =
        name.starts_with("cp") || Encoding::for_label(name.as_bytes()).is_some_and(Encoding::is_single_byte);
    let several = several_bytes(source);
    if source.form().is_some() || !is_single && several.is_none() {
        return None;
    }
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, table)) = made.iter().find(|(its, _)| *its == (name, replaces)) {
        return Some(table);
    }
    let settings = Settings { to: Form::Utf8.into(), policy: Policy::Stop, bom: Bom::Keep };
    let table = ByteTable::new(|byte| {
        let text = whole(source, settings, &[byte]).ok();
        let c = text.and_then(|text| str::from_utf8(&text).ok()?.chars().next());
        c.or_else(|| (replaces && is_single).then_some(char::REPLACEMENT_CHARACTER))
    });
    let table = match several {
        None => table,
        Some(encoding) if encoding == ISO_2022_JP => table.with_escapes(|[first, second]| {
            one(&encoding
                .decode_without_bom_handling_and_without_replacement(&[0x1B, b'$', b'B', first, second])?)
        }),
        Some(encoding) => table
            .with_pairs(|pair| one(&encoding.decode_without_bom_handling_and_without_replacement(&pair)?)),
    };
    let table = match several {
        Some(encoding) if replaces && encoding != ISO_2022_JP => {
            table.replacing(|pair| malformed(encoding, pair))
        }
        _ => table,
    };
    let table = &*Box::leak(Box::new(table));
    made.push(((name, replaces), table));
    Some(table)
}

/// The character of a text that has exactly one.
fn one(text: &str) -> Option<char> {
    let mut all = text.chars();
    all.next().filter(|_| all.next().is_none())
}

/// The number of malformed bytes in a pair; `None` if it is well-formed, or if that depends on the bytes behind it.
fn malformed(encoding: &'static Encoding, pair: [u8; 2]) -> Option<usize> {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    match decoder.decode_to_utf8_without_replacement(&pair, &mut [0; 16], false) {
        (DecoderResult::Malformed(length, 0), read, 0) if read == usize::from(length) => Some(read),
        _ => None,
    }
}

/// The decoder of an encoding with several bytes per character.
fn several_bytes(source: Charset) -> Option<&'static Encoding> {
    let encoding = Encoding::for_label(source.name().as_bytes()).filter(|_| source.form().is_none())?;
    [BIG5, EUC_JP, EUC_KR, GB18030, GBK, ISO_2022_JP, SHIFT_JIS].contains(&encoding).then_some(encoding)
}

/// The rows with their mojibake undone.
pub(crate) fn mojibake(array: &dyn Array) -> Result<ArrayRef, Error> {
    let undone = match array.data_type() {
        DataType::Binary | DataType::Utf8 => stretches::undo::<i32>(array)?,
        DataType::LargeBinary | DataType::LargeUtf8 => stretches::undo::<i64>(array)?,
        _ => {
            let rows = RefCell::new(Rows::new());
            return each_row(array, is_text(array), &|row| Ok(undone(row, &mut rows.borrow_mut())));
        }
    };
    Ok(match undone {
        None => array.slice(0, array.len()),
        Some(made) if is_text(array) => as_text(&*made),
        Some(made) => made,
    })
}

/// Replaces each row by what `work` makes of it. The column has offsets of the same width, and is text if `is_text`. If `work`
/// returns a borrowed value, that is the row unchanged.
fn each_row(
    array: &dyn Array,
    is_text: bool,
    work: &dyn for<'a> Fn(&'a [u8]) -> Row<'a>,
) -> Result<ArrayRef, Error> {
    match array.as_any_dictionary_opt() {
        Some(dictionary) if !dictionary.values().is_empty() => each_value(array, dictionary, is_text, work),
        Some(dictionary) => {
            Ok(placemat_arrow::with_values(array, each_present(dictionary.values(), None, is_text, work)?))
        }
        None => each_present(array, None, is_text, work),
    }
}

/// Like [`each_row`], for a dictionary: `work` gets only the values that some row has. An error is that of the first row with one.
fn each_value(
    array: &dyn Array,
    dictionary: &dyn AnyDictionaryArray,
    is_text: bool,
    work: &dyn for<'a> Fn(&'a [u8]) -> Row<'a>,
) -> Result<ArrayRef, Error> {
    let (keys, values) = (dictionary.normalized_keys(), dictionary.values());
    let mut first = vec![None; values.len()];
    for (row, &key) in keys.iter().enumerate().filter(|&(row, _)| array.is_valid(row)) {
        first[key].get_or_insert(row);
    }
    let made = each_present(values, Some(&first), is_text, work)?;
    Ok(placemat_arrow::with_values(array, made))
}

/// Like [`each_row`], for a column without keys or the values of a dictionary. Then `first` has the first row of each value, and a
/// value without one is skipped.
fn each_present(
    array: &dyn Array,
    first: Option<&[Option<usize>]>,
    is_text: bool,
    work: &dyn for<'a> Fn(&'a [u8]) -> Row<'a>,
) -> Result<ArrayRef, Error> {
    let bytes = as_bytes(array);
    let mut rows = rows(&*bytes)?;
    if let Some(first) = first {
        rows.iter_mut().zip(first).filter(|(_, first)| first.is_none()).for_each(|(row, _)| *row = None);
    }
    let mut met = Met::new(rows.len());
    let mut made = Vec::with_capacity(rows.len());
    for (row, bytes) in rows.iter().enumerate() {
        made.push(match *bytes {
            None => None,
            Some(bytes) => match met.before(row, bytes, |row| rows[row]) {
                Some(before) => Option::clone(&made[before]),
                None => match work(bytes) {
                    Ok(bytes) => Some(bytes),
                    Err(error) => return Err(refused(&rows, row, error, first, work)),
                },
            },
        });
    }
    let is_same = made.iter().flatten().all(|row| matches!(row, Cow::Borrowed(_)));
    if is_same
        && is_text == self::is_text(array)
        && !matches!(array.data_type(), DataType::FixedSizeBinary(_))
    {
        return Ok(array.slice(0, array.len()));
    }
    let made: ArrayRef = match array.data_type() {
        DataType::LargeBinary | DataType::LargeUtf8 => offsets::<i64>(made)?,
        DataType::BinaryView | DataType::Utf8View => {
            let mut builder = BinaryViewBuilder::with_capacity(array.len());
            for row in made {
                builder.append_option(row);
            }
            Arc::new(builder.finish())
        }
        _ => offsets::<i32>(made)?,
    };
    Ok(if is_text { as_text(&*made) } else { made })
}

/// The error at a row. For a dictionary, the error of the first row that has one; the value of that row may come after this one.
fn refused(
    rows: &[Option<&[u8]>],
    row: usize,
    error: placemat::Error,
    first: Option<&[Option<usize>]>,
    work: &dyn for<'a> Fn(&'a [u8]) -> Row<'a>,
) -> Error {
    let Some(first) = first else { return Error::Row { row, error } };
    let later = rows.iter().zip(first).skip(row + 1).filter_map(|(bytes, first)| {
        let (bytes, row) = ((*bytes)?, (*first)?);
        Some((row, work(bytes).err()?))
    });
    let all = later.chain(first[row].map(|row| (row, error)));
    let (row, error) = all.min_by_key(|(row, _)| *row).unwrap_or((row, error));
    Error::Row { row, error }
}

fn offsets<O: OffsetSizeTrait>(rows: Vec<Option<Cow<'_, [u8]>>>) -> Result<ArrayRef, Error> {
    let bytes: usize = rows.iter().flatten().map(|row| row.len()).sum();
    if bytes > O::MAX_OFFSET {
        return Err(Error::TooLong);
    }
    let mut builder = GenericBinaryBuilder::<O>::with_capacity(rows.len(), bytes);
    for row in rows {
        builder.append_option(row);
    }
    Ok(Arc::new(builder.finish()))
}

/// The rows of a column of bytes.
fn rows(array: &dyn Array) -> Result<Vec<Option<&[u8]>>, Error> {
    Ok(match array.data_type() {
        DataType::Binary => array.as_binary::<i32>().iter().collect(),
        DataType::LargeBinary => array.as_binary::<i64>().iter().collect(),
        DataType::BinaryView => array.as_binary_view().iter().collect(),
        DataType::FixedSizeBinary(_) => array.as_fixed_size_binary().iter().collect(),
        other => return Err(Error::Type(other.clone())),
    })
}

/// A row with its mojibake undone; what is not UTF-8 stays as it is.
fn undone<'a>(row: &'a [u8], rows: &mut Rows) -> Cow<'a, [u8]> {
    // Most short rows are ASCII.
    if row.is_ascii() {
        return Cow::Borrowed(row);
    }
    let undone = match placemat::repair(row) {
        Cow::Borrowed(text) => rows.undo(text),
        Cow::Owned(_) => None,
    };
    undone.map_or(Cow::Borrowed(row), |undone| Cow::Owned(undone.as_bytes().to_vec()))
}

/// Whether a column is of text.
fn is_text(array: &dyn Array) -> bool {
    placemat_arrow::converted_type(array.data_type(), Form::Utf8).is_ok_and(|text| text == *array.data_type())
}
