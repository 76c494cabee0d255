//! `repair`: every rule, every refusal, and what users see of it.

use std::fs;
use std::path::Path;

use crate::stage::{Stage, placemat};

/// Enough UTF-8 that a few bytes of another encoding are few in comparison.
const GOOD: &str = "Où sont les cafés ? À l'été, où l'on fêta Noël, déjà, ça va, être né, très gêné. ";

/// Repairs good text followed by `bad`. Returns the output without the good text, and the messages.
#[track_caller]
fn repaired(args: &[&str], bad: &[u8]) -> (String, String) {
    let input = [GOOD.as_bytes(), bad].concat();
    let ended = placemat(&[&["repair"], args].concat(), input);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let out = String::from_utf8(ended.out).unwrap();
    let said = ended.err.trim_end().replace("placemat: <stdin>: ", "");
    (out.strip_prefix(GOOD).unwrap().to_owned(), said)
}

#[test]
fn each_sequence_is_mended_as_what_it_is() {
    let cases: [(&[u8], &str, &str); 11] = [
        (b"Gr\xF6\xDFe, \xBF\xA1no!", "Größe, ¿¡no!", "4 bytes read as windows-1252"),
        (
            b"caf\xC3 \x82\xAC.",
            "caf\u{FFFD} \u{FFFD}\u{FFFD}.",
            "1 truncated character and 2 stray bytes replaced by U+FFFD",
        ),
        (b"caf\xE9 \x93a\x94", "café “a”", "3 bytes read as windows-1252"),
        (b"\xED\xA0\xBD\xED\xB8\x80!", "😀!", "1 CESU-8 pair joined"),
        (b"\xED\xA0\xBD!", "\u{FFFD}\u{FFFD}\u{FFFD}!", "1 lone surrogate replaced by U+FFFD"),
        (b"\xC0\x80", "\u{FFFD}\u{FFFD}", "1 C0 80 (NUL in Modified UTF-8) replaced by U+FFFD"),
        (b"..\xC0\xAF..", "..\u{FFFD}\u{FFFD}..", "1 overlong sequence replaced by U+FFFD"),
        (
            b"\xF8\x88\x80\x80\x80",
            "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}",
            "1 sequence above U+10FFFF replaced by U+FFFD",
        ),
        (b"\xE6\x97\xA5\xE6\x9C", "日\u{FFFD}", "1 truncated character replaced by U+FFFD"),
        (b"a\x81", "a\u{FFFD}", "1 stray byte replaced by U+FFFD"),
        (
            b"\xE9t\xE9, \xED\xA0\xBD\xED\xB8\x80",
            "été, 😀",
            "2 bytes read as windows-1252, 1 CESU-8 pair joined",
        ),
    ];
    for (bad, text, said) in cases {
        assert_eq!(repaired(&[], bad), (text.to_owned(), said.to_owned()), "{bad:02X?}");
    }
}

#[test]
fn a_mark_of_utf_16_before_utf_8_is_removed() {
    for (marks, left) in [
        (&b"\xFF\xFE"[..], ""),
        (b"\xFE\xFF", ""),
        (b"\xFF\xFE\xEF\xBB\xBF", "\u{FEFF}"),
        (b"\xEF\xBB\xBF\xFE\xFF", "\u{FEFF}"),
    ] {
        for text in [GOOD, "Съешь же ещё этих мягких французских булок\nда выпей чаю\n"]
        {
            let ended = placemat(&["repair"], [marks, text.as_bytes()].concat());
            let said = "placemat: <stdin>: 1 byte order mark of another encoding removed\n";
            assert_eq!((ended.code, &*ended.err), (Some(0), said), "{marks:02X?}");
            assert_eq!(String::from_utf8(ended.out).unwrap(), format!("{left}{text}"), "{marks:02X?}");
        }
    }
    // Elsewhere these bytes are no mark, and a policy is for all malformed bytes.
    let ended = placemat(&["repair"], [GOOD.as_bytes(), b"a\xFF\xFEb"].concat());
    assert!(!ended.err.contains("mark"), "{ended:?}");
    let ended = placemat(&["repair"], b"\xFF\xFEplain text\n");
    assert_eq!((ended.code, ended.out), (Some(0), b"plain text\n".to_vec()));
    let ended = placemat(&["repair", "--on-error", "escape"], [b"\xFF\xFE", GOOD.as_bytes()].concat());
    assert_eq!(String::from_utf8(ended.out).unwrap(), format!(r"\xff\xfe{GOOD}"));
    // The report has it, and it can be put back.
    let folder = Stage::new();
    let marked = [b"\xFF\xFE", GOOD.as_bytes()].concat();
    folder.file("a", &marked);
    assert_eq!(folder.run_on(&["repair", "--in-place", "--report", "r", "a"], "").code, Some(0));
    let report = String::from_utf8(folder.get("r")).unwrap();
    let change = r#"{"type":"change","offset":0,"bytes":"FF FE","text":"","rule":"mark"}"#;
    assert!(folder.get("a") == GOOD.as_bytes() && report.contains(change), "{report}");
    assert_eq!(folder.run_on(&["repair", "--undo", "r"], "").code, Some(0));
    assert_eq!(folder.get("a"), marked);
}

