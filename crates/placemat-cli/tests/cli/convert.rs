//! `convert` on pipes: policies, byte order marks, joins, legacy encodings, diagnostics.

use crate::stage::{Stage, placemat};
/// Converts with success and returns the output.
#[track_caller]
pub(super) fn converted(args: &[&str], input: impl AsRef<[u8]>) -> Vec<u8> {
    let ended = placemat(&[&["convert"], args].concat(), input);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    ended.out
}

/// The exit code and the message of a conversion that fails.
#[track_caller]
pub(super) fn refused(args: &[&str], input: impl AsRef<[u8]>) -> (Option<i32>, String) {
    let ended = placemat(&[&["convert"], args].concat(), input);
    assert_ne!(ended.code, Some(0), "{ended:?}");
    (ended.code, ended.err)
}

#[test]
fn every_policy_has_its_stand_in() {
    let rows = [
        ("replace", "\u{FFFD}<\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}é>"),
        ("replace-byte", "\u{FFFD}<\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}é>"),
        ("replace-sequence", "\u{FFFD}<\u{FFFD}\u{FFFD}é>"),
        ("replace-run", "\u{FFFD}<\u{FFFD}é>"),
        ("skip", "<é>"),
        ("latin1", "\u{9D}<\u{E0}\u{80}\u{80}\u{E2}\u{82}é>"),
        ("cp1252", "\u{9D}<à€€â‚é>"),
        ("cp1252-strict", "\u{FFFD}<à€€â‚é>"),
        ("optu", "\u{EF9D}<\u{EFE0}\u{EF80}\u{EF80}\u{EFE2}\u{EF82}é>"),
        ("escape", "\\x9d<\\xe0\\x80\\x80\\xe2\\x82é>"),
    ];
    for (policy, expected) in rows {
        let out = converted(&["--on-error", policy], b"\x9D<\xE0\x80\x80\xE2\x82\xC3\xA9>");
        assert_eq!(String::from_utf8(out).as_deref(), Ok(expected), "{policy}");
    }
    let out = converted(&["-t", "ucs-2be", "--on-error", "surrogateescape"], b"a\xFFb");
    assert_eq!(out, b"\0a\xDC\xFF\0b");
}

#[test]
fn policies_work_on_legacy_encodings_too() {
    // A lead byte with a bad trail byte, twice, and a lone unassigned byte.
    let rows = [
        ("replace", "a\u{FFFD}!\u{FFFD}\u{FFFD}日"),
        ("replace-run", "a\u{FFFD}!\u{FFFD}日"),
        ("skip", "a!日"),
        ("cp1252", "a\u{81}!ÿÿ日"),
        ("escape", "a\\x81!\\xff\\xff日"),
    ];
    for (policy, expected) in rows {
        let out = converted(&["-f", "shift_jis", "--on-error", policy], b"a\x81!\xFF\xFF\x93\xFA");
        assert_eq!(String::from_utf8(out).as_deref(), Ok(expected), "{policy}");
    }
    let escaped =
        converted(&["-f", "shift_jis", "-t", "utf-8b", "--on-error", "surrogateescape"], b"a\xFF\x93\xFA");
    assert_eq!(escaped, b"a\xFF\xE6\x97\xA5");
}

#[test]
fn what_the_target_lacks_has_its_stand_in() {
    for target in ["us-ascii", "cp437", "iso-8859-2", "iso-2022-jp"] {
        let rows = [
            ("replace", "a?b"),
            ("replace=_", "a_b"),
            ("skip", "ab"),
            ("escape", "a\\u{1f600}b"),
            ("ncr", "a&#128512;b"),
        ];
        for (policy, expected) in rows {
            let out = converted(&["-t", target, "--unencodable", policy], "a😀b");
            assert_eq!(out, expected.as_bytes(), "{policy} to {target}");
        }
        // U+FFFD for an error is written as `?` if the target lacks it, and is no second error.
        assert_eq!(converted(&["-t", target, "--on-error", "replace"], b"a\xFFb"), b"a?b", "{target}");
    }
    assert_eq!(
        converted(&["-f", "ucs-4be", "-t", "gbk", "--unencodable", "skip"], b"\0\x11\0\0\0\0\0a"),
        b"a"
    );
    assert_eq!(converted(&["-t", "gb18030", "--on-error", "replace"], b"\xFF"), b"\x84\x31\xA4\x37");
}

