//! Archives of libplacemat for users without a Rust compiler: header, libraries, and files for pkg-config and CMake.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::commands::{CPUS, Cpu};
use super::place::{Place, copy, create, read, sweep, write};
use super::tools::{self, Tools};
use super::wheels::GLIBC;
use crate::c::versioned;
use crate::shell::{Done, call};

/// Builds the library for each CPU with cargo-c, and packs it.
pub(super) fn make(place: &Place, tools: &Tools) -> Done {
    tools.python(&[])?;
    tools.cargo(&["cargo-c"])?;
    tools.rust(&CPUS.each_ref().map(|cpu| cpu.gnu))?;
    sweep(&place.out, |name| name.starts_with("libplacemat-"))?;
    CPUS.iter().try_for_each(|cpu| pack(place, cpu))
}

/// Installs the library into a folder, and packs that.
fn pack(place: &Place, cpu: &Cpu) -> Done {
    let name = format!("libplacemat-{}-{}", place.version, cpu.gnu);
    let parent = place.root.join("pack");
    let folder = parent.join(&name);
    let _ = fs::remove_dir_all(&folder);
    create(&folder)?;
    let mut cargo = place.command("cargo-cinstall");
    cargo.args([
        "cinstall",
        "--profile",
        "dist",
        "--locked",
        "--target",
        cpu.gnu,
        "--libdir=lib",
        "--prefix",
    ]);
    let linker = link(cargo.arg(&folder), &place.root, cpu.gnu)?;
    let package = place.source.join("crates/placemat-c");
    call(cargo.current_dir(&package))?;
    versioned::link(&linker, &folder.join("lib"), &package)?;
    // The archive may be unpacked anywhere.
    let config = folder.join("lib/pkgconfig/placemat.pc");
    let own = format!("prefix={}", folder.display());
    write(&config, read(&config)?.replace(&own, "prefix=${pcfiledir}/../.."))?;
    let documents = folder.join("share/doc/libplacemat");
    create(&documents)?;
    for document in ["crates/placemat-c/README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&place.source.join(document), &documents)?;
    }
    for licences in ["THIRD-PARTY.txt", "COPYRIGHT-rust-std.html"] {
        copy(&place.assets.join(licences), &documents)?;
    }
    place.pack(&parent, &name)
}

/// Sets zig as cargo's linker for `target`. For glibc, it links for the oldest one that the wheels run on. Returns the path of the linker.
pub(super) fn link(cargo: &mut Command, root: &Path, target: &str) -> Result<PathBuf, String> {
    let linker = linker(root, target)?;
    let variable = format!("CARGO_TARGET_{}_LINKER", target.to_uppercase().replace('-', "_"));
    cargo.env(variable, &linker);
    Ok(linker)
}

/// A linker, and a compiler of C, for `target`.
pub(super) fn linker(root: &Path, target: &str) -> Result<PathBuf, String> {
    let path = root.join(format!("linker-{target}"));
    let mut zig = target.replace("-unknown", "");
    if zig.ends_with("-gnu") {
        zig = format!("{zig}.{}", GLIBC.replace('_', "."));
    }
    // The script sets the path, so that its caller need not know where the programs are.
    let programs = tools::path();
    let programs = programs.to_string_lossy();
    let script = format!("#!/bin/sh\nPATH='{programs}' exec cargo-zigbuild zig cc -- -target {zig} \"$@\"\n");
    write(&path, script)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).map_err(|error| error.to_string())?;
    Ok(path)
}
