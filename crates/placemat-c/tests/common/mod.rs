//! Compiles programs in C and C++ with the library that cargo has just built.
#![allow(dead_code, unreachable_pub, reason = "each suite uses a part")]

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The compilers and their options, which are as strict as possible.
pub const C: [&str; 6] = ["cc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wc++-compat"];
pub const CPP: [&str; 7] = ["c++", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-x", "c++"];

/// The system libraries that the static library needs.
#[cfg(target_os = "linux")]
pub const SYSTEM: [&str; 4] = ["-lpthread", "-ldl", "-lm", "-lgcc_s"];
#[cfg(not(target_os = "linux"))]
pub const SYSTEM: [&str; 2] = ["-lpthread", "-lm"];

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder with the library under test.
pub fn built(file: &str) -> PathBuf {
    env::current_exe().unwrap().parent().unwrap().join(file)
}

/// Runs a command, which must succeed. Returns its output.
pub fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{command:?}: {}\n{said}", output.status);
    said
}

/// Compiles a source with one of the compilers, and links the static library.
pub fn compile(compiler: &[&str], source: &Path) -> PathBuf {
    let stem = source.file_stem().unwrap().to_str().unwrap();
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{stem}-{}", compiler[0]));
    let mut command = Command::new(compiler[0]);
    command.args(&compiler[1..]).args(["-Werror", "-g", "-I"]).arg(root().join("include")).arg(source);
    // The library is not C++, whatever the language of the source is.
    command.args(["-x", "none"]).arg(built("libplacemat_c.a")).args(SYSTEM).arg("-o").arg(&program);
    run(&mut command);
    program
}

/// Whether a program is installed; if not, the test prints that.
pub fn is_installed(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok();
    if !found {
        println!("not run: there is no {program}");
    }
    found
}
