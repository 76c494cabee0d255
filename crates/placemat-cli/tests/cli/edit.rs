//! `edit`: what the command touches changes, what it does not touch comes back bit for bit, and nothing is lost.

#![cfg(unix)]

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use crate::interrupt::is_ignored;
use crate::stage::{Ran, Stage};

/// Edits a file `f` with this content. Returns how that ended, and the content afterwards.
fn edit(content: impl AsRef<[u8]>, form: &str, command: &[&str]) -> (Ran<Vec<u8>>, Vec<u8>) {
    let stage = Stage::new();
    stage.file("f", content);
    let ended = stage.run_on(&[&["edit", "-f", form, "f", "--"], command].concat(), "");
    assert_eq!(stage.names(), ["f"]);
    let now = stage.get("f");
    (ended, now)
}

#[track_caller]
fn edited(content: impl AsRef<[u8]>, form: &str, command: &[&str]) -> Vec<u8> {
    let (ended, now) = edit(content, form, command);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    now
}

#[track_caller]
fn refused(content: &[u8], form: &str, command: &[&str]) -> String {
    let (ended, now) = edit(content, form, command);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert_eq!(now, content);
    ended.err
}

#[test]
fn tools_for_utf8_edit_any_encoding() {
    assert_eq!(edited(b"na\xEFve\n", "latin1", &["sed", "-i", "s/ï/ii/"]), b"naiive\n");
    assert_eq!(
        edited(b"\x8B\x8C\n", "shift_jis", &["perl", "-CSD", "-Mutf8", "-pi", "-e", "s/旧/新/", "{}"]),
        b"\x90V\n"
    );
    assert_eq!(edited(b"\xFF\xFEa\0\n\0", "utf-16", &["sed", "-i", "s/a/é/"]), b"\xFF\xFE\xE9\0\n\0");
    assert_eq!(edited(b"\xEF\xBB\xBFa\n", "utf-8", &["sed", "-i", "1s/^/x/"]), b"\xEF\xBB\xBFxa\n");
    assert_eq!(edited(b"\x84\n", "cp437", &["sed", "-i", "s/ä/ö/"]), b"\x94\n");
    assert_eq!(edited(b"&-\n+AOk-\n", "utf-7", &["sed", "-i", "s/&-/à/"]), b"+AOA\n+AOk-\n");
    let iso = b"\x1B$BF|\x1B(B\nplain\n";
    assert_eq!(
        edited(iso, "iso-2022-jp", &["sed", "-i", "s/plain/本/"]),
        b"\x1B$BF|\x1B(B\n\x1B$BK\\\x1B(B\n"
    );
}

#[test]
fn what_is_always_refused_is_not_offered() {
    let help = crate::stage::placemat(&["edit", "--help"], "").out;
    let help = String::from_utf8(help).unwrap();
    assert!(!help.contains("--unpack") && !help.contains("`-` is standard input\n\n  <COMMAND>"), "{help}");
}

#[test]
fn a_mark_that_the_command_writes_is_not_the_second() {
    let script = r#"printf '\357\273\277b\n' > "$0""#;
    let marked = |form: &str, text: &str| -> Vec<u8> {
        let text = format!("\u{FEFF}{text}\n");
        match form {
            "utf-8" | "utf-8/bom" => text.into_bytes(),
            "utf-32" => text.chars().flat_map(|c| (c as u32).to_be_bytes()).collect(),
            _ => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        }
    };
    for form in ["utf-8", "utf-8/bom", "utf-16", "utf-16le", "utf-16/web", "utf-32"] {
        let now = edited(marked(form, "a"), form, &["sh", "-c", script, "{}"]);
        assert_eq!(now, marked(form, "b"), "{form}");
        // A second byte order mark in the file is text.
        let now = edited(marked(form, "\u{FEFF}a"), form, &["sed", "-i", "s/a/b/"]);
        assert_eq!(now, marked(form, "\u{FEFF}b"), "{form}");
    }
    // If the file had none, a byte order mark that the command writes is text.
    for form in ["utf-8", "utf-8/bom", "utf-16le"] {
        let unmarked = &marked(form, "a")[if form == "utf-16le" { 2 } else { 3 }..];
        assert_eq!(edited(unmarked, form, &["sh", "-c", script, "{}"]), marked(form, "b"), "{form}");
    }
}

