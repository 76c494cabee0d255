//! UTF-7 (RFC 2152, replaces RFC 1642): mail-safe Unicode. Runs of UTF-16 in base64 between `+` and `-`.
//!
//! Base64 where it is not needed is well-formed (`+ADw-` is `<`), which is why UTF-7 must never be guessed.

#![forbid(unsafe_code)]

use super::base64::{Base64, Dialect};
use crate::codec::{Facts, Layout};

/// `utf-7`: Set O is written directly.
pub(crate) type Utf7 = Base64<Rfc2152>;
/// `utf-7/base64`: Set O is written in base64, as mail headers need it.
pub(crate) type Utf7Base64 = Base64<Headers>;
/// `utf-7/lenient`: also reads what the RFC only advises against.
pub(crate) type Utf7Lenient = Base64<Lenient>;

pub(crate) struct Rfc2152;
pub(crate) struct Headers;
pub(crate) struct Lenient;

/// Set D: letters, digits and the punctuation that every mail gateway leaves unchanged.
const fn set_d(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'\'' | b'(' | b')' | b',' | b'-' | b'.' | b'/' | b':' | b'?')
}

/// Set O: what may be written directly outside of headers, the rest of ASCII except `+`, `\`, `~` and controls.
const fn set_o(byte: u8) -> bool {
    byte.is_ascii_graphic() && !set_d(byte) && !matches!(byte, b'+' | b'\\' | b'~')
}

/// Rule 3: white space is always direct.
const fn white_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

impl Dialect for Rfc2152 {
    const FACTS: Facts = Facts {
        domain: "scalar values",
        width: (1, 8),
        ascii_transparent: false,
        self_synchronising: false,
        order_preserving: false,
        layout: Layout::Base64,
        source: "RFC 2152, which replaced RFC 1642",
    };

    fn reads(byte: u8) -> bool {
        set_d(byte) || set_o(byte) || white_space(byte)
    }

    fn writes(byte: u8) -> bool {
        Self::reads(byte)
    }
}

impl Dialect for Headers {
    const FACTS: Facts = Facts { source: "RFC 2152, Set O as in headers", ..Rfc2152::FACTS };

    fn reads(byte: u8) -> bool {
        Rfc2152::reads(byte)
    }

    fn writes(byte: u8) -> bool {
        set_d(byte) || white_space(byte)
    }
}

impl Dialect for Lenient {
    const FACTS: Facts = Facts { source: "RFC 2152, also what it advises against", ..Rfc2152::FACTS };
    const LENIENT: bool = true;

    /// All values of seven bits.
    fn reads(byte: u8) -> bool {
        byte.is_ascii()
    }

    fn writes(byte: u8) -> bool {
        Rfc2152::writes(byte)
    }
}
