//! `convert` on files: joined, with `-o`, in place; whatever happens, nothing is lost.

use std::fs;
use std::io::Read as _;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::stage::Stage;
#[test]
fn a_file_is_replaced_whole_and_its_original_kept_on_request() {
    let stage = Stage::new();
    stage.file("a.txt", b"caf\xE9");
    let ended = stage.run_on(&["convert", "-f", "latin1", "--in-place=.old", "a.txt"], "");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(stage.get("a.txt"), "café".as_bytes());
    assert_eq!(stage.get("a.txt.old"), b"caf\xE9");
    assert_eq!(stage.names(), ["a.txt", "a.txt.old"]);
}

#[test]
fn what_fails_is_left_byte_for_byte_and_the_rest_goes_on() {
    let stage = Stage::new();
    stage.file("tree/bad", b"ok \xFF");
    stage.file("tree/good", "né");
    stage.file("tree/sub/good", "né");
    stage.file("tree/binary", b"\0\x01");
    let ended = stage.run_on(&["convert", "-t", "latin1", "--in-place", "tree", "missing"], "");
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert_eq!(stage.get("tree/bad"), b"ok \xFF");
    assert_eq!(stage.get("tree/good"), b"n\xE9");
    assert_eq!(stage.get("tree/sub/good"), b"n\xE9");
    assert_eq!(stage.get("tree/binary"), b"\0\x01");
    assert!(ended.err.contains("files: 2 replaced, 1 skipped, 2 left as they were"), "{}", ended.err);
    assert_eq!(fs::read_dir(stage.path("tree")).unwrap().count(), 4);
}

#[test]
fn a_file_that_is_reached_twice_is_converted_once() {
    let stage = Stage::new();
    stage.file("tree/a", b"\xE9");
    let ended = stage.run_on(&["convert", "-f", "latin1", "--in-place", "tree", "tree/a", "./tree/a"], "");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(stage.get("tree/a"), "é".as_bytes());
}

#[test]
fn a_list_of_files_may_come_from_a_pipe() {
    let stage = Stage::new();
    let lists = [(&["-"][..], &b"a\nb\n"[..]), (&["-", "-0"], b"a\0b\0"), (&["/dev/stdin"], b"a\nb\n")];
    // Windows has no path of standard input.
    for &(args, list) in &lists[..if cfg!(windows) { 2 } else { 3 }] {
        stage.file("a", b"\xE9");
        stage.file("b", b"\xE8");
        let args = [&["convert", "-f", "latin1", "--in-place", "--files-from"], args].concat();
        let ended = stage.run_on(&args, list);
        assert_eq!((ended.code, &ended.err[..]), (Some(0), "placemat: files: 2 replaced\n"), "{args:?}");
        assert_eq!((stage.get("a"), stage.get("b")), ("é".into(), "è".into()), "{args:?}");
    }
}

#[test]
fn a_file_that_would_not_change_is_not_touched() {
    let stage = Stage::new();
    let path = stage.file("a", "same");
    let before = fs::metadata(&path).unwrap();
    thread::sleep(Duration::from_millis(20));
    let ended = stage.run_on(&["convert", "-f", "latin1", "--in-place=.old", "a"], "");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before.modified().unwrap());
    assert_eq!(stage.names(), ["a"]);
}

