//! Tests an installed libplacemat, as authors of C programs use it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{is_installed, versioned};
use crate::shell::{Done, call, output, root, target};

const CMAKE: &str = "\
cmake_minimum_required(VERSION 3.16)
project(programs C CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(placemat 0.1 REQUIRED)
add_executable(to-utf8 to-utf8.c)
target_link_libraries(to-utf8 PRIVATE placemat::placemat)
add_executable(mend mend.cpp)
target_link_libraries(mend PRIVATE placemat::static)
";

pub(super) fn run() -> Done {
    let cargo = Command::new("cargo").args(["cinstall", "--version"]).output();
    if !cargo.is_ok_and(|output| output.status.success()) {
        return Err("there is no cargo-c: cargo install cargo-c".to_owned());
    }
    let folder = target().join("c/installed");
    let _ = fs::remove_dir_all(&folder);
    let prefix = folder.join("usr");
    let mut install = Command::new("cargo");
    install.args(["cinstall", "--release", "--libdir=lib", "--prefix"]).arg(&prefix);
    call(install.arg("--target-dir").arg(target().join("c")).current_dir(root().join("crates/placemat-c")))?;
    versioned::link("cc".as_ref(), &prefix.join("lib"), &root().join("crates/placemat-c"))?;
    let programs = programs(&folder)?;
    if is_installed("pkg-config", "the way by pkg-config") {
        with_pkg_config(&prefix, &programs, &[])?;
        // As if only the static library were there.
        let shared = prefix.join("lib/libplacemat.so");
        fs::rename(&shared, folder.join("aside")).map_err(|error| error.to_string())?;
        let done = with_pkg_config(&prefix, &programs, &["--static"]);
        fs::rename(folder.join("aside"), shared).map_err(|error| error.to_string())?;
        done?;
    }
    if is_installed("cmake", "the way by CMake") {
        let built = folder.join("cmake");
        let mut cmake = Command::new("cmake");
        cmake
            .arg("-S")
            .arg(&programs)
            .arg("-B")
            .arg(&built)
            .arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()));
        output(&mut cmake)?;
        output(Command::new("cmake").arg("--build").arg(&built))?;
        for name in ["to-utf8", "mend"] {
            runs(&mut Command::new(built.join(name)), &prefix)?;
        }
    }
    Ok(())
}

/// The README's programs in a folder, with a project for CMake.
fn programs(folder: &Path) -> Result<PathBuf, String> {
    let page =
        fs::read_to_string(root().join("crates/placemat-c/README.md")).map_err(|error| error.to_string())?;
    let programs = folder.join("programs");
    fs::create_dir_all(&programs).map_err(|error| error.to_string())?;
    for part in page.split("<!-- program ").skip(1) {
        let code = part.split_once(" -->").and_then(|(name, rest)| Some((name, rest.split("```").nth(1)?)));
        let (name, code) = code.ok_or("the README has a program without code")?;
        let (_, code) = code.split_once('\n').unwrap_or_default();
        fs::write(programs.join(name), code).map_err(|error| error.to_string())?;
    }
    fs::write(programs.join("CMakeLists.txt"), CMAKE).map_err(|error| error.to_string())?;
    Ok(programs)
}

/// Builds the program in C with the flags that pkg-config gives, and runs it.
fn with_pkg_config(prefix: &Path, programs: &Path, flags: &[&str]) -> Done {
    let mut pkg_config = Command::new("pkg-config");
    pkg_config
        .args(["--cflags", "--libs"])
        .args(flags)
        .arg("placemat")
        .env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"));
    let said = output(&mut pkg_config)?;
    let program = programs.join("to-utf8");
    let mut cc = Command::new("cc");
    call(
        cc.args(["-std=c11", "to-utf8.c"])
            .args(said.split_whitespace())
            .arg("-o")
            .arg(&program)
            .current_dir(programs),
    )?;
    runs(&mut Command::new(program), prefix)
}

/// Runs a program on empty input, in which it finds no fault.
fn runs(program: &mut Command, prefix: &Path) -> Done {
    call(program.env("LD_LIBRARY_PATH", prefix.join("lib")).stdin(std::process::Stdio::null()))
}
