//! The length of each row.
#![forbid(unsafe_code)]

use core::ops::Range;

use arrow_array::{Array, Int64Array};
use placemat::{Form, Policy, Transcoder, Unencodable};

use crate::Error;
use crate::rows::{Contiguous, Layout, Rows};
use crate::scan::BLOCK;

/// The unit of a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unit {
    /// Code points, as Python, Rust's `chars` and SQL's `character_length` count.
    CodePoint,
    /// UTF-16 code units, as Java, JavaScript and C# count.
    Utf16,
    /// Bytes after conversion to this form.
    Byte(Form),
}

impl Unit {
    /// Returns the unit of this name: `code-points`, `utf-16-units`, or the name of the form whose bytes are counted.
    ///
    /// ```
    /// use placemat::Form;
    /// use placemat_arrow::Unit;
    /// assert_eq!(Unit::named("utf-16-units"), Some(Unit::Utf16));
    /// assert_eq!(Unit::named("cesu-8"), Some(Unit::Byte(Form::Cesu8)));
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Unit> {
        match name {
            "code-points" => Some(Unit::CodePoint),
            "utf-16-units" => Some(Unit::Utf16),
            _ => Form::named(name).map(Unit::Byte),
        }
    }
}

/// Returns the length of each row, read as `form`, in that unit; null for a null row.
///
/// An error counts as one U+FFFD, and a character that the form of [`Unit::Byte`] lacks as its replacement there. If that form is `form`
/// itself, the bytes are counted without reading them.
///
/// ```
/// use arrow_array::{Int64Array, StringArray};
/// use placemat::Form;
/// use placemat_arrow::{Unit, lengths};
///
/// let column = StringArray::from(vec!["né\u{1F600}"]);
/// assert_eq!(lengths(&column, Form::Utf8, Unit::CodePoint)?, Int64Array::from(vec![3]));
/// assert_eq!(lengths(&column, Form::Utf8, Unit::Utf16)?, Int64Array::from(vec![4]));
/// assert_eq!(lengths(&column, Form::Utf8, Unit::Byte(Form::Utf8))?, Int64Array::from(vec![7]));
/// # Ok::<(), placemat_arrow::Error>(())
/// ```
///
/// # Errors
/// [`Error::Type`].
pub fn lengths(array: &dyn Array, form: Form, unit: Unit) -> Result<Int64Array, Error> {
    let rows = Rows::of(array)?;
    if unit == Unit::CodePoint && form == Form::Utf8 && rows.keys.is_none() {
        let lengths = match &rows.layout {
            Layout::Small(rows) => Some(characters(rows)),
            Layout::Large(rows) => Some(characters(rows)),
            Layout::Fixed(rows) => Some(characters(rows)),
            Layout::Views(_) => None,
        };
        if let Some(lengths) = lengths {
            return Ok(Int64Array::new(lengths.into(), rows.nulls.clone()));
        }
    }
    let in_bytes = |to: Form, bytes: &[u8]| {
        let transcoder = Transcoder::new(form, to).on_error(REPLACE);
        // With these policies no conversion fails.
        placemat::length_with(transcoder, bytes).unwrap_or(0)
    };
    let length = |bytes: &[u8]| match unit {
        Unit::CodePoint => placemat::count(form, bytes),
        // A lone surrogate is one unit.
        Unit::Utf16 => in_bytes(Form::Utf16LeSurrogates, bytes) / 2,
        Unit::Byte(to) if to == form => bytes.len(),
        Unit::Byte(to) => in_bytes(to, bytes),
    };
    let lengths: Vec<i64> = rows.map(|bytes| length(bytes) as i64).collect();
    Ok(Int64Array::new(lengths.into(), rows.nulls.clone()))
}

/// The approximate size of a block, in bytes: what is read to be validated is still in the second-level cache when its characters are
/// counted.
const AT_ONCE: usize = 192 << 10;

