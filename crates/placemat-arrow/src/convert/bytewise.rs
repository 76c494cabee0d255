//! Converts columns in encodings of one or two bytes per character to UTF-8, by a table of what each byte or pair becomes.
#![forbid(unsafe_code)]

mod row;

use core::cell::Cell;
use core::ops::Range;
use std::sync::{Arc, OnceLock};

use arrow_array::builder::make_view;
use arrow_array::{Array, ArrayRef, BinaryViewArray, GenericBinaryArray, OffsetSizeTrait};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use placemat::{Form, Transcoder};

use self::row::Room;
use crate::convert::{each_value, typed_text};
use crate::rewrite::offset;
use crate::rows::{Contiguous, INLINE, Layout, Views};
use crate::scan::BLOCK;
use crate::{Error, pool};

/// What each byte, or each pair of bytes, of an encoding becomes in UTF-8.
///
/// ```
/// use arrow_array::{BinaryArray, cast::AsArray};
/// use placemat_arrow::ByteTable;
///
/// // KOI8-R, in which D1 is я.
/// let table = ByteTable::new(|byte| (byte < 0x80).then_some(byte as char).or((byte == 0xD1).then_some('я')));
/// let column = BinaryArray::from_vec(vec![b"\xD1, \xD1"]);
/// let text = table.decode(&column, &|_, _| unreachable!())?;
/// assert_eq!(text.as_string::<i32>().value(0), "я, я");
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ByteTable {
    /// The UTF-8 of each byte, and its length, or [`NONE`].
    text: [([u8; 4], u8); 256],
    is_ascii: bool,
    is_latin1: bool,
    /// Whether 80 to 9F are the C1 controls.
    has_c1: bool,
    /// The same as units of UTF-16, with a lone surrogate for a byte without a character; `None` if a character is beyond U+FFFF.
    units: Option<[u16; 256]>,
    /// For each pair of bytes up to three bytes of UTF-8, and in the highest byte how many; 0 if the pair has no character.
    pairs: Option<Arc<[u32]>>,
    /// For each pair of bytes, how many of them are malformed and replaced; 0 if none are, or if that is not known.
    replaced: Option<Arc<[u8]>>,
    /// Whether only bytes after an escape are read as pairs.
    has_escapes: bool,
}

/// Appends what a row that the table cannot decode becomes, which must be well-formed UTF-8, or returns the error in it.
pub type Otherwise<'a> = &'a dyn Fn(&[u8], &mut Vec<u8>) -> Result<(), placemat::Error>;

/// A column that a table wrote. Its rows are well-formed, since a table writes whole characters; null rows are empty.
pub(super) struct Decoded {
    rows: ArrayRef,
    /// Whether `otherwise` wrote some rows, which may not be well-formed.
    is_foreign: bool,
}

impl Decoded {
    /// The rows, and whether they need a check.
    pub(super) fn parts(self) -> (ArrayRef, bool) {
        (self.rows, self.is_foreign)
    }
}

/// The length of a byte without a character, for which nothing is written.
const NONE: u8 = 0x80;
/// The unit of a byte without a character: no UTF-16 text has it, not even several in a row.
const LONE: u16 = 0xDC00;
/// The number of bytes of rows that are converted at once, unless one row has more.
const NEAR: usize = 12 << 10;
/// Rows of this many bytes on average are converted one by one: to count what each becomes takes longer than a copy.
const LONG: usize = 256;
/// A row of fewer bytes is short.
const SHORT: usize = 48;

