//! `placemat explain`: screens as people see them, and what they never see.

use std::fs;
use std::path::Path;
use std::process::Command;

use unicode_width::UnicodeWidthStr as _;

use crate::stage::{Stage, placemat};

/// Each file in `tests/screens` is a command line and what it prints, escape sequences as `␛`. To take over a change that
/// is meant, run this with `UPDATE_SCREENS=1` and read the difference.
#[test]
fn screens_are_as_drawn() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/screens");
    let mut seen = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let drawn = fs::read_to_string(&path).unwrap();
        let line = drawn.lines().next().unwrap();
        if !line.contains("placemat explain") {
            continue;
        }
        let screen = format!("{line}\n{}", screen(line));
        if std::env::var_os("UPDATE_SCREENS").is_some() {
            fs::write(&path, &screen).unwrap();
        } else {
            assert_eq!(drawn, screen, "{}", path.display());
        }
        seen += 1;
    }
    assert!(seen >= 8);
}

/// What `$ COLUMNS=80 placemat explain …` prints.
fn screen(line: &str) -> String {
    let words = words(line.strip_prefix("$ ").unwrap());
    let columns = words[0].strip_prefix("COLUMNS=").unwrap();
    let ended = command(&words[2..], columns).output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{line}");
    String::from_utf8(ended.stdout).unwrap().replace('\u{1B}', "␛")
}

/// Words of a shell, of which some stand in single quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (n, part) in line.split('\'').enumerate() {
        if n % 2 == 1 {
            words.last_mut().unwrap().push_str(part);
            continue;
        }
        for (m, word) in part.split(' ').enumerate() {
            if m > 0 {
                words.push(String::new());
            }
            words.last_mut().unwrap().push_str(word);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn command(args: &[impl AsRef<std::ffi::OsStr>], columns: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_placemat"));
    command.args(args).env("COLUMNS", columns).env_remove("NO_COLOR");
    command
}

#[cfg(unix)]
#[test]
fn an_argument_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt as _;
    let bytes = std::ffi::OsStr::from_bytes(b"caf\xE9");
    let out = command(&[std::ffi::OsStr::new("explain"), bytes], "80").output().unwrap();
    let out = String::from_utf8(out.stdout).unwrap();
    assert!(out.starts_with("4 bytes, 3 characters: malformed utf-8, 1 error\n"), "{out}");
    assert!(out.contains("“é” in windows-1252"), "{out}");
}

#[test]
fn a_fault_among_lines_says_which() {
    let ended = placemat(&["explain", "-f", "utf-16", "--hex", "FE FF 00 0A 00 41 D8 00 00 41"], "");
    let out = String::from_utf8(ended.out).unwrap();
    assert!(out.contains("✗ surrogate at byte 6, line 2, column 2: D8 00\n"), "{out}");
}

#[test]
fn standard_input_is_explained_when_nothing_is_given() {
    let ended = placemat(&["explain"], "€");
    assert_eq!(ended.code, Some(0));
    assert!(String::from_utf8(ended.out).unwrap().contains("EURO SIGN"));
}

#[test]
fn what_cannot_be_read_is_a_usage_error() {
    for (args, message) in [
        (&["--hex", "E2 8G"][..], "--hex: character 5, “G”, is no hexadecimal digit"),
        (&["--octal", "342 999"], "--octal: character 5, “9”, is no octal digit"),
        (&["--binary", "11100012"], "--binary: character 8, “2”, is no binary digit"),
        (&["--code-point", "U+D800"], "--code-point: utf-8 cannot carry U+D800"),
        (&["--code-point", "euro"], "--code-point: “euro” is not a code point"),
        (&["--from", "utf-9", "x"], "did you mean utf-8?"),
        (&["--file", "missing"], "missing: No such file"),
        (&["--offset", "3", "text"], "--offset N is about a --file"),
        (&["--table", "utf-16", "--format", "json"], "utf-16 has no such table"),
        (&["--table", "--verdicts"], "cannot be used with"),
    ] {
        let ended = placemat(&[&["explain"], args].concat(), "");
        assert_eq!(ended.code, Some(2), "{args:?}");
        assert!(ended.err.contains(message), "{args:?}: {}", ended.err);
        assert!(ended.out.is_empty(), "{args:?}");
    }
}

