//! Compares `libplacemat_iconv.so` with the C library's iconv: in one process, and inside programs from Debian.

mod cases;
mod gettext;
mod git;
mod programs;
mod source;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::shell::{Done, call, command, target};

const USAGE: &str = "\
cargo xtask iconv TASK

  programs    programs from Debian convert with the C library's iconv and with ours: the same bytes; installs them with apt-get
  gettext     gettext's own test scripts, from Debian's source package, under the preload
  git         git's own test scripts for encodings, likewise
  speed [OF]  how many times as fast as the C library's iconv; OF an encoding, or a pair as FROM:TO
  tables      every sequence and every character of each encoding, beside the C library's
  charmaps    the tables of glibc's source package, beside what is read and written here
  fuzz [SEED] random calls, beside the C library's; --valgrind: fewer of them, under valgrind; --asan: with AddressSanitizer (nightly)
  icu         random calls, beside ICU's";

pub(crate) fn run(mut args: impl Iterator<Item = String>) -> Done {
    match args.next().as_deref() {
        Some("programs") => programs::run(&library()?),
        Some("gettext") => gettext::run(&library()?),
        Some("git") => git::run(&library()?),
        Some("charmaps") => source::charmaps(&mut beside()?),
        Some(task @ ("speed" | "tables" | "icu")) => call(beside()?.arg(task).args(args)),
        Some("fuzz") => fuzz(args.next().as_deref()),
        _ => Err(USAGE.to_owned()),
    }
}

/// glibc's loader compares strings by words of eight bytes when it loads its own modules.
const LOADER: &str = "{\n  loader\n  Memcheck:Addr8\n  fun:strncmp\n  fun:is_dst\n  ...\n}\n";

/// Builds the library. Returns its path.
fn library() -> Result<PathBuf, String> {
    call(&mut command("cargo build --quiet --release -p placemat-iconv --lib --examples"))?;
    Ok(target().join("release/libplacemat_iconv.so"))
}

/// Builds the program that has both libraries in one process.
fn beside() -> Result<Command, String> {
    library()?;
    Ok(Command::new(target().join("release/examples/beside")))
}

/// Runs the tests and the random calls with AddressSanitizer in the library and in the program.
fn asan() -> Done {
    const TARGET: &str = "x86_64-unknown-linux-gnu";
    let folder = target().join("iconv-asan");
    let with = |line: String| {
        let mut cargo = command(&line);
        // The library is loaded by the program, whose sanitizer it uses.
        cargo.env("RUSTFLAGS", "-Zsanitizer=address -Clink-arg=-rdynamic").env("CARGO_TARGET_DIR", &folder);
        // Memory that the library keeps until the end of the process is no leak.
        cargo.env("ASAN_OPTIONS", "detect_leaks=0").env("PLACEMAT_ICONV", "glibc");
        cargo
    };
    call(&mut with(format!(
        "cargo +nightly build --quiet -p placemat-iconv --lib --examples --target {TARGET}"
    )))?;
    let beside = folder.join(TARGET).join("debug/examples/beside");
    for args in ["fuzz 11 6000", "icu 11 6000"] {
        call(&mut with(format!("{} {args}", beside.display())))?;
    }
    let mut tests = with(format!("cargo +nightly test --quiet -p placemat-iconv --target {TARGET}"));
    // The program in C of one test is not compiled for it.
    call(tests.args(["--", "--skip", "page"]).env_remove("PLACEMAT_ICONV"))
}

fn fuzz(seed: Option<&str>) -> Done {
    if seed == Some("--asan") {
        return asan();
    }
    let beside = beside()?;
    let mut run = match seed {
        Some("--valgrind") => {
            let mut run = Command::new("valgrind");
            let path = target().join("valgrind.supp");
            fs::write(&path, LOADER).map_err(|error| error.to_string())?;
            run.args(["--quiet", "--error-exitcode=9", "--leak-check=no"]);
            run.arg(format!("--suppressions={}", path.display()));
            run.arg(beside.get_program()).args(["fuzz", "7", "400"]);
            run
        }
        seed => {
            let mut run = beside;
            run.args(["fuzz", seed.unwrap_or("1"), "100000"]);
            run
        }
    };
    // Only with this setting must the results be the same.
    call(run.env("PLACEMAT_ICONV", "glibc"))
}
