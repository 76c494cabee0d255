//! `repair --report` and `--undo`: they are exact, and change no other file.

use std::fs;
use std::thread;
use std::time::Instant;

use crate::stage::Stage;

const GOOD: &str = "Où sont les cafés ? À l'été, où l'on fêta Noël, déjà, ça va, être né, très gêné.\n";

/// Good text with damage of all kinds.
fn damaged() -> Vec<u8> {
    let bad: &[u8] = b"caf\xE9 \xED\xA0\xBD\xED\xB8\x80 \xC0\x80 \xC0\xAF caf\xC3\x83\xC2\xA9 \xE6\x97\n\xFF\xF8\x88\x80\x80\x80";
    [GOOD.repeat(5).as_bytes(), bad].concat()
}

/// A folder with a repaired tree, and what was there before.
fn repaired_tree() -> (Stage, Vec<(&'static str, Vec<u8>)>) {
    repaired(Stage::new())
}

fn repaired(folder: Stage) -> (Stage, Vec<(&'static str, Vec<u8>)>) {
    let files = vec![("tree/a", damaged()), ("tree/sub/b", damaged().repeat(3)), ("tree/good", GOOD.into())];
    for (name, bytes) in &files {
        folder.file(name, bytes);
    }
    let args = [
        "repair",
        "--in-place",
        "--lossy",
        "--mojibake",
        "--mend=overlong,nul",
        "--report",
        "r.json",
        "tree",
    ];
    let ended = folder.run_on(&args, "");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    for (name, bytes) in &files[..2] {
        assert_ne!(&folder.get(name), bytes);
        assert!(String::from_utf8(folder.get(name)).is_ok());
    }
    (folder, files)
}

#[track_caller]
fn assert_put_back(folder: &Stage, files: &[(&str, Vec<u8>)]) {
    for (name, bytes) in files {
        assert!(folder.get(name) == *bytes, "{name}");
    }
}

#[test]
fn everything_is_put_back_byte_for_byte() {
    let (folder, files) = repaired_tree();
    let dry = folder.run_on(&["repair", "--undo", "r.json", "--dry-run"], "");
    assert_eq!((dry.code, dry.err.as_str()), (Some(1), "placemat: files: 2 to put back\n"));
    assert_eq!(
        String::from_utf8(dry.out).unwrap(),
        "tree/a: 8 changes to take back\ntree/sub/b: 24 changes to take back\n"
    );
    assert_ne!(folder.get("tree/a"), files[0].1);
    let ended = folder.run_on(&["repair", "--undo", "r.json"], "");
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), "placemat: files: 2 put back\n"));
    assert_put_back(&folder, &files);
    let again = folder.run_on(&["repair", "--undo", "r.json"], "");
    assert_eq!((again.code, again.err.as_str()), (Some(0), "placemat: files: 2 as they were already\n"));
}

#[test]
fn files_in_shared_memory_are_files_and_no_devices() {
    let Some(folder) = Stage::below("/dev/shm") else {
        println!("left out: there is no /dev/shm here");
        return;
    };
    let (folder, files) = repaired(folder);
    let report = folder.path("r.json");
    let ended = folder.run_on(&["repair", "--undo", report.to_str().unwrap()], "");
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), "placemat: files: 2 put back\n"));
    assert_put_back(&folder, &files);
    let path = folder.file("out", "what was there before");
    let ended = folder.run_on(&["convert", "-o", path.to_str().unwrap(), "-"], "new");
    assert_eq!((ended.code, folder.get("out")), (Some(0), b"new".to_vec()), "{ended:?}");
}

