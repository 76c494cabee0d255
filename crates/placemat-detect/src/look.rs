//! Finds and counts bytes in a text.
#![forbid(unsafe_code)]

/// Whether `byte` is among `bytes`.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn has(bytes: &[u8], byte: u8) -> bool {
    memchr::memchr(byte, bytes).is_some()
}

/// Reads all bytes, so that the compiler can use wide registers. The page with the WebAssembly module has no room for a search.
#[cfg(target_family = "wasm")]
pub(crate) fn has(bytes: &[u8], byte: u8) -> bool {
    bytes.iter().fold(u8::MAX, |least, it| least.min(it ^ byte)) == 0
}

/// Whether all bytes are ASCII. The page with the WebAssembly module has no room for a kernel.
pub(crate) fn is_ascii(bytes: &[u8]) -> bool {
    if cfg!(target_family = "wasm") { bytes.is_ascii() } else { placemat::is_ascii(bytes) }
}

/// The index of the first `byte`.
pub(crate) fn first(bytes: &[u8], byte: u8) -> Option<usize> {
    #[cfg(not(target_family = "wasm"))]
    return memchr::memchr(byte, bytes);
    #[cfg(target_family = "wasm")]
    bytes.iter().position(|it| *it == byte)
}

/// The index of each `byte`.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn places(bytes: &[u8], byte: u8) -> impl Iterator<Item = usize> {
    memchr::memchr_iter(byte, bytes)
}

#[cfg(target_family = "wasm")]
pub(crate) fn places(bytes: &[u8], byte: u8) -> impl Iterator<Item = usize> {
    bytes.iter().enumerate().filter(move |(_, it)| **it == byte).map(|(at, _)| at)
}

/// The length of a chunk in [`count`]: the sum fits a byte, and the chunk fills wide registers.
const COUNTED: usize = 192;

/// The number of bytes for which `is_such` returns true. Sums that fit a byte let the compiler use wide registers.
pub(crate) fn count(bytes: &[u8], is_such: impl Fn(u8) -> bool) -> u64 {
    bytes
        .chunks(COUNTED)
        .map(|chunk| u64::from(chunk.iter().map(|byte| u8::from(is_such(*byte))).sum::<u8>()))
        .sum()
}
