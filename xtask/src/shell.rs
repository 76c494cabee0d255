//! Runs other programs from the root of the project.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The number of seconds from which on the duration of a program is printed.
const SLOW: u64 = 10;

/// The outcome of a task; the error is a message for the terminal.
pub(crate) type Done = Result<(), String>;

/// The root of the project.
pub(crate) fn root() -> PathBuf {
    let mut root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.pop();
    root
}

/// The folder that cargo builds into, also if CARGO_TARGET_DIR sets another. It is found from the path of this program.
pub(crate) fn target() -> PathBuf {
    let own = std::env::current_exe().unwrap_or_default();
    own.ancestors().nth(2).map_or_else(|| root().join("target"), Path::to_path_buf)
}

/// The path of the command in the folder of a profile: `debug` or `release`.
pub(crate) fn placemat(profile: &str) -> PathBuf {
    target().join(profile).join("placemat")
}

/// A command line, split at white space, to run in the root. `placemat` is the one that was built here without optimisation.
pub(crate) fn command(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let mut command = match words.next().unwrap_or("true") {
        "placemat" => Command::new(placemat("debug")),
        other => Command::new(other),
    };
    command.args(words).current_dir(root());
    command
}

/// Prints `command`, runs it, and prints how long it took if that is long.
pub(crate) fn call(command: &mut Command) -> Done {
    let words: Vec<_> = std::iter::once(command.get_program()).chain(command.get_args()).collect();
    let line = words.join(" ".as_ref()).to_string_lossy().into_owned();
    eprintln!("$ {line}");
    let start = Instant::now();
    match command.status() {
        Ok(status) if status.success() => {
            let seconds = start.elapsed().as_secs();
            if seconds >= SLOW {
                eprintln!("took {seconds} s: {line}");
            }
            Ok(())
        }
        Ok(status) => Err(format!("failed ({status}): {line}")),
        Err(error) => Err(format!("cannot run {line}: {error}")),
    }
}

/// Runs `command` and returns what it prints.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let said = [output.stdout, output.stderr].concat();
        Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&said)))
    }
}

/// Makes a virtual environment at `venv` with these Python packages. Returns its folder of programs.
pub(crate) fn python_with(venv: &Path, packages: &[&str]) -> Result<PathBuf, String> {
    if !venv.exists() {
        call(Command::new("python3").args(["-m", "venv"]).arg(venv))?;
    }
    let bin = venv.join("bin");
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    call(Command::new(bin.join("python")).args(pip).args(packages))?;
    Ok(bin)
}

/// The package of PyPI that [`compress_again`] needs.
pub(crate) const ZOPFLI: &str = "zopflipy==1.14";

/// Compresses the members of zip files again, as small as deflate can be. `bin` is a virtual environment with [`ZOPFLI`].
pub(crate) fn compress_again(bin: &Path, zips: &[PathBuf]) -> Done {
    call(Command::new(bin.join("python")).arg(root().join("xtask/rezip.py")).args(zips))
}

/// The CPU time of all child processes that have ended, in hundredths of a second.
pub(crate) fn cpu_of_children() -> u64 {
    times("self").map_or(0, |[_, children]| children)
}

/// The CPU time so far of a running process, in hundredths of a second.
pub(crate) fn cpu_of(id: u32) -> Option<u64> {
    // A process that has ended but was not waited for reports 0.
    times(&id.to_string()).map(|[own, _]| own).filter(|own| *own > 0)
}

/// The CPU time of a process, and that of its children that have ended.
fn times(id: &str) -> Option<[u64; 2]> {
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name may contain anything, so read after its last `)`: fields 11 to 14 are utime, stime, cutime, cstime.
    let (_, fields) = stat.rsplit_once(") ")?;
    let times: Vec<u64> = fields.split(' ').skip(11).take(4).filter_map(|field| field.parse().ok()).collect();
    Some([times.get(..2)?.iter().sum(), times.get(2..4)?.iter().sum()])
}
