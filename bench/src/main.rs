//! `cargo xtask bench`: measures Placemat and its peers in one process.

mod buffer;
mod chart;
mod curves;
mod generate;
mod lengths;
mod lines;
mod machine;
mod memory;
mod ops;
mod options;
mod peers;
mod random;
mod record;
mod report;
mod sample;
mod sizes;
mod strings;
mod texts;
mod timer;
mod weight;
mod whole;

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use ops::Table;
use options::{Options, What};
use placemat::Level;

fn main() -> ExitCode {
    match Options::read(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    if options.help {
        println!("{}", options::USAGE);
        return Ok(());
    }
    if let Some(level) = options.cpu {
        force(level)?;
    }
    let table = Table::new(options)?;
    let about = machine::description(options);
    print!("{about}");
    let mut wrong = Vec::new();
    match options.what {
        What::Texts => whole::run(&table, options, about, &mut wrong)?,
        What::Lengths => lengths::run(&table, options, &about, &mut wrong)?,
        What::Weight => weight::run(options, &about)?,
        What::Sizes => sizes::run(&table, options, &about, &mut wrong)?,
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Restricts placemat and simdutf to one CPU level.
fn force(level: Level) -> Result<(), String> {
    let theirs = match level {
        Level::Scalar => "fallback",
        Level::Sse42 => "westmere",
        Level::Avx2 => "haswell",
        Level::Avx512 => "icelake",
        _ => return Err("--cpu: scalar, sse42, avx2 or avx512".to_owned()),
    };
    // SAFETY: no other thread has been started.
    unsafe { std::env::set_var("SIMDUTF_FORCE_IMPLEMENTATION", theirs) };
    level.force().then_some(()).ok_or_else(|| format!("this CPU lacks {}", level.name()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(|error| error.to_string())?;
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    eprintln!("written: {}", path.display());
    Ok(())
}
