//! The library's tests on machines that are not at hand, by emulation.
//!
//! A target that rustup has installed is used as it is. Without one, Debian's own compiler does (`rustc-web`, `cargo-web`, and
//! `libstd-rust-web-dev` of that architecture, or `rust-web-src` to build a standard library from), with Debian's
//! `gcc-…-linux-gnu`, `libc6-dev-…-cross`, `wasi-libc`, and the emulators of `qemu-user`.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::record;
use crate::shell::{Done, command, cpu_of_children, output};

/// A machine to run the tests on.
struct Machine {
    name: &'static str,
    /// What is special about it.
    about: &'static str,
    /// Rust's name for it; empty for whatever this one's is.
    target: &'static str,
    /// The linker, where it is not the usual one.
    linker: &'static str,
    /// What the compiler is told.
    flags: &'static str,
    /// The emulator and its arguments, as seen from the library's folder; empty where programs run by themselves.
    runner: &'static str,
    /// The level that must be the best one there; empty for whichever it is.
    level: &'static str,
    /// Tests that are left out.
    skip: &'static [&'static str],
    /// What CI runs: all that takes less than two minutes here (`took` in the record), or what a level could fail.
    quick: Quick,
}

/// A part of the tests.
enum Quick {
    Nothing,
    These(&'static str),
    All,
}

/// This machine, with its best level.
const NATIVE: Machine = Machine {
    name: "native",
    about: "this one, with its best level",
    target: "",
    linker: "",
    flags: "",
    runner: "",
    level: "",
    skip: &[],
    quick: Quick::Nothing,
};

const MACHINES: [Machine; 11] = [
    Machine {
        name: "sse2",
        about: "x86-64 of 2003, without SSE4.2",
        target: X86,
        runner: "qemu-x86_64 -cpu qemu64",
        level: "scalar",
        quick: VECTORS,
        ..NATIVE
    },
    Machine {
        name: "nehalem",
        about: "x86-64 with SSE4.2, without AVX",
        target: X86,
        runner: "qemu-x86_64 -cpu Nehalem",
        level: "sse42",
        quick: VECTORS,
        ..NATIVE
    },
    Machine {
        name: "haswell",
        about: "x86-64 with AVX2, without AVX-512",
        target: X86,
        runner: "qemu-x86_64 -cpu Haswell",
        level: "avx2",
        quick: VECTORS,
        ..NATIVE
    },
    NATIVE,
    Machine {
        name: "valgrind",
        about: "this one, as far as valgrind knows it, which checks each access to memory",
        runner: "valgrind -q --error-exitcode=99",
        // Forty times slower, these would take hours; what they walk through are plain forms, without `unsafe`.
        skip: &["every_code_point", "scalar_values_come_back_from_every_form", "output_is_bounded"],
        ..NATIVE
    },
    Machine {
        name: ASAN,
        about: "this one, with a nightly compiler whose AddressSanitizer checks each access to memory",
        target: X86,
        flags: "-Zsanitizer=address",
        ..NATIVE
    },
    Machine {
        name: "i686",
        about: "32-bit x86",
        target: "i686-unknown-linux-gnu",
        linker: "i686-linux-gnu-gcc",
        // Programs of the other width bring all that they need.
        flags: "-C target-feature=+crt-static",
        level: "scalar",
        quick: Quick::All,
        ..NATIVE
    },
    Machine {
        name: "aarch64",
        about: "64-bit Arm",
        target: "aarch64-unknown-linux-gnu",
        linker: "aarch64-linux-gnu-gcc",
        // No `-L`: with one, this emulator's threads can hang.
        runner: "qemu-aarch64 -cpu cortex-a57",
        level: "neon",
        quick: Quick::These("--lib --test guard --test vectors --test this_machine"),
        ..NATIVE
    },
    Machine {
        name: "s390x",
        about: "big-endian",
        target: "s390x-unknown-linux-gnu",
        linker: "s390x-linux-gnu-gcc",
        runner: "qemu-s390x -L /usr/s390x-linux-gnu",
        level: "scalar",
        ..NATIVE
    },
    Machine {
        name: "wasm",
        about: "WebAssembly with simd128",
        target: WASM,
        flags: "-C target-feature=+simd128",
        runner: NODE,
        level: "simd128",
        ..NATIVE
    },
    Machine {
        name: "wasm-mvp",
        about: "WebAssembly without simd128",
        target: WASM,
        runner: NODE,
        level: "scalar",
        ..NATIVE
    },
];

const VECTORS: Quick = Quick::These("--test vectors --test this_machine");
const ASAN: &str = "asan";
const X86: &str = "x86_64-unknown-linux-gnu";
const WASM: &str = "wasm32-wasip1";
const NODE: &str = "node --no-warnings ../../xtask/wasm/run.mjs";

/// No test program takes longer than so many seconds; an emulator may hang.
const LIMIT: u32 = 1800;

impl Machine {
    fn target_or_host(&self) -> String {
        if self.target.is_empty() { host() } else { self.target.to_owned() }
    }
}

/// Rust's name for this machine.
fn host() -> String {
    record::first_line("rustc --print host-tuple")
}

/// What `cargo xtask machine` takes.
pub(crate) fn names() -> String {
    MACHINES.map(|machine| machine.name).join(" ")
}

/// Run the tests on the machine of that name, and record what came out.
pub(crate) fn run(name: Option<&str>) -> Done {
    let machine = MACHINES.iter().find(|machine| Some(machine.name) == name);
    let machine = machine.ok_or_else(|| format!("one of: {}", names()))?;
    let sources = record::sources(&record::LIBRARY);
    let builder = Builder::of(machine)?;
    let Outcome { passed, level, seconds, cpu } = test(machine, &builder, "")?;
    let outcome = format!(
        "machine  {} ({})\nbuilt by {}\nrunner   {}\nlevel    {level}\n\
         took     {seconds} s, {cpu} s of the CPU\n\n{passed} tests passed, none failed{}\n",
        machine.target_or_host(),
        machine.about,
        record::first_line(&format!(
            "{} --version",
            if machine.name == ASAN { "rustc +nightly" } else { builder.rustc() }
        )),
        if machine.runner.is_empty() { "none" } else { machine.runner },
        match machine.skip.is_empty() {
            true => String::new(),
            false => format!("; left out: {}", machine.skip.join(", ")),
        },
    );
    print!("{outcome}");
    record::keep(
        &format!("machine-{}", machine.name),
        &format!("cargo xtask machine {}", machine.name),
        &sources,
        &outcome,
    )
}

/// What is quick, on the machines whose tools are here.
pub(crate) fn quick() -> Done {
    for machine in &MACHINES {
        let tests = match machine.quick {
            Quick::Nothing => continue,
            Quick::These(tests) => tests,
            Quick::All => "",
        };
        match Builder::of(machine) {
            Ok(builder) => {
                let Outcome { passed, level, seconds, .. } = test(machine, &builder, tests)?;
                eprintln!("{}: {passed} tests passed at the level {level} in {seconds} s", machine.name);
            }
            Err(missing) => eprintln!("{}: left out: {missing}", machine.name),
        }
    }
    Ok(())
}

/// What came out of tests.
struct Outcome {
    passed: u32,
    /// The level of the machine.
    level: String,
    /// By the clock and of the CPU, without the building of all but the examples.
    seconds: u64,
    cpu: u64,
}

/// Run some tests, or all.
fn test(machine: &Machine, builder: &Builder, tests: &str) -> Result<Outcome, String> {
    output(&mut builder.test(machine, &format!("{tests} --no-run")))?;
    let mut cargo = builder.test(machine, tests);
    eprintln!("$ {cargo:?}");
    let (start, cpu) = (Instant::now(), cpu_of_children());
    let printed = cargo.output().map_err(|error| error.to_string())?;
    let (seconds, cpu) = (start.elapsed().as_secs(), (cpu_of_children() - cpu) / 100);
    let text = String::from_utf8_lossy(&printed.stdout);
    if !printed.status.success() {
        eprintln!("{text}{}", String::from_utf8_lossy(&printed.stderr));
        return Err(format!("the tests fail on {}", machine.name));
    }
    let passed = text
        .lines()
        .filter_map(|line| line.strip_prefix("test result: ok. ")?.split(' ').next()?.parse::<u32>().ok())
        .sum();
    let level =
        text.lines().find_map(|line| line.strip_prefix("level of this machine: ")).unwrap_or("unknown");
    if !machine.level.is_empty() && level != machine.level {
        return Err(format!("{} runs at the level {level}, not {}", machine.name, machine.level));
    }
    Ok(Outcome { passed, level: level.to_owned(), seconds, cpu })
}

/// Which compiler can build for a machine.
enum Builder {
    /// The one that builds everything else.
    Own,
    /// Debian's, with a standard library from a package.
    Debian,
    /// Debian's, which builds the standard library too.
    DebianFromSource,
}

impl Builder {
    /// Where the compiler, the linker and the emulator are all here.
    fn of(machine: &Machine) -> Result<Builder, String> {
        for tool in [machine.linker, machine.runner.split(' ').next().unwrap_or_default()] {
            if !tool.is_empty() {
                output(&mut command(&format!("{tool} --version")))?;
            }
        }
        let target = machine.target_or_host();
        let installed =
            |sysroot: &str| Path::new(sysroot).join("lib/rustlib").join(&target).join("lib").is_dir();
        if installed(&record::first_line("rustc --print sysroot")) {
            Ok(Builder::Own)
        } else if installed("/usr") {
            Ok(Builder::Debian)
        } else if Path::new("/usr/lib/rustlib/src").exists() && Path::new("/usr/bin/cargo").exists() {
            Ok(Builder::DebianFromSource)
        } else {
            Err(format!("no standard library for {target}: rustup target add {target}"))
        }
    }

