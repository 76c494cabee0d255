//! Archives of `libplacemat_iconv.so`, to link or to preload.

use std::fs;

use super::c::link;
use super::commands::CPUS;
use super::place::{Place, copy, create, sweep, write};
use super::tools::Tools;
use crate::shell::{Done, call};

/// The file for pkg-config, which works wherever the archive is unpacked.
const PKG_CONFIG: &str = "\
prefix=${pcfiledir}/../..

Name: placemat_iconv
Description: iconv as POSIX.1-2024 describes it
Version: VERSION
Cflags: -I${prefix}/include
Libs: -L${prefix}/lib -lplacemat_iconv
";

/// Builds the library for each CPU and each C library, and packs it.
pub(super) fn make(place: &Place, tools: &Tools) -> Done {
    tools.python(&[])?;
    sweep(&place.out, |name| name.starts_with("libplacemat_iconv-"))?;
    for targets in [CPUS.each_ref().map(|cpu| cpu.gnu), CPUS.each_ref().map(|cpu| cpu.musl)] {
        tools.rust(&targets)?;
        targets.iter().try_for_each(|target| pack(place, target))?;
    }
    Ok(())
}

fn pack(place: &Place, target: &str) -> Done {
    let name = format!("libplacemat_iconv-{}-{target}", place.version);
    let parent = place.root.join("pack");
    let folder = parent.join(&name);
    let _ = fs::remove_dir_all(&folder);
    let soname = format!("libplacemat_iconv.so.{}", place.version.split('.').next().unwrap_or_default());
    let mut cargo = place.command("cargo");
    cargo.args(["rustc", "--quiet", "--profile", "dist", "--locked", "-p", "placemat-iconv", "--lib"]);
    // With unwinding, a panic in our code is an error of the call, not the end of the program.
    cargo.args(["--crate-type", "cdylib", "--config", "profile.dist.panic=\"unwind\"", "--target", target]);
    cargo.arg("--").arg(format!("-Clink-arg=-Wl,-soname,{soname}"));
    link(&mut cargo, &place.root, target)?;
    if target.ends_with("-musl") {
        // By default there are no shared libraries for musl.
        place.compile_with(&mut cargo, "target-feature=-crt-static");
    }
    call(&mut cargo)?;
    let lib = folder.join("lib");
    create(&lib)?;
    let file = format!("libplacemat_iconv.so.{}", place.version);
    copy(&place.build.join(target).join("dist/libplacemat_iconv.so"), &lib.join(&file))?;
    for link in [soname.as_str(), "libplacemat_iconv.so"] {
        std::os::unix::fs::symlink(&file, lib.join(link)).map_err(|error| error.to_string())?;
    }
    write(&lib.join("pkgconfig/placemat_iconv.pc"), PKG_CONFIG.replace("VERSION", &place.version))?;
    for (from, to) in [
        ("crates/placemat-iconv/include/placemat_iconv.h", "include"),
        ("crates/placemat-iconv/man/placemat_iconv.3", "share/man/man3"),
        ("crates/placemat-iconv/README.md", "share/doc/libplacemat_iconv"),
        ("LICENSE-MIT", "share/doc/libplacemat_iconv"),
        ("LICENSE-APACHE", "share/doc/libplacemat_iconv"),
        ("assets/THIRD-PARTY.txt", "share/doc/libplacemat_iconv"),
        ("assets/COPYRIGHT-rust-std.html", "share/doc/libplacemat_iconv"),
    ] {
        let to = folder.join(to);
        create(&to)?;
        copy(&place.source.join(from), &to)?;
    }
    place.pack(&parent, &name)
}
