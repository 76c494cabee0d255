//! Lists the lines of the library that no test reaches, with cargo-llvm-cov and an LLVM as new as the compiler's.
//!
//! A line of a generic function counts as reached if any instance reaches it. LLVM's list of lines follows that rule,
//! but its sums count only the instance that reaches most lines. So the sums here are made from the list.

use std::fmt::Write as _;
use std::path::Path;

use crate::record;
use crate::shell::{Done, command, output, root};

/// Text below this line of the record is written by hand and kept.
const NOTES: &str = "\nWhy these lines are not reached\n";

pub(crate) fn run() -> Done {
    let sources = record::sources(&record::LIBRARY);
    let mut coverage = command(
        "cargo llvm-cov -p placemat --lib --tests --show-missing-lines --ignore-filename-regex /tests/",
    );
    // The distribution's tools, if rustup has none.
    for (key, path) in [("LLVM_COV", "/usr/bin/llvm-cov-22"), ("LLVM_PROFDATA", "/usr/bin/llvm-profdata-22")]
    {
        if std::env::var_os(key).is_none() && Path::new(path).exists() {
            coverage.env(key, path);
        }
    }
    let printed = output(&mut coverage).map_err(|error| format!("{error}\ncargo install cargo-llvm-cov"))?;
    let list = printed.split_once("Uncovered Lines:\n").map_or("", |(_, list)| list);
    let list = list.replace(&format!("{}/", root().display()), "");
    let (mut outcome, mut total) = (String::new(), 0);
    for line in printed.lines().take_while(|line| !line.starts_with("Uncovered")) {
        let cells: Vec<_> = line.split_whitespace().collect();
        // The file, then for regions, functions and lines: the number, how many were missed, the percentage reached.
        let [file, .., lines, _, share, _, _, _] = cells[..] else { continue };
        if share.ends_with('%') {
            let missed = if file == "TOTAL" { total } else { missed(&list, file) };
            total += missed;
            writeln!(outcome, "{file:40} {missed:>5} of {lines:>5} lines not reached")
                .map_err(|error| error.to_string())?;
        }
    }
    outcome.push_str("Lines that are not reached:\n");
    outcome.push_str(&list);
    let old = record::released("coverage");
    if let Some((_, notes)) = old.split_once(NOTES) {
        outcome = format!("{}\n{NOTES}{notes}", outcome.trim_end());
    }
    record::keep("coverage", "cargo xtask release coverage", &sources, &outcome)
}

/// The number of lines of a file in the list, which has it as `crates/placemat/src/FILE: 7, 9-12`.
fn missed(list: &str, file: &str) -> u32 {
    let end = format!("/src/{file}");
    let mut files = list.lines().filter_map(|line| line.split_once(": "));
    let ranges = files.find(|(path, _)| path.ends_with(&end)).map_or("", |(_, ranges)| ranges);
    let length = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some(last.trim().parse::<u32>().ok()? + 1 - first.trim().parse::<u32>().ok()?)
    };
    ranges.split(',').filter_map(length).sum()
}
