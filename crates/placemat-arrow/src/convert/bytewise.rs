//! Columns in encodings with one byte a character, or one or two, to UTF-8: by a table of what each byte or pair becomes.
#![forbid(unsafe_code)]

use core::ops::Range;
use std::sync::{Arc, OnceLock};

use arrow_array::builder::make_view;
use arrow_array::{Array, ArrayRef, BinaryViewArray, GenericBinaryArray, OffsetSizeTrait};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use placemat::{Form, Transcoder};

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
    /// The bytes of each, and how many they are, or [`NONE`].
    text: [([u8; 4], u8); 256],
    is_ascii: bool,
    is_latin1: bool,
    /// Whether 80 to 9F are the C1 controls.
    has_c1: bool,
    /// Of each pair of bytes up to three of UTF-8, and above them how many; 0 where there is none.
    pairs: Option<Arc<[u32]>>,
}

/// Appends what a row with a byte that the table lacks becomes, which must be well-formed UTF-8; or the error in it.
pub type Otherwise<'a> = &'a dyn Fn(&[u8], &mut Vec<u8>) -> Result<(), placemat::Error>;

/// Of what there is none nothing is written.
const NONE: u8 = 0x80;
/// Bytes of a row that are converted before they are stored.
const PIECE: usize = 256;
/// Bytes of rows that are converted at once, unless one has more.
const NEAR: usize = 12 << 10;
/// Rows of so many bytes on average are converted one by one: to count what each becomes takes longer than a copy.
const LONG: usize = 256;
/// A row of fewer bytes is short.
const SHORT: usize = 48;

impl ByteTable {
    /// A table of the character of each byte, if it has one.
    #[must_use]
    pub fn new(of: impl Fn(u8) -> Option<char>) -> ByteTable {
        let text = core::array::from_fn(|byte| {
            let mut bytes = [0; 4];
            let length = of(byte as u8).map_or(NONE, |c| c.encode_utf8(&mut bytes).len() as u8);
            (bytes, length)
        });
        let is_self = |byte: &u8| of(*byte) == Some(char::from(*byte));
        ByteTable {
            text,
            is_ascii: (0..0x80).all(|byte| is_self(&byte)),
            is_latin1: (0xA0..=0xFF).all(|byte| is_self(&byte)),
            has_c1: (0x80..0xA0).all(|byte| is_self(&byte)),
            pairs: None,
        }
    }

