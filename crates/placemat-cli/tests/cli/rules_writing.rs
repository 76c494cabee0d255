//! `placemat.toml` for the commands that change files.

use crate::stage::Stage;

/// Known faults in `broken` and `a.txt`, and a file in another form.
fn tree() -> Stage {
    let stage = Stage::new();
    stage.file(
        "placemat.toml",
        "allow = ['a.txt', 'broken/**']\n\n[[rule]]\nfiles = ['*.csv']\nform = 'windows-1250'\n",
    );
    stage.file("a.txt", MIXED);
    stage.file("b.txt", MIXED);
    stage.file("broken/c.txt", MIXED);
    stage.file("d.csv", POLISH);
    stage
}

const MIXED: &[u8] = b"na\xC3\xAFve caf\xC3\xA9\nand another caf\xE9\n";

/// "żółw" in windows-1250.
const POLISH: &[u8] = b"\xBF\xF3\xB3w\n";

#[test]
fn repair_leaves_alone_what_the_rules_allow() {
    let stage = tree();
    let ran = stage.run(&["repair", "--dry-run", "."]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.starts_with("./b.txt: "), "{ran:?}");
    assert_eq!(ran.out.lines().count(), 1, "{ran:?}");
    assert_eq!(ran.err, "placemat: files: 1 to repair, 1 well-formed, 3 excluded by rules\n");
    let ran = stage.run(&["repair", "--in-place", "."]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(stage.get("b.txt"), "naïve café\nand another café\n".as_bytes());
    for name in ["a.txt", "broken/c.txt"] {
        assert_eq!(stage.get(name), MIXED, "{name}");
    }
    assert_eq!(stage.get("d.csv"), POLISH);
}

#[test]
fn repair_names_what_was_named_and_left() {
    let stage = tree();
    let ran = stage.run(&["repair", "--in-place", "a.txt", "d.csv"]);
    let left = "placemat: a.txt: stays as it is: the rules allow its errors (--no-config ignores the rules)
placemat: d.csv: stays as it is: the rules say that it is windows-1250 (--no-config ignores the rules)
placemat: files: 2 excluded by rules
";
    assert_eq!((ran.code, &*ran.err), (Some(0), left));
    assert_eq!(stage.get("a.txt"), MIXED);
    assert_eq!(stage.run(&["repair", "--in-place", "--silent", "a.txt"]).quiet(), (0, ""));
    // In a folder below, the rules above apply.
    let ran = stage.run(&["repair", "--in-place", "broken"]);
    assert_eq!((ran.code, &*ran.err), (Some(0), "placemat: files: 1 excluded by rules\n"));
    let ran = stage.run(&["repair", "--in-place", "--no-config", "a.txt"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(stage.get("a.txt"), "naïve café\nand another café\n".as_bytes());
}

#[test]
fn repair_to_standard_output_spoils_no_file() {
    let stage = tree();
    let ran = stage.run(&["repair", "a.txt"]);
    assert_eq!((ran.code, &*ran.out), (Some(0), "naïve café\nand another café\n"));
    let ran = stage.run(&["repair", "d.csv"]);
    let refused =
        "placemat: d.csv: is windows-1250, as the rules say: placemat convert -f windows-1250 d.csv\n";
    assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(1), "", refused));
    let ran = stage.run(&["convert", "-f", "windows-1250", "d.csv"]);
    assert_eq!(ran.quiet(), (0, "żółw\n"));
}

#[test]
fn other_rules_can_be_named_for_a_repair() {
    let stage = tree();
    stage.file("ci.toml", "allow = ['b.txt']\n");
    let ran = stage.run(&["repair", "--in-place", "--config", "ci.toml", "a.txt", "b.txt"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(stage.get("b.txt"), MIXED);
    assert_eq!(stage.get("a.txt"), "naïve café\nand another café\n".as_bytes());
    stage.file("placemat.toml", "rules = 1\n");
    for args in
        [&["repair", "--in-place", "."][..], &["convert", "--in-place", "."], &["edit", ".", "--", "true"]]
    {
        let ran = stage.run(args);
        assert_eq!(ran.code, Some(2), "{args:?}: {ran:?}");
        assert!(ran.err.contains("placemat.toml:1: unknown field"), "{args:?}: {}", ran.err);
    }
}

#[test]
fn convert_reads_each_file_as_its_rule_says() {
    let stage = tree();
    stage.file("e.txt", "plain é\n");
    let ran = stage.run(&["convert", "--in-place", "."]);
    // Without a rule it is UTF-8, and one file is not.
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("./b.txt:2:16"), "{}", ran.err);
    let summary = "placemat: files: 1 replaced, 2 unchanged, 2 excluded by rules, 1 left as they were\n";
    assert!(ran.err.ends_with(summary), "{}", ran.err);
    assert_eq!(stage.get("d.csv"), "żółw\n".as_bytes());
    assert_eq!(stage.get("a.txt"), MIXED);
    assert_eq!(stage.get("broken/c.txt"), MIXED);
}

#[test]
fn detect_takes_the_word_of_a_rule_that_can_be_true() {
    let stage = tree();
    stage.file("e.csv", "żółw\n");
    stage.file("f.csv", b"ab\n");
    stage.file("g.csv", b"a\x81\xFF\n");
    // In a tree, files under `allow` are not shown; a file that is named is read.
    let ran = stage.run(&["detect", "."]);
    let found = "./b.txt: utf-8\n./d.csv: windows-1250\n./e.csv: utf-8\n./f.csv: us-ascii\n";
    assert!(ran.out.starts_with(found), "{ran:?}");
    assert!(ran.err.ends_with(", 2 skipped\n"), "{ran:?}");
    let ran = stage.run(&["detect", "a.txt"]);
    assert_eq!((ran.code, &*ran.out), (Some(0), "a.txt: utf-8\n"));
    let said = |args: &[&str]| stage.run(&[&["detect", "--format", "json"], args].concat()).out;
    assert!(said(&["d.csv"]).contains("the rules say so, and it is well-formed windows-1250"));
    stage.file("sjis.toml", "[[rule]]\nfiles = ['g.csv']\nform = 'shift_jis'\n");
    let out = said(&["--config", "sjis.toml", "g.csv"]);
    assert!(out.contains("the rules say shift_jis, but it is malformed in that encoding"), "{out}");
    assert!(said(&["e.csv"]).contains("the rules say windows-1250, but it is UTF-8"));
    assert!(!said(&["--no-config", "d.csv"]).contains("the rules"));
}

#[test]
fn survey_takes_the_word_of_a_rule_that_can_be_true() {
    let stage = tree();
    let survey = |args: &[&str]| -> serde_json::Value {
        serde_json::from_str(&stage.run(&[&["survey", "--format", "json"], args].concat()).out).unwrap()
    };
    let whole = survey(&["."]);
    assert_eq!((&whole["files"], &whole["files_skipped"]), (&3.into(), &2.into()), "{whole}");
    let unsure = |survey: &serde_json::Value| {
        let all = survey["encodings"].as_array().unwrap();
        all.iter().find(|row| row["encoding"] == "windows-1250").unwrap()["unsure"].clone()
    };
    assert_eq!(unsure(&whole), 0);
    let without = survey(&["--no-config", "."]);
    assert_eq!(&without["files"], &5, "{without}");
    assert_eq!(unsure(&without), 1);
    assert_eq!(survey(&["a.txt"])["files"], 1);
}

#[test]
fn the_flag_has_the_word_over_the_form_of_a_rule() {
    let stage = tree();
    let ran = stage.run(&["convert", "-f", "iso-8859-2", "--in-place", "d.csv", "a.txt"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(stage.get("d.csv"), "żółw\n".as_bytes());
    assert_eq!(stage.get("a.txt"), MIXED);
    assert!(ran.err.contains("a.txt: stays as it is: the rules allow its errors"), "{}", ran.err);
    stage.file("d.csv", POLISH);
    // The rule applies to a single file too; with --no-config no rule applies.
    let ran = stage.run(&["convert", "--in-place", "d.csv"]);
    assert_eq!((ran.code, &*ran.err), (Some(0), "placemat: d.csv: windows-1250 to utf-8\n"));
    assert_eq!(stage.get("d.csv"), "żółw\n".as_bytes());
    stage.file("d.csv", POLISH);
    let ran = stage.run(&["convert", "--in-place", "--no-config", "d.csv"]);
    assert_eq!((ran.code, stage.get("d.csv")), (Some(1), POLISH.into()), "{ran:?}");
    assert_eq!(stage.run(&["convert", "--no-config", "d.csv"]).code, Some(2));
}

#[test]
fn binary_files_need_a_wide_form_to_be_converted() {
    let stage = Stage::new();
    stage.file(
        "placemat.toml",
        "[[rule]]\nfiles = ['*.reg']\nform = 'utf-16le'\n\n[[rule]]\nfiles = ['*.png']\nmark = 'any'\n",
    );
    stage.file("a.reg", b"a\0\xE9\0");
    stage.file("a.png", b"a\0\0\xE9");
    let ran = stage.run(&["convert", "--in-place", "."]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!((stage.get("a.reg"), stage.get("a.png")), ("aé".into(), b"a\0\0\xE9".into()));
}

#[test]
fn edit_heeds_the_rules() {
    let stage = tree();
    stage.file("d.csv", [POLISH, b"old\n"].concat());
    let ran = stage.run(&["edit", "d.csv", "a.txt", "--", "sed", "-i", "s/old/new/; s/na/NA/"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(stage.get("d.csv"), [POLISH, b"new\n"].concat());
    assert_eq!(stage.get("a.txt"), MIXED);
    let said =
        "placemat: a.txt: stays as it is: the rules allow its errors (--no-config ignores the rules)\n";
    assert_eq!(ran.err, format!("{said}placemat: files: 1 excluded by rules\n"));
    let ran = stage.run(&["edit", "--no-config", "-f", "latin1", "a.txt", "--", "sed", "-i", "s/na/NA/"]);
    assert_eq!(ran.quiet(), (0, ""));
    assert!(stage.get("a.txt").starts_with(b"NA"));
}