/// The mark vouches for one character of UTF-8, not for all the lines in another encoding.
#[test]
fn a_mark_of_utf_8_before_another_encoding_loses_no_letter() {
    let (japanese, ..) = encoding_rs::SHIFT_JIS.encode("これは日本語の文章です。\n漢字とかな\n");
    let (russian, ..) = encoding_rs::WINDOWS_1251.encode("Съешь же ещё этих мягких\nфранцузских булок\n");
    for (text, name) in [(japanese, "shift_jis"), (russian, "windows-1251")] {
        for marks in ["\u{FEFF}", "\u{FEFF}\u{FEFF}"] {
            let ended = placemat(&["repair"], [marks.as_bytes(), &text].concat());
            let advice = format!(": placemat repair --mend {name}\n");
            assert!(
                ended.code == Some(1) && ended.out.is_empty() && ended.err.ends_with(&advice),
                "{ended:?}"
            );
        }
    }
}

#[test]
fn what_a_filter_may_have_passed_is_mended_on_request_only() {
    let mended = |args: &[&str], bad: &[u8]| repaired(args, bad).0;
    assert_eq!(mended(&["--mend", "overlong"], b"..\xC0\xAF..\xE0\x80\xBC"), "../..<");
    assert_eq!(mended(&["--mend", "overlong"], b"\xC0\x80"), "\u{FFFD}\u{FFFD}");
    assert_eq!(mended(&["--mend", "overlong"], b"\xE0\x80\x80"), "\u{FFFD}\u{FFFD}\u{FFFD}");
    assert_eq!(mended(&["--mend", "nul"], b"\xC0\x80\xC0\xAF"), "\0\u{FFFD}\u{FFFD}");
    assert_eq!(mended(&["--mend", "overlong,nul"], b"\xC0\x80\xC0\xAF\xE0\x80\x80"), "\0/\0");
    let help = placemat(&["repair", "--help"], "");
    let words: Vec<_> = str::from_utf8(&help.out).unwrap().split_whitespace().collect();
    assert!(words.join(" ").contains("a filter that looks for"));
}

#[test]
fn a_list_of_files_may_come_from_a_pipe() {
    let stage = Stage::new();
    let lists = [
        (&["-"][..], &b"a\nb\n"[..]),
        (&["-"], b"a\r\n\r\nb\r\n"),
        (&["-", "-0"], b"a\0b\0"),
        (&["/dev/stdin"], b"a\nb\n"),
    ];
    // Windows has no path of standard input.
    for &(args, list) in &lists[..if cfg!(windows) { 3 } else { 4 }] {
        stage.file("a", [GOOD.as_bytes(), b"\xE9t\xE9"].concat());
        stage.file("b", GOOD);
        let args = [&["repair", "--silent", "--in-place", "--files-from"], args].concat();
        let ended = stage.run_on(&args, list);
        assert_eq!((ended.code, &ended.err[..]), (Some(0), ""), "{args:?}");
        assert_eq!(stage.get("a"), format!("{GOOD}été").as_bytes(), "{args:?}");
    }
}

