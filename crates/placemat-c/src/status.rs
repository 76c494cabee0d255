//! The status of a function, and the errors of a text.

#![forbid(unsafe_code)]

use core::ffi::CStr;

use placemat::label::Refused;
use placemat::{Error, ErrorKind, Status};

/// What a function returns. The numbers are fixed: none is changed or removed; new ones may be added.
///
/// 0 to 3 say how far the call came. From 16 on, nothing was done, and nothing was written unless a function says so.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum placemat_status {
    /// Everything is done.
    PLACEMAT_OK = 0,
    /// The whole chunk is read, and the text has not ended: push more, or finish.
    PLACEMAT_NEED_INPUT = 1,
    /// The next character does not fit into the room: pass the rest of the input again, with new room.
    PLACEMAT_NEED_OUTPUT = 2,
    /// The text is malformed, or the target cannot hold a character of it; the error says what and where.
    PLACEMAT_TEXT_ERROR = 3,
    /// A pointer is NULL that must not be NULL.
    PLACEMAT_NULL_POINTER = 16,
    /// A length is greater than any object can be (PTRDIFF_MAX), or reaches past the end of memory.
    PLACEMAT_TOO_LONG = 17,
    /// No encoding has this number or name, or this build or this function does not convert it.
    PLACEMAT_UNKNOWN_ENCODING = 18,
    /// A number or name is not valid here, or a reserved field is not 0.
    PLACEMAT_UNKNOWN_VALUE = 19,
    /// The settings are not possible between these encodings, or the encoding does not support the function.
    PLACEMAT_UNSUITABLE = 20,
    /// Storage is too small or not aligned, or has no transcoder.
    PLACEMAT_BAD_STORAGE = 21,
    /// Input, room and storage overlap.
    PLACEMAT_OVERLAP = 22,
    /// A label from an untrusted source names an encoding that is not safe there.
    PLACEMAT_UNSAFE_ENCODING = 23,
    /// The text seems to be something else than UTF-8 with a few errors, so a repair would do harm; or it is not the text that the
    /// report of a repair describes.
    PLACEMAT_REFUSED = 24,
    /// A bug in the library; please report it. Do not use what was written.
    PLACEMAT_INTERNAL = 25,
}

use placemat_status as S;

/// Each status with its name and its message.
pub(crate) const STATUSES: [(S, &CStr, &CStr); 14] = [
    (S::PLACEMAT_OK, c"PLACEMAT_OK", c"done"),
    (S::PLACEMAT_NEED_INPUT, c"PLACEMAT_NEED_INPUT", c"the input is read, but not at its end"),
    (S::PLACEMAT_NEED_OUTPUT, c"PLACEMAT_NEED_OUTPUT", c"the room is full"),
    (
        S::PLACEMAT_TEXT_ERROR,
        c"PLACEMAT_TEXT_ERROR",
        c"the text is malformed, or the target cannot hold a character of it",
    ),
    (S::PLACEMAT_NULL_POINTER, c"PLACEMAT_NULL_POINTER", c"a pointer is NULL that must not be"),
    (S::PLACEMAT_TOO_LONG, c"PLACEMAT_TOO_LONG", c"a length is greater than any object can be"),
    (
        S::PLACEMAT_UNKNOWN_ENCODING,
        c"PLACEMAT_UNKNOWN_ENCODING",
        c"no encoding of this function has that number or name",
    ),
    (S::PLACEMAT_UNKNOWN_VALUE, c"PLACEMAT_UNKNOWN_VALUE", c"a number or a name stands for nothing here"),
    (S::PLACEMAT_UNSUITABLE, c"PLACEMAT_UNSUITABLE", c"these encodings and settings cannot do that"),
    (
        S::PLACEMAT_BAD_STORAGE,
        c"PLACEMAT_BAD_STORAGE",
        c"the storage is too small or not aligned, or holds no transcoder",
    ),
    (S::PLACEMAT_OVERLAP, c"PLACEMAT_OVERLAP", c"input, room and storage overlap"),
    (
        S::PLACEMAT_UNSAFE_ENCODING,
        c"PLACEMAT_UNSAFE_ENCODING",
        c"an untrusted label may not select that encoding",
    ),
    (
        S::PLACEMAT_REFUSED,
        c"PLACEMAT_REFUSED",
        c"the text seems to be in another encoding than UTF-8, or is not the one in the report",
    ),
    (S::PLACEMAT_INTERNAL, c"PLACEMAT_INTERNAL", c"a fault of the library itself"),
];

