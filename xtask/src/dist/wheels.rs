//! The Python wheels and the sdist.

use super::above;
use super::commands::CPUS;
use super::place::{Place, copy, files, sweep};
use super::tools::Tools;
use crate::shell::{Done, ZOPFLI, call, compress_again};

/// The oldest C library that the wheels for glibc run on.
pub(super) const GLIBC: &str = "2_28";

/// The manifest of the package.
const MANIFEST: &str = "crates/placemat-python/Cargo.toml";

/// How a wheel is built.
const BUILD: &[&str] = &["build", "--release", "--locked", "--quiet", "--zig"];

/// Builds the sdist, and a wheel for each CPU and each C library. One wheel serves every CPython from 3.11.
pub(super) fn make(place: &Place, tools: &Tools) -> Done {
    let python = tools.python(&[ZOPFLI])?;
    tools.rust(&CPUS.each_ref().map(|cpu| cpu.musl))?;
    tools.rust(&CPUS.each_ref().map(|cpu| cpu.gnu))?;
    let sdist = format!("placemat-{}.tar.gz", place.version);
    sweep(&place.out, |name| name.ends_with(".whl") || name == sdist)?;
    let maturin = |words: &[&str]| {
        let mut maturin = place.command("maturin");
        maturin.args(words).args(["--manifest-path", MANIFEST, "--out"]).arg(&place.out);
        call(&mut maturin)
    };
    maturin(&["sdist"])?;
    // Every file whose name begins so goes into the wheel. The sdist, which contains no crates of other authors, is made already.
    let licences = place.source.join("crates/placemat-python/LICENSE-THIRD-PARTY.txt");
    copy(&place.assets.join("THIRD-PARTY-python.txt"), &licences)?;
    let build = |(target, library): (&str, String)| {
        let target = ["--target", target, "--compatibility", &library];
        maturin(&[BUILD, &target].concat())
    };
    above::with(place, "placemat-python", || {
        CPUS.iter()
            .flat_map(|cpu| [(cpu.gnu, format!("manylinux_{GLIBC}")), (cpu.musl, "musllinux_1_2".to_owned())])
            .try_for_each(build)
    })?;
    let wheels = files(&place.out)?.into_iter().filter(|name| name.ends_with(".whl"));
    let wheels: Vec<_> = wheels.map(|name| place.out.join(name)).collect();
    compress_again(&python, &wheels)
}