#[test]
fn a_policy_is_for_all_and_does_what_it_does_in_convert() {
    let bad: &[u8] = b"caf\xE9 \x93a\x94 \xED\xA0\xBD\xED\xB8\x80 \xC0\x80 \xE6\x97 \xF8\x80\x80 \xFD\x80\x80!\x80\x80\x80\xFF";
    let input = [GOOD.repeat(10).as_bytes(), bad].concat();
    for policy in [
        "replace",
        "replace-byte",
        "replace-sequence",
        "replace-run",
        "skip",
        "latin1",
        "cp1252",
        "cp1252-strict",
        "optu",
        "escape",
    ] {
        let repair = placemat(&["repair", "--on-error", policy], &input);
        assert_eq!(repair.code, Some(0), "{policy}: {}", repair.err);
        let convert = placemat(&["convert", "--on-error", policy], &input);
        assert_eq!(repair.out, convert.out, "{policy}");
    }
    for policy in ["stop", "surrogateescape"] {
        assert_eq!(placemat(&["repair", "--on-error", policy], &input).code, Some(2), "{policy}");
    }
    // Repairs that are named come first.
    assert_eq!(repaired(&["--on-error", "escape", "--mend", "overlong"], b"\xC0\xAF\xE9").0, r"/\xe9");
}

#[test]
fn what_is_something_else_is_refused_with_advice() {
    let folder = Stage::new();
    let (russian, _, _) =
        encoding_rs::KOI8_R.encode("Съешь же ещё этих мягких французских булок, да выпей чаю. ");
    folder.file("koi8.txt", russian.repeat(3));
    folder.file("it's", russian.repeat(3));
    folder.file("utf16.txt", b"\xFF\xFEa\0\xE9\0");
    folder.file("latin", b"caf\xE9, tr\xE8s fra\xEEche cr\xEAme \xE0 la carte, d\xE9j\xE0 vu");
    let refused = |name: &str, advice: &str| {
        let ended = folder.run_on(&["repair", name], "");
        assert_eq!((ended.code, &ended.out[..]), (Some(1), &b""[..]), "{name}");
        assert_eq!(ended.err, format!("placemat: {name}: {advice}\n"));
        let before = folder.get(name);
        assert_eq!(folder.run_on(&["repair", "--in-place", name], "").code, Some(1));
        assert_eq!(folder.get(name), before);
    };
    refused("koi8.txt", "looks like koi8-r: placemat convert -f koi8-r koi8.txt");
    refused("it's", r"looks like koi8-r: placemat convert -f koi8-r 'it'\''s'");
    refused("utf16.txt", "looks like utf-16le: placemat convert -f utf-16 utf16.txt");
    refused("latin", "looks like windows-1252: placemat convert -f windows-1252 latin");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, &russian.repeat(3)).unwrap();
    folder.file("koi8.gz", packed.finish().unwrap());
    let ended = folder.run(&["repair", "-z", "--diff", "koi8.gz"]);
    assert!(ended.err.contains(": placemat convert -z -f koi8-r koi8.gz\n"), "{}", ended.err);
    // The advice is right.
    let ended = folder.run_on(&["convert", "-f", "utf-16", "utf16.txt"], "");
    assert_eq!(ended.out, "aé".as_bytes());
    // With `cp1252` lone bytes are windows-1252, whatever the rest is. A file whose code units are not bytes is still
    // refused.
    let ended = folder.run_on(&["repair", "--mend", "cp1252", "latin"], "");
    assert_eq!((ended.code, ended.out), (Some(0), "café, très fraîche crême à la carte, déjà vu".into()));
    assert_eq!(folder.run_on(&["repair", "--mend", "cp1252", "utf16.txt"], "").code, Some(1));
}

#[test]
fn well_formed_text_never_changes() {
    let mojibake = "\u{FEFF}cafÃ© \u{0}\u{FFFE}\r\n\r";
    for text in ["", "a", mojibake, "h\0e\0l\0l\0o\0"] {
        let ended = placemat(&["repair", "--mend", "cp1252,overlong,nul"], text);
        assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""), "{text:?}");
        assert_eq!(ended.out, text.as_bytes());
    }
    let folder = Stage::new();
    let path = folder.file("a", mojibake);
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    assert_eq!(folder.run_on(&["repair", "--in-place=.old", "a"], "").code, Some(0));
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
    assert_eq!(folder.names(), ["a"]);
}

#[test]
fn a_copy_is_never_written_over() {
    let stage = Stage::new();
    let bad = [GOOD.as_bytes(), b"caf\xE9"].concat();
    stage.file("a", &bad);
    stage.file("a.old", "the only original");
    let ended = stage.run(&["repair", "--in-place=.old", "a"]);
    let said = "placemat: a: a.old exists already: move it away, or choose another suffix\n";
    assert_eq!((ended.code, &ended.err[..]), (Some(2), said));
    assert_eq!((stage.get("a"), stage.get("a.old")), (bad, b"the only original".to_vec()));
    assert_eq!(stage.names(), ["a", "a.old"]);
}

