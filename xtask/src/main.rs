//! The project's own chores: `cargo xtask check` runs most of what CI runs.
#![forbid(unsafe_code)]

mod bare;
mod bench;
mod bounds;
mod census;
mod check;
mod commands;
mod conformance;
mod coverage;
mod crash;
mod cycles;
mod deny;
mod exhaust;
mod fuzz;
mod machine;
mod mutants;
mod oracle;
mod perimeter;
mod prove;
mod record;
mod reproduce;
mod scale;
mod shell;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask COMMAND

  bare        link the library into a program without std, alloc or libc
  bench       time placemat beside its peers; --help says how
  bounds      how much longer the worst input takes than clean text, form by form
  census      show from the machine code that each kernel is one function, and of which registers
  check       all that CI runs: format, lints, tests, docs, the bare build, where `unsafe` stands
  commands    time whole commands on 1 GiB beside iconv, uconv and isutf8; --help says how
  conformance write the vectors for other projects into conformance/; --check: are they of today
  coverage    the lines of the library that no test reaches (cargo-llvm-cov)
  crash       kill what writes files at random moments, fill the disk, forge reports; --rounds N; --in DIR;
              --binary FILE: another than the unoptimised one; --sample: in seconds
  deny        the licences and sources of all that is depended on (cargo-deny)
  exhaust     walk everything that can be walked to its end, for hours; resumable; --sample: less than a minute
  fuzz N      every fuzz target for N seconds, with AddressSanitizer (cargo-fuzz, a nightly compiler); --until SECONDS: until
              each has had so many of the CPU
  machine M   the library's tests on another machine: sse2 nehalem haswell native valgrind asan i686
              aarch64 s390x wasm wasm-mvp
  mutants     change the library without its kernels in two thousand places, and see whether a test notices (cargo-mutants);
              FILE ...: there only; --again: those that survived, with more tests and with kernels
  oracle      ask the UTF-8 decoders of this machine what they take, and print their scores
  perimeter   list `unsafe` outside the files that may hold it
  prove       prove the tables and the arithmetic of the kernels with z3, which it installs
  reproduce   build the release twice, in different folders, and compare
  scale       build the Python wheel and run its tests, Spark on a cluster whose workers die, Ray; --quick: what CI runs";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let result = match args.next().as_deref() {
        Some("bare") => bare::run(),
        Some("bench") => bench::run(args),
        Some("bounds") => bounds::run(),
        Some("census") => census::run(),
        Some("check") => check::run(),
        Some("commands") => commands::run(args),
        Some("conformance") => conformance::run(args.next().as_deref() == Some("--check")),
        Some("coverage") => coverage::run(),
        Some("crash") => crash::run(args),
        Some("deny") => deny::run(),
        Some("exhaust") => exhaust::run(args.next().as_deref() == Some("--sample")),
        Some("fuzz") => fuzz::run(args),
        Some("machine") => machine::run(args.next().as_deref()),
        Some("mutants") => mutants::run(args),
        Some("oracle") => oracle::run(),
        Some("perimeter") => perimeter::run(),
        Some("prove") => prove::run(),
        Some("reproduce") => reproduce::run(),
        Some("scale") => scale::run(args),
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
