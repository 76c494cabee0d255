//! Compares what `check --invisible` and other programs find in clean files and in attacks, and how fast they read.

mod attacks;
mod finders;
mod speed;
mod texts;

use std::fmt::Write as _;
use std::fs;

use self::attacks::Attack;
use self::finders::{FINDERS, Finder, Found};
use self::texts::Tools;
use crate::record;
use crate::shell::{Done, call, command, root, target};

pub(crate) fn run() -> Done {
    let sources = record::sources(
        &[&record::COMMAND[..], &["crates/placemat-text/src", "xtask/src/release/invisible"]].concat(),
    );
    call(&mut command("cargo build --release --quiet -p placemat-cli"))?;
    let folder = target().join("invisible");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let tools = texts::fetch(&folder)?;
    let clean = clean(&tools)?;
    let attacks = attacked(&tools)?;
    let speed = speed::measure(&tools)?;
    let outcome = format!("{clean}\n{attacks}\n{speed}");
    print!("{outcome}");
    publish(&format!("{clean}\n{attacks}"))?;
    record::keep("invisible", "cargo xtask release invisible", &sources, &outcome)
}

/// Findings in clean files.
fn clean(tools: &Tools) -> Result<String, String> {
    let paths = texts::clean(tools)?;
    let mut table = format!(
        "| {} clean files: {} languages, emoji, {} programming languages | it reads | files with findings | findings |\n|---|---|---|---|\n",
        paths.len(),
        texts::LANGUAGES.len(),
        texts::PROGRAMS.len()
    );
    for finder in &FINDERS {
        let its: Vec<_> = paths.iter().filter(|path| finder.reads(path)).cloned().collect();
        let found = finder.find(tools, &its)?;
        let with = found.iter().filter(|found| found.count > 0).count();
        let sum: usize = found.iter().map(|found| found.count).sum();
        let _ = writeln!(table, "| {} | {} | {with} | {sum} |", finder.name, its.len());
        if finder.is_placemat() {
            for (path, found) in its.iter().zip(&found).filter(|(_, found)| found.count > 0) {
                eprintln!("{}: {}", path.display(), found.kinds.join(", "));
            }
        }
    }
    let (all, with, sum) = texts::whole(tools)?;
    let _ = writeln!(
        table,
        "\nIn all {all} files of the same packages, in more than 500 languages, placemat has {sum} findings in {with} files."
    );
    Ok(table)
}

/// The table of attacks that are found and decoded.
fn attacked(tools: &Tools) -> Result<String, String> {
    let attacks = attacks::all();
    let folder = tools.folder.join("attacks");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut paths = Vec::new();
    for (number, attack) in attacks.iter().enumerate() {
        let path = folder.join(format!("{number:04}.{}", attack.extension));
        fs::write(&path, &attack.text).map_err(|error| error.to_string())?;
        paths.push(path);
    }
    let mut table = String::from("| attacks |");
    let answers: Vec<Vec<Option<Found>>> = FINDERS
        .iter()
        .map(|finder| {
            let _ = write!(table, " {} |", finder.name);
            let its: Vec<_> = paths.iter().filter(|path| finder.reads(path)).cloned().collect();
            let mut found = finder.find(tools, &its)?.into_iter();
            Ok(paths.iter().map(|path| finder.reads(path).then(|| found.next()).flatten()).collect())
        })
        .collect::<Result<_, String>>()?;
    table.push_str("\n|---|");
    table.push_str(&"---|".repeat(FINDERS.len()));
    table.push('\n');
    let mut groups: Vec<&str> = attacks.iter().map(|attack| attack.group).collect();
    groups.dedup();
    for group in groups.into_iter().chain(["all"]) {
        let _ = write!(table, "| {group} |");
        for (finder, found) in FINDERS.iter().zip(&answers) {
            let its = attacks.iter().zip(found).filter(|(attack, _)| group == "all" || attack.group == group);
            let its: Vec<_> = its.filter_map(|(attack, found)| Some((attack, found.as_ref()?))).collect();
            let right = its.iter().filter(|(attack, found)| is_found(finder, attack, found)).count();
            let _ = write!(table, " {right} of {} |", its.len());
        }
        table.push('\n');
    }
    for ((attack, path), found) in attacks.iter().zip(&paths).zip(&answers[0]) {
        if !found.as_ref().is_some_and(|found| is_found(&FINDERS[0], attack, found)) {
            eprintln!("not found: {} {}", path.display(), attack.group);
        }
    }
    Ok(table)
}

/// Whether the attack is found and, by placemat, decoded.
fn is_found(finder: &Finder, attack: &Attack, found: &Found) -> bool {
    let is_decoded = attack.payload.is_empty() || found.payload == attack.payload;
    found.count > 0 && (is_decoded || !finder.is_placemat())
}

const START: &str = "<!-- invisible: written by `cargo xtask release invisible` -->";
const END: &str = "<!-- end of invisible -->";

/// Writes the tables into their place in COMPARE.md.
fn publish(tables: &str) -> Done {
    let path = root().join("COMPARE.md");
    let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let (before, rest) = text.split_once(START).ok_or("COMPARE.md has no place for the tables")?;
    let (_, after) = rest.split_once(END).ok_or("the place for the tables has no end")?;
    fs::write(path, format!("{before}{START}\n{}\n{END}{after}", tables.trim_end()))
        .map_err(|error| error.to_string())
}
