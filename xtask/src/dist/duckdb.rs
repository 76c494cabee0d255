//! The extension for DuckDB.

use super::above;
use super::c::link;
use super::commands::{CPUS, Cpu};
use super::place::{Place, sweep};
use super::tools::Tools;
use crate::duckdb::append;
use crate::shell::{Done, call};

/// DuckDB's name for each of [`CPUS`].
const PLATFORMS: [&str; 2] = ["linux_amd64", "linux_arm64"];

/// Builds the extension for each CPU and for the oldest C library of the wheels. It is not signed, so DuckDB loads it
/// only where unsigned extensions are allowed.
pub(super) fn make(place: &Place, tools: &Tools) -> Done {
    tools.python(&[])?;
    tools.rust(&CPUS.each_ref().map(|cpu| cpu.gnu))?;
    sweep(&place.out, |name| name.ends_with(".duckdb_extension"))?;
    above::with(place, "placemat-duckdb", || {
        CPUS.iter().zip(PLATFORMS).try_for_each(|(cpu, platform)| build(place, cpu, platform))
    })
}

fn build(place: &Place, cpu: &Cpu, platform: &str) -> Done {
    let mut cargo = place.command("cargo");
    cargo.args(["build", "--quiet", "--release", "--locked", "--target", cpu.gnu]);
    cargo.args(["--manifest-path", "crates/placemat-duckdb/Cargo.toml"]);
    link(&mut cargo, &place.root, cpu.gnu)?;
    call(&mut cargo)?;
    let library = place.build.join(cpu.gnu).join("release/libplacemat_duckdb.so");
    let name = format!("placemat-{}-{platform}.duckdb_extension", place.version);
    append(&library, &place.out.join(name), platform, &format!("v{}", place.version))
}
