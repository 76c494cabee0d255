//! Help, completions and manual pages come from one definition.

use std::fs;

use crate::stage::Stage;

/// Every command that `placemat help` lists.
fn commands(stage: &Stage) -> Vec<String> {
    let help = stage.run(&["help"]).out;
    let list =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = list.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names.filter(|name| !name.is_empty() && *name != "help").map(str::to_owned).collect()
}

#[test]
fn every_command_has_help_with_examples_a_page_and_completions() {
    let stage = Stage::new();
    assert_eq!(stage.run(&["man", "--dir", "share/man"]).quiet(), (0, ""));
    let bash = stage.run(&["completions", "bash"]).out;
    let commands = commands(&stage);
    assert!(commands.iter().any(|name| name == "check"), "{commands:?}");
    for name in &commands {
        let help = stage.run(&[name, "--help"]).out;
        let examples = help.split_once("Examples:\n").map_or("", |(_, examples)| examples);
        let shown = examples.lines().filter(|line| line.contains("placemat ")).count();
        assert!(shown >= 3, "{name} has {shown} examples");
        let page = fs::read_to_string(stage.path(format!("share/man/placemat-{name}.1"))).unwrap();
        assert!(page.contains(&format!(".TH placemat-{name} 1")), "{name}");
        assert!(page.contains(concat!(r#""placemat "#, env!("CARGO_PKG_VERSION"), '"')), "{name}: {page}");
        assert!(page.contains(".SH EXAMPLES\n.PP\n.nf\n  placemat "), "{name}");
        assert!(!page.lines().any(|line| line.contains("EXTRA")), "{name}");
        assert!(page.contains("\\-\\-cpu\\fR \\fI<LEVEL>\\fR\nUse only this CPU level"), "{name}: {page}");
        assert!(
            bash.contains(&format!("placemat__subcmd__{name}"))
                || bash.contains(&format!("placemat,{name})")),
            "{name}"
        );
    }
    assert!(stage.path("share/man/placemat.1").exists());
    for name in commands.iter().map(String::as_str).chain(["help"]) {
        let help = |columns| {
            let args: &[&str] = if name == "help" { &["--help"] } else { &[name, "--help"] };
            let output = stage.command(args).env("COLUMNS", columns).output().unwrap();
            String::from_utf8(output.stdout).unwrap()
        };
        // Examples are not cut on a terminal of 80 columns, and no line is longer.
        let examples = |help: &str| -> Vec<String> {
            let examples = help.lines().filter(|line| line.contains("  placemat ")).map(str::to_owned);
            examples.collect()
        };
        let narrow = help("80");
        assert_eq!(examples(&narrow), examples(&help("120")), "{name}");
        assert!(narrow.lines().all(|line| line.chars().count() <= 80), "{name}");
    }
    let lesson = stage.run(&["--help"]).out;
    for name in ["check", "detect", "repair", "convert", "explain"] {
        assert!(lesson.contains(&format!("\n  placemat {name} ")), "{name}");
    }
    assert!(lesson.contains("Exit codes:"), "{lesson}");
}

/// No file may grow beyond a block, as on a disk that is full.
#[cfg(unix)]
#[test]
fn no_page_is_half_written() {
    let stage = Stage::new();
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" man --dir pages";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_placemat")]).current_dir(stage.path("."));
    assert_eq!(command.status().unwrap().code(), Some(2));
    assert_eq!(fs::read_dir(stage.path("pages")).unwrap().count(), 0);
}

#[test]
fn forms_lists_every_form_and_what_labels_mean() {
    let stage = Stage::new();
    let json = stage.run(&["forms", "--format=json"]).out;
    assert!(json.lines().any(|line| line.starts_with(r#"{"type":"form","name":"mutf-8/java""#)));
    assert!(json.lines().any(|line| line.starts_with(r#"{"type":"policy","name":"replace""#)));
    let text = stage.run(&["forms"]).out;
    for name in ["utf-7/lenient", "utf-16/web", "surrogateescape"] {
        assert!(text.contains(name), "{name}");
    }
    let one = stage.run(&["forms", "UTF 8"]).out;
    assert!(one.starts_with("utf-8\n    scalar values in 1 to 4 bytes each\n"), "{one}");
    for name in ["shift_jis", "cp437", "--labels", "whatwg"] {
        assert!(text.contains(name), "{name}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 120));
    let one = stage.run(&["forms", "SJIS"]).out;
    assert!(one.starts_with("shift_jis\n    legacy encoding\n"), "{one}");
    assert!(json.lines().any(|line| line.starts_with(r#"{"type":"legacy","name":"euc-kr""#)));
    assert_eq!(stage.run(&["forms", "klingon"]).code, Some(2));
}

#[test]
#[cfg(target_os = "linux")]
fn results_that_cannot_be_written_are_trouble() {
    let stage = Stage::new();
    stage.file("bad", b"na\xC3\xAFve, d\xC3\xA9j\xC3\xA0 vu, caf\xE9\n");
    for args in [
        &["--help"][..],
        &["--version"],
        &["convert", "--help"],
        &["help", "check"],
        &["check", "bad"],
        &["check", "--count", "bad"],
        &["check", "--format=json", "bad"],
        &["check", "--format=sarif", "bad"],
        &["check", "--format=github", "bad"],
        &["count", "bad"],
        &["detect", "bad"],
        &["detect", "--format=json", "bad"],
        &["survey", "bad"],
        &["survey", "--format=json", "bad"],
        &["repair", "--diff", "bad"],
        &["repair", "--dry-run", "bad"],
        &["convert", "--list"],
        &["explain", "a"],
        &["explain", "--format=json", "a"],
        &["explain", "--format=html", "a"],
        &["forms"],
        &["forms", "utf-8"],
        &["forms", "--format=json"],
        &["completions", "bash"],
        &["man"],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = stage.command(args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("placemat: standard output: No space left"), "{args:?}: {said}");
        // A closed output is no error.
        let (_, closed) = std::io::pipe().unwrap();
        let output = stage.command(args).stdout(closed).output().unwrap();
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]), "{args:?}");
    }
}

#[test]
fn a_page_shows_usage_and_examples_as_they_are() {
    let stage = Stage::new();
    let edit = stage.run(&["man", "edit"]).out;
    assert!(edit.contains("[OPTIONS] [PATH]... \\-\\- <COMMAND>..."), "{edit}");
    let check = stage.run(&["man", "check"]).out;
    assert!(
        check.contains(
            "\n.nf\n  allow = [\"tests/broken/**\"]     # skipped: their errors are known\n\n  [[rule]]\n"
        ),
        "{check}"
    );
    assert!(check.contains("\n.fi\nA file that breaks a rule"), "{check}");
    let convert = stage.run(&["man", "convert"]).out;
    assert!(!convert.contains("\n'"), "{convert}");
}

#[test]
fn the_last_of_a_flag_wins() {
    let stage = Stage::new();
    stage.file("a", b"caf\xE9\n");
    let twice = [
        "-j1",
        "-j2",
        "--color=never",
        "--color=always",
        "--color=never",
        "--hidden",
        "--hidden",
        "--format=json",
        "--format=paths",
    ];
    assert_eq!(
        stage.run(&[&["check"], &twice[..], &["-f", "latin1", "-f", "utf-8", "a"]].concat()).quiet(),
        (1, "a\n")
    );
    assert_eq!(
        stage.run(&["convert", "-s", "-s", "-f", "utf-8", "-f", "latin1", "a"]).quiet(),
        (0, "café\n")
    );
    assert_eq!(stage.run(&["check", "--count", "-g", "!b", "-g", "!a", "."]).quiet(), (0, ""));
}

#[test]
fn help_and_refusals_heed_color() {
    let stage = Stage::new();
    for (args, is_error) in [
        (&["--color", "always", "--help"][..], false),
        (&["check", "--color=always", "-h"], false),
        (&["check", "--color=always", "--nosuch"], true),
        (&["--color=never", "--color=always", "nosuch"], true),
    ] {
        let ran = stage.run(args);
        let said = if is_error { &ran.err } else { &ran.out };
        assert!(said.contains('\u{1b}'), "{args:?}: {said}");
        let again = args.iter().map(|argument| if *argument == "always" { "never" } else { argument });
        let again: Vec<_> = again
            .map(|argument| if argument == "--color=always" { "--color=never" } else { argument })
            .collect();
        let ran = stage.run(&again);
        assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'), "{again:?}");
    }
}

#[test]
fn completions_offer_what_a_flag_takes() {
    let bash = Stage::new().run(&["completions", "bash"]).out;
    for words in [
        "keep strip add",
        "stop replace replace= skip escape ncr",
        "lenient iana whatwg rfc2279 oracle mysql",
        "scalar sse42 avx2 avx512 neon simd128",
    ] {
        assert!(bash.contains(&format!("compgen -W \"{words}\"")), "{words}");
    }
}

#[cfg(unix)]
#[test]
fn bash_completes_the_names_of_encodings() {
    let script = Stage::new().run(&["completions", "bash"]).out;
    for (typed, offered) in
        [("convert -f cesu", "cesu-8"), ("check --from shift", "shift_jis"), ("explain -f wtf", "wtf-8")]
    {
        let mut words: Vec<_> = std::iter::once("placemat").chain(typed.split(' ')).collect();
        let ask = format!(
            "{script}\nCOMP_WORDS=({}); COMP_CWORD=3; _placemat placemat {} {}; echo \"${{COMPREPLY[*]}}\"",
            words.join(" "),
            words.pop().unwrap(),
            words.pop().unwrap()
        );
        let ran = std::process::Command::new("bash").args(["-c", &ask]).output().unwrap();
        let found = String::from_utf8(ran.stdout).unwrap();
        assert!(found.split_whitespace().any(|name| name == offered), "{typed}: {found}");
    }
}

#[test]
fn help_and_refusal_name_the_same_levels() {
    let stage = Stage::new();
    let levels = "scalar, sse42, avx2, avx512, neon, simd128";
    for args in [&["check", "--help"][..], &["check", "--cpu", "x"]] {
        let ran = stage.run(args);
        let said = (ran.out + &ran.err).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(levels), "{said}");
    }
}
