//! Our iconv beside that of the C library, in one process: `beside speed|tables|fuzz [SEED]`. `cargo xtask iconv` runs it.

#[path = "../../tests/iconv/library.rs"]
#[allow(dead_code, reason = "tests use the rest")]
mod library;
mod speed;
mod tables;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let is_right = match args.next().as_deref() {
        Some("speed") => speed::run(),
        Some("tables") => tables::run(),
        _ => {
            eprintln!("beside speed|tables|fuzz [SEED]");
            false
        }
    };
    if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
