//! What `convert` refuses: the place of the error, the output before it, and the advice.

use crate::convert::{converted, refused};
use crate::stage::{Stage, placemat};

#[test]
fn what_precedes_an_error_is_written_and_the_error_is_placed() {
    let ended = placemat(&["convert", "-t", "utf-16be"], b"ab\nc\xC3\xA9\xFFd");
    assert_eq!((ended.code, &ended.out[..]), (Some(1), &b"\0a\0b\0\n\0c\0\xE9"[..]));
    assert!(ended.err.contains("<stdin>:2:3: byte 6: FF is malformed utf-8: invalid-byte, a byte that occurs nowhere in the form\n"), "{}", ended.err);
}

#[test]
fn errors_are_placed_in_the_source() {
    let long = "x\n".repeat(40_000);
    // The arguments, the text before the error, the error, the message.
    let rows: &[(&[&str], &str, &[u8], &str)] = &[
        (&["-f", "shift_jis"], "\u{65E5}\n", b"\xFF", ":2:1: byte {}: FF is malformed shift_jis"),
        (&["-f", "shift_jis", "-t", "us-ascii"], "a\nb", b"\x93\xFA", ":2:2: byte {}: 93 FA is U+65E5 (日)"),
        (&["-f", "shift_jis", "-t", "cp437"], "a\nb", b"\x93\xFA", ":2:2: byte {}: 93 FA is U+65E5 (日)"),
        (&["-t", "shift_jis"], "日本\né", "😀".as_bytes(), ":2:1: byte {}: C3 A9 is U+00E9"),
        (&["-t", "euc-kr"], "가나\n日本", "😀".as_bytes(), ":2:3: byte {}: F0 9F 98 80 is U+1F600"),
        (&["-f", "utf-16le", "-t", "cp437"], "x\n", b"\xAC\x20", ":2:1: byte {}: AC 20 is U+20AC"),
        (&["-f", "gb18030"], "日\n本", b"\x81", ":2:2: byte {}: 81 is malformed gb18030: truncated"),
        // The policy gives a character that the target lacks, where source and target are forms or legacy encodings.
        (&["-t", "us-ascii", "--on-error", "cp1252"], "ab\nc", b"\xE9d", ":2:2: byte {}: E9 is U+00E9 (é)"),
        (&["-t", "koi8-r", "--on-error", "cp1252"], "ab\nc", b"\xE9d", ":2:2: byte {}: E9 is U+00E9 (é)"),
        (&["-t", "cp437", "--on-error", "cp1252"], "x\na", b"\xE2\x82", ":2:2: byte {}: E2 82 is U+201A (‚)"),
        (
            &["-f", "shift_jis", "-t", "koi8-r", "--on-error", "cp1252"],
            "x\na",
            b"\xFF",
            ":2:2: byte {}: FF is U+00FF (ÿ)",
        ),
        (
            &["-f", "shift_jis", "-t", "us-ascii", "--on-error", "cp1252"],
            "x\na",
            b"\xFF",
            ":2:2: byte {}: FF is U+00FF",
        ),
        // A character before an error.
        (
            &["-t", "cp437", "--on-error", "cp1252"],
            "ab\n",
            b"\xF0\x9F\x98\x80\xE2\x82",
            ":2:1: byte {}: F0 9F 98 80 is U+1F600",
        ),
        (
            &["-f", "utf-16be", "-t", "utf-8"],
            "a\nb",
            b"\xD8\x00",
            ":2:2: byte {}: D8 00 is malformed utf-16be",
        ),
    ];
    let stage = Stage::new();
    for (args, before, error, expected) in rows {
        for far in ["", &long] {
            let form = args.iter().skip_while(|arg| **arg != "-f").nth(1).unwrap_or(&"utf-8");
            let mut input = converted(&["-t", form], format!("{far}{before}"));
            // In the row of U+00E9 the error is in the text before.
            let offset = if expected.contains("C3 A9") { input.len() - 2 } else { input.len() };
            input.extend_from_slice(error);
            let expected = expected.replace("{}", &offset.to_string());
            let line = 2 + far.lines().count();
            let expected = expected.replacen(":2:", &format!(":{line}:"), 1);
            stage.file("file", &input);
            let args = [&["convert"], *args].concat();
            let (pipe, file) =
                (stage.run_on(&args, &input), stage.run_on(&[&args[..], &["file"]].concat(), ""));
            for ended in [pipe, file] {
                assert_eq!(ended.code, Some(1), "{args:?}");
                assert!(ended.err.contains(&expected), "{args:?} wants {expected}: {}", ended.err);
            }
        }
    }
}

