//! Writes the vectors as one table that other projects can run, or checks that the committed table is up to date.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::{Done, root};

/// The version of the table. It increases when a line is removed or changes its meaning, not when lines are added.
const VERSION: u32 = 1;

fn vectors() -> PathBuf {
    root().join("crates/placemat/tests/vectors")
}

/// Writes the corpus; with `only_look`, fails if the committed one differs from it.
pub(crate) fn run(only_look: bool) -> Done {
    keep(&root().join("conformance/vectors.tsv"), &table()?, only_look)
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn keep(path: &Path, text: &str, only_look: bool) -> Done {
    if !only_look {
        return fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()));
    }
    match read(path)? == text {
        true => Ok(()),
        false => Err(format!("{} is not what the vectors say now: cargo xtask conformance", path.display())),
    }
}

/// The rows of all vector files that begin with a form.
fn table() -> Result<String, String> {
    let entries = fs::read_dir(vectors()).map_err(|error| error.to_string())?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let mut table = Vec::new();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "txt")) {
        let text = read(path)?;
        let first = text.lines().find(|line| !line.starts_with('#') && !line.is_empty());
        if first.is_some_and(|line| line.starts_with("form ")) {
            rows(&text, &mut table).map_err(|line| format!("{}: cannot read {line}", path.display()))?;
        }
    }
    let mut text =
        format!("# placemat conformance corpus, version {VERSION}\nform\tway\tbytes\ttext\tconfirmed by\n");
    for (claim, confirmed) in table {
        writeln!(text, "{claim}\t{confirmed}").map_err(|error| error.to_string())?;
    }
    Ok(text)
}

/// Adds the lines of one file to `table`: the claim, and who confirms it. The error is a line that cannot be read.
fn rows(text: &str, table: &mut Vec<(String, String)>) -> Result<(), String> {
    let (mut form, mut confirmed, mut substitute) = ("", String::new(), "");
    for line in text.lines() {
        if let Some(names) = line.strip_prefix("# confirmed by ") {
            confirmed = names.replace(", ", ",");
        } else if line == "# by hand" {
            confirmed.clear();
        }
        let line = line.split('#').next().unwrap_or_default().trim_end();
        let (way, bytes, text) = if let Some(name) = line.strip_prefix("form ") {
            (form, substitute) = (name, "");
            continue;
        } else if let Some(c) = line.strip_prefix("unencodable ") {
            substitute = c;
            continue;
        } else if line.is_empty() {
            continue;
        } else if let Some((index, text)) =
            line.strip_prefix("refused ").and_then(|rest| rest.split_once(" < "))
        {
            (format!("refuses {index}"), "", text)
        } else if let Some((bytes, text)) = line.split_once(" |") {
            (if text.contains('@') { "reads" } else { "both" }.to_owned(), bytes, text)
        } else if let Some((bytes, text)) = line.split_once(" >") {
            ("reads".to_owned(), bytes, text)
        } else if let Some((bytes, text)) = line.split_once(" <") {
            let way =
                if substitute.is_empty() { "writes".to_owned() } else { format!("writes with {substitute}") };
            (way, bytes, text)
        } else {
            return Err(line.to_owned());
        };
        let claim = format!("{form}\t{way}\t{bytes}\t{}", text.trim());
        // Two files may hold the same claim: keep it once, with the longer list of names.
        match table.iter_mut().find(|(known, _)| *known == claim) {
            Some((_, names)) if names.len() < confirmed.len() => names.clone_from(&confirmed),
            Some(_) => {}
            None => table.push((claim, confirmed.clone())),
        }
    }
    Ok(())
}
