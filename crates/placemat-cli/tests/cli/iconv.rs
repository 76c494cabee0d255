//! The command under the name `iconv`, with the exit codes and outputs of iconv(1).

use std::os::unix::fs::symlink;
use std::process::Command;

use crate::stage::{Ran, Stage};

/// Runs `iconv` in the folder of that stage, in a locale with that codeset.
fn iconv(stage: &Stage, args: &[&str], locale: &str) -> Ran<Vec<u8>> {
    let link = stage.path("iconv");
    if !link.exists() {
        symlink(env!("CARGO_BIN_EXE_placemat"), &link).unwrap();
    }
    let mut command = Command::new(link);
    command.args(args).current_dir(stage.path("")).env("LC_ALL", locale).env_remove("PLACEMAT_ICONV");
    let output = command.output().unwrap();
    Ran { code: output.status.code(), out: output.stdout, err: String::from_utf8(output.stderr).unwrap() }
}

#[test]
fn under_the_name_iconv_it_is_iconv() {
    let stage = Stage::new();
    stage.file("good", "aéb");
    stage.file("snow", "a☃b");
    stage.file("bad", b"a\xFFb");
    stage.file("short", b"ab\xC3");
    type Case = (&'static [&'static str], i32, &'static [u8], &'static str);
    let cases: [Case; 13] = [
        (&["-f", "utf-8", "-t", "latin1", "good"], 0, b"a\xE9b", ""),
        (&["-f", "utf-8", "-t", "ascii", "snow"], 1, b"a", "iconv: illegal input sequence at position 1\n"),
        (&["-s", "-f", "utf-8", "-t", "ascii", "snow"], 1, b"a", ""),
        (&["-f", "utf-8", "-t", "ascii", "bad"], 1, b"a", "iconv: illegal input sequence at position 1\n"),
        (&["-c", "-f", "utf-8", "-t", "ascii", "snow", "bad"], 1, b"abab", ""),
        (&["-f", "utf-8", "-t", "ascii//IGNORE", "snow"], 1, b"ab", ""),
        (&["-f", "utf-8", "-t", "ascii//TRANSLIT", "good"], 0, b"aeb", ""),
        (
            &["-f", "utf-8", "-t", "latin1", "short"],
            1,
            b"ab",
            "iconv: incomplete character or shift sequence at end of buffer\n",
        ),
        (&["-t", "utf-16be", "good"], 0, b"\0a\0\xE9\0b", ""),
        (&["-f", "latin1", "bad"], 0, "aÿb".as_bytes(), ""),
        (&["-f", "utf-8", "-t", "utf-16le", "good", "good"], 0, b"a\0\xE9\0b\0a\0\xE9\0b\0", ""),
        (&["-f", "utf-8", "-t", "latin1", "-o", "out", "good"], 0, b"", ""),
        (
            &["--from-code=utf-8", "--to-code=iso-2022-jp", "good"],
            1,
            b"a",
            "iconv: illegal input sequence at position 1\n",
        ),
    ];
    for (args, code, out, err) in cases {
        let ran = iconv(&stage, args, "C.UTF-8");
        assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(code), out, err), "{args:?}");
    }
    assert_eq!(stage.get("out"), b"a\xE9b");
    assert_eq!(iconv(&stage, &["-f", "utf-8", "good"], "de_DE.ISO-8859-1@euro").out, b"a\xE9b");
    assert_eq!(iconv(&stage, &["-f", "utf-8", "good"], "C").code, Some(1), "ASCII");
    let ran = iconv(&stage, &["-f", "utf-8", "-t", "no-such", "good"], "C");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.starts_with("iconv: unknown encoding \"no-such\""), "{}", ran.err);
    let short = iconv(&stage, &["--from", "utf-8", "--to=latin1", "good"], "C");
    assert_eq!((short.code, &*short.out), (Some(0), &b"a\xE9b"[..]), "as getopt_long has it");
    assert_eq!(iconv(&stage, &["--ver"], "C").code, Some(64), "--verbose or --version");
    assert_eq!(iconv(&stage, &["-f", "utf-8", "none"], "C").code, Some(1));
    assert_eq!(iconv(&stage, &["--wrong"], "C").code, Some(64), "as glibc's");
    let help = iconv(&stage, &["-?"], "C");
    assert_eq!((help.code, &help.out), (Some(0), &iconv(&stage, &["--help"], "C").out));
    let usage = iconv(&stage, &["--usage"], "C");
    let text = String::from_utf8(usage.out).unwrap();
    assert_eq!(usage.code, Some(0));
    assert!(
        text.starts_with("Usage: iconv [-f NAME|--from-code=NAME] ")
            && text.lines().all(|line| line.len() <= 80),
        "{text}"
    );
    assert!(text.contains(" [-c] ") && text.ends_with(" [FILE...]\n"), "{text}");
    let list = String::from_utf8(iconv(&stage, &["-l"], "C").out).unwrap();
    assert!(list.lines().any(|line| line == "KOI8-R//"), "{list}");
}

#[test]
fn iconv_reads_across_its_blocks() {
    let stage = Stage::new();
    let text = "aé漢😀".repeat(30_000);
    stage.file("long", &text);
    let there = iconv(&stage, &["-f", "utf-8", "-t", "utf-16", "-o", "wide", "long"], "C");
    assert_eq!(there.code, Some(0), "{}", there.err);
    let back = iconv(&stage, &["-f", "utf-16", "-t", "utf-8", "wide"], "C");
    assert_eq!((back.code, back.out == text.as_bytes()), (Some(0), true));
}