/// The kinds of errors of a text, in the terms of the standards. The numbers are fixed.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum placemat_kind {
    /// Nothing is wrong.
    #[default]
    PLACEMAT_NO_ERROR = 0,
    /// A continuation byte (or the second half of a pair) where a sequence should start.
    PLACEMAT_UNEXPECTED_CONTINUATION = 1,
    /// A sequence that the next byte cannot continue.
    PLACEMAT_MISSING_CONTINUATION = 2,
    /// A sequence that the end of the input cuts off.
    PLACEMAT_TRUNCATED = 3,
    /// A value written in more bytes than it needs.
    PLACEMAT_OVERLONG = 4,
    /// A surrogate code point, or an unpaired surrogate code unit.
    PLACEMAT_SURROGATE = 5,
    /// A value above the range of the encoding.
    PLACEMAT_TOO_LARGE = 6,
    /// A byte that no sequence of the encoding contains.
    PLACEMAT_INVALID_BYTE = 7,
    /// The right value, written in a way that the encoding does not allow.
    PLACEMAT_NON_CANONICAL = 8,
    /// A character that the target cannot hold.
    PLACEMAT_UNENCODABLE = 9,
}

/// One malformed sequence, or one character that the target cannot hold.
///
/// In UTF-8 the length is that of the maximal subpart (Unicode 3.9, D93b), as the WHATWG Encoding Standard counts.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct placemat_error {
    /// The offset of its first byte from the start of the text (of all chunks together), from 0.
    pub offset: u64,
    /// The number of its bytes.
    pub length: u32,
    /// The kind of the error.
    pub kind: placemat_kind,
}

impl From<ErrorKind> for placemat_kind {
    fn from(kind: ErrorKind) -> placemat_kind {
        use placemat_kind as K;
        match kind {
            ErrorKind::UnexpectedContinuation => K::PLACEMAT_UNEXPECTED_CONTINUATION,
            ErrorKind::MissingContinuation => K::PLACEMAT_MISSING_CONTINUATION,
            ErrorKind::Truncated => K::PLACEMAT_TRUNCATED,
            ErrorKind::Overlong => K::PLACEMAT_OVERLONG,
            ErrorKind::Surrogate => K::PLACEMAT_SURROGATE,
            ErrorKind::TooLarge => K::PLACEMAT_TOO_LARGE,
            ErrorKind::NonCanonical => K::PLACEMAT_NON_CANONICAL,
            ErrorKind::Unencodable => K::PLACEMAT_UNENCODABLE,
            // The compiler cannot check here that all kinds of the library are listed; a test does.
            ErrorKind::InvalidByte | _ => K::PLACEMAT_INVALID_BYTE,
        }
    }
}

impl From<Error> for placemat_error {
    fn from(error: Error) -> placemat_error {
        placemat_error { offset: error.offset(), length: error.length().into(), kind: error.kind().into() }
    }
}

/// Returns the status and the error of a step.
pub(crate) fn of_step(status: Status) -> (placemat_status, placemat_error) {
    match status {
        Status::Done => (S::PLACEMAT_OK, placemat_error::default()),
        Status::NeedInput => (S::PLACEMAT_NEED_INPUT, placemat_error::default()),
        Status::NeedOutput => (S::PLACEMAT_NEED_OUTPUT, placemat_error::default()),
        Status::Failed(error) => (S::PLACEMAT_TEXT_ERROR, error.into()),
    }
}

impl From<Refused> for placemat_status {
    fn from(refused: Refused) -> placemat_status {
        match refused {
            Refused::Unsafe(_) => S::PLACEMAT_UNSAFE_ENCODING,
            _ => S::PLACEMAT_UNKNOWN_ENCODING,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_the_library_has_its_own_number() {
        for (at, &kind) in ErrorKind::ALL.iter().enumerate() {
            assert_eq!(placemat_kind::from(kind) as usize, at + 1, "{kind}");
        }
    }

    #[test]
    fn the_error_has_no_gaps() {
        assert_eq!(size_of::<placemat_error>(), 16);
    }
}
