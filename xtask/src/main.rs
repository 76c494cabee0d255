//! The project's own chores: `cargo xtask check` runs what CI runs.
#![forbid(unsafe_code)]

mod bare;
mod bench;
mod census;
mod check;
mod exhaust;
mod perimeter;
mod record;
mod shell;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask COMMAND

  check       all that CI runs: format, lints, tests, docs, the bare build, where `unsafe` stands
  bench       time placemat beside its peers; --help says how
  census      show from the machine code that each kernel is one function, and of which registers
  bare        link the library into a program without std, alloc or libc
  exhaust     walk everything that can be walked to its end, for hours; resumable; --sample: less than a minute
  perimeter   list `unsafe` outside the files that may hold it";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let result = match args.next().as_deref() {
        Some("check") => check::run(),
        Some("bench") => bench::run(args),
        Some("census") => census::run(),
        Some("bare") => bare::run(),
        Some("exhaust") => exhaust::run(args.next().as_deref() == Some("--sample")),
        Some("perimeter") => perimeter::run(),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