#[test]
fn a_report_says_everything_in_json() {
    let (folder, _) = repaired_tree();
    let report = String::from_utf8(folder.get("r.json")).unwrap();
    let lines: Vec<serde_json::Value> =
        report.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["type"], "report");
    assert_eq!((&lines[1]["path"], &lines[1]["changes"]), (&"tree/a".into(), &8.into()));
    assert_eq!(lines[1]["before"]["bytes"], damaged().len());
    assert_eq!(lines[1]["after"]["sha256"].as_str().unwrap().len(), 64);
    let rules: Vec<_> = lines[2..10].iter().map(|line| line["rule"].as_str().unwrap()).collect();
    assert_eq!(
        rules,
        ["windows-1252", "cesu-8", "nul", "overlong", "mojibake", "replace", "windows-1252", "replace"]
    );
    assert_eq!((&lines[2]["bytes"], &lines[2]["text"]), (&"E9".into(), &"é".into()));
    assert_eq!(lines[2]["offset"], GOOD.len() * 5 + 3);
    assert_eq!(lines[6]["via"], serde_json::json!(["windows-1252"]));
    assert_eq!(lines[7]["kind"], "truncated");
    assert_eq!(lines.last().unwrap()["files"], 2);
}

#[test]
fn a_report_is_the_same_however_many_work() {
    let folder = Stage::new();
    for n in 0..40 {
        folder.file(format!("tree/{n:02}"), damaged().repeat(1 + n % 7));
    }
    let report = |name: &str, jobs: &str| {
        let ended = folder.run_on(&["repair", "--diff", "-j", jobs, "--report", name, "tree"], "");
        assert_eq!(ended.code, Some(1), "{ended:?}");
        folder.get(name)
    };
    assert_eq!(report("one", "1"), report("eight", "8"));
}

#[test]
fn a_report_overwrites_nothing_and_reaches_no_further_than_undo() {
    let folder = Stage::new();
    folder.file("a", damaged());
    folder.file("sub/r.json", "precious");
    let ended = folder.run_on(&["repair", "--in-place", "--report", "sub/r.json", "a"], "");
    assert_eq!(ended.code, Some(2));
    assert_eq!(folder.get("sub/r.json"), b"precious");
    let ended = folder.run_on(&["repair", "--in-place", "--report", "sub/new.json", "a"], "");
    assert_eq!(ended.code, Some(2));
    assert!(ended.err.contains("is not below"), "{}", ended.err);
    let ended = folder.run_on(&["repair", "--in-place", "--report", "-", "a"], "");
    assert!(ended.code == Some(2) && ended.err.contains("a report must be a file"), "{}", ended.err);
    assert_eq!((folder.get("a"), folder.names()), (damaged(), vec!["a".to_owned(), "sub".to_owned()]));
}

#[test]
fn a_report_that_says_nothing_is_not_left_behind() {
    let folder = Stage::new();
    folder.file("a", damaged());
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" repair --in-place --report r.json a";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_placemat")]).current_dir(folder.path("."));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!((folder.get("a"), folder.names()), (damaged(), vec!["a".to_owned()]));
}

#[test]
fn a_report_of_nothing_is_not_left_behind() {
    let folder = Stage::new();
    folder.file("a", GOOD);
    folder.file("d/caf\u{e9}", GOOD);
    for args in [&["repair"][..], &["repair", "--names"], &["convert", "-f", "utf-8"]] {
        let args = [args, &["--in-place", "--report", "r.json", "a", "d"]].concat();
        assert_eq!(folder.run(&args).code, Some(0), "{args:?}");
        assert_eq!(folder.names(), ["a", "d"], "{args:?}");
    }
    // A report of names is refused like any other.
    let ended = folder.run(&["repair", "--names", "--in-place", "--report", "-", "a"]);
    assert!(ended.code == Some(2) && ended.err.contains("a report must be a file"), "{}", ended.err);
}

#[test]
fn a_report_whose_end_found_no_room_is_undone() {
    let folder = Stage::new();
    let text = [GOOD.repeat(5).as_bytes(), &b"caf\xE9\n".repeat(8)].concat();
    let repair = |name: &str, limit: &str| {
        folder.file(name, &text);
        let script = "trap '' XFSZ; ulimit -f \"$1\"; exec \"$0\" repair --in-place --report r.json \"$2\"";
        let mut command = std::process::Command::new("sh");
        command.args(["-c", script, env!("CARGO_BIN_EXE_placemat"), limit, name]);
        command.current_dir(folder.path(".")).output().unwrap()
    };
    assert_eq!(repair("n", "unlimited").status.code(), Some(0));
    let report = String::from_utf8(folder.get("r.json")).unwrap();
    fs::remove_file(folder.path("r.json")).unwrap();
    // The name is so long that only four bytes of the two blocks of 512 are left for the summary.
    let records = report.find("{\"type\":\"summary\"").unwrap();
    let name = "n".repeat(1 + 1020 - records);
    let ended = repair(&name, "2");
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(2), "{said}");
    assert!(said.contains("the report cannot be written") && folder.get(&name) != text, "{said}");
    let ended = folder.run(&["repair", "--undo", "r.json"]);
    assert_eq!((ended.code, &*ended.err), (Some(0), "placemat: files: 1 put back\n"));
    assert_eq!(folder.get(&name), text);
}

