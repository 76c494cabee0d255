//! Checks whether the tests notice small changes of the library. `xtask/mutants.py` makes the changes; this counts and records the results.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use crate::record;
use crate::shell::{Done, call, command, output, root};

/// Text below this line of the record is written by hand and kept: a line for each survivor, without its place, and the reason.
const NOTES: &str = "\nWhy those that survive do not matter\n";

pub(crate) fn run(args: impl Iterator<Item = String>) -> Done {
    let tool = output(&mut command("cargo mutants --version"))
        .map_err(|error| format!("{error}\ncargo install cargo-mutants"))?;
    let sources = record::sources(&[&record::LIBRARY[..], &["xtask/mutants.py"]].concat());
    call(Command::new("python3").arg("xtask/mutants.py").args(args).current_dir(root()))?;
    let said = |error: std::io::Error| error.to_string();
    let tried = fs::read_to_string(root().join("target/mutants/outcome.tsv")).map_err(said)?;
    // A mutant that was tried again has two lines; the later one counts.
    let outcomes: BTreeMap<_, _> = tried.lines().filter_map(|line| line.rsplit_once('\t')).collect();
    let old = record::released("mutants");
    let notes = old.split_once(NOTES).map_or("", |(_, notes)| notes);
    let count = |what: &str| outcomes.values().filter(|outcome| outcome.starts_with(what)).count();
    let mut text = format!(
        "{} mutants of the library without its kernels ({}): {} caught by a test, {} by running for ever, {} do not compile, \
         {} are of constants or opaque types, which cannot be chosen at run time, {} survive, {} were not tried.\n\nSurvivors without a reason below:\n",
        outcomes.len(),
        tool.trim(),
        count("caught"),
        count("runs"),
        count("does"),
        count("fixed"),
        count("survived"),
        count("not tried"),
    );
    let survivors = outcomes.iter().filter(|(_, outcome)| **outcome == "survived");
    let names = survivors.filter_map(|(mutant, _)| mutant.rsplit_once(" ("));
    let unexplained = names.map(|(name, _)| name).filter(|name| !notes.contains(name));
    for name in unexplained {
        writeln!(text, "{name}").map_err(|error| error.to_string())?;
    }
    writeln!(text, "{NOTES}{notes}").map_err(|error| error.to_string())?;
    record::keep(
        "mutants",
        "cargo xtask release mutants; cargo xtask release mutants --again",
        &sources,
        &text,
    )
}
