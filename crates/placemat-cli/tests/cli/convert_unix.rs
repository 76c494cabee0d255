//! `convert` on the files of Unix: permissions, links, devices, full disks, signals; nothing is lost.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::interrupt::is_ignored;
use crate::stage::Stage;

#[test]
fn permissions_stay() {
    let stage = Stage::new();
    let path = stage.file("a", b"\xE9");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o4750)).unwrap();
    assert_eq!(stage.run_on(&["convert", "-f", "latin1", "--in-place", "a"], "").code, Some(0));
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o7777, 0o750);
    assert_eq!(stage.get("a"), "é".as_bytes());
}

#[test]
fn links_are_followed_or_refused() {
    let stage = Stage::new();
    stage.file("dir/a", b"\xE9");
    symlink("dir/a", stage.path("link")).unwrap();
    let convert =
        |flags: &[&str]| stage.run_on(&[&["convert", "-f", "latin1", "--in-place"], flags].concat(), "").code;
    assert_eq!(convert(&["--no-follow", "link"]), Some(2));
    assert_eq!(stage.get("dir/a"), b"\xE9");
    assert_eq!(convert(&["link"]), Some(0));
    assert_eq!(stage.get("dir/a"), "é".as_bytes());
    assert!(fs::symlink_metadata(stage.path("link")).unwrap().is_symlink());

    stage.file("b", b"\xE9");
    fs::hard_link(stage.path("b"), stage.path("c")).unwrap();
    assert_eq!(convert(&["b"]), Some(2));
    assert_eq!(stage.get("b"), b"\xE9");
    // A file that would not change keeps its other name.
    assert_eq!(
        stage.run_on(&["convert", "-f", "latin1", "-t", "latin1", "--in-place", "b"], "").code,
        Some(0)
    );
    assert_eq!(convert(&["--break-links", "b"]), Some(0));
    assert_eq!((stage.get("b"), stage.get("c")), ("é".into(), b"\xE9".to_vec()));

    // The target of a link does not exist yet: it is created.
    symlink("dir/new", stage.path("hanging")).unwrap();
    assert_eq!(stage.run_on(&["convert", "-o", "hanging"], "x").code, Some(0));
    assert_eq!(stage.get("dir/new"), b"x");
}

