//! The header and the library, from C and from C++: every program in `c/` compiled by both, without a warning, and run.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// How the compilers are called: as strict as they can be.
const C: [&str; 6] = ["cc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wc++-compat"];
const CPP: [&str; 7] = ["c++", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-x", "c++"];

/// What the static library needs of the system.
const SYSTEM: [&str; 4] = ["-lpthread", "-ldl", "-lm", "-lgcc_s"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where cargo has put the library that these tests are of.
fn built(file: &str) -> PathBuf {
    env::current_exe().unwrap().parent().unwrap().join(file)
}

/// Run a command; what it printed, and that it succeeded.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{command:?}: {}\n{said}", output.status);
    said
}

/// Compile a source with one of the compilers, and link the static library.
fn compile(compiler: &[&str], source: &Path) -> PathBuf {
    let stem = source.file_stem().unwrap().to_str().unwrap();
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{stem}-{}", compiler[0]));
    let mut command = Command::new(compiler[0]);
    command.args(&compiler[1..]).args(["-Werror", "-g", "-I"]).arg(root().join("include")).arg(source);
    // The library is no C++, whatever the language of the source is.
    command.args(["-x", "none"]).arg(built("libplacemat_c.a")).args(SYSTEM).arg("-o").arg(&program);
    run(&mut command);
    program
}

/// Compile and run a program of `c/`, in both languages.
fn both(name: &str, arguments: &[PathBuf]) {
    for compiler in [&C[..], &CPP[..]] {
        if Command::new(compiler[0]).arg("--version").output().is_err() {
            println!("not run: there is no {}", compiler[0]);
            continue;
        }
        let program = compile(compiler, &root().join("tests/c").join(name));
        run(Command::new(program).args(arguments));
    }
}

#[test]
fn vectors() {
    let folder = root().join("../placemat/tests/vectors");
    let all = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let of_forms = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap_or_default();
        let first = text.lines().find(|line| !line.is_empty() && !line.starts_with('#'));
        path.ends_with("error_policies.txt") || first.is_some_and(|line| line.starts_with("form "))
    };
    let files: Vec<_> = all.filter(of_forms).collect();
    assert!(files.len() > 10, "{files:?}");
    both("vectors.c", &files);
}

#[test]
fn promises_and_misuse() {
    both("misuse.c", &[]);
}

#[cfg(feature = "text")]
#[test]
fn what_allocates() {
    both("text.c", &[]);
}

#[test]
fn threads() {
    both("threads.c", &[]);
}

#[test]
fn sequences_of_calls() {
    both("sequences.c", &["3000".into()]);
}
