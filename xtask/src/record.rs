//! Records the results of tasks, with what is needed to get them again.
//!
//! A task writes to `target/record`. `record/`, in the repository, holds one set: that of the last release.
//! `record/README.md` has the rule.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use crate::shell::{Done, command, output, root, target};

/// The results of a release, each `NAME.txt`.
const SET: [&str; 25] = [
    "bounds",
    "census",
    "commands",
    "coverage",
    "crash",
    "deny",
    "exhaust",
    "fuzz",
    "invisible",
    "machine-aarch64",
    "machine-asan",
    "machine-haswell",
    "machine-i686",
    "machine-native",
    "machine-nehalem",
    "machine-s390x",
    "machine-sse2",
    "machine-valgrind",
    "machine-wasm",
    "machine-wasm-mvp",
    "mutants",
    "oracle",
    "reproduce",
    "scale",
    "size",
];

/// The folder to which tasks write.
pub(crate) fn folder() -> PathBuf {
    target().join("record")
}

/// The result with that name in the set of the last release; empty where it has none.
pub(crate) fn released(name: &str) -> String {
    fs::read_to_string(root().join("record").join(name).with_extension("txt")).unwrap_or_default()
}

/// Replaces `record/` by what is in `target/record`, if nothing is missing and all results are of the committed sources.
pub(crate) fn release() -> Done {
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    for name in SET {
        match fs::read_to_string(folder().join(name).with_extension("txt")) {
            Ok(text) => match changed(&text) {
                Some(path) => wrong.push(format!("{name}: {path} has changed since: run it again")),
                None => found.push((name, text)),
            },
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    if !wrong.is_empty() {
        return Err(wrong.join("\n"));
    }
    for (name, text) in found {
        let path = root().join("record").join(name).with_extension("txt");
        fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    }
    Ok(())
}

/// A source of a result that differs from what is committed now.
fn changed(text: &str) -> Option<&str> {
    let is_other = |&(path, hash): &(&str, &str)| tree(path).is_some_and(|tree| tree != hash);
    sources_of(text).into_iter().find(is_other).map(|(path, _)| path)
}

/// The sources that a result names: each path, with its hash or whatever else follows it.
fn sources_of(text: &str) -> Vec<(&str, &str)> {
    let head = text.lines().take_while(|line| !line.is_empty());
    let line = head.filter_map(|line| line.strip_prefix("sources")).next();
    line.unwrap_or_default().split(", ").filter_map(|source| source.trim().split_once(' ')).collect()
}

/// Writes `outcome` to `NAME.txt`, below the date, the CPU, the command, and the [`sources`] as they were before it ran.
pub(crate) fn keep(name: &str, line: &str, sources: &str, outcome: &str) -> Done {
    let mut text = String::new();
    for (key, value) in [
        ("date", first_line("date -u +%F")),
        ("cpu", cpu()),
        ("compiler", first_line("rustc --version")),
        ("sources", sources.to_owned()),
        ("command", line.to_owned()),
    ] {
        writeln!(text, "{key:9}{value}").map_err(|error| error.to_string())?;
    }
    text.push('\n');
    text.push_str(outcome.trim_end());
    text.push('\n');
    let path = folder().join(name).with_extension("txt");
    fs::create_dir_all(folder()).map_err(|error| error.to_string())?;
    fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    eprintln!("recorded in {}", path.display());
    Ok(())
}

/// The sources of the library and of its tests.
pub(crate) const LIBRARY: [&str; 2] = ["crates/placemat/src", "crates/placemat/tests"];

/// The sources of the command.
pub(crate) const COMMAND: [&str; 4] =
    ["crates/placemat/src", "crates/placemat-detect/src", "crates/placemat-cli/src", "Cargo.lock"];

/// These folders and files, each with its hash in git, and whether it differs from that.
pub(crate) fn sources(paths: &[&str]) -> String {
    let named = |path: &&str| {
        let hash = tree(path).unwrap_or_default();
        let changes = output(&mut command(&format!("git status --porcelain -- {path}")));
        let changed = changes.is_ok_and(|changes| !changes.is_empty());
        format!("{path} {hash}{}", if changed { " with changes" } else { "" })
    };
    paths.iter().map(named).collect::<Vec<_>>().join(", ")
}

/// The hash that git has for a folder or a file, shortened.
fn tree(path: &str) -> Option<String> {
    let hash = first_line(&format!("git rev-parse --quiet --short=12 --verify HEAD:{path}"));
    (!hash.is_empty()).then_some(hash)
}

/// The CPU by name, with the vector instructions that matter here.
fn cpu() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |key: &str| {
        let line = text.lines().find(|line| line.starts_with(key))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let flags = field("flags").unwrap_or_default();
    let has = |flag: &&&str| flags.split(' ').any(|have| have == **flag);
    let vectors: Vec<_> =
        ["sse4_2", "avx2", "avx512bw", "avx512_vbmi2"].iter().filter(has).copied().collect();
    let name = field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    format!(
        "{name} ({}; {} cores)",
        vectors.join(" "),
        std::thread::available_parallelism().map_or(1, usize::from)
    )
}

/// The first line that the command `line` prints, or nothing.
pub(crate) fn first_line(line: &str) -> String {
    output(&mut command(line))
        .ok()
        .and_then(|text| text.lines().next().map(str::to_owned))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::sources_of;

    #[test]
    fn a_result_names_its_sources() {
        let text = "date     2026-11-23\nsources  crates/placemat/src 8e44c3a55851, Cargo.lock 267126e42ec7 with changes\n";
        let sources = [("crates/placemat/src", "8e44c3a55851"), ("Cargo.lock", "267126e42ec7 with changes")];
        assert_eq!(sources_of(text), sources);
        assert_eq!(sources_of("date     2026-11-23\n\nsources of errors"), []);
    }
}
