//! `placemat check` of standard input, pipes and unreadable input: everything is read, and memory does not grow.

use std::io::{Read as _, Write as _};
use std::process::Stdio;

use crate::check::LETTER;
use crate::stage::Stage;

/// Compressed, without its end.
fn broken(text: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(text).unwrap();
    packed.flush().unwrap();
    packed.get_ref().clone()
}

#[test]
fn what_breaks_off_is_checked_up_to_there() {
    let stage = Stage::new();
    // It breaks off within a character.
    let damaged = broken(b"fine\ncaf\xE9!\nna\xC3\xAFve\n\xE2\x82");
    stage.file("a.gz", &damaged);
    stage.file("head.gz", &damaged[..10]);
    for form in ["utf-8", "utf-16le", "utf-8/bom"] {
        let args = ["check", "-z", "--format=json", "-f", form];
        let by_path = stage.run(&[&args[..], &["a.gz", "head.gz"]].concat());
        assert_eq!((by_path.code, by_path.err.lines().count()), (Some(2), 2), "{}", by_path.err);
        assert!(by_path.err.starts_with("placemat: a.gz: "), "{}", by_path.err);
        let below = by_path.out.replace("a.gz", "./a.gz").replace("head.gz", "./head.gz");
        assert_eq!(stage.run(&[&args[..], &["."]].concat()).out, below);
        let by_pipe = stage.run_with(&[&args[..], &["-"]].concat(), &damaged);
        let alone = stage.run(&[&args[..], &["a.gz"]].concat());
        assert_eq!(by_pipe.out, alone.out.replace("a.gz", "-"));
    }
    let summary = r#"{"type":"summary","files":1,"files_with_errors":1,"files_skipped":0,"errors":1,"bytes":20,"schema":2}"#;
    for more in [&[][..], &["--mojibake"]] {
        let out = stage.run(&[&["check", "-z", "--format=json", "a.gz"], more].concat()).out;
        assert!(out.contains(r#""offset":8,"length":1,"line":2,"column":4,"#), "{out}");
        assert!(out.contains(r#"{"type":"failed","path":"a.gz","reason":""#), "{out}");
        assert_eq!((out.lines().count(), out.lines().last()), (4, Some(summary)));
    }
    stage.file("marked.gz", broken(b"\xFF\xFEa\0"));
    let ran = stage.run(&["check", "-z", "--count", "marked.gz"]);
    assert_eq!((ran.code, &*ran.out), (Some(2), "marked.gz:1\n"));
}

#[test]
fn mojibake_before_damage_counts_from_a_pipe_too() {
    let stage = Stage::new();
    // Input from a pipe is kept in memory, or in a file.
    for filling in [0, 1 << 20] {
        let text = ["cafÃ©\n".repeat(100).as_bytes(), b"\xFF\n", &vec![b'a'; filling], b"\xC3"].concat();
        let damaged = broken(&text);
        stage.file("a.gz", &damaged);
        for args in [&["--count"][..], &["--format=json", "--max-errors=200"]] {
            let args = [&["check", "-z", "--mojibake"], args].concat();
            let by_path = stage.run(&[&args[..], &["a.gz"]].concat());
            let by_pipe = stage.run_with(&[&args[..], &["-"]].concat(), &damaged);
            assert_eq!((by_path.code, by_pipe.code), (Some(2), Some(2)));
            assert_eq!(by_pipe.out, by_path.out.replace("a.gz", "-"));
            assert_eq!(by_pipe.err, by_path.err.replace("a.gz", "<stdin>"));
        }
        assert_eq!(stage.run(&["check", "-z", "--mojibake", "--count", "a.gz"]).out, "a.gz:101\n");
        for args in [&["repair"][..], &["convert", "-f", "utf-8,latin1"]] {
            let said = stage.run(&[args, &["-z", "a.gz"]].concat()).err;
            assert!(said.starts_with("placemat: a.gz: ") && !said.contains("temporary"), "{said}");
        }
    }
}

#[test]
fn standard_input_has_one_name() {
    let stage = Stage::new();
    for args in [
        &["check"][..],
        &["check", "--mojibake"],
        &["count"],
        &["detect"],
        &["survey"],
        &["convert"],
        &["repair"],
    ] {
        let said = stage.run_with(&[args, &["-z", "-"]].concat(), &broken(b"cafe ")).err;
        assert!(said.starts_with("placemat: <stdin>: "), "{args:?}: {said}");
    }
    let said = stage.run(&["edit", "-", "--", "true"]).err;
    assert!(said.starts_with("placemat: <stdin>: "), "{said}");
}

#[test]
fn what_cannot_be_read_is_said_and_the_rest_goes_on() {
    let stage = Stage::new();
    stage.file("b.txt", b"\xFF");
    let ran = stage.run(&["check", "--count", "a.txt", "b.txt"]);
    assert_eq!((ran.code, &*ran.out), (Some(2), "b.txt:1\n"));
    assert!(ran.err.starts_with("placemat: a.txt: "), "{}", ran.err);
}

#[test]
fn standard_input_is_a_file_too() {
    let stage = Stage::new();
    assert_eq!(stage.run_with(&["check", "-"], b"fine").quiet(), (0, ""));
    let ran = stage.run_with(&["check", "--count", "-"], LETTER);
    assert_eq!(ran.quiet(), (1, "-:11\n"));
}

#[test]
#[cfg(unix)]
fn without_a_path_standard_input_is_read_if_it_is_redirected() {
    let stage = Stage::new();
    stage.file("bad.txt", b"\xFF\xFF");
    let input = stage.file(".input", b"caf\xE9");
    for command in ["check", "survey"] {
        let args = if command == "check" { [command, "--count"] } else { [command, "--format=json"] };
        let from_pipe = stage.run_with(&args, b"caf\xE9");
        let file = std::fs::File::open(&input).unwrap();
        let from_file = stage.command(&args).stdin(file).output().unwrap();
        assert_eq!(from_pipe.out.as_bytes(), from_file.stdout, "{command}");
        assert!(
            from_pipe.out.contains(if command == "check" { "-:1\n" } else { "\"files\":1," }),
            "{}",
            from_pipe.out
        );
        assert_eq!(from_pipe.err, "");
        // An empty pipe, and an empty file.
        let nothing =
            format!("placemat: standard input is empty; to read this directory: placemat {command} .\n");
        assert_eq!(stage.run_with(&args, b"").err, nothing);
        let empty = std::fs::File::open(stage.file(".empty", "")).unwrap();
        let ran = stage.command(&args).stdin(empty).output().unwrap();
        assert_eq!(String::from_utf8(ran.stderr).unwrap(), nothing);
        // The null device and a closed descriptor are no input.
        for ran in [
            stage.run(&args).out.into_bytes(),
            std::process::Command::new("sh")
                .args(["-c", "exec \"$@\" <&-", "sh", env!("CARGO_BIN_EXE_placemat"), args[0], args[1]])
                .current_dir(stage.path(""))
                .output()
                .unwrap()
                .stdout,
        ] {
            let said = String::from_utf8(ran).unwrap();
            // The hidden files beside it are skipped.
            assert!(said.contains("bad.txt") || said.contains("\"files_skipped\":2,"), "{said}");
        }
    }
}

#[test]
#[cfg(unix)]
fn a_pipe_that_stays_open_is_mentioned() {
    use std::io::{BufRead as _, BufReader, Write as _};
    let stage = Stage::new();
    let mut child = stage.start(&["check", "--count"]);
    let mut said = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
    let expected =
        "placemat: nothing has come on standard input yet; to read this directory: placemat check .\n";
    assert_eq!(said, expected);
    child.stdin.take().unwrap().write_all(b"caf\xE9").unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!((ended.status.code(), &*ended.stdout), (Some(1), &b"-:1\n"[..]));
}

#[test]
fn a_closed_pipe_is_success_whatever_was_found() {
    let stage = Stage::new();
    stage.file("a.txt", [0xFF; 100_000]);
    let mut child =
        stage.command(&["check", "--format=json", "--max-errors=100000", "a.txt"]).spawn().unwrap();
    child.stdout.take().unwrap().read_exact(&mut [0; 10]).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
}

#[test]
fn a_closed_pipe_is_success_in_every_format() {
    let stage = Stage::new();
    stage.file("a.txt", b"caf\xE9\n");
    for format in ["human", "json", "paths", "sarif", "github", "short", "junit", "gitlab"] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let child = stage.command(&["check", "--format", format, "a.txt"]).stdout(writer).spawn().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]), "{format}");
    }
}

