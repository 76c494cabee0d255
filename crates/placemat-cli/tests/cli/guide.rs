//! GUIDE.md and README.md show what the command really prints.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use crate::stage::Stage;

/// Set this variable to write the output into GUIDE.md, instead of comparing it.
const UPDATE: &str = "UPDATE_GUIDE";

/// Where the copy of the samples is.
const FOLDER: &str = "broken";

/// The words of a command line, separated by spaces outside single quotes.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part);
        } else {
            words.extend(part.split_whitespace());
        }
    }
    words
}

/// What a terminal of 80 columns would show: results and messages, as they come.
fn shown(stage: &Stage, words: &[&str]) -> String {
    let (mut terminal, writer) = std::io::pipe().unwrap();
    let mut command = stage.command(words);
    command.current_dir(stage.path(FOLDER)).stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = command.spawn().unwrap();
    // The command holds the other ends of the pipe.
    drop(command);
    let mut text = String::new();
    terminal.read_to_string(&mut text).unwrap();
    let code = child.wait().unwrap().code();
    assert!(matches!(code, Some(0..=2)), "{words:?} ended with {code:?}:\n{text}");
    text
}

/// The guide with the output of each `$ placemat …` in its blocks renewed, in order, in one copy of the samples.
fn told_anew(guide: &str, stage: &Stage) -> (String, usize) {
    let (mut told, mut commands, mut in_block) = (String::new(), 0, false);
    for line in guide.split_inclusive('\n') {
        if line.starts_with("```") {
            in_block = line == "```console\n";
            told.push_str(line);
        } else if let Some(command) = line.strip_prefix("$ placemat ").filter(|_| in_block) {
            commands += 1;
            told.push_str(line);
            told.push_str(&shown(stage, &words(command)));
        } else if !in_block {
            told.push_str(line);
        }
    }
    (told, commands)
}

#[test]
fn the_guide_shows_what_the_command_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let guide = fs::read_to_string(root.join("GUIDE.md")).unwrap();
    let stage = Stage::new();
    for sample in fs::read_dir(root.join("samples")).unwrap() {
        let sample = sample.unwrap();
        stage.file(Path::new(FOLDER).join(sample.file_name()), fs::read(sample.path()).unwrap());
    }
    let (told, commands) = told_anew(&guide, &stage);
    assert!(commands >= 10, "{commands} commands");
    if std::env::var_os(UPDATE).is_some() {
        fs::write(root.join("GUIDE.md"), told).unwrap();
        return;
    }
    for (line, (is, should)) in guide.lines().zip(told.lines()).enumerate() {
        assert_eq!(is, should, "line {} of GUIDE.md; {UPDATE}=1 rewrites it", line + 1);
    }
    assert_eq!(guide.len(), told.len());
}

#[test]
fn the_readme_shows_what_the_command_says() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = fs::read_to_string(readme).unwrap();
    let stage = Stage::new();
    stage.file(Path::new(FOLDER).join("note.txt"), "The cafÃ© is open — today.\n");
    let (told, commands) = told_anew(&readme, &stage);
    assert_eq!(commands, 2);
    for (line, (is, should)) in readme.lines().zip(told.lines()).enumerate() {
        assert_eq!(is, should, "line {} of README.md", line + 1);
    }
    assert_eq!(readme.len(), told.len());
}

#[test]
fn the_rules_of_the_readme_are_rules() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = fs::read_to_string(readme).unwrap();
    let (_, rules) = readme.split_once("```toml\n").unwrap();
    let stage = Stage::new();
    stage.file("placemat.toml", rules.split_once("```").unwrap().0);
    stage.file("a.md", b"\xEF\xBB\xBFa\r\n");
    stage.file("legacy/b.txt", b"caf\xE9\n");
    stage.file("tests/broken/c.txt", b"\xFF");
    let ran = stage.run(&["check", "--count"]);
    assert_eq!((ran.code, &*ran.out), (Some(1), "a.md:2\n"));
}
