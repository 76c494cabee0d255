//! `convert --in-place` encodes nothing twice, shows what it would do, and can be undone.

use std::time::{Duration, SystemTime};

use crate::stage::Stage;

/// "dzień" in windows-1250.
const POLISH: &[u8] = b"dzie\xF1\n";

#[test]
fn nothing_is_encoded_twice() {
    let stage = Stage::new();
    stage.file("q", POLISH);
    let args = ["convert", "-f", "windows-1250", "--in-place", "q"];
    assert_eq!(stage.run(&args).quiet(), (0, ""));
    let ran = stage.run(&args);
    let refused = "placemat: q: is UTF-8 already; as windows-1250 it would be encoded twice; \
                   -f utf-8,windows-1250 reads it as UTF-8, --force as windows-1250\n";
    assert_eq!((ran.code, &*ran.err), (Some(1), refused));
    assert_eq!(stage.get("q"), "dzień\n".as_bytes());
    let both = ["convert", "-f", "utf-8,windows-1250", "--in-place", "q"];
    assert_eq!(stage.run(&both).quiet(), (0, ""));
    assert_eq!(stage.get("q"), "dzień\n".as_bytes());
    let ran = stage.run(&["convert", "-f", "windows-1250", "--in-place", "--force", "q"]);
    assert_eq!((ran.quiet(), stage.get("q")), ((0, ""), "dzieĹ„\n".into()));
}

#[test]
fn what_is_no_utf8_or_is_read_as_such_is_not_guarded() {
    let stage = Stage::new();
    for (from, to, text) in [
        ("latin1", "utf-8", &b"plain"[..]),
        ("latin1", "utf-8", b"caf\xE9 caf\xC3\xA9"),
        ("utf-8", "utf-16le", "é".as_bytes()),
        ("cesu-8", "utf-8", "é".as_bytes()),
        ("utf-16le", "utf-8", b""),
        ("utf-16le", "utf-8", b"\x1F\x04\x40\x04"),
        ("utf-16le", "utf-8", b"\xFF\xFEa\0"),
        ("utf-16", "utf-8", b"\xFE\xFF\0a"),
        ("utf-16/web", "utf-8", b"\xFE\xFF\0a"),
        ("ucs-2le", "utf-8", b"\xFF\xFEa\0"),
        ("utf-32", "utf-8", b"\xFF\xFE\0\0a\0\0\0"),
        ("windows-1251", "utf-8", b"\xFF \xFE"),
    ] {
        stage.file("a", text);
        let ran = stage.run(&["convert", "-f", from, "-t", to, "--in-place", "a"]);
        assert_eq!(ran.quiet(), (0, ""), "{from} {text:?}");
    }
    // On standard output nothing is lost, and a filter is silent.
    let ran = stage.run_with(&["convert", "-f", "latin1"], "é".as_bytes());
    assert_eq!(ran.quiet(), (0, "Ã©"));
}

#[test]
fn utf8_is_not_read_as_wider_units() {
    for (from, text) in [
        ("utf-16", "plain text.\n"),
        ("utf-16le", "éé\n\n"),
        ("utf-32be,utf-16be", "\u{FEFF}plain text."),
        ("ucs-2", "abcd"),
    ] {
        let stage = Stage::new();
        stage.file("a.log", text);
        let ran = stage.run(&["convert", "-f", from, "--in-place", "."]);
        let read = from.rsplit(',').next().unwrap();
        let refused = format!(
            "placemat: ./a.log: is UTF-8 already; as {read} its characters would become others; -f utf-8,{read} reads it as \
             UTF-8, --force as {read}\nplacemat: files: 1 left as they were\n"
        );
        assert_eq!((ran.code, &*ran.err, stage.get("a.log")), (Some(1), &*refused, text.into()), "{from}");
        let both = format!("utf-8,{from}");
        let ran = stage.run(&["convert", "-f", &both, "--in-place", "a.log"]);
        assert_eq!((ran.quiet(), stage.get("a.log")), ((0, ""), text.into()), "{from}");
        let ran = stage.run(&["convert", "-f", from, "--in-place", "--force", "--silent", "a.log"]);
        assert_eq!(ran.quiet(), (0, ""), "{from}");
        assert_ne!(stage.get("a.log"), text.as_bytes());
    }
}

