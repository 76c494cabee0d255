//! What the system may do to a run: no room for messages, no threads, signals, limits.

use std::fs::File;
use std::process::Stdio;

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