#[test]
fn an_empty_file_gets_the_mark_of_its_form() {
    let script = r#"printf 'h\n' > "$0""#;
    let marked_too = r#"printf '\357\273\277h\n' > "$0""#;
    for (form, becomes) in [
        ("utf-16", &b"\xFE\xFF\0h\0\n"[..]),
        ("utf-32", b"\0\0\xFE\xFF\0\0\0h\0\0\0\n"),
        ("ucs-2", b"\xFE\xFF\0h\0\n"),
        ("utf-8/bom", b"\xEF\xBB\xBFh\n"),
        ("utf-8", b"h\n"),
        ("utf-7", b"h\n"),
        ("utf-16le", b"h\0\n\0"),
        ("utf-16/web", b"h\0\n\0"),
        ("windows-1252", b"h\n"),
    ] {
        assert_eq!(edited("", form, &["sh", "-c", script, "{}"]), becomes, "{form}");
        if becomes.len() > 4 {
            assert_eq!(edited("", form, &["sh", "-c", marked_too, "{}"]), becomes, "{form}");
        }
        assert_eq!(edited("", form, &["true"]), b"", "{form}");
    }
    // Text without a byte order mark stays without one.
    assert_eq!(edited("\0a\0\n", "utf-16", &["sh", "-c", script, "{}"]), b"\0h\0\n");
    assert_eq!(edited("a\n", "utf-8/bom", &["sh", "-c", script, "{}"]), b"h\n");
}

#[test]
fn a_line_of_iso_2022_jp_ends_in_ascii() {
    // The Roman set of ISO-2022-JP has line ends too, and a text need not leave the set before one.
    for (end, next) in [("\n", "\x1B$B$\"\x1B(B\n"), ("\r\n", "plain\r\n"), ("\n", "")] {
        let old = format!("\x1B(J~\\\x1B(B foo{end}{next}");
        let new = format!("\x1B(J~\\ bar\x1B(B{end}{next}");
        assert_eq!(edited(old, "iso-2022-jp", &["sed", "-i", "s/foo/bar/"]), new.as_bytes(), "{next:?}");
    }
}

#[test]
fn the_encoding_is_guessed_where_none_is_named() {
    let stage = Stage::new();
    stage.file("koi", b"\xF0\xD2\xC9\xD7\xC5\xD4, \xCB\xC1\xCB \xC4\xC5\xCC\xC1? \xED\xCF\xD3\xCB\xD7\xC1 \xC7\xCF\xD7\xCF\xD2\xC9\xD4.\n");
    stage.file("ascii", "plain\n");
    stage.file("mixed", b"caf\xC3\xA9 \xFF\n");
    let ended = stage.run_on(&["edit", "koi", "ascii", "mixed", "--", "sed", "-i", "s/[.n]/é/"], "");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert!(ended.err.contains("koi: stays as it was") && ended.err.contains("U+00E9"), "{}", ended.err);
    assert_eq!(stage.get("ascii"), "plaié\n".as_bytes());
    assert_eq!(stage.get("mixed"), b"caf\xC3\xA9 \xFF\n");
}

#[test]
fn what_is_not_touched_comes_back_bit_for_bit() {
    // Malformed bytes, on the edited line and on others, and two ways to write one character.
    let content = b"\xFFone \xE2\x82 caf\xC3\xA9\n\x80\x81 two\n\xF0\x9F";
    let expected = b"\xFFONE \xE2\x82 caf\xC3\xA9\n\x80\x81 two\n\xF0\x9F";
    assert_eq!(edited(content, "utf-8", &["sed", "-i", "s/one/ONE/"]), expected);
    let twice = b"\x87\x90 \x81\xE0 x\n\x87\x90\n\xFF\n";
    assert_eq!(
        edited(twice, "shift_jis", &["sed", "-i", "1s/x/yz/"]),
        b"\x87\x90 \x81\xE0 yz\n\x87\x90\n\xFF\n"
    );
    // Lone surrogates and an odd byte in UTF-16.
    let wide = b"a\0\n\0\x00\xD8b\0\n\0\x41";
    assert_eq!(edited(wide, "utf-16le", &["sed", "-i", "1s/a/c/"]), b"c\0\n\0\x00\xD8b\0\n\0\x41");
    // The text already has private-use characters that could stand for bytes.
    let taken = "\u{EFFF}\u{EFFE} a\n".as_bytes();
    let with_bad = [taken, b"\xFF\xFE\n"].concat();
    let expected = [&taken[..taken.len() - 2], b"b\n\xFF\xFE\n"].concat();
    assert_eq!(edited(&with_bad, "utf-8", &["sed", "-i", "s/a/b/"]), expected);
    // Whole lines move with what they hold.
    assert_eq!(edited(b"b\xFF\na\xFE\n", "utf-8", &["sort", "-o", "{}", "{}"]), b"a\xFE\nb\xFF\n");
    assert_eq!(edited(b"a\xFFb\n", "utf-8", &["sed", "-i", "s/a.b/ab/"]), b"ab\n");
}

