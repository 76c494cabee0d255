//! `check --baseline`, and the formats of build servers.

use serde_json::Value;

use crate::stage::Stage;

fn tree() -> Stage {
    let stage = Stage::new();
    stage.file("a.txt", b"one\ncaf\xE9\ntwo \xFF\n");
    stage.file("sub/b.txt", b"\xFF\n\xFF\n");
    stage.file("sub/c.txt", "cafÃ© c\n");
    stage.file("fine.txt", "fine\n");
    stage
}

#[test]
fn only_what_is_new_fails() {
    let stage = tree();
    let ran = stage.run(&["check", "--write-baseline", "known.json", "."]);
    assert_eq!((ran.code, &*ran.out), (Some(0), ""));
    assert_eq!(ran.err, "placemat: known.json: 4 known errors in 2 files\n");
    let file = String::from_utf8(stage.get("known.json")).unwrap();
    let lines: Vec<_> = file.lines().collect();
    assert_eq!(lines[0], r#"{"type":"baseline","version":1}"#);
    let mut sorted = lines[1..].to_vec();
    sorted.sort_unstable();
    assert_eq!(lines[1..], sorted);
    assert_eq!(lines.len(), 4, "the same line twice is one entry: {file}");
    assert!(
        file.contains(r#""path":"sub/b.txt","kind":"invalid-byte""#) && file.contains(r#""count":2}"#),
        "{file}"
    );
    // The paths are the same from wherever the tree is named.
    for paths in [&["."][..], &["a.txt", "sub"], &["sub/b.txt"], &["./a.txt"], &["--mojibake", "a.txt"]] {
        let ran = stage.run(&[&["check", "--baseline", "known.json"], paths].concat());
        assert_eq!(ran.quiet(), (0, ""), "{paths:?}");
    }
    // Lines that moved stay known; a third one like them, and one that changed, do not.
    stage.file("a.txt", b"new\n\none\ntwo \xFF\n\xC3\xA9\ncaf\xE9\n");
    stage.file("sub/b.txt", b"\xFF\n\xFF\n\xFF\n");
    let ran = stage.run(&["check", "--baseline", "known.json", "--count"]);
    assert_eq!(ran.quiet(), (1, "sub/b.txt:1\n"));
    let short = stage.run(&["check", "--baseline", "known.json", "--format", "short"]);
    assert!(short.out.starts_with("sub/b.txt:3:1: invalid-byte: "), "{short:?}");
    assert_eq!(short.out.lines().count(), 1);
    for format in ["paths", "json", "human", "sarif", "github"] {
        let ran = stage.run(&["check", "--baseline", "known.json", "--format", format, "--max-errors=0"]);
        assert_eq!(ran.code, Some(1), "{format}: {ran:?}");
        assert!(!ran.out.contains("a.txt"), "{format}: {ran:?}");
    }
    stage.file("a.txt", b"one\nCAF\xE9\n");
    let ran = stage.run(&["check", "--baseline", "known.json", "--format", "short", "a.txt"]);
    assert!(ran.out.starts_with("a.txt:2:4: missing-continuation: "), "{ran:?}");
    let gone = "placemat: known.json: no longer found: a.txt: 1 invalid-byte
placemat: known.json: no longer found: a.txt: 1 missing-continuation\n";
    assert_eq!((ran.code, ran.err), (Some(1), gone.into()));
}

#[test]
fn what_a_file_seems_to_be_is_not_told_while_all_of_it_is_known() {
    let stage = Stage::new();
    // KOI8-R.
    let text = b"\xF0\xD2\xC9\xD7\xC5\xD4 \xCD\xC9\xD2, \xCB\xC1\xCB \xC4\xC5\xCC\xC1\n";
    stage.file("k", text);
    for format in ["human", "github"] {
        let check = |flag: &str, path: &str, input: &[u8]| {
            stage.run_with(&["check", "--format", format, flag, "b.json", path], input)
        };
        for path in ["k", "-"] {
            let ran = check("--write-baseline", path, text);
            assert_eq!((ran.code, &*ran.out), (Some(0), ""), "{format} {path}");
            assert_eq!(check("--baseline", path, text).quiet(), (0, ""), "{format} {path}");
            // With a new error, what the file seems to be is reported.
            let more = [&text[..], b"\xC4\xC1\n"].concat();
            stage.file("k", &more);
            let ran = check("--baseline", path, &more);
            assert!(ran.code == Some(1) && ran.out.contains("looks like koi8-r"), "{format} {path}: {ran:?}");
            stage.file("k", text);
        }
    }
}

#[test]
fn mojibake_and_standard_input_can_be_known() {
    let stage = tree();
    stage.run(&["check", "--mojibake", "--write-baseline", "k", "."]);
    assert_eq!(stage.run(&["check", "--mojibake", "--baseline", "k", "."]).quiet(), (0, ""));
    stage.file("sub/c.txt", "cafÃ© c\nund cafÃ©\n");
    let ran = stage.run(&["check", "--mojibake", "--baseline", "k", "--count"]);
    assert_eq!(ran.quiet(), (1, "sub/c.txt:1\n"));
    stage.run_with(&["check", "--write-baseline", "in", "-"], b"caf\xE9\n");
    assert_eq!(stage.run_with(&["check", "--baseline", "in", "-"], b"x\ncaf\xE9\n").quiet(), (0, ""));
    assert_eq!(stage.run_with(&["check", "--baseline", "in", "-"], b"caf\xE9\ncaf\xE9\n").code, Some(1));
}

#[test]
fn all_errors_of_a_file_can_be_known_and_of_those_shown_none_is() {
    let stage = Stage::new();
    stage.file("a", b"\xFF\n".repeat(3000));
    stage.run(&["check", "--write-baseline", "k", "a"]);
    assert_eq!(stage.run(&["check", "--baseline", "k", "a"]).quiet(), (0, ""));
    stage.file("a", [&b"\xFF\n".repeat(3000)[..], b"\xFE\n\xFE\n"].concat());
    let ran = stage.run(&["check", "--baseline", "k", "--format=short", "--max-errors=1", "a"]);
    assert!(ran.out.starts_with("a:3001:1: "), "{ran:?}");
    assert!(ran.out.ends_with("a: 1 more error\n"), "{ran:?}");
    // A deleted file is named.
    std::fs::remove_file(stage.path("a")).unwrap();
    stage.file("b", "b");
    let ran = stage.run(&["check", "--baseline", "k", "b"]);
    assert_eq!((ran.code, &*ran.err), (Some(0), "placemat: k: no longer found: a: 3,000 invalid-byte\n"));
}

#[test]
fn a_bad_baseline_is_refused() {
    let stage = tree();
    stage.file("bad", "{}\n");
    stage.file("empty", "");
    stage.file("broken", "{\"type\":\"baseline\",\"version\":1}\n{]\n");
    stage.file("newer", "{\"type\":\"baseline\",\"version\":2}\n");
    for (name, said) in [
        ("bad", "--baseline bad: is not a baseline of"),
        ("empty", "--baseline empty: is not a baseline"),
        ("newer", "--baseline newer: line 1: unknown version 2"),
        ("broken", "--baseline broken: line 2: byte 2: key must be a string\n"),
        ("none", "--baseline none: "),
    ] {
        let ran = stage.run(&["check", "--baseline", name, "."]);
        assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{ran:?}");
        assert!(ran.err.contains(said), "{ran:?}");
    }
    assert_eq!(stage.run(&["check", "--baseline=a", "--write-baseline=b", "."]).code, Some(2));
    let ran = stage.run(&["check", "--write-baseline", "-", "."]);
    assert!(ran.code == Some(2) && ran.err.contains("name a file for the baseline"), "{ran:?}");
    assert!(!stage.path("-").exists());
    if std::path::Path::new("/dev/full").exists() {
        let ran = stage.run(&["check", "--write-baseline", "/dev/full", "."]);
        assert!(ran.code == Some(2) && ran.err.starts_with("placemat: /dev/full: "), "{ran:?}");
    }
}

#[test]
fn gitlab_gets_an_array_with_a_fingerprint_for_each_error() {
    let stage = tree();
    let args = ["check", "--mojibake", "--format=gitlab", "."];
    let log: Value = serde_json::from_str(&stage.run(&args).out).unwrap();
    let issues = log.as_array().unwrap();
    assert_eq!(issues.len(), 5);
    let of =
        |name: &str| issues.iter().map(|issue| issue[name].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let fingerprints: std::collections::BTreeSet<_> = of("fingerprint").into_iter().collect();
    assert_eq!(fingerprints.len(), 5);
    assert_eq!(of("check_name")[4], "mojibake");
    assert_eq!(issues[1]["location"], serde_json::json!({"path": "a.txt", "lines": {"begin": 3}}));
    assert!(of("severity").iter().all(|severity| severity == "major"));
    // The fingerprint stays the same if the line moves.
    stage.file("a.txt", b"zero\none\ncaf\xE9\n");
    let moved: Value = serde_json::from_str(&stage.run(&args).out).unwrap();
    assert_eq!(
        (&moved[0]["fingerprint"], &moved[0]["location"]["lines"]["begin"]),
        (&log[0]["fingerprint"], &3.into())
    );
    assert_eq!(stage.run(&["check", "--format=gitlab", "fine.txt"]).quiet(), (0, "[]\n"));
}

#[test]
fn junit_has_a_case_for_each_file_with_errors() {
    let stage = tree();
    stage.file("<&>\".txt", b"a\x1B<\xFF>\n");
    let ran = stage.run(&["check", "--format=junit", ".", "missing"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let sums = r#"tests="6" failures="3" errors="1""#;
    assert!(ran.out.contains(&format!("<testsuites {sums}>")), "{}", ran.out);
    assert!(ran.out.contains(r#"<testcase classname="placemat.check" name="./a.txt">"#), "{}", ran.out);
    assert!(ran.out.contains(r#"name="./&lt;&amp;&gt;&quot;.txt""#), "{}", ran.out);
    assert!(
        ran.out.contains("<failure message=\"2 errors\">./a.txt:2:4: missing-continuation: "),
        "{}",
        ran.out
    );
    assert!(ran.out.contains(r#"<error message=""#), "{}", ran.out);
    // A program that reads XML reads it.
    let script = "import sys, xml.etree.ElementTree as e; s = e.fromstring(sys.stdin.buffer.read())[0]; print(len(s), s.get('failures'))";
    let mut python = std::process::Command::new("python3");
    let python = python
        .args(["-c", script])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn();
    let Ok(mut python) = python else {
        eprintln!("skipped: there is no python3");
        return;
    };
    std::io::Write::write_all(&mut python.stdin.take().unwrap(), ran.out.as_bytes()).unwrap();
    assert_eq!(String::from_utf8(python.wait_with_output().unwrap().stdout).unwrap(), "4 3\n");
}

#[test]
fn short_is_a_line_an_error() {
    let stage = tree();
    let ran = stage.run(&["check", "--format=short", "--mojibake", "."]);
    let lines: Vec<_> = ran.out.lines().collect();
    assert_eq!(lines.len(), 5, "{ran:?}");
    assert!(lines[0].starts_with("./a.txt:2:4: missing-continuation: E9 begins"), "{}", lines[0]);
    assert_eq!(lines[4], "./sub/c.txt:1:4: mojibake: Ã© stands for é: its UTF-8 was read as windows-1252");
    let ran = stage.run(&["check", "--format=short", "--max-errors=1", "sub/b.txt"]);
    assert!(ran.out.ends_with("sub/b.txt: 1 more error\n"), "{ran:?}");
}

#[test]
fn what_cannot_be_read_has_a_record() {
    let stage = tree();
    let ran = stage.run(&["check", "--format=json", "fine.txt", "missing"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.out.starts_with(r#"{"type":"failed","path":"missing","reason":"No such file"#),
        "{}",
        ran.out
    );
    let ran = stage.run(&["check", "--format=sarif", "fine.txt", "missing"]);
    let log: Value = serde_json::from_str(&ran.out).unwrap();
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let told = &invocation["toolExecutionNotifications"][0];
    assert_eq!(told["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "missing");
    assert!(crate::sarif::complaint(&log).is_none(), "{:?}", crate::sarif::complaint(&log));
}
