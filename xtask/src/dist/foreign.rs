//! Compiles for systems whose programs Linux cannot run: links the command for Windows and macOS, with its C code
//! compiled by zig, and checks the C libraries.

use super::place::Place;
use super::tools::Tools;
use crate::shell::{Done, call};

/// The systems, by the names of their targets.
const TARGETS: [&str; 2] = ["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];

/// Checks the libraries and links the command for each system. zig has what is needed of both systems, though rustc
/// warns that Apple's SDK is missing.
pub(super) fn run(place: &Place, tools: &Tools) -> Done {
    tools.python(&[])?;
    tools.rust(&TARGETS)?;
    for target in TARGETS {
        let zig = |words: &[&str]| {
            let mut cargo = place.command("cargo-zigbuild");
            call(cargo.args(words).args(["--quiet", "--locked", "--target", target]))
        };
        zig(&["check", "-p", "placemat-c", "-p", "placemat-iconv", "-p", "placemat-cli"])?;
        zig(&["zigbuild", "-p", "placemat-cli"])?;
    }
    Ok(())
}