#[test]
fn any_edit_gives_what_the_command_wrote() {
    // Lines of a file with malformed bytes, one of which is edited in turn: all others stay.
    let line = b"\x93\xFA\x96{ \xFA\x54\xFF\x81 caf\x83\x41\n";
    let content = line.repeat(6);
    for number in 1..=6 {
        let now = edited(&content, "shift_jis", &["sed", "-i", &format!("{number}s/c/cc/")]);
        let mut expected = content.clone();
        expected.insert(line.len() * (number - 1) + 10, b'c');
        assert_eq!(now, expected, "{number}");
    }
}

#[test]
fn nothing_is_written_that_would_be_lost() {
    let reason = refused(b"a\nb\xE9\n", "windows-1252", &["sed", "-i", "s/b/b→😀/"]);
    assert!(reason.contains("2:2: U+2192 (→)\n  2:3: U+1F600"), "{reason}");
    // The encoder of the web's Shift_JIS writes a yen sign as a backslash.
    let reason = refused(b"a\n", "shift_jis", &["sed", "-i", "s/a/¥/"]);
    assert!(reason.contains("U+00A5 (¥) would be read back as U+005C"), "{reason}");
    // Two bytes that were apart would become a character.
    let reason = refused(b"\xE2\x82a\xAC\n", "utf-8", &["sed", "-i", "s/a//"]);
    assert!(reason.contains("stays as it was"), "{reason}");
    let reason = refused(b"a\n", "latin1", &["perl", "-e", "open F,'>',$ARGV[0]; print F \"x\\xFF\""]);
    assert!(reason.contains("malformed UTF-8 (1:2"), "{reason}");
}

#[test]
fn a_command_that_fails_changes_nothing() {
    for command in [
        &["sh", "-c", "echo ruined > $0; exit 3", "{}"][..],
        &["sh", "-c", "echo x > $0; kill -9 $$", "{}"],
        &["no-such-command"],
    ] {
        let (ended, now) = edit(b"\xE9", "latin1", command);
        assert_eq!((ended.code, &now[..]), (Some(2), &b"\xE9"[..]), "{ended:?}");
    }
    let stage = Stage::new();
    stage.file("dir/f", "");
    assert_eq!(stage.run_on(&["edit", "dir", "missing", "--", "true"], "").code, Some(2));
    assert_eq!(stage.run_on(&["edit", "dir/f"], "").code, Some(2));
}

#[test]
fn only_a_file_is_taken_for_what_the_command_wrote() {
    for command in [
        "rm $0",
        "rm $0; mkdir $0",
        "rm $0; mkfifo $0",
        "rm $0; ln -s /etc/passwd $0",
        "mv $0 $0.moved; ln -s $0.moved $0",
    ] {
        let (ended, now) = edit("a", "utf-8", &["sh", "-c", command, "{}"]);
        assert_eq!((ended.code, &now[..]), (Some(2), &b"a"[..]), "{command}");
        assert!(ended.err.contains("the edited copy cannot be read"), "{}", ended.err);
    }
}

#[test]
fn a_message_names_its_file_once() {
    let stage = Stage::new();
    stage.file("a", "");
    fs::hard_link(stage.path("a"), stage.path("b")).unwrap();
    std::os::unix::fs::symlink("a", stage.path("l")).unwrap();
    let said = |args: &[&str]| stage.run(&[&["edit"], args, &["--", "true"]].concat()).err;
    assert_eq!(said(&["--no-follow", "l"]), "placemat: l: is a symbolic link\n");
    let two = "placemat: a: has 2 names (hard links); --break-links replaces only this one\n";
    assert_eq!(said(&["a"]), two);
    assert!(said(&["gone"]).starts_with("placemat: gone: No such file"));
}

#[test]
fn trees_and_lists_are_edited_file_by_file() {
    let stage = Stage::new();
    stage.file("tree/b.txt", b"caf\xE9 un\n");
    stage.file("tree/sub/a.txt", b"un th\xE9\n");
    stage.file("tree/c.md", b"un\n");
    stage.file("tree/.hidden/c.md", b"un\n");
    stage.file("tree/binary.txt", b"un\0\n");
    let command = ["edit", "-f", "latin1", "-g", "*.txt", "tree", "--", "sed", "-i", "s/un/ün/"];
    let ended = stage.run_on(&command, "");
    assert_eq!((ended.code, ended.err.as_str()), (Some(0), ""));
    assert_eq!(stage.get("tree/b.txt"), b"caf\xE9 \xFCn\n");
    assert_eq!(stage.get("tree/sub/a.txt"), b"\xFCn th\xE9\n");
    for untouched in ["tree/c.md", "tree/.hidden/c.md"] {
        assert_eq!(stage.get(untouched), b"un\n");
    }
    assert_eq!(stage.get("tree/binary.txt"), b"un\0\n");
    let listed = ["edit", "-f", "latin1", "--files-from", "-", "-0", "--", "sed", "-i", "s/ün/un/"];
    assert_eq!(stage.run_on(&listed, b"tree/b.txt\0tree/sub/a.txt\0").code, Some(0));
    assert_eq!(stage.get("tree/b.txt"), b"caf\xE9 un\n");
    for args in
        [&["edit", "--", "true"][..], &["edit", "-", "--", "true"], &["edit", "-z", "tree", "--", "true"]]
    {
        assert_eq!(stage.run_on(args, "").code, Some(2), "{args:?}");
    }
}

