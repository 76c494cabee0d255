//! Checks what users of the crates rely on: the public API as text in `api/`, semantic versions, audited dependencies.

use std::process::Command;

use super::place::{read, write};
use super::tools::{self, Tools};
use crate::shell::{Done, call, output, root, target};

/// The crates that others call.
const CRATES: [&str; 4] = ["placemat", "placemat-detect", "placemat-text", "placemat-arrow"];

/// The workspaces whose dependencies are audited, all of those that a release contains, and the folder of each one's audits.
const AUDITED: [(&str, &str); 4] = [
    (".", "."),
    ("crates/placemat-arrow", "arrow"),
    ("crates/placemat-duckdb", "duckdb"),
    ("crates/placemat-python", "python"),
];

/// Writes the API of each crate to `api/`, or compares it with what is there.
pub(super) fn api(check: bool) -> Done {
    let tools = Tools::new(&tools::folder());
    tools.rust(&[])?;
    tools.cargo(&["cargo-public-api"])?;
    let mut differ = Vec::new();
    for name in CRATES {
        let text = api_of(name)?;
        let path = root().join("api").join(name).with_extension("txt");
        if !check {
            write(&path, text)?;
        } else if read(&path).unwrap_or_default() != text {
            differ.push(name);
        }
    }
    if differ.is_empty() {
        return Ok(());
    }
    // Writes the new API, so that git shows the lines that differ.
    api(false)?;
    let _ = call(Command::new("git").args(["--no-pager", "diff", "--", "api"]).current_dir(root()));
    Err(format!("the API of {} is not what api/ says; it says so now: commit it", differ.join(", ")))
}

/// The public API of a crate, one item on each line, without the items that every type has.
fn api_of(name: &str) -> Result<String, String> {
    let build = target().join("dist/api");
    let mut cargo = Command::new("cargo");
    cargo.args(["rustdoc", "--quiet", "--locked", "--lib", "--manifest-path"]);
    cargo.arg(root().join("crates").join(name).join("Cargo.toml")).env("CARGO_TARGET_DIR", &build);
    cargo.args(["--", "-Zunstable-options", "--output-format", "json", "--cap-lints", "allow"]);
    // rustdoc's JSON is unstable, so a stable compiler of a pinned version must be told that it may write it.
    call(cargo.env("RUSTC_BOOTSTRAP", "1").env("RUSTUP_TOOLCHAIN", tools::RUST).current_dir(root()))?;
    let json = build.join("doc").join(name.replace('-', "_")).with_extension("json");
    let mut api = Command::new(tools::folder().join("bin/cargo-public-api"));
    output(api.arg("public-api").arg("-sss").arg("--rustdoc-json").arg(json).current_dir(root()))
}

/// Compares the API with the last tag by semantic versioning, and checks that every dependency is audited.
pub(super) fn guard() -> Done {
    let tools = Tools::new(&tools::folder());
    tools.rust(&[])?;
    tools.cargo(&["cargo-vet"])?;
    for (workspace, audits) in AUDITED {
        let mut vet = Command::new(tools::folder().join("bin/cargo-vet"));
        vet.args(["vet", "check", "--locked", "--frozen", "--store-path"]);
        vet.arg(root().join("supply-chain").join(audits));
        vet.env("CARGO", "cargo").env("RUSTUP_TOOLCHAIN", tools::RUST);
        call(vet.current_dir(root().join(workspace)))?;
    }
    let mut git = Command::new("git");
    let tag = output(git.args(["describe", "--tags", "--abbrev=0", "--match", "v*"]).current_dir(root()));
    let Ok(tag) = tag else {
        println!("No release is tagged yet: there is nothing that the API could be compared with.");
        return Ok(());
    };
    tools.cargo(&["cargo-semver-checks"])?;
    for name in CRATES {
        let mut checks = Command::new(tools::folder().join("bin/cargo-semver-checks"));
        checks.args(["semver-checks", "--baseline-rev", tag.trim(), "--manifest-path"]);
        checks.arg(root().join("crates").join(name).join("Cargo.toml")).env("RUSTUP_TOOLCHAIN", tools::RUST);
        call(checks.current_dir(root()))?;
    }
    Ok(())
}
