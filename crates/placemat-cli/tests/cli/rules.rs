//! `placemat.toml`.

use crate::stage::Stage;

/// A tree with a fault under every rule.
fn tree() -> Stage {
    let stage = Stage::new();
    stage.file(
        "placemat.toml",
        r#"allow = ["broken/**"]

[[rule]]
files = ["*.txt"]
mark = "forbidden"
line-ending = "lf"

[[rule]]
files = ["win/**", ".hidden/*.txt"]
mark = "any"
line-ending = "crlf"

[[rule]]
files = ["/old/*.csv", "wide/*"]
form = "windows-1252"

[[rule]]
files = ["wide/*"]
form = "utf-16"
mark = "required"
"#,
    );
    stage.file("fine.txt", "é\n");
    stage.file("marked.txt", "\u{FEFF}aé\n");
    stage.file("dos.txt", "one\r\ntwo\r\n");
    stage.file("broken/a.txt", b"\xFF\r\n");
    stage.file("win/a.txt", "\u{FEFF}a\r\nb\r\né\nc\r\n");
    stage.file("win/fine.txt", "a\r\nb");
    stage.file("old/a.csv", b"caf\xE9\n");
    stage.file("sub/old/a.csv", b"caf\xE9\n");
    stage.file(".hidden/a.txt", "a\n");
    stage.file(".hidden/a.md", b"\xFF");
    stage.file("wide/fine", b"\xFF\xFE\x0D\x0A");
    stage.file("wide/plain", b"\0a");
    stage.file("wide/empty", "");
    stage
}

#[test]
fn a_tree_is_what_its_rules_ask() {
    let stage = tree();
    let expected = "\
.hidden/a.txt:1
dos.txt:1
marked.txt:1
sub/old/a.csv:1
wide/plain:1
win/a.txt:1
";
    assert_eq!(stage.run(&["check", "--count"]).quiet(), (1, expected));
    let dotted: String = expected.lines().map(|line| format!("./{line}\n")).collect();
    assert_eq!(stage.run(&["check", "--count", "."]).quiet(), (1, &*dotted));
    // The rules of a folder apply below it, and to files that are named.
    assert_eq!(
        stage.run(&["check", "--count", "win", "dos.txt", "old/a.csv"]).quiet(),
        (1, "dos.txt:1\nwin/a.txt:1\n")
    );
    assert_eq!(stage.run(&["check", "broken/a.txt"]).quiet(), (0, ""));
    // Without rules only malformed sequences count; -f overrides the `form` of a rule.
    let without = stage.run(&["check", "--count", "--no-config"]);
    assert_eq!(without.quiet(), (1, "broken/a.txt:1\nold/a.csv:1\nsub/old/a.csv:1\nwide/fine:1\n"));
    assert_eq!(stage.run(&["check", "--count", "-f", "latin-1", "old", "sub"]).quiet(), (0, ""));
}

#[test]
fn breaches_are_findings_in_every_format() {
    let stage = tree();
    let json = stage.run(&["check", "--format", "json", "win/a.txt", "marked.txt", "wide/plain", "dos.txt"]);
    let expected = concat!(
        r#"{"type":"error","path":"dos.txt","form":"utf-8","offset":3,"length":1,"line":1,"column":4,"kind":"line-ending","bytes":"0D","hint":null}"#,
        "\n",
        r#"{"type":"file","path":"dos.txt","form":"utf-8","bytes":10,"errors":1}"#,
        "\n",
        r#"{"type":"error","path":"marked.txt","form":"utf-8","offset":0,"length":3,"line":1,"column":1,"kind":"mark-forbidden","bytes":"EF BB BF","hint":null}"#,
        "\n",
        r#"{"type":"file","path":"marked.txt","form":"utf-8","bytes":7,"errors":1}"#,
        "\n",
        r#"{"type":"error","path":"wide/plain","form":"utf-16","offset":0,"length":0,"line":1,"column":1,"kind":"mark-required","bytes":"","hint":null}"#,
        "\n",
        r#"{"type":"file","path":"wide/plain","form":"utf-16","bytes":2,"errors":1}"#,
        "\n",
        r#"{"type":"error","path":"win/a.txt","form":"utf-8","offset":11,"length":1,"line":3,"column":2,"kind":"line-ending","bytes":"0A","hint":null}"#,
        "\n",
        r#"{"type":"file","path":"win/a.txt","form":"utf-8","bytes":15,"errors":1}"#,
        "\n",
        r#"{"type":"summary","files":4,"files_with_errors":4,"files_skipped":0,"errors":4,"bytes":34,"schema":2}"#,
        "\n",
    );
    assert_eq!(json.quiet(), (1, expected));
    let human = stage.run(&["check"]);
    assert_eq!(human.out, include_str!("screens/rules.txt"));
    let github = stage.run(&["check", "--format", "github", "win"]).out;
    assert!(
        github.starts_with("::error file=win/a.txt,line=3,col=2,title=line-ending::the line ends with LF"),
        "{github}"
    );
}