#[test]
fn a_copy_is_never_written_over() {
    let stage = Stage::new();
    let convert = |form: &str| stage.run(&["convert", "-f", form, "--force", "--in-place=.old", "a"]);
    stage.file("a", b"caf\xE9");
    assert_eq!(convert("latin1").quiet(), (0, ""));
    // The second run would lose the original.
    let ended = convert("latin1");
    let said = "placemat: a: a.old exists already: move it away, or choose another suffix\n";
    assert_eq!((ended.code, &ended.err[..]), (Some(2), said));
    assert_eq!((stage.get("a"), stage.get("a.old")), ("café".into(), b"caf\xE9".to_vec()));
    // Without a suffix this is the name of the file itself.
    let ended = stage.run(&["convert", "-f", "utf-16", "--in-place=", "a"]);
    assert_eq!((ended.code, stage.get("a")), (Some(2), "café".into()));
    assert!(ended.err.contains("--in-place[=<SUFFIX>]': the suffix is empty"), "{}", ended.err);
    assert_eq!(stage.run(&["repair", "--in-place=", "a"]).code, Some(2));
    let ended = stage.run(&["convert", "-f", "utf-16", "--in-place=/old", "a"]);
    assert_eq!((ended.code, stage.get("a")), (Some(2), "café".into()));
    assert!(ended.err.contains("the suffix may not name a folder"), "{}", ended.err);
    // A file that stays as it was needs no copy.
    assert_eq!(convert("utf-8").quiet(), (0, ""));
    assert_eq!(stage.names(), ["a", "a.old"]);
}

#[test]
fn copies_in_one_tree_are_not_files_of_the_next() {
    // In memory, where syncing costs nothing. There are so many files that the walk is not over when the first is replaced.
    let Some(stage) = Stage::below("/dev/shm") else { return eprintln!("skipped: no /dev/shm here") };
    for number in 0..4200 {
        stage.file(format!("tree/sub/{number}"), b"\xE9");
    }
    let ended = stage.run(&["convert", "-j2", "-f", "latin1", "--in-place=.old", "tree", "tree/sub"]);
    assert_eq!((ended.code, &*ended.err), (Some(0), "placemat: files: 4,200 replaced\n"));
    assert!((0..4200).all(|number| stage.get(format!("tree/sub/{number}.old")) == b"\xE9"));
}

#[test]
fn output_appears_whole_or_not_at_all() {
    let stage = Stage::new();
    stage.file("out", "before");
    let ended = stage.run_on(&["convert", "-o", "out"], b"text \xFF");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert_eq!(stage.get("out"), b"before");
    let ended = stage.run_on(&["convert", "-o", "new", "missing"], "");
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert_eq!(stage.names(), ["out"]);
    let ended = stage.run_on(&["convert", "-t", "utf-16le", "-o", "out"], "a");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(stage.get("out"), b"a\0");
    assert_eq!(stage.names(), ["out"]);
}

#[test]
fn the_same_file_may_be_input_and_output() {
    let stage = Stage::new();
    stage.file("a", b"caf\xE9");
    assert_eq!(stage.run_on(&["convert", "-f", "latin1", "-o", "a", "a"], "").code, Some(0));
    assert_eq!(stage.get("a"), "café".as_bytes());
    // Appending to what is read would never end.
    let out = fs::OpenOptions::new().append(true).open(stage.path("a")).unwrap();
    let output = stage.command(&["convert", "a"]).stdout(out).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stage.get("a"), "café".as_bytes());
}

#[test]
fn directories_and_missing_files_are_trouble() {
    let stage = Stage::new();
    stage.file("dir/a", "a");
    stage.file("b", "b");
    for args in [&["convert", "dir"][..], &["convert", "missing"], &["convert", "-o", "dir", "b"]] {
        assert_eq!(stage.run_on(args, "").code, Some(2), "{args:?}");
    }
    let said = stage.run(&["convert", "dir"]).err;
    assert_eq!(said, "placemat: dir: is a directory; --in-place converts the files in it\n");
    // The next input is converted.
    let ended = stage.run_on(&["convert", "missing", "dir", "b"], "");
    assert_eq!((ended.code, &ended.out[..]), (Some(2), &b"b"[..]));
}

