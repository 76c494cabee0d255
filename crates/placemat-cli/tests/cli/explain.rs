//! `placemat explain`: screens as people see them, and what they never see.

use std::fs;
use std::path::Path;
use std::process::Command;

use unicode_width::UnicodeWidthStr as _;

use crate::schema::Schema;
use crate::stage::{Stage, placemat};

/// Each file in `tests/screens` is a command line and what it prints, escape sequences as `␛`. To accept an intended
/// change, run this with `UPDATE_SCREENS=1` and read the difference.
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

/// The words of a shell command, some of them in single quotes.
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

#[test]
fn json_follows_its_schema() {
    let schema = Schema::named("explain");
    let check = |args: &[&str]| {
        let out = command(&[&["explain", "--format=json"], args].concat(), "80").output().unwrap();
        assert_eq!(out.status.code(), Some(0), "{args:?}");
        schema.check(&String::from_utf8(out.stdout).unwrap());
    };
    check(&["--hex", ""]);
    check(&["--hex", "EF BB BF 41 E2 82 AC C0 AF ED A0 BD ED B8 80 80 F4 90 80 80 F8 88 80 80 80 E2 82"]);
    check(&["--hex", "FF FE 41 00 00 D8 01", "-f", "utf-16"]);
    check(&["--hex", "FD BF BF BF BF BF ED A0 80 00", "-f", "utf-8-rfc2279/surrogates"]);
    check(&["+AOk-+AOk", "-f", "utf-7"]);
    check(&["--verdicts", "caf\u{E9}"]);
    for form in ["utf-8", "cesu-8", "mutf-8", "utf-1", "fss-utf-1992-07", "us-ascii", "windows-1252"] {
        check(&["--table", form]);
    }
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
        (&["--octal", "777"], "--octal: “777” at character 1 is more than a byte\n"),
        (&["--octal", "-1"], "--octal: character 1, “-”, is no octal digit\n"),
        (&["--binary", "1110 001"], "--binary: 1110001 is part of a byte"),
        (
            &["--code-point", "D83D DE00"],
            "--code-point: utf-8 cannot carry U+D83D; utf-8/surrogates can: -f utf-8/surrogates\n",
        ),
        (&["--code-point", "euro"], "--code-point: “euro” is not a code point"),
        (&["--from", "utf-9", "x"], "did you mean utf-8?"),
        (&["--file", "missing"], "missing: No such file"),
        (&["--offset", "3", "text"], "--offset N needs --file"),
        (&["--offset", "-1", "--file", "f"], "invalid value '-1' for '--offset <N>'"),
        (&["--table", "utf-16"], "utf-16 has no such table"),
        (&["--table", "--from", "utf-7", "--html"], "utf-7 has no such table"),
        (&["--table", "utf-16", "--format", "json"], "utf-16 has no such table"),
        (&["--table", "utf-1", "--from", "utf-8"], "--table and --from both name a form"),
        (&["--table", "--verdicts"], "cannot be used with"),
        (&["--table", "--steps"], "cannot be used with"),
        (&["--table", "--limit", "3"], "cannot be used with"),
        (&["--table", "--offset", "3"], "cannot be used with"),
        (&["--verdicts", "--limit", "3", "x"], "cannot be used with"),
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
    let verdicts = ["explain", "--verdicts", "--file", "f", "--offset", "1501"];
    let out = stage.run(&verdicts).out;
    assert!(out.contains("too-large at byte 1485 "), "{out}");
    let out = stage.run(&[&verdicts[..], &["--format", "json"]].concat()).out;
    let verdict = out.lines().find(|line| line.contains("\"us-ascii\"")).unwrap();
    assert!(verdict.contains("\"offset\":1485"), "{verdict}");
    for (limit, shown) in [("1", &[1501][..]), ("3", &[1500, 1501, 1502])] {
        let args = ["explain", "--file", "f", "--offset", "1501", "--limit", limit, "--format", "json"];
        let out = stage.run(&args).out;
        let objects = out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let items = objects.filter(|object| object["type"] == "character" || object["type"] == "fault");
        assert!(items.map(|object| object["offset"].as_u64().unwrap()).eq(shown.iter().copied()), "{out}");
    }
    let ended = stage.run_on(&["explain", "--file", "f", "--offset", "3000"], "");
    assert_eq!(
        (ended.code, ended.err.as_str()),
        (Some(2), "placemat: f: there is no byte 3000: it has 3,000 bytes\n")
    );
}

