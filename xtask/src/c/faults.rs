//! Runs the C programs of the tests with checks for memory errors, and on a library that cannot unwind.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::is_installed;
use crate::shell::{Done, call, command, root, target};

/// The programs and their arguments.
const PROGRAMS: [(&str, Given); 6] = [
    ("misuse", Given::Nothing),
    ("text", Given::Nothing),
    ("threads", Given::Nothing),
    ("vectors", Given::Vectors),
    ("sequences", Given::Rounds(1)),
    ("texts", Given::Rounds(20)),
];

/// The arguments of a program.
#[derive(Clone, Copy)]
enum Given {
    Nothing,
    Vectors,
    /// The number of rounds: that of the way, divided by this.
    Rounds(u32),
}

/// A way to compile and to run.
struct Way {
    name: &'static str,
    /// The panic strategy of the library.
    panic: &'static str,
    flags: &'static [&'static str],
    runner: &'static [&'static str],
    /// Rounds of random tests.
    rounds: u32,
}

const WAYS: [Way; 3] = [
    Way { name: "abort", panic: "abort", flags: &["-O1"], runner: &[], rounds: 300_000 },
    Way {
        name: "sanitizers",
        panic: "unwind",
        flags: &["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
        runner: &[],
        rounds: 100_000,
    },
    Way {
        name: "valgrind",
        panic: "unwind",
        flags: &["-O1"],
        runner: &["valgrind", "--quiet", "--error-exitcode=9", "--leak-check=full"],
        rounds: 3_000,
    },
];

pub(super) fn run() -> Done {
    if !is_installed("cc", "the programs in C") {
        return Ok(());
    }
    for way in &WAYS {
        if way.runner.first().is_none_or(|runner| is_installed(runner, way.name)) {
            let library = library(way.panic)?;
            PROGRAMS.iter().try_for_each(|program| way.run(*program, &library))?;
        }
    }
    Ok(())
}

/// Builds the static library with this panic strategy.
fn library(panic: &str) -> Result<PathBuf, String> {
    const OPTIMISED: &str = "--config profile.dev.opt-level=1";
    if panic == "unwind" {
        // The whole workspace, because `cargo test` uses the same build later.
        call(&mut command(&format!("cargo build --quiet --workspace --lib --bins --tests {OPTIMISED}")))?;
        return Ok(target().join("debug/libplacemat_c.a"));
    }
    let folder = target().join("c").join(panic);
    let line = format!(
        "cargo rustc --quiet -p placemat-c --lib --crate-type staticlib --config profile.dev.panic=\"{panic}\" {OPTIMISED}"
    );
    call(command(&line).env("CARGO_TARGET_DIR", &folder))?;
    Ok(folder.join("debug/libplacemat_c.a"))
}

impl Way {
    /// Compiles a program, and runs it.
    fn run(&self, (program, given): (&str, Given), library: &Path) -> Done {
        let source = root().join("crates/placemat-c");
        let built = target().join("c").join(format!("{program}-{}", self.name));
        let mut cc = Command::new("cc");
        cc.args(["-std=c11", "-g"]).args(self.flags).arg("-I").arg(source.join("include"));
        cc.arg(source.join("tests/c").join(program).with_extension("c")).arg(library);
        call(cc.args(["-lpthread", "-ldl", "-lm", "-lgcc_s", "-o"]).arg(&built))?;
        let mut run = match self.runner {
            [] => Command::new(&built),
            [runner, arguments @ ..] => {
                let mut run = Command::new(runner);
                run.args(arguments).arg(&built);
                run
            }
        };
        match given {
            Given::Nothing => &mut run,
            Given::Vectors => run.args(vectors()?),
            Given::Rounds(part) => run.arg((self.rounds / part).to_string()),
        };
        call(&mut run)
    }
}

/// The vector files about forms, and the one about policies.
fn vectors() -> Result<Vec<PathBuf>, String> {
    let folder = root().join("crates/placemat/tests/vectors");
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    let is_of_forms = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap_or_default();
        path.ends_with("error_policies.txt")
            || text
                .lines()
                .find(|line| !line.is_empty() && !line.starts_with('#'))
                .is_some_and(|line| line.starts_with("form "))
    };
    Ok(entries.flatten().map(|entry| entry.path()).filter(is_of_forms).collect())
}
