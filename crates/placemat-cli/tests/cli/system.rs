//! Limits and failures of the system: no room for messages, no threads, signals.

use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::interrupt::is_ignored;
use crate::stage::Stage;

/// Malformed in two places.
const BAD: &[u8] = b"caf\xE9 na\xC3\xAFve\nok \xC3\xA9\xC3\xA9\xFF\n";

#[test]
fn messages_that_cannot_be_written_change_no_exit_code() {
    let stage = Stage::new();
    stage.file("bad", BAD);
    stage.file("good", "good");
    for (args, code) in [
        (&["check", "bad"][..], 1),
        (&["check", "nosuch"], 2),
        (&["check", "--nosuch"], 2),
        (&["check", "--help"], 0),
        (&["repair", "bad"], 0),
        (&["repair", "nosuch"], 2),
        (&["convert", "bad"], 1),
        (&["convert", "-t", "nosuch", "bad"], 2),
        (&["convert", "--on-error=replace", "--in-place", "good"], 0),
        (&["count", "bad", "nosuch"], 2),
        (&["detect", "bad", "nosuch"], 2),
        (&["survey", "bad", "nosuch"], 2),
        (&["edit", "-f", "latin1", "bad", "--", "false"], 2),
        (&["repair", "--undo", "nosuch"], 2),
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let ended = stage.command(args).stdout(Stdio::null()).stderr(full).status().unwrap();
        assert_eq!(ended.code(), Some(code), "{args:?}: {ended}");
    }
}

