//! An interrupt ends a long check at once, and nothing is left behind.

use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::stage::Stage;

/// Waits until the child reads the files of the tree.
fn wait_for_work(child: &Child) {
    let begun = Instant::now();
    let files = format!("/proc/{}/fd", child.id());
    let is_at_work = || {
        fs::read_dir(&files).is_ok_and(|all| {
            let targets = all.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
            targets.into_iter().any(|target| target.extension().is_some_and(|extension| extension == "big"))
        })
    };
    while !is_at_work() {
        assert!(begun.elapsed() < Duration::from_secs(20), "not begun");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Whether child processes start with this signal ignored, as shells arrange for background jobs.
pub(crate) fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[test]
fn a_signal_ends_a_check_and_leaves_nothing_behind() {
    let stage = Stage::new();
    for n in 0..40 {
        // A sparse file takes long to read and is made quickly.
        let file = fs::File::create(stage.file(format!("tree/{n}.big"), "")).unwrap();
        file.set_len(2 << 30).unwrap();
    }
    let names = || {
        let mut names: Vec<_> =
            fs::read_dir(stage.path("tree")).unwrap().map(|e| e.unwrap().file_name()).collect();
        names.extend(fs::read_dir(stage.path(".")).unwrap().map(|e| e.unwrap().file_name()));
        names.sort();
        names
    };
    let before = names();
    for (name, number) in [("-INT", 2), ("-TERM", 15)].into_iter().filter(|&(_, number)| !is_ignored(number))
    {
        // Standard input stays open, so that the check cannot end by itself.
        let args = ["check", "--binary", "--format=json", "tree", "-"];
        let mut child = stage.command(&args).stdin(Stdio::piped()).spawn().unwrap();
        let _input = child.stdin.take();
        wait_for_work(&child);
        let sent = Instant::now();
        assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
        let status = child.wait().unwrap();
        assert_eq!(status.signal(), Some(number), "{status}");
        assert!(sent.elapsed() < Duration::from_secs(5), "{:?}", sent.elapsed());
        assert_eq!(names(), before);
    }
}