/// The line of the byte that was asked about, and the title.
fn around(stage: &Stage, form: &str, name: &str, offset: &str) -> (String, String) {
    let of_file = stage.run(&["explain", "-f", form, "--file", name, "--offset", offset]);
    let of_input =
        stage.run_with(&["explain", "-f", form, "--file", "-", "--offset", offset], &stage.get(name));
    assert_eq!(of_file.quiet(), of_input.quiet());
    let (_, out) = of_file.quiet();
    let here = out.lines().find(|line| line.ends_with("← here")).unwrap();
    (out.lines().next().unwrap().to_owned(), here.trim().to_owned())
}

#[test]
fn a_window_is_read_as_its_file_is() {
    let stage = Stage::new();
    let text = "hello \u{FEFF}\u{FFFE}world ".repeat(10);
    for (target, form, offset, read_as) in [
        ("utf-16le", "utf-16", "60", "utf-16le"),
        ("utf-32le", "utf-32", "100", "utf-32le"),
        ("utf-8", "utf-8/bom", "60", "utf-8"),
    ] {
        let form_of = |name| placemat::Form::named(name).unwrap();
        let marked = format!("\u{FEFF}{text}");
        stage.file("f", placemat::convert(placemat::Form::Utf8, form_of(target), marked.as_bytes()).unwrap());
        let (title, _) = around(&stage, form, "f", offset);
        assert!(title.ends_with(&format!(": well-formed {read_as}")), "{form}: {title}");
        let out = stage.run(&["explain", "-f", form, "--file", "f", "--offset", offset]).out;
        assert!(
            out.contains("ZERO WIDTH NO-BREAK SPACE") && !out.contains("Byte order mark:"),
            "{form}: {out}"
        );
    }
    // In the middle of base64.
    let japanese = "日本語テキスト".repeat(12);
    stage.file(
        "7",
        placemat::convert(placemat::Form::Utf8, placemat::Form::Utf7, japanese.as_bytes()).unwrap(),
    );
    let out = stage.run(&["explain", "-f", "utf-7", "--file", "7", "--offset", "80", "--format", "json"]).out;
    let names: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut names =
        names.iter().filter(|object| object["type"] == "character").map(|o| o["text"].as_str().unwrap());
    assert!(names.all(|c| japanese.contains(c)), "{out}");
}

#[test]
fn every_byte_that_there_is_can_be_asked_for() {
    let stage = Stage::new();
    for (form, content) in [("utf-7", "+AOk-"), ("utf-7-imap", "&AOk-x"), ("utf-7", "+ZeVnLIqe-")] {
        stage.file("f", content);
        for (n, byte) in content.bytes().enumerate() {
            let (_, here) = around(&stage, form, "f", &n.to_string());
            assert!(here.starts_with(&format!("{n}   {byte:02X} ")), "{form} {n}: {here}");
        }
    }
    for offset in ["10", "1000000000000000000", "18446744073709551615"] {
        for form in ["utf-8", "utf-7"] {
            let ran = stage.run(&["explain", "-f", form, "--file", "f", "--offset", offset]);
            assert_eq!(ran.err, format!("placemat: f: there is no byte {offset}: it has 10 bytes\n"));
            assert_eq!((ran.code, &*ran.out), (Some(2), ""));
        }
    }
    let ran = stage.run_with(&["explain", "--file", "-", "--offset", "3"], b"abc");
    assert_eq!(
        (ran.code, &*ran.err),
        (Some(2), "placemat: standard input: there is no byte 3: it has 3 bytes\n")
    );
    let piped = stage.run_with(&["explain", "--file", "-"], "€".as_bytes());
    assert_eq!(piped.quiet(), stage.run(&["explain", "€"]).quiet());
}

#[test]
fn a_table_is_of_the_form_that_is_named() {
    let stage = Stage::new();
    let named = stage.run(&["explain", "--table", "utf-1"]);
    assert_eq!(stage.run(&["explain", "--table", "-f", "utf-1"]).quiet(), named.quiet());
    assert!(named.out.contains("21..7E, A0..FF"), "{}", named.out);
    let objects = stage.run(&["explain", "--table", "-f", "utf-1", "--format", "json"]).out;
    let row: serde_json::Value = serde_json::from_str(objects.lines().nth(0xA1).unwrap()).unwrap();
    assert_eq!(row["second"], serde_json::json!([["21", "7E"], ["A0", "FF"]]));
}

