//! The programs that make a release, in pinned versions, below `target/dist/tools`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{Done, call, output, python_with, target};
use crate::web;

/// The compiler that a release is built with.
pub(super) const RUST: &str = "1.95.0";

/// From crates.io.
const CARGO: [(&str, &str); 9] = [
    ("cargo-auditable", "0.7.7"),
    ("cargo-bloat", "0.12.1"),
    ("cargo-c", "0.10.24+cargo-0.98.0"),
    ("cargo-cyclonedx", "0.5.9"),
    ("cargo-deb", "3.8.0"),
    ("cargo-generate-rpm", "0.21.1"),
    ("cargo-public-api", "0.52.0"),
    ("cargo-semver-checks", "0.51.0"),
    ("cargo-vet", "0.10.3"),
];

/// From PyPI: the C compiler and linker for other systems, and the builder of wheels.
const PYTHON: [&str; 3] = ["ziglang==0.17.1", "cargo-zigbuild==0.24.0", "maturin==1.16.0"];

/// Where the programs are installed: one place for every folder that a release is made in.
pub(super) fn folder() -> PathBuf {
    target().join("dist/tools")
}

/// The path of programs with those of this folder in front.
pub(super) fn path() -> OsString {
    let own = [folder().join("bin"), folder().join("python/bin")];
    let old = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(own.into_iter().chain(std::env::split_paths(&old))).unwrap_or(old)
}

/// Where the compiler and its standard library are; an empty path before they are installed.
pub(super) fn sysroot() -> PathBuf {
    let mut rustc = Command::new("rustc");
    let path = output(rustc.args(["--print", "sysroot"]).env("RUSTUP_TOOLCHAIN", RUST)).unwrap_or_default();
    path.trim().into()
}

/// The folder with the programs. Each is installed when it is first needed.
pub(super) struct Tools {
    folder: PathBuf,
}

impl Tools {
    pub(super) fn new(folder: &Path) -> Tools {
        Tools { folder: folder.to_owned() }
    }

    /// Installs programs from crates.io. They run for seconds, so they are compiled without optimisation.
    pub(super) fn cargo(&self, names: &[&str]) -> Done {
        for name in names {
            let version = CARGO.iter().find(|(known, _)| known == name).map(|(_, version)| *version);
            let version = version.ok_or_else(|| format!("{name} has no version in tools.rs"))?;
            if self.has(name, version) {
                continue;
            }
            let mut cargo = Command::new("cargo");
            cargo.args(["install", "--quiet", "--locked", "--debug", "--root"]).arg(&self.folder);
            cargo.args(["--version", version, name]).env("CARGO_TARGET_DIR", self.folder.join("build"));
            call(cargo.env("CARGO_PROFILE_DEV_DEBUG", "0").env("RUSTUP_TOOLCHAIN", RUST))?;
        }
        Ok(())
    }

    /// Whether cargo has noted that it installed this version.
    fn has(&self, name: &str, version: &str) -> bool {
        let list = std::fs::read_to_string(self.folder.join(".crates.toml")).unwrap_or_default();
        // This package has several programs, none with the name of the package.
        let program = if name == "cargo-c" { "cargo-cinstall" } else { name };
        list.contains(&format!("\"{name} {version} (")) && self.folder.join("bin").join(program).exists()
    }

    /// Installs the programs from PyPI. Returns their folder.
    pub(super) fn python(&self, more: &[&str]) -> Result<PathBuf, String> {
        python_with(&self.folder.join("python"), &[&PYTHON, more].concat())
    }

    /// Installs the compiler with the standard library of these targets.
    pub(super) fn rust(&self, targets: &[&str]) -> Done {
        let has = |target: &&&str| {
            let mut rustc = Command::new("rustc");
            rustc.args(["--print", "target-libdir", "--target", target]).env("RUSTUP_TOOLCHAIN", RUST);
            output(&mut rustc).is_ok_and(|folder| Path::new(folder.trim()).is_dir())
        };
        let missing: Vec<_> = targets.iter().filter(|target| !has(target)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let mut rustup = Command::new("rustup");
        rustup.args(["toolchain", "install", RUST, "--profile", "minimal"]);
        rustup.args(missing.iter().flat_map(|target| ["--target", target]));
        call(&mut rustup)
    }

    /// Also installs the source of the standard library, which is then compiled with the code that uses it. That makes
    /// modules of WebAssembly a tenth smaller.
    pub(super) fn rust_with_source(&self, targets: &[&str]) -> Done {
        self.rust(targets)?;
        if web::has_source(&sysroot()) {
            return Ok(());
        }
        call(Command::new("rustup").args(["component", "add", "rust-src", "--toolchain", RUST]))
    }
}