#[test]
fn fifos_and_devices_are_written_through() {
    let stage = Stage::new();
    let fifo = stage.path("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let reading = thread::spawn(move || fs::read(fifo).unwrap());
    let ended = stage.run_on(&["convert", "-o", "fifo"], "through");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(reading.join().unwrap(), b"through");
    assert_eq!(stage.run_on(&["convert", "-o", "/dev/null"], "x").code, Some(0));
    if Path::new("/dev/full").exists() {
        assert_eq!(stage.run_on(&["convert", "-o", "/dev/full"], "x").code, Some(2));
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        stage.file("a", "a");
        let output = stage.command(&["convert", "a"]).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}

#[test]
fn what_is_open_already_is_written_on() {
    let stage = Stage::new();
    symlink("/dev/stdout", stage.path("link")).unwrap();
    stage.file("bad", b"b\xFF\n");
    // A shell opens the log, and writes to it before and after the command.
    let run = |redirected: &str, name: &str| {
        stage.file("log", "old\n");
        let line = format!(
            "{{ echo first; \"$0\" convert -s --on-error escape -o {name} bad; echo last; }} {redirected}"
        );
        let mut shell = Command::new("sh");
        shell.args(["-c", &line, env!("CARGO_BIN_EXE_placemat")]).current_dir(stage.path(""));
        assert!(shell.status().unwrap().success(), "{line}");
        String::from_utf8(stage.get("log")).unwrap()
    };
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "link"] {
        assert_eq!(run(">> log", name), "old\nfirst\nb\\xff\nlast\n", "{name}");
        assert_eq!(run("> log", name), "first\nb\\xff\nlast\n", "{name}");
    }
    for name in ["/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"] {
        assert_eq!(run("2> log >&2", name), "first\nb\\xff\nlast\n", "{name}");
    }
    assert_eq!(run("3>> log > /dev/null", "/dev/fd/3"), "old\nb\\xff\n");

    // Otherwise the command would read its own output.
    stage.file("log", "old\n");
    let out = fs::OpenOptions::new().append(true).open(stage.path("log")).unwrap();
    for name in ["/dev/stdout", "/dev/stderr", "link"] {
        let mut command = stage.command(&["convert", "-t", "utf-16le", "-o", name, "log"]);
        command.stdout(out.try_clone().unwrap());
        if name == "/dev/stderr" {
            command.stderr(out.try_clone().unwrap());
        }
        assert_eq!(command.output().unwrap().status.code(), Some(2), "{name}");
    }
    assert!(stage.get("log").starts_with(b"old\nplacemat: log: is also the output"));
}

#[test]
fn a_path_leads_where_it_leads() {
    let stage = Stage::new();
    if fs::canonicalize("/proc/self/cwd").is_err() {
        return eprintln!("skipped: there is no /proc");
    }
    stage.file("latin1", b"caf\xE9");
    symlink("/proc/self/cwd", stage.path("here")).unwrap();
    for name in ["/proc/self/cwd/file", "/proc/thread-self/cwd/file", "here/file"] {
        for command in [
            &["convert", "-f", "latin1", "-o", name, "latin1"][..],
            &["convert", "-f", "latin1", "--in-place", name],
            &["repair", "--mend=cp1252", "--in-place", name],
        ] {
            let old = fs::File::create(stage.path("file")).unwrap();
            stage.file("file", b"caf\xE9");
            assert_eq!(stage.run_on(command, "").code, Some(0), "{command:?}");
            assert_eq!(stage.get("file"), "café".as_bytes(), "{command:?}");
            // Another file has its name now.
            assert_eq!(old.metadata().unwrap().nlink(), 0, "{command:?}");
        }
    }
    // An open file is written to under all its names, from any folder.
    symlink("/dev", stage.path("devices")).unwrap();
    for (open, from, name) in [
        (">>", "/dev", "fd/3"),
        (">>", "/proc/self", "fd/3"),
        (">>", "/", "dev/../proc/thread-self/fd/3"),
        (">>", ".", "devices/fd/3"),
        (">", ".", "devices/stdout"),
        (">", "/dev", "fd/1"),
        (">", "/", "proc/thread-self/fd/1"),
    ] {
        let line = format!(
            "exec 3{open} log >&3; cd {from}; echo first; echo text | \"$0\" convert -o {name}; echo last"
        );
        stage.file("log", "");
        let mut shell = Command::new("sh");
        shell.args(["-c", &line, env!("CARGO_BIN_EXE_placemat")]).current_dir(stage.path(""));
        assert!(shell.status().unwrap().success(), "{line}");
        assert_eq!(stage.get("log"), b"first\ntext\nlast\n", "{line}");
    }
}

#[test]
fn standard_input_is_read_to_its_end_by_any_number_of_threads() {
    let stage = Stage::new();
    stage.file("large", ["first\n", &"a".repeat(3 << 20)].concat());
    for jobs in ["1", "4"] {
        let line = "{ read -r _; \"$0\" convert -j$1 -t utf-16le -; cat; } < large | wc -c";
        let mut shell = Command::new("sh");
        shell.args(["-c", line, env!("CARGO_BIN_EXE_placemat"), jobs]).current_dir(stage.path(""));
        let output = shell.output().unwrap();
        let count = String::from_utf8(output.stdout).unwrap();
        assert_eq!(count.trim(), (6 << 20).to_string(), "-j{jobs}");
    }
}

#[test]
fn only_regular_files_are_replaced() {
    let stage = Stage::new();
    // Nobody writes to the FIFO, and nobody reads from it.
    assert!(Command::new("mkfifo").arg(stage.path("fifo")).status().unwrap().success());
    let commands = [&["convert", "--in-place"][..], &["repair", "--in-place"], &["edit"]];
    for (command, name) in commands.iter().flat_map(|c| ["fifo", "/dev/null"].map(|name| (c, name))) {
        let behind: &[&str] = if command[0] == "edit" { &["--", "true"] } else { &[] };
        let mut child = stage.start(&[command, &[name][..], behind].concat());
        let begun = Instant::now();
        while child.try_wait().unwrap().is_none() && begun.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(5));
        }
        let _ = child.kill();
        let ended = child.wait_with_output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(2), "{command:?} {name}: {said}");
        assert_eq!(said, format!("placemat: {name}: is not a regular file\n"), "{command:?}");
    }
    assert_eq!(stage.names(), ["fifo"]);
}

