//! Scores the undoing of mojibake: `score_mojibake [-v] TABLE.tsv…` for tables of damaged and repaired text, `score_mojibake --clean
//! FILE…` for files without mojibake, in which every change is an error.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;
use std::{env, fs};

use placemat_detect::mojibake::{Undone, undo};

fn main() -> ExitCode {
    let mut arguments: Vec<String> = env::args().skip(1).collect();
    let mut flag = |name: &str| {
        let before = arguments.len();
        arguments.retain(|argument| argument != name);
        arguments.len() < before
    };
    let (clean, verbose) = (flag("--clean"), flag("-v"));
    if arguments.is_empty() {
        eprintln!("usage: score_mojibake [-v] TABLE.tsv… | score_mojibake --clean FILE…");
        return ExitCode::from(2);
    }
    if clean {
        read_clean(&arguments);
        return ExitCode::SUCCESS;
    }
    for table in arguments {
        match fs::read_to_string(&table) {
            Ok(text) => score(&table, &text, verbose),
            Err(error) => {
                eprintln!("{table}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::SUCCESS
}

/// Prints the score per path (or category) of one table. The columns are found by their names.
fn score(name: &str, table: &str, verbose: bool) {
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |names: &[&str]| header.iter().position(|column| names.contains(column));
    let input = column(&["input_utf8_hex"]);
    let expected = column(&["expected_utf8_hex", "fix_encoding_utf8_hex"]);
    let (Some(input), Some(expected)) = (input, expected) else {
        eprintln!("{name}: no columns input_utf8_hex and expected_utf8_hex or fix_encoding_utf8_hex");
        return;
    };
    let path = column(&["path", "category"]).unwrap_or(0);
    let peer = header.iter().position(|column| column.contains("ftfy"));
    let mut scores: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for line in lines {
        let cells: Vec<&str> = line.split('\t').collect();
        let (Some(source), Some(wanted)) = (text(cells.get(input)), text(cells.get(expected))) else {
            continue;
        };
        let got = undo(&source).map_or_else(|| source.clone(), |undone| undone.text);
        let score = scores.entry(cells[path]).or_default();
        score[0] += usize::from(got == wanted);
        score[1] += 1;
        score[2] += usize::from(peer.and_then(|peer| cells.get(peer)) == Some(&"yes"));
        if verbose && got != wanted {
            println!("{}\n  source {source:?}\n  got    {got:?}\n  wanted {wanted:?}", cells[path]);
        }
    }
    println!("{name}");
    let mut total = [0; 3];
    for (path, score) in &scores {
        println!("  {path:32} {:4} of {:4}   ftfy {:4}", score[0], score[1], score[2]);
        (0..3).for_each(|i| total[i] += score[i]);
    }
    println!("  {:32} {:4} of {:4}   ftfy {:4}", "all", total[0], total[1], total[2]);
}

fn text(hex: Option<&&str>) -> Option<String> {
    let hex = hex?;
    let bytes: Option<Vec<u8>> =
        (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok()).collect();
    String::from_utf8(bytes?).ok()
}

/// Prints each change in files that need none, and how fast they were read.
fn read_clean(files: &[String]) {
    let (mut bytes, mut changes, mut changed, mut read, mut seconds) = (0, 0, 0, 0, 0.0);
    for file in files {
        let Ok(text) = fs::read_to_string(file) else { continue };
        read += 1;
        bytes += text.len();
        let start = Instant::now();
        let undone = undo(&text);
        seconds += start.elapsed().as_secs_f64();
        if let Some(undone) = undone {
            changed += 1;
            changes += undone.changes.len();
            print(file, &text, &undone);
        }
    }
    println!(
        "{changes} changes in {changed} of {read} files, {bytes} bytes, {:.0} MB/s",
        bytes as f64 / seconds / 1e6
    );
}

fn print(file: &str, text: &str, undone: &Undone) {
    for change in undone.changes.iter().take(20) {
        let (start, end) = (change.range.start as usize, change.range.end as usize);
        let before: String =
            text[..start].chars().rev().take(16).collect::<Vec<_>>().into_iter().rev().collect();
        let after: String = text[end..].chars().take(16).collect();
        let via: Vec<&str> = change.via.iter().map(|page| page.name()).collect();
        println!(
            "{file}@{start} {via:?} {:?} -> {:?} in {before:?} … {after:?}",
            &text[start..end],
            change.replacement
        );
    }
}
