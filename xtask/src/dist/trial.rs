//! What is handed out, installed where a user would: in roots of Debian without a compiler, and in one that holds nothing but a
//! shell. The lines that install are README's, and `packaging/examples.sh` then runs README's examples.

mod roots;

use std::path::{Path, PathBuf};
use std::process::Command;

use self::roots::{Root, chroot};
use super::place::{Place, copy, files, read};
use super::tools::{self, Tools};
use crate::shell::{Done, call, output};

/// A way to install: README's line that begins with this word, in one root.
struct Trial {
    name: &'static str,
    line: &'static str,
    root: Root,
    /// README's line is for x86-64; on another CPU its names are replaced by these.
    names: &'static [(&'static str, &'static str)],
}

const ARM: &[(&str, &str)] = &[("amd64", "arm64"), ("x86_64", "aarch64")];

const TRIALS: [Trial; 8] = [
    Trial { name: "deb", line: "dpkg", root: Root::Debian("bookworm", "amd64"), names: &[] },
    Trial { name: "deb-arm64", line: "dpkg", root: Root::Debian("bookworm", "arm64"), names: ARM },
    Trial { name: "archive", line: "tar", root: Root::Busybox, names: &[] },
    Trial { name: "archive-arm64", line: "tar", root: Root::Busybox, names: ARM },
    Trial { name: "rpm", line: "rpm", root: Root::Busybox, names: &[] },
    Trial { name: "wheel", line: "pip", root: Root::Debian("bookworm", "amd64"), names: &[] },
    Trial { name: "wheel-newer", line: "pip", root: Root::Debian("trixie", "amd64"), names: &[] },
    Trial { name: "wheel-arm64", line: "pip", root: Root::Debian("bookworm", "arm64"), names: ARM },
];

/// The names of all trials.
pub(super) fn names() -> String {
    let more = ["lint", "wheel-musl", "sdist"];
    TRIALS.iter().map(|trial| trial.name).chain(more).collect::<Vec<_>>().join(" ")
}

/// Run the trials of these names, or all.
pub(super) fn run(place: &Place, wanted: &[String]) -> Done {
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    let mut done = 0;
    for trial in TRIALS.iter().filter(|trial| is_wanted(trial.name)) {
        eprintln!("== {}", trial.name);
        trial.run(place)?;
        done += 1;
    }
    for (name, check) in
        [("lint", lint as fn(&Place) -> Done), ("wheel-musl", wheel_for_musl), ("sdist", sdist)]
    {
        if is_wanted(name) {
            eprintln!("== {name}");
            check(place)?;
            done += 1;
        }
    }
    println!("{done} passed, 0 failed");
    if done == 0 { Err(format!("one of: {}", names())) } else { Ok(()) }
}

