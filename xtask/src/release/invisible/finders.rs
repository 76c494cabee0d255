//! The programs that look for characters that are not shown.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::texts::Tools;
use crate::record::first_line;
use crate::shell;

/// A program that looks for such characters.
pub(super) struct Finder {
    pub(super) name: &'static str,
    /// It reads only files with this extension; `None` if it reads all.
    extension: Option<&'static str>,
    run: fn(&Tools, &[PathBuf]) -> Result<Vec<Found>, String>,
}

/// What was found in a file.
#[derive(Clone, Default)]
pub(super) struct Found {
    pub(super) count: usize,
    pub(super) kinds: Vec<String>,
    /// All that was decoded, one piece after the other, as JSON has it.
    pub(super) payload: String,
}

pub(super) const FINDERS: [Finder; 5] = [
    Finder { name: "placemat", extension: None, run: placemat },
    Finder { name: "anti-trojan-source 1.13", extension: None, run: anti_trojan_source },
    Finder { name: "ruff, PLE25", extension: Some("py"), run: ruff },
    Finder { name: "gcc -Wbidi-chars", extension: Some("c"), run: gcc },
    Finder { name: "eslint-plugin-security", extension: Some("js"), run: eslint },
];

impl Finder {
    pub(super) fn is_placemat(&self) -> bool {
        self.name == "placemat"
    }

    pub(super) fn reads(&self, path: &Path) -> bool {
        self.extension.is_none_or(|extension| path.extension().is_some_and(|its| its == extension))
    }

    /// Returns what it finds in each of the files.
    pub(super) fn find(&self, tools: &Tools, paths: &[PathBuf]) -> Result<Vec<Found>, String> {
        if paths.is_empty() { Ok(Vec::new()) } else { (self.run)(tools, paths) }
    }
}

/// Returns what the command prints. Its exit code must be one of `codes`. The output goes to a file: Node may end
/// before a pipe has all of it.
fn printed(tools: &Tools, command: &mut Command, codes: &[i32]) -> Result<[String; 2], String> {
    let path = tools.folder.join("printed");
    let file = File::create(&path).map_err(|error| error.to_string())?;
    let output = command.stdout(file).output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let out = fs::read(&path).map_err(|error| error.to_string())?;
    let text = [&out, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    match output.status.code() {
        Some(code) if codes.contains(&code) => Ok(text),
        _ => Err(format!("{:?} failed: {}", command.get_program(), text[1])),
    }
}

/// The lines of JSON that the command writes.
pub(super) struct Lines(String);

/// Checks these files with `--invisible`.
pub(super) fn placemat_lines(tools: &Tools, flags: &[&str], paths: &[PathBuf]) -> Result<Lines, String> {
    let mut command = Command::new(shell::placemat("release"));
    command.args(["check", "--invisible", "--format", "json"]).args(flags).args(paths);
    printed(tools, &mut command, &[0, 1]).map(|[out, _]| Lines(out))
}

/// The value of a string field in a line of JSON.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!("\"{name}\":\""))?;
    let mut is_escaped = false;
    let end = rest.find(|c| {
        let ends = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    })?;
    Some(&rest[..end])
}

impl Lines {
    /// The path, the kind and the payload of each finding.
    pub(super) fn findings(&self) -> impl Iterator<Item = (&str, &str, &str)> {
        const KINDS: [&str; 6] =
            ["tag-payload", "variation-payload", "bidi-unbalanced", "zero-width", "invisible", "control"];
        let errors = self.0.lines().filter(|line| line.starts_with("{\"type\":\"error\""));
        errors
            .filter_map(|line| {
                Some((field(line, "path")?, field(line, "kind")?, field(line, "payload").unwrap_or("")))
            })
            .filter(|(_, kind, _)| KINDS.contains(kind))
    }

    /// How many files were read.
    pub(super) fn files(&self) -> usize {
        let summary = self.0.lines().last().unwrap_or_default();
        let (_, rest) = summary.split_once("\"files\":").unwrap_or_default();
        rest.split(',').next().and_then(|number| number.parse().ok()).unwrap_or(0)
    }
}