#[test]
fn a_closed_pipe_is_success() {
    let stage = Stage::new();
    stage.file("long", "text\n".repeat(1 << 20));
    let mut command = stage.command(&["convert", "-t", "utf-16", "long"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdout.take().unwrap().read_exact(&mut [0; 10]).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(output.stderr, b"");
}

#[test]
fn a_closed_pipe_does_not_hide_what_failed_before() {
    let stage = Stage::new();
    stage.file("long", "text\n".repeat(1 << 20));
    stage.file("bad", b"\xFF");
    for (before, code) in [("missing", 2), ("bad", 1)] {
        for args in [&["convert"][..], &["convert", "-t", "utf-16"]] {
            let mut child = stage.start(&[args, &[before, "long"]].concat());
            child.stdout.take().unwrap().read_exact(&mut [0; 10]).unwrap();
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(code), "{before}: {output:?}");
        }
    }
}

#[test]
fn results_that_nobody_reads_leave_the_exit_code_to_what_failed() {
    let stage = Stage::new();
    stage.file("bad", b"\xFF");
    let commands: [(&[&str], i32); 8] = [
        (&["check", "bad"], 0),
        (&["check", "absent", "bad"], 2),
        (&["count", "bad"], 0),
        (&["count", "absent", "bad"], 2),
        (&["detect", "absent", "bad"], 2),
        (&["survey", "absent", "bad"], 2),
        (&["repair", "--diff", "absent", "bad"], 2),
        (&["forms"], 0),
    ];
    for (args, code) in commands {
        // Closed before the command starts, since the command might end before anybody closes it.
        let (_, closed) = std::io::pipe().unwrap();
        let output = stage.command(args).stdout(closed).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}: {output:?}");
    }
}

#[test]
fn a_large_file_is_converted_alike_by_any_number_of_threads() {
    let stage = Stage::new();
    // Sequences of every length and errors are at every distance from the ends of blocks.
    let mut text = b"\xEF\xBB\xBF".to_vec();
    while text.len() < 3 << 20 {
        text.extend_from_slice(
            b"a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\xEF\xBB\xBF\xE2\x82\n\x80\x80\x80\x80\x80\xF0\x9F\xF0\x80\x80\x80\xE0\x80\x80",
        );
    }
    stage.file("utf8", &text);
    let run = |jobs: &str, args: &[&str]| {
        let ended = stage.run_on(&[&["convert", "-j", jobs], args].concat(), "");
        (ended.code, ended.out, ended.err)
    };
    for policy in ["replace", "replace-sequence", "replace-run", "escape", "stop"] {
        for target in ["utf-16", "utf-8/bom", "ucs-4le", "utf-7"] {
            let args = ["-t", target, "--on-error", policy, "utf8"];
            assert!(run("1", &args) == run("3", &args), "{policy} to {target}");
        }
    }
    let clean = String::from_utf8_lossy(&text).into_owned();
    stage.file("utf16", clean.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>());
    let (code, out, _) = run("2", &["-f", "utf-16", "utf16"]);
    // U+FEFF at the start is the byte order mark of UTF-16, not text.
    assert_eq!(code, Some(0));
    assert!(out == clean.trim_start_matches('\u{FEFF}').as_bytes());

    // An error in any block, and a sequence that only seems to be cut off by the end of a block.
    for at in [100_000, (256 << 10) - 2, (256 << 10) - 1, 256 << 10, (1 << 20) + 5] {
        let mut bad = b"line\n".repeat(600_000);
        bad[at..at + 3].copy_from_slice(b"\xE2\x82!");
        stage.file("bad", &bad);
        let (one, two) = (run("1", &["bad"]), run("2", &["bad"]));
        assert!(one.1 == bad[..at], "{at}: {} bytes", one.1.len());
        assert!(one == two, "{at}: {} {}", one.2, two.2);
        assert!(
            one.2.contains(&format!("byte {at}: E2 82 is malformed utf-8: missing-continuation")),
            "{}",
            one.2
        );
    }
}

