//! Scores chains: `score_chain [-v] TABLE.tsv…` for tables of damaged and repaired text. The repaired texts are also misread anew, in
//! each way of a list that loses nothing.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::{env, fs};

use encoding_rs::Encoding;
use placemat_detect::chain::{Chain, chains};

/// Misreadings: the encoding of the bytes, and what they are read as; if there are several, one after the other.
const MISREADINGS: &[&[(&str, &str)]] = &[
    &[("utf-8", "windows-1252")],
    &[("utf-8", "windows-1251")],
    &[("utf-8", "windows-1250")],
    &[("utf-8", "macintosh")],
    &[("utf-8", "gbk")],
    &[("utf-8", "shift_jis")],
    &[("utf-8", "koi8-r")],
    &[("utf-8", "windows-1252"), ("utf-8", "windows-1252")],
    &[("utf-8", "windows-1252"), ("utf-8", "windows-1252"), ("utf-8", "windows-1252")],
    &[("utf-8", "windows-1251"), ("utf-8", "windows-1252")],
    &[("windows-1251", "windows-1252")],
    &[("koi8-r", "windows-1252")],
    &[("koi8-r", "windows-1251")],
    &[("windows-1251", "koi8-r")],
    &[("windows-1251", "ibm866")],
    &[("ibm866", "windows-1251")],
    &[("windows-1250", "windows-1252")],
    &[("iso-8859-2", "windows-1252")],
    &[("windows-1253", "windows-1252")],
    &[("windows-1255", "windows-1252")],
    &[("windows-1256", "windows-1252")],
    &[("windows-874", "windows-1252")],
    &[("shift_jis", "windows-1252")],
    &[("gbk", "windows-1252")],
    &[("big5", "windows-1252")],
    &[("euc-kr", "windows-1252")],
    &[("big5", "gbk")],
    &[("shift_jis", "gbk")],
    &[("windows-1251", "windows-1252"), ("utf-8", "windows-1252")],
];

fn main() {
    let mut arguments: Vec<String> = env::args().skip(1).collect();
    let is_verbose = arguments.first().is_some_and(|first| first == "-v");
    arguments.drain(..usize::from(is_verbose));
    let mut scores: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    for table in arguments {
        let table = fs::read_to_string(table).unwrap_or_default();
        for (input, expected, path) in rows(&table) {
            let mut note = |path: String, input: &str, names: &[(&str, &str)]| {
                let found = chains(input);
                let rank = found.iter().position(|chain| is_right(chain, &expected, names));
                let score = scores.entry(path.clone()).or_default();
                score[0] += 1;
                score[1] += usize::from(rank == Some(0));
                score[2] += usize::from(rank.is_some_and(|rank| rank < 3));
                if is_verbose && rank.is_none_or(|rank| rank > 2) {
                    let said: Vec<_> = found.iter().take(3).map(shown).collect();
                    println!("{path}\n  {expected:.60}\n  {input:.60}\n  {said:#?}");
                }
            };
            if input == expected {
                let score = scores.entry("clean: none is right".to_owned()).or_default();
                let is_none = usize::from(chains(&input).is_empty());
                *score = [score[0] + 1, score[1] + is_none, score[2] + is_none];
                continue;
            }
            note(format!("table: {path}"), &input, &[]);
            for steps in MISREADINGS {
                if let Some(input) = misread(&expected, steps) {
                    note(format!("{steps:?}"), &input, steps);
                }
            }
        }
    }
    let mut sum = [0; 3];
    for (path, score) in &scores {
        println!("{score:?} {path}");
        (0..3).for_each(|at| sum[at] += score[at]);
    }
    println!("{sum:?} of all, first, among the first three");
}

fn shown(chain: &Chain) -> String {
    let steps: Vec<_> =
        chain.steps.iter().map(|step| format!("{} as {}", step.encoding, step.read_as)).collect();
    format!("{:.2} {:.60} ({})", chain.likelihood, chain.text, steps.join(", "))
}

fn is_right(chain: &Chain, expected: &str, names: &[(&str, &str)]) -> bool {
    let is_step = |(step, (encoding, read_as)): (&placemat_detect::chain::Step, &(&str, &str))| {
        step.encoding == *encoding && (step.read_as == *read_as || step.also.contains(read_as))
    };
    chain.text == expected
        && (names.is_empty()
            || names.len() == chain.steps.len() && chain.steps.iter().zip(names.iter().rev()).all(is_step))
}

/// The text after the misreadings; `None` if they would lose something or change nothing.
fn misread(text: &str, steps: &[(&str, &str)]) -> Option<String> {
    let mut text = text.to_owned();
    for (encoding, read_as) in steps {
        let (bytes, _, failed) = Encoding::for_label(encoding.as_bytes())?.encode(&text);
        let read = Encoding::for_label(read_as.as_bytes())?;
        let misread = read.decode_without_bom_handling_and_without_replacement(&bytes)?;
        if failed || misread == text || read.encode(&misread).0 != bytes {
            return None;
        }
        text = misread.into_owned();
    }
    Some(text)
}

/// The damaged text, the repaired text and the name in each row.
fn rows(table: &str) -> Vec<(String, String, String)> {
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |names: &[&str]| header.iter().position(|column| names.contains(column)).unwrap_or(0);
    let input = column(&["input_utf8_hex"]);
    let expected = column(&["expected_utf8_hex", "fix_encoding_utf8_hex"]);
    let path = column(&["path", "category"]);
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let text = |at: usize| {
            let hex = cells.get(at)?;
            let bytes: Option<Vec<u8>> = (0..hex.len() / 2)
                .map(|at| u8::from_str_radix(hex.get(2 * at..2 * at + 2)?, 16).ok())
                .collect();
            String::from_utf8(bytes?).ok()
        };
        Some((text(input)?, text(expected)?, cells.get(path)?.to_string()))
    };
    lines.filter_map(row).collect()
}
