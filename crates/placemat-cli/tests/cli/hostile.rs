//! Names and contents that try to reach the terminal, the log, or the reader of JSON.

use crate::stage::Stage;

/// Escape sequences, a bidirectional override, a new line with a workflow command, markup.
const CONTENT: &[u8] =
    b"\x1b]0;title\x07 \xE2\x80\xAE \x9B31m \xC2\x9B31m <b>::error::x</b>\r\xFF\n::error::y\n";
const NAME: &str = "a\x1b[31m\u{202E}\n::error::z,b:c%.txt";

/// Asserts that the text has nothing on which a terminal acts, except line feeds.
#[track_caller]
fn assert_harmless(text: &str) {
    let is_hostile = |c: &char| {
        (c.is_control() && *c != '\n') || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    assert_eq!(text.chars().find(is_hostile), None, "{text:?}");
}

#[test]
#[cfg(unix)]
fn nothing_hostile_is_passed_on() {
    let stage = Stage::new();
    stage.file(NAME, CONTENT);
    for format in ["human", "json", "sarif", "github"] {
        let ran = stage.run(&["check", "--format", format]);
        assert_eq!(ran.code, Some(1), "{format}");
        assert_harmless(&ran.out);
        assert_harmless(&ran.err);
        let commands =
            ran.out.lines().filter(|line| line.starts_with("::") && !line.contains("file=a")).count();
        assert_eq!(commands, 0, "{format}: {}", ran.out);
    }
    let ran = stage.run(&["count", NAME]);
    assert_harmless(&ran.out);
    let missing = stage.run(&["check", "\x1b[31m"]);
    assert_eq!(missing.code, Some(2));
    assert_harmless(&missing.err);
}

#[test]
#[cfg(unix)]
fn json_gives_the_name_back() {
    let stage = Stage::new();
    stage.file(NAME, CONTENT);
    let out = stage.run(&["check", "--format=json"]).out;
    let line: serde_json::Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
    assert_eq!(line["path"], NAME);
}

#[test]
#[cfg(target_os = "linux")]
fn a_name_that_is_not_utf8_has_its_bytes_beside_it() {
    use std::os::unix::ffi::OsStrExt as _;
    let stage = Stage::new();
    stage.file(std::ffi::OsStr::from_bytes(b"caf\xE9.txt"), b"\xFF");
    let out = stage.run(&["check", "--format=json"]).out;
    let start = r#"{"type":"error","path":"caf�.txt","path_bytes":"63 61 66 E9 2E 74 78 74","form":"utf-8","offset":0"#;
    assert!(out.starts_with(start), "{out}");
    let human = stage.run(&["check"]).out;
    assert!(human.starts_with("caf\\xE9.txt:1:1: FF occurs"), "{human}");
}

#[test]
fn a_refused_argument_is_not_shown_raw() {
    let stage = Stage::new();
    let hostile = "\x1b]0;pwn\x07\u{202E}\n\u{9B}";
    for args in [
        &["check", &format!("--x{hostile}")][..],
        &["check", &format!("--form{hostile}")],
        &["check", "--jobs", hostile],
        &["check", &format!("--format={hostile}")],
        &["convert", "--unencodable", hostile],
        &["convert", "--on-error", hostile],
        &["completions", &format!("bash{hostile}")],
        &[&format!("chec{hostile}")],
        &["man", "a", hostile],
    ] {
        let ran = stage.run(args);
        assert_eq!((ran.code, &ran.out[..]), (Some(2), ""), "{args:?}");
        assert_harmless(&ran.err);
        assert!(ran.err.contains("\\u{1b}]0;pwn\\u{7}\\u{202e}\\u{a}\\u{9b}"), "{args:?}: {}", ran.err);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_refused_argument_need_not_be_utf8() {
    use std::os::unix::ffi::OsStrExt as _;
    let stage = Stage::new();
    for flag in [&b"--jobs=\xFF\x1b"[..], b"--x\xFF\x1b"] {
        let output = stage.command(&["check"]).arg(std::ffi::OsStr::from_bytes(flag)).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{flag:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_harmless(&said);
        assert!(said.contains("\\xFF\\u{1b}"), "{said}");
    }
}

#[test]
fn a_build_gets_no_commands_from_a_file() {
    const TEXT: &[u8] = b"caf\xC3\xA9 \xC3\xA0 \xC3\xAF\n::stop-commands::zzz\n\xE9 x\n##[error]y \xFF\n#\xFF#vso[a]##teamcity[b]\n## Title\n";
    let stage = Stage::new();
    stage.file("::warning::x", TEXT);
    stage.file("##[error]y", TEXT);
    for name in ["CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"] {
        for args in [
            &["check"][..],
            &["check", "--mojibake"],
            &["check", "--format=github"],
            &["repair", "--diff", "--on-error=skip"],
            &["repair", "--in-place", "--dry-run"],
            &["detect"],
            &["count"],
            &["survey"],
            &["explain", "--file", "::warning::x"],
        ] {
            let output = stage
                .command(args)
                .args(["::warning::x", "##[error]y"].iter().filter(|_| args[0] != "explain"))
                .env(name, "1")
                .output()
                .unwrap();
            for text in [output.stdout, output.stderr] {
                let text = String::from_utf8(text).unwrap();
                let is_command = |line: &&str| {
                    let begins = ["##[", "##vso[", "##teamcity["].iter().any(|name| line.contains(name));
                    let line = line.trim();
                    begins || line.starts_with("::") && !line.starts_with("::error file=")
                };
                assert_eq!(text.lines().find(is_command), None, "{args:?}: {text}");
            }
        }
    }
    let mut check = stage.command(&["check", "::warning::x"]);
    let said = String::from_utf8(check.env("CI", "true").output().unwrap().stdout).unwrap();
    assert!(said.contains("\n  4 | #\\u{23}[error]y <FF>\n    |                 ^^^^"), "{said}");
    assert!(said.starts_with("\\u{3a}:warning::x:3:1: "), "{said}");
}

#[test]
#[cfg(unix)]
fn an_annotation_finds_a_file_whose_name_has_lines() {
    let stage = Stage::new();
    stage.file("a\nb\r", b"\xFF");
    let out = stage.run(&["check", "--format=github"]).out;
    assert!(out.starts_with("::error file=a%0Ab%0D,line=1,"), "{out}");
}
