//! Guesses about text: its encoding, its dialect of UTF-8, and whether it was decoded twice.
#![forbid(unsafe_code)]

mod legacy;
mod models;

/// Temporary.
pub fn trial(sample: &[u8]) -> Vec<(String, f32, f32)> {
    legacy::guesses(sample, true).into_iter().map(|g| (format!("{}/{}", g.encoding, g.language.unwrap_or("-")), g.bits, g.total)).collect()
}
