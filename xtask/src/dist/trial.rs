//! Installs the files of a release as a user would: in roots of Debian without a compiler, and in one that has only a
//! shell. The lines that install are README's, and `packaging/examples.sh` then runs README's examples.

mod action;
mod checks;
mod library;
mod manifests;
mod musl;
mod roots;

use std::path::Path;
use std::process::Command;

use self::roots::{Root, chroot};
use super::place::{Place, copy, files, read};
use crate::shell::{Done, call};

/// How README's line is run, and what is run afterwards.
enum Kind {
    /// The root runs the line, then README's examples with the command.
    Command,
    /// The same, but this machine's rpm installs into the root, which has none.
    Rpm,
    /// The root runs the line in a virtual environment of Python, since Debian lets pip write nowhere else; then
    /// README's examples in there.
    Wheel,
    /// The root runs the line, and then programs that are linked with the library.
    Library,
    /// This machine's npm installs into the root; then the root's Node runs the package.
    Npm,
}

/// A way to install: README's line that begins with these words, in one root.
struct Trial {
    name: &'static str,
    line: &'static str,
    kind: Kind,
    root: Root,
    /// README's line is for x86-64; on another CPU its names are replaced by these.
    names: &'static [(&'static str, &'static str)],
}

const ARM: &[(&str, &str)] = &[("amd64", "arm64"), ("x86_64", "aarch64")];

/// The line that unpacks the command, and that which unpacks the C library.
const ARCHIVE: &str = "tar xzf placemat";
const LIBRARY: &str = "tar xzf libplacemat";

const BOOKWORM: Root = Root::Debian("bookworm", "amd64");
const BOOKWORM_ARM: Root = Root::Debian("bookworm", "arm64");

const TRIALS: [Trial; 12] = [
    Trial { name: "deb", line: "dpkg", kind: Kind::Command, root: BOOKWORM, names: &[] },
    Trial { name: "deb-arm64", line: "dpkg", kind: Kind::Command, root: BOOKWORM_ARM, names: ARM },
    Trial { name: "archive", line: ARCHIVE, kind: Kind::Command, root: Root::Busybox, names: &[] },
    Trial { name: "archive-arm64", line: ARCHIVE, kind: Kind::Command, root: Root::Busybox, names: ARM },
    Trial { name: "rpm", line: "rpm", kind: Kind::Rpm, root: Root::Busybox, names: &[] },
    Trial { name: "rpm-arm64", line: "rpm", kind: Kind::Rpm, root: Root::Busybox, names: ARM },
    Trial { name: "wheel", line: "pip", kind: Kind::Wheel, root: BOOKWORM, names: &[] },
    Trial {
        name: "wheel-newer",
        line: "pip",
        kind: Kind::Wheel,
        root: Root::Debian("trixie", "amd64"),
        names: &[],
    },
    Trial { name: "wheel-arm64", line: "pip", kind: Kind::Wheel, root: BOOKWORM_ARM, names: ARM },
    Trial { name: "library", line: LIBRARY, kind: Kind::Library, root: BOOKWORM, names: &[] },
    Trial { name: "library-arm64", line: LIBRARY, kind: Kind::Library, root: BOOKWORM_ARM, names: ARM },
    Trial { name: "npm", line: "npm", kind: Kind::Npm, root: Root::Node, names: &[] },
];

type Check = fn(&Place) -> Done;

/// Checks that need no root.
const CHECKS: [(&str, Check); 7] = [
    ("lint", checks::lint),
    ("manifests", manifests::check),
    ("action", action::check),
    ("wheel-musl", musl::wheel),
    ("iconv-musl", musl::iconv),
    ("duckdb", checks::duckdb),
    ("sdist", checks::sdist),
];

/// The names of all trials.
pub(super) fn names() -> String {
    let more = CHECKS.map(|(name, _)| name);
    TRIALS.iter().map(|trial| trial.name).chain(more).collect::<Vec<_>>().join(" ")
}