#[test]
fn a_stand_in_that_is_lacking_too_is_refused_at_the_start() {
    for (target, stand_in, code_point) in
        [("us-ascii", "€", "U+20AC"), ("shift_jis", "é", "U+00E9"), ("cp437", "Ж", "U+0416")]
    {
        let (code, complaint) =
            refused(&["-t", target, "--unencodable", &format!("replace={stand_in}")], "a");
        assert_eq!(code, Some(2), "{target}");
        assert!(complaint.contains(&format!("{target} cannot carry {code_point}")), "{complaint}");
        // U+FFFD is written as `?` if the target lacks it.
        let out = converted(&["-t", target, "--unencodable", "replace=\u{FFFD}"], "a😀");
        assert_eq!(out, b"a?", "{target}");
    }
}

#[test]
fn legacy_encodings_go_both_ways() {
    let text = "日本語 テスト\n";
    for name in ["shift_jis", "euc-jp", "iso-2022-jp", "gb18030", "gbk", "utf-7", "utf-16"] {
        let bytes = converted(&["-t", name], text);
        assert_eq!(converted(&["-f", name], &bytes), text.as_bytes(), "{name}");
    }
    let bytes = converted(&["-f", "shift_jis", "-t", "euc-jp"], converted(&["-t", "sjis"], text));
    assert_eq!(converted(&["-f", "euc-jp"], bytes), text.as_bytes());
    // ISO-2022-JP ends in ASCII.
    assert_eq!(converted(&["-t", "iso-2022-jp"], "日"), b"\x1B$BF|\x1B(B");
    // A character that the target lacks leaves no pair of escape sequences without effect, which a decoder would refuse.
    let without = |text| converted(&["-c", "-s", "-t", "iso-2022-jp"], text);
    assert_eq!(without("日€日"), b"\x1B$BF|F|\x1B(B");
    assert_eq!(without("日€€a€日€"), b"\x1B$BF|\x1B(Ba\x1B$BF|\x1B(B");
    assert_eq!(without("日€¥日\u{1B}"), b"\x1B$BF|\x1B(J\\\x1B$BF|\x1B(B");
    let ended = placemat(&["convert", "-c", "-t", "koi8-r"], "я中文é日本語ж€€a");
    assert_eq!((&ended.out[..], &ended.err[..]), (&b"\xD1\xD6a"[..], "placemat: <stdin>: 8 skipped\n"));
    assert_eq!(
        converted(&["-t", "iso-2022-jp", "--unencodable", "replace=日"], "日€日"),
        b"\x1B$BF|F|F|\x1B(B"
    );
    assert_eq!(converted(&["-t", "iso-2022-jp", "--unencodable", "ncr"], "日€"), b"\x1B$BF|\x1B(B&#8364;");
    assert_eq!(converted(&["-f", "cp437", "-t", "cp850"], b"\x84\xE1"), b"\x84\xE1");
    // EBCDIC, whose codes are not those of ASCII. Its two line ends are kept apart.
    assert_eq!(converted(&["-t", "cp037"], "Hi [1]\n\u{85}"), b"\xC8\x89\x40\xBA\xF1\xBB\x25\x15");
    assert_eq!(converted(&["-f", "EBCDIC-CP-CH", "-t", "IBM037"], b"\x4A\x5A\x25"), b"\xBA\xBB\x25");
    let (code, _) = refused(&["-f", "cp857"], b"a\xD5");
    assert_eq!(code, Some(1));
}