impl ByteTable {
    /// Creates a table from the character of each byte, if it has one.
    #[must_use]
    pub fn new(of: impl Fn(u8) -> Option<char>) -> ByteTable {
        let text = core::array::from_fn(|byte| {
            let mut bytes = [0; 4];
            let length = of(byte as u8).map_or(NONE, |c| c.encode_utf8(&mut bytes).len() as u8);
            (bytes, length)
        });
        let is_basic = (0..=u8::MAX).all(|byte| of(byte).is_none_or(|c| c <= '\u{FFFF}'));
        let unit = |byte| of(byte as u8).map_or(LONE, |c| u32::from(c) as u16);
        let is_self = |byte: &u8| of(*byte) == Some(char::from(*byte));
        ByteTable {
            text,
            is_ascii: (0..0x80).all(|byte| is_self(&byte)),
            is_latin1: (0xA0..=0xFF).all(|byte| is_self(&byte)),
            has_c1: (0x80..0xA0).all(|byte| is_self(&byte)),
            units: is_basic.then(|| core::array::from_fn(unit)),
            pairs: None,
            replaced: None,
            has_escapes: false,
        }
    }

    /// Adds the character of each pair whose first byte has none. A character beyond U+FFFF is left to [`Otherwise`].
    ///
    /// Costs a call of `of` for each such pair, at most 65,536.
    ///
    /// ```
    /// use arrow_array::{BinaryArray, cast::AsArray};
    /// use placemat_arrow::ByteTable;
    ///
    /// // Shift_JIS, in which 93 FA is 日.
    /// let table = ByteTable::new(|byte| (byte < 0x80).then_some(byte as char));
    /// let table = table.with_pairs(|pair| (pair == [0x93, 0xFA]).then_some('日'));
    /// let column = BinaryArray::from_vec(vec![b"\x93\xFA, \x93\xFA"]);
    /// let text = table.decode(&column, &|_, _| unreachable!())?;
    /// assert_eq!(text.as_string::<i32>().value(0), "日, 日");
    /// # Ok::<(), placemat_arrow::Error>(())
    /// ```
    #[must_use]
    pub fn with_pairs(self, of: impl Fn([u8; 2]) -> Option<char>) -> ByteTable {
        let of_pair = |pair: u16| {
            let [lead, trail] = pair.to_be_bytes();
            if self.text[usize::from(lead)].1 != NONE {
                return 0;
            }
            packed(of([lead, trail]))
        };
        let pairs = (0..=u16::MAX).map(of_pair).collect();
        ByteTable { pairs: Some(pairs), ..self }
    }

    /// Adds U+FFFD for malformed pairs. For a pair without a character, `of` returns how many bytes are malformed, 1 or 2; `None`
    /// leaves the row to [`Otherwise`]. A first byte that ends a row becomes U+FFFD, too.
    ///
    /// ```
    /// use arrow_array::{BinaryArray, cast::AsArray};
    /// use placemat_arrow::ByteTable;
    ///
    /// let table = ByteTable::new(|byte| (byte < 0x80).then_some(byte as char));
    /// let table = table.with_pairs(|pair| (pair == [0x93, 0xFA]).then_some('日'));
    /// let table = table.replacing(|[_, second]| Some(if second < 0x80 { 1 } else { 2 }));
    /// let column = BinaryArray::from_vec(vec![b"\x93\xFA \xFFb\xFF\xFF\x93"]);
    /// let text = table.decode(&column, &|_, _| unreachable!())?;
    /// assert_eq!(text.as_string::<i32>().value(0), "日 \u{FFFD}b\u{FFFD}\u{FFFD}");
    /// # Ok::<(), placemat_arrow::Error>(())
    /// ```
    #[must_use]
    pub fn replacing(self, of: impl Fn([u8; 2]) -> Option<usize>) -> ByteTable {
        let count = |pair: u16| {
            let has_none = self.pairs.as_ref().is_some_and(|pairs| pairs[usize::from(pair)] == 0);
            let pair = pair.to_be_bytes();
            let is_first = self.text[usize::from(pair[0])].1 == NONE;
            (has_none && is_first)
                .then(|| of(pair))
                .flatten()
                .map_or(0, |count| if count == 1 { 1 } else { 2 })
        };
        let replaced = (0..=u16::MAX).map(count).collect();
        ByteTable { replaced: Some(replaced), ..self }
    }

