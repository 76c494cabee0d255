//! Tests the files for musl with musl's own loader, in place of Alpine and its Python.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::library::{SAYS, code, expect};
use crate::dist::c::linker;
use crate::dist::commands::CPUS;
use crate::dist::place::{Place, files, read, write};
use crate::shell::{Done, call, output};

/// Loads the wheel for musl with musl's own loader: all symbols that it does not find must be Python's.
pub(super) fn wheel(place: &Place) -> Done {
    let wheel = files(&place.out)?.into_iter().find(|name| name.ends_with("musllinux_1_2_x86_64.whl"));
    let wheel = place.out.join(wheel.ok_or("there is no wheel for musl")?);
    let folder = place.root.join("musl");
    let _ = std::fs::remove_dir_all(&folder);
    call(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(&wheel).arg(&folder))?;
    let library = folder.join("placemat/_core.abi3.so");
    let mut loader = Command::new(loader(&folder)?);
    let found =
        loader.arg("--list").arg(&library).output().map_err(|error| format!("musl's loader: {error}"))?;
    let said = String::from_utf8_lossy(&[found.stdout, found.stderr].concat()).into_owned();
    let missing: Vec<_> = said.lines().filter_map(|line| line.strip_suffix(": symbol not found")).collect();
    let others: Vec<_> =
        missing.iter().filter(|line| !line.contains(": Py") && !line.contains(": _Py")).collect();
    if missing.is_empty() || !others.is_empty() || said.contains("Error loading shared library") {
        return Err(format!("the wheel for musl cannot be loaded:\n{said}"));
    }
    println!("musl's loader lacks {} symbols, all of them Python's", missing.len());
    Ok(())
}

/// The loader of Debian's package `musl`. The package is unpacked, not installed: installed, it would affect programs of this machine.
fn loader(folder: &Path) -> Result<PathBuf, String> {
    call(Command::new("apt-get").args(["-qq", "download", "musl"]).current_dir(folder))?;
    let package = files(folder)?.into_iter().find(|name| name.ends_with(".deb"));
    let package = package.ok_or("apt-get downloaded no package musl")?;
    call(Command::new("dpkg-deb").args(["-x", &package, "."]).current_dir(folder))?;
    Ok(folder.join("lib/x86_64-linux-musl/libc.so"))
}

/// Preloads the library for iconv into a program that was linked with musl alone.
pub(super) fn iconv(place: &Place) -> Done {
    let folder = place.root.join("musl-iconv");
    let _ = std::fs::remove_dir_all(&folder);
    let name = format!("libplacemat_iconv-{}-{}", place.version, CPUS[0].musl);
    let page = read(&place.source.join("crates/placemat-iconv/README.md"))?;
    write(&folder.join("menu.c"), code(&page, "## A program that links it")?)?;
    let archive = place.out.join(format!("{name}.tar.gz"));
    call(Command::new("tar").arg("xzf").arg(archive).current_dir(&folder))?;
    let mut cc = place.command(linker(&place.root, CPUS[0].musl)?);
    call(cc.args(["-dynamic", "menu.c", "-o", "menu"]).current_dir(&folder))?;
    let library = folder.join(name).join("lib/libplacemat_iconv.so");
    let mut loader = Command::new(loader(&folder)?);
    expect(&output(loader.arg("--preload").arg(library).arg(folder.join("menu")))?, SAYS)
}