    fn rustc(&self) -> &'static str {
        if let Builder::Own = self { "rustc" } else { "/usr/bin/rustc" }
    }

    /// The tests of the library, for a machine.
    fn test(&self, machine: &Machine, tests: &str) -> Command {
        let target = machine.target_or_host();
        let mut flags = machine.flags.to_owned();
        let (cargo, std) = match self {
            Builder::Own if machine.name == ASAN => ("cargo +nightly", "--lib --tests"),
            Builder::Own => ("cargo", ""),
            Builder::Debian => ("/usr/bin/cargo", ""),
            Builder::DebianFromSource if target == WASM => {
                flags.push_str(&from_wasi_libc());
                ("/usr/bin/cargo", "-Zbuild-std=std,panic_abort")
            }
            Builder::DebianFromSource => ("/usr/bin/cargo", "-Zbuild-std"),
        };
        // Programs for this machine are those that its own tests have built already.
        let place = match target == host() {
            true if machine.name == ASAN => format!("--target {target} --target-dir target/asan"),
            true => String::new(),
            false => format!("--target {target} --target-dir target/machine"),
        };
        let skip: String = machine.skip.iter().map(|test| format!(" --skip {test}")).collect();
        let mut command = command(&format!(
            "{cargo} test {std} {place} -p placemat {tests} -- --nocapture --test-threads 2{skip}"
        ));
        if !cargo.starts_with("cargo") {
            let rustc = self.rustc();
            command.env("RUSTC", rustc).env("RUSTDOC", "/usr/bin/rustdoc").env("RUSTC_BOOTSTRAP", "1");
            command.env_remove("RUSTUP_TOOLCHAIN");
        }
        let key = format!("CARGO_TARGET_{}", target.to_uppercase().replace('-', "_"));
        if !flags.is_empty() {
            // The second for the examples.
            command.env(format!("{key}_RUSTFLAGS"), &flags).env(format!("{key}_RUSTDOCFLAGS"), flags);
        }
        if !machine.linker.is_empty() {
            command.env(format!("{key}_LINKER"), machine.linker);
        }
        if !machine.runner.is_empty() {
            command.env(format!("{key}_RUNNER"), format!("timeout {LIMIT} {}", machine.runner));
        }
        command
    }
}

/// What makes a WASI program with Debian's `wasi-libc` and the linker that rustup brings. Threads, which that C library does not
/// have, are not started.
fn from_wasi_libc() -> String {
    const LIBC: &str = "/usr/lib/wasm32-wasi";
    let own = record::first_line("rustc --print sysroot");
    format!(
        " -C linker={own}/lib/rustlib/{}/bin/rust-lld -C link-self-contained=no -L native={LIBC} \
         -C link-arg={LIBC}/crt1-command.o -C link-arg=--unresolved-symbols=ignore-all",
        host()
    )
}
