//! `placemat survey`.

use std::io::Write as _;

use crate::schema::Schema;
use crate::stage::Stage;

/// A tree with one file of each kind: ASCII, UTF-8 with a byte order mark, broken UTF-8, CESU-8, UTF-16, two legacy encodings, no text.
fn mixed() -> Stage {
    let stage = Stage::new();
    stage.file("ascii.txt", "one\ntwo\n");
    stage.file("marked.txt", "\u{FEFF}naïve façade\r\n");
    stage.file(
        "broken.txt",
        "crème brûlée à la carte, déjà vu\n".bytes().chain(*b"\xE9 \xED\xA0\x80\n").collect::<Vec<u8>>(),
    );
    stage.file("cesu.txt", b"\xED\xA0\xBD\xED\xB8\x80 \xED\xA0\xBD\xED\xB8\x81");
    stage.file("wide.txt", b"\xFF\xFEa\0\x16\x04\n\0\x00\xD8\n\0");
    let cyrillic =
        b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xDD\xF2\xEE \xF1\xF2\xE0\xF0\xFB\xE9 \xF4\xE0\xE9\xEB.\n";
    stage.file("old/russian.txt", cyrillic);
    stage.file(
        "old/japanese.txt",
        b"\x93\xFA\x96\x7B\x8C\xEA\x82\xCC\x83\x65\x83\x4C\x83\x58\x83\x67\x82\xC5\x82\xB7\x81\x42\r",
    );
    stage.file("picture.dat", b"\x89PNG\0\0\0");
    stage
}

#[test]
fn json_tells_all_of_a_mixed_tree() {
    let stage = mixed();
    let ran = stage.run(&["survey", "--format=json"]);
    let expected = include_str!("screens/survey.json");
    assert_eq!(ran.quiet(), (0, expected));
    for jobs in ["1", "7"] {
        assert_eq!(stage.run(&["survey", "--format=json", "-j", jobs]).out, expected);
    }
}

#[test]
fn json_follows_its_schema() {
    let (schema, stage) = (Schema::named("survey"), mixed());
    schema.check(&stage.run(&["survey", "--format=json"]).out);
    stage.file("a.jsonl", "{\"t\":\"caf\u{E9}\"}\n{\n");
    schema.check(&stage.run(&["survey", "--format=json", "--jsonl", "t"]).out);
    schema.check(&Stage::new().run(&["survey", "--format=json"]).out);
}

