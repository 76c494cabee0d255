//! Converts columns. Repair is the conversion of UTF-8 to itself.

mod bytewise;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, make_array, new_empty_array};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;
use placemat::{Form, Policy, Transcoder};

use crate::Error;
use crate::dictionary::with_values;
use crate::mend::{is_wide, mended, widened};
use crate::rewrite::{Rewrite, spans};
use crate::rows::{Layout, Rows};
use crate::sink::Sink;
use crate::stand_in::replaces;

use bytewise::Decoded;
pub use bytewise::{ByteTable, Otherwise};

/// Returns the column as text, with its errors treated as `policy` says: `Binary` becomes `Utf8`, `LargeBinary` `LargeUtf8`,
/// `BinaryView` `Utf8View`, `FixedSizeBinary` `Utf8`; columns that are text already keep their type.
///
/// Without an error nothing is copied: the result has the same buffers. Otherwise the rows between two errors are copied in one piece;
/// rows in views are not copied.
///
/// ```
/// use arrow_array::{BinaryArray, cast::AsArray};
/// use placemat::Policy;
///
/// let column = BinaryArray::from_vec(vec![b"fine", b"caf\xE9"]);
/// let text = placemat_arrow::repair(&column, Policy::Replace)?;
/// assert_eq!(text.as_string::<i32>().value(1), "caf\u{FFFD}");
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
///
/// # Errors
/// [`Error::Row`] with [`Policy::Stop`] and the first error; [`Error::TooLong`] if U+FFFD, which is longer than what it replaces,
/// makes more bytes than 32-bit offsets can count; [`Error::Misfit`]; [`Error::Type`].
pub fn repair(array: &dyn Array, policy: Policy) -> Result<ArrayRef, Error> {
    convert(array, Form::Utf8, Form::Utf8, policy)
}

/// Converts the column to another form, each row by itself. The result is text as in [`repair`] if that form is UTF-8, otherwise
/// bytes.
///
/// If ASCII is the same in both forms, rows of ASCII are copied, and a column of ASCII keeps its buffers.
///
/// ```
/// use arrow_array::{BinaryArray, cast::AsArray};
/// use placemat::{Form, Policy};
///
/// let column = BinaryArray::from_vec(vec![b"caf\xE9"]);
/// let text = placemat_arrow::convert(&column, Form::Windows1252, Form::Utf8, Policy::Stop)?;
/// assert_eq!(text.as_string::<i32>().value(0), "café");
///
/// let units = placemat_arrow::convert(&text, Form::Utf8, Form::Utf16Le, Policy::Stop)?;
/// assert_eq!(units.as_binary::<i32>().value(0), b"c\0a\0f\0\xE9\0");
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
///
/// # Errors
/// As for [`repair`].
pub fn convert(array: &dyn Array, from: Form, to: Form, policy: Policy) -> Result<ArrayRef, Error> {
    policy.fits(from, to).map_err(Error::Misfit)?;
    if to == Form::Utf8
        && let Some(table) = ByteTable::of_form(from)
    {
        return table.decode(array, &|row, out| {
            placemat::convert_into(Transcoder::new(from, to).on_error(policy), row, out)
        });
    }
    let (conversion, rows) = (Conversion { from, to, policy }, Rows::of(array)?);
    let (Some(dictionary), Some(keys)) = (array.as_any_dictionary_opt(), &rows.keys) else {
        return conversion.column(array, &rows.layout, rows.nulls);
    };
    // Converts each value once, and only values that some row has.
    let used = used(keys, rows.nulls.as_ref(), rows.layout.len());
    match conversion.column(dictionary.values(), &rows.layout, Some(used)) {
        Ok(values) => Ok(with_values(array, values)),
        // The error has the index of a value. Find the first row with an error.
        Err(error @ Error::Row { .. }) => Err(first_error(&rows, keys, conversion.row()).unwrap_or(error)),
        Err(error) => Err(error),
    }
}

/// Converts a column that is no dictionary. The nulls are those that the result keeps.
pub(crate) type OfValues<'a> =
    &'a dyn Fn(&dyn Array, &Layout<'_>, Option<NullBuffer>) -> Result<ArrayRef, Error>;

