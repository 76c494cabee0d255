//! The bytes of each row, whatever the layout of the column.
#![forbid(unsafe_code)]

use core::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::types::{ByteArrayType, ByteViewType};
use arrow_array::{Array, GenericByteArray, GenericByteViewArray, OffsetSizeTrait};
use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer, ScalarBuffer, ToByteSlice};
use arrow_schema::DataType;

use crate::Error;

/// A column as rows of bytes.
pub(crate) struct Rows<'a> {
    /// The rows; with `keys`, the values of the dictionary.
    pub(crate) layout: Layout<'a>,
    /// For a dictionary the index of each row's value; unspecified for a null row.
    pub(crate) keys: Option<Vec<usize>>,
    /// The rows that are null, or whose value is null.
    pub(crate) nulls: Option<NullBuffer>,
}

/// The layout of rows in memory.
pub(crate) enum Layout<'a> {
    Small(Spans<'a, i32>),
    Large(Spans<'a, i64>),
    Fixed(Fixed<'a>),
    Views(Views<'a>),
}

/// Contiguous rows, with an offset for the start of each and one for the end.
pub(crate) struct Spans<'a, O> {
    pub(crate) offsets: &'a [O],
    pub(crate) values: &'a Buffer,
}

/// Contiguous rows of `width` bytes each.
pub(crate) struct Fixed<'a> {
    pub(crate) width: usize,
    pub(crate) len: usize,
    pub(crate) values: &'a Buffer,
}

/// Rows at any place in some buffers. Rows of up to 12 bytes are stored in the views themselves.
pub(crate) struct Views<'a> {
    pub(crate) views: &'a ScalarBuffer<u128>,
    pub(crate) buffers: &'a [Buffer],
}

/// Rows that are contiguous in memory.
pub(crate) trait Contiguous {
    fn values(&self) -> &[u8];
    fn len(&self) -> usize;
    /// Where row `row` starts; for `row == len`, where the last one ends.
    fn start(&self, row: usize) -> usize;
    /// Where these rows start.
    fn starts(&self, rows: Range<usize>) -> impl Iterator<Item = usize>;

    /// Whether one of these rows, except the first, may start inside a character.
    fn is_cut(&self, rows: Range<usize>) -> bool {
        let values = self.values();
        // Without branches, since it is done for every row. An empty row at the end has no first byte, or that of a later row.
        let is_tail = |at: usize| values.get(at).is_some_and(|byte| byte & 0xC0 == 0x80);
        self.starts(rows).skip(1).fold(false, |found, at| found | is_tail(at))
    }

    fn row(&self, row: usize) -> &[u8] {
        &self.values()[self.start(row)..self.start(row + 1)]
    }
}

impl<O: ArrowNativeType> Contiguous for Spans<'_, O> {
    fn values(&self) -> &[u8] {
        self.values
    }

    fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    #[inline]
    fn start(&self, row: usize) -> usize {
        self.offsets[row].as_usize()
    }

    fn starts(&self, rows: Range<usize>) -> impl Iterator<Item = usize> {
        self.offsets[rows].iter().map(|offset| offset.as_usize())
    }
}

impl Contiguous for Fixed<'_> {
    fn values(&self) -> &[u8] {
        self.values
    }

    fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn start(&self, row: usize) -> usize {
        row * self.width
    }

    fn starts(&self, rows: Range<usize>) -> impl Iterator<Item = usize> {
        rows.map(|row| row * self.width)
    }
}

/// The length of the longest row that is stored in its view, in bytes.
pub(crate) const INLINE: usize = 12;

