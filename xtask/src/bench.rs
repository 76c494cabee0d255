//! `cargo xtask bench`: builds and runs the tool in `bench/`, which is not of the workspace.

use std::process::Command;

/// Run the benchmark with these arguments.
pub(crate) fn run(args: impl Iterator<Item = String>) -> Result<(), String> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["run", "--quiet", "--release", "--manifest-path", "bench/Cargo.toml", "--"]).args(args);
    // clang's simdutf is the faster one, and so the fair one.
    if std::env::var_os("CXX").is_none() && Command::new("clang++").arg("--version").output().is_ok() {
        cargo.envs([("CC", "clang"), ("CXX", "clang++"), ("CXXFLAGS", "-O3")]);
    }
    match cargo.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("bench: {status}")),
        Err(error) => Err(format!("cargo: {error}")),
    }
}