#[test]
fn kinds_of_invisible_characters_are_counted_in_any_encoding() {
    let stage = Stage::new();
    let hidden = "pass\u{200B}word, \u{1B}[0m and\u{E0068}\u{E0069}\n\u{200E}in the line before: שלום\n";
    stage.file("a.txt", hidden);
    stage.file("b.txt", hidden.repeat(9000));
    let units: Vec<u16> = ["\u{FEFF}", hidden].concat().encode_utf16().collect();
    stage.file("c.txt", units.iter().flat_map(|unit| unit.to_le_bytes()).collect::<Vec<u8>>());
    let whole = stage.run(&["survey", "--format=json"]).out;
    let expected = [("tag-payload", 9002), ("zero-width", 9002), ("control", 9002)]
        .map(|(kind, n)| format!(r#"{{"kind":"{kind}","texts":3,"findings":{n}}}"#));
    assert!(whole.contains(&format!(r#""invisible":[{}]"#, expected.join(","))), "{whole}");
    Schema::named("survey").check(&whole);
    let merge = ["survey", "--merge", "--format=json"];
    assert_eq!(stage.run_with(&merge, whole.as_bytes()).quiet(), (0, &*whole));
    // A survey of an earlier version, which did not count them.
    let start = whole.find(r#""invisible""#).unwrap();
    let end = whole.find(r#""worst""#).unwrap();
    let older = [&whole[..start], &whole[end..]].concat();
    assert!(stage.run_with(&merge, older.as_bytes()).out.contains(r#""invisible":[],"#));
    let table = stage.run(&["survey", "--html", "page.html"]).out;
    assert!(table.contains("Invisible characters") && table.contains("zero-width"), "{table}");
    assert!(String::from_utf8(stage.get("page.html")).unwrap().contains("Invisible characters"));
    let unknown = whole.replace("tag-payload", "tag-cloud");
    assert!(
        stage
            .run_with(&merge, unknown.as_bytes())
            .err
            .contains("unknown kind of invisible character: tag-cloud")
    );
}

#[test]
fn verdicts_that_name_no_encoding_are_merged() {
    let stage = Stage::new();
    stage.file("a", "text\n");
    let whole = stage.run(&["survey", "--format=json", "a"]).out;
    for verdict in ["unknown", "several encodings", "binary"] {
        let survey = whole.replace("us-ascii", verdict);
        let merged = stage.run_with(&["survey", "--merge", "--format=json"], survey.as_bytes());
        assert_eq!(merged.quiet(), (0, &*survey));
    }
}

#[test]
fn a_survey_of_a_schema_that_is_not_known_is_not_merged() {
    let stage = mixed();
    let whole = stage.run(&["survey", "--format=json"]).out;
    let merged = |survey: &str| stage.run_with(&["survey", "--merge", "--format=json"], survey.as_bytes());
    let old = whole.replace(",\"schema\":1", "");
    assert!(old != whole && merged(&old).quiet() == (0, &*whole));
    let ran = merged(&whole.replace("\"schema\":1", "\"schema\":2"));
    assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(2), "", "placemat: <stdin>: unknown schema: 2\n"));
}

#[test]
fn a_table_of_80_columns() {
    let ran = mixed().run(&["survey"]);
    assert_eq!(ran.quiet(), (0, include_str!("screens/survey.txt")));
    for line in ran.out.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn an_empty_tree_has_nothing() {
    let stage = Stage::new();
    let none = concat!(
        r#"{"type":"survey","files":0,"files_skipped":0,"files_failed":0,"texts":0,"texts_well_formed_utf8":0,"#,
        r#""bytes":0,"code_points":0,"errors":0,"encodings":[],"line_endings":[],"scripts":[],"error_kinds":[],"#,
        r#""dialects":[],"invisible":[],"worst":[],"schema":1}"#,
        "\n"
    );
    assert_eq!(stage.run(&["survey", "--format=json"]).quiet(), (0, none));
    assert_eq!(
        stage.run(&["survey", "--html", "page.html"]).quiet(),
        (0, "0 files, 0 bytes, 0 code points\n")
    );
    assert!(std::fs::read_to_string(stage.path("page.html")).unwrap().ends_with("</html>\n"));
}

#[test]
fn standard_input_and_a_file_that_is_missing() {
    let ran = Stage::new().run_with(&["survey", "-", "gone.txt", "--format=json"], "né".as_bytes());
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.starts_with("placemat: gone.txt: "), "{}", ran.err);
    assert!(ran.out.contains(r#""files":1,"files_skipped":0,"files_failed":1,"#), "{}", ran.out);
    assert!(
        ran.out.contains(r#""encodings":[{"encoding":"utf-8","texts":1,"bytes":3,"code_points":2,"#),
        "{}",
        ran.out
    );
}

#[test]
fn compressed_files_are_read_through() {
    let stage = Stage::new();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all("Жук\n".repeat(1000).as_bytes()).unwrap();
    let packed = gzip.finish().unwrap();
    stage.file("log.gz", &packed);
    let ran = stage.run(&["survey", "-z", "--format=json"]);
    assert!(
        ran.out.contains(r#""encodings":[{"encoding":"utf-8","texts":1,"bytes":7000,"code_points":4000,"#),
        "{}",
        ran.out
    );
    stage.file("cut.gz", &packed[..packed.len() - 9]);
    let ran = stage.run(&["survey", "-z", "--format=json"]);
    assert_eq!(ran.code, Some(2));
    // A file that could not be read to its end is not counted.
    assert!(ran.out.contains(r#""files":1,"files_skipped":0,"files_failed":1,"texts":1,"#), "{}", ran.out);
}

#[test]
fn each_field_of_json_lines_is_a_text() {
    let stage = Stage::new();
    let lines = b"{\"doc\":{\"text\":\"caf\xE9 cr\xE8me\"},\"id\":1}\n{\"doc\":{\"text\":\"h\\u00e9llo\"}}\n\n{\"doc\":1}\n{\"doc\n";
    stage.file("a.jsonl", lines);
    let ran = stage.run(&["survey", "--jsonl", "doc.text", "--format=json", "a.jsonl"]);
    let expected = r#""jsonl":{"field":"doc.text","lines":4,"lines_broken":1,"lines_without":1},"texts":2,"texts_well_formed_utf8":1,"bytes":16,"#;
    assert!(ran.quiet().1.contains(expected), "{}", ran.out);
    assert!(ran.out.contains(r#"{"encoding":"windows-1252","texts":1,"#), "{}", ran.out);
}

#[cfg(unix)]
#[test]
fn a_page_holds_nothing_raw() {
    let stage = Stage::new();
    let name = "<script>alert(1)<!--\u{202E}\u{1B}[31m&\".txt";
    stage.file(name, "déjà vu, voilà: \u{202E}<script>".bytes().chain(*b"\xFF\n").collect::<Vec<u8>>());
    let ran = stage.run(&["survey", "--jsonl", "<b>", "--html", "a.html", name]);
    assert_eq!(ran.code, Some(0));
    let ran = stage.run(&["survey", "--html", "b.html", name]);
    assert_eq!(ran.code, Some(0));
    assert!(!ran.out.contains('\u{1B}') && !ran.out.contains('\u{202E}'));
    for page in ["a.html", "b.html"] {
        let page = std::fs::read_to_string(stage.path(page)).unwrap();
        for hostile in
            ["<script", "<b>&", "field <b>", "\u{202E}", "\u{1B}", "http:", "https:", "src=", "url("]
        {
            assert!(!page.contains(hostile), "{hostile:?} in {page}");
        }
        assert!(page.contains("default-src 'none'"));
        assert!(page.contains("&lt;script&gt;alert(1)&lt;!--\\u{202e}\\u{1b}[31m&amp;&quot;.txt"), "{page}");
    }
}

#[test]
fn a_page_that_cannot_be_written_leaves_nothing() {
    let stage = Stage::new();
    let ran = stage.run(&["survey", "--html", "no/such/page.html"]);
    assert_eq!(ran.code, Some(2));
    assert!(!stage.path("no").exists());
}

#[test]
fn parts_of_a_survey_add_up_to_the_whole() {
    let stage = mixed();
    let whole = stage.run(&["survey", "--format=json", "--html", "whole.html", "--title", "all"]);
    let mut parts = stage.run(&["survey", "--format=json", "old", "ascii.txt", "broken.txt"]).out;
    parts += &stage.run(&["survey", "--format=json", "-g", "marked.txt", "-g", "[cpw]*[xt]"]).out;
    stage.file("parts.json", parts);
    let merged = stage.run(&[
        "survey",
        "--merge",
        "parts.json",
        "--format=json",
        "--html",
        "parts.html",
        "--title",
        "all",
    ]);
    assert_eq!(merged.quiet(), (0, whole.out.as_str()));
    assert_eq!(stage.get("parts.html"), stage.get("whole.html"));
    stage.file("other.json", "{\"type\":\"file\"}\n");
    assert_eq!(stage.run(&["survey", "--merge", "other.json"]).code, Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_not_utf8_outlives_a_merge() {
    use std::os::unix::ffi::OsStrExt as _;
    let stage = Stage::new();
    stage.file(
        std::ffi::OsStr::from_bytes(b"caf\xE9.txt"),
        "\u{E9}\u{E8}\u{EA}".bytes().chain(*b"\xFF").collect::<Vec<u8>>(),
    );
    let whole = stage.run(&["survey", "--format=json"]).out;
    assert!(whole.contains(r#""path_bytes":"63 61 66 E9 2E 74 78 74""#), "{whole}");
    Schema::named("survey").check(&whole);
    assert_eq!(
        stage.run_with(&["survey", "--merge", "--format=json"], whole.as_bytes()).quiet(),
        (0, &*whole)
    );
}

#[test]
fn surveys_to_merge_come_from_files_lists_or_standard_input() {
    let stage = mixed();
    let whole = stage.run(&["survey", "--format=json"]).out;
    stage.file("whole.json", &whole);
    let from = |args: &[&str], input: &str| {
        stage.run_with(&[&["survey", "--merge", "--format=json"], args].concat(), input.as_bytes())
    };
    assert_eq!(from(&[], &whole).quiet(), (0, &*whole));
    assert_eq!(from(&["-"], &whole).quiet(), (0, &*whole));
    assert_eq!(from(&["--files-from", "-"], "whole.json\n").quiet(), (0, &*whole));
    let ran = from(&[], "what else\n");
    assert_eq!((ran.code, &*ran.out), (Some(2), ""));
    let no = "placemat: <stdin>: not a survey written by --format json";
    assert_eq!(ran.err, format!("{no}: line 1: byte 1: expected value\n"));
    assert_eq!(
        from(&[], &format!("{whole}{{]\n")).err,
        format!("{no}: line 2: byte 2: key must be a string\n")
    );
    assert!(from(&[], "\n{\"type\":\"survey\"}\n").err.starts_with(&format!("{no}: line 2: missing field")));
}

#[test]
fn surveys_of_two_fields_do_not_add_up() {
    let stage = Stage::new();
    stage.file("a.jsonl", "{\"a\":\"x\",\"b\":\"y\"}\n");
    let of = |field| stage.run(&["survey", "--jsonl", field, "--format=json", "a.jsonl"]).out;
    stage.file("both.json", of("a") + &of("b"));
    stage.file("same.json", of("a") + &of("a"));
    let ran = stage.run(&["survey", "--merge", "both.json"]);
    assert_eq!((ran.code, &*ran.out), (Some(2), ""));
    assert!(ran.err.contains("a survey of the field \"b\" cannot be added to one of \"a\""), "{}", ran.err);
    assert_eq!(stage.run(&["survey", "--merge", "same.json"]).code, Some(0));
}

#[test]
fn what_no_survey_says_is_not_merged() {
    let stage = mixed();
    let whole = stage.run(&["survey", "--format=json"]).out;
    for (from, to, said) in [
        (
            r#"g":"utf-8""#,
            r#"g":"\u001b]0;pwn\u0007\u202e""#,
            "unknown encoding: \\u{1b}]0;pwn\\u{7}\\u{202e}",
        ),
        (
            r#""worst":[{"path":"#,
            r#""worst":[{"encoding":"x","errors":1,"path":"a"},{"path":"#,
            "unknown encoding: x",
        ),
        (r#""files":7"#, r#""files":18446744073709551615"#, "does not fit in 64 bits"),
        (r#""errors":2"#, r#""errors":18446744073709551615"#, "does not fit in 64 bits"),
    ] {
        let file = whole.replace(from, to);
        assert_ne!(file, whole, "{from}");
        let args = ["survey", "--merge", "--color", "always", "--html", "page.html"];
        let ran = stage.run_with(&args, (file + &whole).as_bytes());
        assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{to}");
        assert!(ran.err.contains(said), "{}", ran.err);
        assert!(!stage.path("page.html").exists());
    }
}

#[test]
fn an_encoding_that_is_only_detected_outlives_a_merge() {
    let stage = Stage::new();
    stage.file("korean.txt", b"\x1B$)C\x0EGQ1[\x0F\n");
    stage.file("chinese.txt", b"~{VPNDWV7{~} and ~~\n");
    let whole = stage.run(&["survey", "--format=json"]).out;
    assert!(whole.contains("hz-gb-2312") && whole.contains("iso-2022-kr"), "{whole}");
    assert_eq!(
        stage.run_with(&["survey", "--merge", "--format=json"], whole.as_bytes()).quiet(),
        (0, &*whole)
    );
}

#[test]
fn a_page_needs_a_file() {
    let stage = Stage::new();
    let ran = stage.run(&["survey", "--html", "-"]);
    assert_eq!((ran.code, &*ran.out), (Some(2), ""));
    assert!(ran.err.contains("name a file for the page"), "{}", ran.err);
    assert!(stage.names().is_empty());
}

#[test]
fn the_page_is_titled_by_what_was_read() {
    let stage = Stage::new();
    stage.file("a", "one\n");
    stage.file("list", "a\n");
    for (args, input, title) in [
        (&["-"][..], "one\n", "standard input"),
        (&["a", "-"], "one\n", "a, standard input"),
        (&["--files-from", "list"], "", "the files listed in list"),
        (&["--files-from", "-", "a"], "a\n", "a, the files listed in standard input"),
        (&["-", "--title", "-"], "", "-"),
        (&["."], "", "."),
    ] {
        stage.run_with(&[&["survey", "--html", "page.html"], args].concat(), input.as_bytes());
        let page = String::from_utf8(stage.get("page.html")).unwrap();
        assert!(page.contains(&format!("<title>Survey of {title}</title>")), "{args:?}");
    }
    #[cfg(unix)]
    {
        stage.run_with(&["survey", "--html", "page.html"], b"one\n");
        let page = String::from_utf8(stage.get("page.html")).unwrap();
        assert!(page.contains("<title>Survey of standard input</title>"));
    }
}
