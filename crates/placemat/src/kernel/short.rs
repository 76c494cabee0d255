//! Short strings, inlined at the caller before it asks for this CPU's kernels.

#![forbid(unsafe_code)]

use crate::simd::padded;

const HIGH: u64 = 0x8080_8080_8080_8080;

/// Whether at most 32 bytes are well-formed UTF-8, when that is seen at once: they are ASCII.
#[inline(always)]
pub(crate) fn utf8_valid(bytes: &[u8]) -> Option<bool> {
    let high = HIGH as u128 | (HIGH as u128) << 64;
    if bytes.len() <= 16 {
        if padded(bytes) & high == 0 { Some(true) } else { None }
    } else if bytes.len() <= 32 {
        let (Some(low), Some(up)) = (bytes.first_chunk(), bytes.last_chunk()) else { return None };
        if (u128::from_le_bytes(*low) | u128::from_le_bytes(*up)) & high == 0 { Some(true) } else { None }
    } else { None }
}
