//! What Linux cannot run is at least compiled: the command and the C libraries for Windows and macOS, the C code by zig.

use super::place::Place;
use super::tools::Tools;
use crate::shell::{Done, call};

/// The systems, by the names of their targets.
const TARGETS: [&str; 2] = ["x86_64-pc-windows-gnu", "aarch64-apple-darwin"];

/// Lint and link the command for each, and lint the libraries. zig has what is linked here of both systems; Apple's SDK is not needed.
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
