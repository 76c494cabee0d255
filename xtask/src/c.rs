//! `cargo xtask c`: tests libplacemat from C, as `cargo test` does not.

mod abi;
mod faults;
mod install;
pub(crate) mod versioned;

use std::process::Command;

use crate::shell::Done;

const USAGE: &str = "\
cargo xtask c COMMAND

  check          the programs of crates/placemat-c/tests/c under valgrind, with AddressSanitizer and UndefinedBehaviorSanitizer, and on
                 a library with panic = \"abort\"; longer sequences of calls than the tests make
  abi            compare the ABI with api/libplacemat.abi (abidw and abidiff, of abigail-tools); --record: write it
  install        install with cargo-c into a folder, give the symbols of the shared library their versions, and build the README's
                 programs there with pkg-config and with CMake";

pub(crate) fn run(mut args: impl Iterator<Item = String>) -> Done {
    let words = [args.next(), args.next()];
    match words.each_ref().map(Option::as_deref) {
        [Some("check"), None] => faults::run(),
        [Some("abi"), None] => abi::run(false),
        [Some("abi"), Some("--record")] => abi::run(true),
        [Some("install"), None] => install::run(),
        _ => Err(USAGE.to_owned()),
    }
}

/// The part that `cargo xtask check` runs.
pub(crate) fn quick() -> Done {
    abi::run(false)?;
    faults::run()
}

/// Whether this program is installed. If not, says so.
fn is_installed(program: &str, use_of_it: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        eprintln!("not run: {use_of_it}: there is no {program}");
    }
    found
}