#[test]
fn what_begins_with_a_mark_is_not_read_as_something_else() {
    for (from, name, text, announced, reads) in [
        ("windows-1252", "windows-1252", &b"\xFF\xFEa\0"[..], "utf-16le", "utf-16"),
        ("utf-8,iso-8859-1", "iso-8859-1", b"\xFE\xFF\0a", "utf-16be", "utf-16"),
        ("cp437", "cp437", b"\xFF\xFE\0\0a\0\0\0", "utf-32le", "utf-32"),
        ("utf-16le", "utf-16le", b"\xFE\xFF\0a", "utf-16be", "utf-16"),
        ("utf-16", "utf-16", b"\0\0\xFE\xFF\0\0\0a", "utf-32be", "utf-32"),
    ] {
        let stage = Stage::new();
        stage.file("a", text);
        let ran = stage.run(&["convert", "-f", from, "--in-place", "a"]);
        let refused = format!(
            "placemat: a: begins with the byte order mark of {announced}, which {name} reads as other characters; \
             -f {reads} reads it as {announced}, --force as {name}\n"
        );
        assert_eq!((ran.code, &*ran.err, stage.get("a")), (Some(1), &*refused, text.into()), "{from}");
        let ran = stage.run(&["convert", "-f", from, "--in-place=.old", "--force", "--silent", "a"]);
        assert_eq!(ran.quiet(), (0, ""), "{from}");
        let ran = stage.run(&["convert", "-f", reads, "--in-place", "a.old"]);
        assert_eq!((ran.quiet(), stage.get("a.old")), ((0, ""), b"a".into()), "{from}");
    }
}

