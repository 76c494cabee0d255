//! What can be walked to its end is walked: `cargo xtask exhaust`, or a sample of it with `--sample`.
//!
//! Too long for a plain `cargo test`, so every test here is ignored there.

#![forbid(unsafe_code)]

#[path = "exhaustive/classes.rs"]
mod classes;
#[path = "exhaustive/code_points.rs"]
mod code_points;
#[path = "exhaustive/four_bytes.rs"]
mod four_bytes;
#[path = "exhaustive/two_units.rs"]
mod two_units;
#[path = "exhaustive/walk.rs"]
mod walk;

use placemat::Level;

/// The levels that this CPU has, with the bytes in a vector of each.
fn levels() -> impl Iterator<Item = (Level, usize)> {
    Level::available().map(|level| match level {
        Level::Scalar => (level, 8),
        Level::Avx2 => (level, 32),
        Level::Avx512 => (level, 64),
        _ => (level, 16),
    })
}

/// `len` bytes of text that no kernel takes for ASCII, in few characters.
fn dense(len: usize) -> Vec<u8> {
    let mut text = "😀".repeat(len / 4).into_bytes();
    text.extend(std::iter::repeat_n(b'a', len % 4));
    text
}
