//! Is it well-formed, and if not, where does it stop being so?

use crate::codec::{self, Codec, Decoded, Input};
use crate::dispatch::kernels;
use crate::error::Error;
use crate::form::utf8::Utf8;

/// The bytes as text, if they are well-formed UTF-8.
///
/// One pass, no allocation; the verdict, offset and length are those of [`core::str::from_utf8`].
///
/// ```
/// assert_eq!(placemat::validate("naïve".as_bytes()), Ok("naïve"));
/// let error = placemat::validate(b"na\xEFve").unwrap_err();
/// assert_eq!((error.offset(), error.length()), (2, 1));
/// ```
///
/// # Errors
/// The first ill-formed sequence (a maximal subpart, Unicode 3.9).
#[inline]
pub fn validate(bytes: &[u8]) -> Result<&str, Error> {
    let valid = kernels().utf8_nearly(bytes);
    if valid != bytes.len()
        && let Some(error) = first_utf8_error(bytes, valid)
    {
        return Err(error);
    }
    // SAFETY: all of `bytes` is well-formed UTF-8, by the law of `utf8_nearly`, or by the scalar form, in `first_utf8_error`.
    Ok(unsafe { core::str::from_utf8_unchecked(bytes) })
}

/// Whether the bytes are well-formed UTF-8. Like [`validate`], without the position.
///
/// ```
/// assert!(placemat::is_valid(b"plain"));
/// assert!(!placemat::is_valid(b"\xC0\x80"));
/// ```
#[must_use]
#[inline]
pub fn is_valid(bytes: &[u8]) -> bool {
    validate(bytes).is_ok()
}

/// The first error of UTF-8 behind `valid` bytes that need no second look: it stands there. Knows no other form, so that the
/// linker need not keep them.
#[cold]
fn first_utf8_error(bytes: &[u8], valid: usize) -> Option<Error> {
    let mut at = valid;
    while at < bytes.len() {
        match codec::read::<Utf8>(bytes, at) {
            Ok((_, end)) => at = end,
            Err(error) => return Some(error),
        }
    }
    None
}

/// How much of a chunk is well-formed UTF-8, when more may follow.
///
/// Returns the length of the well-formed prefix and, if that is not all, the error that follows it, or `None` when the
/// chunk ends inside a sequence that is well-formed so far.
///
/// ```
/// assert_eq!(placemat::valid_prefix("aé".as_bytes()), (3, None));
/// assert_eq!(placemat::valid_prefix(b"a\xC3"), (1, None));
/// assert_eq!(placemat::valid_prefix(b"a\xFF").1.unwrap().offset(), 1);
/// ```
#[must_use]
pub fn valid_prefix(bytes: &[u8]) -> (usize, Option<Error>) {
    let mut at = kernels().utf8_prefix(bytes);
    while at < bytes.len() {
        match Utf8::decode(&mut (), Input { bytes: &bytes[at..], last: false }) {
            Decoded::CodePoint { len, .. } | Decoded::Nothing { len } => at += usize::from(len),
            Decoded::Malformed { kind, len } => return (at, Some(Error::new(kind, at as u64, len))),
            Decoded::Incomplete => break,
        }
    }
    (at, None)
}
