//! Every fuzz target for some time, and a line for each in `fuzz/RECORD.md`.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::process::Stdio;

use crate::record;
use crate::shell::{Done, call, command, cpu_of_children, root};

/// Where cargo-fuzz builds for.
const TARGET: &str = "x86_64-unknown-linux-gnu";

const HEAD: &str = "\
# What the fuzzers have run

`cargo xtask fuzz SECONDS` runs each target so long, with AddressSanitizer, from the seeds and from what earlier runs have found
(`fuzz/corpus`, which is not kept), those first that have run least, and adds a line here. Stopped, it goes on where it was. Seconds
are those of the clock, and in brackets those of the CPU where they were counted, which is less on a busy machine. A target that fails leaves its input in `fuzz/artifacts`; what was
fixed is kept in `fuzz/regressions`, which `cargo test --manifest-path fuzz/Cargo.toml --no-default-features` runs.

| date | library | target | seconds | executions | outcome |
| --- | --- | --- | --- | --- | --- |
";

pub(crate) fn run(seconds: Option<&str>) -> Done {
    let seconds: u32 = seconds.unwrap_or("60").parse().map_err(|_| "SECONDS is a number".to_owned())?;
    let sources = record::sources();
    // Without traces of comparisons, which take more than half of the time and find nothing here that bytes by chance do not.
    call(command("cargo +nightly fuzz build --no-trace-compares").current_dir(root().join("fuzz")))?;
    let folder = root().join("fuzz");
    let mut targets: Vec<_> = fs::read_dir(folder.join("fuzz_targets"))
        .map_err(|error| error.to_string())?
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()))
        .collect();
    let record = fs::read_to_string(folder.join("RECORD.md")).unwrap_or_default();
    targets.sort_by_cached_key(|target| (so_far(&record, target), target.clone()));
    let mut failed = Vec::new();
    for target in targets {
        let outcome = one(&target, seconds, &sources)?;
        eprintln!("{outcome}");
        if !outcome.contains("| nothing |") {
            failed.push(target);
        }
        note(&outcome)?;
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("found something: {}", failed.join(" "))) }
}

/// Run one target: its line of the record.
fn one(target: &str, seconds: u32, sources: &str) -> Result<String, String> {
    let folder = root().join("fuzz");
    for kind in ["corpus", "artifacts", "regressions"] {
        fs::create_dir_all(folder.join(kind).join(target)).map_err(|error| error.to_string())?;
    }
    let line = format!(
        "target/{TARGET}/release/{target} corpus/{target} seeds/{target} regressions/{target} -max_len=600 \
         -max_total_time={seconds} -print_final_stats=1 -artifact_prefix=artifacts/{target}/"
    );
    let before = cpu_of_children();
    let output = command(&line)
        .current_dir(&folder)
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .stdout(Stdio::null())
        .output()
        .map_err(|error| format!("{target}: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stderr);
    let executions = printed.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    let outcome = if output.status.success() { "nothing" } else { "**a failure**" };
    let date = record::first_line("date -u +%F");
    let tree = sources.split_once(' ').map_or("", |(_, tree)| tree);
    Ok(format!(
        "| {date} | {tree} | {target} | {seconds} ({}) | {} | {outcome} |",
        (cpu_of_children() - before) / 100,
        executions.unwrap_or(" ?").trim()
    ))
}

/// Seconds that a target has run by the record: of the CPU, where they were counted.
fn so_far(record: &str, target: &str) -> u32 {
    let seconds = |line: &str| {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let (_, seconds) = (cells.get(3).filter(|cell| **cell == target)?, cells.get(4)?);
        let cpu = seconds.rsplit(['(', ' ']).next().unwrap_or(seconds);
        cpu.trim_end_matches(')').parse::<u32>().ok()
    };
    record.lines().filter_map(seconds).sum()
}

fn note(line: &str) -> Done {
    let path = root().join("fuzz/RECORD.md");
    if !path.exists() {
        fs::write(&path, HEAD).map_err(|error| error.to_string())?;
    }
    let mut file = OpenOptions::new().append(true).open(path).map_err(|error| error.to_string())?;
    writeln!(file, "{line}").map_err(|error| error.to_string())
}