#[test]
fn marks_are_kept_stripped_added_and_never_doubled() {
    let marked = "\u{FEFF}a";
    assert_eq!(converted(&[], marked), marked.as_bytes());
    assert_eq!(converted(&["--bom", "strip"], marked), b"a");
    assert_eq!(converted(&["--bom", "add"], "a"), marked.as_bytes());
    assert_eq!(converted(&["--bom", "add"], marked), marked.as_bytes());
    assert_eq!(converted(&["-t", "utf-16"], marked), b"\xFE\xFF\0a");
    assert_eq!(converted(&["-t", "utf-16le", "--bom", "add"], "a"), b"\xFF\xFEa\0");
    assert_eq!(converted(&["-t", "windows-1252"], marked), b"a");
    assert_eq!(converted(&["-t", "shift_jis"], marked), b"a");
    assert_eq!(converted(&["-t", "gb18030", "--bom", "add"], "a"), b"\x84\x31\x95\x33a");
    assert_eq!(converted(&["-t", "utf-16"], ""), b"");
    for target in ["us-ascii", "shift_jis", "cp437"] {
        assert_eq!(refused(&["-t", target, "--bom", "add"], "a").0, Some(2), "{target}");
    }
}

#[test]
fn the_output_is_cut_at_a_character() {
    assert_eq!(converted(&["--max-bytes", "3"], "naïve"), b"na");
    assert_eq!(converted(&["--max-bytes", "4"], "naïve"), "naï".as_bytes());
    assert_eq!(converted(&["--max-bytes", "0"], "naïve"), b"");
    // The limit includes the escape sequence that returns to ASCII.
    assert_eq!(converted(&["-t", "iso-2022-jp", "--max-bytes", "10"], "日本"), b"\x1B$BF|K\\\x1B(B");
    assert_eq!(converted(&["-t", "iso-2022-jp", "--max-bytes", "9"], "日本"), b"\x1B$BF|\x1B(B");
    // What follows is not even read.
    assert_eq!(converted(&["--max-bytes", "2"], b"ab\xFF"), b"ab");
    assert_eq!(converted(&["--max-bytes", "1"], b"ab\xFF"), b"a");
    assert_eq!(refused(&["--max-bytes", "3"], b"ab\xFF").0, Some(1));
    let ended = placemat(&["convert", "--max-bytes", "2"], "aé");
    assert_eq!(ended.err, "placemat: <stdin>: cut off after the last character that fits: --max-bytes 2\n");
    assert_eq!(placemat(&["convert", "-s", "--max-bytes", "2"], "aé").err, "");
    assert_eq!(placemat(&["convert", "--max-bytes", "3"], "aé").err, "");
    let stage = Stage::new();
    stage.file("a", "é");
    stage.file("b", "日本");
    let ended = stage.run(&["convert", "--max-bytes", "7", "-o", "joined", "a", "b", "missing"]);
    assert_eq!((ended.code, stage.get("joined")), (Some(0), "é日".into()));
    assert_eq!(stage.run(&["convert", "--max-bytes", "7", "--in-place", "a"]).code, Some(2));
}

#[test]
fn inputs_are_joined_with_one_mark_at_most() {
    let stage = Stage::new();
    stage.file("a", "\u{FEFF}a");
    stage.file("b", "\u{FEFF}b");
    stage.file("empty", "");
    let joined = |args: &[&str]| stage.run_on(&[&["convert"], args].concat(), "").out;
    assert_eq!(joined(&["a", "b"]), "\u{FEFF}ab".as_bytes());
    assert_eq!(joined(&["empty", "b", "a"]), "\u{FEFF}ba".as_bytes());
    assert_eq!(joined(&["-t", "utf-16", "a", "b"]), b"\xFE\xFF\0a\0b");
    stage.file("le", b"\xFF\xFEx\0");
    stage.file("be", b"\xFE\xFF\0y");
    assert_eq!(joined(&["-f", "utf-16", "le", "be"]), b"xy");
    // A character must not be split over two inputs; a shift state goes on where it can.
    stage.file("half", b"\xE2\x82");
    stage.file("rest", b"\xAC");
    let ended = stage.run_on(&["convert", "a", "half", "rest", "b"], "");
    assert_eq!((ended.code, &ended.out[..]), (Some(1), "\u{FEFF}ab".as_bytes()));
    assert_eq!(ended.err.matches("is malformed utf-8").count(), 2, "{}", ended.err);
    stage.file("kana", "日");
    assert_eq!(joined(&["-t", "iso-2022-jp", "kana", "kana"]), b"\x1B$BF|F|\x1B(B");
    // Nor does a stop leave a pair of escape sequences with nothing between.
    stage.file("stops", "日한x");
    stage.file("kanji", "日本\n");
    let joined = |args: &[&str]| stage.run_on(&[&["convert", "-t", "iso-2022-jp"], args].concat(), "").out;
    assert_eq!(joined(&["stops", "kanji"]), b"\x1B$BF|F|K\\\x1B(B\n");
    assert_eq!(joined(&["stops", "stops", "empty"]), b"\x1B$BF|F|\x1B(B");
    assert_eq!(joined(&["stops", "rest", "a"]), b"\x1B$BF|\x1B(Ba");
}