    /// Adds the character of each pair of bytes from 21 to 7E that follows `ESC $ B` or `ESC $ @`. After `ESC ( B` bytes are single
    /// again. Rows with other escapes, or with one right after another, are left to [`Otherwise`], as are characters beyond U+FFFF.
    ///
    /// ```
    /// use arrow_array::{BinaryArray, cast::AsArray};
    /// use placemat_arrow::ByteTable;
    ///
    /// // ISO-2022-JP, in which 46 7C is 日.
    /// let table = ByteTable::new(|byte| (b' '..0x7F).contains(&byte).then_some(byte as char));
    /// let table = table.with_escapes(|pair| (pair == [0x46, 0x7C]).then_some('日'));
    /// let column = BinaryArray::from_vec(vec![b"\x1B$BF|\x1B(B, \x1B$@F|"]);
    /// let text = table.decode(&column, &|_, _| unreachable!())?;
    /// assert_eq!(text.as_string::<i32>().value(0), "日, 日");
    /// # Ok::<(), placemat_arrow::Error>(())
    /// ```
    #[must_use]
    pub fn with_escapes(self, of: impl Fn([u8; 2]) -> Option<char>) -> ByteTable {
        let plain = |pair: [u8; 2]| pair.iter().all(|byte| (0x21..0x7F).contains(byte));
        let pairs = (0..=u16::MAX).map(|pair| {
            let pair = pair.to_be_bytes();
            if plain(pair) { packed(of(pair)) } else { 0 }
        });
        ByteTable { pairs: Some(pairs.collect()), has_escapes: true, is_ascii: false, ..self }
    }

    /// The table of a single-byte form.
    pub(crate) fn of_form(form: Form) -> Option<&'static ByteTable> {
        static MADE: [OnceLock<ByteTable>; 2] = [const { OnceLock::new() }; 2];
        let made = match form {
            Form::Iso8859_1 => &MADE[0],
            Form::Windows1252 => &MADE[1],
            _ => return None,
        };
        let of = |byte| {
            let text = placemat::convert(form, Form::Utf8, &[byte]).ok()?;
            str::from_utf8(&text).ok()?.chars().next()
        };
        Some(made.get_or_init(|| ByteTable::new(of)))
    }

    /// Returns the column as text. Rows with a byte that the table lacks go to `otherwise`.
    ///
    /// # Errors
    /// [`Error::Row`] with what `otherwise` returns; [`Error::TooLong`]; [`Error::Type`].
    pub fn decode(&self, array: &dyn Array, otherwise: Otherwise<'_>) -> Result<ArrayRef, Error> {
        let is_foreign = Cell::new(false);
        let otherwise: Otherwise<'_> = &|row, out| {
            is_foreign.set(true);
            otherwise(row, out)
        };
        let of_values = |values: &dyn Array, layout: &Layout<'_>, nulls: Option<NullBuffer>| {
            if self.is_ascii && layout.is_ascii() {
                return typed_text(values, layout, nulls);
            }
            let made: ArrayRef = match layout {
                Layout::Small(rows) => self.contiguous::<i32>(rows, nulls, otherwise)?,
                Layout::Large(rows) => self.contiguous::<i64>(rows, nulls, otherwise)?,
                Layout::Fixed(rows) => self.contiguous::<i32>(rows, nulls, otherwise)?,
                Layout::Views(rows) => self.views(rows, nulls, otherwise)?,
            };
            Decoded { rows: made, is_foreign: is_foreign.get() }.into_text()
        };
        each_value(array, &of_values, &|row| self.append(row, &mut Room::new(), &mut Vec::new(), otherwise))
    }

    fn contiguous<O: OffsetSizeTrait>(
        &self,
        rows: &impl Contiguous,
        nulls: Option<NullBuffer>,
        otherwise: Otherwise<'_>,
    ) -> Result<ArrayRef, Error> {
        let bytes = rows.start(rows.len()) - rows.start(0);
        let mut out = pool::take(bytes + bytes / 4);
        let mut offsets = Vec::with_capacity(rows.len() + 1);
        offsets.push(O::usize_as(0));
        let (mut done, mut desk, mut room) = (0, Vec::new(), Room::new());
        while done < rows.len() {
            // If a block of rows is all Latin-1, its rows are converted at once.
            let block = block(rows, done);
            let values = &rows.values()[rows.start(block.start)..rows.start(block.end)];
            let is_latin1 =
                self.is_ascii && self.is_latin1 && nulls.is_none() && (self.has_c1 || !has_c1(values));
            if is_latin1 && values.len() >= LONG * block.len() && values.len() <= NEAR {
                desk.resize(2 * NEAR, 0);
                let mut at = 0;
                for row in block.clone() {
                    at += placemat::latin1::to_utf8(rows.row(row), &mut desk[at..]).written;
                    offsets.push(offset(out.len() + at)?);
                }
                out.extend_from_slice(&desk[..at]);
            } else if is_latin1 {
                let mut at = out.len();
                latin1(values, &mut out);
                offset::<O>(out.len())?;
                offsets.extend(block.clone().map(|row| {
                    at += utf8_len(rows.row(row));
                    O::usize_as(at)
                }));
            } else {
                for row in block.clone() {
                    if nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row)) {
                        self.append(rows.row(row), &mut room, &mut out, otherwise)
                            .map_err(|error| Error::Row { row, error })?;
                    }
                    offsets.push(offset(out.len())?);
                }
            }
            done = block.end;
        }
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        Ok(Arc::new(GenericBinaryArray::new(offsets, pool::buffer(out), nulls)))
    }

    fn views(
        &self,
        rows: &Views<'_>,
        nulls: Option<NullBuffer>,
        otherwise: Otherwise<'_>,
    ) -> Result<ArrayRef, Error> {
        let (mut views, mut buffers, mut out) = (Vec::with_capacity(rows.len()), Vec::new(), Vec::new());
        let mut room = Room::new();
        for row in 0..rows.len() {
            if nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
                views.push(0);
                continue;
            }
            if out.len() > FULL {
                buffers.push(pool::buffer(core::mem::take(&mut out)));
            }
            let start = out.len();
            self.append(rows.row(row), &mut room, &mut out, otherwise)
                .map_err(|error| Error::Row { row, error })?;
            offset::<i32>(out.len() - start)?;
            views.push(make_view(&out[start..], buffers.len() as u32, start as u32));
            if out.len() - start <= INLINE {
                out.truncate(start);
            }
        }
        buffers.push(pool::buffer(out));
        Ok(Arc::new(BinaryViewArray::new(ScalarBuffer::from(views), buffers, nulls)))
    }
}