#[test]
fn what_is_skipped_is_no_part_of_what_stops() {
    let skipping = ["-f", "shift_jis", "-t", "us-ascii", "--on-error", "skip"];
    let (code, complaint) = refused(&skipping, b"\xFF\xE9\x64");
    assert_eq!(code, Some(1));
    assert!(complaint.contains(":1:2: byte 1: E9 64 is U+9998"), "{complaint}");
}

/// The transcoder is ahead of the writer that refuses.
#[test]
fn nothing_behind_a_stop_comes_out() {
    let stage = Stage::new();
    stage.file("next", "next");
    // The replacements of the errors are in the transcoder's buffer, in part or not at all.
    for before in [65_500, 65_513, 65_516, 65_517, 65_524, 65_532] {
        let before = "a".repeat(before);
        stage.file("stops", [format!("{before}😀").as_bytes(), &[0xFF; 5]].concat());
        for target in ["ibm437", "koi8-r", "shift_jis", "iso-2022-jp"] {
            let run = |inputs: &[&str]| {
                let args = [&["convert", "-t", target, "--on-error", "escape"], inputs].concat();
                stage.run_on(&args, "").out
            };
            assert!(run(&["stops"]) == before.as_bytes(), "{} to {target}", before.len());
            assert!(run(&["stops", "next"]) == format!("{before}next").as_bytes(), "to {target}");
        }
    }
}

#[test]
fn what_cannot_be_is_refused_at_the_start() {
    for args in [
        &["-t", "utf-8", "--on-error", "surrogateescape"][..],
        &["-t", "shift_jis", "--on-error", "surrogateescape"],
        &["-f", "utf-16le/surrogates", "-t", "ucs-4be", "--on-error", "surrogateescape"],
        &["-t", "replacement"],
        &["-t", "no-such-form"],
        &["--on-error", "naive"],
        &["--unencodable", "replace=ab"],
    ] {
        let ended = placemat(&[&["convert"], args].concat(), "a");
        assert_eq!((ended.code, &ended.out[..]), (Some(2), &b""[..]), "{args:?}: {}", ended.err);
    }
}

#[test]
fn what_a_file_says_is_not_shown_raw() {
    let (_, complaint) = refused(&["-t", "us-ascii"], "\u{202E}");
    assert!(complaint.contains("U+202E (\\u{202e})"), "{complaint}");
}

#[test]
fn advice_is_what_the_input_looks_like() {
    let stage = Stage::new();
    let (russian, _, _) = encoding_rs::KOI8_R.encode("Съешь же ещё этих мягких французских булок. ");
    let damaged = [&"café naïve € ".repeat(9).into_bytes()[..], b"\xE9t\xE9"].concat();
    for (input, advice) in [
        (&russian.repeat(3)[..], "it looks like koi8-r: -f koi8-r\n"),
        (b"\xFF\xFEa\0\xE9\0", "it looks like utf-16: -f utf-16\n"),
        (
            &damaged,
            "it is UTF-8 with a few malformed sequences: --on-error replace replaces them\n  to repair it first: placemat repair",
        ),
    ] {
        stage.file("a", input);
        for (args, input) in [(&["convert", "a"][..], &b""[..]), (&["convert"], input)] {
            let ended = stage.run_on(args, input);
            assert_eq!(ended.code, Some(1));
            assert!(ended.err.contains(advice), "{}", ended.err);
        }
    }
    stage.file("a", "Größe");
    let ended = stage.run_on(&["convert", "-f", "utf-16le", "a"], "");
    assert!(ended.err.contains("looks like utf-8: -f utf-8"), "{}", ended.err);
    // Text without letters, and the middle of a pipe, get no guess.
    for input in [&b"\0\x01\xFF\x02\0"[..], &[&[b'a'; 1 << 20][..], b"\xFF"].concat()] {
        let said = refused(&[], input).1;
        assert!(said.contains("name it with -f\n"), "{said}");
    }
}