#[test]
fn levels_and_threads_change_nothing() {
    let stage = Stage::new();
    let mut big = "naïve \u{65E5}\u{672C}\n".repeat(700_000).into_bytes();
    for at in [0, 1 << 17, (4 << 20) - 1, 4 << 20, (8 << 20) + 2] {
        big[at] = 0xFF;
    }
    stage.file("big.txt", &big);
    let expected = stage.run(&["check", "--format=json", "-j1", "--cpu=scalar", "big.txt"]);
    assert_eq!(expected.code, Some(1));
    for args in [&["-j1"][..], &["-j2"], &["-j7"], &["-j3", "--cpu=scalar"]] {
        let all = [&["check", "--format=json", "big.txt"], args].concat();
        assert_eq!(stage.run(&all).out, expected.out, "{args:?}");
    }
    let piped = stage.run_with(&["check", "--format=json", "-"], &big);
    assert_eq!(piped.out, expected.out.replace("\"big.txt\"", "\"-\""));
}

/// Peak memory while the command runs, in KiB.
#[cfg(target_os = "linux")]
fn peak(mut child: std::process::Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(&status).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = line.and_then(|line| line.trim_end_matches("kB").trim().parse().ok());
        peak = peak.max(now.unwrap_or(0));
    }
    peak
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_file() {
    let stage = Stage::new();
    // Half a gigabyte in one line.
    let file = std::fs::File::create(stage.path("huge.txt")).unwrap();
    file.set_len(512 << 20).unwrap();
    std::os::unix::fs::FileExt::write_at(&file, b"\xFF", (512 << 20) - 1).unwrap();
    let mut command = stage.command(&["check", "--jobs", "2", "huge.txt"]);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let peak = peak(child);
    assert!(0 < peak && peak < 16 << 10, "{peak} KiB");
    let ran = stage.run(&["check", "huge.txt"]);
    assert!(ran.out.starts_with("huge.txt:1:536870912: FF occurs nowhere in UTF-8\n"), "{}", ran.out);
}

/// Names on Unix may end with CR.
#[test]
#[cfg(unix)]
fn a_carriage_return_in_a_list_belongs_to_a_name_that_has_one() {
    let stage = Stage::new();
    stage.file("a\r", b"\xFF");
    stage.file("b", b"\xFF");
    let listed = |args: &[&str], list: &[u8]| {
        let ended = stage.run_on(&[&["check", "--count", "--files-from", "-"], args].concat(), list);
        (String::from_utf8(ended.out).unwrap(), ended.code)
    };
    assert_eq!(listed(&[], b"a\r\nb\r\n"), ("a\r:1\nb:1\n".into(), Some(1)));
    assert_eq!(listed(&["-0"], b"b\r\0"), (String::new(), Some(2)));
}
