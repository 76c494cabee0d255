//! `cargo xtask release crash`: checks that nothing is lost, whatever happens while a file is being written.
//!
//! Each trial makes something go wrong while the command runs, and checks what is left of the files.

mod forged;
mod full;
mod killed;
mod odd;
mod others;
mod stage;
mod writer;

use std::fs;
use std::path::PathBuf;

use self::stage::Stage;
use crate::record;
use crate::shell::{Done, call, command, placemat, root};

/// The outcome of a trial: a line for the record; the error says what was lost.
type Seen = Result<String, String>;

/// How much is tried.
#[derive(Clone, Copy)]
struct Effort {
    /// The number of kills of each command, and of rounds of other trials that depend on chance.
    rounds: u32,
    /// Whether trials that take minutes are run.
    is_long: bool,
}

type Trial = fn(&Stage, Effort) -> Seen;

const TRIALS: [(&str, Trial); 19] = [
    ("convert --in-place, killed", killed::convert),
    ("convert --in-place=.bak, killed", killed::convert_with_backup),
    ("repair --in-place --report, killed", killed::repair),
    ("repair --undo, killed", killed::undo),
    ("edit, killed", killed::edit),
    ("disk full", full::run),
    ("a write error", full::device),
    ("folder and file read-only", odd::read_only),
    ("files that vanish", others::vanishing),
    ("files that grow", others::growing),
    ("another writer, by rename", others::renaming),
    ("the same command at the same time", others::twins),
    ("hard links", odd::hard_links),
    ("symbolic links", odd::symbolic_links),
    ("FIFOs and devices", odd::no_files),
    ("names with line feeds and ill-formed bytes", odd::names),
    ("forged reports", forged::run),
    ("huge and deep reports", forged::huge),
    ("a file over 4 GiB", odd::large),
];

pub(crate) fn run(args: impl Iterator<Item = String>) -> Done {
    let args: Vec<_> = args.collect();
    let value = |name: &str| args.iter().position(|arg| arg == name).and_then(|at| args.get(at + 1));
    let rounds = value("--rounds").and_then(|rounds| rounds.parse().ok());
    let place = value("--in").map_or_else(|| root().join("target"), PathBuf::from).join("placemat-crash");
    let is_sample = args.iter().any(|arg| arg == "--sample");
    let effort = Effort { rounds: rounds.unwrap_or(if is_sample { 6 } else { 300 }), is_long: !is_sample };
    let built = match value("--binary") {
        Some(binary) => PathBuf::from(binary),
        None => {
            call(&mut command("cargo build --quiet -p placemat-cli"))?;
            placemat("debug")
        }
    };
    // A copy, so that no build replaces it meanwhile.
    let binary = place.join("placemat");
    let _ = fs::remove_file(&binary);
    fs::create_dir_all(&place).and_then(|()| fs::copy(built, &binary)).map_err(|error| error.to_string())?;
    let mut sources = record::sources(&[&record::COMMAND[..], &["xtask/src/release/crash"]].concat());
    if value("--binary").is_some() {
        let hash = record::first_line(&format!("sha256sum {}", binary.display()));
        sources.push_str(&format!(", and a command with the SHA-256 {hash}"));
    }
    let (mut outcome, mut lost) = (String::new(), Vec::new());
    for (name, trial) in TRIALS {
        let stage = Stage::new(&place, name)?;
        let line = match trial(&stage, effort) {
            Ok(seen) => format!("{name}: {seen}"),
            Err(loss) => {
                lost.push(name);
                stage.keep();
                format!("{name}: LOSS: {loss}")
            }
        };
        eprintln!("{line}");
        outcome.push_str(&line);
        outcome.push('\n');
        if !is_sample {
            let verdict = match (lost.is_empty(), name == TRIALS[TRIALS.len() - 1].0) {
                (true, true) => "Nothing was lost.",
                (true, false) => "Not finished; nothing was lost so far.",
                _ => "SOMETHING WAS LOST.",
            };
            let line = format!("cargo xtask release crash {}", args.join(" "));
            record::keep("crash", &line, &sources, &format!("{outcome}\n{verdict}"))?;
        }
    }
    if lost.is_empty() { Ok(()) } else { Err(format!("something was lost: {}", lost.join(", "))) }
}
