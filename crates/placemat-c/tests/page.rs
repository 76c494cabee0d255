//! Compiles and runs the programs of the README and of the man page.
#![cfg(all(unix, feature = "text"))]

mod common;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::{C, CPP, compile, is_installed, root, run};

/// A program of the README, written to a file.
fn program(name: &str) -> PathBuf {
    let page = fs::read_to_string(root().join("README.md")).unwrap();
    let (_, behind) = page.split_once(&format!("<!-- program {name} -->\n```")).expect(name);
    let (_, code) = behind.split_once('\n').unwrap();
    let (code, _) = code.split_once("\n```\n").unwrap();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, format!("{code}\n")).unwrap();
    path
}

/// Runs a program with this input. Returns its standard output, its standard error, and its exit code.
fn fed(command: &mut Command, input: &[u8]) -> (Vec<u8>, String, i32) {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    (output.stdout, String::from_utf8_lossy(&output.stderr).into_owned(), output.status.code().unwrap())
}

#[test]
fn the_program_in_c() {
    let source = program("to-utf8.c");
    if !is_installed("cc") {
        return;
    }
    let program = compile(&C, &source);
    let text = "na\u{EF}ve 日本 \u{1F600}\n".repeat(1000);
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let done = fed(Command::new(&program).arg("utf-16"), &utf16);
    assert_eq!(done, (text.into_bytes(), "0 errors\n".to_owned(), 0));
    let done = fed(&mut Command::new(&program), b"a\xFF\xC3");
    assert_eq!(done, ("a\u{FFFD}\u{FFFD}".as_bytes().to_vec(), "2 errors\n".to_owned(), 0));
    let (_, said, code) = fed(Command::new(&program).arg("shift_jis"), b"");
    assert_eq!((&*said, code), ("no encoding of this function has that number or name\n", 2));
}

#[test]
fn the_program_in_cpp() {
    let source = program("mend.cpp");
    if !is_installed("c++") {
        return;
    }
    let program = compile(&CPP, &source);
    let (out, said, code) = fed(&mut Command::new(&program), b"na\xC3\xAFve caf\xE9\n");
    assert_eq!((String::from_utf8(out).unwrap().as_str(), code), ("naïve café\n", 0));
    assert!(said.starts_with("missing-continuation at byte 10\n{\"type\":\"report\""), "{said}");
    let (out, said, code) = fed(
        &mut Command::new(&program),
        b"\xF0\xD2\xC9\xD7\xC5\xD4, \xCD\xC9\xD2! \xEB\xC1\xCB \xC4\xC5\xCC\xC1?\n",
    );
    assert_eq!((out.len(), code), (0, 1));
    assert!(
        said.contains("seems to be in another encoding") && said.contains("\"encoding\":\"koi8-r\""),
        "{said}"
    );
}

/// The path and the text of `man/placemat.3`.
fn man_page() -> (PathBuf, String) {
    let path = root().join("man/placemat.3");
    let text = fs::read_to_string(&path).unwrap();
    (path, text)
}

/// A text with one space for each run of white space.
fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_man_page_has_the_prototypes_of_the_header() {
    let shown = man_page()
        .1
        .lines()
        .filter_map(|line| line.strip_prefix(".B \"")?.strip_suffix('"'))
        .collect::<Vec<_>>()
        .join(" ");
    let shown = on_one_line(&shown);
    let header = fs::read_to_string(root().join("include/placemat.h")).unwrap();
    let (mut prototype, mut found) = (String::new(), 0);
    for line in header.lines().filter(|line| !line.trim_start().starts_with(['/', '*', '#', 't', '}'])) {
        let begins = !line.starts_with(' ') && line.contains('(');
        prototype = if begins { line.to_owned() } else { format!("{prototype} {line}") };
        if prototype.ends_with(");") {
            assert!(shown.contains(&on_one_line(&prototype)), "not in the man page: {prototype}");
            prototype.clear();
            found += 1;
        }
    }
    assert!(found > 40, "{found}");
}

#[test]
fn the_man_page_is_well_formed() {
    let (page, _) = man_page();
    if is_installed("man") {
        let mut man = Command::new("man");
        let said =
            run(man.args(["--warnings", "-l"]).arg(&page).env("MANWIDTH", "100").env("LC_ALL", "C.UTF-8"));
        assert!(said.contains("placemat_transcoder_push") && !said.contains("warning"), "{said}");
    }
    if Command::new("mandoc").arg(&page).output().is_ok() {
        run(Command::new("mandoc").args(["-Tlint", "-Wwarning"]).arg(&page));
    }
}

#[test]
fn the_program_of_the_man_page() {
    let (_, page) = man_page();
    let (_, code) = page.split_once(".EX\n").unwrap();
    let (code, _) = code.split_once(".EE").unwrap();
    let source = Path::new(env!("CARGO_TARGET_TMPDIR")).join("man.c");
    fs::write(&source, code.replace("\\e", "\\")).unwrap();
    if is_installed("cc") {
        assert_eq!(run(&mut Command::new(compile(&C, &source))), "missing-continuation at byte 2\n");
    }
}