/// The command in a shell that first runs `setting`.
fn after(stage: &Stage, setting: &str, args: &[&str]) -> Command {
    let placemat = stage.command(args);
    let mut shell = Command::new("bash");
    shell
        .arg("-c")
        .arg(format!("{setting}; exec \"$0\" \"$@\""))
        .arg(placemat.get_program())
        .args(placemat.get_args());
    shell.envs(placemat.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.current_dir(stage.path("")).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    shell
}

/// A tree, and one file that several threads would share.
fn tree() -> Stage {
    let stage = Stage::new();
    for index in 0..50 {
        stage.file(format!("tree/{index:02}"), BAD);
    }
    stage.file("large", [b"caf\xC3\xA9 ".repeat(1 << 20), b"\xFF".to_vec()].concat());
    stage
}

const MANY_THREADS: [&[&str]; 7] = [
    &["check", "-j", "200", "--count", "tree", "large"],
    &["check", "-j", "200", "--count", "large"],
    &["detect", "-j", "200", "tree"],
    &["count", "-j", "200", "tree"],
    &["survey", "-j", "200", "tree"],
    &["convert", "-j", "200", "-f", "latin1", "-t", "utf-16le", "large"],
    &["repair", "-j", "200", "--dry-run", "tree"],
];

#[test]
fn a_run_goes_on_with_the_threads_that_there_are() {
    use std::os::unix::fs::PermissionsExt as _;
    let stage = tree();
    fs::set_permissions(stage.path(""), fs::Permissions::from_mode(0o755)).unwrap();
    // A limit on processes does not apply to root.
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    for args in MANY_THREADS {
        let whole = stage.command(args).output().unwrap();
        for setting in ["ulimit -v 262144", "ulimit -u 0", "ulimit -u 1", "ulimit -u 2", "ulimit -u 3"] {
            let mut limited = after(&stage, setting, args);
            if is_root && setting.contains("-u") {
                limited.uid(65534).gid(65534);
            }
            let Ok(ran) = limited.output() else {
                eprintln!("skipped: the command cannot be run as another user");
                return;
            };
            assert_eq!(ran.status.code(), whole.status.code(), "{setting}: {args:?}: {ran:?}");
            assert!(ran.stdout == whole.stdout, "{setting}: {args:?}");
        }
    }
}

/// Waits until the condition holds, and fails after some time.
#[track_caller]
fn wait_until(mut it_is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !it_is_so() {
        assert!(begun.elapsed() < Duration::from_secs(20), "it never came");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Starts a conversion whose output never ends.
fn writing(stage: &Stage, setting: &str) -> Child {
    let mut run = after(stage, setting, &["convert", "-f", "latin1", "-o", "out", "-"]);
    let child = run.stdin(Stdio::piped()).spawn().unwrap();
    wait_until(|| stage.names().iter().any(|name| name.starts_with(".out.placemat-")));
    child
}

fn send(signal: &str, to: &str) {
    let sent = Command::new("kill").args(["-s", signal, "--", to]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn a_signal_ends_what_writes_by_that_signal_and_leaves_nothing_behind() {
    for (name, number) in [("INT", 2), ("QUIT", 3), ("TERM", 15), ("HUP", 1), ("XCPU", 24)] {
        if is_ignored(number) {
            continue;
        }
        let stage = Stage::new();
        let mut child = writing(&stage, "ulimit -c 0");
        // Waiting would close standard input, and the run would end.
        let _input = child.stdin.take();
        send(name, &child.id().to_string());
        let status = child.wait().unwrap();
        assert_eq!((status.signal(), stage.names().len()), (Some(number), 0), "{name}: {status}");
    }
}

#[test]
fn an_ignored_signal_stays_ignored() {
    let stage = Stage::new();
    for name in ["INT", "QUIT", "TERM", "HUP"] {
        let mut child = writing(&stage, &format!("trap '' {name}"));
        send(name, &child.id().to_string());
        thread::sleep(Duration::from_millis(50));
        drop(child.stdin.take());
        assert!(child.wait().unwrap().success(), "{name}");
        assert_eq!(stage.names(), ["out"]);
        let edit = [
            "edit",
            "-f",
            "latin1",
            "out",
            "--",
            "sh",
            "-c",
            "kill -s \"$1\" $PPID; echo >> \"$2\"",
            "sh",
            name,
            "{}",
        ];
        let status = after(&stage, &format!("trap '' {name}"), &edit).status().unwrap();
        assert_eq!((status.code(), &*stage.get("out")), (Some(0), &b"\n"[..]), "{name}: {status}");
        fs::remove_file(stage.path("out")).unwrap();
    }
}

#[test]
fn the_limit_on_the_length_of_files_is_trouble_and_leaves_nothing_behind() {
    let stage = Stage::new();
    let long = b"caf\xE9 ".repeat(10_000);
    stage.file("a", &long);
    let args = ["convert", "-f", "latin1", "--in-place", "a"];
    let ran = after(&stage, "ulimit -f 10", &args).output().unwrap();
    let said = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(2), "{said}");
    assert!(said.contains("File too large"), "{said}");
    assert_eq!((stage.names(), stage.get("a")), (vec!["a".to_owned()], long));
}

/// Runs `edit` on two files in a process group of its own, as a terminal does, and interrupts the group at the first file.
fn interrupt_edit(trap: &str, command: &str) -> (ExitStatus, usize) {
    let stage = Stage::new();
    stage.file("tree/a", BAD);
    stage.file("tree/b", BAD);
    let script = format!("{trap} echo >> \"$1/../log\"; {command}");
    let here = stage.path("tree");
    let mut edit = stage.command(&["edit", "-f", "latin1", "tree", "--", "bash", "-c", &script, "bash"]);
    fs::create_dir(stage.path("tmp")).unwrap();
    let mut child = edit.arg(&here).env("TMPDIR", stage.path("tmp")).process_group(0).spawn().unwrap();
    wait_until(|| fs::read(stage.path("log")).is_ok_and(|log| !log.is_empty()));
    let copies = || fs::read_dir(stage.path("tmp")).unwrap().count();
    assert_eq!(copies(), 1);
    send("INT", &format!("-{}", child.id()));
    let status = child.wait().unwrap();
    assert_eq!(copies(), 0);
    (status, stage.get("log").len())
}

#[test]
fn an_interrupt_that_the_command_dies_of_ends_the_edit() {
    if is_ignored(2) {
        return;
    }
    for trap in ["", "trap 'exit 3' INT;"] {
        let (status, begun) = interrupt_edit(trap, "sleep 20");
        assert_eq!((status.signal(), begun), (Some(2), 1), "{trap}: {status}");
    }
    let (status, begun) = interrupt_edit("trap : INT;", "sleep 1; true");
    assert_eq!((status.code(), begun), (Some(0), 2), "{status}");
}

#[test]
fn standard_input_that_cannot_be_read_is_not_empty() {
    let stage = Stage::new();
    for args in [
        &["check", "-"][..],
        &["check", "-z", "-"],
        &["count"],
        &["detect"],
        &["survey", "-"],
        &["explain", "-"],
        &["convert"],
        &["repair"],
        &["check", "--files-from", "-"],
    ] {
        let writable = File::options().write(true).open("/dev/null").unwrap();
        let ran = stage.command(args).stdin(writable).output().unwrap();
        let said = String::from_utf8(ran.stderr).unwrap();
        assert_eq!(ran.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains("Bad file descriptor"), "{args:?}: {said}");
    }
}

/// The number that `/proc` has for a child under this name, if the system counts that.
fn counted(child: &Child, file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{}/{file}", child.id())).ok()?;
    text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
}

#[test]
fn large_files_of_a_tree_share_the_threads() {
    let stage = Stage::new();
    for name in ["a", "b", "c", "d"] {
        File::create(stage.path(name)).unwrap().set_len(64 << 20).unwrap();
    }
    let args = ["convert", "-j", "4", "-f", "ucs-4le", "--in-place", "a", "b", "c", "d"];
    let mut child = stage.command(&args).spawn().unwrap();
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        most = most.max(counted(&child, "status", "Threads:").unwrap_or(0));
    }
    // The main thread, one that lists files, four that convert, and those that helped with one large file after the
    // other for a moment. If each file had four threads, they would be 18.
    assert!((5..=14).contains(&most), "{most} threads");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Lines of which `repair` changes every one.
fn changing(lines: usize) -> Vec<u8> {
    b"caf\xC3\xA9 caf\xC3\xA9 caf\xC3\xA9 caf\xC3\xA9 caf\xC3\xA9 caf\xC3\xA9 caf\xC3\xA9 caf\xE9\n"
        .repeat(lines)
}

#[test]
fn a_long_diff_is_written_in_large_pieces() {
    let stage = Stage::new();
    stage.file("a", changing(20_000));
    let mut child = stage.command(&["repair", "--diff", "--color", "always", "a"]).spawn().unwrap();
    let mut diff = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut diff).unwrap();
    assert_eq!(memchr::memchr_iter(b'\n', &diff).count(), 3 + 3 * 20_000);
    match counted(&child, "io", "syscw:") {
        Some(writes) => assert!(writes < 2000, "{writes} writes"),
        None => eprintln!("skipped: the system does not count writes"),
    }
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn finished_diffs_do_not_pile_up() {
    let stage = Stage::new();
    stage.file("00", changing(100_000));
    for index in 1..30 {
        stage.file(format!("{index:02}"), changing(8_000));
    }
    // Each diff is longer than what is kept in memory.
    let ran = after(&stage, "ulimit -n 20", &["repair", "-j3", "--diff", "."]).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!((ran.status.code(), &*said), (Some(1), "placemat: files: 30 to repair\n"));
}