/// Returns what `work` makes of the column; of a dictionary, what it makes of the values that some row has. `row` does the work for
/// one row: it finds the first row of a dictionary with an error, since its values are in another order.
pub(crate) fn each_value(
    array: &dyn Array,
    work: OfValues<'_>,
    row: &dyn Fn(&[u8]) -> Result<(), placemat::Error>,
) -> Result<ArrayRef, Error> {
    let rows = Rows::of(array)?;
    let (Some(dictionary), Some(keys)) = (array.as_any_dictionary_opt(), &rows.keys) else {
        return work(array, &rows.layout, rows.nulls.clone());
    };
    let used = used(keys, rows.nulls.as_ref(), rows.layout.len());
    match work(dictionary.values(), &rows.layout, Some(used)) {
        Ok(values) => Ok(with_values(array, values)),
        Err(error @ Error::Row { .. }) => Err(first_error(&rows, keys, row).unwrap_or(error)),
        Err(error) => Err(error),
    }
}

/// The error of the first row of a dictionary that has one.
fn first_error(
    rows: &Rows<'_>,
    keys: &[usize],
    mut of: impl FnMut(&[u8]) -> Result<(), placemat::Error>,
) -> Option<Error> {
    let mut is_seen = vec![false; rows.layout.len()];
    (0..keys.len()).filter(|&row| !rows.is_null(row)).find_map(|row| {
        if core::mem::replace(&mut is_seen[keys[row]], true) {
            return None;
        }
        let error = of(rows.row(row)).err()?;
        Some(Error::Row { row, error })
    })
}

/// A column of ASCII as text, without a copy.
pub(crate) fn typed_text(
    array: &dyn Array,
    layout: &Layout<'_>,
    nulls: Option<NullBuffer>,
) -> Result<ArrayRef, Error> {
    Conversion { from: Form::Utf8, to: Form::Utf8, policy: Policy::Replace }.column(array, layout, nulls)
}

/// Which values of a dictionary some row has.
fn used(keys: &[usize], nulls: Option<&NullBuffer>, len: usize) -> NullBuffer {
    let mut used = vec![false; len];
    let is_valid = |row: usize| nulls.is_none_or(|nulls| nulls.is_valid(row));
    keys.iter().enumerate().filter(|&(row, _)| is_valid(row)).for_each(|(_, &value)| used[value] = true);
    NullBuffer::from(used)
}

struct Conversion {
    from: Form,
    to: Form,
    policy: Policy,
}

impl Conversion {
    fn column(
        &self,
        array: &dyn Array,
        layout: &Layout<'_>,
        nulls: Option<NullBuffer>,
    ) -> Result<ArrayRef, Error> {
        // Through the C data interface, a column without rows may have offsets that point outside of its empty buffer.
        if layout.len() == 0 {
            return Ok(new_empty_array(&converted_type(array.data_type(), self.to)?));
        }
        let written = match self.written(layout, nulls.clone())? {
            Some(written) => written,
            None => match layout {
                Layout::Fixed(rows) => spans(rows, nulls)?,
                _ => array.slice(0, array.len()),
            },
        };
        // SAFETY: if `to` is UTF-8, the rows that were not written are well-formed, null ones too, as `mended` or `touched`
        // has found; the others were written by the writer of UTF-8, or are null and empty.
        unsafe { typed(&written, self.to) }
    }

    /// The converted column as bytes; `None` if no row changes.
    fn written(&self, layout: &Layout<'_>, nulls: Option<NullBuffer>) -> Result<Option<ArrayRef>, Error> {
        if (self.from, self.to) == (Form::Utf8, Form::Utf8) {
            match layout {
                Layout::Small(rows) => return mended::<i32>(rows, self.policy, nulls),
                Layout::Large(rows) => return mended::<i64>(rows, self.policy, nulls),
                Layout::Fixed(rows) => return mended::<i32>(rows, self.policy, nulls),
                Layout::Views(_) => {}
            }
        }
        if self.from == Form::Utf8 && is_wide(self.to) {
            let how = (self.to, self.policy);
            match layout {
                Layout::Small(rows) => return widened::<i32>(rows, how, nulls),
                Layout::Large(rows) => return widened::<i64>(rows, how, nulls),
                Layout::Fixed(rows) => return widened::<i32>(rows, how, nulls),
                Layout::Views(_) => {}
            }
        }
        let touched = self.touched(layout);
        if touched.is_empty() {
            return Ok(None);
        }
        let transcoder = Transcoder::new(self.from, self.to).on_error(self.policy);
        let replaces = (self.from, self.to) == (Form::Utf8, Form::Utf8) && replaces(self.policy);
        let rewrite = Rewrite { touched: &touched, transcoder, replaces, nulls };
        Ok(Some(match layout {
            Layout::Small(rows) => rewrite.contiguous::<i32>(rows)?,
            Layout::Large(rows) => rewrite.contiguous::<i64>(rows)?,
            Layout::Fixed(rows) => rewrite.contiguous::<i32>(rows)?,
            Layout::Views(rows) => rewrite.views(rows)?,
        }))
    }

