//! The project's own chores: `cargo xtask check` runs what CI runs.
#![forbid(unsafe_code)]

fn main() {}
