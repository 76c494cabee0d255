//! The shared library exports what the header declares, and nothing else.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use common::{built, is_installed, root, run};

/// The functions of a header, or of a part of it.
fn declared(header: &str) -> BTreeSet<String> {
    let lines = header.lines().filter(|line| !line.starts_with([' ', '/', '#', 't']) && line.contains('('));
    lines.map(|line| line.split('(').next().unwrap().rsplit([' ', '*']).next().unwrap().to_owned()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn exports_are_those_of_the_header() {
    let header = fs::read_to_string(root().join("include/placemat.h")).unwrap();
    let (core, _) = header.split_once("/* What allocates").unwrap();
    let expected = declared(if cfg!(feature = "text") { &header } else { core });
    assert!(expected.contains("placemat_version") && expected.len() > 30, "{expected:?}");
    if !is_installed("nm") {
        return;
    }
    let symbols = run(Command::new("nm").args(["-D", "--defined-only"]).arg(built("libplacemat_c.so")));
    let exported: BTreeSet<_> =
        symbols.lines().map(|line| line.rsplit(' ').next().unwrap().to_owned()).collect();
    assert_eq!(exported, expected);
}

#[test]
fn the_version_is_that_of_the_crate() {
    let version = env!("CARGO_PKG_VERSION");
    let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let header = read("include/placemat.h");
    for (part, name) in version.split('.').zip(["MAJOR", "MINOR", "PATCH"]) {
        assert!(header.contains(&format!("#define PLACEMAT_VERSION_{name} {part}\n")), "{name}");
    }
    assert!(read("cmake/placematConfigVersion.cmake").contains(&format!("set(PACKAGE_VERSION {version})\n")));
    assert!(read("man/placemat.3").contains(&format!("\"placemat {version}\"")));
    assert!(read("README.md").contains(&format!("libplacemat.so.{version}")));
}

/// The names in the linker's version script.
#[cfg(target_os = "linux")]
fn in_the_map() -> BTreeSet<String> {
    let map = fs::read_to_string(root().join("placemat.map")).unwrap();
    map.lines()
        .filter_map(|line| line.trim().strip_suffix(';'))
        .filter(|name| name.starts_with("placemat_"))
        .map(str::to_owned)
        .collect()
}

/// Links a shared library from the static one: each symbol has its version, and a program linked with it requires that version.
#[cfg(target_os = "linux")]
#[test]
fn symbols_have_versions() {
    let header = fs::read_to_string(root().join("include/placemat.h")).unwrap();
    assert_eq!(in_the_map(), declared(&header));
    if !is_installed("cc") || !is_installed("nm") {
        return;
    }
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let library = folder.join("libplacemat.so.0");
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-Wl,-soname,libplacemat.so.0", "-Wl,--gc-sections"]);
    cc.arg(format!("-Wl,--version-script={}", root().join("placemat.map").display()))
        .arg("-Wl,--whole-archive");
    cc.arg(built("libplacemat_c.a")).arg("-Wl,--no-whole-archive").args(common::SYSTEM);
    run(cc.arg("-o").arg(&library));
    let defined = symbols(&library, "--defined-only");
    let functions: Vec<_> = defined.lines().filter(|line| line.contains(" T ")).collect();
    assert!(
        functions.len() > 30 && functions.iter().all(|line| line.ends_with("@@PLACEMAT_0.1")),
        "{defined}"
    );
    let (source, program) = (folder.join("asks.c"), folder.join("asks"));
    fs::write(&source, "#include <placemat.h>\nint main(void) { return placemat_version() == 0; }\n")
        .unwrap();
    let mut cc = Command::new("cc");
    cc.arg("-I").arg(root().join("include")).args([&source, &library]).arg("-o").arg(&program);
    run(&mut cc);
    assert!(symbols(&program, "--undefined-only").contains("placemat_version@PLACEMAT_0.1"));
    run(Command::new(&program).env("LD_LIBRARY_PATH", folder));
}

#[cfg(target_os = "linux")]
fn symbols(file: &std::path::Path, which: &str) -> String {
    run(Command::new("nm").args(["-D", "--with-symbol-versions", which]).arg(file))
}