/// Whether we are root, to whom permissions do not apply.
fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|metadata| metadata.uid() == 0)
}

#[test]
fn without_permission_nothing_happens() {
    let stage = Stage::new();
    let path = stage.file("dir/a", b"\xE9");
    fs::set_permissions(stage.path("dir"), fs::Permissions::from_mode(0o777)).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let mut command = stage.command(&["convert", "-f", "latin1", "--in-place", "dir/a"]);
    if is_root() {
        use std::os::unix::process::CommandExt as _;
        command.uid(65534).gid(65534);
    }
    // If other users cannot run the binary, there is nothing to test.
    let Ok(output) = command.output() else { return eprintln!("skipped: cannot run as another user") };
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(stage.get("dir/a"), b"\xE9");
    assert_eq!(fs::read_dir(stage.path("dir")).unwrap().count(), 1);
}

#[test]
fn a_full_disk_loses_nothing() {
    let stage = Stage::new();
    let disk = stage.path("disk");
    fs::create_dir(&disk).unwrap();
    let mount = ["-t", "tmpfs", "-o", "size=256k", "none"];
    if !Command::new("mount").args(mount).arg(&disk).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
    {
        return eprintln!("skipped: no small file system can be mounted here");
    }
    let text = b"\xE9".repeat(150_000);
    stage.file("disk/a", &text);
    let ended = stage.run_on(&["convert", "-f", "latin1", "--in-place", "disk/a"], "");
    let names = fs::read_dir(&disk).unwrap().count();
    let after = stage.get("disk/a");
    assert!(Command::new("umount").arg(&disk).status().unwrap().success());
    assert_eq!(ended.code, Some(2), "{ended:?}");
    assert!(after == text);
    assert_eq!(names, 1);
}

/// Whenever a run is killed, each file is the original or its conversion.
#[test]
fn a_killed_run_leaves_every_file_whole() {
    let stage = Stage::new();
    let text = b"caf\xE9 ".repeat(20_000);
    let converted = "café ".repeat(20_000).into_bytes();
    let mut replaced = 0;
    for round in 0..12_u64 {
        for number in 0..40 {
            stage.file(format!("tree/{number}"), &text);
        }
        let mut child =
            stage.command(&["convert", "-f", "latin1", "--in-place", "-s", "tree"]).spawn().unwrap();
        thread::sleep(Duration::from_millis(1 + round * 3));
        let _ = child.kill();
        child.wait().unwrap();
        for number in 0..40 {
            let now = stage.get(format!("tree/{number}"));
            replaced += u32::from(now == converted);
            assert!(now == text || now == converted, "round {round}, file {number}");
        }
    }
    eprintln!("{replaced} of 480 files were replaced before the end");
}

#[test]
fn an_interrupt_leaves_nothing_behind() {
    let stage = Stage::new();
    stage.file("a", "before");
    for (signal, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        if is_ignored(number) {
            continue;
        }
        let mut child = stage.start(&["convert", "-o", "a"]);
        // Waiting would close standard input, and the conversion would end normally.
        let _input = child.stdin.take();
        let begun = Instant::now();
        // Waits until the new file is there; its input never comes.
        while stage.names().len() < 2 {
            assert!(begun.elapsed() < Duration::from_secs(20), "nothing begun");
            thread::sleep(Duration::from_millis(2));
        }
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        assert!(!child.wait().unwrap().success());
        assert_eq!(stage.names(), ["a"], "{signal}");
        assert_eq!(stage.get("a"), b"before");
    }
}

/// An access control list that lets user 1234 read and write, in the format of Linux.
#[cfg(target_os = "linux")]
fn access_list() -> Vec<u8> {
    // Version 2; then owner, user 1234, group, mask and others: tag, permissions, id.
    let entries = [(1, 7, -1), (2, 6, 1234), (4, 4, -1), (16, 6, -1), (32, 0, -1)];
    let entry = |(tag, permissions, id): (u16, u16, i32)| {
        [&tag.to_le_bytes()[..], &permissions.to_le_bytes(), &id.to_le_bytes()].concat()
    };
    [2_u32.to_le_bytes().to_vec()].into_iter().chain(entries.map(entry)).flatten().collect()
}

