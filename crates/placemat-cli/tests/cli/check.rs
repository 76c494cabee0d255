//! `placemat check`: what is found, and how it is reported.

use placemat::Form;
use placemat::offsets::Offsets;

use crate::stage::Stage;
/// Faults of several kinds.
pub(super) const LETTER: &[u8] = b"fine\ncaf\xE9! \xE2\x82\n\xC0\xAF \xED\xA0\xBD\xED\xB8\x80\xFF";

#[test]
fn nothing_is_said_of_clean_files() {
    let stage = Stage::new();
    stage.file("a.txt", "naïve \u{1F600}\n");
    stage.file("empty.txt", "");
    stage.file("marked.txt", "\u{FEFF}mark");
    assert_eq!(stage.run(&["check", "."]).quiet(), (0, ""));
    assert_eq!(stage.run(&["check"]).quiet(), (0, ""));
    assert_eq!(stage.run(&["check", "a.txt", "empty.txt"]).quiet(), (0, ""));
}

#[test]
fn people_see_the_line_around_each_error() {
    let stage = Stage::new();
    stage.file("letter.txt", LETTER);
    let ran = stage.run(&["check", "letter.txt"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.out, include_str!("screens/letter.txt"));
    assert_eq!(ran.err, "11 errors in 1 of 1 file\n");
}

#[test]
fn a_long_line_is_cut_to_the_width_with_the_error_in_sight() {
    let stage = Stage::new();
    let mut long = "\u{65E5}\u{672C}\t".repeat(300).into_bytes();
    long.push(0xFF);
    long.extend("é".repeat(3000).into_bytes());
    stage.file("long.txt", &long);
    let ran = stage.run(&["check", "long.txt"]);
    assert_eq!(ran.out, include_str!("screens/long.txt"));
}

#[test]
fn programs_read_one_object_a_line() {
    let stage = Stage::new();
    stage.file("a.txt", b"caf\xE9!");
    stage.file("b.txt", "clean");
    let ran = stage.run(&["check", "--format", "json", "."]);
    let expected = concat!(
        r#"{"type":"error","path":"./a.txt","form":"utf-8","offset":3,"length":1,"line":1,"column":4,"#,
        r#""kind":"missing-continuation","bytes":"E9","hint":{"form":"windows-1252","text":"é"}}"#,
        "\n",
        r#"{"type":"file","path":"./a.txt","form":"utf-8","bytes":5,"errors":1,"looks_like":{"encoding":"windows-1252","confidence":0.603}}"#,
        "\n",
        r#"{"type":"summary","files":2,"files_with_errors":1,"files_skipped":0,"errors":1,"bytes":10,"schema":2}"#,
        "\n",
    );
    assert_eq!(ran.quiet(), (1, expected));
}

#[test]
fn the_summary_comes_even_when_there_is_nothing() {
    let stage = Stage::new();
    let summary = r#"{"type":"summary","files":0,"files_with_errors":0,"files_skipped":0,"errors":0,"bytes":0,"schema":2}"#;
    assert_eq!(stage.run(&["check", "--format=json"]).quiet(), (0, &*format!("{summary}\n")));
}

#[test]
fn counts_and_paths_are_lines() {
    let stage = Stage::new();
    stage.file("a.txt", b"\xFF\xFF");
    stage.file("b.txt", "clean");
    stage.file("c.txt", b"\x80");
    assert_eq!(stage.run(&["check", "--count"]).quiet(), (1, "a.txt:2\nc.txt:1\n"));
    assert_eq!(stage.run(&["check", "--count", "--format", "human"]).quiet(), (1, "a.txt:2\nc.txt:1\n"));
    let json = "\
{\"type\":\"file\",\"path\":\"a.txt\",\"form\":\"utf-8\",\"bytes\":2,\"errors\":2}
{\"type\":\"file\",\"path\":\"c.txt\",\"form\":\"utf-8\",\"bytes\":1,\"errors\":1}
{\"type\":\"summary\",\"files\":3,\"files_with_errors\":2,\"files_skipped\":0,\"errors\":3,\"bytes\":8,\"schema\":2}
";
    assert_eq!(stage.run(&["check", "--count", "--format", "json"]).quiet(), (1, json));
    assert_eq!(stage.run(&["check", "--format", "paths"]).quiet(), (1, "a.txt\nc.txt\n"));
    assert_eq!(stage.run(&["check", "--format", "paths", "-0"]).quiet(), (1, "a.txt\0c.txt\0"));
}

#[test]
fn only_so_many_errors_are_shown_but_all_are_counted() {
    let stage = Stage::new();
    stage.file("a.txt", [0xFF; 2500]);
    let lines = |args: &[&str]| {
        let out = stage.run(args).out;
        out.lines().filter(|line| line.contains("invalid-byte")).count()
    };
    assert_eq!(lines(&["check", "a.txt"]), 10);
    assert_eq!(lines(&["check", "--max-errors", "3", "a.txt"]), 3);
    assert_eq!(lines(&["check", "--format", "json", "a.txt"]), 1000);
    assert_eq!(lines(&["check", "--format", "json", "--max-errors", "2400", "a.txt"]), 2400);
    let ran = stage.run(&["check", "--max-errors", "0", "a.txt"]);
    assert_eq!(ran.out, "a.txt: 2,500 more errors not shown, 2,500 in all\n\n");
    assert_eq!(ran.err, "2,500 errors in 1 of 1 file\n");
    assert_eq!(stage.run(&["check", "--count", "a.txt"]).out, "a.txt:2500\n");
}

#[test]
fn a_file_that_announces_another_form_is_one_error() {
    let stage = Stage::new();
    let utf16: Vec<u8> = "\u{FEFF}Grüße".encode_utf16().flat_map(u16::to_le_bytes).collect();
    stage.file("utf16.txt", &utf16);
    let ran = stage.run(&["check", "--format", "json"]);
    let expected = concat!(
        r#"{"type":"error","path":"utf16.txt","form":"utf-8","offset":0,"length":2,"line":1,"column":1,"#,
        r#""kind":"invalid-byte","bytes":"FF FE","hint":{"form":"utf-16le","text":"\ufeff"}}"#,
    );
    assert_eq!(ran.out.lines().next(), Some(expected));
    assert!(stage.run_with(&["check", "-"], &utf16).out.contains("check it as utf-16le: -f utf-16le"));
    assert_eq!(stage.run(&["check", "-f", "utf-16", "utf16.txt"]).quiet(), (0, ""));
    // With -f utf-8 the file is read as UTF-8, whatever its byte order mark says.
    assert_eq!(stage.run(&["check", "-f", "utf-8", "--count"]).out, "utf16.txt:4\n");
}

#[test]
fn legacy_encodings_are_checked_to_the_byte() {
    let stage = Stage::new();
    // The second byte of 表 is a backslash. Then come an unassigned byte and a character that is cut off.
    let text = b"\x95\x5C\n\x93\xFA\xFF\x96{\n\x93";
    stage.file("a.txt", text);
    let ran = stage.run(&["check", "-f", "shift_jis", "--format", "json", "a.txt"]);
    let expected = concat!(
        r#"{"type":"error","path":"a.txt","form":"shift_jis","offset":5,"length":1,"line":2,"column":2,"#,
        r#""kind":"invalid-byte","bytes":"FF","hint":null}"#,
        "\n",
        r#"{"type":"error","path":"a.txt","form":"shift_jis","offset":9,"length":1,"line":3,"column":1,"#,
        r#""kind":"truncated","bytes":"93","hint":null}"#,
        "\n",
        r#"{"type":"file","path":"a.txt","form":"shift_jis","bytes":10,"errors":2}"#,
    );
    assert!(ran.out.starts_with(expected), "{} {}", ran.out, ran.err);
    let human = stage.run(&["check", "-f", "shift_jis", "a.txt"]).out;
    assert!(human.contains("  2 | 日<FF>本\n    |   ^^^^\n"), "{human}");

    // Bytes after an error are read again: each has its own column.
    let human = stage.run_with(&["check", "-f", "gb18030", "-"], b"\x81\x30\x81\x20").out;
    assert!(human.contains("  1 | <81>0<81> \n    |      ^^^^\n"), "{human}");
    let human = stage.run_with(&["check", "-f", "iso-2022-jp", "-"], b"a\x1B$(~\xFF").out;
    assert!(human.contains("  1 | a<1B>$(~<FF>\n    |         ^^^^\n"), "{human}");

    // Wherever a block of the input ends, and however far the errors are apart.
    let long = [&b"\x93\xFA\x96{"[..], &b"\xFF\x93\xFA\n"[..]].concat().repeat(50_000);
    let piped = stage.run_with(&["check", "-f", "sjis", "--format=json", "--max-errors=60000", "-"], &long);
    let offsets: Vec<_> = piped.out.lines().filter_map(|line| line.split(r#""offset":"#).nth(1)).collect();
    let right = offsets.iter().zip(0..).filter(|(line, n)| {
        line.starts_with(&format!(r#"{},"length":1,"line":{},"column":3,"#, n * 8 + 4, n + 1))
    });
    assert_eq!(right.count(), 50_000);
}

#[test]
fn a_name_that_means_nothing_is_answered_with_one_that_does() {
    let stage = Stage::new();
    let error = |args: &[&str]| {
        let ran = stage.run(args);
        assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{args:?}");
        ran.err
    };
    for command in ["check", "count", "explain"] {
        let said = error(&[command, "-f", "shfit_jis"]);
        assert!(said.contains("did you mean") && said.contains("`placemat forms` lists"), "{said}");
    }
    assert!(error(&["check", "-f", "iso-2022-kr"]).contains("past filters"));
    assert!(
        error(&["check", "-f", "latin-1", "--labels", "iana"]).contains("lenient takes it for iso-8859-1")
    );
    assert!(error(&["explain", "--table", "gbk"]).contains("convert -f gbk"));
    assert_eq!(stage.run(&["check", "-f", "latin-1", "."]).quiet(), (0, ""));
}

#[test]
fn lines_and_columns_are_those_of_the_form() {
    let stage = Stage::new();
    // U+0A0A is no line feed; then a lone surrogate in the second line.
    let units = [0x0A0A_u16, 0x000A, 0x00E9, 0xDC00, 0x0041];
    stage.file("a.txt", units.map(u16::to_le_bytes).concat());
    let out = stage.run(&["check", "-f", "utf-16le", "--format", "json", "a.txt"]).out;
    assert!(
        out.contains(r#""offset":6,"length":2,"line":2,"column":2,"kind":"surrogate","bytes":"00 DC""#),
        "{out}"
    );
    let human = stage.run(&["check", "-f", "utf-16le", "a.txt"]).out;
    assert!(human.contains("  2 | é<00><DC>A\n    |  ^^^^^^^^"), "{human}");
}

#[test]
fn only_the_first_mark_takes_no_column() {
    let stage = Stage::new();
    type Row<'a> = (&'a str, &'a [u8], &'a [u8], &'a [u8]);
    let rows: [Row<'_>; 9] = [
        ("utf-8", b"\xEF\xBB\xBF", b"a", b"\xFF"),
        ("utf-8/bom", b"\xEF\xBB\xBF", b"a", b"\xFF"),
        ("cesu-8", b"\xEF\xBB\xBF", b"a", b"\xFF"),
        ("utf-16", b"\xFF\xFE", b"a\0", b"\0\xD8a\0"),
        ("utf-16/web", b"\xFE\xFF", b"\0a", b"\xD8\0\0a"),
        ("utf-16le", b"\xFF\xFE", b"a\0", b"\0\xD8a\0"),
        ("utf-32", b"\0\0\xFE\xFF", b"\0\0\0a", b"\0\0\xD8\0"),
        ("utf-32le", b"\xFF\xFE\0\0", b"a\0\0\0", b"\0\xD8\0\0"),
        ("gb18030", b"\x84\x31\x95\x33", b"a", b"\xFF"),
    ];
    for (form, mark, a, bad) in rows {
        for (text, column) in [(mark, 1), (&[mark, mark].concat(), 2), (&[mark, a, mark].concat(), 3)] {
            let bytes = [text, bad].concat();
            stage.file("a", &bytes);
            let checked = stage.run(&["check", "-f", form, "--format", "json", "a"]).out;
            assert!(checked.contains(&format!(r#""line":1,"column":{column},"#)), "{form}: {checked}");
            let converted = stage.run_on(&["convert", "-f", form, "a"], "").err;
            assert!(converted.starts_with(&format!("placemat: a:1:{column}: ")), "{form}: {converted}");
            if let Some(form) = Form::named(form) {
                let place = Offsets::new(form, &bytes).at_source(text.len());
                assert_eq!((place.line, place.column), (1, column), "{form}");
            }
        }
    }
}

#[test]
fn bad_usage_is_trouble() {
    let stage = Stage::new();
    for args in [
        &["check", "--format", "xml"][..],
        &["check", "-f", "no-such-form"],
        &["check", "--count", "--format", "sarif"],
        &["check", "--jobs", "0"],
        &["check", "--cpu", "z80"],
        &["check", "-g", "{a"],
        &["check", "--files-from", "missing"],
        &["check", "--files-from", "."],
    ] {
        let ran = stage.run(args);
        assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{args:?}");
        assert_ne!(ran.err, "", "{args:?}");
    }
}

#[test]
fn sarif_is_one_log() {
    let stage = Stage::new();
    stage.file("a b.txt", b"caf\xE9!");
    let out = stage.run(&["check", "--format=sarif", "a b.txt"]).out;
    let log: serde_json::Value = serde_json::from_str(&out).unwrap();
    let run = &log["runs"][0];
    assert_eq!((&log["version"], &run["columnKind"]), (&"2.1.0".into(), &"unicodeCodePoints".into()));
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "missing-continuation");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a%20b.txt");
    let region = serde_json::json!({
        "startLine": 1, "startColumn": 4, "endColumn": 5, "byteOffset": 3, "byteLength": 1
    });
    assert_eq!(place["region"], region);
    let clean = stage.run(&["check", "--format=sarif", "-g", "!*.txt"]);
    let log: serde_json::Value = serde_json::from_str(&clean.out).unwrap();
    assert_eq!((clean.code, &log["runs"][0]["results"]), (Some(0), &serde_json::json!([])));
}

#[test]
fn annotations_are_workflow_commands() {
    let stage = Stage::new();
    stage.file("a.txt", b"caf\xE9!");
    let expected = "::error file=a.txt,line=1,col=4,title=missing-continuation::E9 begins a sequence of 3 bytes, \
                    but 21 cannot follow; expected a byte from 80 to BF; in windows-1252 it is é (U+00E9) (byte 3)\n";
    assert_eq!(stage.run(&["check", "--format=github", "a.txt"]).quiet(), (1, expected));
}

#[test]
fn carets_fit_a_narrow_terminal() {
    let stage = Stage::new();
    stage.file("a", b"a long line before caf\xE9 and a long line behind\n");
    let output = stage.command(&["check", "a"]).env("COLUMNS", "20").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = said.lines().filter(|line| line.contains("<E9>") || line.contains("^^^^")).collect();
    assert_eq!(lines.len(), 2, "{said}");
    assert!(lines.iter().all(|line| line.chars().count() <= 20), "{said}");
    for args in [
        &["detect"][..],
        &["survey"],
        &["repair", "--diff"],
        &["explain", "--file"],
        &["check", "--mojibake"],
    ] {
        let ran = stage.command(args).arg("a").env("COLUMNS", "1").output().unwrap();
        assert!(ran.status.code().is_some_and(|code| code < 2), "{args:?}: {ran:?}");
    }
}

#[test]
fn one_is_not_many() {
    let stage = Stage::new();
    stage.file("a", b"\xFF\xFF");
    let github = stage.run(&["check", "--format=github", "--max-errors=1", "a"]).out;
    assert!(github.ends_with("::1 more error in this file\n"), "{github}");
    let survey = stage.run(&["survey", "a"]).out;
    assert!(survey.contains("0 of 1 file is well-formed UTF-8"), "{survey}");
}

#[test]
fn an_end_of_line_between_kanji_ends_no_line() {
    let input = b"\x1B$BF|\nK\\\xFF8l\x1B(Bcd\n";
    let ended = Stage::new().run_with(&["check", "-f", "iso-2022-jp", "-"], input);
    assert_eq!(ended.out.matches("1 | 日<0A>本<FF>語cd").count(), 2, "{ended:?}");
}

#[test]
fn excerpts_of_long_lines_begin_with_a_character() {
    let stage = Stage::new();
    let shown = |form, long: &[u8], times: usize, end: &[u8]| {
        stage.file("a", [&long.repeat(times), end].concat());
        let out = stage.run(&["check", "-f", form, "a"]).out;
        out.lines().nth(2).unwrap_or_default().to_owned()
    };
    // The bytes fit other encodings too. One or two bytes precede the error, and other errors come before.
    for (form, kanji) in [
        ("euc-jp", &b"\xB4\xC1\xBB\xFA"[..]),
        ("shift_jis", b"\x8A\xBF\x8E\x9A"),
        ("big5", b"\xBA\x7E\xA6\x72"),
        ("gbk", b"\x9D\x68\xD7\xD6"),
    ] {
        let kanji_before = |at| format!("{}{at}", "漢字".repeat(12));
        for before in ["x", "xy", "xyz", ""] {
            let line = shown(form, kanji, 600, &[before.as_bytes(), b"\xFF ok\n"].concat());
            let around = format!("{before}<FF> ok");
            assert!(line.contains(&kanji_before(around)), "{form}: {line}");
            assert!(!line.contains("><") && line.matches('<').count() == 1, "{form}: {line}");
        }
    }
    // Nothing in the window says what these are.
    let line =
        shown("iso-2022-jp", b"\x1B$B", 1, &[&b"F|K\\".repeat(400), &b"\xFF8l\x1B(Bcd\n"[..]].concat());
    assert!(line.contains("<46><7C><4B><5C><FF><38><6C>cd"), "{line}");
}

#[test]
fn what_is_wrong_and_what_was_expected_is_true_of_the_form() {
    for (form, bytes, wrong, expected) in [
        ("ucs-4be", &b"\0\0\0"[..], "the input ends after 00 00 00", "the rest of a unit of 4 bytes"),
        ("utf-16be", b"\0a\0", "the input ends after 00", "the rest of a unit of 2 bytes"),
        ("utf-16be", b"\xD8\x3D", "the input ends after D8 3D", "the rest of a surrogate pair"),
        ("utf-16be", b"\xD8\x3D\0a", "D8 3D is a surrogate that stands alone", "a high surrogate"),
        ("utf-32be", b"\0\0\xD8\x3D", "00 00 D8 3D is a surrogate, which utf-32be lacks", ""),
        (
            "utf-8-rfc2279",
            b"\xED\xA0\x80",
            "ED begins a surrogate, which utf-8-rfc2279 lacks",
            "80..9F after ED",
        ),
        ("cesu-8", b"\xED", "the input ends after ED, inside a sequence", "80..BF after ED"),
        (
            "cesu-8",
            b"\xED\xA0\xBDa",
            "ED A0 BD is a surrogate that stands alone",
            "ED B0..BF 80..BF after ED A0 BD",
        ),
        ("mutf-8", b"\xC0\x81", "C0 is longer than the value needs", "80 after C0"),
        ("utf-1", b"\xA1", "the input ends after A1", "21..7E, A0..FF after A1"),
        ("fss-utf-1992-07", b"\x80", "the input ends after 80", "80..FF after 80"),
        ("wtf-8", b"\xED\xA0\xBD\xED\xB8\x80", "ED A0 BD ED B8 80 has the right value", "F0 9F 98 80"),
        ("mutf-8", b"\0", "", "C0 80"),
        ("us-ascii", b"\x80", "80 occurs nowhere in us-ascii", "00..7F"),
    ] {
        let said = Stage::new().run_with(&["check", "-f", form, "-"], bytes).out;
        assert!(said.contains("<stdin>:1:") && said.contains(wrong), "{said}");
        assert_eq!(said.contains("expected"), !expected.is_empty(), "{said}");
        assert!(said.contains(&format!("expected {expected}")) || expected.is_empty(), "{said}");
    }
}

/// A catalogue that declares ISO-8859-3 and is UTF-8, in every format. Only a contradiction is reported.
#[test]
fn what_a_file_says_of_itself_is_compared_with_what_it_is() {
    let stage = Stage::new();
    let head = "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=ISO-8859-3\\n\"\n\n";
    let text = format!("{head}msgid \"a\"\nmsgstr \"ħobż\"\n");
    stage.file("mt.po", &text);
    stage.file("ascii.po", head);
    stage.file("docs.md", "Write `<meta charset=latin1>` — or better not.\n");
    stage.file("page.html", "<!doctype html><meta charset=utf-8><p>—\n");
    stage.file("template.xml", "<?xml version='1.0' encoding='@ENCODING@'?>\n<a>—</a>\n");
    let human = stage.run(&["check"]);
    let expected = "\
mt.po:3:36: the file says that it is ISO-8859-3, and is utf-8
    | byte 54: 49 53 4F 2D 38 38 35 39 2D 33 (declared-encoding)
  3 | \"Content-Type: text/plain; charset=ISO-8859-3\\n\"
    |                                    ^ expected utf-8, or no name

";
    assert_eq!((human.code, &*human.out), (Some(1), expected));
    let json = stage.run(&["check", "--format", "json"]).out;
    assert!(
        json.contains(r#""offset":54,"length":10,"line":3,"column":36,"kind":"declared-encoding""#),
        "{json}"
    );
    assert!(json.contains(r#""errors":1}"#) && json.lines().count() == 3, "{json}");
    let github = stage.run(&["check", "--format", "github"]).out;
    assert!(github.starts_with("::error file=mt.po,line=3,col=36,title=declared-encoding::"), "{github}");
    let sarif = stage.run(&["check", "--format", "sarif"]).out;
    assert!(sarif.contains(r#""ruleId":"declared-encoding""#), "{sarif}");
    assert_eq!(stage.run(&["check", "--count"]).quiet(), (1, "mt.po:1\n"));
    // With -f, or with a rule, the declaration of a file is not read.
    assert_eq!(stage.run(&["check", "-f", "utf-8"]).quiet(), (0, ""));
    let file = std::fs::File::open(stage.path("mt.po")).unwrap();
    let output = stage.command(&["check"]).stdin(file).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected.replace("mt.po", "<stdin>"));
    stage.file("placemat.toml", "[[rule]]\nfiles = [\"*.po\"]\nform = \"utf-8\"\n");
    assert_eq!(stage.run(&["check"]).quiet(), (0, ""));
    // A contradiction is reported beside malformed sequences too, but not in a file that declares the right encoding.
    stage.file("placemat.toml", "");
    stage.file("mt.po", [text.as_bytes(), "żħċ ".repeat(9).as_bytes(), b"\xFF"].concat());
    assert_eq!(stage.run(&["check", "--count"]).quiet(), (1, "mt.po:2\n"));
    let right = encoding_rs::ISO_8859_3.encode(&format!("{head}msgid \"ħobż ħobż ġġċ\"\n")).0.into_owned();
    stage.file("mt.po", &right);
    let ended = stage.run(&["check", "--format", "json"]);
    assert!(!ended.out.contains("declared-encoding") && ended.out.contains("iso-8859-3"), "{}", ended.out);
}
