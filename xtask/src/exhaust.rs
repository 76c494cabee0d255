//! `cargo xtask exhaust`: runs every input of certain kinds at every CPU level; with `--sample` a part of them, for CI.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::record;
use crate::shell::{Done, call, command, root};

/// The sources that a result depends on.
const WALKED: [&str; 3] =
    ["crates/placemat/src", "crates/placemat/tests/exhaustive.rs", "crates/placemat/tests/exhaustive"];

/// The tests of `tests/exhaustive`, the most important first.
const WALKS: [&str; 10] = [
    "four_bytes::four_bytes",
    "two_units",
    "four_bytes_replaced",
    "measured_classes",
    "long_classes",
    "long_conversions",
    "unit_classes",
    "code_points::code_points",
    "byte_classes",
    "wide_values",
];

/// A sample is every 997th case.
const SAMPLE: &str = "997";

pub(crate) fn run(is_sample: bool) -> Done {
    if is_sample {
        return walk("").env("PLACEMAT_EVERY", SAMPLE).status().map_err(|error| error.to_string()).and_then(
            |status| {
                if status.success() { Ok(()) } else { Err("the sample fails".to_owned()) }
            },
        );
    }
    full()
}

/// The command for the test of that name; an empty name means all.
fn walk(name: &str) -> std::process::Command {
    command(&format!(
        "cargo test --release --quiet -p placemat --test exhaustive -- --ignored --nocapture --test-threads 1 {name}"
    ))
}

/// Runs all cases. If it is stopped, the next run goes on from there, as long as the sources are the same.
fn full() -> Done {
    let sources = record::sources(&WALKED);
    if sources.contains("with changes") {
        return Err(
            "the library has changes; commit them first, so that the record says what was walked".to_owned()
        );
    }
    call(&mut command("cargo test --release --quiet -p placemat --test exhaustive --no-run"))?;
    let notes = root().join("target/exhaust").join(sources.replace(['/', ' ', ','], "-"));
    fs::create_dir_all(root().join("target/exhaust")).map_err(|error| error.to_string())?;
    let mut outcome = String::new();
    for name in WALKS {
        if record::sources(&WALKED) != sources {
            return Err("the library has changed meanwhile".to_owned());
        }
        let mut child = walk(name)
            .env("PLACEMAT_NOTES", &notes)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| error.to_string())?;
        for line in
            child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines()).map_while(Result::ok)
        {
            println!("{line}");
            if line.contains(" cases, ") {
                outcome.push_str(&line);
                outcome.push('\n');
                // Recorded at once: the next test may take hours.
                let so_far = format!("{outcome}\nNot finished; nothing was wrong so far.");
                record::keep("exhaust", "cargo xtask exhaust", &sources, &so_far)?;
            }
        }
        if !child.wait().is_ok_and(|status| status.success()) {
            return Err(format!("{name} fails"));
        }
        outcome.push_str(&format!("{name}: all as it should be\n\n"));
        record::keep("exhaust", "cargo xtask exhaust", &sources, &outcome)?;
    }
    Ok(())
}
