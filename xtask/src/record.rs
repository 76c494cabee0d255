//! Results that are kept in the repository, each with what is needed to get it again.

use std::fmt::Write as _;
use std::fs;

use crate::shell::{Done, command, output, root};

/// Keep `outcome` as `record/NAME.txt`, under the date, the CPU, the command, and the [`sources`] as they were before it ran.
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
    let path = root().join("record").join(name).with_extension("txt");
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(|error| error.to_string())?;
    fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    eprintln!("recorded in {}", path.display());
    Ok(())
}

/// What the library is built from, and its tests.
pub(crate) const LIBRARY: [&str; 2] = ["crates/placemat/src", "crates/placemat/tests"];

/// What the command is built from.
pub(crate) const COMMAND: [&str; 4] =
    ["crates/placemat/src", "crates/placemat-detect/src", "crates/placemat-cli/src", "Cargo.lock"];

/// The folders and files that take part, each by the hash that version control gives it, and whether it differs from that.
pub(crate) fn sources(paths: &[&str]) -> String {
    let named = |path: &&str| {
        let hash = first_line(&format!("git rev-parse --short=12 --verify HEAD:{path}"));
        let changes = output(&mut command(&format!("git status --porcelain -- {path}")));
        let changed = changes.is_ok_and(|changes| !changes.is_empty());
        format!("{path} {hash}{}", if changed { " with changes" } else { "" })
    };
    paths.iter().map(named).collect::<Vec<_>>().join(", ")
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

/// The first line that `line` prints, or nothing.
pub(crate) fn first_line(line: &str) -> String {
    output(&mut command(line))
        .ok()
        .and_then(|text| text.lines().next().map(str::to_owned))
        .unwrap_or_default()
}
