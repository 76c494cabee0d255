//! Builds and runs `bench/`, which is outside the workspace: it compares the library with others.

use crate::shell::{Done, call, command, root};

/// Runs the benchmark with these options, in the current folder.
pub(crate) fn run(options: impl Iterator<Item = String>) -> Done {
    let manifest = root().join("bench/Cargo.toml");
    let mut cargo = command("cargo run --quiet --release --manifest-path");
    cargo.arg(manifest).arg("--").args(options);
    if let Ok(here) = std::env::current_dir() {
        cargo.current_dir(here);
    }
    call(&mut cargo)
}
