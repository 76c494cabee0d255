//! The layout that UTF-8 shares with its ancestors and dialects: the leading one bits of the lead byte give the length, and
//! continuation bytes are `80..=BF`.

#![forbid(unsafe_code)]

use crate::codec::{Decoded, Input, ROOM};
use crate::error::ErrorKind;

/// The differences between these forms.
pub(crate) trait Rules {
    /// The longest sequence: 3 (no supplementary characters), 4 (RFC 3629) or 6 (RFC 2279).
    const LONGEST: usize;
    /// Whether `ED A0..=BF` is well-formed.
    const SURROGATES: bool;

    /// The error of a lead byte that announces more than [`Rules::LONGEST`] bytes.
    const TOO_LONG: ErrorKind = if Self::LONGEST == 3 { ErrorKind::InvalidByte } else { ErrorKind::TooLarge };
}

/// Whether this is a continuation byte of UTF-8 and its family, `80..=BF`: it never starts a sequence.
///
/// ```
/// use placemat::boundary::is_continuation;
///
/// assert!(is_continuation(0x80) && is_continuation(0xBF));
/// assert!(!is_continuation(b'A') && !is_continuation(0xC2));
/// ```
#[must_use]
#[inline(always)]
pub const fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// The length in bytes, 2 to 6, that a lead byte announces by its leading ones, as in RFC 2279; 0 for a byte that is no lead
/// byte. Lead bytes of today's UTF-8 announce 2 to 4 bytes only.
///
/// ```
/// use placemat::boundary::announced_length;
///
/// assert_eq!(announced_length(0xE2), 3);
/// assert_eq!([b'A', 0x80, 0xFE].map(announced_length), [0; 3]);
/// ```
#[must_use]
#[inline(always)]
pub const fn announced_length(lead: u8) -> usize {
    match lead {
        0xC0..=0xFD => lead.leading_ones() as usize,
        _ => 0,
    }
}

/// The first sequence under the rules `R`: Unicode Table 3-7, extended to six octets by RFC 2279.
#[inline(always)]
pub(crate) fn decode<R: Rules>(input: Input<'_>) -> Decoded {
    let bytes = input.bytes;
    let lead = bytes[0];
    if lead < 0x80 {
        return Decoded::code_point(u32::from(lead), 1);
    }
    let longest = R::LONGEST;
    let length = match lead {
        0x80..=0xBF => return Decoded::malformed(ErrorKind::UnexpectedContinuation, 1),
        0xC0..=0xC1 => return Decoded::malformed(ErrorKind::Overlong, 1),
        0xFE..=0xFF => return Decoded::malformed(ErrorKind::InvalidByte, 1),
        0xF5..=0xF7 if longest == 4 => return Decoded::malformed(ErrorKind::TooLarge, 1),
        _ => lead.leading_ones() as usize,
    };
    if length > longest {
        return Decoded::malformed(R::TOO_LONG, 1);
    }
    let Some(&second) = bytes.get(1) else { return input.ends_inside(1) };
    if !is_continuation(second) {
        return Decoded::malformed(ErrorKind::MissingContinuation, 1);
    }
    let wrong = match lead {
        0xE0 if second < 0xA0 => Some(ErrorKind::Overlong),
        0xED if second > 0x9F && !R::SURROGATES => Some(ErrorKind::Surrogate),
        0xF0 if second < 0x90 => Some(ErrorKind::Overlong),
        0xF4 if second > 0x8F && longest == 4 => Some(ErrorKind::TooLarge),
        0xF8 if second < 0x88 => Some(ErrorKind::Overlong),
        0xFC if second < 0x84 => Some(ErrorKind::Overlong),
        _ => None,
    };
    if let Some(kind) = wrong {
        return Decoded::malformed(kind, 1);
    }
    let payload = u32::from(lead) & (0x7F >> length);
    let mut value = payload << 6 | u32::from(second & 0x3F);
    for at in 2..length {
        match bytes.get(at) {
            Some(&tail) if is_continuation(tail) => value = value << 6 | u32::from(tail & 0x3F),
            Some(_) => return Decoded::malformed(ErrorKind::MissingContinuation, at),
            None => return input.ends_inside(at),
        }
    }
    Decoded::code_point(value, length)
}

/// Write `value` (at most `7FFF_FFFF`) in its shortest sequence; returns the length, 1 to 6.
#[inline(always)]
pub(crate) fn encode(value: u32, out: &mut [u8; ROOM]) -> usize {
    let tail = |shift: u32| (value >> shift) as u8 & 0x3F | 0x80;
    match value {
        0..=0x7F => {
            out[0] = value as u8;
            1
        }
        0x80..=0x7FF => {
            out[..2].copy_from_slice(&[0xC0 | (value >> 6) as u8, tail(0)]);
            2
        }
        0x800..=0xFFFF => {
            out[..3].copy_from_slice(&[0xE0 | (value >> 12) as u8, tail(6), tail(0)]);
            3
        }
        0x1_0000..=0x1F_FFFF => {
            out[..4].copy_from_slice(&[0xF0 | (value >> 18) as u8, tail(12), tail(6), tail(0)]);
            4
        }
        0x20_0000..=0x3FF_FFFF => {
            out[..5].copy_from_slice(&[0xF8 | (value >> 24) as u8, tail(18), tail(12), tail(6), tail(0)]);
            5
        }
        _ => {
            let lead = 0xFC | (value >> 30) as u8;
            out[..6].copy_from_slice(&[lead, tail(24), tail(18), tail(12), tail(6), tail(0)]);
            6
        }
    }
}