    /// Returns a function that converts one row, to find its error.
    fn row(&self) -> impl FnMut(&[u8]) -> Result<(), placemat::Error> {
        let mut transcoder = Transcoder::new(self.from, self.to).on_error(self.policy);
        let mut sink = Sink::with_capacity(0);
        move |bytes| {
            sink.truncate(0);
            sink.transcode(&mut transcoder, bytes)
        }
    }

    /// The rows that the conversion may change.
    fn touched(&self, rows: &Layout<'_>) -> Vec<usize> {
        let is_plain = |form: Form| form.facts().ascii_transparent;
        match (self.from, self.to) {
            (Form::Utf8, Form::Utf8) => match rows {
                Layout::Views(views) => views.suspects(),
                rows => rows.not_utf8(),
            },
            (from, to) if is_plain(from) && is_plain(to) => rows.not_ascii(),
            _ => (0..rows.len()).collect(),
        }
    }
}

/// The type of the result of [`convert`] for a column of this type.
///
/// ```
/// use arrow_schema::DataType;
/// use placemat::Form;
/// use placemat_arrow::converted_type;
/// assert_eq!(converted_type(&DataType::BinaryView, Form::Utf8)?, DataType::Utf8View);
/// assert_eq!(converted_type(&DataType::Utf8, Form::Utf16Le)?, DataType::Binary);
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
///
/// # Errors
/// [`Error::Type`].
pub fn converted_type(data_type: &DataType, to: Form) -> Result<DataType, Error> {
    let is_text = to == Form::Utf8;
    Ok(match data_type {
        DataType::Binary | DataType::Utf8 | DataType::FixedSizeBinary(_) if is_text => DataType::Utf8,
        DataType::Binary | DataType::Utf8 | DataType::FixedSizeBinary(_) => DataType::Binary,
        DataType::LargeBinary | DataType::LargeUtf8 if is_text => DataType::LargeUtf8,
        DataType::LargeBinary | DataType::LargeUtf8 => DataType::LargeBinary,
        DataType::BinaryView | DataType::Utf8View if is_text => DataType::Utf8View,
        DataType::BinaryView | DataType::Utf8View => DataType::BinaryView,
        DataType::Dictionary(key, value) if !matches!(**value, DataType::Dictionary(..)) => {
            DataType::Dictionary(key.clone(), Box::new(converted_type(value, to)?))
        }
        other => return Err(Error::Type(other.clone())),
    })
}

impl Decoded {
    /// The rows as text, without a copy.
    fn into_text(self) -> Result<ArrayRef, Error> {
        let (rows, is_foreign) = self.parts();
        if is_foreign {
            return repair(&*rows, Policy::Replace);
        }
        // SAFETY: every row is well-formed, as `Decoded` says.
        unsafe { typed(&rows, Form::Utf8) }
    }
}

/// The column with the same buffers, as text or as bytes.
///
/// # Safety
/// If `to` is UTF-8, every row must be well-formed, null ones too.
unsafe fn typed(array: &dyn Array, to: Form) -> Result<ArrayRef, Error> {
    let data_type = converted_type(array.data_type(), to)?;
    let data = array.to_data().into_builder().data_type(data_type);
    // SAFETY: the array was valid; both types have the same buffers, and text asks for well-formed rows besides,
    // which the caller grants.
    Ok(make_array(unsafe { data.build_unchecked() }))
}
