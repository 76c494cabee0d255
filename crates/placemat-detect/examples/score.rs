//! Scores the detector on a folder: `score FOLDER [PREFIX…]`.
//!
//! The folder has `manifest.tsv`, whose first two columns are a file's name and its expected encoding, and the files
//! under `files/`. A guess is right when it names the expected encoding or decodes the file to the same text.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::{env, fs, io};

use encoding_rs::Encoding;
use oem_cp::code_table::DECODING_TABLE_CP_MAP;
use placemat_detect::{Detection, detect};

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let Some(folder) = arguments.next() else {
        eprintln!("score FOLDER [PREFIX…]");
        return ExitCode::from(2);
    };
    match score(&folder, &arguments.collect::<Vec<_>>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{folder}: {error}");
            ExitCode::from(2)
        }
    }
}

fn score(folder: &str, prefixes: &[String]) -> io::Result<()> {
    let manifest = fs::read_to_string(format!("{folder}/manifest.tsv"))?;
    let mut tally = BTreeMap::<&str, (u32, u32)>::new();
    let mut by_confidence = [(0_u32, 0_u32); 11];
    for line in manifest.lines().skip(1) {
        let mut columns = line.split('\t');
        let (Some(file), Some(expected)) = (columns.next(), columns.next()) else { continue };
        if !prefixes.is_empty() && !prefixes.iter().any(|prefix| file.starts_with(prefix)) {
            continue;
        }
        let bytes = fs::read(format!("{folder}/files/{file}"))?;
        let found = detect(&bytes, true);
        let right = same(&bytes, found.encoding.name(), expected);
        let entry = tally.entry(expected).or_default();
        let step = &mut by_confidence[(found.confidence * 10.0) as usize];
        *entry = (entry.0 + u32::from(right), entry.1 + 1);
        *step = (step.0 + u32::from(right), step.1 + 1);
        if !right || !prefixes.is_empty() {
            show(file, expected, &found);
        }
    }
    for (encoding, (right, all)) in &tally {
        println!("{right:5} of {all:5}  {encoding}");
    }
    for (step, (right, all)) in by_confidence.iter().enumerate().filter(|(_, step)| step.1 > 0) {
        println!("{right:5} of {all:5}  with confidence from 0.{step}");
    }
    let (right, all) = tally.values().fold((0, 0), |sum, entry| (sum.0 + entry.0, sum.1 + entry.1));
    println!("{right:5} of {all:5}  in all: {:.1} %", 100.0 * f64::from(right) / f64::from(all));
    Ok(())
}

fn show(file: &str, expected: &str, found: &Detection) {
    println!("{file}: {} ({:.2}), expected {expected}", found.encoding, found.confidence);
    for reason in &found.reasons {
        println!("      {reason}");
    }
    let candidates = found.candidates.iter().map(|c| format!("{} {:.3}", c.encoding, c.confidence));
    println!("      {}", candidates.collect::<Vec<_>>().join(", "));
}

fn same(bytes: &[u8], found: &str, expected: &str) -> bool {
    let expected = match expected {
        "ascii" => "us-ascii",
        // A text with a byte order mark may be in either byte order.
        "utf-16" | "utf-32" => return found.starts_with(expected),
        other => other,
    };
    found == expected || matches!((text(bytes, found), text(bytes, expected)), (Some(a), Some(b)) if a == b)
}

fn text(bytes: &[u8], encoding: &str) -> Option<String> {
    let digits = encoding.strip_prefix("ibm").or_else(|| encoding.strip_prefix("cp"));
    let code_page = digits.and_then(|digits| digits.parse::<u16>().ok());
    if let Some(table) = code_page.and_then(|code_page| DECODING_TABLE_CP_MAP.get(&code_page)) {
        return Some(table.decode_string_lossy(bytes));
    }
    Encoding::for_label(encoding.as_bytes()).map(|e| e.decode_without_bom_handling(bytes).0.into_owned())
}