#[test]
fn mojibake_is_undone_on_request() {
    let text =
        "Le cafÃ© est fermÃ©. \u{201C}Ã§a va ?\u{201D}\nvoilÃ\u{A0} le dÃ©jÃ\u{A0}-vu\n日本語 cafÃƒÂ©\n";
    let expected = "Le café est fermé. \u{201C}ça va ?\u{201D}\nvoilà le déjà-vu\n日本語 café\n";
    let ended = placemat(&["repair", "--mojibake"], text);
    assert_eq!(String::from_utf8(ended.out).unwrap(), expected);
    assert!(ended.err.contains("of mojibake undone (windows-1252)"), "{}", ended.err);
    assert!(
        ended.err.contains("1 run of mojibake undone (windows-1252, then windows-1252)"),
        "{}",
        ended.err
    );
    // Beside malformed bytes, and in what these are repaired to.
    let (mended, _) = repaired(&["--mojibake"], b"caf\xE9 caf\xC3\x83\xC2\xA9 \xED\xA0\xBD\xED\xB8\x80");
    assert_eq!(mended, "café café 😀");
}

#[test]
fn a_dry_run_changes_nothing_even_in_place() {
    let folder = Stage::new();
    folder.file("a", [GOOD.as_bytes(), b"\xE9t\xE9"].concat());
    let before = folder.get("a");
    let ended = folder.run(&["repair", "--in-place=.old", "--dry-run", "a"]);
    assert_eq!(ended.quiet(), (1, "a: 2 bytes read as windows-1252\n"));
    assert_eq!((folder.names(), folder.get("a") == before), (vec!["a".to_owned()], true));
    assert_eq!(folder.run(&["repair", "--in-place", "--dry-run"]).code, Some(2));
}

#[test]
fn several_files_need_to_be_told_where_to_go() {
    let folder = Stage::new();
    folder.file("a", "a");
    folder.file("dir/b", "b");
    for args in [
        &["repair", "a", "dir/b"][..],
        &["repair", "dir"],
        &["repair", "--in-place"],
        &["repair", "--in-place", "-"],
        &["repair", "-z", "--in-place", "a"],
        &["repair", "--diff", "--dry-run", "a"],
        &["repair", "missing"],
    ] {
        let ended = folder.run_on(args, "text");
        assert_eq!((ended.code, &ended.out[..]), (Some(2), &b""[..]), "{args:?}");
    }
    assert_eq!(folder.run_on(&["repair", "--dry-run", "a", "dir"], "").code, Some(0));
}