#[test]
fn a_rule_is_guarded_like_a_flag() {
    let stage = Stage::new();
    stage.file("placemat.toml", "[[rule]]\nfiles = ['*.csv']\nform = 'windows-1250'\n");
    stage.file("a.csv", POLISH);
    let ran = stage.run(&["convert", "--in-place", "."]);
    let said = "placemat: ./a.csv: windows-1250 to utf-8\nplacemat: files: 1 replaced, 1 unchanged\n";
    assert_eq!((ran.code, &*ran.err), (Some(0), said));
    let ran = stage.run(&["convert", "--in-place", "."]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(stage.get("a.csv"), "dzień\n".as_bytes());
}

#[test]
fn a_dry_run_changes_nothing_and_says_what_would_be_done() {
    let stage = Stage::new();
    let russian = "Съешь же ещё этих мягких французских булок, да выпей чаю.\n".repeat(3);
    let old = placemat_1251(&russian);
    stage.file("tree/a.txt", &old);
    stage.file("tree/b.txt", &*russian);
    stage.file("tree/c.txt", b"plain\n");
    let ran = stage.run(&["convert", "-f", "auto", "--in-place", "--dry-run", "--report", "log", "tree"]);
    assert_eq!((ran.code, &*ran.out), (Some(1), "tree/a.txt: windows-1251 to utf-8\n"), "{ran:?}");
    assert_eq!(ran.err, "placemat: files: 1 to replace, 2 unchanged\n");
    assert_eq!((stage.get("tree/a.txt"), stage.names()), (old, vec!["tree".to_owned()]));
    let ran = stage.run(&["convert", "-f", "auto", "--in-place", "tree"]);
    let said = "placemat: tree/a.txt: windows-1251 to utf-8\nplacemat: files: 1 replaced, 2 unchanged\n";
    assert_eq!((ran.code, &*ran.err), (Some(0), said));
    let ran = stage.run(&["convert", "-f", "auto", "--in-place", "-n", "tree"]);
    assert_eq!((ran.code, &*ran.out), (Some(0), ""), "{ran:?}");
    assert_eq!(stage.run(&["convert", "--dry-run", "tree/a.txt"]).code, Some(2));
}

fn placemat_1251(text: &str) -> Vec<u8> {
    let stage = Stage::new();
    stage.run_on(&["convert", "-t", "windows-1251"], text).out
}

#[test]
fn what_was_converted_can_be_undone() {
    for (to, bom) in [("utf-8", "keep"), ("utf-8", "add"), ("utf-16le", "keep"), ("utf-16be", "add")] {
        let stage = Stage::new();
        let long = [b"a".repeat(70_000), b"\xE9".repeat(200_000)].concat();
        let files: [(&str, &[u8]); 5] = [
            ("tree/a", b"one\ncaf\xE9\nthree"),
            ("tree/b", b"plain\n"),
            ("tree/c", &long),
            ("tree/d", b"\xE9"),
            ("tree/e", b""),
        ];
        for (name, content) in files {
            stage.file(name, content);
        }
        let args =
            ["convert", "-f", "latin1", "-t", to, "--bom", bom, "--in-place", "--report", "log.json", "tree"];
        let ran = stage.run(&args);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_ne!(stage.get("tree/a"), files[0].1);
        // Another report is never overwritten.
        assert_eq!(stage.run(&args).code, Some(2));
        let ran = stage.run(&["convert", "--undo", "log.json", "--dry-run"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        let ran = stage.run(&["convert", "--undo", "log.json"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        for (name, content) in files {
            assert_eq!(stage.get(name), content, "{to} {bom} {name}");
        }
    }
}

#[test]
fn a_report_of_what_mostly_stays_is_short() {
    let stage = Stage::new();
    stage.file("a", [&b"plain text\n".repeat(10_000)[..], b"caf\xE9\n"].concat());
    let ran = stage.run(&["convert", "-f", "latin1", "--in-place", "--report=log", "a"]);
    assert_eq!(ran.quiet(), (0, ""));
    let log = String::from_utf8(stage.get("log")).unwrap();
    assert_eq!(log.lines().count(), 4, "{log}");
    let change =
        r#"{"type":"change","offset":110000,"bytes":"63 61 66 E9 0A","text":"café\n","rule":"convert"}"#;
    assert!(log.contains(change), "{log}");
}

#[test]
fn the_time_can_be_kept() {
    let stage = Stage::new();
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for (args, keeps) in [
        (&["convert", "-f", "latin1", "--in-place", "--keep-time", "a"][..], true),
        (&["convert", "-f", "latin1", "--in-place", "a"], false),
        (&["repair", "--mend=cp1252", "--in-place", "--keep-time", "a"], true),
        (&["edit", "--keep-time", "-f", "latin1", "a", "--", "sed", "-i", "s/x/y/"], true),
    ] {
        let path = stage.file("a", b"x caf\xE9\n");
        std::fs::File::options().write(true).open(&path).unwrap().set_modified(long_ago).unwrap();
        let ran = stage.run(args);
        assert_eq!(ran.code, Some(0), "{args:?}: {ran:?}");
        assert_ne!(stage.get("a"), b"x caf\xE9\n", "{args:?}");
        assert_eq!(path.metadata().unwrap().modified().unwrap() == long_ago, keeps, "{args:?}");
    }
}

#[test]
fn how_sure_a_guess_must_be_can_be_said() {
    let stage = Stage::new();
    stage.file("a", "München".chars().map(|c| c as u8).collect::<Vec<_>>());
    let ran = stage.run(&["convert", "-f", "auto", "--sure", "99", "--in-place", "a"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("a: may be windows-1252, which is "), "{}", ran.err);
    assert_eq!(stage.get("a"), b"M\xFCnchen");
    let ran = stage.run(&["convert", "-f", "auto", "--sure", "5", "--in-place", "a"]);
    assert_eq!((ran.code, &*ran.err), (Some(0), "placemat: a: windows-1252 to utf-8\n"));
    assert_eq!(stage.get("a"), "München".as_bytes());
    assert_eq!(stage.run(&["convert", "-f", "latin1", "--sure", "5", "a"]).code, Some(2));
    assert_eq!(stage.run(&["convert", "-f", "auto", "--sure", "101", "a"]).code, Some(2));
}

#[test]
fn a_report_that_exists_is_named_and_paths_are_seen_from_here() {
    let stage = Stage::new();
    stage.file("tree/a", b"caf\xE9\n");
    stage.file("logs/taken", "mine");
    let ran = stage.run(&["convert", "-f", "latin1", "--in-place", "--report", "logs/taken", "tree/a"]);
    let said =
        "placemat: --report logs/taken: exists already, and reports are not overwritten: name a new file\n";
    assert_eq!((ran.code, &*ran.err), (Some(2), said));
    assert_eq!((stage.get("logs/taken"), stage.get("tree/a")), (b"mine".to_vec(), b"caf\xE9\n".to_vec()));
    let ran = stage.run(&["convert", "-f", "latin1", "--in-place", "--report", "tree/log", "tree/a"]);
    assert_eq!(ran.quiet(), (0, ""));
    let ran = stage.run(&["repair", "--undo", "tree/log", "--dry-run"]);
    assert_eq!((ran.code, &*ran.out), (Some(1), "tree/a: 1 change to take back\n"));
}

#[test]
fn completions_offer_names_of_encodings() {
    let zsh = Stage::new().run(&["completions", "zsh"]).out;
    // -f of check, edit and convert, -t of count and convert, short and long.
    let offers = zsh.lines().filter(|line| line.contains("windows-1250") && line.contains("koi8-r")).count();
    assert!(offers >= 10, "{zsh}");
    let ran = Stage::new().run_with(&["convert", "-f", "ansi"], b"a");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("ansi is not one encoding, but the code page of a Windows system"),
        "{}",
        ran.err
    );
}
