//! Tests the header and the library from C and C++: every program in `c/` is compiled as both, without warnings, and run.
#![cfg(unix)]

mod common;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use common::{C, CPP, compile, is_installed, root, run};

/// Compiles and runs a program of `c/`, in both languages.
fn both(name: &str, arguments: &[PathBuf]) {
    for compiler in [&C[..], &CPP[..]] {
        if is_installed(compiler[0]) {
            let program = compile(compiler, &root().join("tests/c").join(name));
            run(Command::new(program).args(arguments));
        }
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

#[cfg(feature = "text")]
#[test]
fn texts_by_chance() {
    both("texts.c", &["500".into()]);
}

#[test]
fn threads() {
    both("threads.c", &[]);
}

#[test]
fn sequences_of_calls() {
    both("sequences.c", &["3000".into()]);
}
