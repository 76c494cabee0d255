//! Measures how fast `check` reads with `--invisible` and without.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::texts::{Tools, declaration};
use crate::shell::{self, root};

/// Bytes of each file.
const SIZE: usize = 400_000_000;
const ROUNDS: usize = 9;

/// The texts: the declaration in this language; no language means ASCII.
const TEXTS: [(&str, &str); 16] = [
    ("ASCII", ""),
    ("Russian", "rus"),
    ("Greek", "ell_monotonic"),
    ("Hebrew", "heb"),
    ("Hindi", "hin"),
    ("Thai", "tha"),
    ("Korean", "kor"),
    ("German", "deu_1996"),
    ("Arabic", "arb"),
    ("Chinese", "cmn_hans"),
    ("Japanese", "jpn"),
    ("Burmese", "mya"),
    ("Persian", "pes_1"),
    ("Bengali", "ben"),
    ("Khmer", "khm"),
    ("Malayalam", "mal"),
];

pub(super) fn measure(tools: &Tools) -> Result<String, String> {
    let file = tools.folder.join("text");
    let mut table = format!(
        "check of {} MB in the page cache, GB/s, the best of {ROUNDS} rounds: plain, --invisible, and how much longer that takes\n\n\
         text             1 thread               2 threads\n",
        SIZE / 1_000_000
    );
    for (name, language) in TEXTS {
        let source =
            if language.is_empty() { root().join("LICENSE-APACHE") } else { declaration(tools, language) };
        let text = fs::read(&source).map_err(|error| format!("{}: {error}", source.display()))?;
        let mut out = BufWriter::new(File::create(&file).map_err(|error| error.to_string())?);
        for _ in 0..SIZE.div_ceil(text.len()) {
            out.write_all(&text).map_err(|error| error.to_string())?;
        }
        drop(out);
        let size = fs::metadata(&file).map_err(|error| error.to_string())?.len() as f64 / 1e9;
        let _ = write!(table, "{name:12}");
        for jobs in ["1", "2"] {
            let [mut plain, mut hidden] = [f64::MAX; 2];
            for _ in 0..ROUNDS {
                plain = plain.min(seconds(&file, &["--jobs", jobs])?);
                hidden = hidden.min(seconds(&file, &["--jobs", jobs, "--invisible"])?);
            }
            let _ = write!(table, "  {:5.1} {:5.1}  {:4.2} x", size / plain, size / hidden, hidden / plain);
        }
        table.push('\n');
    }
    fs::remove_file(&file).map_err(|error| error.to_string())?;
    Ok(table)
}

fn seconds(file: &Path, flags: &[&str]) -> Result<f64, String> {
    let mut command = Command::new(shell::placemat("release"));
    let start = Instant::now();
    let status = command.arg("check").args(flags).arg(file).stdout(Stdio::null()).status();
    let elapsed = start.elapsed().as_secs_f64();
    match status {
        Ok(status) if status.success() => Ok(elapsed),
        other => Err(format!("check {}: {other:?}", file.display())),
    }
}