#[cfg(target_os = "linux")]
#[test]
fn access_lists_stay_and_none_is_added() {
    const OWN: &str = "system.posix_acl_access";
    let stage = Stage::new();
    let (with, without) = (stage.file("tree/with", b"caf\xE9"), stage.file("tree/without", b"caf\xE9"));
    let given = xattr::set(&with, OWN, &access_list());
    // The list that new files in the folder get.
    let bequest = || xattr::set(stage.path("tree"), "system.posix_acl_default", &access_list());
    if let Err(error) = given.and_then(|()| bequest()) {
        return eprintln!("skipped: no access lists here: {error}");
    }
    assert_eq!(stage.run(&["convert", "-f", "latin1", "--in-place", "-s", "tree"]).quiet(), (0, ""));
    assert_eq!((stage.get("tree/with"), stage.get("tree/without")), ("café".into(), "café".into()));
    assert_eq!(xattr::get(&with, OWN).unwrap(), Some(access_list()));
    assert_eq!(xattr::get(&without, OWN).unwrap(), None);
}

#[test]
fn extended_attributes_stay() {
    let stage = Stage::new();
    let path = stage.file("a", b"caf\xE9");
    if let Err(error) = xattr::set(&path, "user.origin", b"a floppy disk") {
        eprintln!("skipped: no extended attributes here: {error}");
        return;
    }
    assert_eq!(stage.run_on(&["convert", "-f", "latin1", "--in-place", "a"], "").code, Some(0));
    assert_eq!(stage.get("a"), "café".as_bytes());
    assert_eq!(xattr::get(&path, "user.origin").unwrap().as_deref(), Some(&b"a floppy disk"[..]));
}

#[test]
fn a_full_disk_is_said_of_the_file_that_it_is_about() {
    let stage = Stage::new();
    stage.file("a", b"caf\xE9\n".repeat(100_000));
    // No file may grow beyond a few blocks, as on a disk that is full.
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" convert -f latin1 --in-place a";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_placemat")]).current_dir(stage.path("."));
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("placemat: a: "), "{said}");
    assert_eq!(stage.get("a"), b"caf\xE9\n".repeat(100_000));
    assert_eq!(stage.names(), ["a"]);
}

#[test]
fn what_failed_has_a_name_and_was_not_replaced() {
    let stage = Stage::new();
    stage.file("a", b"caf\xE9");
    stage.file("a.old", "");
    let ended = stage.run(&["convert", "--on-error", "replace", "--in-place=.old", "a"]);
    assert_eq!(ended.code, Some(2));
    assert!(
        ended.err.starts_with("placemat: a: a.old exists") && !ended.err.contains("replaced"),
        "{}",
        ended.err
    );
    stage.file("large", b"caf\xE9 ".repeat(100_000));
    stage.file("text", "é ".repeat(100_000));
    // No file may grow beyond a few blocks, as on a disk that is full.
    for (args, named) in [
        (&["convert", "-f", "latin1", "-o", "out", "large"][..], "out: "),
        (&["survey", "--html", "page.html", "large"], "page.html: "),
    ] {
        let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
        let mut command = Command::new("sh");
        command.args(["-c", script, env!("CARGO_BIN_EXE_placemat")]).args(args).current_dir(stage.path("."));
        let said = String::from_utf8(command.output().unwrap().stderr).unwrap();
        assert!(said.starts_with(&format!("placemat: {named}")), "{said}");
    }
    let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    for args in [&["convert", "text"][..], &["repair", "text"], &["repair", "--mend=cp1252", "a"]] {
        let output = stage.command(args).stdout(full.try_clone().unwrap()).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("standard output: No space left"), "{said}");
    }
}

#[test]
fn a_file_of_a_tree_that_may_not_be_read_has_a_name() {
    let stage = Stage::new();
    let path = stage.file("tree/a", "a");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    let Some(ended) = stage.run_unprivileged(&["convert", "--in-place", "tree"]) else { return };
    assert!(ended.err.starts_with("placemat: tree/a: Permission denied"), "{}", ended.err);
}
