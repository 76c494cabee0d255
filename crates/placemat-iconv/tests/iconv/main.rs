//! Tests the library from C: its exports, its answers to misuse, and its answers compared with those of the C library.
#![cfg(target_os = "linux")]

mod beside;
mod library;
mod misuse;

use std::fs;
use std::process::Command;

/// The complete list of exported symbols.
const EXPORTS: [&str; 11] = [
    "_libiconv_version",
    "iconv",
    "iconv_close",
    "iconv_open",
    "iconvctl",
    "iconvlist",
    "libiconv",
    "libiconv_close",
    "libiconv_open",
    "libiconvctl",
    "libiconvlist",
];

#[test]
fn it_exports_these_names_and_no_others() {
    let output = Command::new("nm")
        .args(["-D", "--defined-only", "--with-symbol-versions"])
        .arg(library::path())
        .output()
        .unwrap();
    let symbols = String::from_utf8(output.stdout).unwrap();
    let names: Vec<&str> = symbols.lines().filter_map(|line| line.split(' ').next_back()).collect();
    // The symbols have no versions; otherwise a preload would not provide `iconv_open@GLIBC_2.2.5`.
    assert_eq!(names, EXPORTS);
}

/// Compiles, links and runs the program of README.md.
#[test]
fn the_program_of_the_readme_runs() {
    let readme = include_str!("../../README.md");
    let program = readme.split("```c\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let folder = library::path().with_file_name("iconv-readme");
    fs::create_dir_all(&folder).unwrap();
    let (source, binary) = (folder.join("menu.c"), folder.join("menu"));
    fs::write(&source, program).unwrap();
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-o"]).args([&binary, &source]).arg(library::path());
    assert!(cc.status().unwrap().success());
    let output = Command::new(binary)
        .env("LD_LIBRARY_PATH", library::path().parent().unwrap())
        .env_remove("PLACEMAT_ICONV")
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "creme brulee, 3 not identical\n");
}

/// The header declares all exports, in C and in C++, together with the header of the C library.
#[test]
fn the_header_declares_every_export() {
    let folder = library::path().with_file_name("iconv-header");
    fs::create_dir_all(&folder).unwrap();
    let uses: String = EXPORTS.map(|name| format!("    use += (size_t)&{name} != 0;\n")).concat();
    let program = format!(
        "#include <iconv.h>\n#include <placemat_iconv.h>\nint main(void)\n{{\n    size_t use = 0;\n{uses}    return use != {};\n}}\n",
        EXPORTS.len()
    );
    for (compiler, standard, end) in [("cc", "-std=c11", "c"), ("c++", "-std=c++17", "cpp")] {
        let (source, binary) = (folder.join("all").with_extension(end), folder.join(end));
        fs::write(&source, &program).unwrap();
        let mut cc = Command::new(compiler);
        cc.args([
            standard,
            "-Wall",
            "-Wextra",
            "-Wno-address",
            "-Werror",
            "-I",
            concat!(env!("CARGO_MANIFEST_DIR"), "/include"),
        ]);
        cc.arg("-o").args([&binary, &source]).arg(library::path());
        assert!(cc.status().unwrap().success(), "{compiler}");
        let ran = Command::new(binary).env("LD_LIBRARY_PATH", library::path().parent().unwrap()).status();
        assert!(ran.unwrap().success(), "{compiler}");
    }
}

/// A program that does not know this library gets the count of POSIX where glibc has an error.
const PROGRAM: &str = r#"
#include <iconv.h>
#include <stdio.h>
int main(void)
{
    char text[] = "\xe2\x98\x83", out[8], *in = text, *end = out;
    size_t left = 3, room = sizeof out;
    iconv_t cd = iconv_open("ASCII", "UTF-8");
    long result = (long)iconv(cd, &in, &left, &end, &room);
    printf("%ld %d", result, iconv_close(cd));
    return 0;
}"#;

#[test]
fn a_preload_reaches_programs() {
    let folder = library::path().with_file_name("iconv-preload");
    fs::create_dir_all(&folder).unwrap();
    let (source, binary) = (folder.join("snow.c"), folder.join("snow"));
    fs::write(&source, PROGRAM).unwrap();
    assert!(Command::new("cc").arg("-o").args([&binary, &source]).status().unwrap().success());
    let run = |preloaded: bool, habit: &str| {
        let mut program = Command::new(&binary);
        program.env("PLACEMAT_ICONV", habit);
        if preloaded {
            program.env("LD_PRELOAD", library::path());
        }
        String::from_utf8(program.output().unwrap().stdout).unwrap()
    };
    assert_eq!((&*run(true, ""), &*run(true, "glibc"), &*run(false, "")), ("1 0", "-1 0", "-1 0"));
}

/// glibc's iconv(1) opens a descriptor by a function of its own, and passes it to our functions.
#[test]
#[cfg(target_env = "gnu")]
fn the_iconv_of_glibc_works_under_the_preload() {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "printf 'caf\\303\\251' | /usr/bin/iconv -f UTF-8 -t ISO-8859-1"])
        .env("LD_PRELOAD", library::path());
    let output = shell.output().unwrap();
    assert_eq!((&*output.stdout, output.status.code()), (&b"caf\xE9"[..], Some(0)));
    // Its list, which gdb reads. In this locale nothing else has made the C library read its list.
    let list = |preload| {
        let mut iconv = Command::new("/usr/bin/iconv");
        iconv.arg("-l").env("LC_ALL", "C").env("LD_PRELOAD", preload).output().unwrap().stdout
    };
    assert!(list(library::path()) == list("".into()));
}
