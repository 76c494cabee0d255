//! Guesses about text: its encoding, its dialect of UTF-8, and whether it was decoded twice.
#![forbid(unsafe_code)]

mod detect;
mod diagnosis;
mod dialect;
mod escapes;
mod legacy;
mod line_ending;
mod mark;
mod models;
pub mod mojibake;
mod sample;
mod twice;
mod verdict;
mod wide;

pub use detect::{Candidate, Detection, Detector, detect};
pub use diagnosis::{Diagnosis, diagnose};
pub use dialect::{Counts, Kind, Malformed, malformed};
pub use line_ending::LineEnding;
