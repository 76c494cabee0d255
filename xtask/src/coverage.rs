//! Which lines of the library no test reaches: cargo-llvm-cov, with an LLVM as new as the compiler's.

use std::fmt::Write as _;
use std::path::Path;

use crate::record;
use crate::shell::{Done, command, output, root};

/// What is written in the record by hand, below this line, stays.
const NOTES: &str = "\nWhy these lines are not reached\n";

pub(crate) fn run() -> Done {
    let sources = record::sources(&record::LIBRARY);
    let mut coverage = command(
        "cargo llvm-cov -p placemat --lib --tests --show-missing-lines --ignore-filename-regex /tests/",
    );
    // The distribution's, where rustup has none.
    for (key, path) in [("LLVM_COV", "/usr/bin/llvm-cov-22"), ("LLVM_PROFDATA", "/usr/bin/llvm-profdata-22")]
    {
        if std::env::var_os(key).is_none() && Path::new(path).exists() {
            coverage.env(key, path);
        }
    }
    let printed = output(&mut coverage).map_err(|error| format!("{error}\ncargo install cargo-llvm-cov"))?;
    let (mut outcome, mut missing) = (String::new(), false);
    for line in printed.lines() {
        let cells: Vec<_> = line.split_whitespace().collect();
        missing |= line.starts_with("Uncovered");
        let written = match cells[..] {
            // File, then regions, functions and lines: how many, how many missed, how many of a hundred reached.
            [file, .., lines, missed, share, _, _, _] if !missing && share.ends_with('%') => {
                writeln!(outcome, "{file:40} {missed:>5} of {lines:>5} lines not reached")
            }
            _ if missing => writeln!(outcome, "{}", line.replace(&format!("{}/", root().display()), "")),
            _ => Ok(()),
        };
        written.map_err(|error| error.to_string())?;
    }
    let old = std::fs::read_to_string(root().join("record/coverage.txt")).unwrap_or_default();
    if let Some((_, notes)) = old.split_once(NOTES) {
        outcome = format!("{}\n{NOTES}{notes}", outcome.trim_end());
    }
    record::keep("coverage", "cargo xtask coverage", &sources, &outcome)
}