/// Up to three bytes of UTF-8, and in the highest byte how many; 0 if there are none.
fn packed(c: Option<char>) -> u32 {
    let Some(c) = c.filter(|c| *c <= '\u{FFFF}') else { return 0 };
    let mut bytes = [0; 4];
    bytes[3] = c.encode_utf8(&mut bytes).len() as u8;
    u32::from_le_bytes(bytes)
}

/// A buffer of views that is longer than this is complete, and the next one begins.
const FULL: usize = 1 << 30;

fn has_c1(bytes: &[u8]) -> bool {
    bytes.iter().fold(false, |found, byte| found | (0x80..0xA0).contains(byte))
}

/// How many bytes a row of Latin-1 takes in UTF-8.
fn utf8_len(row: &[u8]) -> usize {
    match row.len() {
        // Without a call, which costs more.
        ..SHORT => row.len() + usize::from(row.iter().map(|byte| byte >> 7).sum::<u8>()),
        _ => placemat::latin1::utf8_len(row),
    }
}

/// The rows from `first` on that are converted at once. They and what they become stay in the first-level cache.
fn block(rows: &impl Contiguous, first: usize) -> Range<usize> {
    let (start, most) = (rows.start(first), rows.len().min(first + BLOCK));
    let fits = |last: &usize| rows.start(last + 1) - start <= NEAR;
    first..(first + 1..most).find(|last| !fits(last)).unwrap_or(most)
}

fn latin1(values: &[u8], out: &mut Vec<u8>) {
    // Every byte has a character.
    let _ = placemat::convert_into(Transcoder::new(Form::Iso8859_1, Form::Utf8), values, out);
}
