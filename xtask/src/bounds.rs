//! How much longer the worst input takes than clean text.

use crate::record;
use crate::shell::{Done, command, output};

pub(crate) fn run() -> Done {
    let line =
        "cargo test --release --quiet -p placemat --test bounds -- --ignored --nocapture --test-threads 1";
    let sources = record::sources();
    let printed = output(&mut command(line))?;
    let noise = ["running ", "test result", "."];
    let table: Vec<_> =
        printed.lines().filter(|line| !noise.iter().any(|word| line.starts_with(word))).collect();
    let table = table.join("\n");
    println!("{table}");
    record::keep("bounds", "cargo xtask bounds", &sources, table.trim_start())
}
