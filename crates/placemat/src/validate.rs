//! Validation of UTF-8: whether bytes are well-formed, and where the first error is.

use crate::codec::{self, Codec, Decoded, Input};
use crate::dispatch::{kernels, utf8_nearly};
use crate::error::{Error, ErrorKind};
use crate::form::utf8::Utf8;
use crate::kernel::Valid;
use crate::kernel::word::is_short_ascii;

/// Returns the bytes as text if they are well-formed UTF-8.
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
    // Short ASCII text is not worth the call of a kernel.
    if !is_short_ascii(bytes) {
        // One byte that is not ASCII is an error, or the start of a sequence that the end cuts off.
        let valid = if bytes.len() == 1 { Valid::exactly(0, 1) } else { utf8_nearly(bytes) };
        if valid.len != bytes.len()
            && let (Some(kind), place) = first_utf8_error(bytes, valid)
        {
            return Err(Error::new(kind, (place >> LENGTH_BITS) as u64, (place & LENGTH) as u8));
        }
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

/// A place is one number: its lowest bits are the length of an error, the others its offset.
const LENGTH_BITS: u32 = 3;
const LENGTH: usize = (1 << LENGTH_BITS) - 1;

/// The first error of UTF-8, at `valid.len` or a few bytes behind it. Its kind and place are two numbers, because those are
/// returned in registers. This uses no other form, so that the linker need not keep them.
#[cold]
fn first_utf8_error(bytes: &[u8], valid: Valid) -> (Option<ErrorKind>, usize) {
    match valid.shows(bytes.len()) {
        Some(shows) => error_between(bytes, valid.len, shows),
        None => next_utf8_error(bytes, valid.len),
    }
}

/// The error that begins at `at`. A kernel found `shows`: the first byte that cannot follow the bytes before it, or the end.
/// There is no branch on the kind of error, because it would be mispredicted.
#[inline(always)]
fn error_between(bytes: &[u8], at: usize, shows: usize) -> (Option<ErrorKind>, usize) {
    let is_cut = shows == bytes.len();
    // At the end there is no next byte; a lead byte, which is no continuation either, takes its place.
    let (Some(first), Some(&last)) = (bytes.get(at), bytes.get(if is_cut { at } else { shows })) else {
        return next_utf8_error(bytes, at);
    };
    let lead = LEADS[usize::from(first.max(&0xBF) - 0xBF)];
    let kind = if is_cut { ErrorKind::Truncated } else { ErrorKind::MissingContinuation };
    // `|` instead of `||`: a branch would be mispredicted.
    let is_of_lead = (lead.length == NEVER) | ((last as i8) < (0xC0_u8 as i8));
    // A byte that cannot follow well-formed text is an error of one byte.
    let length = (shows - at).max(1);
    (Some(if is_of_lead { lead.kind } else { kind }), at << LENGTH_BITS | length)
}

/// Finds the same error, one sequence after the other. It is not inlined, so that the faster way need not save the registers that
/// it uses.
#[inline(never)]
fn next_utf8_error(bytes: &[u8], mut at: usize) -> (Option<ErrorKind>, usize) {
    while at < bytes.len() {
        match codec::read::<Utf8>(bytes, at) {
            Ok((_, end)) => at = end,
            Err(error) => {
                let place = (error.offset() as usize) << LENGTH_BITS | usize::from(error.length());
                return (Some(error.kind()), place);
            }
        }
    }
    (None, 0)
}

/// What a non-ASCII byte says about the sequence that it begins.
#[derive(Clone, Copy)]
struct Lead {
    /// The length of the sequence in bytes, or [`NEVER`].
    length: u8,
    /// The least second byte, and how much greater the second byte may be.
    #[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "only `repair` asks"))]
    second: [u8; 2],
    /// The error if the second byte is a continuation byte that is not allowed, or if this byte begins no sequence.
    kind: ErrorKind,
}

/// A length that no sequence has.
const NEVER: u8 = 5;

/// The bytes from BF on. BF stands for all continuation bytes.
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

/// The kind and length of the error at `at`, if there is one and the text has four bytes or more. The answer is that of the
/// codec, but with almost no branches, because they would be mispredicted in text with errors of all kinds.
#[inline(always)]
#[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "only `repair` asks"))]
pub(crate) fn error_at(bytes: &[u8], at: usize) -> Option<(ErrorKind, u8)> {
    let start = at.min(bytes.len().checked_sub(4)?);
    // Behind the end are zeros, which are no continuations.
    let word = u32::from_le_bytes(*bytes[start..].first_chunk()?) >> (8 * ((at - start) as u32 & 3));
    let [first, second, ..] = word.to_le_bytes();
    if first < 0x80 {
        return None;
    }
    let lead = LEADS[usize::from(first.max(0xBF) - 0xBF)];
    // A bit for each byte after the first that is no continuation byte, and one for a fifth byte.
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

    /// The first error, by the codec alone.
    fn read_by_codec(text: &[u8]) -> Option<Error> {
        let mut at = 0;
        while at < text.len() {
            match codec::read::<Utf8>(text, at) {
                Ok((_, end)) => at = end,
                Err(error) => return Some(error),
            }
        }
        None
    }

    #[test]
    fn first_errors_are_those_of_the_codec_wherever_vectors_end() {
        const BYTES: [u8; 16] =
            [0x00, 0x7F, 0x80, 0x90, 0xA0, 0xBF, 0xC0, 0xC3, 0xE0, 0xE2, 0xED, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF];
        for before in [0, 1, 2, 3, 15, 30, 61, 62, 63, 64, 125, 383, 600] {
            let mut text = [b'a'; 605];
            for others in 0..BYTES.len().pow(4) {
                for (place, byte) in text[before..before + 4].iter_mut().enumerate() {
                    *byte = BYTES[others >> (4 * place) & 15];
                }
                for end in [before + 1, before + 2, before + 4, before + 5] {
                    let text = &text[..end];
                    assert_eq!(validate(text).err(), read_by_codec(text), "{:x?}", &text[before..]);
                }
            }
        }
    }

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
