//! Measures how much longer the worst input takes than clean text.

mod commands;
mod trial;

use crate::record;
use crate::shell::{Done, command, output};

pub(crate) fn run() -> Done {
    let tests = [
        "crates/placemat/tests/worst_case.rs",
        "crates/placemat-detect/tests/worst_case.rs",
        "xtask/src/release/bounds",
    ];
    let sources = record::sources(&[&record::COMMAND[..], &tests].concat());
    let mut table = Vec::new();
    for package in ["placemat", "placemat-detect"] {
        let line = format!(
            "cargo test --release --quiet -p {package} --test worst_case -- --ignored --nocapture --test-threads 1"
        );
        let printed = output(&mut command(&line))?;
        let noise = ["running ", "test result", "."];
        let is_noise = |line: &&str| noise.iter().any(|word| line.starts_with(word));
        table.extend(printed.lines().filter(|line| !is_noise(line)).map(str::to_owned));
    }
    let (commands, broken) = commands::table()?;
    let table = format!("{}\n\n{commands}", table.join("\n").trim());
    println!("{table}");
    if broken.is_empty() {
        record::keep("bounds", "cargo xtask release bounds", &sources, &table)
    } else {
        Err(broken.join("\n"))
    }
}