#[test]
fn a_tree_has_one_summary_in_one_order() {
    let folder = Stage::new();
    let bad = [GOOD.as_bytes(), b"caf\xE9\n"].concat();
    for name in ["tree/b", "tree/a/x", "tree/c"] {
        folder.file(name, &bad);
    }
    folder.file("tree/good", "é");
    folder.file("tree/other", b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xCA\xE0\xEA \xE4\xE5\xEB\xE0?");
    folder.file("tree/binary", b"\0\xFF");
    let dry = folder.run_on(&["repair", "--dry-run", "tree"], "");
    let line = |name: &str| format!("{name}: 1 byte read as windows-1252\n");
    let lines = ["tree/a/x", "tree/b", "tree/c"].map(line).concat();
    assert_eq!((dry.code, String::from_utf8(dry.out).unwrap()), (Some(1), lines));
    let summary = "files: 3 to repair, 1 well-formed, 1 refused, 1 skipped\n";
    assert!(dry.err.ends_with(summary), "{}", dry.err);
    let ended = folder.run_on(&["repair", "--in-place=.orig", "-j", "3", "tree"], "");
    assert_eq!(ended.code, Some(1));
    assert!(ended.err.ends_with("files: 3 repaired, 1 well-formed, 1 refused, 1 skipped\n"), "{}", ended.err);
    let good = format!("{GOOD}café\n");
    for name in ["tree/b", "tree/a/x", "tree/c"] {
        assert_eq!(folder.get(name), good.as_bytes());
        assert_eq!(folder.get(format!("{name}.orig")), bad);
    }
    // A second run has nothing to repair.
    let again = folder.run_on(&["repair", "--dry-run", "-s", "-g", "!*.orig", "tree"], "");
    assert_eq!((again.code, &again.out[..]), (Some(1), &b""[..]));
    assert!(again.err.contains("tree/other: looks like windows-1251"), "{}", again.err);
}

#[test]
fn a_diff_shows_all_that_there_is_room_for() {
    let line = "line2 Ã© â€œ Ã© â€œ z Ã© fine\n";
    let ended = placemat(&["repair", "--mojibake", "--diff"], line);
    let out = String::from_utf8(ended.out).unwrap();
    assert!(out.contains(&format!("\n-{line}+line2 é “ é “ z é fine\n")), "{out}");
}

/// Lines that are longer than the blocks in which they are read keep their numbers, and are shown once.
#[test]
fn a_diff_counts_lines_of_any_length() {
    let long = |mib: usize| "x".repeat((mib << 20) + 10);
    let bad = b"na\xC3\xAFve caf\xE9\n".to_vec();
    for (text, place, lines) in [
        ([long(2).as_bytes(), b"\n", &bad].concat(), "line 1, byte 0", 1),
        ([b"one\n", long(3).as_bytes(), b"\ntwo\n", &bad].concat(), "line 2, byte 4", 2),
        ([b"one\ntwo\n", long(3).as_bytes(), &bad].concat(), "line 2, byte 4", 1),
        ([b"1\n2\n3\n", long(1).as_bytes(), b"\n5\n6\n7\n", &bad].concat(), "line 6, byte 1048595", 2),
    ] {
        let ended = Stage::new().run_with(&["repair", "--diff", "-"], &text);
        let shown = ended.out;
        let at = shown.find("@@").unwrap_or_else(|| panic!("{shown}"));
        assert_eq!(shown[at..].lines().next(), Some(&*format!("@@ {place} @@")), "{shown}");
        assert_eq!(shown[at..].lines().filter(|line| line.starts_with(' ')).count(), lines, "{shown}");
    }
    // The text after a change in a long line is not shown as context; a second change in the line is.
    let good = "Grüße aus Köln, schön hier, ".as_bytes();
    let text = [good, &bad[..bad.len() - 1], long(3).as_bytes(), good, b"caf\xE9\nnext\n"].concat();
    let shown = Stage::new().run_with(&["repair", "--diff", "-"], &text).out;
    assert_eq!(shown.lines().filter(|line| line.starts_with('-')).count(), 3, "{shown}");
    assert_eq!(shown.lines().filter(|line| line.starts_with(' ')).collect::<Vec<_>>(), [" next"], "{shown}");
}

#[test]
fn blocks_and_pipes_make_no_difference() {
    let line = [GOOD.as_bytes(), b"caf\xE9 \xED\xA0\xBD\xED\xB8\x80 caf\xC3\x83\xC2\xA9\n"].concat();
    let expected = format!("{GOOD}café 😀 café\n");
    let folder = Stage::new();
    let dense = "今天的天气非常好".repeat(24_000);
    let misread: String = dense.bytes().map(char::from).collect();
    // Longer than any block: in many lines, in one line, and in one line without a space.
    for (source, wanted) in [
        (line.repeat(9000), expected.repeat(9000)),
        ([&line[..line.len() - 1], b" "].concat().repeat(9000), expected.replace('\n', " ").repeat(9000)),
        (misread.into_bytes(), dense),
    ] {
        folder.file("long", &source);
        for (args, input) in
            [(&["repair", "--mojibake", "long"][..], &b""[..]), (&["repair", "--mojibake"], &source)]
        {
            let ended = folder.run_on(args, input);
            assert_eq!(ended.code, Some(0), "{}", ended.err);
            assert!(ended.out == wanted.as_bytes(), "{args:?}");
        }
    }
}

#[test]
fn its_own_output_needs_no_repair() {
    let folder = Stage::new();
    for entry in fs::read_dir(samples()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        for args in [&["repair", "--mend", "cp1252,overlong,nul", "--mojibake", "s"][..], &["repair", "s"]] {
            folder.file("s", fs::read(&path).unwrap());
            let first = folder.run_on(args, "");
            if first.code == Some(1) {
                assert!(first.err.contains("placemat convert -f utf-16 s"), "{name}: {}", first.err);
                continue;
            }
            folder.file("s", &first.out);
            let second = folder.run_on(args, "");
            assert_eq!((second.code, second.err.as_str()), (Some(0), ""), "{name}");
            assert_eq!(first.out, second.out, "{name}");
        }
    }
}

fn samples() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

#[test]
fn check_finds_the_same_mojibake_and_changes_nothing() {
    let folder = Stage::new();
    let text = "日本 cafÃ© \nclean\n â€œquotedâ€\u{9D}\n";
    folder.file("a", text);
    folder.file("b", "clean, São João");
    let found = |args: &[&str], input: &str| {
        let ended = folder.run_on(&[&["check", "--mojibake"], args].concat(), input);
        assert_eq!(ended.code, Some(1), "{args:?}: {}", ended.err);
        String::from_utf8(ended.out).unwrap()
    };
    let json = found(&["--format", "json", "."], "");
    let lines: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 5, "{json}");
    assert_eq!(
        (&lines[0]["type"], &lines[0]["kind"], &lines[0]["line"], &lines[0]["column"]),
        (&"error".into(), &"mojibake".into(), &1.into(), &7.into())
    );
    assert_eq!((&lines[0]["text"], &lines[0]["via"]), (&"é".into(), &serde_json::json!(["windows-1252"])));
    assert_eq!((&lines[2]["line"], &lines[2]["column"]), (&3.into(), &11.into()));
    assert_eq!((&lines[3]["errors"], &lines[4]["files_with_errors"]), (&3.into(), &1.into()));
    assert_eq!(found(&["--count", "a"], ""), "a:3\n");
    assert_eq!(found(&["--format", "paths", "."], ""), "./a\n");
    let github = found(&["--format", "github", "a"], "");
    assert!(github.contains("line=1,col=7,title=mojibake::Ã© stands for é"), "{github}");
    let sarif: serde_json::Value = serde_json::from_str(&found(&["--format", "sarif", "a"], "")).unwrap();
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), 3);
    let human = found(&["-"], text);
    assert!(
        human.starts_with("<stdin>:1:7: Ã© stands for é: its UTF-8 was read as windows-1252\n"),
        "{human}"
    );
    assert_eq!(folder.get("a"), text.as_bytes());
    assert_eq!(folder.run_on(&["check", "--mojibake", "b"], "").code, Some(0));
    assert_eq!(folder.run_on(&["check", "a"], "").code, Some(0));
    assert_eq!(folder.run_on(&["check", "--mojibake", "-f", "utf-16le", "a"], "").code, Some(2));
}

