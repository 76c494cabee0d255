//! Control characters, which are rare in text.
#![forbid(unsafe_code)]

use crate::look::count;

/// The number of control characters other than white space and escapes.
pub(crate) fn controls(head: &[u8]) -> u64 {
    // Without branches, so that the compiler can use wide registers.
    count(head, |byte| {
        let is_space = (byte.wrapping_sub(b'\t') < 5) & (byte != 0x0B);
        (byte < 0x20) & !is_space & (byte != 0x1B) | (byte == 0x7F)
    })
}

/// Whether every second byte is a tab, or a form feed, as in a word of Devanagari or Telugu in UTF-16.
pub(crate) fn alternates(head: &[u8]) -> bool {
    let every_other = |at: usize| {
        matches!(head.get(at), Some(b'\t' | 0x0C))
            && head.iter().skip(at).step_by(2).all(|byte| *byte == head[at])
    };
    head.len() >= 4 && head.len().is_multiple_of(2) && (every_other(0) || every_other(1))
}
