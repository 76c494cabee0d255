//! `placemat count`.

use crate::stage::Stage;

#[test]
fn a_table_with_a_total() {
    let stage = Stage::new();
    stage.file("a.txt", "né\u{1F600}\n");
    stage.file("b.txt", b"\xFFx\n\n");
    let expected = "    lines code points       bytes UTF-16 units  errors  utf-16le
        1           4           8            5       0        10  a.txt
        2           4           4            4       1         8  b.txt
        3           8          12            9       1        18  total
";
    assert_eq!(stage.run(&["count", "-t", "utf-16le", "b.txt", "a.txt"]).quiet(), (0, expected));
}

/// In sentences. Columns are read by programs, too.
#[test]
fn counts_have_commas_between_thousands() {
    let stage = Stage::new();
    let good = "Grüße aus Köln\n".repeat(2_000);
    stage.file("a.txt", [good.as_bytes(), &b"caf\xE9\n".repeat(1_277)].concat());
    for args in [
        &["check", "a.txt"][..],
        &["check", "--format", "short", "--max-errors", "0", "a.txt"],
        &["check", "--format", "github", "--max-errors", "0", "a.txt"],
        &["check", "--write-baseline", "known.json", "a.txt"],
        &["detect", "-v", "a.txt"],
        &["repair", "--dry-run", "a.txt"],
        &["convert", "--on-error", "replace", "a.txt", "-o", "out"],
    ] {
        let ended = stage.run(args);
        let said = ended.out + &ended.err;
        assert!(said.contains("1,277 ") && !said.contains("1277"), "{args:?}: {said}");
    }
    stage.file("b.txt", "\u{200B}\n".repeat(1_277));
    let ended = stage.run(&["repair", "--invisible", "--dry-run", "b.txt"]);
    assert!(ended.out.contains("1,277 × zero-width removed"), "{}", ended.out);
    assert!(stage.run(&["count", "b.txt"]).out.contains("    1277        2554"));
}

#[test]
fn standard_input_is_the_default() {
    let stage = Stage::new();
    let ran = stage.run_with(&["count", "--format=json", "-f", "utf-16be"], b"\0a\xD8\x3D\xDE\x00\0\n\0");
    let expected = concat!(
        r#"{"type":"file","path":"-","form":"utf-16be","lines":1,"code_points":4,"bytes":9,"utf16_units":5,"errors":1}"#,
        "\n",
        r#"{"type":"summary","files":1,"files_skipped":0,"lines":1,"code_points":4,"bytes":9,"utf16_units":5,"errors":1,"schema":1}"#,
        "\n",
    );
    assert_eq!(ran.quiet(), (0, expected));
}

#[test]
fn what_a_form_lacks_takes_the_room_of_its_stand_in() {
    let stage = Stage::new();
    let ran = stage.run_with(&["count", "--format=json", "-t", "iso-8859-1"], "3 €\u{1F600}".as_bytes());
    assert!(ran.out.contains(r#""errors":0,"length":4}"#), "{}", ran.out);
}

#[test]
fn legacy_encodings_are_counted_on_either_side() {
    let stage = Stage::new();
    // "日本" and an unassigned byte, in Shift_JIS: four bytes in EUC-JP, and `?`.
    let ran = stage.run_with(&["count", "--format=json", "-f", "sjis", "-t", "euc-jp"], b"\x93\xFA\x96{\xFF");
    let expected = concat!(
        r#"{"type":"file","path":"-","form":"shift_jis","lines":0,"code_points":3,"bytes":5,"utf16_units":3,"#,
        r#""errors":1,"length":5}"#,
    );
    assert_eq!(ran.out.lines().next(), Some(expected), "{}", ran.err);
    let gbk = stage.run_with(&["count", "--format=json", "-t", "gbk"], "汉字 a".as_bytes());
    assert!(gbk.out.contains(r#""length":6}"#), "{}", gbk.out);
}

#[test]
fn what_utf16_lacks_is_one_unit() {
    let text = b"\0\x11\0\0\0\0\xD8\0\x7F\xFF\xFF\xFF\0\x10\xFF\xFF";
    let ran = Stage::new().run_with(&["count", "-f", "ucs-4be", "-t", "utf-16be", "--format=json"], text);
    assert!(ran.quiet().1.contains(r#""utf16_units":5,"errors":0,"length":10}"#), "{}", ran.out);
}

#[test]
fn what_was_skipped_in_a_tree_is_said() {
    let stage = Stage::new();
    stage.file("a.txt", "a\n");
    stage.file("b.dat", b"\0\0");
    assert_eq!(stage.run(&["count", "."]).err, "1 file, 1 skipped\n");
    assert_eq!(stage.run(&["count", "--format=json", "."]).err, "");
    assert_eq!(stage.run(&["count", "a.txt"]).err, "");
}

#[test]
fn escapes_of_bytes_are_no_errors() {
    let text = b"caf\xC3\xA9 \xE9\xED\xB2\x80\n";
    for form in ["utf-8b", "utf-8b/python"] {
        let counted = Stage::new().run_with(&["count", "-f", form, "--format=json"], text);
        let expected = r#""lines":1,"code_points":10,"bytes":11,"utf16_units":10,"errors":0}"#;
        assert!(counted.quiet().1.lines().next().unwrap().ends_with(expected), "{}", counted.out);
        assert_eq!(Stage::new().run_with(&["check", "-f", form], text).quiet(), (0, ""));
    }
}