#[test]
fn what_would_take_all_memory_is_refused() {
    let stage = Stage::new();
    fs::File::create(stage.file("big", "")).unwrap().set_len(1 << 40).unwrap();
    let ended = stage.run_on(&["edit", "-f", "utf-8", "big", "--", "true"], "");
    assert_eq!(ended.code, Some(1));
    assert!(ended.err.contains("more than 256 MiB"), "{}", ended.err);
}

#[test]
fn a_file_that_changes_meanwhile_is_not_overwritten() {
    let stage = Stage::new();
    stage.file("f", "a\n");
    let ended = stage
        .run_on(&["edit", "-f", "utf-8", "f", "--", "sh", "-c", "echo mine > $0; echo theirs > f", "{}"], "");
    assert_eq!(ended.code, Some(1), "{ended:?}");
    assert_eq!(stage.get("f"), b"theirs\n");
}

#[test]
fn without_a_change_the_file_is_not_touched() {
    let stage = Stage::new();
    let path = stage.file("f", b"a\xFF");
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    assert_eq!(stage.run_on(&["edit", "-f", "utf-8", "f", "--", "touch"], "").code, Some(0));
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
}

#[test]
fn the_view_is_private_and_goes() {
    let stage = Stage::new();
    stage.file("notes.txt", "a\n");
    let script = "stat -c %a $(dirname $0) > mode; echo $0 > where; cat > /dev/null";
    let ended = stage.run_on(&["edit", "-f", "utf-8", "notes.txt", "--", "sh", "-c", script, "{}"], "typed");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert_eq!(stage.get("mode"), b"700\n");
    let place = String::from_utf8(stage.get("where")).unwrap();
    assert!(place.ends_with("/notes.txt\n"), "{place}");
    assert!(!fs::exists(place.trim_end()).unwrap());
}

/// Starts an edit of `f` with this script, and waits until the script has made a file `begun`.
fn begun(stage: &Stage, script: &str) -> Child {
    let child = stage.start(&["edit", "-f", "utf-8", "f", "--", "sh", "-c", script, "{}"]);
    let start = Instant::now();
    while !stage.path("begun").exists() {
        assert!(start.elapsed() < Duration::from_secs(20), "not begun");
        thread::sleep(Duration::from_millis(2));
    }
    child
}

fn kill(signal: &str, id: &str) {
    assert!(Command::new("kill").args([signal, id]).status().unwrap().success());
}

#[test]
fn an_interrupt_is_the_commands_business() {
    if is_ignored(2) {
        return;
    }
    let stage = Stage::new();
    stage.file("f", "a\n");
    // The command survives the signal and finishes its work.
    let mut child =
        begun(&stage, "trap 'echo survived > $0; exit 0' INT; touch begun; while :; do sleep 0.01; done");
    let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", child.id())).unwrap();
    kill("-INT", &child.id().to_string());
    kill("-INT", children.trim());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(stage.get("f"), b"survived\n");
}

#[test]
fn whoever_ends_the_edit_ends_it_without_a_change() {
    for (name, number) in [("-TERM", 15), ("-HUP", 1)] {
        if is_ignored(number) {
            continue;
        }
        let stage = Stage::new();
        stage.file("f", "a\n");
        let script = "echo done > $0; echo $0 > where; touch begun; until [ -e go ]; do sleep 0.01; done";
        let mut child = begun(&stage, script);
        kill(name, &child.id().to_string());
        // The command does not get the signal, and ends well.
        thread::sleep(Duration::from_millis(50));
        stage.file("go", "");
        assert_eq!(child.wait().unwrap().signal(), Some(number));
        assert_eq!(stage.get("f"), b"a\n");
        let place = String::from_utf8(stage.get("where")).unwrap();
        assert!(!fs::exists(place.trim_end()).unwrap());
    }
}
