//! `detect`, and `convert -f auto`.

use crate::stage::{Stage, placemat};

#[test]
fn json_has_all_that_is_known() {
    let folder = Stage::new();
    folder.file("a", "plain\r\n");
    folder.file("b", b"na\xC3\xAFve, na\xC3\xAFve caf\xE9\n");
    folder.file("c", b"\xEF\xBB\xBFa");
    let ended = folder.run_on(&["detect", "--format", "json", "a", "b", "c", "-"], b"\xFE\xFF\0a");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let out = String::from_utf8(ended.out).unwrap();
    let lines: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let facts: Vec<_> = lines
        .iter()
        .map(|line| {
            ["path", "encoding", "bom", "malformed", "line_ending"].map(|key| line[key].to_string()).join(" ")
        })
        .collect();
    assert_eq!(
        facts[..4],
        [
            r#""-" "utf-16be" true 0 "none""#,
            r#""a" "us-ascii" false 0 "crlf""#,
            r#""b" "utf-8" false 1 "lf""#,
            r#""c" "utf-8" true 0 "none""#,
        ]
    );
    assert_eq!(lines[1]["confidence"], 1.0);
    assert_eq!(lines[2]["reasons"][0], "UTF-8 but for 1 sequence; 1 fits windows-1252");
    assert_eq!(lines[2]["candidates"][0]["encoding"], "utf-8");
    assert_eq!((&lines[4]["type"], &lines[4]["files"]), (&"summary".into(), &4.into()));
}

#[test]
fn a_tree_is_sorted_and_binary_files_are_counted_as_skipped() {
    let folder = Stage::new();
    folder.file("tree/b", "b");
    folder.file("tree/a", "a");
    folder.file("tree/x", b"\0\x01\x02");
    let ended = folder.run_on(&["detect", "tree", "missing"], "");
    assert_eq!(ended.code, Some(2));
    let out = String::from_utf8(ended.out).unwrap();
    assert_eq!(out, "tree/a: us-ascii\ntree/b: us-ascii\n");
    assert!(ended.err.ends_with("\n2 files, 1 skipped\n"), "{}", ended.err);
    assert_eq!(folder.run(&["detect", "-g", "[ax]", "tree"]).err, "1 file, 1 skipped\n");
    let ended = folder.run_on(&["detect", "--binary", "tree"], "");
    assert!(String::from_utf8(ended.out).unwrap().contains("tree/x"));
}

#[test]
fn the_cut_of_a_text_does_not_make_it_doubtful() {
    let found = |text: &[u8]| {
        let ended = placemat(&["detect", "--format", "json"], text);
        let line = String::from_utf8(ended.out).unwrap();
        serde_json::from_str::<serde_json::Value>(line.lines().next().unwrap()).unwrap()
    };
    let text = "naïve 日本".as_bytes();
    let whole = found(text);
    for cut in [1, 2] {
        let found = found(&text[..text.len() - cut]);
        assert_eq!((&found["encoding"], &found["malformed"]), (&"utf-8".into(), &1.into()));
        assert!(found["confidence"].as_f64() > Some(0.95), "{found}");
        assert!(found["confidence"].as_f64() <= whole["confidence"].as_f64());
    }
    // Anywhere else than at the end it is damage.
    assert!(found(b"na\xC3\xAFve \xE6\x97 caf\xC3\xA9")["confidence"].as_f64() < Some(0.9));
    let reasons = found("cafÃ© crÃ¨me\u{FFFD}".as_bytes())["reasons"].to_string();
    assert!(reasons.contains("decoded twice"), "{reasons}");
}

