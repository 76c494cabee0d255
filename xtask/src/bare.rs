//! `cargo xtask bare`: link the library into a program without std, alloc and libc.

use std::fs;

use crate::shell::{Done, call, command, root};

pub(crate) fn run() -> Done {
    let target = root().join("target/bare");
    // Hardly optimised: that compiles faster, and needs the same symbols.
    let build = "cargo build --quiet -p placemat --no-default-features --release --config profile.release.panic=\"abort\" \
                 --config profile.release.lto=false --config profile.release.opt-level=1 \
                 --config profile.release.codegen-units=16";
    call(command(build).env("CARGO_TARGET_DIR", &target))?;
    let rlib = target.join("release/libplacemat.rlib");
    let program = target.join("bare");
    let link = "rustc --edition 2024 -O -C panic=abort -C link-arg=-nostartfiles -C link-arg=-nodefaultlibs \
                -C link-arg=-static -C relocation-model=static xtask/bare/main.rs";
    call(command(link).arg("--extern").arg(format!("placemat={}", rlib.display())).arg("-o").arg(&program))?;
    fs::metadata(&program).map(drop).map_err(|error| format!("no bare program came out: {error}"))
}
