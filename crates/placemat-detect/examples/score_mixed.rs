//! Scores the second encoding of mixed texts: `score_mixed FOLDER`.
//!
//! The folder has a file `LANGUAGE.txt` for each language, with one sentence in UTF-8 per line. Texts of 40 lines are made of each
//! file, with one to three lines in another encoding of the language, and repaired. A text that is restored is right, one that is left
//! alone is refused, and any other is wrong.
#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::{env, fs};

use encoding_rs::Encoding;
use oem_cp::code_table::{DECODING_TABLE_CP_MAP, ENCODING_TABLE_CP_MAP};
use placemat_detect::Mixed;

/// Languages and the encodings that they were written in.
const PAIRS: &[(&str, &[&str])] = &[
    ("pl cs hu sk sl hr ro", &["windows-1250", "iso-8859-2", "cp852"]),
    ("de fr es pt it sv da nb fi nl ca is", &["windows-1252", "cp850", "macintosh"]),
    ("tr", &["windows-1254", "cp857"]),
    ("ru bg", &["windows-1251", "koi8-r", "ibm866", "iso-8859-5"]),
    ("uk be sr mk", &["windows-1251", "koi8-u", "iso-8859-5"]),
    ("el", &["windows-1253", "iso-8859-7", "cp737"]),
    ("lt lv et", &["windows-1257", "iso-8859-13"]),
    ("he", &["windows-1255"]),
    ("ar fa", &["windows-1256"]),
    ("th", &["windows-874"]),
    ("vi", &["windows-1258"]),
    ("ja", &["shift_jis", "euc-jp"]),
    ("ko", &["euc-kr"]),
    ("zh_CN", &["gbk"]),
    ("zh_TW", &["big5"]),
];

fn main() -> ExitCode {
    let Some(folder) = env::args().nth(1) else {
        eprintln!("score_mixed FOLDER");
        return ExitCode::from(2);
    };
    let mut all = [0; 3];
    for (languages, encodings) in PAIRS {
        for language in languages.split(' ') {
            let Ok(text) = fs::read_to_string(format!("{folder}/{language}.txt")) else { continue };
            for encoding in *encodings {
                let sums = score(&text, language, encoding);
                println!("{language} {encoding}: {} right, {} wrong, {} refused", sums[0], sums[1], sums[2]);
                all.iter_mut().zip(sums).for_each(|(all, n)| *all += n);
            }
        }
    }
    println!("in all: {} right, {} wrong, {} refused", all[0], all[1], all[2]);
    ExitCode::SUCCESS
}

fn score(text: &str, language: &str, encoding: &str) -> [u32; 3] {
    let lines: Vec<&str> = text.lines().collect();
    let mut sums = [0; 3];
    for (number, lines) in lines.chunks_exact(40).take(12).enumerate() {
        let mut bytes = Vec::new();
        let mut left = number % 3 + 1;
        for line in lines {
            let legacy = encode(line, encoding).filter(|b| left > 0 && str::from_utf8(b).is_err());
            left -= usize::from(legacy.is_some());
            bytes.extend(legacy.unwrap_or_else(|| line.as_bytes().to_vec()));
            bytes.push(b'\n');
        }
        if str::from_utf8(&bytes).is_ok() {
            continue;
        }
        let expected = lines.join("\n") + "\n";
        let (which, found) = outcome(&bytes, &expected);
        sums[which] += 1;
        if which > 0 && env::var_os("SHOW").is_some() {
            println!("  {language} {encoding}: {found}");
        }
    }
    sums
}

fn outcome(bytes: &[u8], expected: &str) -> (usize, String) {
    let mut mixed = Mixed::new();
    mixed.push(bytes);
    let mixed = mixed.finish();
    let Some(second) = mixed.second() else { return (2, "none".into()) };
    let found = format!("{} {:.2} {}", second.encoding, second.confidence, second.language);
    if !second.is_sure() || !mixed.is_vouched() {
        return (2, found);
    }
    let mut text = String::new();
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let mut at = 0;
        for run in mixed.runs(line) {
            text.push_str(&String::from_utf8_lossy(&line[at..run.start]));
            text.push_str(&decode(&line[run.clone()], second.encoding));
            at = run.end;
        }
        text.push_str(&String::from_utf8_lossy(&line[at..]));
    }
    let first = text.lines().zip(expected.lines()).find(|(a, b)| a != b);
    (usize::from(text != expected), format!("{found} {first:?}"))
}

fn code_page(name: &str) -> Option<u16> {
    name.strip_prefix("cp")?.parse().ok()
}

fn encode(line: &str, encoding: &str) -> Option<Vec<u8>> {
    if let Some(table) = code_page(encoding).and_then(|page| ENCODING_TABLE_CP_MAP.get(&page)) {
        return line
            .chars()
            .map(|c| if c.is_ascii() { Some(c as u8) } else { table.get(&c).copied() })
            .collect();
    }
    let (bytes, _, is_lossy) = Encoding::for_label(encoding.as_bytes())?.encode(line);
    (!is_lossy).then(|| bytes.into_owned())
}

fn decode(bytes: &[u8], encoding: &str) -> String {
    match code_page(encoding).and_then(|page| DECODING_TABLE_CP_MAP.get(&page)) {
        Some(table) => table.decode_string_lossy(bytes),
        None => Encoding::for_label(encoding.as_bytes())
            .map_or_else(String::new, |e| e.decode_without_bom_handling(bytes).0.into_owned()),
    }
}
