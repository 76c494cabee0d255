//! `cargo xtask machine`: runs the library's tests on other machines, by emulation.
//!
//! A target that rustup has installed is used. Without one, Debian's compiler is used: `rustc-web`, `cargo-web`, and either
//! `libstd-rust-web-dev` of that architecture or `rust-web-src`, from which the standard library is built. Linkers, C libraries and
//! emulators are Debian's `gcc-…-linux-gnu`, `libc6-dev-…-cross`, `wasi-libc` and `qemu-user`.

mod machines;

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use self::machines::{ASAN, MACHINES, Machine, Quick, WASM};
use crate::record;
use crate::shell::{Done, command, cpu_of_children, output};

/// Seconds after which a test program is stopped: an emulator may hang.
const LIMIT: u32 = 1800;

impl Machine {
    fn target_or_host(&self) -> String {
        if self.target.is_empty() { host() } else { self.target.to_owned() }
    }
}

/// The target triple of the host.
fn host() -> String {
    record::first_line("rustc --print host-tuple")
}

/// The names that `cargo xtask machine` accepts.
pub(crate) fn names() -> String {
    MACHINES.map(|machine| machine.name).join(" ")
}

/// Runs all tests on the machine of that name and records the outcome.
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

/// Runs the quick tests of each machine whose tools are installed.
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

/// The outcome of a test run.
struct Outcome {
    passed: u32,
    /// The CPU level that was chosen.
    level: String,
    /// Wall-clock and CPU seconds, without compilation except that of the documentation's examples.
    seconds: u64,
    cpu: u64,
}

/// Runs tests, selected by arguments of `cargo test`; an empty string means all.
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

/// The compiler that builds for a machine.
enum Builder {
    /// The default toolchain.
    Own,
    /// Debian's compiler, with a packaged standard library.
    Debian,
    /// Debian's compiler, which also compiles the standard library.
    DebianFromSource,
}

impl Builder {
    /// Finds a compiler; an error says which tool is missing.
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

    /// The command that runs tests of the library on a machine.
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
        // Without `--target` the programs that `cargo test` has built already are used.
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
            // RUSTDOCFLAGS for the examples in the documentation.
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

/// Flags to link a WASI program with Debian's `wasi-libc` and rustup's linker. Unresolved symbols are ignored: they are those of
/// threads, which this C library does not have and the tests do not start.
fn from_wasi_libc() -> String {
    const LIBC: &str = "/usr/lib/wasm32-wasi";
    let own = record::first_line("rustc --print sysroot");
    format!(
        " -C linker={own}/lib/rustlib/{}/bin/rust-lld -C link-self-contained=no -L native={LIBC} \
         -C link-arg={LIBC}/crt1-command.o -C link-arg=--unresolved-symbols=ignore-all",
        host()
    )
}
