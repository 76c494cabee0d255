//! Guesses about text: its encoding, its dialect of UTF-8, and whether it was decoded twice.
#![forbid(unsafe_code)]

pub mod mojibake;
