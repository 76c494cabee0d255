//! Measures the size of the files of a release, how soon the command starts, and what is large in it.

use std::fmt::Write as _;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::commands::CPUS;
use super::place::{Place, files};
use super::tools::{self, Tools};
use crate::record;
use crate::shell::{Done, output};

/// The largest size, in bytes, of the command without symbols, and of a wheel with the command in it.
const COMMAND: u64 = 8_000_000;
const WHEEL: u64 = 5_000_000;

/// The longest time to start, of the median of many runs.
const START: Duration = Duration::from_millis(3);

/// Measures what `cargo xtask dist` made, compares it with the limits, and records it.
pub(super) fn run() -> Done {
    let place = super::place("dist")?;
    let sources = record::sources(&record::COMMAND);
    let (mut text, mut over) = (String::new(), Vec::new());
    let mut size = |name: &str, size: u64, limit: u64| {
        if size > limit {
            over.push(format!("{name} has {size} bytes, more than {limit}"));
        }
        writeln!(text, "{size:>9} bytes  {name}").map_err(|error| error.to_string())
    };
    for cpu in &CPUS {
        let binary = cpu.binary(&place);
        let length = fs::metadata(&binary).map_err(|error| format!("{}: {error}", binary.display()))?.len();
        size(&format!("placemat ({})", cpu.musl), length, COMMAND)?;
    }
    for file in files(&place.out)?.iter().filter(|name| name.ends_with(".whl")) {
        size(file, fs::metadata(place.out.join(file)).map_err(|error| error.to_string())?.len(), WHEEL)?;
    }
    let start = start(&place)?;
    if start > START {
        over.push(format!("the command takes {start:?} to start, more than {START:?}"));
    }
    let _ = writeln!(
        text,
        "\nThe command starts in {:.1} ms (--version, median of 201 runs, {}).",
        start.as_secs_f64() * 1e3,
        CPUS[0].musl
    );
    text += &format!("\nWhat is large in the command (cargo-bloat):\n\n{}", bloat(&place)?);
    print!("{text}");
    record::keep("size", "cargo xtask dist limits", &sources, &text)?;
    if over.is_empty() { Ok(()) } else { Err(over.join("\n")) }
}

/// The median time that the command takes to print its version and end.
fn start(place: &Place) -> Result<Duration, String> {
    let mut times = Vec::new();
    for _ in 0..201 {
        let mut command = Command::new(CPUS[0].binary(place));
        command.arg("--version").stdout(Stdio::null());
        let start = Instant::now();
        let status = command.status().map_err(|error| error.to_string())?;
        times.push(start.elapsed());
        if !status.success() {
            return Err("the command does not say its version".to_owned());
        }
    }
    times.sort();
    Ok(times[times.len() / 2])
}

/// The crates and functions that take most of the code, and the sections of the file.
fn bloat(place: &Place) -> Result<String, String> {
    Tools::new(&tools::folder()).cargo(&["cargo-bloat"])?;
    let bloat = |more: &[&str]| {
        let mut cargo = place.command("cargo-bloat");
        cargo.args(["bloat", "--profile", "release", "--locked", "-p", "placemat-cli", "-n", "25"]);
        output(cargo.args(more))
    };
    let crates = bloat(&["--crates"])?;
    let sections = output(Command::new("size").arg("-A").arg(place.build.join("release/placemat")))?;
    let largest = sections.lines().filter(|line| {
        line.split_whitespace()
            .nth(1)
            .and_then(|size| size.parse::<u64>().ok())
            .is_some_and(|size| size > 50_000)
    });
    let sections: String = largest.map(|line| format!("{line}\n")).collect();
    Ok(format!("{crates}\n{}\nSections of more than 50,000 bytes:\n\n{sections}", bloat(&[])?))
}
