//! The library beside its peers: builds `bench/`, which is outside the workspace, and runs it.

use std::process::{Command, Stdio};

use crate::shell::{Done, call, command, root};

/// Run the benchmark with these options, in the folder that one stands in.
pub(crate) fn run(options: impl Iterator<Item = String>) -> Done {
    let manifest = root().join("bench/Cargo.toml");
    let mut cargo = command("cargo run --quiet --release --manifest-path");
    cargo.arg(manifest).arg("--").args(options);
    if let Ok(here) = std::env::current_dir() {
        cargo.current_dir(here);
    }
    // simdutf is faster when clang makes it.
    if std::env::var_os("CXX").is_none() && exists("clang++") {
        cargo.env("CXX", "clang++");
    }
    call(&mut cargo)
}

fn exists(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}
