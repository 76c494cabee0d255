//! Bills of materials: what is linked into the files of a release.

use super::commands::CPUS;
use super::licences;
use super::place::{Place, read, sweep, write};
use super::tools::Tools;
use crate::shell::{Done, call};

/// Writes the bills of materials and the licences.
pub(super) fn make(place: &Place, tools: &Tools) -> Done {
    tools.cargo(&["cargo-cyclonedx"])?;
    tools.rust(&[])?;
    let python = tools.python(&[])?;
    licences::make(place, &python)?;
    sweep(&place.out, |name| name.ends_with(".cdx.json"))?;
    bill(place, "placemat-cli", "placemat_bin", "placemat")?;
    bill(place, "placemat-python", "placemat_python_cdylib", "placemat-python")?;
    // The tool leaves a bill beside each manifest, and `cargo package` refuses a folder with a file that is not committed.
    let mut git = place.command("git");
    call(git.args(["clean", "--quiet", "--force", "-x", "--", "*.cdx.json"]))
}

/// Writes the bill of materials of a crate under the name `to`. `from` is the name that the tool gives its file.
fn bill(place: &Place, package: &str, from: &str, to: &str) -> Done {
    let folder = place.source.join("crates").join(package);
    let mut cargo = place.command("cargo-cyclonedx");
    cargo.args(["cyclonedx", "--quiet", "--format", "json", "--spec-version", "1.5"]);
    cargo.args(["--target", CPUS[0].musl, "--describe", "binaries", "--manifest-path"]);
    call(cargo.arg(folder.join("Cargo.toml")))?;
    let text = read(&folder.join(format!("{from}.cdx.json")))?;
    // The tool names our own crates by their folder.
    let text = text.replace(&place.source.display().to_string(), "/placemat");
    write(&place.out.join(format!("{to}-{}.cdx.json", place.version)), text)
}
