//! `check --patch`: checks only what a diff adds.

use std::process::Command;

use crate::stage::Stage;

/// Runs git in the folder. Returns its output.
fn git(stage: &Stage, args: &[&str]) -> Vec<u8> {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"];
    let ran = Command::new("git").args(identity).args(args).current_dir(stage.path("")).output().unwrap();
    assert!(ran.status.success(), "{args:?}: {ran:?}");
    ran.stdout
}

/// The places and kinds that are reported.
fn places(stage: &Stage, diff: &[u8]) -> Vec<String> {
    let ran = stage.run_with(&["check", "--patch", "--format", "json"], diff);
    assert!(ran.code != Some(2), "{}", ran.err);
    let lines = ran.out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let errors = lines.filter(|line| line["type"] == "error" || line["type"] == "mojibake");
    errors
        .map(|error| {
            let kind = error["kind"].as_str().unwrap_or("mojibake");
            // The place in the diff is that of the same bytes.
            let (offset, length) = (error["offset"].as_u64().unwrap(), error["length"].as_u64().unwrap());
            let bytes: Vec<_> =
                diff[offset as usize..][..length as usize].iter().map(|byte| format!("{byte:02X}")).collect();
            assert_eq!(error["bytes"], bytes.join(" "));
            format!("{}:{}:{}: {kind}", error["path"].as_str().unwrap(), error["line"], error["column"])
        })
        .collect()
}

#[test]
fn only_what_is_added_counts() {
    let stage = Stage::new();
    git(&stage, &["init", "-q"]);
    stage.file("old.txt", b"bad \xFF before\nsame\n\xFE goes\n");
    stage.file("naïve \"x\".txt", "one\r\ntwo\r\n");
    stage.file("image.bin", b"\0\x01\xFF");
    git(&stage, &["add", "."]);
    git(&stage, &["commit", "-qm", "first"]);
    stage.file("old.txt", b"bad \xFF before\nsame\nnew \xE9 here\nlast \xEF\xBF\xBD");
    stage.file("naïve \"x\".txt", "one\r\ncafÃ©\r\na\u{200B}b\r\n");
    stage.file("image.bin", b"\0\x01\xFF\xFE");
    stage.file("marked.txt", "\u{FEFF}fine\n\u{FEFF}not\n");
    git(&stage, &["mv", "old.txt", "moved.txt"]);
    git(&stage, &["add", "."]);
    let expected = [
        "marked.txt:2:1: zero-width",
        "moved.txt:3:5: missing-continuation",
        "moved.txt:4:6: replacement-character",
        "naïve \"x\".txt:2:4: mojibake",
        "naïve \"x\".txt:3:2: zero-width",
    ];
    for args in [&["diff", "--cached", "-M20%"][..], &["diff", "--cached", "-M20%", "--binary", "-U0"]] {
        let diff = git(&stage, args);
        let mut found = places(&stage, &diff);
        found.sort();
        assert_eq!(found, expected, "{args:?}");
    }
    git(&stage, &["commit", "-qm", "second"]);
    let mail = git(&stage, &["format-patch", "--stdout", "-M20%", "-1"]);
    assert_eq!(places(&stage, &mail).len(), expected.len());
    assert_eq!(stage.run_with(&["check", "--patch"], &git(&stage, &["diff"])).quiet(), (0, ""));
}

#[test]
fn of_a_merge_only_what_neither_side_had() {
    let stage = Stage::new();
    git(&stage, &["init", "-q"]);
    stage.file("a.txt", "one\ntwo\nthree\n");
    git(&stage, &["add", "."]);
    git(&stage, &["commit", "-qm", "first"]);
    git(&stage, &["checkout", "-qb", "other"]);
    stage.file("a.txt", "one\nt\u{200B}wo\nthree\n");
    git(&stage, &["commit", "-qam", "other"]);
    git(&stage, &["checkout", "-q", "main"]);
    stage.file("a.txt", "one\nTWO\nthree\n");
    git(&stage, &["commit", "-qam", "main"]);
    git(&stage, &["merge", "-q", "-s", "ours", "--no-commit", "other"]);
    stage.file("a.txt", "one\nt\u{200B}wo\nnew\u{200B}\nthree\n");
    git(&stage, &["add", "."]);
    git(&stage, &["commit", "-qm", "merge"]);
    let diff = git(&stage, &["show", "--cc", "HEAD"]);
    assert_eq!(places(&stage, &diff), ["a.txt:3:4: zero-width"]);
}

#[test]
fn rules_and_plain_diffs() {
    let stage = Stage::new();
    let plain = "--- a.txt.orig\t2026-01-01\n+++ a.txt\t2026-01-02\n@@ -1,2 +1,2 @@\n \n-x\n+\u{200B}y\n\\ No newline at end of file\n";
    assert_eq!(places(&stage, plain.as_bytes()), ["a.txt:2:1: zero-width"]);
    let crlf = plain.replace('\n', "\r\n");
    assert_eq!(places(&stage, crlf.as_bytes()), ["a.txt:2:1: zero-width"]);
    stage.file("placemat.toml", "allow = [\"b/**\"]\n\n[[rule]]\nfiles = [\"*.txt\"]\ninvisible = \"any\"\n");
    assert!(places(&stage, plain.as_bytes()).is_empty());
    let allowed = plain.replace("+++ a.txt", "+++ b/c");
    assert!(places(&stage, allowed.as_bytes()).is_empty());
    stage.file("p.diff", plain);
    let ended = stage.run(&["check", "--no-config", "--patch", "p.diff"]);
    assert!(ended.code == Some(1) && ended.out.starts_with("a.txt:2:1: U+200B"), "{}", ended.out);
}

#[test]
fn what_is_no_diff_is_refused() {
    let stage = Stage::new();
    for (text, wrong) in [
        ("Dear all\n", "not a unified diff"),
        ("--- a\n+++ b\n@@ -1,2 +1 @@\n-x\n", "line 4 of the diff: it ends inside a hunk"),
        ("--- a\n+++ b\n@@ -1 +1 @@\n-x\n-y\n", "line 5 of the diff: a hunk is shorter than its header says"),
        ("diff --git a/x b/x\n@@ -1 +1 @@\n-x\n+y\n", "line 2 of the diff: a hunk without the name"),
    ] {
        let ended = stage.run_with(&["check", "--patch"], text.as_bytes());
        assert!(ended.code == Some(2) && ended.err.contains(wrong), "{text:?}: {}", ended.err);
    }
    assert_eq!(stage.run_with(&["check", "--patch"], b"").quiet(), (0, ""));
    assert_eq!(stage.run(&["check", "--patch", "missing.diff"]).code, Some(2));
    // Flags that mean nothing for a diff are refused.
    for flag in ["--skipped", "--hidden", "--baseline=known.json"] {
        assert_eq!(stage.run(&["check", flag, "--patch", "missing.diff"]).code, Some(2));
        assert!(stage.run(&["check", flag, "--patch"]).err.contains("cannot be used with"), "{flag}");
    }
}
