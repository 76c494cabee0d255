//! Runs programs from Debian under `LD_PRELOAD` and without it: the output must have the same bytes.

use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs, io};

use super::cases::{BIG5, KNOWN, PACKAGES, PROGRAMS, Program, TEXTS, WIDE};
use crate::shell::{Done, call, command, placemat, root};

/// The least number of conversions that make a test.
const LEAST: usize = 200;

/// The result of a line of shell.
#[derive(PartialEq, Eq, Debug)]
struct Left {
    code: Option<i32>,
    out: Vec<u8>,
    file: Vec<u8>,
}

pub(super) fn run(library: &Path) -> Done {
    install()?;
    call(&mut command("cargo build --quiet --release -p placemat-cli"))?;
    link().map_err(|error| error.to_string())?;
    let folder = root().join("target/iconv");
    let (mut same, mut differences) = (0, Vec::new());
    for (encodings, text) in TEXTS.iter().copied().chain([BIG5]) {
        for encoding in encodings {
            for program in &PROGRAMS {
                if WIDE.contains(encoding) && !program.takes_all {
                    continue;
                }
                let ran = |preload, habit| left(&folder, program, encoding, text, preload, habit);
                let theirs = ran(None, "").map_err(|error| error.to_string())?;
                // A command that fails without the preload is no conversion.
                if theirs.code != Some(0) || theirs.out.is_empty() && theirs.file.is_empty() {
                    println!("{} {encoding}: {:?} without us", program.name, theirs.code);
                    continue;
                }
                for habit in ["", "glibc"] {
                    let ours = ran(Some(library), habit).map_err(|error| error.to_string())?;
                    match ours == theirs {
                        true => same += 1,
                        false => differences.push((program.name, *encoding, habit)),
                    }
                }
            }
        }
    }
    println!("{same} conversions with the same bytes");
    let is_known = |(name, encoding, _): &(&str, &str, &str)| {
        KNOWN.iter().find(|(program, of, _)| program == name && (*of == "*" || of == encoding))
    };
    let mut unknown = Vec::new();
    for difference in differences {
        match is_known(&difference) {
            Some((.., why)) => println!("{} {}: {why}", difference.0, difference.1),
            None => unknown.push(format!("{} {} {}", difference.0, difference.1, difference.2)),
        }
    }
    match unknown.is_empty() {
        _ if same < LEAST => Err(format!("{same} conversions are fewer than {LEAST}")),
        true => Ok(()),
        false => Err(format!("other bytes:\n{}", unknown.join("\n"))),
    }
}

/// Makes a link to the command under the name `iconv`.
fn link() -> io::Result<()> {
    let folder = root().join("target/iconv-name");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    symlink(placemat("release"), folder.join("iconv"))
}

fn install() -> Done {
    let missing = PACKAGES.iter().filter(|package| {
        let status =
            Command::new("dpkg").args(["-s", package]).stdout(Stdio::null()).stderr(Stdio::null()).status();
        !status.is_ok_and(|status| status.success())
    });
    let missing: Vec<_> = missing.collect();
    if missing.is_empty() {
        return Ok(());
    }
    call(Command::new("apt-get").args(["install", "-y", "--no-install-recommends"]).args(missing))
}

/// Runs the line of that program in an empty folder.
fn left(
    folder: &Path,
    program: &Program,
    encoding: &str,
    text: &str,
    preload: Option<&Path>,
    habit: &str,
) -> io::Result<Left> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder)?;
    fs::write(folder.join("text"), format!("{text}\n"))?;
    let mut shell = Command::new("sh");
    // Debian's own programs, before others of the same names.
    let path = env::var("PATH").unwrap_or_default();
    shell.args(["-c", program.line]).current_dir(folder).stdin(Stdio::null());
    let own = root().join("target/iconv-name");
    let first = if preload.is_some() { own.display().to_string() + ":" } else { String::new() };
    shell
        .env("PATH", format!("{first}/usr/bin:{path}"))
        .env("E", encoding)
        .env("LC_ALL", "C.UTF-8")
        .env("HOME", folder);
    shell.env("GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z").env("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z");
    for name in ["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"] {
        shell.env(name, "a@example.org");
    }
    shell.env_remove("LD_PRELOAD").env("PLACEMAT_ICONV", habit);
    if let Some(library) = preload {
        shell.env("LD_PRELOAD", library);
    }
    let output = shell.output()?;
    let file = fs::read(folder.join("out")).unwrap_or_default();
    Ok(Left { code: output.status.code(), out: output.stdout, file })
}