/// Runs the trials of these names, or all.
pub(super) fn run(place: &Place, wanted: &[String]) -> Done {
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    let mut done = 0;
    for trial in TRIALS.iter().filter(|trial| is_wanted(trial.name)) {
        eprintln!("== {}", trial.name);
        trial.run(place)?;
        done += 1;
    }
    for (name, check) in CHECKS.into_iter().filter(|(name, _)| is_wanted(name)) {
        eprintln!("== {name}");
        check(place)?;
        done += 1;
    }
    println!("{done} passed, 0 failed");
    if done == 0 { Err(format!("one of: {}", names())) } else { Ok(()) }
}

impl Trial {
    fn run(&self, place: &Place) -> Done {
        if !self.names.is_empty() {
            roots::emulate()?;
        }
        let root = self.root.fresh(place, self.name)?;
        let folder = root.join("release");
        call(Command::new("cp").arg("-r").arg(place.source.join("samples")).arg(&folder))?;
        for file in ["README.md", "packaging/examples.sh", "packaging/examples.mjs"] {
            copy(&place.source.join(file), &folder)?;
        }
        let line = self.line(&read(&place.source.join("README.md"))?)?;
        for file in files(&place.out)? {
            // Only the files that the line names, by name or by a pattern.
            let start = file.split_once(".tar").map_or(file.as_str(), |(start, _)| start);
            if line.contains(start) {
                copy(&place.out.join(&file), &folder)?;
            }
        }
        eprintln!("{}: {line}", self.name);
        let examples = "sh ./examples.sh";
        match self.kind {
            Kind::Command => call(&mut chroot(&root, &line))?,
            Kind::Rpm => rpm(&root, &line)?,
            Kind::Wheel => {
                let line = line.replacen("pip install", ". /v/bin/activate && pip install --no-index", 1);
                call(&mut chroot(&root, &format!("python3 -m venv /v && {line}")))?;
                return call(&mut chroot(&root, &format!(". /v/bin/activate && {examples}")));
            }
            Kind::Library => {
                call(&mut chroot(&root, &line))?;
                return library::run(place, &root, !self.names.is_empty());
            }
            Kind::Npm => {
                let line = line.replacen("npm install", "npm install --offline --no-audit --no-fund", 1);
                call(Command::new("sh").args(["-ec", &line]).current_dir(&folder))?;
                return call(&mut chroot(&root, "node ./examples.mjs"));
            }
        }
        call(&mut chroot(&root, examples))
    }

    /// README's line that installs, for the CPU of this trial.
    fn line(&self, readme: &str) -> Result<String, String> {
        let (_, lines) = readme.split_once("<!-- files of a release -->").unwrap_or_default();
        let block = lines.split("```").nth(1).unwrap_or_default();
        let line = block.lines().find(|line| line.starts_with(self.line));
        let line = line.ok_or_else(|| format!("README.md has no line that begins with {}", self.line))?;
        let line = line.split(" #").next().unwrap_or_default().trim();
        Ok(self.names.iter().fold(line.to_owned(), |line, (from, to)| line.replace(from, to)))
    }
}

/// Installs into the root with the rpm of this machine, and verifies the installed package.
fn rpm(root: &Path, line: &str) -> Done {
    let rpm = |words: &[&str]| call(Command::new("rpm").arg("--root").arg(root).args(words));
    let file = line.split(' ').next_back().unwrap_or_default();
    let path = root.join("release").join(file);
    call(Command::new("rpm").arg("--checksig").arg("--nosignature").arg(&path))?;
    rpm(&["--initdb"])?;
    rpm(&["--install", "--nosignature", "--ignorearch", &format!("{}", path.display())])?;
    rpm(&["--verify", "placemat"])
}

#[cfg(test)]
mod tests {
    use super::TRIALS;
    use crate::shell::root;

    #[test]
    fn readme_installs_the_files_of_this_version() {
        let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
        for trial in &TRIALS {
            let line = trial.line(&readme).unwrap();
            assert!(line.contains(env!("CARGO_PKG_VERSION")), "{line}");
            assert!(trial.names.is_empty() || !line.contains("x86_64") && !line.contains("amd64"), "{line}");
        }
    }
}
