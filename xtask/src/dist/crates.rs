//! Packages the crates as they are published, and compiles each from its package.

use std::fs;
use std::path::Path;

use super::place::{Place, copy, create, sweep, write};
use super::tools::Tools;
use crate::shell::{Done, call, output};

/// The crates of the workspace, in the order in which they must be published.
const WORKSPACE: [&str; 6] =
    ["placemat", "placemat-detect", "placemat-text", "placemat-c", "placemat-iconv", "placemat-cli"];

/// The crates outside of it, in the order in which they must be published after the others.
const OUTSIDE: [&str; 2] = ["placemat-arrow", "placemat-datafusion"];

/// Packages and compiles all crates. Writes their order to `PUBLISH.txt`.
pub(super) fn make(place: &Place, tools: &Tools) -> Done {
    tools.rust(&[])?;
    sweep(&place.out, |name| name.ends_with(".crate"))?;
    let mut cargo = place.command("cargo");
    cargo.args(["package", "--quiet", "--locked"]);
    cargo.args(WORKSPACE.iter().flat_map(|name| ["-p", name]));
    call(&mut cargo)?;
    WORKSPACE.iter().try_for_each(|name| hand_out(place, name))?;
    // Cargo finds unpublished crates only among packages of one workspace. The crates outside find the others in a local registry.
    let registry = place.root.join("registry");
    let _ = fs::remove_dir_all(&registry);
    for (index, name) in OUTSIDE.iter().enumerate() {
        let manifest = place.source.join("crates").join(name).join("Cargo.toml");
        let mut vendor = place.command("cargo");
        vendor.args(["vendor", "--quiet", "--locked", "--versioned-dirs", "--manifest-path"]).arg(&manifest);
        output(vendor.arg(&registry))?;
        let published = WORKSPACE.iter().chain(&OUTSIDE[..index]);
        published.into_iter().try_for_each(|name| publish(place, name, &registry))?;
        let mut cargo = place.command("cargo");
        cargo.args(["package", "--quiet", "--manifest-path"]).arg(&manifest);
        cargo.args(["--config", "source.crates-io.replace-with='here'", "--config"]);
        call(cargo.arg(format!("source.here.directory='{}'", registry.display())))?;
        hand_out(place, name)?;
    }
    let lines = WORKSPACE.iter().map(|name| format!("cargo publish --locked -p {name}\n"));
    let outside =
        OUTSIDE.iter().map(|name| format!("cargo publish --manifest-path crates/{name}/Cargo.toml\n"));
    write(&place.out.join("PUBLISH.txt"), lines.chain(outside).collect::<String>())
}

/// The file name of a package.
fn file(place: &Place, name: &str) -> String {
    format!("{name}-{}.crate", place.version)
}

/// Copies a package into the folder of the release.
fn hand_out(place: &Place, name: &str) -> Done {
    copy(&place.build.join("package").join(file(place, name)), &place.out)
}

/// Puts a package into a registry that is a folder, as `cargo vendor` would.
fn publish(place: &Place, name: &str, registry: &Path) -> Done {
    let package = place.out.join(file(place, name));
    create(registry)?;
    call(place.command("tar").arg("--extract").arg("--file").arg(&package).arg("--directory").arg(registry))?;
    let sum = output(place.command("sha256sum").arg(&package))?;
    let sum = sum.split(' ').next().unwrap_or_default();
    let folder = registry.join(format!("{name}-{}", place.version));
    write(&folder.join(".cargo-checksum.json"), format!("{{\"files\":{{}},\"package\":\"{sum}\"}}"))
}