#[test]
fn the_form_of_unicode_1_1_is_for_text_with_its_hangul() {
    let said = |text: &str, to: &str| placemat(&["convert", "-t", to], text).err;
    let warning = "placemat: <stdin>: written as unicode-1-1-utf-8, but RFC 2279 keeps that label for text with Hangul of Unicode 1.1, and there is none\n";
    assert_eq!(said("A", "unicode-1-1-utf-8"), warning);
    assert_eq!(said("é", "unicode-1-1-utf-8/lenient"), warning.replace("utf-8,", "utf-8/lenient,"));
    assert_eq!(said("A한", "unicode-1-1-utf-8"), "");
    assert_eq!(said("", "unicode-1-1-utf-8"), "");
    assert_eq!(said("A", "utf-8"), "");
    let stage = Stage::new();
    for (args, input) in [
        (&["convert", "-t", "unicode-1-1-utf-8", "--in-place", "a"][..], "a"),
        (&["convert", "-t", "unicode-1-1-utf-8", "-o", "b"], "<stdin>"),
    ] {
        stage.file("a", "é");
        assert_eq!(stage.run_on(args, "é").err, warning.replace("<stdin>", input));
    }
}

#[test]
fn an_escape_that_would_forge_a_character_is_refused_for_that() {
    let stage = Stage::new();
    stage.file("c", b"x\xC3");
    stage.file("a", b"\xA9y");
    for form in ["utf-8b", "optu-8"] {
        let ended = stage.run_on(&["convert", "-f", form, "-t", form, "c", "a"], "");
        let reason = format!(
            ", which {form} cannot have here: after the text before it, it would be read as something else"
        );
        assert!(ended.code == Some(1) && ended.err.contains(&reason), "{}", ended.err);
    }
}

