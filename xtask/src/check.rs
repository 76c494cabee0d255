//! Runs most of what CI runs, in an order that fails early.

use crate::release::crash;
use crate::shell::{Done, call, command, output};
use crate::{bare, c, conformance, cycles, exhaust, machine, perimeter, prove};

/// Feature sets of the library besides the default.
const FEATURES: [&str; 2] = ["--no-default-features", "--no-default-features --features alloc"];

/// The library compiled without optimization, and for size.
const LEVEL_0: &str = "--config profile.dev.package.placemat.opt-level=0 --config profile.test.opt-level=0";
const LEVEL_S: &str = "--config profile.dev.package.placemat.opt-level=\"s\"";
const NO_AVX512: &str = "--config build.rustflags=[\"--cfg\",\"placemat_no_avx512\"]";

pub(crate) fn run() -> Done {
    run_line("cargo fmt --all --check")?;
    perimeter::run()?;
    cycles::run()?;
    prove::where_possible()?;
    one_line_tree()?;
    for features in FEATURES {
        run_line(&format!("cargo clippy --quiet -p placemat --lib --tests {features} -- -D warnings"))?;
    }
    run_line("cargo clippy --quiet --workspace --all-targets -- -D warnings")?;
    // The modules of the npm package besides the first.
    run_line("cargo clippy --quiet -p placemat-wasm --all-features --all-targets -- -D warnings")?;
    call(
        command("cargo doc --quiet --workspace --no-deps --document-private-items")
            .env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    bare::run()?;
    for features in FEATURES {
        run_line(&format!("cargo test --quiet -p placemat --lib {features}"))?;
    }
    // Compiled without optimisation, for size, and without AVX-512: the library has other parts then.
    for level in [LEVEL_0, LEVEL_S, NO_AVX512] {
        run_line(&format!("cargo clippy --quiet -p placemat --all-targets {level} -- -D warnings"))?;
    }
    run_line(&format!("cargo test --quiet -p placemat --lib {LEVEL_S}"))?;
    // Not optimised: that would take longer than the test itself.
    run_line(&format!("cargo test --quiet -p placemat --features serde --test serde {LEVEL_0}"))?;
    // Without the functions that allocate.
    run_line("cargo clippy --quiet -p placemat-c --no-default-features --all-targets -- -D warnings")?;
    run_line("cargo test --quiet -p placemat-c --no-default-features")?;
    c::quick()?;
    conformance::run(true)?;
    exhaust::run(true)?;
    crash::run(std::iter::once("--sample".to_owned()))?;
    // Inputs that the fuzzers once found, as plain tests.
    run_line("cargo test --quiet --manifest-path fuzz/Cargo.toml --no-default-features")?;
    columns()?;
    machine::quick()?;
    run_line("cargo test --workspace")
}

/// The crates for DuckDB and Arrow, which are workspaces of their own. `cargo xtask duckdb` tests the first.
fn columns() -> Done {
    const MANIFEST: &str = "--manifest-path crates/placemat-arrow/Cargo.toml";
    for manifest in ["--manifest-path crates/placemat-duckdb/Cargo.toml", MANIFEST] {
        run_line(&format!("cargo fmt {manifest} --check"))?;
        run_line(&format!("cargo clippy --quiet {manifest} --all-targets -- -D warnings"))?;
    }
    run_line(&format!("cargo test --quiet {MANIFEST}"))?;
    let mut doc = command(&format!("cargo doc --quiet {MANIFEST} --no-deps --document-private-items"));
    call(doc.env("RUSTDOCFLAGS", "-D warnings"))
}

fn run_line(line: &str) -> Done {
    call(&mut command(line))
}

/// Fails if the library has a dependency.
fn one_line_tree() -> Done {
    let tree = output(&mut command("cargo tree -p placemat -e normal"))?;
    if tree.lines().count() == 1 { Ok(()) } else { Err(format!("the library has dependencies:\n{tree}")) }
}
