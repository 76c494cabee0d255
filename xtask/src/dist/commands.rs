//! Archives of the command: static binaries with man pages, completions and licences.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::place::{Place, copy, create, sweep, write};
use super::tools::Tools;
use crate::shell::{Done, call, output};

/// A CPU for which binaries are made, with its target triples.
pub(super) struct Cpu {
    pub(super) musl: &'static str,
    pub(super) gnu: &'static str,
    /// The emulator that runs its programs on x86-64 if the kernel does not start it.
    pub(super) emulator: Option<&'static str>,
}

pub(super) const CPUS: [Cpu; 2] = [
    Cpu { musl: "x86_64-unknown-linux-musl", gnu: "x86_64-unknown-linux-gnu", emulator: None },
    Cpu {
        musl: "aarch64-unknown-linux-musl",
        gnu: "aarch64-unknown-linux-gnu",
        emulator: Some("qemu-aarch64"),
    },
];

/// The shells, and the name of each one's completion script.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "placemat.bash"),
    ("elvish", "placemat.elv"),
    ("fish", "placemat.fish"),
    ("powershell", "_placemat.ps1"),
    ("zsh", "_placemat"),
];

impl Cpu {
    /// The command that was built for this CPU.
    pub(super) fn binary(&self, place: &Place) -> PathBuf {
        place.build.join(self.musl).join("dist/placemat")
    }

    /// The command that was built for this CPU, to be run here.
    pub(super) fn run(&self, place: &Place) -> Command {
        let binary = self.binary(place);
        match self.emulator {
            Some(emulator) => {
                let mut command = Command::new(emulator);
                command.arg(binary);
                command
            }
            None => Command::new(binary),
        }
    }
}

/// Builds the command for each CPU and packs it.
pub(super) fn make(place: &Place, tools: &Tools) -> Done {
    tools.python(&[])?;
    tools.cargo(&["cargo-auditable"])?;
    tools.rust(&CPUS.each_ref().map(|cpu| cpu.musl))?;
    for cpu in &CPUS {
        // `cargo auditable` notes in the binary what it was made of; zig compiles and links the C code.
        let mut cargo = place.command("cargo-auditable");
        cargo.args([
            "auditable",
            "zigbuild",
            "--quiet",
            "--profile",
            "dist",
            "--locked",
            "-p",
            "placemat-cli",
        ]);
        // The path is relative, so that it is the same in every folder: names of symbols depend on it.
        place.compile_with(&mut cargo, "link-arg=-Wl,-T,xtask/src/dist/no-unwind.ld");
        call(cargo.args(["--target", cpu.musl]))?;
    }
    describe(place)?;
    sweep(&place.out, |name| name.starts_with("placemat-") && name.contains("-linux-musl.tar"))?;
    CPUS.iter().try_for_each(|cpu| pack(place, cpu))
}

/// Writes the man pages and completions, which the command prints itself.
fn describe(place: &Place) -> Done {
    let man = place.assets.join("man");
    let _ = fs::remove_dir_all(&man);
    create(&man)?;
    call(CPUS[0].run(place).args(["man", "--dir"]).arg(&man))?;
    for (shell, name) in SHELLS {
        let script = output(CPUS[0].run(place).args(["completions", shell]))?;
        write(&place.assets.join("completions").join(name), script)?;
    }
    Ok(())
}

/// Packs the command of a CPU with all that belongs to it.
fn pack(place: &Place, cpu: &Cpu) -> Done {
    let name = format!("placemat-{}-{}", place.version, cpu.musl);
    let parent = place.root.join("pack");
    let folder = parent.join(&name);
    let _ = fs::remove_dir_all(&folder);
    create(&folder)?;
    copy(&cpu.binary(place), &folder)?;
    for document in ["README.md", "CHANGELOG.md", "GUIDE.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&place.source.join(document), &folder)?;
    }
    for licences in ["THIRD-PARTY.txt", "COPYRIGHT-rust-std.html"] {
        copy(&place.assets.join(licences), &folder)?;
    }
    for (from, to) in [("man", "man/man1"), ("completions", "completions")] {
        let (from, to) = (place.assets.join(from), folder.join(to));
        create(&to)?;
        super::place::files(&from)?.iter().try_for_each(|file| copy(&from.join(file), &to))?;
    }
    place.pack(&parent, &name)
}