#[test]
fn breaches_and_errors_come_in_their_order() {
    let stage = Stage::new();
    stage.file("placemat.toml", "[[rule]]\nfiles = ['*.txt']\nline-ending = 'lf'\nmark = 'forbidden'\n");
    stage.file("a.txt", b"\xEF\xBB\xBF\xFF\r\n\xFF\r\n");
    let out = stage.run(&["check", "--format=json", "a.txt"]).out;
    let offsets: Vec<_> =
        out.lines().filter_map(|line| line.split(r#""offset":"#).nth(1)?.split(',').next()).collect();
    assert_eq!(offsets, ["0", "3", "4", "6"]);
    assert_eq!(stage.run(&["check", "--count"]).out, "a.txt:4\n");
}

#[test]
fn findings_of_all_sorts_share_one_limit() {
    let stage = Stage::new();
    stage.file("placemat.toml", "[[rule]]\nfiles = ['*.txt']\nline-ending = 'lf'\nmark = 'forbidden'\n");
    stage.file("a.txt", b"\xEF\xBB\xBF\xFF\r\n\xFF\r\n caf\xC3\x83\xC2\xA9 caf\xC3\x83\xC2\xA9");
    let kinds = ["mark-forbidden", "invalid-byte", "line-ending", "invalid-byte", "mojibake", "mojibake"];
    for limit in 0..8 {
        let max = format!("--max-errors={limit}");
        let args = ["check", "--mojibake", "--format=github", &max, "a.txt"];
        let out = stage.run(&args).out;
        let shown: Vec<_> =
            out.lines().filter_map(|line| line.split("title=").nth(1)?.split("::").next()).collect();
        let is_all = limit >= kinds.len();
        assert_eq!(shown[..shown.len() - usize::from(!is_all)], kinds[..limit.min(kinds.len())], "{out}");
        let human = stage.run(&["check", "--mojibake", &max, "a.txt"]);
        assert_eq!(human.out.contains(&format!(": {} more error", kinds.len() - limit.min(6))), !is_all);
        assert_eq!(human.err, "6 errors in 1 of 1 file\n");
    }
}

#[test]
fn mojibake_is_looked_for_in_utf8_only() {
    let stage = Stage::new();
    let rule = |name, form| format!("[[rule]]\nfiles = ['{name}']\nform = '{form}'\n");
    let forms = [("wide", "utf-16le"), ("byte", "windows-1252"), ("marked", "utf-8/bom")];
    stage.file("placemat.toml", forms.map(|(name, form)| rule(name, form)).concat());
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    // Bytes that would be `Ã©` in UTF-8.
    stage.file("wide", wide("plain \u{83C3}\u{A9C2}\n"));
    stage.file("announced", wide("\u{FEFF}plain \u{83C3}\u{A9C2}\n"));
    stage.file("byte", "cafÃ©\n");
    stage.file("marked", "\u{FEFF}cafÃ©\n");
    stage.file("plain", "cafÃ©\n");
    assert_eq!(
        stage.run(&["check", "--mojibake", "--count"]).quiet(),
        (1, "announced:1\nmarked:1\nplain:1\n")
    );
    let out = stage.run_with(&["check", "--mojibake", "--count", "-"], &stage.get("announced")).out;
    assert_eq!(out, "-:1\n");
}

#[test]
fn a_file_under_a_rule_is_read_if_hidden_or_binary_and_not_if_ignored() {
    let stage = Stage::new();
    stage.file("placemat.toml", "[[rule]]\nfiles = ['*.log']\nform = 'utf-8'\n");
    stage.file(".gitignore", "a.log\n");
    for name in ["a.log", ".b.log", "c.log", "sub/.hidden/d.log"] {
        stage.file(name, b"\xFF\0\n");
    }
    assert_eq!(stage.run(&["check", "--count"]).quiet(), (1, ".b.log:1\nc.log:1\n"));
    assert_eq!(stage.run(&["check", "--count", "--no-ignore"]).quiet(), (1, ".b.log:1\na.log:1\nc.log:1\n"));
    let help = stage.run(&["check", "--help"]).out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("but not if .gitignore leaves it out."), "{help}");
}

#[test]
fn other_rules_can_be_named() {
    let stage = tree();
    stage.file("ci/strict.toml", "[[rule]]\nfiles = ['/win/*.txt']\nline-ending = 'lf'\n");
    let ran = stage.run(&["check", "--count", "--config", "ci/strict.toml", "win", "dos.txt"]);
    assert_eq!(ran.quiet(), (1, "win/a.txt:1\nwin/fine.txt:1\n"));
    let missing = stage.run(&["check", "--config", "ci/none.toml"]);
    assert_eq!((missing.code, &*missing.out), (Some(2), ""));
    assert!(missing.err.starts_with("placemat: ci/none.toml: "), "{}", missing.err);
    assert_eq!(stage.run(&["check", "--config", "ci/strict.toml", "--no-config"]).code, Some(2));
}

#[test]
fn a_bad_file_of_rules_is_refused_by_line() {
    let cases = [
        ("[[rule]]\nfiles = ['*']\nmark = 'perhaps'\n", "placemat.toml:3: mark: unknown value `perhaps`"),
        (
            "[[rule]]\nfiles = '*'\n",
            "placemat.toml:2: files: invalid type: string \"*\", expected a list in brackets, such as [\"a\", \"b\"]",
        ),
        ("[[rule]]\nfiles = ['*']\ninvisible = true\n", "placemat.toml:3: invisible: a string is expected"),
        ("[[rule]]\nfiles = ['*']\n\nlines = 'lf'\n", "placemat.toml:4: unknown field `lines`"),
        ("\n[[rule]]\nmark = 'any'\n", "placemat.toml:2: missing field `files`"),
        ("[[rule]]\nfiles = [\n  'a',\n  'b[',\n]\n", "placemat.toml:4: glob \"**/b[\": "),
        ("allow = [\n'{a/.b/c']\n", "placemat.toml:2: glob"),
        ("[[rule]]\nfiles = ['*']\nform = 'utf-9'\n", "placemat.toml:3: form: unknown encoding \"utf-9\""),
        (
            "[[rule]]\nfiles = ['*']\nform = 'gbk'\nmark = 'required'\n",
            "placemat.toml:4: gbk has no byte order mark",
        ),
        ("rules = 1\n", "placemat.toml:1: unknown field `rules`"),
        ("a\n", "placemat.toml:1: "),
    ];
    let stage = Stage::new();
    for (text, expected) in cases {
        stage.file("placemat.toml", text);
        let ran = stage.run(&["check"]);
        assert_eq!((ran.code, &*ran.out), (Some(2), ""), "{text}");
        assert!(ran.err.contains(expected), "{expected}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    }
    stage.file("placemat.toml", b"# one\n# caf\xE9\n");
    assert!(stage.run(&["check"]).err.contains("placemat.toml:2: this is not UTF-8"));
}

#[test]
fn a_file_that_announces_another_form_breaks_no_rule_beside() {
    use std::io::Write as _;
    let stage = Stage::new();
    stage.file("placemat.toml", "[[rule]]\nfiles = ['a*']\nmark = 'forbidden'\nline-ending = 'lf'\n");
    let text = b"\xFF\xFEa\0\r\0\n\0";
    stage.file("a", text);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text).unwrap();
    stage.file("a.gz", packed.finish().unwrap());
    assert_eq!(stage.run(&["check", "-z", "--count"]).quiet(), (1, "a:1\na.gz:1\n"));
}

#[test]
fn a_line_feed_is_the_next_unit_or_none() {
    let stage = Stage::new();
    stage.file("rules.toml", "[[rule]]\nfiles = [\"*.be\"]\nform = \"utf-16be\"\n\n[[rule]]\nfiles = [\"*\"]\nline-ending = \"lf\"\n");
    for (name, text, is_pair) in [
        ("a.txt", &b"a\r\n"[..], true),
        ("a.txt", b"a\r\0\n", false),
        ("a.be", b"\0a\0\r\0\n", true),
        ("a.be", b"\0a\0\r\x0A\x05", false),
    ] {
        stage.file(name, text);
        let said = stage.run(&["check", "--config", "rules.toml", name]).out;
        let wrong = if is_pair { "the line ends with CR LF" } else { "a CR without LF" };
        assert!(said.contains(wrong), "{said}");
    }
}
