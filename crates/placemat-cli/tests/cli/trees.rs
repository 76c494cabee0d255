//! Which files of a tree are read.

use std::fs;

use crate::stage::Stage;

/// A tree in which every file has one error.
fn tree() -> Stage {
    let stage = Stage::new();
    for name in ["a.txt", "sub/b.md", "sub/deep/c.txt", ".hidden.txt", ".git/config", "ignored.log", "z.txt"]
    {
        stage.file(name, b"\xFF");
    }
    stage.file(".gitignore", "*.log\n");
    stage.file("binary.bin", b"\xFF\0\xFF");
    stage
}

#[track_caller]
fn assert_found(stage: &Stage, args: &[&str], expected: &[&str]) {
    let all = [&["check", "--format=paths"], args].concat();
    let ran = stage.run(&all);
    assert_eq!(ran.out.lines().collect::<Vec<_>>(), expected, "{args:?} {}", ran.err);
    assert_eq!(ran.code, Some(i32::from(!expected.is_empty())), "{args:?}");
}

#[test]
fn ignored_hidden_and_binary_files_are_left_out() {
    let stage = tree();
    assert_found(&stage, &[], &["a.txt", "sub/b.md", "sub/deep/c.txt", "z.txt"]);
    assert_found(&stage, &["--no-ignore"], &["a.txt", "ignored.log", "sub/b.md", "sub/deep/c.txt", "z.txt"]);
    assert_found(&stage, &["--binary"], &["a.txt", "binary.bin", "sub/b.md", "sub/deep/c.txt", "z.txt"]);
    assert_found(
        &stage,
        &["--hidden"],
        &[".git/config", ".hidden.txt", "a.txt", "sub/b.md", "sub/deep/c.txt", "z.txt"],
    );
    let out = stage.run(&["check", "--format=json"]).out;
    // `.gitignore`, `.hidden.txt` and `binary.bin`.
    assert!(
        out.ends_with(
            "\"files\":4,\"files_with_errors\":4,\"files_skipped\":3,\"errors\":4,\"bytes\":4,\"schema\":2}\n"
        ),
        "{out}"
    );
}

#[test]
fn what_is_named_is_always_read() {
    let stage = tree();
    assert_found(
        &stage,
        &["ignored.log", "binary.bin", ".hidden.txt"],
        &[".hidden.txt", "binary.bin", "ignored.log"],
    );
    assert_found(&stage, &["sub", "a.txt"], &["a.txt", "sub/b.md", "sub/deep/c.txt"]);
}

#[test]
fn globs_choose() {
    let stage = tree();
    // As with ripgrep, a glob overrides every other rule.
    assert_found(&stage, &["-g", "*.txt"], &[".hidden.txt", "a.txt", "sub/deep/c.txt", "z.txt"]);
    assert_found(&stage, &["-g", "*.log"], &["ignored.log"]);
    assert_found(&stage, &["-g", "!sub"], &["a.txt", "z.txt"]);
    assert_found(&stage, &["-g", ".hidden.txt"], &[".hidden.txt"]);
    // A folder that is hidden or ignored must match too.
    for file in ["build/x", ".hid/x"] {
        stage.file(file, b"\xFF");
        let folder = file.strip_suffix("/x").unwrap();
        stage.file(".ignore", "build/\n");
        assert_found(&stage, &["-g", file], &[]);
        assert_found(&stage, &["-g", folder, "-g", file], &[file]);
    }
    let help = stage.run(&["check", "--help"]).out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("but in a hidden or ignored folder only if the folder matches too"), "{help}");
}

