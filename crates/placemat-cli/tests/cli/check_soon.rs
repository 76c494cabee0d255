//! `check` reports errors as soon as it finds them and, on request, which files it did not read.

use std::io::{BufRead as _, BufReader, Write as _};
use std::sync::mpsc;
use std::time::Duration;

use crate::stage::{Stage, placemat};

/// Waits for a line that contains this, for as long as a slow machine may need.
fn wait_for(lines: &mpsc::Receiver<String>, text: &str) {
    loop {
        let line =
            lines.recv_timeout(Duration::from_secs(60)).unwrap_or_else(|_| panic!("{text} was not said"));
        if line.contains(text) {
            return;
        }
    }
}

fn lines_of(child: &mut std::process::Child) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    let out = BufReader::new(child.stdout.take().unwrap());
    std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    receiver
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

/// The content of a pipe is judged as a whole, as that of a file is.
#[test]
#[cfg(unix)]
fn a_pipe_that_ends_soon_is_one_line() {
    let text = "Привет, мир! Как дела сегодня?\n".repeat(20);
    // The letters have the same order in windows-1251 as in Unicode.
    let byte = |c: char| if c.is_ascii() { c as u8 } else { (u32::from(c) - 0x350) as u8 };
    let windows: Vec<u8> = text.chars().map(byte).collect();
    for args in [&["check"][..], &["check", "-"]] {
        let ran = placemat(args, &windows);
        let line = "<stdin>:1:1: 460 malformed sequences, looks like windows-1251 (99 %): placemat convert -f windows-1251\n";
        assert_eq!((ran.code, str::from_utf8(&ran.out)), (Some(1), Ok(line)), "{ran:?}");
    }
    // With -z too, packed or not.
    let zipped = gzip(&windows);
    let line = "<stdin>:1:1: 460 malformed sequences, looks like windows-1251 (99 %): placemat convert -z -f windows-1251\n";
    for bytes in [&windows, &zipped] {
        let ran = placemat(&["check", "-z"], bytes);
        assert_eq!((ran.code, str::from_utf8(&ran.out)), (Some(1), Ok(line)), "{ran:?}");
    }
    // What is cut off is reported once.
    let ran = placemat(&["check", "-z"], &zipped[..zipped.len() - 4]);
    let said =
        "placemat: <stdin>: the gzip data is cut off: the end of it is missing\n460 errors in 1 of 1 file\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), said));
}

#[test]
fn an_endless_stream_is_reported_error_by_error() {
    let stage = Stage::new();
    for (args, texts) in [
        (&["check", "--format=short", "-"][..], ["-:1:4", "-:3:1"]),
        (&["check", "--format=json", "-"], ["\"offset\":3,", "\"offset\":10,"]),
        (&["check", "-"], ["1:4", "3:1"]),
        (&["check", "--format=github", "-"], ["line=1,", "line=3,"]),
    ] {
        let mut child = stage.start(args);
        let mut stdin = child.stdin.take().unwrap();
        let lines = lines_of(&mut child);
        stdin.write_all(b"caf\xE9\nfine\n").unwrap();
        wait_for(&lines, texts[0].strip_prefix('-').unwrap_or(texts[0]));
        stdin.write_all(b"\xFF\n").unwrap();
        wait_for(&lines, texts[1].strip_prefix('-').unwrap_or(texts[1]));
        drop(stdin);
        assert_eq!(child.wait().unwrap().code(), Some(1));
    }
}

#[test]
#[cfg(unix)]
fn a_file_is_reported_while_the_next_one_is_waited_for() {
    let stage = Stage::new();
    stage.file("a.txt", b"caf\xE9\n");
    let made = std::process::Command::new("mkfifo").arg(stage.path("b")).status().unwrap();
    assert!(made.success());
    for format in ["json", "human", "paths", "short", "github"] {
        let mut child = stage.start(&["check", "--format", format, "a.txt", "b"]);
        let lines = lines_of(&mut child);
        wait_for(&lines, "a.txt");
        std::fs::write(stage.path("b"), b"fine\n").unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(1), "{format}");
    }
}

#[test]
fn the_answer_does_not_depend_on_how_a_stream_comes() {
    let stage = Stage::new();
    let text = b"caf\xE9\n\xE2\x82\n\xF0\x9F\x98\n\n\xED\xA0\xBD\xED\xB8\x80\ncaf\xC3\n\xA9\n\xE2\x82";
    let whole = stage.run_with(&["check", "--format=json", "-"], text).out;
    let mut child = stage.start(&["check", "--format=json", "-"]);
    let mut stdin = child.stdin.take().unwrap();
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        stdin.write_all(line).unwrap();
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(stdin);
    let slow = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(slow.stdout).unwrap(), whole);
}

#[test]
fn what_is_skipped_is_listed_with_the_reason() {
    let stage = Stage::new();
    stage.file("placemat.toml", "allow = ['known.txt']\n");
    stage.file(".gitignore", "*.log\ntarget/\n");
    stage.file("a.txt", "fine\n");
    stage.file("b.png", b"\0");
    stage.file("c.log", "c");
    stage.file("known.txt", b"\xFF");
    stage.file("target/deep/x.txt", "x");
    stage.file(".hidden/y.txt", "y");
    let ran = stage.run(&["check", "--skipped"]);
    let said = "placemat: .gitignore: skipped: hidden
placemat: b.png: skipped: binary
placemat: known.txt: skipped: allowed
placemat: c.log: skipped: ignored
placemat: target: skipped: ignored\n";
    assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), "", said));
    let ran = stage.run(&["check", "--skipped", "--format=json", "."]);
    let skipped: Vec<_> = ran.out.lines().filter(|line| line.starts_with(r#"{"type":"skipped""#)).collect();
    assert_eq!(skipped.len(), 5, "{ran:?}");
    assert_eq!(skipped[4], r#"{"type":"skipped","path":"./target","reason":"ignored"}"#);
    crate::schema::Schema::named("check").check(&ran.out);
    let ran = stage.run(&["check", "--skipped", "-g", "*.txt"]);
    assert!(ran.err.contains("placemat: b.png: skipped: ignored\n"), "{}", ran.err);
    assert_eq!(stage.run(&["check", "known.txt"]).quiet(), (0, ""));
    let ran = stage.run(&["check", "--skipped", "known.txt"]);
    assert_eq!(ran.err, "placemat: known.txt: skipped: allowed\n");
}
