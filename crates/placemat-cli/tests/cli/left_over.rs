//! What a killed run leaves behind, and what is said where a user would not know why the command waits.
#![cfg(unix)]

use std::process::Command;

use crate::stage::Stage;

/// The number of a process that has ended.
fn ended_process() -> u32 {
    let mut child = Command::new("true").spawn().unwrap();
    child.wait().unwrap();
    child.id()
}

#[test]
fn the_next_run_names_what_a_killed_one_left() {
    let stage = Stage::new();
    let (ended, running) = (ended_process(), std::process::id());
    let left = format!(".it's.placemat-{ended}-0");
    stage.file(&left, "half of it");
    stage.file(format!(".b.placemat-{running}-0"), "is being written");
    let mixed = ["naïve café ".repeat(9).as_bytes(), b"caf\xE9\n"].concat();
    stage.file("a.txt", &mixed);
    stage.file("b.txt", &mixed);
    let ran = stage.run(&["repair", "--in-place", "a.txt", "b.txt"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let said: Vec<_> = ran.err.lines().filter(|line| line.contains("left over")).collect();
    let [said] = said[..] else { panic!("once, and only of what nobody writes: {ran:?}") };
    let (path, command) = said.split_once(" is left over from a run that was killed: ").unwrap();
    assert!(path.ends_with(&left), "{said}");
    // Advice is followed.
    let status = Command::new("sh").args(["-c", command]).current_dir(stage.path(".")).status().unwrap();
    assert!(status.success(), "{command}");
    assert!(!stage.path(&left).exists());
    stage.file("c.txt", &mixed);
    assert!(!stage.run(&["repair", "--in-place", "c.txt"]).err.contains("left over"));
}

/// `script` gives the command a terminal of its own, and ends its input.
#[test]
fn a_terminal_is_told_that_it_is_read() {
    let stage = Stage::new();
    let line = format!("{} repair", env!("CARGO_BIN_EXE_placemat"));
    let Ok(typed) =
        Command::new("script").args(["-qec", &line, "/dev/null"]).stdin(std::process::Stdio::null()).output()
    else {
        println!("skipped: there is no `script`");
        return;
    };
    let out = String::from_utf8_lossy(&typed.stdout);
    assert!(out.contains("placemat: reading standard input from the terminal; Ctrl-D ends it"), "{out}");
    assert_eq!(stage.run_with(&["repair"], b"plain\n").err, "");
}