#[test]
fn a_path_that_is_reached_twice_is_read_once_and_in_its_place() {
    let stage = tree();
    assert_found(&stage, &["z.txt", "a.txt", "z.txt"], &["a.txt", "z.txt"]);
    assert_found(&stage, &["./a.txt", "a.txt", ".//a.txt"], &["./a.txt"]);
    let all = ["./a.txt", "./sub/b.md", "./sub/deep/c.txt", "./z.txt"];
    assert_found(&stage, &["z.txt", "sub/deep", ".", "sub", "./a.txt"], &all);
    // A file that is named is read whatever it is, also if it is in a tree.
    assert_found(
        &stage,
        &["sub", "./sub/deep", "binary.bin"],
        &["./sub/deep/c.txt", "binary.bin", "sub/b.md"],
    );
    assert_found(
        &stage,
        &[".", "binary.bin", ".hidden.txt"],
        &["./a.txt", "./binary.bin", "./sub/b.md", "./sub/deep/c.txt", "./z.txt", ".hidden.txt"],
    );
    let ran = stage.run(&["count", "--format=json", ".", "a.txt"]);
    assert_eq!(ran.out.matches("a.txt").count(), 1, "{}", ran.out);
    // A file of that name is not standard input.
    stage.file("-", b"\xFF");
    let ran = stage.run_with(&["check", "--count", "-", "./-"], b"\xFF");
    assert_eq!(ran.quiet(), (1, "./-:1\n-:1\n"));
}

#[test]
fn what_is_left_out_of_several_trees_is_counted_once() {
    let stage = tree();
    let skipped = |args: &[&str]| {
        let out = stage.run(&[&["check", "--format=json"], args].concat()).out;
        out.rsplit_once("\"files_skipped\":").unwrap().1.split(',').next().unwrap().to_owned()
    };
    stage.file("sub/.hidden", "");
    assert_eq!((skipped(&["sub"]), skipped(&["sub", "./sub", "sub/deep"])), ("1".to_owned(), "1".to_owned()));
    // A file that is named is not skipped.
    assert_eq!(skipped(&["sub", "sub/.hidden"]), "0");
}

#[test]
#[cfg(unix)]
fn what_is_named_is_read_though_a_tree_leaves_it_out() {
    let stage = Stage::new();
    let bad = "né né né ".repeat(5).into_bytes().into_iter().chain(*b"\0caf\xE9\n").collect::<Vec<_>>();
    let mended = "né né né ".repeat(5) + "\0café\n";
    for (link, file) in [("z", "tree/b"), ("a", "tree/b")] {
        stage.file(file, &bad);
        std::os::unix::fs::symlink(file, stage.path(link)).unwrap();
        let ran = stage.run(&["repair", "--in-place", "tree", link]);
        assert_eq!((ran.code, stage.get(file)), (Some(0), mended.clone().into_bytes()), "{}", ran.err);
        assert!(ran.err.ends_with("placemat: files: 1 repaired\n"), "{}", ran.err);
        stage.file(file, &bad);
        let ran = stage.run(&["convert", "-f", "utf-8,latin1", "--in-place", "tree", link]);
        assert_eq!(ran.code, Some(0));
        assert!(ran.err.ends_with(" to utf-8\nplacemat: files: 1 replaced\n"), "{}", ran.err);
    }
    // A file of that name is not standard input.
    stage.file("-", &bad);
    let ran = stage.run_with(&["repair", "--dry-run", "-", "./-"], &bad);
    let said = "1 byte read as windows-1252";
    assert_eq!((ran.code, ran.out), (Some(1), format!("./-: {said}\n<stdin>: {said}\n")));
}

#[test]
fn a_broken_line_of_an_ignore_file_is_said_and_the_others_count() {
    let stage = tree();
    stage.file("sub/.gitignore", "*.md\n{a\n");
    // The file of a folder above applies too, and each message comes once.
    for args in [&["sub"][..], &["sub/deep"], &["sub", "sub/deep", "./sub"]] {
        let ran = stage.run(&[&["check", "--count"], args].concat());
        assert_eq!((ran.code, ran.out.lines().count()), (Some(1), 1), "{}", ran.out);
        let said = "sub/.gitignore: line 2: error parsing glob '{a'";
        assert!(ran.err.lines().count() == 1 && ran.err.contains(said), "{}", ran.err);
    }
    assert_eq!(stage.run(&["check", "--no-ignore", "--count", "sub"]).err, "");
}

