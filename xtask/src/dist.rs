//! `cargo xtask dist`: makes everything that a release hands out, in one folder.
//!
//! It runs on x86-64 Linux with git, tar, xz, Python, npm and rustup. Other tools are installed below `target/dist/tools`,
//! in pinned versions (`tools.rs`). It builds from a clone of what is committed, so that no other file can get in.

mod above;
mod bill;
mod c;
mod commands;
mod crates;
mod duckdb;
mod foreign;
mod guards;
mod iconv;
mod licences;
mod limits;
mod npm;
mod packages;
mod page;
mod place;
mod tools;
mod trial;
mod wheels;

use std::fs;
use std::path::Path;

use self::place::Place;
use self::tools::Tools;
use crate::shell::{Done, output, target};

const USAGE: &str = "\
cargo xtask dist [NAME ...]

Make what a release hands out, into target/dist/out, with SHA256SUMS. Without a NAME: all of it, in this order.

  commands    static binaries for x86-64 and AArch64, with man pages, completions and licences, as archives
  packages    the same binaries as .deb and .rpm
  c           libplacemat for glibc 2.28 and later, on both CPUs, with header, man page, and what pkg-config and CMake ask for
  iconv       libplacemat_iconv.so for the same and for musl, with header, man page, and what pkg-config asks for
  wheels      Python wheels for glibc 2.28 and later and for musl, on both CPUs, and the sdist
  npm         the package of npm, with its modules of WebAssembly
  page        the playground, as an archive
  duckdb      the extension for DuckDB, on both CPUs
  crates      the crates as they are published, each compiled from its package, and the order to publish them in
  bill        what is linked into the command, the libraries, the wheels and the npm package: bills of materials (CycloneDX) and
              the licences

  test [NAME ...]
              install what was made in roots without a compiler, as README says, and run README's examples there; needs root,
              npm, a C compiler, pkg-config, and of Debian mmdebstrap, debian-archive-keyring, arch-test, busybox-static, rpm,
              lintian, makepkg, libarchive-tools, pacman-package-manager, ruby, shellcheck, qemu-user-static, binfmt-support
  again [NAME ...]
              make all of it, or this, twice in different folders and compare, byte for byte
  limits      how large the command and the wheels are, how soon the command starts, and what is large in it
  foreign     compile for Windows and macOS: the command, which is linked, and the C libraries
  api         write the public API of the crates to api/; --check: is it up to date
  guard       compare the API with that of the last tag (cargo-semver-checks); is every dependency audited (cargo-vet)";

/// What makes a part of the release.
type Step = fn(&Place, &Tools) -> Done;

/// All parts, in the order in which they are made: the packages contain the commands, and the commands the licences.
const STEPS: [(&str, Step); 10] = [
    ("bill", bill::make),
    ("commands", commands::make),
    ("packages", packages::make),
    ("c", c::make),
    ("iconv", iconv::make),
    ("wheels", wheels::make),
    ("npm", npm::make),
    ("page", page::make),
    ("duckdb", duckdb::make),
    ("crates", crates::make),
];

pub(crate) fn run(args: impl Iterator<Item = String>) -> Done {
    let names: Vec<_> = args.collect();
    match names.first().map(String::as_str) {
        Some("again") => again(&names[1..]),
        Some("test") => trial::run(&place("dist")?, &names[1..]),
        Some("api") => guards::api(names.get(1).is_some_and(|name| name == "--check")),
        Some("guard") => guards::guard(),
        Some("limits") => limits::run(),
        Some("foreign") => foreign::run(&place("dist")?, &Tools::new(&tools::folder())),
        _ => {
            let known = |name: &String| STEPS.iter().any(|(step, _)| step == name);
            if !names.iter().all(known) {
                return Err(USAGE.to_owned());
            }
            make(&place("dist")?, &names)
        }
    }
}

/// The place below the target folder that a release is made in, with what is committed.
fn place(folder: &str) -> Result<Place, String> {
    Place::new(&target().join(folder))
}

/// Runs the steps of these names, or all, and sums up the files.
fn make(place: &Place, names: &[String]) -> Done {
    let tools = Tools::new(&tools::folder());
    for (name, step) in STEPS {
        if names.is_empty() || names.iter().any(|wanted| wanted == name) {
            eprintln!("== {name}");
            step(place, &tools)?;
        }
    }
    sums(&place.out).map(|_| ())
}

/// Writes `SHA256SUMS` for all files of a folder. Returns its text.
fn sums(out: &Path) -> Result<String, String> {
    let mut files = place::files(out)?;
    files.retain(|file| file != "SHA256SUMS");
    let mut sums = std::process::Command::new("sha256sum");
    let text = output(sums.arg("--").args(&files).current_dir(out))?;
    place::write(&out.join("SHA256SUMS"), &text)?;
    Ok(text)
}

/// Runs the steps of these names, or all, in a folder of another name and depth, and compares the files.
fn again(names: &[String]) -> Done {
    let first = place("dist")?;
    make(&first, names)?;
    let second = place("dist-again/at/another/place")?;
    make(&second, names)?;
    let (old, new) = (sums(&first.out)?, sums(&second.out)?);
    let differ: Vec<_> = new.lines().filter(|line| !old.lines().any(|other| other == *line)).collect();
    if !differ.is_empty() || (names.is_empty() && old.lines().count() != new.lines().count()) {
        return Err(format!("not the same the second time:\n{}", differ.join("\n")));
    }
    println!("{} files, all the same the second time:\n{new}", new.lines().count());
    fs::remove_dir_all(second.root).map_err(|error| error.to_string())
}