/// What is found in each file, from pairs of path and what was found there.
fn by_path<'a>(paths: &[PathBuf], found: impl Iterator<Item = (&'a str, &'a str, &'a str)>) -> Vec<Found> {
    let mut all = vec![Found::default(); paths.len()];
    for (path, kind, payload) in found {
        if let Some(at) = paths.iter().position(|known| known.as_os_str() == path) {
            all[at].count += 1;
            all[at].kinds.push(kind.to_owned());
            all[at].payload.push_str(payload);
        }
    }
    all
}

fn placemat(tools: &Tools, paths: &[PathBuf]) -> Result<Vec<Found>, String> {
    let lines = placemat_lines(tools, &["--max-errors", "1000000"], paths)?;
    Ok(by_path(paths, lines.findings()))
}

fn anti_trojan_source(tools: &Tools, paths: &[PathBuf]) -> Result<Vec<Found>, String> {
    let mut command = Command::new(tools.modules.join(".bin/anti-trojan-source"));
    let [out, _] = printed(tools, command.arg("--json").args(paths), &[0, 1])?;
    let mut path = "";
    let found = out.lines().filter_map(|line| {
        let value = |name: &str| line.trim().strip_prefix(name)?.trim_end_matches(',').strip_suffix('"');
        path = value("\"file\": \"").unwrap_or(path);
        Some((path, value("\"codePoint\": \"")?, ""))
    });
    Ok(by_path(paths, found))
}

fn ruff(tools: &Tools, paths: &[PathBuf]) -> Result<Vec<Found>, String> {
    let mut command = Command::new(tools.bin.join("ruff"));
    let flags =
        ["check", "--isolated", "--no-cache", "--preview", "--select", "PLE25", "--output-format", "concise"];
    let [out, _] = printed(tools, command.args(flags).args(paths).current_dir("/"), &[0, 1])?;
    let found = out.lines().filter_map(|line| {
        let (place, rule) = line.split_once(": PLE25")?;
        Some((place.split(':').next()?, rule.split(' ').next()?, ""))
    });
    let relative: Vec<PathBuf> =
        paths.iter().map(|path| path.strip_prefix("/").unwrap_or(path).to_path_buf()).collect();
    Ok(by_path(&relative, found))
}

fn gcc(tools: &Tools, paths: &[PathBuf]) -> Result<Vec<Found>, String> {
    if first_line("gcc --version").is_empty() {
        eprintln!("gcc: skipped, not installed");
        return Ok(Vec::new());
    }
    let mut command = Command::new("gcc");
    let [_, said] = printed(
        tools,
        command.args(["-fsyntax-only", "-Wbidi-chars=any"]).args(paths).env("LC_ALL", "C"),
        &[0, 1],
    )?;
    let found = said.lines().filter(|line| line.ends_with("[-Wbidi-chars=]"));
    Ok(by_path(paths, found.filter_map(|line| Some((line.split(':').next()?, "bidi", "")))))
}

fn eslint(tools: &Tools, paths: &[PathBuf]) -> Result<Vec<Found>, String> {
    let parent = tools.modules.parent().ok_or("no folder")?;
    let config = parent.join("eslint.config.mjs");
    let text = "import security from \"eslint-plugin-security\";\n\
        export default [{ plugins: { security }, rules: { \"security/detect-bidi-characters\": \"error\" } }];\n";
    fs::write(&config, text).map_err(|error| error.to_string())?;
    let mut command = Command::new(tools.modules.join(".bin/eslint"));
    command.arg("--config").arg(&config).args(["--no-ignore", "--format", "json"]).args(paths);
    // The program reads no files outside the folder of its configuration.
    let [out, _] = printed(tools, command.current_dir(&tools.folder), &[0, 1])?;
    let found = out.split("\"filePath\":\"").skip(1).flat_map(|file| {
        let path = file.split('"').next().unwrap_or_default();
        file.matches("\"ruleId\":\"security/detect-bidi-characters\"").map(move |_| (path, "bidi", ""))
    });
    Ok(by_path(paths, found))
}
