//! Arguments and inputs that are refused with the words that help.

use std::fs::File;

use crate::stage::Stage;

#[test]
fn a_folder_as_standard_input_is_named_as_such() {
    let stage = Stage::new();
    stage.file("dir/a", "a");
    for (args, said) in [
        (&["convert"][..], "is a directory; name it, and --in-place converts the files in it"),
        (&["repair"], "is a directory"),
        (&["count"], "is a directory"),
        (&["detect"], "is a directory"),
    ] {
        let folder = File::open(stage.path("dir")).unwrap();
        let ended = stage.command(args).stdin(folder).output().unwrap();
        let told = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(
            (ended.status.code(), &*told),
            (Some(2), &*format!("placemat: <stdin>: {said}\n")),
            "{args:?}"
        );
    }
    assert_eq!(stage.run(&["convert", "--in-place", "dir"]).code, Some(0));
}

#[test]
fn a_negative_number_is_refused_as_a_number() {
    let stage = Stage::new();
    stage.file("a", "a");
    for (args, expected) in [
        (["check", "--max-errors", "-1", "a"], "a whole number from 0 on is expected"),
        (["check", "--max-errors", "x", "a"], "a whole number from 0 on is expected"),
        (["convert", "--max-bytes", "-1", "a"], "a whole number from 0 on is expected"),
        (["explain", "--offset", "-1", "--file=a"], "a whole number from 0 on is expected"),
        (["explain", "--limit", "-1", "--file=a"], "a whole number from 0 on is expected"),
        (["convert", "--sure", "-1", "a"], "a whole number from 0 to 100 is expected"),
        (["detect", "--sure", "-1", "a"], "a whole number from 0 to 100 is expected"),
        (["detect", "--sure", "x", "a"], "a whole number from 0 to 100 is expected"),
        (["check", "--jobs", "-1", "a"], "a whole number from 1 to 1024 is expected"),
    ] {
        let ended = stage.run(&args);
        let start = format!("error: invalid value '{}' for '{}", args[2], args[1]);
        assert_eq!(ended.code, Some(2), "{args:?}");
        assert!(ended.err.starts_with(&start) && ended.err.contains(expected), "{args:?}: {}", ended.err);
        assert!(!ended.err.contains("tip:"), "{args:?}: {}", ended.err);
    }
}

#[test]
fn an_unknown_name_is_refused_with_all_that_is_accepted() {
    let stage = Stage::new();
    stage.file("a", "a");
    for (args, said) in [
        (&["check", "--invisible=esc", "a"][..], "private-use, noncharacter, unassigned, all is expected"),
        (&["repair", "--mend", "koi9", "a"], "other values are auto, overlong and nul"),
        (&["convert", "-f", "johab", "a"], "johab can be detected, but placemat cannot read it"),
        (&["convert", "-t", "EUC-TW", "a"], "EUC-TW can be detected, but placemat cannot read it"),
        (
            &["edit", "-f", "binary", "a", "--", "true"],
            "\"binary\" is no encoding: `placemat detect` says it",
        ),
        (&["check", "-f", "several encodings", "a"], "\"several encodings\" is no encoding"),
    ] {
        let ended = stage.run(args);
        assert_eq!(ended.code, Some(2), "{args:?}");
        assert!(ended.err.contains(said), "{args:?}: {}", ended.err);
    }
}

#[test]
fn a_patch_and_names_are_refused_with_what_each_checks() {
    let stage = Stage::new();
    for args in [&["check", "--patch", "--names", "."][..], &["check", "--names", "--patch=d"]] {
        let ended = stage.run(args);
        assert_eq!(ended.code, Some(2), "{args:?}");
        let said =
            "tip: --patch checks the lines that a diff adds, --names the names in a tree: give one of them";
        assert!(ended.err.contains(said), "{}", ended.err);
    }
}

#[test]
fn what_would_have_no_effect_is_refused() {
    let stage = Stage::new();
    stage.file("a", "a");
    stage.file("rules", "");
    let undo = ["convert", "--undo", "log"];
    for (command, more) in [
        (&undo[..], &["-t", "utf-16"][..]),
        (&undo, &["--labels", "whatwg"]),
        (&undo, &["--config", "rules"]),
        (&undo, &["--no-config"]),
        (&["survey", "a"], &["--title", "A"]),
    ] {
        let ended = stage.run(&[command, more].concat());
        assert_eq!(ended.code, Some(2), "{more:?}");
        assert!(ended.err.starts_with("error: the "), "{more:?}: {}", ended.err);
    }
}

/// Only `convert -f` guesses. Elsewhere the message says what does.
#[test]
fn auto_is_no_encoding_but_there_is_detect() {
    let stage = Stage::new();
    stage.file("a", b"Gr\xFC\xDFe aus K\xF6ln, sch\xF6n, daf\xFCr\n".repeat(9));
    for args in [["check", "-f", "auto", "a"], ["count", "-f", "AUTO", "a"], ["convert", "-t", "auto", "a"]] {
        let ended = stage.run(&args);
        let said = "placemat: no encoding is named auto: placemat detect says what a file seems to be, so name that\n";
        assert_eq!((ended.code, &*ended.err), (Some(2), said), "{args:?}");
    }
    let found = stage.run(&["detect", "--brief", "a"]).out;
    let name = found.trim_end().rsplit(' ').next().unwrap();
    assert_eq!(stage.run(&["check", "-f", name, "a"]).code, Some(0), "{found}");
}
