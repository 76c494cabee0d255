//! The names of IMAP mailboxes (RFC 3501, 5.1.3; IANA `UTF-7-IMAP`): UTF-7 with `&` instead of `+` and `,` instead of `/`, and
//! only one way to write each name.
//!
//! Printable ASCII is always direct and everything else never; every run is closed with `-`; no run follows another directly.

#![forbid(unsafe_code)]

use super::base64::{Base64, Dialect};
use super::utf7::Rfc2152;
use crate::codec::Facts;

/// `utf-7-imap`
pub(crate) type Utf7Imap = Base64<Rfc3501>;

pub(crate) struct Rfc3501;

impl Dialect for Rfc3501 {
    const FACTS: Facts = Facts { source: "RFC 3501, 5.1.3; RFC 9051 uses UTF-8", ..Rfc2152::FACTS };
    const SHIFT: u8 = b'&';
    const LAST_DIGIT: u8 = b',';
    const CANONICAL: bool = true;

    fn reads(byte: u8) -> bool {
        matches!(byte, b' '..=b'~')
    }

    fn writes(byte: u8) -> bool {
        Self::reads(byte)
    }
}