/// Each screen is a command line on the samples, its exit code and what it prints; escape sequences as `␛`. To accept
/// an intended change, run this with `UPDATE_SCREENS=1` and read the difference.
#[test]
fn screens_are_as_drawn() {
    let lines = [
        ("repair-diff", "80 repair --diff ."),
        ("repair-diff-wide", "120 repair --diff ."),
        ("repair-diff-colours", "80 repair --diff --color always letter.txt export.csv"),
        ("repair-diff-mojibake", "80 repair --diff --mojibake twice"),
        ("check-mojibake", "80 check --mojibake twice"),
        ("repair-dry-run", "80 repair --dry-run --mend overlong ."),
        ("repair-refused", "80 repair windows.txt"),
        ("detect", "80 detect -v ."),
        ("detect-wide", "120 detect --format table ."),
        ("detect-colours", "80 detect --format table --color always letter.txt windows.txt"),
        ("detect-json", "80 detect --format json export.csv windows.txt"),
    ];
    let folder = Stage::new();
    for entry in fs::read_dir(samples()).unwrap() {
        let path = entry.unwrap().path();
        folder.file(path.file_name().unwrap().to_str().unwrap(), fs::read(&path).unwrap());
    }
    folder
        .file("twice", format!("{0} cafÃ© {0}\n\u{1B}[31m â€œquotedâ€\u{9D}\u{202E}\n", "long ".repeat(30)));
    for (name, line) in lines {
        let words: Vec<_> = line.split(' ').collect();
        let ended = folder.command(&words[1..]).env("COLUMNS", words[0]).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap().replace('\u{1B}', "␛");
        let (out, err) = (text(ended.stdout), text(ended.stderr));
        let screen = format!(
            "$ COLUMNS={} placemat {}\n{out}{err}[{}]\n",
            words[0],
            words[1..].join(" "),
            ended.status.code().unwrap()
        );
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/cli/screens/{name}.txt"));
        if std::env::var_os("UPDATE_SCREENS").is_some() {
            fs::write(&path, &screen).unwrap();
        } else {
            assert_eq!(fs::read_to_string(&path).unwrap(), screen, "{name}");
        }
    }
}

