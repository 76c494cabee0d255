//! What is linked into the command: a bill of materials, and the licences with their texts.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::commands::CPUS;
use super::place::{Place, copy, files, read, sweep, write};
use super::tools::{RUST, Tools};
use crate::shell::{Done, call, output};

/// What the beginnings of names say that a file holds a licence or a notice.
const LICENCES: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

/// What cargo does not know of, but a static binary holds: name, licence, and where the text is below the Python of the tools.
const RUNTIME: [(&str, &str, &str); 2] = [
    ("musl, the C library", "MIT", "ziglang/lib/libc/musl/COPYRIGHT"),
    (
        "zig's compiler-rt and LLVM's libunwind",
        "MIT; Apache-2.0 WITH LLVM-exception",
        "ziglang/lib/libunwind/LICENSE.TXT",
    ),
];

/// The systems that GitHub's workflow makes archives for, which hold `THIRD-PARTY.txt` too.
const OTHER_SYSTEMS: [&str; 4] =
    ["aarch64-apple-darwin", "aarch64-pc-windows-msvc", "x86_64-apple-darwin", "x86_64-pc-windows-msvc"];

/// Write `THIRD-PARTY.txt` and the bill of materials.
pub(super) fn make(place: &Place, tools: &Tools) -> Done {
    tools.cargo(&["cargo-cyclonedx"])?;
    tools.rust(&[])?;
    let python = tools.python(&[])?;
    licences(place, &python)?;
    sweep(&place.out, |name| name.ends_with(".cdx.json"))?;
    bill(place, "placemat-cli", "placemat_bin", "placemat")?;
    bill(place, "placemat-python", "placemat_python_cdylib", "placemat-python")?;
    copy(&place.assets.join("THIRD-PARTY.txt"), &place.out)
}

/// Write the bill of materials of a crate, from the file that the tool names after what is built, under the name `to`.
fn bill(place: &Place, package: &str, from: &str, to: &str) -> Done {
    let folder = place.source.join("crates").join(package);
    let mut cargo = place.command("cargo-cyclonedx");
    cargo.args(["cyclonedx", "--quiet", "--format", "json", "--spec-version", "1.5"]);
    cargo.args(["--target", CPUS[0].musl, "--describe", "binaries", "--manifest-path"]);
    call(cargo.arg(folder.join("Cargo.toml")))?;
    let text = read(&folder.join(format!("{from}.cdx.json")))?;
    // It names own crates by the folder that they were in.
    let text = text.replace(&place.source.display().to_string(), "/placemat");
    write(&place.out.join(format!("{to}-{}.cdx.json", place.version)), text)
}

/// Write the licences of all crates that are linked into the command, and of what stands around them.
fn licences(place: &Place, python: &Path) -> Done {
    let vendor = place.root.join("vendor");
    let mut cargo = place.command("cargo");
    output(cargo.args(["vendor", "--quiet", "--locked", "--versioned-dirs"]).arg(&vendor))?;
    let mut list =
        "The command placemat is MIT OR Apache-2.0. It contains, on one system or another:\n\n".to_owned();
    // Each text, with those who share it.
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (package, licence) in linked(place)? {
        let found = texts_in(&vendor.join(package.replace(' ', "-")))?;
        let note =
            if found.is_empty() { "  (the package holds no text; the standard one applies)" } else { "" };
        writeln!(list, "  {package:32} {licence}{note}").map_err(|error| error.to_string())?;
        found.into_iter().for_each(|text| texts.entry(text).or_default().push(package.clone()));
    }
    let mut rustc = place.command("rustc");
    let sysroot = output(rustc.args(["--print", "sysroot"]))?;
    let std = read(&Path::new(sysroot.trim()).join("share/doc/rust/COPYRIGHT-library.html"))?;
    write(&place.assets.join("COPYRIGHT-rust-std.html"), std)?;
    let name = format!("Rust's standard library {RUST}");
    writeln!(list, "  {name:32} MIT OR Apache-2.0").map_err(|error| error.to_string())?;
    let packages = packages_of(python)?;
    for (name, licence, path) in RUNTIME {
        writeln!(list, "  {name:32} {licence}").map_err(|error| error.to_string())?;
        texts.entry(read(&packages.join(path))?).or_default().push(name.to_owned());
    }
    let mut sorted: Vec<_> = texts.into_iter().map(|(text, names)| (names.join(", "), text)).collect();
    sorted.sort();
    for (names, text) in sorted {
        write!(list, "\n{}\n{names}\n\n{}\n", "=".repeat(80), text.trim_end())
            .map_err(|error| error.to_string())?;
    }
    write(&place.assets.join("THIRD-PARTY.txt"), list)
}

/// The crates of others that are linked into the command, on any system: name and version, and the licence.
fn linked(place: &Place) -> Result<BTreeMap<String, String>, String> {
    let mut all = BTreeMap::new();
    for system in CPUS.each_ref().map(|cpu| cpu.musl).into_iter().chain(OTHER_SYSTEMS) {
        let mut cargo = place.command("cargo");
        cargo.args([
            "tree",
            "--locked",
            "-p",
            "placemat-cli",
            "--edges",
            "normal,no-proc-macro",
            "--prefix",
            "none",
        ]);
        let tree = output(cargo.args(["--format", "{p}|{l}", "--target", system]))?;
        for line in tree.lines() {
            let (package, licence) = line.trim_end_matches(" (*)").split_once('|').unwrap_or((line, ""));
            // Own crates are named with their folder.
            if let Some((name, version)) = package.split_once(" v")
                && !version.contains(' ')
            {
                all.insert(format!("{name} {version}"), licence.to_owned());
            }
        }
    }
    Ok(all)
}

/// The texts of licences in the folder of a package, and in folders of it: C libraries have theirs there.
fn texts_in(folder: &Path) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let mut folders: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.retain(|path| path.is_dir());
    folders.push(folder.to_owned());
    folders.sort();
    let mut texts = Vec::new();
    for folder in folders {
        // The scripts and programs of xz are under the GPL; its library is not.
        let is_licence = |name: &&String| {
            LICENCES.iter().any(|start| name.to_uppercase().starts_with(start)) && !name.contains("GPL")
        };
        for name in files(&folder)?.iter().filter(is_licence) {
            texts.push(read(&folder.join(name))?);
        }
    }
    Ok(texts)
}

/// The folder of Python's packages.
fn packages_of(bin: &Path) -> Result<std::path::PathBuf, String> {
    let lib = bin.with_file_name("lib");
    let entries = fs::read_dir(&lib).map_err(|error| error.to_string())?;
    let found = entries.filter_map(|entry| Some(entry.ok()?.path().join("site-packages")));
    found.filter(|path| path.is_dir()).last().ok_or_else(|| format!("no packages below {}", lib.display()))
}
