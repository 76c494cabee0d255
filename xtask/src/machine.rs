//! The library's tests on machines that are not at hand, by emulation.
//!
//! A target that rustup has installed is used as it is. Without one, Debian's own compiler does (`rustc-web`, `cargo-web`,
//! `rust-web-src`, and `libstd-rust-web-dev` of that architecture or `-Zbuild-std`).

use std::path::Path;
use std::process::Command;

use crate::record;
use crate::shell::{Done, command, output};

/// A machine to run the tests on.
struct Machine {
    name: &'static str,
    /// What is special about it.
    about: &'static str,
    /// Rust's name for it; empty for this one's.
    target: &'static str,
    /// The linker, where it is not the usual one.
    linker: &'static str,
    /// The emulator and its arguments; empty where programs run by themselves.
    runner: &'static str,
    /// The level that must be the best one there.
    level: &'static str,
}

const X86: &str = "x86_64-unknown-linux-gnu";

/// The one for which code is compiled in another way.
const ASAN: &str = "asan";

const MACHINES: [Machine; 9] = [
    Machine {
        name: "sse2",
        about: "x86-64 of 2003, without SSE4.2",
        target: X86,
        linker: "",
        runner: "qemu-x86_64 -cpu qemu64",
        level: "scalar",
    },
    Machine {
        name: "nehalem",
        about: "x86-64 with SSE4.2, without AVX",
        target: X86,
        linker: "",
        runner: "qemu-x86_64 -cpu Nehalem",
        level: "sse42",
    },
    Machine {
        name: "haswell",
        about: "x86-64 with AVX2, without AVX-512",
        target: X86,
        linker: "",
        runner: "qemu-x86_64 -cpu Haswell",
        level: "avx2",
    },
    Machine {
        name: "native",
        about: "this one, with its best level",
        target: X86,
        linker: "",
        runner: "",
        level: "",
    },
    Machine {
        name: "valgrind",
        about: "this one, without AVX-512, each access to memory checked",
        target: X86,
        linker: "",
        runner: "valgrind -q --error-exitcode=99",
        level: "avx2",
    },
    Machine {
        name: ASAN,
        about: "this one, with its best level, each access to memory checked by AddressSanitizer; a nightly compiler",
        target: X86,
        linker: "",
        runner: "",
        level: "",
    },
    Machine {
        name: "i686",
        about: "32-bit x86",
        target: "i686-unknown-linux-gnu",
        linker: "",
        runner: "",
        level: "scalar",
    },
    Machine {
        name: "aarch64",
        about: "64-bit Arm",
        target: "aarch64-unknown-linux-gnu",
        linker: "aarch64-linux-gnu-gcc",
        // No `-L`: with one, this emulator's threads can hang.
        runner: "qemu-aarch64 -cpu cortex-a57",
        level: "",
    },
    Machine {
        name: "s390x",
        about: "big-endian",
        target: "s390x-unknown-linux-gnu",
        linker: "s390x-linux-gnu-gcc",
        runner: "qemu-s390x -L /usr/s390x-linux-gnu",
        level: "scalar",
    },
];

/// What `cargo xtask machine` takes.
pub(crate) fn names() -> String {
    MACHINES.map(|machine| machine.name).join(" ")
}

/// Run the tests on the machine of that name, and record what came out.
pub(crate) fn run(name: Option<&str>) -> Done {
    let machine = MACHINES.iter().find(|machine| Some(machine.name) == name);
    let machine = machine.ok_or_else(|| format!("one of: {}", names()))?;
    if let Some(emulator) = machine.runner.split(' ').next().filter(|name| !name.is_empty()) {
        output(&mut command(&format!("{emulator} --version")))
            .map_err(|error| format!("{error}; install qemu-user"))?;
    }
    let sources = record::sources();
    let mut tests = cargo(machine)?;
    eprintln!("$ {tests:?}");
    let printed = tests.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&printed.stdout);
    if !printed.status.success() {
        eprintln!("{text}{}", String::from_utf8_lossy(&printed.stderr));
        return Err(format!("the tests fail on {}", machine.name));
    }
    let passed: u32 = text
        .lines()
        .filter_map(|line| line.strip_prefix("test result: ok. ")?.split(' ').next()?.parse::<u32>().ok())
        .sum();
    let level =
        text.lines().find_map(|line| line.strip_prefix("level of this machine: ")).unwrap_or("unknown");
    if !machine.level.is_empty() && level != machine.level {
        return Err(format!("{} runs at the level {level}, not {}", machine.name, machine.level));
    }
    let outcome = format!(
        "machine  {} ({})\nrunner   {}\nlevel    {level}\n\n{passed} tests passed, none failed\n",
        machine.target,
        machine.about,
        if machine.runner.is_empty() { "none" } else { machine.runner },
    );
    print!("{outcome}");
    record::keep(
        &format!("machine-{}", machine.name),
        &format!("cargo xtask machine {}", machine.name),
        &sources,
        &outcome,
    )
}

/// The tests of the library, for that machine.
fn cargo(machine: &Machine) -> Result<Command, String> {
    let target = machine.target;
    let installed = |sysroot: &str| Path::new(sysroot).join("lib/rustlib").join(target).join("lib").is_dir();
    let own = record::first_line("rustc --print sysroot");
    let (cargo, extra) = if installed(&own) {
        ("cargo", "")
    } else if installed("/usr") {
        ("/usr/bin/cargo", "")
    } else if Path::new("/usr/lib/rustlib/src").exists() || Path::new("/usr/src").is_dir() {
        ("/usr/bin/cargo", "-Zbuild-std")
    } else {
        return Err(format!("no standard library for {target}: rustup target add {target}"));
    };
    let (cargo, folder) = match machine.name {
        ASAN => ("cargo +nightly", "target/asan"),
        _ => (cargo, "target/machine"),
    };
    let mut command = command(&format!(
        "{cargo} test {extra} --target {target} --target-dir {folder} -p placemat --lib --tests -- --nocapture --test-threads 2"
    ));
    if machine.name == ASAN {
        command.env("RUSTFLAGS", "-Zsanitizer=address");
    } else if cargo != "cargo" {
        command.env("RUSTC", "/usr/bin/rustc").env("RUSTDOC", "/usr/bin/rustdoc").env("RUSTC_BOOTSTRAP", "1");
        command.env_remove("RUSTUP_TOOLCHAIN");
    }
    // A build that was stopped must not spoil the next.
    command.env("CARGO_INCREMENTAL", "0");
    let key = target.to_uppercase().replace('-', "_");
    if !machine.linker.is_empty() {
        command.env(format!("CARGO_TARGET_{key}_LINKER"), machine.linker);
    }
    if !machine.runner.is_empty() {
        command.env(format!("CARGO_TARGET_{key}_RUNNER"), machine.runner);
    }
    Ok(command)
}
