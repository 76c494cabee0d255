//! The project's own tasks: `cargo xtask check` runs most of what CI runs.
#![forbid(unsafe_code)]

mod bare;
mod bench;
mod c;
mod census;
mod check;
mod conformance;
mod cycles;
mod dist;
mod duckdb;
mod exhaust;
mod fuzz;
mod hooks;
mod iconv;
mod machine;
mod perimeter;
mod prove;
mod record;
mod release;
mod shell;
mod web;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask COMMAND

  check       most of what CI runs: format, lints, tests, docs, cycles of modules, where `unsafe` stands, proofs
  bare        link the library into a program without std, alloc or libc
  bench       time placemat beside its peers; --help says how
  c           libplacemat from C's side: memory faults, its ABI, an installed copy; alone, it lists its tasks
  census      show from the machine code that each kernel is one function, and which registers it uses
  conformance write the vectors for other projects into conformance/; --check: are they up to date
  cycles      list cycles between the top-level modules of a crate
  dist        make everything that a release hands out, and try it; --help says how
  duckdb      the extension for DuckDB: build it, test it in the DuckDB of PyPI
  exhaust     try every input of certain kinds, for hours; resumable; --sample: less than a minute
  fuzz N      every fuzz target for N seconds, with AddressSanitizer (cargo-fuzz, a nightly compiler);
              --until SECONDS: until each has had so many seconds of CPU time
  hooks       install both hooks with the real pre-commit, from the last commit, and run them on a small project
  iconv       our iconv beside the C library's: speed, tables, random calls, programs; alone, it lists its tasks
  machine M   the library's tests on another machine: sse2 nehalem haswell native valgrind asan i686
              aarch64 s390x wasm wasm-mvp
  perimeter   list `unsafe` outside the files that may hold it
  prove       prove the tables and the arithmetic of the kernels with z3, which it installs
  release     what is run for a release; alone, it lists its tasks
  web         the npm package: build it, test it on Node and in every engine, its sizes; alone, it lists its tasks";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let result = match args.next().as_deref() {
        Some("bare") => bare::run(),
        Some("bench") => bench::run(args),
        Some("c") => c::run(args),
        Some("census") => census::run(),
        Some("check") => check::run(),
        Some("conformance") => conformance::run(args.next().as_deref() == Some("--check")),
        Some("cycles") => cycles::run(),
        Some("dist") => dist::run(args),
        Some("duckdb") => duckdb::run(args),
        Some("exhaust") => exhaust::run(args.next().as_deref() == Some("--sample")),
        Some("fuzz") => fuzz::run(args),
        Some("hooks") => hooks::run(),
        Some("iconv") => iconv::run(args),
        Some("machine") => machine::run(args.next().as_deref()),
        Some("perimeter") => perimeter::run(),
        Some("prove") => prove::run(),
        Some("release") => release::run(args),
        Some("web") => web::run(args),
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
