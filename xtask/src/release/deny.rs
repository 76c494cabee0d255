//! Checks the licences and sources of all dependencies of each workspace with cargo-deny and `deny.toml`.

use std::fmt::Write as _;

use crate::record;
use crate::shell::{Done, command, root};

/// The manifests that have a lock file.
const MANIFESTS: [&str; 8] = [
    "Cargo.toml",
    "bench/Cargo.toml",
    "crates/placemat-arrow/Cargo.toml",
    "crates/placemat-datafusion/Cargo.toml",
    "crates/placemat-datafusion/ballista/Cargo.toml",
    "crates/placemat-duckdb/Cargo.toml",
    "crates/placemat-python/Cargo.toml",
    "fuzz/Cargo.toml",
];

pub(crate) fn run() -> Done {
    let sources = record::sources(
        &MANIFESTS.map(|manifest| manifest.replace(".toml", ".lock")).each_ref().map(|lock| &**lock),
    );
    let (mut outcome, mut refused) = (String::new(), Vec::new());
    for manifest in MANIFESTS {
        let printed = command(&format!("cargo deny --manifest-path {manifest} --config"))
            .arg(root().join("deny.toml"))
            .args(["check", "--hide-inclusion-graph", "bans", "licenses", "sources"])
            .output()
            .map_err(|error| error.to_string())?;
        let [said, text] = [&printed.stdout, &printed.stderr].map(|text| String::from_utf8_lossy(text));
        // `bans ok, licenses ok, sources ok`
        let verdict = said.lines().chain(text.lines()).find(|line| line.starts_with("bans "));
        let verdict = verdict.unwrap_or("nothing was said: cargo install cargo-deny");
        writeln!(outcome, "{manifest:40} {verdict}").map_err(|error| error.to_string())?;
        if !printed.status.success() {
            eprintln!("{text}");
            refused.push(manifest);
        }
    }
    print!("{outcome}");
    if !refused.is_empty() {
        return Err(format!("refused: {}", refused.join(", ")));
    }
    record::keep("deny", "cargo xtask release deny", &sources, &outcome)
}