#[test]
fn the_first_form_that_fits_the_whole_input_is_taken() {
    let either = ["-f", "utf-8,windows-1252"];
    assert_eq!(converted(&either, "café"), "café".as_bytes());
    assert_eq!(converted(&either, b"caf\xE9 \xC3\xA9"), "café Ã©".as_bytes());
    // The malformed byte comes after what is kept in memory.
    let mut long = "é".repeat(700_000).into_bytes();
    long.push(0xE9);
    assert!(converted(&either, &long).starts_with("Ã©Ã©".as_bytes()));
    assert_eq!(converted(&["-f", "us-ascii,shift_jis"], b"\x93\xFA"), "日".as_bytes());
    let (code, complaint) = refused(&["-f", "us-ascii,utf-8,euc-jp"], b"\xFF");
    assert_eq!(code, Some(1));
    assert_eq!(
        complaint,
        "placemat: <stdin>: is not well-formed us-ascii (byte 0: FF), is not well-formed utf-8 (byte 0: FF), is not \
         well-formed euc-jp (byte 0: FF)\n  name an encoding that it may be in too, or auto to guess one: -f A,B,auto\n"
    );
}

#[test]
fn auto_asks_detect() {
    let russian = "Привет, как дела? Москва говорит и показывает. Все на месте.\n";
    let koi = converted(&["-t", "koi8-r"], russian);
    assert_eq!(converted(&["-f", "auto"], &koi), russian.as_bytes());
    assert_eq!(converted(&["-f", "us-ascii,auto"], &koi), russian.as_bytes());
    assert_eq!(converted(&["-f", "auto"], converted(&["-t", "utf-16"], russian)), russian.as_bytes());
    let ended = placemat(&["convert", "-f", "auto"], b"\0\x01\x02\xFF\xFE\x80\0\x03");
    assert_eq!((ended.code, &ended.out[..]), (Some(1), &b""[..]), "{}", ended.err);
}