#[test]
fn a_prefix_in_mid_character_and_a_short_word_are_utf8() {
    for text in ["héllo", "é", "日本"] {
        let ended = placemat(&["detect", "--format", "json"], text);
        assert!(String::from_utf8(ended.out).unwrap().contains(r#""encoding":"utf-8""#), "{text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded() {
    let folder = Stage::new();
    folder.file("long", "caf\u{e9} \u{2014} ".repeat(8 << 20));
    for args in [
        &["detect", "long"][..],
        &["repair", "--dry-run", "--mojibake", "long"],
        &["repair", "--diff", "long"],
    ] {
        let script = format!("ulimit -v 700000; exec \"$0\" {}", args.join(" "));
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &script, env!("CARGO_BIN_EXE_placemat")]).current_dir(folder.path(""));
        let ended = shell.output().unwrap();
        assert!(ended.status.success(), "{args:?}: {}", String::from_utf8_lossy(&ended.stderr));
    }
}

#[test]
fn convert_asks_when_told_to() {
    let folder = Stage::new();
    let russian = "Съешь же ещё этих мягких французских булок, да выпей чаю.\n";
    let (koi8, _, _) = encoding_rs::KOI8_R.encode(russian);
    folder.file("koi8", &koi8);
    folder.file("utf16", b"\xFF\xFEa\0\xE9\0");
    folder.file("unsure", b"\xCF");
    let ended = folder.run_on(&["convert", "-f", "auto", "koi8", "utf16"], "");
    assert_eq!((ended.code, ended.out), (Some(0), format!("{russian}aé").into_bytes()));
    let ended = folder.run_on(&["convert", "-f", "AUTO"], &*koi8);
    assert_eq!(ended.out, russian.as_bytes());
    let ended = folder.run_on(&["convert", "-f", "auto", "unsure"], "");
    assert_eq!((ended.code, &ended.out[..]), (Some(1), &b""[..]));
    assert!(ended.err.contains("no encoding is likely; name it with -f"), "{}", ended.err);
    let ended = folder.run_on(&["convert", "-f", "auto", "--in-place", "."], "");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert_eq!(folder.get("koi8"), russian.as_bytes());
    assert_eq!(folder.get("unsure"), b"\xCF");
}

#[test]
fn a_certainty_is_the_same_wherever_it_is_told() {
    let text = b"\xE9t\xC3\xA9";
    let table = placemat(&["detect", "--format", "table"], text).out;
    let refusal = placemat(&["convert", "-f", "auto"], text).err;
    let percent = |said: &str| said[..said.find(" %").unwrap()].rsplit(' ').next().map(str::to_owned);
    assert_eq!(percent(&String::from_utf8(table).unwrap()), percent(&refusal), "{refusal}");
}

/// Polish, Russian and French in old encodings, UTF-8 and ASCII.
fn languages() -> Stage {
    let stage = Stage::new();
    let polish = "Określa, czy karta może zostać użyta. Źdźbło trawy, żółć, gęś i łąka\n";
    stage.file("fr", encoding_rs::WINDOWS_1252.encode("Déjà vu, été, crème brûlée, où êtes-vous\n").0);
    stage.file("pl", encoding_rs::WINDOWS_1250.encode(polish).0);
    stage.file("pl8", polish);
    stage.file("plain", "plain\n");
    stage.file("short", b"M\xFCnchen\n");
    stage.file("wide", b"\xFF\xFEa\0");
    stage
}

#[test]
fn a_pipe_has_a_line_a_file() {
    let stage = languages();
    let lines = "./fr: windows-1252\n./pl: windows-1250\n./pl8: utf-8\n./plain: us-ascii\n./short: windows-1252\n./wide: utf-16le\n";
    assert_eq!(stage.run(&["detect", "."]).quiet(), (0, lines));
    assert_eq!(stage.run(&["detect", "--brief", "."]).quiet(), (0, lines));
    assert_eq!(stage.run(&["detect", "--format", "brief", "."]).quiet(), (0, lines));
    assert_eq!(stage.run(&["detect", "-0", "pl"]).quiet(), (0, "pl: windows-1250\0"));
    assert_eq!(stage.run_with(&["detect", "-"], b"a").quiet(), (0, "-: us-ascii\n"));
    for args in [&["detect", "--brief", "-v", "pl"][..], &["detect", "--brief", "--format", "json", "pl"]] {
        assert_eq!(stage.run(args).code, Some(2), "{args:?}");
    }
}

#[test]
fn in_a_pipe_a_long_path_has_no_line_of_its_own() {
    let stage = Stage::new();
    let long = "long/".repeat(30) + "name";
    stage.file(&long, "é");
    stage.file("a", "é");
    for args in [&["detect", "--format=table", "."][..], &["detect", "-v", "."]] {
        let out = stage.run(args).out;
        assert!(out.lines().all(|line| !line.trim_end().ends_with("name")), "{out}");
        let mut command = stage.command(args);
        let out = command.env_remove("COLUMNS").output().unwrap().stdout;
        let out = String::from_utf8(out).unwrap();
        assert_eq!(out.lines().count(), 3, "{out}");
        assert!(
            out.lines().skip(1).all(|line| line.contains("utf-8") && line.contains("malformed")),
            "{out}"
        );
    }
}

#[test]
fn verdicts_are_chosen() {
    let stage = languages();
    let paths = |args: &[&str]| {
        let ended = stage.run(&[&["detect", "--format", "paths"], args, &["."]].concat());
        assert_eq!((ended.code, &*ended.err), (Some(0), ""), "{args:?}");
        ended.out.lines().map(|line| line.trim_start_matches("./").to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(paths(&["--not", "utf-8"]), "fr pl short wide");
    assert_eq!(paths(&["--only", "utf-8"]), "pl8 plain");
    assert_eq!(paths(&["--only", "utf-8", "--not", "ascii"]), "pl8");
    assert_eq!(paths(&["--only", "cp1252", "--only", "cp1250"]), "fr pl short");
    // The web's names for narrower encodings match the wider encodings that are found.
    assert_eq!(paths(&["--only", "latin1", "--sure", "80"]), "fr");
    assert_eq!(paths(&["--only", "utf-16"]), "wide");
    assert_eq!(paths(&["--only", "unknown"]), "");
    assert_eq!(paths(&["--not", "utf-8", "--sure", "100"]), "wide");
    let json = stage.run(&["detect", "--only", "cp1250", "--format", "json", "."]).out;
    let lines: Vec<_> = json.lines().collect();
    assert!(lines.len() == 2 && lines[0].contains("./pl\"") && lines[1].contains("\"files\":6"), "{json}");
    for bad in [&["--only", "utf8x"][..], &["--not", "nothing"], &["--sure", "101"], &["--sure", "x"]] {
        assert_eq!(stage.run(&[&["detect"], bad, &["."]].concat()).code, Some(2), "{bad:?}");
    }
}