#[test]
fn paths_come_from_a_list() {
    let stage = tree();
    stage.file("list", "z.txt\na.txt\n\n");
    assert_found(&stage, &["--files-from", "list"], &["a.txt", "z.txt"]);
    stage.file("list0", "z.txt\0sub\0");
    let ran = stage.run(&["check", "--count", "-0", "--files-from", "list0"]);
    assert_eq!(ran.quiet(), (1, "sub/b.md:1\0sub/deep/c.txt:1\0z.txt:1\0"));
    let ran = stage.run_with(&["check", "--count", "--files-from", "-"], b"a.txt\n");
    assert_eq!(ran.quiet(), (1, "a.txt:1\n"));
    stage.file("none", "");
    assert_eq!(stage.run(&["check", "--files-from", "none"]).quiet(), (0, ""));
    let missing = stage.run(&["check", "--files-from", "\u{1b}"]);
    assert!(missing.err.starts_with("placemat: --files-from \\u{1b}: "), "{}", missing.err);
}

#[test]
fn many_files_come_sorted_whatever_the_threads() {
    let stage = Stage::new();
    let mut expected = Vec::new();
    for index in 0..600 {
        let name = format!("d{}/f{index:03}", index / 100);
        // Some files take longer than others.
        let mut content = vec![b'a'; if index % 50 == 0 { 1 << 20 } else { 10 }];
        content.push(0xFF);
        stage.file(&name, content);
        expected.push(format!("{name}:1\n"));
    }
    for jobs in ["1", "2", "9"] {
        assert_eq!(stage.run(&["check", "--count", "-j", jobs]).quiet(), (1, &*expected.concat()));
    }
}

#[test]
#[cfg(unix)]
fn only_files_are_read_in_a_tree() {
    let stage = Stage::new();
    stage.file("a.txt", b"\xFF");
    let made = std::process::Command::new("mkfifo").arg(stage.path("fifo")).status().unwrap();
    assert!(made.success());
    std::os::unix::fs::symlink("a.txt", stage.path("link")).unwrap();
    std::os::unix::fs::symlink(".", stage.path("loop")).unwrap();
    std::os::unix::fs::symlink("nowhere", stage.path("broken")).unwrap();
    assert_found(&stage, &[], &["a.txt"]);
    assert_found(&stage, &["link"], &["link"]);
    fs::create_dir(stage.path("empty")).unwrap();
    std::os::unix::fs::symlink("empty", stage.path("folder")).unwrap();
    for name in ["empty", "folder", "folder/"] {
        let ran = stage.run(&["check", "--format=json", name]);
        assert!(
            ran.out.contains(r#""files":0,"files_with_errors":0,"files_skipped":0"#),
            "{name}: {}",
            ran.out
        );
    }
    assert_eq!(stage.run(&["check", "/dev/null"]).quiet(), (0, ""));
    assert_eq!(stage.run(&["check", "broken"]).code, Some(2));
}

#[test]
#[cfg(unix)]
fn a_fifo_is_opened_once() {
    // A FIFO must be opened once: a second open would wait for another writer for ever, and what the first one wrote may be lost.
    let stage = Stage::new();
    let fifo = stage.path("fifo");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    for args in [
        &["check", "--count"][..],
        &["check", "--mojibake", "--count"],
        &["convert", "-t", "latin1", "--on-error", "skip"],
        &["convert", "-f", "auto", "-t", "utf-8"],
        &["repair", "-s"],
        &["repair", "--dry-run"],
        &["count"],
        &["detect"],
        &["survey"],
        &["explain", "--file"],
    ] {
        for _ in 0..3 {
            let path = fifo.clone();
            let writing =
                std::thread::spawn(move || fs::write(path, b"na\xC3\xAFve caf\xE9, d\xC3\xA9j\xC3\xA0 vu\n"));
            let limited = [&["10", env!("CARGO_BIN_EXE_placemat")], args, &["fifo"]].concat();
            let mut run = std::process::Command::new("timeout");
            let ended = run.args(limited).current_dir(stage.path("")).output().unwrap();
            assert_ne!(ended.status.code(), Some(124), "{args:?}");
            assert!(!ended.stdout.is_empty(), "{args:?}: {ended:?}");
            writing.join().unwrap().unwrap();
        }
    }
}

#[test]
#[cfg(unix)]
fn what_may_not_be_read_is_trouble_but_no_end() {
    use std::os::unix::fs::PermissionsExt as _;
    let stage = tree();
    stage.file("locked/x.txt", "");
    fs::set_permissions(stage.path("locked"), fs::Permissions::from_mode(0o000)).unwrap();
    fs::set_permissions(stage.path("a.txt"), fs::Permissions::from_mode(0o000)).unwrap();
    let ran = stage.run_unprivileged(&["check", "--count"]);
    fs::set_permissions(stage.path("locked"), fs::Permissions::from_mode(0o755)).unwrap();
    let Some(ran) = ran else { return };
    assert_eq!((ran.code, &*ran.out), (Some(2), "sub/b.md:1\nsub/deep/c.txt:1\nz.txt:1\n"), "{}", ran.err);
    let mut lines: Vec<_> = ran.err.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "placemat: a.txt: Permission denied (os error 13)",
            "placemat: locked: Permission denied (os error 13)"
        ]
    );
}

