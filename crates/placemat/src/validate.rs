//! Is it well-formed, and if not, where does it stop being so?

use crate::codec::{self, Codec, Decoded, Input};
use crate::dispatch::{Level, kernels, utf8_nearly};
use crate::error::{Error, ErrorKind};
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
    let valid = utf8_nearly(bytes);
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

/// The first error of UTF-8 behind `valid` bytes that need no second look: it stands there, or near. Knows no other form, so that
/// the linker need not keep them.
#[cold]
fn first_utf8_error(bytes: &[u8], valid: usize) -> Option<Error> {
    // Where the kernel has no branch on what is wrong, one here would be guessed wrong; else it is worth no more than it takes.
    if kernels().level() == Level::Avx512
        && let Some((kind, length)) = error_at(bytes, valid)
    {
        return Some(Error::new(kind, valid as u64, length));
    }
    let mut at = valid;
    while at < bytes.len() {
        match codec::read::<Utf8>(bytes, at) {
            Ok((_, end)) => at = end,
            Err(error) => return Some(error),
        }
    }
    None
}

/// What a byte that is not ASCII promises as the first of a sequence.
#[derive(Clone, Copy)]
struct Lead {
    /// How long it is, or [`NEVER`].
    length: u8,
    /// The least second byte, and how much greater it may be.
    second: [u8; 2],
    /// What is wrong if the second byte is another continuation, or this is no lead.
    kind: ErrorKind,
}

/// No sequence is so long.
const NEVER: u8 = 5;

/// The bytes from BF on, which stands for all continuations.
const LEADS: [Lead; 65] = {
    let mut leads = [Lead { length: NEVER, second: [0; 2], kind: ErrorKind::UnexpectedContinuation }; 65];
    let mut i = 1;
    while i < leads.len() {
        let (length, second, kind) = match 0xBF + i {
            0xC0 | 0xC1 => (NEVER, [0; 2], ErrorKind::Overlong),
            0xE0 => (3, [0xA0, 0x1F], ErrorKind::Overlong),
            0xED => (3, [0x80, 0x1F], ErrorKind::Surrogate),
            0xF0 => (4, [0x90, 0x2F], ErrorKind::Overlong),
            0xF4 => (4, [0x80, 0x0F], ErrorKind::TooLarge),
            0xF5..=0xFD => (NEVER, [0; 2], ErrorKind::TooLarge),
            0xFE.. => (NEVER, [0; 2], ErrorKind::InvalidByte),
            lead => ((lead as u8).leading_ones() as u8, [0x80, 0x3F], ErrorKind::MissingContinuation),
        };
        leads[i] = Lead { length, second, kind };
        i += 1;
    }
    leads
};

/// The error that stands there, if one does, and how long it is, of four bytes or more: as the codec has it, but with next to no branches,
/// which would be guessed wrong where errors are of all kinds.
#[inline(always)]
pub(crate) fn error_at(bytes: &[u8], at: usize) -> Option<(ErrorKind, u8)> {
    let start = at.min(bytes.len().checked_sub(4)?);
    // Behind the end are zeros, which are no continuations.
    let word = u32::from_le_bytes(*bytes[start..].first_chunk()?) >> (8 * ((at - start) as u32 & 3));
    let [first, second, ..] = word.to_le_bytes();
    if first < 0x80 {
        return None;
    }
    let lead = LEADS[usize::from(first.max(0xBF) - 0xBF)];
    // A bit in each byte behind the first that is no continuation, and in a fifth.
    let others = u64::from((word ^ 0x8080_8000) & 0xC0C0_C000) | 1 << 32;
    let continuations = (others.trailing_zeros() / 8) as u8 - 1;
    let is_allowed = second.wrapping_sub(lead.second[0]) <= lead.second[1];
    let length = 1 + if is_allowed { continuations } else { 0 };
    if length >= lead.length {
        return None;
    }
    let is_cut = usize::from(length) == bytes.len() - at;
    let kind = if is_cut { ErrorKind::Truncated } else { ErrorKind::MissingContinuation };
    let is_of_lead = lead.length == NEVER || length <= continuations;
    Some((if is_of_lead { lead.kind } else { kind }, length))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_those_of_the_codec() {
        const BYTES: [u8; 14] =
            [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE1, 0xED, 0xF0, 0xFF];
        for first in 0..=0xFF {
            for others in 0..BYTES.len().pow(3) {
                let [second, third, fourth] = [1, 14, 196].map(|place| BYTES[others / place % 14]);
                let text = [0x61, 0xC2, 0xF0, first, second, third, fourth, 0x80];
                for end in 4..=text.len() {
                    let expected = match Utf8::decode(&mut (), Input { bytes: &text[3..end], last: true }) {
                        Decoded::Malformed { kind, len } => Some((kind, len)),
                        _ => None,
                    };
                    assert_eq!(error_at(&text[..end], 3), expected, "{:x?}", &text[3..end]);
                }
            }
        }
    }
}
