//! `cargo xtask duckdb`: the extension for DuckDB, built and loaded into the DuckDB of PyPI.

use std::env;
use std::fs;
use std::path::Path;

use crate::shell::{Done, call, command, python_with, root, target};

/// The lowest version of the C API that the extension needs.
const API: &str = "v1.2.0";

const USAGE: &str = "\
cargo xtask duckdb test

  test    build target/duckdb/placemat.duckdb_extension for this machine, and test it in the DuckDB of PyPI";

pub(crate) fn run(mut args: impl Iterator<Item = String>) -> Done {
    match (args.next().as_deref(), args.next()) {
        (Some("test"), None) => test(),
        _ => Err(USAGE.to_owned()),
    }
}

fn test() -> Done {
    let folder = target().join("duckdb");
    let manifest = "crates/placemat-duckdb/Cargo.toml";
    call(
        command(&format!("cargo build --quiet --release --locked --manifest-path {manifest} --target-dir"))
            .arg(&folder),
    )?;
    let cpu = if env::consts::ARCH == "aarch64" { "arm64" } else { "amd64" };
    let extension = folder.join("placemat.duckdb_extension");
    append(&folder.join("release/libplacemat_duckdb.so"), &extension, &format!("linux_{cpu}"), "test")?;
    let python = python_with(&folder.join("venv"), &["duckdb", "pytest"])?.join("python");
    let tests = root().join("crates/placemat-duckdb/tests");
    let mut pytest = std::process::Command::new(python);
    call(
        pytest
            .args(["-m", "pytest", "-q", "-p", "no:cacheprovider"])
            .arg(tests)
            .env("PLACEMAT_EXTENSION", extension),
    )
}

/// Writes a library as an extension: with the footer by which DuckDB recognises it.
///
/// Source: DuckDB's `ParseExtensionMetaData`: eight fields of 32 bytes, the last one first, and 256 bytes for a
/// signature, as a section of WebAssembly.
pub(crate) fn append(library: &Path, extension: &Path, platform: &str, version: &str) -> Done {
    let mut bytes = fs::read(library).map_err(|error| format!("{}: {error}", library.display()))?;
    bytes.extend_from_slice(b"\x00\x93\x04\x10duckdb_signature\x80\x04");
    for field in ["", "", "", "C_STRUCT", version, API, platform, "4"] {
        let mut padded = [0; 32];
        let length = field.len().min(32);
        padded[..length].copy_from_slice(&field.as_bytes()[..length]);
        bytes.extend_from_slice(&padded);
    }
    bytes.extend_from_slice(&[0; 256]);
    fs::write(extension, bytes).map_err(|error| format!("{}: {error}", extension.display()))
}
