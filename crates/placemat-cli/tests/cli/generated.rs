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
    fs::create_dir(stage.path("man")).unwrap();
    assert_eq!(stage.run(&["man", "--dir", "man"]).quiet(), (0, ""));
    let bash = stage.run(&["completions", "bash"]).out;
    let commands = commands(&stage);
    assert!(commands.iter().any(|name| name == "check"), "{commands:?}");
    for name in &commands {
        let help = stage.run(&[name, "--help"]).out;
        let examples = help.split_once("Examples:\n").map_or("", |(_, examples)| examples);
        let shown = examples.lines().filter(|line| line.contains("placemat ")).count();
        assert!(shown >= 3, "{name} has {shown} examples");
        let page = fs::read_to_string(stage.path(format!("man/placemat-{name}.1"))).unwrap();
        assert!(page.contains(&format!(".TH placemat-{name} 1")), "{name}");
        assert!(
            bash.contains(&format!("placemat__subcmd__{name}"))
                || bash.contains(&format!("placemat,{name})")),
            "{name}"
        );
    }
    assert!(stage.path("man/placemat.1").exists());
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
fn help_that_cannot_be_written_is_trouble() {
    let stage = Stage::new();
    for args in [&["--help"][..], &["--version"], &["convert", "--help"], &["help", "check"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = stage.command(args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        // Whoever closed it has seen enough.
        let (_, closed) = std::io::pipe().unwrap();
        let output = stage.command(args).stdout(closed).output().unwrap();
        assert_eq!((output.status.code(), &output.stderr[..]), (Some(0), &b""[..]), "{args:?}");
    }
}
