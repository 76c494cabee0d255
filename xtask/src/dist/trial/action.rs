//! Runs the Action's scripts as a runner of GitHub does, on a pull request that is made here. Only `gh` is a stand-in:
//! it gives the files of this release.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use crate::dist::place::{Place, create, read, write};
use crate::shell::{Done, call, output};

/// The stand-in for GitHub's command: `gh release download` copies files, `gh attestation verify` accepts them.
const GH: &str = r#"#!/bin/sh
case "$1 $2" in
  "release download") for file in "$RELEASE"/placemat-*-linux-musl.tar.gz "$RELEASE/SHA256SUMS"; do cp "$file" .; done ;;
  "attestation verify") [ -f "$3" ] && [ "$4 $5" = "--repo placemat/placemat" ] ;;
  *) exit 2 ;;
esac
"#;

/// A pull request: text that was malformed before, text that it makes malformed, under names that are hard to write as
/// globs, and a binary file.
const CHANGE: &str = r#"
git init --quiet . && git config user.name nobody && git config user.email nobody@example.invalid
printf 'caf\351\n' | tee old.txt >alike-å.txt && printf 'good\n' >'[x]*.txt' && git add --all && git commit --quiet --message 1
for name in '[x]*.txt' 'end ' 'a,{b}!\.txt' .hidden alike-ö.txt "$(printf 'n\377.txt')"; do printf 'caf\351\n' >"$name"; done
printf '\0\377' >image && git rm --quiet old.txt && printf 'caf\351\n' >kept.txt && git add --all && git commit --quiet --message 2
git rm --quiet kept.txt && git commit --quiet --message 3
"#;

/// The files of [`CHANGE`] that exist at the end, are text and are new, as SARIF names them.
const FOUND: [&str; 6] =
    ["%5Bx%5D%2A.txt", ".hidden", "a%2C%7Bb%7D%21%5C.txt", "alike-%C3%B6.txt", "end%20", "n%FF.txt"];

pub(super) fn check(place: &Place) -> Done {
    let folder = place.root.join("action");
    let _ = fs::remove_dir_all(&folder);
    let (bin, request) = (folder.join("bin"), folder.join("request"));
    create(&request)?;
    write(&bin.join("gh"), GH)?;
    fs::set_permissions(bin.join("gh"), fs::Permissions::from_mode(0o755))
        .map_err(|error| error.to_string())?;
    let script = |name: &str| {
        let mut bash = Command::new("bash");
        bash.arg(place.source.join("packaging/action").join(name)).current_dir(&request);
        bash
    };
    let mut download = script("download.sh");
    download.env("PATH", in_front(&bin)?).env("RELEASE", &place.out).env("VERSION", &place.version);
    download.env("RUNNER_OS", "Linux").env("RUNNER_ARCH", "X64").env("FOLDER", folder.join("placemat"));
    call(download.env("GITHUB_PATH", folder.join("path")))?;
    let path = in_front(Path::new(read(&folder.join("path"))?.trim()))?;

    call(Command::new("sh").args(["-ec", CHANGE]).env("LC_ALL", "C.UTF-8").current_dir(&request))?;
    let base =
        output(Command::new("git").args(["rev-list", "--max-parents=0", "HEAD"]).current_dir(&request))?;
    let run = |changed_only: bool, base: &str| {
        let out = folder.join("output");
        write(&out, "")?;
        let mut check = script("check.sh");
        check.env("PATH", &path).env("PATHS", ".").env("ARGUMENTS", "").env("BASE", base);
        check.env("CHANGED_ONLY", changed_only.to_string()).env("SARIF", folder.join("found.sarif"));
        call(check.env("GITHUB_OUTPUT", &out))?;
        read(&out)
    };
    let said = run(true, base.trim())?;
    let report = format!("report={}\n", folder.join("found.sarif").display());
    expect("the Action's output", &said, &(report + "found=true\n"))?;
    let sarif = read(&folder.join("found.sarif"))?;
    let found = places(&sarif);
    expect("what it found", &found.join(" "), &FOUND.join(" "))?;
    expect("of no change", &run(true, "HEAD")?, "found=false\n")?;
    run(false, "")?;
    let sarif = read(&folder.join("found.sarif"))?;
    let all = places(&sarif);
    // A hidden file is read only if it is named.
    expect("of the whole tree", &all.len().to_string(), &FOUND.len().to_string())
}

/// The path of programs with a folder in front.
fn in_front(folder: &Path) -> Result<String, String> {
    std::env::var("PATH")
        .map(|path| format!("{}:{path}", folder.display()))
        .map_err(|error| error.to_string())
}

/// The files in which a report in SARIF finds something, sorted.
fn places(sarif: &str) -> Vec<&str> {
    let ends = sarif.split("\"uri\":\"").skip(1);
    ends.filter_map(|end| end.split('"').next()).collect::<BTreeSet<_>>().into_iter().collect()
}

fn expect(what: &str, found: &str, expected: &str) -> Done {
    if found == expected { Ok(()) } else { Err(format!("{what}: {found}, not {expected}")) }
}