    /// The same with the character of each pair whose first byte has none. A character beyond U+FFFF is left to [`Otherwise`].
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
        let packed = |pair: u16| {
            let [lead, trail] = pair.to_be_bytes();
            if self.text[usize::from(lead)].1 != NONE {
                return 0;
            }
            let Some(c) = of([lead, trail]).filter(|c| *c <= '\u{FFFF}') else { return 0 };
            let mut bytes = [0; 4];
            bytes[3] = c.encode_utf8(&mut bytes).len() as u8;
            u32::from_le_bytes(bytes)
        };
        let pairs = (0..=u16::MAX).map(packed).collect();
        ByteTable { pairs: Some(pairs), ..self }
    }

    /// The table of a form with one byte a character.
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

    /// The column as text. Rows with a byte that the table lacks go to `otherwise`.
    ///
    /// # Errors
    /// [`Error::Row`] with what `otherwise` returns; [`Error::TooLong`]; [`Error::Type`].
    pub fn decode(&self, array: &dyn Array, otherwise: Otherwise<'_>) -> Result<ArrayRef, Error> {
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
            // Nothing is copied here, and what `otherwise` wrote is checked.
            crate::repair(&*made, placemat::Policy::Replace)
        };
        each_value(array, &of_values, &|row| self.append(row, &mut Vec::new(), otherwise))
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
        let (mut done, mut desk) = (0, Vec::new());
        while done < rows.len() {
            // Where all of many rows is Latin-1, they are converted at once.
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
                        self.append(rows.row(row), &mut out, otherwise)
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
        for row in 0..rows.len() {
            if nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
                views.push(0);
                continue;
            }
            if out.len() > FULL {
                buffers.push(pool::buffer(core::mem::take(&mut out)));
            }
            let start = out.len();
            self.append(rows.row(row), &mut out, otherwise).map_err(|error| Error::Row { row, error })?;
            offset::<i32>(out.len() - start)?;
            views.push(make_view(&out[start..], buffers.len() as u32, start as u32));
            if out.len() - start <= INLINE {
                out.truncate(start);
            }
        }
        buffers.push(pool::buffer(out));
        Ok(Arc::new(BinaryViewArray::new(ScalarBuffer::from(views), buffers, nulls)))
    }

    /// Append one row.
    fn append(&self, row: &[u8], out: &mut Vec<u8>, otherwise: Otherwise<'_>) -> Result<(), placemat::Error> {
        let start = out.len();
        let mut room = [0; 4 * PIECE];
        let is_whole = match &self.pairs {
            Some(pairs) => self.row_of_pairs(pairs, row, &mut room, out),
            None => row.chunks(PIECE).all(|piece| {
                let length = self.piece(piece, &mut room);
                length.map(|length| out.extend_from_slice(&room[..length])).is_some()
            }),
        };
        if is_whole {
            return Ok(());
        }
        out.truncate(start);
        otherwise(row, out)
    }

    /// Append one row by bytes and pairs. Whether the table has them all.
    fn row_of_pairs(&self, pairs: &[u32], row: &[u8], room: &mut [u8; 4 * PIECE], out: &mut Vec<u8>) -> bool {
        let mut at = 0;
        while at < row.len() {
            let mut written = 0;
            while at < row.len() && written + 8 <= room.len() {
                if row[at] < 0x80
                    && self.is_ascii
                    && let Some(eight) = row.get(at..at + 8).filter(|eight| eight.is_ascii())
                {
                    room[written..written + 8].copy_from_slice(eight);
                    (at, written) = (at + 8, written + 8);
                    continue;
                }
                let (mut text, mut length) = self.text[usize::from(row[at])];
                let mut read = 1;
                if length == NONE {
                    let pair =
                        row.get(at..).and_then(<[u8]>::first_chunk).map(|pair| u16::from_be_bytes(*pair));
                    let Some(packed) =
                        pair.map(|pair| pairs[usize::from(pair)]).filter(|packed| *packed != 0)
                    else {
                        return false;
                    };
                    (text, length, read) = (packed.to_le_bytes(), (packed >> 24) as u8, 2);
                }
                room[written..written + 4].copy_from_slice(&text);
                (at, written) = (at + read, written + usize::from(length));
            }
            out.extend_from_slice(&room[..written]);
        }
        true
    }

    /// Convert a piece, which has at most as many bytes as there is room for; `None` if the table lacks one.
    fn piece(&self, piece: &[u8], room: &mut [u8; 4 * PIECE]) -> Option<usize> {
        let (mut at, mut written, mut is_whole) = (0, 0, true);
        while at < piece.len() {
            // Eight of which no three side by side are beyond ASCII: those before the first that is, and that one, or all.
            if let Some(eight) = piece[at..].first_chunk::<8>()
                && let beyond = u64::from_le_bytes(*eight) & 0x8080_8080_8080_8080
                && self.is_ascii
                && beyond & beyond >> 8 & beyond >> 16 == 0
            {
                room[written..written + 8].copy_from_slice(eight);
                let plain = (beyond.trailing_zeros() as usize / 8).min(7);
                (at, written) = (at + plain + 1, written + plain);
                is_whole &= self.put(eight[plain], room, &mut written);
                continue;
            }
            // The next eight one by one: ASCII seldom begins again at once.
            for &byte in &piece[at..piece.len().min(at + 8)] {
                is_whole &= self.put(byte, room, &mut written);
            }
            at += 8;
        }
        is_whole.then_some(written)
    }

    /// Write what a byte becomes; `false` if the table lacks it.
    #[inline]
    fn put(&self, byte: u8, room: &mut [u8; 4 * PIECE], written: &mut usize) -> bool {
        let (text, length) = self.text[usize::from(byte)];
        room[*written..*written + 4].copy_from_slice(&text);
        *written += usize::from(length & !NONE);
        length != NONE
    }
}

/// When a buffer of views is longer than this, the next one begins.
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

/// The rows from `first` on that are converted at once: they and what they become stay in the first-level cache.
fn block(rows: &impl Contiguous, first: usize) -> Range<usize> {
    let (start, most) = (rows.start(first), rows.len().min(first + BLOCK));
    let fits = |last: &usize| rows.start(last + 1) - start <= NEAR;
    first..(first + 1..most).find(|last| !fits(last)).unwrap_or(most)
}

fn latin1(values: &[u8], out: &mut Vec<u8>) {
    // No byte is refused.
    let _ = placemat::convert_into(Transcoder::new(Form::Iso8859_1, Form::Utf8), values, out);
}