#[test]
fn bits_may_stand_as_they_are_shown() {
    let stage = Stage::new();
    let euro = stage.run(&["explain", "--hex", "E2 82 AC"]);
    let bits = stage.run(&["explain", "--binary", "1110 0010 10 000010 10 101100"]);
    assert_eq!(bits.quiet(), euro.quiet());
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
    let text = "né\n".repeat(100_000);
    stage.file("f", &text);
    for line in ["1", "2:2", "70000:1"] {
        let of_file = stage.run(&["explain", "--file", "f", "--line", line]);
        for file in ["-", "/dev/stdin"] {
            let of_pipe = stage.run_with(&["explain", "--file", file, "--line", line], text.as_bytes());
            assert_eq!(of_pipe.quiet(), of_file.quiet(), "{file} {line}");
        }
    }
    let ran = stage.run_with(&["explain", "--file", "-", "--line", "9:1"], b"text");
    assert_eq!(ran.err, "placemat: standard input: there is no line 9: the last is 1\n");
    let ran = stage.run_with(&["explain", "--file", "-", "--offset", "9"], b"t");
    assert_eq!(ran.err, "placemat: standard input: there is no byte 9: it has 1 byte\n");
    for line in ["100001", "100002"] {
        let ran = stage.run(&["explain", "--file", "f", "--line", line]);
        assert_eq!(ran.err, format!("placemat: f: there is no line {line}: the last is 100000\n"));
    }
}

#[test]
fn half_a_byte_is_refused() {
    let ran = Stage::new().run(&["explain", "--hex", "E2 8"]);
    assert_eq!((ran.code, &*ran.out), (Some(2), ""));
    assert!(ran.err.contains("the digit at character 4 is half a byte"), "{}", ran.err);
}

/// What `explain` says of the arguments, as JSON, and on standard error.
fn characters(stage: &Stage, args: &[&str]) -> (String, String) {
    let ended = stage.run(&[&["explain", "--format", "json"], args].concat());
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let lines = ended.out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let names = lines.filter_map(|line| line["code_point"].as_str().map(str::to_owned));
    let names = names.collect::<Vec<_>>().join(" ");
    assert!(names.starts_with("U+"), "{}", ended.out);
    (names, ended.err)
}