#[test]
fn iconv_is_spoken() {
    assert_eq!(converted(&["-c"], b"a\xFFb"), b"ab");
    assert_eq!(converted(&["-t", "ascii//IGNORE"], b"a\xFF\xC3\xA9b"), b"ab");
    assert_eq!(converted(&["-c", "-t", "shift_jis"], "aéb"), b"ab");
    let (code, complaint) = refused(&["-t", "ascii//TRANSLITERATE"], "a");
    assert_eq!(code, Some(2));
    assert!(complaint.contains("TRANSLIT, IGNORE and NON_IDENTICAL_DISCARD"), "{complaint}");
    for to in ["ascii//TRANSLIT", "cp437//translit"] {
        let ended = placemat(&["convert", "-t", to], "“ﬁ” …\u{E000}");
        assert_eq!(
            (&*ended.out, &*ended.err),
            (&b"\"fi\" ...?"[..], "placemat: <stdin>: 5 replaced\n"),
            "{to}"
        );
    }
    let ended = placemat(&["convert", "-t", "ascii//TRANSLIT//IGNORE"], b"\xC3\xA9\xFF\xEE\x80\x80");
    assert_eq!((&*ended.out, &*ended.err), (&b"e"[..], "placemat: <stdin>: 3 replaced or skipped\n"));
    let ended = placemat(&["convert", "-t", "ascii//NON_IDENTICAL_DISCARD"], "aéb");
    assert_eq!((&*ended.out, &*ended.err), (&b"ab"[..], "placemat: <stdin>: 1 skipped\n"));
    let (code, complaint) = refused(&["-t", "ascii//NON_IDENTICAL_DISCARD"], b"a\xFF");
    assert_eq!(code, Some(1), "{complaint}");
    let list = String::from_utf8(converted(&["-l"], "")).unwrap();
    for name in ["utf-8", "utf-16/web", "shift_jis", "cp437"] {
        assert!(list.lines().any(|line| line == name), "{name}");
    }
    // Replacements are counted, unless -s is given.
    let ended = placemat(&["convert", "-c"], b"a\xFFb\xFE");
    assert_eq!(ended.err, "placemat: <stdin>: 2 skipped\n");
    for (args, verb) in [
        (&["-c"][..], "skipped"),
        (&["--on-error", "skip"], "skipped"),
        (&["--on-error", "replace", "--unencodable", "skip"], "replaced or skipped"),
        (&["--on-error", "escape"], "replaced"),
    ] {
        let ended = placemat(&[&["convert"], args].concat(), b"a\xFFb\xFE");
        assert_eq!(ended.err, format!("placemat: <stdin>: 2 {verb}\n"), "{args:?}");
    }
    assert_eq!(placemat(&["convert", "-c", "-s"], b"a\xFFb\xFE").err, "");
}

#[test]
fn a_stand_in_that_has_a_stand_in_counts_once() {
    let count = |form, target, policy, bytes: &[u8]| {
        let args = ["convert", "-f", form, "-t", target, "--on-error", "cp1252", "--unencodable", policy];
        placemat(&args, bytes).err
    };
    for target in ["us-ascii", "cp437", "koi8-r", "iso-2022-jp"] {
        for policy in ["replace", "skip", "ncr", "escape"] {
            let verb = if policy == "skip" { "replaced or skipped" } else { "replaced" };
            let said = count("utf-8", target, policy, b"\xF0\x9F\x98\x80\xE2\x82");
            assert_eq!(said, format!("placemat: <stdin>: 2 {verb}\n"), "{policy} to {target}");
            let said = count("shift_jis", target, policy, b"\xFF");
            assert_eq!(said, format!("placemat: <stdin>: 1 {verb}\n"), "shift_jis, {policy} to {target}");
        }
    }
}

#[test]
fn labels_are_read_as_asked() {
    let euro = |labels| placemat(&["convert", "-f", "latin1", "--labels", labels], b"\x80").out;
    assert_eq!(euro("lenient"), "\u{80}".as_bytes());
    assert_eq!(euro("whatwg"), "€".as_bytes());
    assert_eq!(refused(&["-f", "utf8", "--labels", "iana"], "a").0, Some(2));
}

#[test]
fn a_label_that_says_so_writes_no_mark() {
    for label in ["UTF-8N", "utf-8-nobom", "UTF-8N//IGNORE"] {
        assert_eq!(converted(&["-t", label], "\u{FEFF}a"), b"a", "{label}");
    }
    let (code, complaint) = refused(&["-t", "UTF-8N", "--bom", "add"], "a");
    assert_eq!(code, Some(2));
    let advice = "UTF-8N means UTF-8 without a byte order mark: -t utf-8 --bom add writes one";
    assert!(complaint.contains(advice), "{complaint}");
    assert_eq!(converted(&["-t", "utf-8", "--bom", "add"], "a"), "\u{FEFF}a".as_bytes());
    assert_eq!(converted(&["-t", "UTF-8N", "--bom", "keep"], "\u{FEFF}a"), "\u{FEFF}a".as_bytes());
    assert_eq!(converted(&["-f", "UTF-8N"], "\u{FEFF}a"), "\u{FEFF}a".as_bytes());
    let counted = placemat(&["count", "-t", "UTF-8N", "--format=json"], "\u{FEFF}a").out;
    assert!(String::from_utf8(counted).unwrap().contains(r#""length":1}"#));
}