#[test]
fn repair_says_that_a_file_is_compressed() {
    use std::io::Write as _;
    let stage = Stage::new();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(&["déjà vu\n".repeat(9).as_bytes(), b"caf\xE9\n"].concat()).unwrap();
    stage.file("log.gz", gzip.finish().unwrap());
    let ran = stage.run(&["repair", "log.gz"]);
    assert_eq!((ran.code, &*ran.err), (Some(1), "placemat: log.gz: is compressed (gzip): -z unpacks it\n"));
    let ran = stage.run(&["repair", "-z", "log.gz"]);
    assert!(ran.code == Some(0) && ran.out.ends_with("déjà vu\ncafé\n"), "{}", ran.err);
}

#[test]
fn compressed_files_are_read_when_asked() {
    use std::io::Write as _;
    let stage = Stage::new();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(b"first\ncaf\xE9\n").unwrap();
    let packed = gzip.finish().unwrap();
    stage.file("log.gz", &packed);
    stage.file("plain.txt", b"\xFF");
    let expected = "log.gz:1\nplain.txt:1\n";
    assert_eq!(stage.run(&["check", "-z", "--count"]).quiet(), (1, expected));
    let json = stage.run(&["check", "-z", "--format=json", "log.gz"]).out;
    assert!(json.contains(r#""offset":9,"length":1,"line":2,"column":4"#), "{json}");
    assert_eq!(stage.run_with(&["check", "-z", "--count", "-"], &packed).quiet(), (1, "-:1\n"));
    // Padded with zeros, as on tapes, and with other bytes behind that.
    let padded = [&packed[..], &[0; 512]].concat();
    assert_eq!(stage.run_with(&["check", "-z", "--count", "-"], &padded).quiet(), (1, "-:1\n"));
    let ran = stage.run_with(&["check", "-z", "-"], &[&padded[..], b"x"].concat());
    assert!(
        ran.err.contains("the compressed data is followed by bytes that are neither gzip nor padding"),
        "{}",
        ran.err
    );
    let cut = &packed[..packed.len() - 4];
    let ran = stage.run_with(&["check", "-z", "-"], cut);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

#[test]
#[cfg(unix)]
fn a_link_that_may_not_be_followed_hides_no_file() {
    for name in ["a link", "z link"] {
        for args in [
            &["convert", "--in-place", "-f", "latin1"][..],
            &["repair", "--in-place"],
            &["edit", "-f", "latin1"],
        ] {
            let stage = Stage::new();
            stage.file("m/f", b"na\xC3\xAFve, d\xC3\xA9j\xC3\xA0 vu, caf\xE9");
            let before = stage.get("m/f");
            std::os::unix::fs::symlink("m/f", stage.path(name)).unwrap();
            let command = if args[0] == "edit" { &["--", "sed", "-i", "s/e/E/"][..] } else { &[] };
            let ran = stage.run(&[args, &["--no-follow", name, "m"], command].concat());
            assert_eq!(ran.code, Some(2), "{args:?}: {ran:?}");
            assert!(ran.err.contains(&format!("{name}: is a symbolic link")), "{args:?}: {ran:?}");
            assert_ne!(stage.get("m/f"), before, "{args:?}");
            assert!(stage.path(name).is_symlink());
        }
    }
    // A link to a file in which nothing is to be done is refused too: the file may have been replaced a moment ago.
    let stage = Stage::new();
    stage.file("f", "é");
    std::os::unix::fs::symlink("f", stage.path("l")).unwrap();
    assert_eq!(stage.run(&["repair", "--in-place", "--no-follow", "l"]).code, Some(2));
    assert_eq!(stage.run(&["repair", "--no-follow", "l"]).out, "é");
}