#[test]
fn a_dry_run_writes_no_report() {
    let folder = Stage::new();
    folder.file("a", damaged());
    let args = ["repair", "--in-place", "--lossy", "--report", "r.json", "a", "--dry-run"];
    assert_eq!(folder.run(&args).code, Some(1));
    assert_eq!((folder.names(), folder.get("a")), (vec!["a".to_owned()], damaged()));
    // The next run finds no report in its way.
    assert_eq!(folder.run(&args[..6]).code, Some(0));
    assert_eq!(folder.names(), ["a", "r.json"]);
}

#[cfg(unix)]
#[test]
fn what_has_other_names_is_left_and_not_reported() {
    let folder = Stage::new();
    folder.file("a", damaged());
    fs::hard_link(folder.path("a"), folder.path("b")).unwrap();
    let ended = folder.run(&["repair", "--in-place", "--lossy", "--report", "r.json", "a"]);
    assert_eq!(ended.code, Some(2));
    assert!(ended.err.contains("has 2 names"), "{}", ended.err);
    assert_eq!(folder.get("a"), damaged());
    assert_eq!(folder.names(), ["a", "b"], "an empty report does not stay");
    // Well-formed text with nothing misread in it would not change.
    folder.file("b", GOOD);
    assert_eq!(folder.run(&["repair", "--mojibake", "--in-place", "a"]).quiet(), (0, ""));
}

#[cfg(unix)]
#[test]
fn what_has_other_names_is_not_put_back_and_named_once() {
    let (folder, files) = repaired_tree();
    fs::hard_link(folder.path("tree/a"), folder.path("b")).unwrap();
    let ended = folder.run_on(&["repair", "--undo", "r.json"], "");
    let said = "placemat: tree/a: has 2 names (hard links); --break-links replaces only this one\n\
                placemat: files: 1 put back, 1 left\n";
    assert_eq!((ended.code, &*ended.err), (Some(2), said));
    assert_put_back(&folder, &files[1..]);
}

#[test]
fn a_file_that_changed_since_is_left_and_the_others_are_put_back() {
    let (folder, files) = repaired_tree();
    let edited = [folder.get("tree/a"), b"more".to_vec()].concat();
    folder.file("tree/a", &edited);
    let ended = folder.run_on(&["repair", "--undo", "r.json"], "");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.err.contains("tree/a: has changed since then"), "{}", ended.err);
    assert_eq!(folder.get("tree/a"), edited);
    assert_put_back(&folder, &files[1..]);
}

/// Undoes a report that somebody has changed: it is refused, and every file stays as it was.
#[track_caller]
fn refused(code: i32, said: &str, forge: impl Fn(&Stage, String) -> String) {
    let (folder, files) = repaired_tree();
    folder.file("outside", "outside");
    let report = String::from_utf8(folder.get("r.json")).unwrap();
    let forged = forge(&folder, report);
    folder.file("r.json", forged);
    let before: Vec<_> = files.iter().map(|(name, _)| folder.get(name)).collect();
    let ended = folder.run_on(&["repair", "--undo", "r.json"], "");
    assert_eq!(ended.code, Some(code), "{ended:?}");
    assert!(ended.err.contains(said), "{}", ended.err);
    for ((name, _), bytes) in files.iter().zip(&before) {
        assert!(folder.get(name) == *bytes, "{name}");
    }
    assert_eq!(folder.get("outside"), b"outside");
}