impl<'a> Rows<'a> {
    /// The rows of a column of bytes or text, or of a dictionary of such.
    pub(crate) fn of(array: &'a dyn Array) -> Result<Rows<'a>, Error> {
        let Some(dictionary) = array.as_any_dictionary_opt() else {
            return Ok(Rows { layout: Layout::of(array)?, keys: None, nulls: array.nulls().cloned() });
        };
        let values = dictionary.values();
        // Without values every row is null.
        let keys = if values.is_empty() { vec![0; array.len()] } else { dictionary.normalized_keys() };
        Ok(Rows { layout: Layout::of(values)?, keys: Some(keys), nulls: array.logical_nulls() })
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.as_ref().map_or_else(|| self.layout.len(), Vec::len)
    }

    /// The bytes of one row that is not null.
    pub(crate) fn row(&self, row: usize) -> &[u8] {
        self.layout.row(self.keys.as_ref().map_or(row, |keys| keys[row]))
    }

    pub(crate) fn is_null(&self, row: usize) -> bool {
        self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row))
    }

    /// The result of `of` for each row that is not null, and the default for null rows.
    pub(crate) fn map<T: Default>(&self, mut of: impl FnMut(&[u8]) -> T) -> impl Iterator<Item = T> {
        (0..self.len()).map(move |row| if self.is_null(row) { T::default() } else { of(self.row(row)) })
    }
}

impl<'a> Layout<'a> {
    fn of(array: &'a dyn Array) -> Result<Layout<'a>, Error> {
        Ok(match array.data_type() {
            DataType::Binary => Layout::Small(Spans::of(array.as_binary::<i32>())),
            DataType::LargeBinary => Layout::Large(Spans::of(array.as_binary::<i64>())),
            DataType::Utf8 => Layout::Small(Spans::of(array.as_string::<i32>())),
            DataType::LargeUtf8 => Layout::Large(Spans::of(array.as_string::<i64>())),
            DataType::BinaryView => Layout::Views(Views::of(array.as_binary_view())),
            DataType::Utf8View => Layout::Views(Views::of(array.as_string_view())),
            DataType::FixedSizeBinary(_) => {
                let array = array.as_fixed_size_binary();
                let width = array.value_length().as_usize();
                Layout::Fixed(Fixed { width, len: array.len(), values: array.values() })
            }
            other => return Err(Error::Type(other.clone())),
        })
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Layout::Small(spans) => spans.len(),
            Layout::Large(spans) => spans.len(),
            Layout::Fixed(fixed) => fixed.len(),
            Layout::Views(views) => views.len(),
        }
    }

    pub(crate) fn row(&self, row: usize) -> &[u8] {
        match self {
            Layout::Small(spans) => spans.row(row),
            Layout::Large(spans) => spans.row(row),
            Layout::Fixed(fixed) => fixed.row(row),
            Layout::Views(views) => views.row(row),
        }
    }
}

impl<'a, O: OffsetSizeTrait> Spans<'a, O> {
    fn of<T: ByteArrayType<Offset = O>>(array: &'a GenericByteArray<T>) -> Spans<'a, O> {
        Spans { offsets: array.value_offsets(), values: array.values() }
    }
}

impl<'a> Views<'a> {
    fn of<T: ByteViewType>(array: &'a GenericByteViewArray<T>) -> Views<'a> {
        Views { views: array.views(), buffers: array.data_buffers() }
    }

    pub(crate) fn len(&self) -> usize {
        self.views.len()
    }

    /// The length of a row; if it is not in its view, also its buffer and its place there.
    #[inline]
    pub(crate) fn place(&self, row: usize) -> (usize, Option<(usize, usize)>) {
        let view = self.views[row];
        let len = view as u32 as usize;
        (len, (len > INLINE).then_some(((view >> 64) as u32 as usize, (view >> 96) as usize)))
    }

    /// The bytes of a row; some ill-formed bytes if a null row's view points outside of its buffer.
    pub(crate) fn row(&self, row: usize) -> &[u8] {
        match self.place(row) {
            (len, None) => &view_bytes(&self.views[row])[4..4 + len],
            (len, Some((buffer, at))) => {
                self.buffers.get(buffer).and_then(|buffer| buffer.get(at..at + len)).unwrap_or(b"\xFF")
            }
        }
    }
}

/// A view as its 16 bytes in memory order: four for the length, then the text if it fits.
fn view_bytes(view: &u128) -> &[u8] {
    core::slice::from_ref(view).to_byte_slice()
}
