//! The proofs of the tables and of the arithmetic, run with z3 from a virtual environment.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::record::first_line;
use crate::shell::{Done, call, output, root};

/// The solver, as pip names it.
const SOLVER: &str = "z3-solver==5.4.0.0";
const PROOFS: [&str; 2] = ["validator", "conversion"];

pub(crate) fn run() -> Done {
    let python = solver(&root().join("target/prove"))?;
    for proof in PROOFS {
        let script = root().join("proof").join(proof).with_extension("py");
        let proved = output(Command::new(&python).arg(&script))?;
        eprintln!("proof/{proof}.py: {} claims, all proved", proved.lines().count());
        keep(&script.with_extension("txt"), proof, &proved)?;
    }
    Ok(())
}

/// A Python that has the solver.
fn solver(venv: &Path) -> Result<PathBuf, String> {
    if !venv.exists() {
        call(Command::new("python3").args(["-m", "venv"]).arg(venv))?;
    }
    let python = venv.join("bin/python");
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", SOLVER];
    call(Command::new(&python).args(pip))?;
    Ok(python)
}

/// Keep what was proved beside the proof; the same as before keeps its date.
fn keep(path: &Path, proof: &str, proved: &str) -> Done {
    let before = fs::read_to_string(path).unwrap_or_default();
    if before.split_once('\n').is_some_and(|(_, before)| before == proved) {
        return Ok(());
    }
    let date = first_line("date -u +%F");
    let text = format!("$ python3 proof/{proof}.py   # {SOLVER}, {date}\n{proved}");
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
