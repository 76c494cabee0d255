//! What Linux cannot run is compiled and linked: the command for Windows and macOS, its C code by zig; the C libraries are checked.

use super::place::Place;
use super::tools::Tools;
use crate::shell::{Done, call};

/// The systems, by the names of their targets.
const TARGETS: [&str; 2] = ["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];

/// Check the libraries and link the command for each. zig has what is needed of both systems, though rustc warns that Apple's SDK is missing.
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