#[test]
fn forged_reports_are_refused() {
    let below = "does not lead to a file below the folder";
    for path in
        ["../a", "tree/../../a", "/etc/passwd", ".", "", "./tree/a", "tree//a", "tree/a/", "a\\u0000b"]
    {
        refused(2, below, |_, report| report.replace("\"tree/a\"", &format!("\"{path}\"")));
    }
    // The same path in bytes.
    let hidden = "\"tree/a\",\"path_bytes\":\"2E 2E 2F 61\"";
    refused(2, below, |_, report| report.replace("\"tree/a\"", hidden));
    refused(2, "is listed twice", |_, report| report.replace("\"tree/a\"", "\"tree/sub/b\""));
    refused(2, "cut off", |_, report| report[..report.len() / 2].to_owned());
    refused(2, "cut off", |_, report| report.lines().take(4).map(|line| format!("{line}\n")).collect());
    refused(2, "files are missing", |_, report| report.replace("\"files\":2", "\"files\":3"));
    refused(2, "line 1", |_, _| "not JSON\n".into());
    refused(2, "is not a report", |_, _| String::new());
    refused(2, "version 7", |_, report| report.replace("\"version\":1", "\"version\":7"));
    refused(2, "not in order", |_, report| {
        let mut lines: Vec<_> = report.lines().collect();
        lines.swap(2, 3);
        lines.join("\n") + "\n"
    });
    refused(2, "beyond the end", |_, report| report.replacen("\"offset\":4", "\"offset\":99999999999994", 1));
    refused(2, "not a byte", |_, report| report.replacen("\"bytes\":\"E9\"", "\"bytes\":\"+9\"", 1));
    refused(2, "unknown field", |_, report| report.replacen("\"rule\"", "\"command\":\"rm\",\"rule\"", 1));
}

#[test]
fn a_report_that_leads_elsewhere_than_it_says_changes_nothing() {
    // Both files stay: for one the report has another content, for the other another change.
    refused(1, "has changed since", |_, report| {
        let after = |line: &str| line.split("\"after\"").nth(1).map(str::to_owned);
        let mut report = report;
        for part in report.clone().lines().filter_map(after) {
            report = report.replace(&part, &part.replacen("\"sha256\":\"", "\"sha256\":\"0", 1));
        }
        report
    });
    refused(1, "the changes in the report do not give", |_, report| {
        report.replace("\"bytes\":\"E9\"", "\"bytes\":\"2F\"")
    });
    refused(1, "the changes in the report do not give", |_, report| {
        report.replace("\"text\":\"é\"", "\"text\":\"ë\"")
    });
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere() {
    use std::os::unix::fs::symlink;
    // The last name of the path, and one before it.
    refused(1, "symbolic link", |folder, report| {
        fs::rename(folder.path("tree/a"), folder.path("tree/real")).unwrap();
        symlink("real", folder.path("tree/a")).unwrap();
        fs::rename(folder.path("tree/sub"), folder.path("tree/elsewhere")).unwrap();
        symlink("elsewhere", folder.path("tree/sub")).unwrap();
        report
    });
}

#[cfg(unix)]
#[test]
fn a_path_that_is_not_utf8_comes_back() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = Stage::new();
    let name = folder.path("").join(std::ffi::OsStr::from_bytes(b"n\xE9"));
    fs::write(&name, damaged()).unwrap();
    assert_eq!(folder.run_on(&["repair", "--in-place", "--lossy", "--report", "r", "."], "").code, Some(0));
    assert_ne!(fs::read(&name).unwrap(), damaged());
    assert_eq!(folder.run_on(&["repair", "--undo", "r"], "").code, Some(0));
    assert_eq!(fs::read(&name).unwrap(), damaged());
}

/// The complete records of a report whose writer was killed.
fn whole(report: &str) -> String {
    let mut kept = String::new();
    let mut record = String::new();
    let mut missing = 0_u64;
    for line in report.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        record.push_str(line);
        missing = value["changes"]
            .as_u64()
            .filter(|_| value["type"] == "file")
            .unwrap_or(missing.saturating_sub(1));
        if missing == 0 {
            kept.push_str(&std::mem::take(&mut record));
        }
    }
    kept
}