/// The number of characters in each row. If a block of rows has no errors, they are counted without searching each row for errors.
fn characters(rows: &impl Contiguous) -> Vec<i64> {
    let mut lengths = Vec::with_capacity(rows.len());
    let bytes = rows.start(rows.len()) - rows.start(0);
    let some = (AT_ONCE * rows.len() / bytes.max(1)).clamp(1, BLOCK);
    for start in (0..rows.len()).step_by(some) {
        let block = start..rows.len().min(start + some);
        let values = &rows.values()[rows.start(block.start)..rows.start(block.end)];
        if values.is_ascii() {
            lengths.extend(block.map(|row| rows.row(row).len() as i64));
        } else if !placemat::is_valid(values) || !count_heads(rows, block.clone(), &mut lengths) {
            lengths.truncate(start);
            lengths.extend(block.map(|row| placemat::count(Form::Utf8, rows.row(row)) as i64));
        }
    }
    lengths
}

/// Appends the number of characters that begin in each of these rows, which are well-formed together. Returns `false` if a row begins
/// inside a character.
fn count_heads(rows: &impl Contiguous, block: Range<usize>, lengths: &mut Vec<i64>) -> bool {
    let (mut start, from) = (rows.start(block.start), lengths.len());
    if rows.start(block.end) - start <= BRIEF * block.len() {
        if count_at_once(rows, block.clone(), lengths).is_some() {
            return !rows.is_cut(block);
        }
        lengths.truncate(from);
    }
    let mut is_cut = false;
    lengths.extend(rows.starts(block.start + 1..block.end + 1).map(|end| {
        let row = &rows.values()[start..end];
        start = end;
        is_cut |= row.first().is_some_and(|byte| byte & 0xC0 == 0x80);
        heads(row) as i64
    }));
    !is_cut
}

/// Rows of up to this many bytes on average are counted many at once: a call for each takes longer than its work.
const BRIEF: usize = 128;
/// The number of rows that are counted at once.
const MANY: usize = 64;

/// Like [`count_heads`], for many rows at once, wherever they begin. `None` if the CPU has no kernel for that.
fn count_at_once(rows: &impl Contiguous, block: Range<usize>, lengths: &mut Vec<i64>) -> Option<()> {
    for first in block.clone().step_by(MANY) {
        let some = first..block.end.min(first + MANY);
        let start = rows.start(some.start);
        let text = &rows.values()[start..rows.start(some.end)];
        let mut ends = [text.len() as u32; MANY];
        for (end, at) in ends.iter_mut().zip(rows.starts(some.start + 1..some.end + 1)) {
            *end = at.wrapping_sub(start) as u32;
        }
        let counts = placemat::count_heads_of_each(text, ends)?;
        lengths.extend(counts[..some.len()].iter().map(|count| i64::from(*count)));
    }
    Some(())
}

/// The number of bytes of well-formed text that begin a character.
fn heads(row: &[u8]) -> usize {
    if row.len() < SHORT {
        return heads_by_word(row);
    }
    placemat::count_heads(row)
}

/// A row of fewer bytes is read eight bytes at a time, which is faster than the call of a kernel.
const SHORT: usize = 40;
const ONES: u64 = 0x0101_0101_0101_0101;

fn heads_by_word(row: &[u8]) -> usize {
    let (words, few) = row.as_chunks::<8>();
    let last = match row.last_chunk::<8>() {
        _ if few.is_empty() => 0,
        // It also has bytes before `few`, which are shifted out.
        Some(last) => u64::from_le_bytes(*last) >> (8 * (8 - few.len())),
        None => match (few.first_chunk::<4>(), few.last_chunk::<4>()) {
            (Some(first), Some(last)) => {
                let halves = [*first, *last].map(|half| u64::from(u32::from_le_bytes(half)));
                halves[0] | halves[1] << (8 * (few.len() - 4))
            }
            _ => few.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        },
    };
    // Sets a bit in each byte that is not the first of a character. The multiplication adds them up in the highest byte.
    let tails = |word: u64| word >> 7 & !(word >> 6) & ONES;
    let sum = words.iter().map(|word| tails(u64::from_le_bytes(*word))).sum::<u64>() + tails(last);
    row.len() - (sum.wrapping_mul(ONES) >> 56) as usize
}

const REPLACE: Policy = Policy::Replace.unencodable(Unencodable::Replace(None));
