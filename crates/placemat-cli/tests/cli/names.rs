//! `--names`: names of files and folders.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::process::Command;

use crate::schema::Schema;
use crate::stage::Stage;

fn bytes(name: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(name))
}

/// A tree with German names in windows-1252, also of folders, some of them decoded twice; and the right names.
fn stage() -> Stage {
    let stage = Stage::new();
    stage.file(bytes(b"t/Gr\xFC\xDFe/f\xFCr sp\xE4ter.txt"), "a");
    stage.file(bytes(b"t/Gr\xFC\xDFe/\xDCbersicht \xF6ffentlich.txt"), "b");
    stage.file("t/cafÃ©.txt", "c");
    stage.file("t/Grün.txt", "d");
    stage
}

/// Each path below `folder`, sorted, as text.
fn tree(stage: &Stage, folder: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let mut folders = vec![stage.path(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            if entry.path().is_dir() {
                folders.push(entry.path());
            }
            let path = entry.path().strip_prefix(stage.path("")).unwrap().to_path_buf();
            paths.push(path.as_os_str().as_bytes().escape_ascii().to_string());
        }
    }
    paths.sort();
    paths
}

#[test]
fn names_are_found_and_shown_escaped_in_each_format() {
    let stage = stage();
    let ran = stage.run(&["check", "--names", "--format=short", "t"]);
    let expected = "t/Gr\\xFC\\xDFe:1:1: name-malformed: the name is not UTF-8; in windows-1252 it is Grüße";
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains(expected), "{}", ran.out);
    assert!(
        ran.out.contains("name-mojibake: the name was decoded twice; it should be café.txt"),
        "{}",
        ran.out
    );
    assert_eq!(ran.out.lines().count(), 4);
    let json = stage.run(&["check", "--names", "--format=json", "t"]).out;
    Schema::named("check").check_lines(&json, &["path_bytes", "payload", "text", "via", "schema"]);
    assert!(json.contains(r#""text":"Grüße""#) && json.contains(r#""errors":4"#), "{json}");
    for format in ["human", "sarif", "github", "junit", "gitlab"] {
        let ran = stage.run(&["check", "--names", "--format", format, "t"]);
        assert_eq!(ran.code, Some(1), "{format}");
        assert!(ran.out.contains("caf"), "{format}: {}", ran.out);
    }
    stage.file("placemat.toml", "allow = [\"t/Gr*/**\", \"/t/caf*\"]\n");
    assert_eq!(stage.run(&["check", "--names", "t/Grün.txt", "t/cafÃ©.txt"]).quiet(), (0, ""));
    stage.file("esc/a\u{1B}[31mb\u{202E}cafÃ©", "");
    let shown = stage.run(&["check", "--names", "esc"]).out;
    assert!(!shown.contains(['\u{1B}', '\u{202E}']), "{shown}");
}

#[test]
fn folders_are_renamed_after_what_they_hold_and_all_can_be_undone() {
    let stage = stage();
    let before = tree(&stage, "t");
    let ran = stage.run(&["repair", "--names", "--dry-run", "t"]);
    assert_eq!((ran.code, ran.out.lines().count()), (Some(1), 4), "{}", ran.out);
    assert!(ran.out.contains("t/cafÃ©.txt -> café.txt\n"), "{}", ran.out);
    assert_eq!(tree(&stage, "t"), before);

    let ran = stage.run(&["repair", "--names", "--in-place", "--report", "log.json", "t"]);
    assert_eq!((ran.code, &*ran.out), (Some(0), ""), "{}", ran.err);
    for name in ["t/Grüße/für später.txt", "t/Grüße/Übersicht öffentlich.txt", "t/café.txt", "t/Grün.txt"]
    {
        assert!(stage.path(name).is_file(), "{name}");
    }
    assert_eq!(tree(&stage, "t").len(), before.len());
    assert_eq!(stage.run(&["check", "--names", "t"]).quiet(), (0, ""));
    let log = String::from_utf8(stage.get("log.json")).unwrap();
    assert!(log.starts_with("{\"type\":\"report\",\"version\":1}\n{\"type\":\"rename\",\"path\":"), "{log}");
    assert_eq!(log.lines().count(), 5);
    Schema::named("repair-report").check_lines(&log, &["path_bytes"]);
    assert_eq!(stage.run(&["repair", "--names", "--in-place", "--report", "log.json", "t"]).code, Some(2));

    assert_eq!(stage.run(&["repair", "--names", "--undo", "log.json", "--dry-run"]).code, Some(1));
    assert_eq!(stage.run(&["repair", "--undo", "log.json"]).code, Some(0));
    assert_eq!(tree(&stage, "t"), before);
    // Older reports do not name their version.
    assert_eq!(stage.run(&["repair", "--names", "--in-place", "--silent", "t"]).code, Some(0));
    stage.file("log.json", log.split_once('\n').unwrap().1);
    assert_eq!(stage.run(&["repair", "--undo", "log.json"]).code, Some(0));
    assert_eq!(tree(&stage, "t"), before);
    // A second time nothing is left to do.
    assert_eq!(stage.run(&["repair", "--names", "--undo", "log.json"]).code, Some(0));
    assert_eq!(tree(&stage, "t"), before);
}

#[test]
fn a_dry_run_of_undo_knows_what_it_would_have_put_back() {
    let stage = Stage::new();
    stage.file(bytes(b"n/\xE9t\xE9/d\xE9j\xE0/\xE0 c\xF4t\xE9"), "");
    let names = ["repair", "--names", "--mend", "windows-1252", "--in-place", "--report", "log", "n"];
    assert_eq!(stage.run(&names).code, Some(0));
    let after = tree(&stage, "n");
    let undo = |args: &[&str]| stage.run(&[&["repair", "--undo", "log"], args].concat());
    let ran = undo(&["--dry-run"]);
    assert_eq!((ran.code, &*ran.err), (Some(1), "placemat: files: 3 to put back\n"));
    assert_eq!(tree(&stage, "n"), after);
    // Both report what has gone.
    fs::rename(stage.path("n/été/déjà/à côté"), stage.path("elsewhere")).unwrap();
    let (planned, done) = (undo(&["--dry-run"]), undo(&[]));
    assert_eq!(planned.err.replace("to put back", "put back"), done.err);
    assert!(done.err.ends_with("2 put back, 1 left\n"), "{}", done.err);
    // A name that becomes free again: b was a, and a was c.
    stage.file("d/b", "1");
    stage.file("d/a", "2");
    let rename =
        |from: &str, to: &str| format!("{{\"type\":\"rename\",\"path\":\"d/{from}\",\"to\":\"{to}\"}}\n");
    stage.file("log", rename("a", "b") + &rename("c", "a"));
    assert_eq!(undo(&["-n"]).err, "placemat: files: 2 to put back\n");
    assert_eq!(undo(&[]).err, "placemat: files: 2 put back\n");
    assert_eq!((stage.get("d/a"), stage.get("d/c")), (b"1".to_vec(), b"2".to_vec()));
    stage.file("log", rename("a", "b") + "{]\n");
    assert_eq!(undo(&[]).err, "placemat: log, line 2: byte 2: key must be a string\n");
}

#[test]
fn empty_folders_and_links_have_names_too() {
    let stage = Stage::new();
    for folder in ["t/leÃ§on/tÃªte", "t/.cachÃ©e"] {
        fs::create_dir_all(stage.path(folder)).unwrap();
    }
    // One link leads nowhere, one to a folder outside, of which nothing is touched.
    stage.file("out/cafÃ©.txt", "a");
    std::os::unix::fs::symlink("nowhere", stage.path("t/Ã©tÃ©")).unwrap();
    std::os::unix::fs::symlink("../out", stage.path("t/crÃ¨me")).unwrap();
    let before = tree(&stage, "t");
    assert_eq!(stage.run(&["check", "--names", "--format=short", "t"]).out.lines().count(), 4);
    assert_eq!(stage.run(&["check", "--names", "--format=short", "--hidden", "t"]).out.lines().count(), 5);
    // With -g a folder is judged only if it holds a file that matches.
    assert_eq!(stage.run(&["check", "--names", "-g", "*.txt", "t"]).quiet(), (0, ""));
    assert_eq!(stage.run(&["repair", "--names", "--in-place", "--report", "log", "t"]).code, Some(0));
    for name in ["t/leçon/tête", "t/été", "t/crème", "t/.cachÃ©e", "out/cafÃ©.txt"] {
        assert!(stage.path(name).symlink_metadata().is_ok(), "{name}");
    }
    assert_eq!(stage.run(&["repair", "--undo", "log"]).code, Some(0));
    assert_eq!(tree(&stage, "t"), before);
    // A named link without a target has a name too.
    assert_eq!(stage.run(&["check", "--names", "t/Ã©tÃ©"]).code, Some(1));
}

#[test]
fn nothing_is_renamed_over_what_is_there() {
    let stage = stage();
    stage.file("t/café.txt", "kept");
    stage.file("t/CafÃ©/a", "1");
    stage.file("t/Café/b", "2");
    let ran = stage.run(&["repair", "--names", "--in-place", "t"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("t/café.txt exists already; it is left as it is"), "{}", ran.err);
    assert!(ran.err.contains("t/Café exists already; it is left as it is"), "{}", ran.err);
    assert_eq!(stage.get("t/café.txt"), b"kept");
    assert_eq!((stage.get("t/cafÃ©.txt"), stage.get("t/CafÃ©/a")), (b"c".to_vec(), b"1".to_vec()));
    // Two files would get the same name: the first gets it.
    stage.file(bytes(b"u/na\xEFve.txt"), "x");
    stage.file("u/naÃ¯ve.txt", "y");
    let ran = stage.run(&["repair", "--names", "--mend", "windows-1252", "--in-place", "u"]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert_eq!(tree(&stage, "u").len(), 2);
}

#[test]
fn a_name_of_which_nobody_knows_what_it_is_stays_until_it_is_said() {
    let stage = Stage::new();
    stage.file(bytes(b"t/caf\xE9.txt"), "");
    let ran = stage.run(&["repair", "--names", "--in-place", "t"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("its encoding is not clear; it is left as it is"), "{}", ran.err);
    let advice = stage.run(&["check", "--names", "t"]).out;
    assert!(advice.contains("placemat repair --names --mend ENCODING --in-place"), "{advice}");
    for no_second in ["iso-8859-1", "cp037", "cp500"] {
        let ran = stage.run(&["repair", "--names", "--mend", no_second, "--in-place", "t"]);
        assert!(
            ran.code == Some(2)
                && ran
                    .err
                    .contains("cannot be the second encoding of a UTF-8 file; for example windows-1252"),
            "{ran:?}"
        );
        assert_eq!(stage.run(&["repair", "--mend", no_second, "-n", "t"]).code, Some(2));
    }
    assert_eq!(stage.run(&["repair", "--names", "--mend", "windows-1252", "--in-place", "t"]).code, Some(0));
    assert_eq!(tree(&stage, "t"), [r"t/caf\xc3\xa9.txt"]);
    assert_eq!(stage.run(&["repair", "--names", "t"]).code, Some(2));
}

#[test]
fn the_advice_renames_what_it_was_given_for() {
    let stage = stage();
    let human = stage.run(&["check", "--names", "t"]).out;
    let mut followed = 0;
    for line in human.lines().filter_map(|line| line.split_once("placemat repair --names")) {
        // The files in a folder have another path once the folder is renamed.
        let is_within = line.1.contains("sp") || line.1.contains("ffentlich");
        let line = format!("{} repair --names{}", env!("CARGO_BIN_EXE_placemat"), line.1);
        let ran = Command::new("bash").args(["-c", &line]).current_dir(stage.path("")).output().unwrap();
        assert_eq!(ran.status.success(), !is_within, "{line}: {}", String::from_utf8_lossy(&ran.stderr));
        followed += 1;
    }
    assert_eq!(followed, 4);
    assert!(stage.path("t/Grüße").is_dir() && stage.path("t/café.txt").is_file());
}

#[test]
fn a_report_leads_nowhere_else() {
    let stage = Stage::new();
    stage.file("outside", "");
    for path in ["../outside", "/etc/hostname", "a/../../outside"] {
        stage.file("d/log.json", format!("{{\"type\":\"rename\",\"path\":\"{path}\",\"to\":\"x\"}}\n"));
        let ran = stage.run(&["repair", "--names", "--undo", "d/log.json"]);
        assert_eq!(ran.code, Some(2), "{path}: {}", ran.err);
    }
    stage.file("d/log.json", "{\"type\":\"rename\",\"path\":\"a\",\"to\":\"../outside\"}\n");
    assert_eq!(stage.run(&["repair", "--names", "--undo", "d/log.json"]).code, Some(2));
    stage.file("real/new", "");
    std::os::unix::fs::symlink(stage.path("real"), stage.path("d/link")).unwrap();
    stage.file("d/log.json", "{\"type\":\"rename\",\"path\":\"link/old\",\"to\":\"new\"}\n");
    let ran = stage.run(&["repair", "--names", "--undo", "d/log.json"]);
    assert!(ran.code == Some(1) && ran.err.contains("symbolic link"), "{}", ran.err);
    assert!(stage.path("real/new").is_file());
}