#[test]
fn escapes_are_read_when_asked_for() {
    let stage = Stage::new();
    for (kind, text) in [
        ("json", r"caf\u00e9"),
        ("perl", r"caf\x{e9}"),
        ("url", "caf%C3%A9"),
        ("quoted-printable", "caf=C3=A9"),
        ("encoded-word", "=?utf-8?Q?caf=C3=A9?="),
        ("html", "caf&#233;"),
        ("base64", "Y2Fmw6k="),
        ("python", r"b'caf\xc3\xa9'"),
        ("c", r#""caf\303\251""#),
        ("rust", r"caf\u{e9}"),
        ("hexdump", "00000000  63 61 66 c3 a9                                    |caf..|"),
    ] {
        let (named, err) = characters(&stage, &[&format!("--escapes={kind}"), text]);
        assert_eq!(err, "", "{text}");
        let (guessed, err) = characters(&stage, &["--escapes", text]);
        assert_eq!((&guessed, &*err), (&named, &*format!("placemat: read as {kind}\n")), "{text}");
        let (expected, _) = characters(&stage, &["café"]);
        assert_eq!(named, expected, "{text}");
    }
    // Encoded words say what their bytes are in, unless --from says so.
    for named in ["windows-1252", "ISO-8859-1*fr", "windows-1252?q?c?= =?WINDOWS-1252"] {
        let word = format!("=?{named}?q?af=E9?=");
        let (seen, err) = characters(&stage, &["--escapes=encoded-word", &word]);
        assert!(seen.ends_with("U+0066 U+00E9"), "{word}: {seen} {err}");
    }
    assert_eq!(
        characters(&stage, &["--escapes=encoded-word", "-f", "koi8-r", "=?utf-8?q?=C1?="]).0,
        "U+0430"
    );
    let (java, _) = characters(&stage, &["--escapes=java", r"caf\u00e9"]);
    assert_eq!(java, characters(&stage, &["café"]).0);
    for (kind, text) in
        [("url", "caf%C3%A9\n"), ("url", "caf%C3%A9\r\n"), ("quoted-printable", "caf=C3=A9=\r\n")]
    {
        stage.file("a.txt", text);
        assert_eq!(
            characters(&stage, &[&format!("--escapes={kind}"), "--file", "a.txt"]).0,
            java,
            "{text:?}"
        );
    }
    let ended = stage.run_with(&["explain", "--escapes"], b"caf%C3%A9\n");
    assert!(ended.out.contains('é') && ended.err == "placemat: read as url\n", "{ended:?}");
    for bad in [
        &["--escapes=json", r"\u12"][..],
        &["--escapes", "plain words"],
        &["--escapes", "U+00E9"],
        &["--escapes=nothing", "a"],
        &["--escapes", "--hex", "41"],
        &["--escapes=c", r"\x123"],
        &["--escapes=encoded-word", "=?utf-9?q?=C1?="],
    ] {
        assert_eq!(stage.run(&[&["explain"], bad].concat()).code, Some(2), "{bad:?}");
    }
}

#[test]
fn the_name_of_a_file_is_explained_as_text_with_a_line_of_advice() {
    let stage = Stage::new();
    stage.file("it's.txt", "");
    let ended = stage.run(&["explain", "it's.txt"]);
    let said = "explained as plain text; to explain the file of that name: placemat explain --file";
    assert_eq!(ended.err, format!("placemat: {said} 'it'\\''s.txt'\n"));
    assert_eq!(ended.out, stage.run_with(&["explain"], b"it's.txt").out);
    assert_eq!(stage.run(&["explain", "its.txt"]).err, "");
}

#[test]
fn escapes_stay_as_they_are_with_a_line_of_advice() {
    let stage = Stage::new();
    for text in [r"it's caf\u00e9", "caf%C3%A9", "caf&eacute;", r"b'caf\xe9'", "U+00E9", "U+0065 U+00E9"] {
        let ended = stage.run(&["explain", text]);
        let (said, command) = ended.err.trim_end().split_once(": placemat explain ").expect(&ended.err);
        assert!(
            said.starts_with("placemat: explained as plain text") && ended.err.lines().count() == 1,
            "{}",
            ended.err
        );
        assert!(!ended.out.contains('é'), "{}", ended.out);
        // The advice is followed literally.
        let line = format!("\"$0\" explain {command}");
        let mut shell = Command::new("bash");
        let ran = shell.args(["-c", &line, env!("CARGO_BIN_EXE_placemat")]).output().unwrap();
        let out = String::from_utf8(ran.stdout).unwrap();
        assert!(ran.status.success() && (out.contains('é') || out.contains("E9")), "{command}: {out}");
    }
    for text in ["café", "a=10", "50 % off", "Y2Fmw6k=", "100 %25", r"C:\new", "1234 5678", "AT&T"] {
        assert_eq!(stage.run(&["explain", text]).err, "", "{text}");
    }
}

#[test]
fn a_place_is_named_by_line_and_column() {
    let stage = Stage::new();
    stage.file("a.txt", "né\ncafé \u{FFFD}\n");
    let at = |args: &[&str]| stage.run(&[&["explain", "--file", "a.txt"], args].concat());
    assert_eq!(at(&["--line", "2:4"]).out, at(&["--offset", "7"]).out);
    assert_eq!(at(&["--line", "2"]).out, at(&["--offset", "4"]).out);
    // As `check` counts.
    stage.file("a.txt", b"na\xC3\xAFve\ncaf\xE9!\n");
    assert!(stage.run(&["check", "a.txt"]).out.starts_with("a.txt:2:4: "));
    assert_eq!(at(&["--line", "2:4"]).out, at(&["--offset", "10"]).out);
    for bad in ["9:1", "2:99", "0:1", "1:0", "x", "1:x", ""] {
        assert_eq!(at(&["--line", bad]).code, Some(2), "{bad}");
    }
    assert_eq!(at(&["--line", "1:1", "--offset", "1"]).code, Some(2));
    assert_eq!(stage.run(&["explain", "--line", "1:1", "text"]).code, Some(2));
}

#[test]
fn legacy_encodings_are_shown_as_utf8() {
    let stage = Stage::new();
    let (seen, err) = characters(&stage, &["-f", "windows-1250", "--hex", "9C 62"]);
    assert_eq!((seen, &*err), (characters(&stage, &["śb"]).0, "placemat: windows-1250, shown as UTF-8\n"));
    let (seen, _) = characters(&stage, &["-f", "shift_jis", "--hex", "93 FA"]);
    assert_eq!(seen, characters(&stage, &["日"]).0);
    // After a malformed sequence the rest is read, as in the forms.
    let (seen, err) = characters(&stage, &["-f", "shift_jis", "--hex", "93 FA FF 41 81"]);
    assert_eq!(seen, characters(&stage, &["日\u{FFFD}A\u{FFFD}"]).0);
    let said = "placemat: byte 2: FF is malformed shift_jis, shown as U+FFFD
placemat: byte 4: 81 is malformed shift_jis, shown as U+FFFD
placemat: shift_jis, shown as UTF-8\n";
    assert_eq!(err, said);
    assert_eq!(stage.run(&["explain", "-f", "shift_jis", "--code-point", "U+65E5"]).code, Some(2));
}