#[test]
fn hostile_text_is_escaped_in_diffs() {
    let folder = Stage::new();
    let name = "a\u{1B}[31m\u{202E}";
    let bad =
        [GOOD.as_bytes(), b"\x1b]0;title\x07\xE2\x80\xAE caf\xE9 \xC2\x9B31m\r\x08\n\x1b[2J\n"].concat();
    folder.file(name, bad);
    for args in [&["repair", "--diff", "--color", "never", name][..], &["repair", "--dry-run", name]] {
        let ended = folder.run_on(args, "");
        assert_eq!(ended.code, Some(1));
        let out = String::from_utf8(ended.out).unwrap();
        for text in [&out, &ended.err] {
            let is_hostile =
                |c: char| c != '\n' && (c.is_control() || ('\u{202A}'..='\u{202E}').contains(&c));
            assert!(!text.contains(is_hostile), "{text:?}");
        }
        assert!(!out.is_empty());
    }
}

const POLISH: &str = "Zażółć gęślą jaźń, żółty jeż; świeży chleb, łąka.\n";

#[test]
fn what_nothing_vouches_for_is_refused_and_the_advice_mends_it() {
    let folder = Stage::new();
    folder.file("p", b"Okre\xB6la, czy karta mo\xBFe\n");
    folder.file("m", b"M\xFCnchen\n");
    for name in ["p", "m"] {
        let before = folder.get(name);
        let ended = folder.run_on(&["repair", "--in-place", name], "");
        assert_eq!((ended.code, folder.get(name)), (Some(1), before), "{name}");
        let advice =
            ended.err.trim_end().split_once("placemat convert ").map(|(_, command)| command.to_owned());
        let advice = advice.unwrap_or_else(|| panic!("{}", ended.err));
        let args: Vec<&str> = ["convert"].into_iter().chain(advice.split(' ')).collect();
        let text = String::from_utf8(folder.run_on(&args, "").out).unwrap();
        assert!(["Określa, czy karta może\n", "München\n"].contains(&&text[..]), "{text}");
    }
}

#[test]
fn the_second_encoding_of_a_mixed_file_is_chosen_or_named() {
    let good = POLISH.repeat(3);
    let input = [good.as_bytes(), b"Okre\x9Cla, czy karta mo\xBFe zosta\xE6 u\xBFyta\n"].concat();
    let expected = format!("{good}Określa, czy karta może zostać użyta\n");
    for args in [&["repair"][..], &["repair", "--mend", "auto"], &["repair", "--mend", "windows-1250,nul"]] {
        let ended = placemat(args, &input);
        assert_eq!(
            (ended.code, String::from_utf8(ended.out).unwrap()),
            (Some(0), expected.clone()),
            "{args:?}"
        );
    }
    // An encoding that is named needs no evidence of UTF-8.
    let ended = placemat(&["repair", "--mend", "cp1250"], b"mo\xBFe\n");
    assert_eq!((ended.code, ended.out), (Some(0), "może\n".into()));
    for bad in ["cp1250,koi8-r", "auto,cp1252", "utf-16", "nonsense"] {
        assert_eq!(placemat(&["repair", "--mend", bad], &input).code, Some(2), "{bad}");
    }
}

#[test]
fn in_place_nothing_becomes_a_replacement_character_unasked() {
    let folder = Stage::new();
    let bad = [GOOD.as_bytes(), b"\xE9t\xE9, \xED\xA0\xBD!\n"].concat();
    folder.file("a", &bad);
    let ended = folder.run_on(&["repair", "--in-place", "a"], "");
    assert_eq!(ended.code, Some(1), "{}", ended.err);
    let named = "a: 1 lone surrogate (in line 1: ED A0 BD) stays as it is; --lossy writes U+FFFD for it";
    assert!(ended.err.contains(named), "{}", ended.err);
    assert_eq!(folder.get("a"), [GOOD.as_bytes(), "été, ".as_bytes(), b"\xED\xA0\xBD!\n"].concat());
    assert_eq!(folder.run_on(&["repair", "--in-place", "--lossy", "a"], "").code, Some(0));
    assert_eq!(folder.get("a"), format!("{GOOD}été, \u{FFFD}\u{FFFD}\u{FFFD}!\n").into_bytes());
}
