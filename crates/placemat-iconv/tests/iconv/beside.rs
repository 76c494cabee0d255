//! Makes the same calls to both libraries, for the names in use. README.md has a row for each difference.
#![cfg(target_env = "gnu")]

use std::process::Command;
use std::{env, fs};

use crate::library::{Called, Library};

#[rustfmt::skip]
const NAMES: [(&str, &str); 41] = [
    ("UTF-8", "é漢😀"), ("UTF8", "é"), ("UTF-16", "é漢😀"), ("UTF-16LE", "é😀"), ("UTF-16BE", "é😀"), ("UTF-32", "é😀"), ("UTF-32LE", "é😀"),
    ("UTF-32BE", "é"), ("UCS-2", "é漢"), ("UCS-2LE", "é"), ("UCS-2BE", "é"), ("UCS-4", "é😀"), ("UCS-4LE", "é"), ("UNICODE", "é漢"), ("WCHAR_T", "é😀"),
    ("ASCII", "a"), ("ANSI_X3.4-1968", "a"), ("ISO-8859-1", "é"), ("LATIN1", "é"), ("ISO-8859-15", "€é"), ("ISO_8859-15", "€"),
    ("CP1252", "€"), ("MS-ANSI", "€"), ("WINDOWS-1251", "ж"), ("CP850", "é"), ("IBM850", "é"), ("KOI8-R", "ж"), ("KOI8-U", "ґ"),
    ("ISO-8859-9", "ı"), ("TIS-620", "ก"), ("SJIS", "日本"), ("SHIFT_JIS", "日"), ("CP932", "日"), ("EUC-JP", "日"), ("EUCJP", "日"), ("ISO-2022-JP", "a日b"),
    ("GB2312", "中"), ("GBK", "中"), ("GB18030", "中😀"), ("BIG5", "中"), ("EUC-KR", "한"),
];

#[test]
fn names_in_use_mean_the_same() {
    for (name, text) in NAMES {
        let text = format!("a{text}z\n");
        let mut written = Vec::new();
        for library in [Library::system(), Library::ours()] {
            let open = library.open(name, "UTF-8").unwrap_or_else(|error| panic!("{name}: {error}"));
            let mut room = [0; 256];
            let called = open.convert(text.as_bytes(), &mut room);
            let more = open.reset(Some(&mut room[called.written..])).written;
            written.push((called.result, room[..called.written + more].to_vec()));
        }
        assert_eq!(written[0], written[1], "{name}");
        for library in [Library::system(), Library::ours()] {
            let open = library.open("UTF-8", name).unwrap();
            let mut room = [0; 256];
            let called = open.convert(&written[0].1, &mut room);
            assert_eq!((called.result, &room[..called.written]), (Ok(0), text.as_bytes()), "{name}");
        }
    }
}

/// A point where POSIX and glibc differ: target, source, input, and the answer of each: bytes read, bytes written, result.
type Row = (
    &'static str,
    &'static str,
    &'static [u8],
    (usize, &'static [u8], Result<usize, i32>),
    (usize, &'static [u8], Result<usize, i32>),
);

#[rustfmt::skip]
const ROWS: [Row; 7] = [
    ("ASCII", "UTF-8", b"a\xE2\x98\x83z", (5, b"a?z", Ok(1)), (1, b"a", Err(libc::EILSEQ))),
    ("ASCII//IGNORE", "UTF-8", b"a\xE2\x98\x83z", (5, b"az", Ok(1)), (5, b"az", Err(libc::EILSEQ))),
    ("ASCII//IGNORE", "UTF-8", b"a\xFFz", (3, b"az", Ok(0)), (3, b"az", Err(libc::EILSEQ))),
    ("ASCII//IGNORE", "UTF-8", b"a\xFFz\xE2", (3, b"az", Err(libc::EINVAL)), (3, b"az", Err(libc::EINVAL))),
    ("ASCII//IGNORE", "UTF-8", b"a\xE2\x98\x83z\xE2", (5, b"az", Err(libc::EINVAL)), (5, b"az", Err(libc::EILSEQ))),
    ("ASCII//NON_IDENTICAL_DISCARD", "UTF-8", b"a\xE2\x98\x83z", (5, b"az", Ok(1)), (1, b"a", Err(libc::EILSEQ))),
    ("ASCII//TRANSLIT//IGNORE", "UTF-8", b"a\xEE\x80\x80z", (5, b"az", Ok(1)), (5, b"a?z", Ok(1))),
];

fn answers(library: Library) -> Vec<(Called, Vec<u8>)> {
    let answer = |&(to, from, src, ..): &Row| {
        let mut room = [0; 64];
        let called = library.open(to, from).unwrap().convert(src, &mut room);
        (called, room[..called.written].to_vec())
    };
    ROWS.iter().map(answer).collect()
}

/// The environment belongs to the process, so each habit is tested in a separate run.
#[test]
fn each_habit_has_its_answers() {
    const HABIT: &str = "EACH_HABIT";
    if let Ok(habit) = env::var(HABIT) {
        for (row, (called, out)) in ROWS.iter().zip(answers(Library::ours())) {
            let (read, written, result) = if habit == "glibc" { row.4 } else { row.3 };
            assert_eq!((called.read, &*out, called.result), (read, written, result), "{} {habit}", row.0);
        }
        return;
    }
    for habit in ["posix", "glibc"] {
        let mut test = Command::new(env::current_exe().unwrap());
        test.args(["--exact", "beside::each_habit_has_its_answers"])
            .env(HABIT, habit)
            .env("PLACEMAT_ICONV", habit);
        let output = test.output().unwrap();
        assert!(output.status.success(), "{habit}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn glibc_answers_so_itself() {
    for (row, (called, out)) in ROWS.iter().zip(answers(Library::system())) {
        let (read, written, result) = row.4;
        assert_eq!((called.read, &*out, called.result), (read, written, result), "{}", row.0);
    }
}

#[test]
fn beyond_unicode_is_nothing_here() {
    let mut room = [0; 8];
    let beyond = b"\xF4\x90\x80\x80";
    let called = Library::ours().open("UCS-4", "UTF-8").unwrap().convert(beyond, &mut room);
    assert_eq!((called.read, called.written, called.result), (0, 0, Err(libc::EILSEQ)));
}

#[test]
fn the_page_names_every_row() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md")).unwrap();
    for (to, ..) in ROWS {
        let suffixes = to.split_once("//").map_or("no suffix", |(_, suffixes)| suffixes);
        assert!(page.contains(suffixes), "{suffixes}");
    }
}