impl Trial {
    fn run(&self, place: &Place) -> Done {
        let root = self.root.fresh(place, self.name)?;
        let folder = root.join("release");
        call(Command::new("cp").arg("-r").arg(place.source.join("samples")).arg(&folder))?;
        copy(&place.source.join("README.md"), &folder)?;
        copy(&place.source.join("packaging/examples.sh"), &folder)?;
        let line = self.line(&read(&place.source.join("README.md"))?)?;
        for file in files(&place.out)? {
            // Only what the line names, by its name or by a pattern.
            let start = file.split_once(".tar").map_or(file.as_str(), |(start, _)| start);
            if line.contains(start) {
                copy(&place.out.join(&file), &folder)?;
            }
        }
        eprintln!("{}: {line}", self.name);
        match self.line {
            // There is no rpm in the root: it is told to install there.
            "rpm" => rpm(&root, &line)?,
            // Debian lets pip write into an environment only.
            "pip" => {
                let line = line.replacen("pip install", ". /v/bin/activate && pip install --no-index", 1);
                call(&mut chroot(&root, &format!("python3 -m venv /v && {line}")))?;
                return call(&mut chroot(&root, ". /v/bin/activate && sh ./examples.sh"));
            }
            _ => call(&mut chroot(&root, &line))?,
        }
        call(&mut chroot(&root, "sh ./examples.sh"))
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

/// Let the rpm of this machine install into the root, and verify what it then has.
fn rpm(root: &Path, line: &str) -> Done {
    let rpm = |words: &[&str]| call(Command::new("rpm").arg("--root").arg(root).args(words));
    let file = line.split(' ').next_back().unwrap_or_default();
    let path = root.join("release").join(file);
    call(Command::new("rpm").arg("--checksig").arg("--nosignature").arg(&path))?;
    rpm(&["--initdb"])?;
    rpm(&["--install", "--nosignature", &format!("{}", path.display())])?;
    rpm(&["--verify", "placemat"])
}

/// lintian on the Debian packages, and twine's check of what goes to PyPI.
fn lint(place: &Place) -> Done {
    let all = files(&place.out)?;
    let of = |end: &str| {
        all.iter().filter(|name| name.ends_with(end)).map(|name| place.out.join(name)).collect::<Vec<_>>()
    };
    call(Command::new("lintian").args(["--fail-on", "error,warning,info", "--info"]).args(of(".deb")))?;
    let bin = Tools::new(&tools::folder()).python(&["twine==6.2.0"])?;
    let sdist = place.out.join(format!("placemat-{}.tar.gz", place.version));
    call(Command::new(bin.join("twine")).args(["check", "--strict"]).args(of(".whl")).arg(sdist))
}

/// The wheel for musl, resolved by musl's own loader: all that it lacks must be Python's.
fn wheel_for_musl(place: &Place) -> Done {
    let wheel = files(&place.out)?.into_iter().find(|name| name.ends_with("musllinux_1_2_x86_64.whl"));
    let wheel = place.out.join(wheel.ok_or("there is no wheel for musl")?);
    let folder = place.root.join("musl");
    let _ = std::fs::remove_dir_all(&folder);
    call(Command::new("python3").args(["-m", "zipfile", "-e"]).arg(&wheel).arg(&folder))?;
    let library = folder.join("placemat/_core.abi3.so");
    let mut loader = Command::new(musl_loader(&folder)?);
    let found =
        loader.arg("--list").arg(&library).output().map_err(|error| format!("musl's loader: {error}"))?;
    let said = String::from_utf8_lossy(&[found.stdout, found.stderr].concat()).into_owned();
    let missing: Vec<_> = said.lines().filter_map(|line| line.strip_suffix(": symbol not found")).collect();
    let others: Vec<_> =
        missing.iter().filter(|line| !line.contains(": Py") && !line.contains(": _Py")).collect();
    if missing.is_empty() || !others.is_empty() || said.contains("Error loading shared library") {
        return Err(format!("the wheel for musl cannot be loaded:\n{said}"));
    }
    println!("musl's loader lacks {} symbols, all of them Python's", missing.len());
    Ok(())
}

/// The loader of Debian's package `musl`, taken out of it: installed, it would answer for programs of this machine.
fn musl_loader(folder: &Path) -> Result<PathBuf, String> {
    call(Command::new("apt-get").args(["-qq", "download", "musl"]).current_dir(folder))?;
    let package = files(folder)?.into_iter().find(|name| name.ends_with(".deb"));
    let package = package.ok_or("apt-get downloaded no package musl")?;
    call(Command::new("dpkg-deb").args(["-x", &package, "."]).current_dir(folder))?;
    Ok(folder.join("lib/x86_64-linux-musl/libc.so"))
}

/// The sdist, built by pip in an environment of its own from nothing but itself. This needs the compiler.
fn sdist(place: &Place) -> Done {
    let folder = place.root.join("sdist");
    let _ = std::fs::remove_dir_all(&folder);
    call(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    let mut pip = Command::new(folder.join("bin/pip"));
    pip.args(["install", "--quiet"]).arg(place.out.join(format!("placemat-{}.tar.gz", place.version)));
    // Unoptimised: this is about what the sdist holds.
    call(
        pip.env("MATURIN_PEP517_ARGS", "--profile dev")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .current_dir(&folder),
    )?;
    let check = "import placemat; assert placemat.repair(b'caf\\xe9', 'cp1252') == b'caf\\xc3\\xa9'";
    call(Command::new(folder.join("bin/python")).args(["-c", check]).current_dir(&folder))?;
    print!("{}", output(Command::new(folder.join("bin/placemat")).arg("--version"))?);
    Ok(())
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
