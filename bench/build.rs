//! Tells the report which compilers made the peers.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=CXX");
    // The one that builds simdutf: the `cc` crate looks here too.
    let cxx = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    println!("cargo:rustc-env=BENCH_CXX={}", first_line(&cxx));
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    println!("cargo:rustc-env=BENCH_RUSTC={}", first_line(&rustc));
}

fn first_line(program: &str) -> String {
    let output = Command::new(program).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.lines().next().map_or_else(|| program.to_owned(), str::to_owned)
}
