//! `repair --csv`, `--jsonl`, `--sql` and `--nul`: fields are repaired, and what is between them is not changed.

use std::fs;

use crate::stage::{Stage, placemat};

/// The output, the messages and the exit code.
#[track_caller]
fn repaired(args: &[&str], input: &[u8]) -> (String, String, Option<i32>) {
    let ended = placemat(&[&["repair"], args].concat(), input);
    (
        String::from_utf8(ended.out).unwrap(),
        ended.err.trim_end().replace("placemat: <stdin>: ", ""),
        ended.code,
    )
}

#[test]
fn each_structure_is_mended_field_by_field() {
    let good = "Où sont les cafés ? À l'été, déjà, ça va, très gêné.";
    let cases: [(&str, &[u8], &[u8]); 4] = [
        ("--csv", b",\"x \"\"caf\xE9\"\"\"\r\n", ",\"x \"\"café\"\"\"\r\n".as_bytes()),
        ("--csv=|", b",x|caf\xE9|\n", ",x|café|\n".as_bytes()),
        ("--csv=tab", b"\tcaf\xE9\n", "\tcafé\n".as_bytes()),
        ("--csv=tab", b"\tcafe\n", b"\tcafe\n"),
    ];
    for (option, bad, expected) in cases {
        let (out, _, code) = repaired(&[option], &[good.as_bytes(), bad].concat());
        assert_eq!((out.as_bytes(), code), (&*[good.as_bytes(), expected].concat(), Some(0)), "{option}");
    }
    let (out, said, _) = repaired(&["--jsonl", "--mojibake"], br#"{"a": "caf\u00c3\u00a9", "b": "\ud83d"}"#);
    assert_eq!(out, r#"{"a": "caf\u00e9", "b": "\ufffd"}"#);
    assert_eq!(said, "1 lone surrogate replaced by U+FFFD, 1 run of mojibake undone (windows-1252)");
    let dump = [b"COPY t (a, b) FROM stdin;\n1\t", good.as_bytes(), b"\n\\N\tcaf\xE9\\\\\n\\.\n"].concat();
    assert!(repaired(&["--sql"], &dump).0.ends_with("\n\\N\tcafé\\\\\n\\.\n"));
    let dump =
        [b"INSERT INTO t VALUES ('", good.replace('\'', "''").as_bytes(), b"','caf\xE9\\');\n"].concat();
    assert!(repaired(&["--sql=sqlite"], &dump).0.ends_with("','café\\');\n"));
    let refused = repaired(&["--sql=mysql"], &dump).1;
    assert!(refused.starts_with("line 1: a string, or a name in quotes, does not end; "), "{refused}");
}

#[test]
fn what_does_not_parse_is_refused_and_left() {
    let stage = Stage::new();
    fs::write(stage.path("a.csv"), b"a\n1,\"caf\xE9\n").unwrap();
    let ended = stage.run(&["repair", "--csv", "--lossy", "--in-place", "a.csv"]);
    assert_eq!(
        (ended.code, &*ended.err),
        (Some(1), "placemat: a.csv: line 2: a field in quotes does not end\n")
    );
    assert_eq!(fs::read(stage.path("a.csv")).unwrap(), b"a\n1,\"caf\xE9\n");
    assert_eq!(repaired(&["--jsonl"], b"{}\n{\n").0, "");
    // The first statement decides, not what a text says.
    let dump = b"PRAGMA foreign_keys=OFF;\nINSERT INTO t VALUES('-- MySQL dump \xE9','C:\\');\n";
    assert_eq!(
        repaired(&["--sql", "--mend", "windows-1252"], dump).0,
        "PRAGMA foreign_keys=OFF;\nINSERT INTO t VALUES('-- MySQL dump é','C:\\');\n"
    );
    let (_, said, code) = repaired(&["--sql"], b"SELECT 1;\n");
    assert_eq!(
        (&*said, code),
        (
            "the dump does not say which database wrote it: choose --sql=postgres, --sql=mysql or --sql=sqlite",
            Some(1)
        )
    );
    let (_, said, code) = repaired(&["--csv"], b"\xFF\xFEa\0,\0");
    assert_eq!((&*said, code), ("looks like utf-16le: placemat convert -f utf-16", Some(1)));
    assert_eq!(repaired(&["--csv=\""], b"").2, Some(2));
    assert_eq!(repaired(&["--sql=oracle"], b"").2, Some(2));
}

#[test]
fn a_report_has_the_row_and_undoes_it() {
    let stage = Stage::new();
    let json = "{\"é\": \"Noël à l'été\"}\n{\"é\": \"cafÃ©\"}\n{\"é\": \"naïve caf\\u00c3\\u00a9\"}\n";
    fs::write(stage.path("a.jsonl"), json).unwrap();
    let dry = stage.run(&["repair", "--jsonl", "--mojibake", "--dry-run", "a.jsonl"]);
    assert_eq!(dry.code, Some(1), "{dry:?}");
    let ended =
        stage.run(&["repair", "--jsonl", "--mojibake", "--in-place", "--report", "r.json", "a.jsonl"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let report = fs::read_to_string(stage.path("r.json")).unwrap();
    assert!(report.contains(r#""rule":"mojibake","via":["windows-1252"],"row":3,"field":2}"#), "{report}");
    let mended = json.replace("cafÃ©", "café").replace("\\u00c3\\u00a9", "\\u00e9");
    assert_eq!(fs::read_to_string(stage.path("a.jsonl")).unwrap(), mended);
    stage.run(&["repair", "--undo", "r.json"]);
    assert_eq!(fs::read_to_string(stage.path("a.jsonl")).unwrap(), json);
}

#[test]
fn a_file_that_only_the_repair_would_break_is_refused() {
    let stage = Stage::new();
    let json = "{\"café\": 1, \"cafÃ©\": 2}\n";
    stage.file("a.jsonl", json);
    stage.file("b.jsonl", "{}\n");
    for target in ["--in-place", "--dry-run", "--diff"] {
        let ended = stage.run(&["repair", "--jsonl", "--mojibake", target, "a.jsonl", "b.jsonl"]);
        assert_eq!(ended.code, Some(1), "{target}");
        assert_eq!(
            ended.err,
            "placemat: a.jsonl: line 1: after the repair, two keys of the object are equal: one of their values would be lost\n\
             placemat: files: 1 well-formed, 1 refused\n"
        );
    }
    assert_eq!(fs::read_to_string(stage.path("a.jsonl")).unwrap(), json);
    assert_eq!(repaired(&["--jsonl", "--mojibake"], json.as_bytes()).2, Some(1));
}

#[test]
fn nul_is_left_out_or_replaced_when_asked() {
    assert_eq!(repaired(&["--nul", "skip"], b"a\0b\n").0, "ab\n");
    assert_eq!(repaired(&["--nul", "replace"], b"a\0b\n").0, "a\u{FFFD}b\n");
    assert_eq!(repaired(&[], b"a\0b\n").0, "a\0b\n");
    let (out, said, code) = repaired(&["--jsonl", "--nul", "skip"], br#"["a\u0000b"]"#);
    assert_eq!((&*out, &*said, code), (r#"["ab"]"#, "1 × U+0000 left out", Some(0)));
    assert_eq!(repaired(&["--sql=mysql", "--nul", "skip"], br"SELECT 'a\0b';").0, "SELECT 'ab';");
}

#[test]
fn the_advice_for_a_mixed_file_keeps_the_structure() {
    let stage = Stage::new();
    for (option, delimiter) in
        [("--csv", ','), ("--csv=tab", '\t'), ("--csv='|'", '|'), ("--csv=\"'\"", '\'')]
    {
        let good = format!("1{delimiter}Zażółć gęślą jaźń.\n2{delimiter}");
        stage.file("a.csv", [good.as_bytes(), b"\xC8\xD5\xB1\xBE\n"].concat());
        let typed = format!("--csv={delimiter}");
        let refused = stage.run(&["repair", &typed, "a.csv"]);
        let advice = format!("placemat repair {option} --mend gb18030 a.csv\n");
        assert!(refused.code == Some(1) && refused.err.ends_with(&advice), "{refused:?}");
        let mended = stage.run(&["repair", &typed, "--mend", "gb18030", "a.csv"]);
        assert_eq!((mended.code, mended.out), (Some(0), format!("{good}日本\n")));
    }
}

#[test]
fn what_is_advised_reads_the_same_structure() {
    let good = "été à la plage";
    let cases = [
        ("--csv=\u{1f}", " --csv=$'\\x1f'", "1\u{1f}", "\n"),
        ("--csv=;", " --csv=';'", "1;", "\n"),
        ("--sql=mysql", " --sql=mysql", "INSERT INTO t VALUES (1,'", "');\n"),
        ("--sql=postgres", " --sql=postgres", "INSERT INTO t VALUES (1,'", "');\n"),
        ("--sql=sqlite", " --sql=sqlite", "INSERT INTO t VALUES (1,'", "');\n"),
    ];
    for (option, advised, before, behind) in cases {
        let row = |text: &[u8]| [before.as_bytes(), text, behind.as_bytes()].concat();
        let input = [row(good.as_bytes()).repeat(120), row(b"\xD6\xDC"), row(b"\xFC")].concat();
        let (out, said, code) = repaired(&[option], &input);
        assert_eq!((&*out, code), ("", Some(1)), "{option}");
        assert!(said.contains(&format!(": placemat repair{advised} --mend ")), "{option}: {said}");
    }
}

/// The second byte of 表 in Shift_JIS is a backslash. With the n behind it, it became a line feed.
#[test]
fn a_backslash_that_may_be_half_a_character_is_refused_with_advice() {
    let stage = Stage::new();
    let shift_jis = |text: &str| encoding_rs::SHIFT_JIS.encode(text).0.into_owned();
    let good = "{\"a\":\"ここは東京の天気予報です\"}\n".repeat(20);
    let row = "{\"a\":\"一覧表news\"}\n";
    let mixed = [good.as_bytes(), &shift_jis(row)].concat();
    stage.file("mixed.jsonl", &mixed);
    let refused =
        stage.run(&["repair", "--in-place", "--lossy", "--jsonl", "--mend", "shift_jis", "mixed.jsonl"]);
    let advice = "if only parts are, repair it as plain text, not field by field";
    assert!(refused.code != Some(0) && refused.err.contains(advice), "{refused:?}");
    assert!(
        refused.err.contains("line 21: a backslash or quote may be half a character here; "),
        "{refused:?}"
    );
    assert_eq!(stage.get("mixed.jsonl"), mixed);
    let plain = stage.run(&["repair", "--mend", "shift_jis", "mixed.jsonl"]);
    assert_eq!((plain.code, plain.out), (Some(0), format!("{good}{row}")));

    for (option, row) in [
        ("--jsonl", "{\"a\":\"ソフトの一覧表です\"}\n"),
        ("--sql=mysql", "INSERT INTO t VALUES ('ソフトの一覧表news');\n"),
    ] {
        stage.file("all", shift_jis(row).repeat(20));
        let refused = stage.run(&["repair", option, "all"]);
        let advice = "looks like shift_jis: placemat convert -f shift_jis all\n";
        assert!(refused.code == Some(1) && refused.err.ends_with(advice), "{refused:?}");
    }
}
