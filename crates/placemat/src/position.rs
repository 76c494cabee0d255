//! Converts the number of a code point to its byte offset, and back.
//!
//! Code points count from 0, each error counts as one, and the byte order mark of a form that has its own does not count; so the
//! numbers are those of the text that [`Policy::Replace`](crate::Policy::Replace) gives.
//!
//! ```
//! use placemat::{Form, position};
//!
//! let text = b"n\xC3\xA9\xFF!";
//! assert_eq!(position::offset_of(Form::Utf8, text, 3), Some(4));
//! assert_eq!(position::index_at(Form::Utf8, text, 4), 3);
//! ```

#![forbid(unsafe_code)]

use crate::dispatch::kernels;
use crate::form::{Form, is_continuation};
use crate::sequences::sequences;

/// The byte at which code point `index` starts. For the index behind the last code point, the length of `bytes`; `None` beyond.
///
/// One pass over the bytes before it, no allocation; well-formed UTF-8 is counted in blocks.
///
/// ```
/// # use placemat::{Form, position};
/// assert_eq!(position::offset_of(Form::Utf8, "éa".as_bytes(), 1), Some(2));
/// assert_eq!(position::offset_of(Form::Utf8, "éa".as_bytes(), 3), None);
/// ```
#[must_use]
pub fn offset_of(form: Form, bytes: &[u8], index: usize) -> Option<usize> {
    let place = seek(form, bytes, |place| place.index <= index);
    (place.index == index).then_some(place.offset)
}

/// The number of the code point that holds byte `offset`. For an `offset` at or beyond the end, the number of all code points.
///
/// One pass over the bytes before it, no allocation; well-formed UTF-8 is counted in blocks.
///
/// ```
/// # use placemat::{Form, position};
/// assert_eq!(position::index_at(Form::Utf16Le, b"\x3D\xD8\x00\xDEa\0", 4), 1);
/// ```
#[must_use]
pub fn index_at(form: Form, bytes: &[u8], offset: usize) -> usize {
    seek(form, bytes, |place| place.offset <= offset).index
}

/// A boundary: `index` code points stand before byte `offset`.
#[derive(Clone, Copy)]
struct Place {
    offset: usize,
    index: usize,
}

/// The start of the first sequence for whose end `within` is false, or the end of the text.
fn seek(form: Form, bytes: &[u8], within: impl Fn(Place) -> bool) -> Place {
    /// After this many sequences behind an error, blocks are tried again.
    const KERNEL_AFTER: usize = 16;

    let mut at = Place { offset: 0, index: 0 };
    loop {
        let is_near = form != Form::Utf8 || pass_blocks(bytes, &mut at, &within);
        let limit = if is_near { usize::MAX } else { KERNEL_AFTER };
        let start = at.offset;
        let mut taken = 0;
        for sequence in sequences(form, &bytes[start..]).take(limit) {
            let range = sequence.range();
            let end = Place { offset: start + range.end, index: at.index + 1 };
            if !within(end) {
                return Place { offset: start + range.start, index: at.index };
            }
            at = end;
            taken += 1;
        }
        if taken < limit {
            return Place { offset: bytes.len(), index: at.index };
        }
    }
}

/// Skip blocks of well-formed UTF-8. Returns `true` if it stopped at a block for whose end `within` is false, and `false` if it
/// stopped at an error.
fn pass_blocks(bytes: &[u8], at: &mut Place, within: impl Fn(Place) -> bool) -> bool {
    /// Small, since the last block is counted and then read again.
    const BLOCK: usize = 1024;

    loop {
        let rest = &bytes[at.offset..];
        let clean = &rest[..kernels().utf8_prefix(&rest[..rest.len().min(BLOCK)])];
        if clean.is_empty() {
            return false;
        }
        let end = Place { offset: at.offset + clean.len(), index: at.index + code_points(clean) };
        if !within(end) {
            return true;
        }
        *at = end;
    }
}

/// The number of code points in well-formed UTF-8: the bytes that are not continuation bytes.
fn code_points(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| !is_continuation(byte)).count()
}