#[test]
fn a_mark_precedes_what_is_written_first_in_whatever_block_that_is() {
    let stage = Stage::new();
    let run = |jobs: &str, args: &[&str]| {
        let ended = stage.run_on(&[&["convert", "-j", jobs], args].concat(), "");
        (ended.code, ended.out, ended.err)
    };
    let block = 256 << 10;
    for skipped in [block - 2, 4 * block + 5] {
        for head in ["\u{FEFF}", "text"] {
            // A sequence that is broken off may be at the end of a block.
            let mut text = [&vec![0xFF; skipped][..], b"\xE2\x82", head.as_bytes()].concat();
            text.resize(8 * block + 7, b'.');
            stage.file("utf8", &text);
            for target in ["utf-16", "utf-8/bom", "utf-8", "utf-16le"] {
                let bom = if target == "utf-16le" { "add" } else { "keep" };
                let args = ["-t", target, "--bom", bom, "--on-error", "skip", "utf8"];
                assert!(run("1", &args) == run("3", &args), "{target}, {skipped} before {head:?}");
            }
        }
    }
    // A byte order mark of the source and characters that the target lacks. Then come nothing, text, or a stop.
    let lacking = format!("\u{FEFF}{}", "😀".repeat(9 * block / 4));
    for (tail, jobs) in [("", "2"), ("\u{FEFF}a", "3")] {
        let text = format!("{lacking}{tail}");
        stage.file("utf16", text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
        let args = ["-f", "utf-16", "-t", "ucs-2", "--unencodable", "skip", "utf16"];
        assert!(run("1", &args) == run(jobs, &args), "{tail:?}");
        stage.file("utf8", [text.as_bytes(), b"\xE2\x82"].concat());
        let args = ["-t", "ucs-2", "--unencodable", "skip", "utf8"];
        let one = run("1", &args);
        assert!(one == run(jobs, &args), "{tail:?}: {}", one.2);
        assert_eq!(one.0, Some(1));
    }
    stage.file("utf8", [vec![0xFF; 9 * block], b"ab".to_vec()].concat());
    assert_eq!(run("2", &["--in-place", "-s", "-c", "-t", "utf-16", "utf8"]).0, Some(0));
    assert_eq!(stage.get("utf8"), b"\xFE\xFF\0a\0b");
}

#[test]
fn compressed_files_are_read_through_and_never_replaced() {
    let stage = Stage::new();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, b"caf\xE9").unwrap();
    stage.file("a.gz", packed.finish().unwrap());
    let ended = stage.run_on(&["convert", "-z", "-f", "latin1", "a.gz"], "");
    assert_eq!((ended.code, ended.out.as_slice()), (Some(0), "café".as_bytes()), "{}", ended.err);
    let before = stage.get("a.gz");
    let ended = stage.run_on(&["convert", "-z", "--in-place", "a.gz"], "");
    assert_eq!((ended.code, stage.get("a.gz") == before), (Some(2), true));
}

/// The screen of a terminal while the command waits for two seconds after 100,000 bytes.
#[cfg(target_os = "linux")]
fn seen(stage: &Stage, command: &str) -> Option<String> {
    let line = format!(
        "(head -c 100000 /dev/zero | tr '\\0' a; sleep 2) | '{}' {command}",
        env!("CARGO_BIN_EXE_placemat")
    );
    let mut script = std::process::Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).current_dir(stage.path(".")).stdin(Stdio::null());
    let output = script.output().map_err(|error| eprintln!("skipped: no script: {error}")).ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
#[cfg(target_os = "linux")]
fn long_work_shows_how_far_it_is() {
    let stage = Stage::new();
    for command in ["convert -o out", "convert -f auto > out", "repair > out", "check --mojibake -"] {
        let Some(screen) = seen(&stage, command) else { return };
        assert!(screen.contains("0 files, 97.66 KiB"), "{command}: {screen:?}");
    }
    // There is no progress line where the text itself goes to the terminal.
    let Some(screen) = seen(&stage, "convert") else { return };
    assert!(!screen.contains("files"), "{screen:?}");
}