#[test]
fn killed_at_any_moment_every_file_is_whole_and_can_be_put_back() {
    let source = damaged().repeat(200);
    let reference = Stage::new();
    let expected = reference.run_on(&["repair"], &source).out;
    let tree = || {
        let folder = Stage::new();
        for n in 0..30 {
            folder.file(format!("tree/{n:02}"), &source);
        }
        folder
    };
    let args = ["repair", "--in-place", "--lossy", "-j", "2", "--report", "r.json", "tree"];
    let start = Instant::now();
    assert_eq!(tree().run_on(&args, "").code, Some(0));
    let whole_run = start.elapsed();
    let mut stopped = 0;
    for round in 0..25 {
        let folder = tree();
        let mut child = folder.start(&args);
        thread::sleep(whole_run * round / 25);
        child.kill().unwrap();
        child.wait().unwrap();
        let mut originals = 0;
        for n in 0..30 {
            let now = folder.get(format!("tree/{n:02}"));
            assert!(now == source || now == expected, "round {round}, file {n}: {} bytes", now.len());
            originals += u32::from(now == source);
        }
        stopped += u32::from((1..30).contains(&originals));
        // The report may end within a character.
        let report = fs::read(folder.path("r.json")).unwrap_or_default();
        let report = whole(&String::from_utf8_lossy(&report));
        if report.is_empty() {
            assert_eq!(originals, 30);
            continue;
        }
        folder.file("r.json", report);
        let ended = folder.run_on(&["repair", "--undo", "r.json"], "");
        assert_eq!(ended.code, Some(0), "{ended:?}");
        for n in 0..30 {
            assert!(folder.get(format!("tree/{n:02}")) == source, "round {round}, file {n}");
        }
    }
    assert!(stopped > 0, "no run was killed in the middle of its work");
}

#[test]
fn a_report_lies_in_a_folder() {
    let ran = Stage::new().run_with(&["repair", "--undo", "-"], b"{}");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.starts_with("placemat: --undo -: a report must be a file"), "{}", ran.err);
}

#[test]
#[cfg(unix)]
fn a_report_in_a_pipe_is_refused_as_on_standard_input() {
    let ran =
        Stage::new().run_with(&["repair", "--undo", "/dev/stdin"], b"{\"type\":\"report\",\"version\":1}\n");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.starts_with("placemat: --undo /dev/stdin: a report must be a file"), "{}", ran.err);
}

#[test]
fn a_report_about_standard_input_says_where_to_save_the_text() {
    let folder = Stage::new();
    let text = b"na\xC3\xAFve caf\xC3\xA9\nand another caf\xE9\n";
    let choice = placemat_text::repair::choice::Choice::default();
    let repaired = placemat_text::repair::whole::whole(text, &choice).unwrap();
    folder.file("r.json", repaired.report(text).unwrap());
    let undo = || folder.run(&["repair", "--undo", "r.json"]);
    let ran = undo();
    assert!(
        ran.code == Some(2) && ran.err.contains("save the repaired text beside the report"),
        "{}",
        ran.err
    );
    folder.file("-", &repaired.text);
    assert_eq!(undo().code, Some(0));
    assert_eq!(folder.get("-"), text);
}

#[test]
fn a_report_in_the_tree_is_none_of_its_files() {
    for name in ["tree/r.json", "tree/.r.json"] {
        let folder = Stage::new();
        folder.file("tree/a", damaged());
        let ended = folder.run(&["repair", "--in-place", "--lossy", "--report", name, "tree"]);
        let summary = ended.err.lines().last();
        assert_eq!((ended.code, summary), (Some(0), Some("placemat: files: 1 repaired")), "{ended:?}");
    }
}

#[test]
fn other_files_are_no_reports() {
    let stage = Stage::new();
    let undo = |file: &str| {
        stage.file("r.json", file);
        let ended = stage.run(&["repair", "--undo", "r.json"]);
        assert_eq!((ended.code, ended.err.lines().count()), (Some(2), 1), "{ended:?}");
        ended.err
    };
    for file in ["", "text", "text\n", "{\n", "{}\n"] {
        assert!(
            undo(file).starts_with("placemat: r.json, line 1: is not a report of `placemat repair`"),
            "{file}"
        );
    }
    let head = "{\"type\":\"report\",\"version\":1}\n";
    assert_eq!(undo(&format!("{head}{{]\n")), "placemat: r.json, line 2: byte 2: key must be a string\n");
}