/// The character before an error may still be incomplete there, or end with the same byte.
#[test]
fn places_count_all_that_precedes() {
    let cut = |at, tail: &[u8]| [&vec![b'a'; at], tail].concat();
    let cases: [(&[&str], Vec<u8>, &str); 24] = [
        (
            &["-t", "latin1", "--on-error", "replace"],
            b"a\xE2\x82\xE2\x82\xAC".into(),
            "1:3: byte 3: E2 82 AC is",
        ),
        (&["-f", "ucs-2le/pairs"], b"\x00\xD8\n".into(), "1:1: byte 0: 00 D8"),
        (&["-f", "ucs-2le/pairs", "-c"], b"\x00\xD8\n".into(), ""),
        (&["-f", "utf-7"], b"ab+AOl-".into(), "1:4: byte 5: 6C"),
        (&["-f", "utf-7"], b"+AAogrNgA-".into(), "2:2: byte 6"),
        (&["-f", "utf-7", "-t", "latin1"], b"+AAogrA-".into(), "2:1: byte 3: 6F 67 72 is U+20AC"),
        (
            &["-f", "utf-8b", "-t", "ucs-2be"],
            b"\xE2\x82\xF0\x9F\x98\x80".into(),
            "1:3: byte 2: F0 9F 98 80 is",
        ),
        (
            &["-f", "cesu-8/lenient", "-t", "ucs-2be"],
            b"\xED\xA0\x80\xED\xA0\xBD\xED\xB8\x80".into(),
            "1:2: byte 3: ED A0 BD ED B8 80 is",
        ),
        (&["-f", "utf-7", "-t", "koi8-r"], b"ab+ZeU-c".into(), "1:3: byte 3: 5A 65 is U+65E5"),
        (&["-f", "utf-7", "-t", "us-ascii"], b"ab+ZeU-c".into(), "1:3: byte 3: 5A 65 is U+65E5"),
        (
            &["-f", "shift_jis", "-t", "latin1"],
            cut(16_383, b"\x93\xFA"),
            "1:16384: byte 16383: 93 FA is U+65E5",
        ),
        (
            &["-f", "gb18030", "-t", "latin1"],
            cut(16_381, b"\x94\x39\xDA\x33"),
            "1:16382: byte 16381: 94 39 DA 33 is",
        ),
        (&["-f", "euc-jp", "-t", "latin1"], cut(16_382, b"\x8F\xB0\xA1"), "1:16383: byte 16382: 8F B0 A1 is"),
        // Two characters: the target lacks the second, or both.
        (&["-f", "big5", "-t", "latin1"], cut(9, b"\x88\x62"), "1:11: byte 9: 88 62 is U+0304"),
        (&["-f", "big5", "-t", "cp437"], cut(9, b"\x88\x62"), "1:10: byte 9: 88 62 is U+00CA"),
        (
            &["-f", "gb18030", "-t", "latin1", "--on-error", "replace"],
            b"a\x81\x30\x81\xC8\xD5".into(),
            "1:4: byte 3: 81 C8 is U+4F3B",
        ),
        (&["-f", "gb18030"], b"\x84\x31\x95\x33a\xFF".into(), "1:2: byte 5: FF"),
        (&["-f", "gb18030", "-t", "latin1"], b"\x84\x31\x95\x33a\xA2\xE3".into(), "1:2: byte 5: A2 E3 is"),
        (&["-t", "shift_jis"], cut(131_071, "é".as_bytes()), "1:131072: byte 131071: C3 A9 is U+00E9"),
        (&["-t", "us-ascii"], cut(131_071, "é".as_bytes()), "1:131072: byte 131071: C3 A9 is U+00E9"),
        (&["-f", "iso-2022-jp", "-t", "latin1"], b"ab\x1B$BF|\x1B(B".into(), "1:3: byte 5: 46 7C is U+65E5"),
        (&["-f", "iso-2022-jp"], b"\x1B$BF|\x1B(Bx\x1B$BF\x7F".into(), "1:3: byte 12: 46"),
        (&["-f", "utf-16"], b"\xFF\xFE\xFF\xFE\x00\xD8".into(), "1:2: byte 4: 00 D8"),
        (&["-f", "auto//IGNORE", "-t", "latin1"], "日本語テスト".into(), ""),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("input");
    for (args, bytes, said) in cases {
        if said.is_empty() {
            assert_eq!(placemat(&[&["convert"], args].concat(), &bytes).code, Some(0), "{args:?}");
            continue;
        }
        let (code, complaint) = refused(args, &bytes);
        assert_eq!(code, Some(1));
        assert!(complaint.contains(&format!(":{said}")), "{args:?}: {complaint} instead of {said}");
        // A file is read again to find the place.
        std::fs::write(&path, &bytes).unwrap();
        let (_, complaint) = refused(&[args, &[path.to_str().unwrap()]].concat(), "");
        assert!(complaint.contains(&format!(":{said}")), "file, {args:?}: {complaint} instead of {said}");
    }
    let ncr = |text| converted(&["-t", "iso-2022-jp", "--unencodable", "ncr"], text);
    assert_eq!(ncr("日\u{1B}本"), b"\x1B$BF|\x1B(B&#65533;\x1B$BK\\\x1B(B");
    // Nor do the control characters ESC and SO come through as replacements of errors, from a form or a legacy
    // encoding.
    let ncr = |form, bytes: &[u8]| {
        let args = ["-f", form, "-t", "iso-2022-jp", "--on-error", "latin1", "--unencodable", "ncr"];
        converted(&args, bytes)
    };
    assert_eq!(ncr("utf-16le", b"\x1B\xD8a\0"), b"&#65533;&#216;a");
    assert_eq!(ncr("gb18030", b"\x81\x30\x81\x1B\x81\x0E"), b"&#129;0&#129;&#65533;&#129;&#65533;");
    assert_eq!(ncr("iso-2022-jp", b"\x1Ba\x0E"), b"&#65533;a&#65533;");
}

#[test]
fn a_guess_that_is_hardly_one_is_not_advised() {
    for (input, advice) in [
        (&b"abc \xFF def\n"[..], "name it with -f"),
        (b"\xFF", "name it with -f"),
        (b"caf\xC3\xA9", "looks like utf-8: -f utf-8"),
        (b"caf\xE9 au lait", "windows-1252: -f windows-1252"),
    ] {
        let said = refused(&["-f", "us-ascii"], input).1;
        assert!(said.contains(advice), "{said}");
    }
}

#[test]
fn a_list_is_no_conversion() {
    for more in [&["-o", "a"][..], &["--in-place"], &["a"], &["--files-from", "a"]] {
        let ran = placemat(&[&["convert", "-l"], more].concat(), "");
        assert_eq!((ran.code, ran.out.len()), (Some(2), 0), "{more:?}");
    }
}
