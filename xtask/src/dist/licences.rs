//! The licences of other authors' code in the files of a release, with their texts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use super::commands::CPUS;
use super::place::{Place, copy, files, read, write};
use super::tools::RUST;
use crate::shell::{Done, output};

/// Beginnings of file names that show that the file is a licence or a notice.
const LICENCES: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];

/// The systems that GitHub's workflow makes archives and wheels for.
const OTHER_SYSTEMS: [&str; 4] =
    ["aarch64-apple-darwin", "aarch64-pc-windows-msvc", "x86_64-apple-darwin", "x86_64-pc-windows-msvc"];

/// The workspaces, beside the root, whose crates are linked into something.
const PYTHON: &str = "crates/placemat-python/Cargo.toml";
const DUCKDB: &str = "crates/placemat-duckdb/Cargo.toml";

/// Parts that cargo does not know: name, licence, and where the text is below the Python of the tools.
type Runtime = (&'static str, &'static str, &'static str);
const MUSL: Runtime = ("musl, the C library", "MIT", "ziglang/lib/libc/musl/COPYRIGHT");
const ZIG: Runtime = (
    "zig's compiler-rt and LLVM's libunwind",
    "MIT; Apache-2.0 WITH LLVM-exception",
    "ziglang/lib/libunwind/LICENSE.TXT",
);

/// Files that share a list of licences.
struct Product {
    /// The list, in the folder of assets and in that of the release.
    file: &'static str,
    /// The first lines of the list.
    title: &'static str,
    /// The manifest of the workspace, and the package that is linked.
    packages: &'static [(&'static str, &'static str)],
    /// Whether it is WebAssembly: one system, and a module for each feature.
    is_wasm: bool,
    runtime: &'static [Runtime],
}

const PRODUCTS: [Product; 4] = [
    Product {
        file: "THIRD-PARTY.txt",
        title: "The command placemat, the C libraries and the extension for DuckDB are MIT OR Apache-2.0.\n\
                One or the other contains, on one system or another:",
        packages: &[
            ("Cargo.toml", "placemat-cli"),
            ("Cargo.toml", "placemat-c"),
            ("Cargo.toml", "placemat-iconv"),
            (DUCKDB, "placemat-duckdb"),
        ],
        is_wasm: false,
        runtime: &[MUSL, ZIG],
    },
    Product {
        file: "THIRD-PARTY-python.txt",
        title: "The wheel is MIT OR Apache-2.0. It contains, on one system or another:",
        packages: &[(PYTHON, "placemat-python")],
        is_wasm: false,
        runtime: &[ZIG],
    },
    Product {
        file: "THIRD-PARTY-npm.txt",
        title: "The package is MIT OR Apache-2.0. Its modules of WebAssembly contain:",
        packages: &[("Cargo.toml", "placemat-wasm")],
        is_wasm: true,
        runtime: &[],
    },
    Product {
        file: "THIRD-PARTY-playground.txt",
        title: "The playground is MIT OR Apache-2.0. Its modules of WebAssembly contain:",
        packages: &[("Cargo.toml", "placemat-page"), ("Cargo.toml", "placemat-wasm")],
        is_wasm: true,
        runtime: &[],
    },
];

/// Writes the lists, and the notices of Rust's standard library. `python` is the folder of the tools' programs in Python.
pub(super) fn make(place: &Place, python: &Path) -> Done {
    let mut rustc = place.command("rustc");
    let sysroot = output(rustc.args(["--print", "sysroot"]))?;
    let std = read(&Path::new(sysroot.trim()).join("share/doc/rust/COPYRIGHT-library.html"))?;
    write(&place.assets.join("COPYRIGHT-rust-std.html"), std)?;
    let vendor = place.root.join("vendor");
    let mut cargo = place.command("cargo");
    cargo.args(["vendor", "--quiet", "--locked", "--versioned-dirs", "--sync", PYTHON, "--sync", DUCKDB]);
    output(cargo.arg(&vendor))?;
    let packages = packages_of(python)?;
    for product in &PRODUCTS {
        let text = product.text(place, &vendor, &packages)?;
        write(&place.assets.join(product.file), text)?;
        copy(&place.assets.join(product.file), &place.out)?;
    }
    Ok(())
}

impl Product {
    /// The list of all parts, followed by the texts.
    fn text(&self, place: &Place, vendor: &Path, packages: &Path) -> Result<String, String> {
        let mut list = format!("{}\n\n", self.title);
        // Each text, with the parts that share it.
        let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (package, licence) in self.linked(place)? {
            let found = texts_in(&vendor.join(package.replace(' ', "-")))?;
            let note =
                if found.is_empty() { "  (the package holds no text; the standard one applies)" } else { "" };
            writeln!(list, "  {package:32} {licence}{note}").map_err(|error| error.to_string())?;
            found.into_iter().for_each(|text| texts.entry(text).or_default().push(package.clone()));
        }
        let name = format!("Rust's standard library {RUST}");
        writeln!(list, "  {name:32} MIT OR Apache-2.0").map_err(|error| error.to_string())?;
        for (name, licence, path) in self.runtime {
            writeln!(list, "  {name:32} {licence}").map_err(|error| error.to_string())?;
            texts.entry(read(&packages.join(path))?).or_default().push((*name).to_owned());
        }
        let mut sorted: Vec<_> = texts.into_iter().map(|(text, names)| (names.join(", "), text)).collect();
        sorted.sort();
        for (names, text) in sorted {
            write!(list, "\n{}\n{names}\n\n{}\n", "=".repeat(80), text.trim_end())
                .map_err(|error| error.to_string())?;
        }
        Ok(list)
    }

    fn targets(&self) -> Vec<&'static str> {
        let linux = CPUS.iter().flat_map(|cpu| [cpu.musl, cpu.gnu]);
        if self.is_wasm { vec!["wasm32-unknown-unknown"] } else { linux.chain(OTHER_SYSTEMS).collect() }
    }

    /// The crates of other authors that are linked, on any system: name and version, and the licence.
    fn linked(&self, place: &Place) -> Result<BTreeMap<String, String>, String> {
        let mut lines = BTreeSet::new();
        for (manifest, package) in self.packages {
            for target in self.targets() {
                let mut cargo = place.command("cargo");
                cargo.args(["tree", "--locked", "--manifest-path", manifest, "-p", package]);
                cargo.args(["--edges", "normal,no-proc-macro", "--prefix", "none"]);
                cargo.args(self.is_wasm.then_some("--all-features"));
                let tree = output(cargo.args(["--format", "{p}|{l}", "--target", target]))?;
                lines.extend(tree.lines().map(|line| line.trim_end_matches(" (*)").to_owned()));
            }
        }
        let mut all = BTreeMap::new();
        for line in &lines {
            let (package, licence) = line.split_once('|').unwrap_or((line, ""));
            // Our own crates are named with their folder.
            if let Some((name, version)) = package.split_once(" v")
                && !version.contains(' ')
            {
                all.insert(format!("{name} {version}"), licence.to_owned());
            }
        }
        Ok(all)
    }
}

/// The texts of licences in the folder of a package and in its subfolders, where C libraries have theirs.
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
fn packages_of(bin: &Path) -> Result<PathBuf, String> {
    let lib = bin.with_file_name("lib");
    let entries = fs::read_dir(&lib).map_err(|error| error.to_string())?;
    let found = entries.filter_map(|entry| Some(entry.ok()?.path().join("site-packages")));
    found.filter(|path| path.is_dir()).last().ok_or_else(|| format!("no packages below {}", lib.display()))
}
