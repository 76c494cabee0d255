//! Short strings, inlined at the caller before it asks for this CPU's kernels.

#![forbid(unsafe_code)]

use crate::simd::padded;

/// Whether the bytes are ASCII, and at most 64 of them: then nothing more need be asked.
#[inline(always)]
pub(crate) fn is_ascii(bytes: &[u8]) -> bool {
    const HIGH: u128 = u128::from_ne_bytes([0x80; 16]);
    let both_ends = |bytes: &[u8]| match (bytes.first_chunk(), bytes.last_chunk()) {
        (Some(first), Some(last)) => u128::from_ne_bytes(*first) | u128::from_ne_bytes(*last),
        _ => HIGH,
    };
    let any = match bytes.len() {
        0..=16 => padded(bytes),
        17..=32 => both_ends(bytes),
        33..=64 => both_ends(&bytes[..32]) | both_ends(&bytes[bytes.len() - 32..]),
        _ => HIGH,
    };
    any & HIGH == 0
}
