//! The library beside its peers: builds `bench/`, which is outside the workspace, and runs it.

use crate::shell::{Done, call, command, root};

/// Run the benchmark with these options, in the folder that one stands in.
pub(crate) fn run(options: impl Iterator<Item = String>) -> Done {
    let manifest = root().join("bench/Cargo.toml");
    let mut cargo = command("cargo run --quiet --release --manifest-path");
    cargo.arg(manifest).arg("--").args(options);
    if let Ok(here) = std::env::current_dir() {
        cargo.current_dir(here);
    }
    call(&mut cargo)
}
