//! Checks that there is no cycle between the top-level modules of a crate.
//!
//! A module uses another where its code names a path into it: `crate::x::…`, `super::…` that leaves the module, or a name that the
//! root re-exports. This is read from the text; the root itself, comments, strings and code for tests do not count.

mod graph;
mod paths;
mod tokens;

use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::{Done, root};
use graph::Graph;

/// Fails if there is a cycle.
pub(crate) fn run() -> Done {
    let mut wrong = Vec::new();
    for (package, source) in packages()? {
        let graph = read(&source)?;
        let cycles = graph.cycles();
        wrong.extend(
            cycles.iter().map(|cycle| format!("{package}: a cycle of modules\n{}", graph.describe(cycle))),
        );
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// The crates of the workspace: name and folder of the sources.
fn packages() -> Result<Vec<(String, PathBuf)>, String> {
    let entries = fs::read_dir(root().join("crates")).map_err(|error| error.to_string())?;
    let folders = entries.filter_map(|entry| Some(entry.ok()?.path())).chain([root().join("xtask")]);
    let mut packages: Vec<_> = folders
        .filter_map(|folder| Some((folder.file_name()?.to_str()?.to_owned(), folder.join("src"))))
        .filter(|(_, source)| source.is_dir())
        .collect();
    packages.sort();
    Ok(packages)
}

/// Which module of a crate uses which.
fn read(source: &Path) -> Result<Graph, String> {
    let mut files = Vec::new();
    visit(source, source, &mut files).map_err(|error| format!("{}: {error}", source.display()))?;
    Ok(Graph::new(&files))
}

/// One file: its module as a path from the root of the crate, its name to show, and its text.
struct File {
    module: Vec<String>,
    shown: String,
    text: String,
}

fn visit(source: &Path, folder: &Path, files: &mut Vec<File>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            visit(source, &path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let inside = path.strip_prefix(source).unwrap_or(&path).with_extension("");
            let mut module: Vec<_> = inside.iter().map(|name| name.to_string_lossy().into_owned()).collect();
            if module.last().is_some_and(|name| name == "mod")
                || ["lib", "main"].iter().any(|name| module == [*name])
            {
                module.pop();
            }
            let shown = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
            files.push(File { module, shown, text: fs::read_to_string(&path)? });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
