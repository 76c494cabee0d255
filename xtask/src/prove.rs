//! Runs the proofs of the tables and of the arithmetic with z3 from a virtual environment.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::record::first_line;
use crate::shell::{Done, output, python_with, root};

/// The solver, as a requirement for pip.
const SOLVER: &str = "z3-solver==5.4.0.0";
const PROOFS: [&str; 2] = ["validator", "conversion"];

pub(crate) fn run() -> Done {
    prove(&solver()?)
}

/// Like [`run`], but without Python or the solver says so and goes on.
pub(crate) fn where_possible() -> Done {
    match solver() {
        Ok(python) => prove(&python),
        Err(missing) => {
            eprintln!("the proofs are left out: {missing}");
            Ok(())
        }
    }
}

/// A Python that has the solver.
fn solver() -> Result<PathBuf, String> {
    Ok(python_with(&root().join("target/prove"), &[SOLVER])?.join("python"))
}

fn prove(python: &Path) -> Done {
    for proof in PROOFS {
        let script = root().join("proof").join(proof).with_extension("py");
        let proved = output(Command::new(python).arg(&script))?;
        eprintln!("proof/{proof}.py: {} claims, all proved", proved.lines().count());
        keep(&script.with_extension("txt"), proof, &proved)?;
    }
    Ok(())
}

/// Writes the proved claims beside the proof. If they are the same as before, the file and its date stay.
fn keep(path: &Path, proof: &str, proved: &str) -> Done {
    let before = fs::read_to_string(path).unwrap_or_default();
    if before.split_once('\n').is_some_and(|(_, before)| before == proved) {
        return Ok(());
    }
    let date = first_line("date -u +%F");
    let text = format!("$ python3 proof/{proof}.py   # {SOLVER}, {date}\n{proved}");
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
