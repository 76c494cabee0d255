//! Tasks that are run for a release only: they take minutes to hours, or need programs that a contributor seldom has.

mod bounds;
mod commands;
mod coverage;
pub(crate) mod crash;
mod deny;
mod invisible;
mod mutants;
mod oracle;
mod pictures;
mod reproduce;
mod scale;

use crate::record;
use crate::shell::Done;

const USAGE: &str = "\
cargo xtask release NAME [OPTIONS]

What is run for a release. Each task writes its result to target/record; `keep` moves them to record/.

  bounds      how much longer the worst input takes than clean text, form by form
  commands    time whole commands on 1 GiB beside iconv, uconv and isutf8; --help says how
  coverage    the lines of the library that no test reaches (cargo-llvm-cov)
  crash       kill what writes files at random moments, fill the disk, forge reports; --rounds N; --in DIR;
              --binary FILE: another than the unoptimised one; --sample: in seconds, as `cargo xtask check` runs it
  deny        the licences and sources of all dependencies (cargo-deny)
  invisible   what check --invisible finds in clean files of many languages and in attacks, beside other programs, and how fast
              it reads (npm, pip, gcc)
  mutants     change the library without its kernels in two thousand places, and see whether a test notices
              (cargo-mutants); FILE ...: there only; --again: those that survived, with more tests and with kernels
  oracle      ask the UTF-8 decoders of this machine what they accept, and print their scores
  pictures    the screen of `explain` as the README shows it, into pictures/
  reproduce   build the command twice, in different folders, and compare
  scale       build the Python wheel and run its tests, Spark on a cluster whose workers die, Ray; --quick: what CI runs
  keep        replace record/ by the results in target/record, if each is there and all are of the same sources";

pub(crate) fn run(mut args: impl Iterator<Item = String>) -> Done {
    match args.next().as_deref() {
        Some("bounds") => bounds::run(),
        Some("commands") => commands::run(args),
        Some("coverage") => coverage::run(),
        Some("crash") => crash::run(args),
        Some("deny") => deny::run(),
        Some("invisible") => invisible::run(),
        Some("mutants") => mutants::run(args),
        Some("oracle") => oracle::run(),
        Some("pictures") => pictures::run(),
        Some("reproduce") => reproduce::run(),
        Some("scale") => scale::run(args),
        Some("keep") => record::release(),
        _ => Err(USAGE.to_owned()),
    }
}
