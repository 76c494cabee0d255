//! The command `placemat`.
#![forbid(unsafe_code)]

fn main() {}
