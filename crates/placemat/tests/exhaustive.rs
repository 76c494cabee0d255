//! What can be walked to its end is walked: `cargo xtask exhaust`, or a sample of it with `--sample`.
//!
//! Too long for a plain `cargo test`, so every test here is ignored there.

#![cfg(feature = "alloc")]
#![forbid(unsafe_code)]

mod common;

#[path = "exhaustive/classes.rs"]
mod classes;
#[path = "exhaustive/code_points.rs"]
mod code_points;
#[path = "exhaustive/four_bytes.rs"]
mod four_bytes;
#[path = "exhaustive/measured.rs"]
mod measured;
#[path = "exhaustive/place.rs"]
mod place;
#[path = "exhaustive/plain.rs"]
mod plain;
#[path = "exhaustive/replaced.rs"]
mod replaced;
#[path = "exhaustive/walk.rs"]
mod walk;
#[path = "exhaustive/ways.rs"]
mod ways;

use placemat::Level;

/// The levels that this CPU has, but for the one without vectors.
fn vectors() -> impl Iterator<Item = Level> {
    Level::available().filter(|level| *level != Level::Scalar)
}
