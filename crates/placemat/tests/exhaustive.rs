//! Exhaustive tests: run by `cargo xtask exhaust`, or a sample of them with `--sample`.
//!
//! They take too long for a plain `cargo test`, so all of them are ignored there.

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

/// The levels of this CPU, except the one without vectors.
fn vectors() -> impl Iterator<Item = Level> {
    Level::available().filter(|level| *level != Level::Scalar)
}
