//! Byte order marks, longest first.
#![forbid(unsafe_code)]

use crate::wide::{Order, Wide, Width};

/// What a byte order mark says about the bytes after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Utf8,
    Wide(Wide),
}

impl Mark {
    /// The byte order mark at the start of a text. `FF FE 00 00` is UTF-32LE, not UTF-16LE with a NUL.
    pub(crate) fn at_head(bytes: &[u8]) -> Option<Self> {
        let wide = |width, order| Some(Self::Wide(Wide { width, order }));
        match bytes {
            [0x00, 0x00, 0xFE, 0xFF, ..] => wide(Width::Four, Order::Big),
            [0xFF, 0xFE, 0x00, 0x00, ..] => wide(Width::Four, Order::Little),
            [0xEF, 0xBB, 0xBF, ..] => Some(Self::Utf8),
            [0xFE, 0xFF, ..] => wide(Width::Two, Order::Big),
            [0xFF, 0xFE, ..] => wide(Width::Two, Order::Little),
            _ => None,
        }
    }
}