#[test]
fn a_window_shows_the_byte_and_what_is_around_it() {
    let stage = Stage::new();
    let mut text = "€".repeat(1000).into_bytes();
    text[1501] = b'?';
    stage.file("f", &text);
    let ended = stage.run_on(&["explain", "--file", "f", "--offset", "1501"], "");
    let out = String::from_utf8(ended.out).unwrap();
    assert_eq!(ended.code, Some(0), "{}", ended.err);
    assert!(out.starts_with("From byte 1485: 33 bytes, "), "{out}");
    assert!(out.contains("1501   3F   63  077  0 0111111  ?   U+003F QUESTION MARK  ← here"), "{out}");
    assert!(out.contains("✗ missing-continuation at byte 1500: E2"), "{out}");
    let ended = stage.run_on(&["explain", "--file", "f", "--offset", "3000"], "");
    assert_eq!((ended.code, ended.err.as_str()), (Some(2), "placemat: f: there is no byte 3000\n"));
}

#[test]
fn nothing_hostile_is_shown() {
    let hostile = "\u{1B}[31m<script>\u{202E}\u{9B}1m\u{FEFF}\u{200B}\u{E0041}\u{7}&amp;'\"";
    for format in ["human", "html", "json"] {
        for more in [&["--steps"][..], &["--verdicts"], &["-f", "windows-1252"], &["-f", "utf-16le"]] {
            let args = [&["explain", "--color", "never", "--format", format], more, &["-"]].concat();
            let ended = placemat(&args, hostile);
            let out = String::from_utf8(ended.out).unwrap();
            let bad = |c: char| {
                c.is_control() && c != '\n'
                    || matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}')
            };
            assert_eq!(out.find(bad), None, "{args:?}: {out}");
            assert!(format != "html" || !out.contains("<script"), "{args:?}");
        }
    }
}

#[test]
fn no_line_is_wider_than_the_screen() {
    let inputs: [&[u8]; 4] = [
        "Ça va 日本? \u{1F600}\u{301}\n".as_bytes(),
        b"\xC0\xAF\xED\xA0\xBD\xED\xB8\x80\xFF\xF8\x88\x80\x80\x80\xE2\x82",
        &[0xFF; 60],
        "\u{E000}\u{202E}\u{1}".as_bytes(),
    ];
    for columns in [72, 80, 120] {
        for more in
            [&["explain", "--color", "never"][..], &["explain", "--verdicts"], &["explain", "--table"]]
        {
            for input in inputs {
                let mut args = more.to_vec();
                if !more.contains(&"--table") {
                    args.push("-");
                }
                let stage = Stage::new();
                let input = fs::File::open(stage.file("in", input)).unwrap();
                let out =
                    stage.command(&args).env("COLUMNS", columns.to_string()).stdin(input).output().unwrap();
                let out = String::from_utf8(out.stdout).unwrap();
                assert!(!out.is_empty());
                for line in out.lines() {
                    assert!(line.width() <= columns, "{columns} {args:?}: {line}");
                }
            }
        }
    }
}

#[test]
fn objects_cover_the_input() {
    let ended = placemat(&["explain", "--format", "json"], b"a\xC3\xA9\xC0\xAF\xFF");
    let out = String::from_utf8(ended.out).unwrap();
    let objects: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let items: Vec<(u64, u64, &str)> = objects
        .iter()
        .filter_map(|o| Some((o["offset"].as_u64()?, o["length"].as_u64()?, o["type"].as_str()?)))
        .collect();
    assert_eq!(items, [(0, 1, "character"), (1, 2, "character"), (3, 2, "fault"), (5, 1, "fault")]);
    assert_eq!(objects.iter().filter(|o| o["type"] == "verdict").count(), placemat::Form::ALL.len());
    let summary = objects.last().unwrap();
    assert_eq!((&summary["characters"], &summary["errors"]), (&2.into(), &3.into()));
}

#[cfg(unix)]
#[test]
fn a_byte_of_a_pipe_is_explained_as_one_of_a_file() {
    let stage = Stage::new();
    let text = "€".repeat(1000);
    stage.file("f", &text);
    for offset in ["0", "3", "1501", "2999"] {
        let of_file = stage.run(&["explain", "--file", "f", "--offset", offset]);
        let of_pipe =
            stage.run_with(&["explain", "--file", "/dev/stdin", "--offset", offset], text.as_bytes());
        assert_eq!(of_pipe.quiet(), of_file.quiet(), "{offset}");
    }
    let ran = stage.run_with(&["explain", "--file", "/dev/stdin", "--offset", "3000"], text.as_bytes());
    assert_eq!(ran.err, "placemat: /dev/stdin: there is no byte 3000\n");
}

#[test]
fn half_a_byte_is_refused() {
    let ran = Stage::new().run(&["explain", "--hex", "E2 8"]);
    assert_eq!((ran.code, &*ran.out), (Some(2), ""));
    assert!(ran.err.contains("the digit at character 4 is half a byte"), "{}", ran.err);
}
