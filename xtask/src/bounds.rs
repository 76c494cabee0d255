//! How much longer the worst input takes than clean text.

mod commands;
mod trial;

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
    let (commands, broken) = commands::table()?;
    let table = format!("{}\n\n{commands}", table.join("\n").trim());
    println!("{table}");
    if broken.is_empty() {
        record::keep("bounds", "cargo xtask bounds", &sources, &table)
    } else {
        Err(broken.join("\n"))
    }
}
