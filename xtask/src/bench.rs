//! Builds and runs `bench/`, which is outside the workspace: the library beside others.

use std::process::{Command, Stdio};

use crate::shell::{Done, call, command, root};

/// Run the benchmark with these options, in the current folder.
pub(crate) fn run(options: impl Iterator<Item = String>) -> Done {
    let manifest = root().join("bench/Cargo.toml");
    let mut cargo = command("cargo run --quiet --release --manifest-path");
    cargo.arg(manifest).arg("--").args(options);
    if let Ok(here) = std::env::current_dir() {
        cargo.current_dir(here);
    }
    // simdutf is faster when compiled by clang.
    if std::env::var_os("CXX").is_none() && exists("clang++") {
        cargo.env("CXX", "clang++");
    }
    call(&mut cargo)
}

fn exists(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success())
}
