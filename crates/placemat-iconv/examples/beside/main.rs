//! Compares our iconv with that of the C library in one process: `beside speed [ENCODING|FROM:TO]|tables|charmaps
//! FOLDER|icu|fuzz [SEED [SEQUENCES]]`. `cargo xtask iconv` runs it.

mod charmaps;
mod fuzz;
mod guarded;
mod icu;
#[path = "../../tests/iconv/library.rs"]
#[allow(dead_code, reason = "tests use the rest")]
mod library;
mod speed;
mod tables;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let is_right = match args.next().as_deref() {
        Some("speed") => speed::run(args.next().as_deref()),
        Some("tables") => tables::run(),
        Some("charmaps") => charmaps::run(),
        Some("icu") => icu::run(),
        Some("fuzz") => {
            let mut number = |other| args.next().and_then(|number| number.parse().ok()).unwrap_or(other);
            let seed = number(1);
            fuzz::run(seed, number(20_000) as usize)
        }
        _ => {
            eprintln!("beside speed [ENCODING|FROM:TO]|tables|charmaps FOLDER|icu|fuzz [SEED [SEQUENCES]]");
            false
        }
    };
    if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
