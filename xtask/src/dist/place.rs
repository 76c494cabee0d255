//! The folder in which a release is made, and the settings that make it the same everywhere.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::tools;
use crate::shell::{Done, call, output, root};

/// A folder in which a release is made.
pub(super) struct Place {
    /// The folder itself.
    pub(super) root: PathBuf,
    /// A clone of what is committed.
    pub(super) source: PathBuf,
    /// Where cargo builds.
    pub(super) build: PathBuf,
    /// Files made on the way: man pages, completions, licences. They are in the clone, where the packers look for them.
    pub(super) assets: PathBuf,
    /// The files of the release.
    pub(super) out: PathBuf,
    /// The time of the commit, in seconds since 1970: the only time that a file may name.
    pub(super) epoch: String,
    /// The version of the workspace.
    pub(super) version: String,
}

impl Place {
    /// Clones what is committed into a folder below `folder`, or updates the clone that is there.
    pub(super) fn new(folder: &Path) -> Result<Place, String> {
        let source = folder.join("source");
        if !source.exists() {
            create(folder)?;
            call(Command::new("git").args(["clone", "--quiet", "--no-hardlinks"]).arg(root()).arg(&source))?;
        }
        let head = output(Command::new("git").args(["rev-parse", "HEAD"]).current_dir(root()))?;
        let git = |words: &[&str]| output(Command::new("git").args(words).current_dir(&source));
        git(&["fetch", "--quiet", "origin", head.trim()])?;
        git(&["checkout", "--quiet", "--force", "--detach", head.trim()])?;
        // Ignored files are removed, too; `assets` is what an earlier step made.
        git(&["clean", "--quiet", "-ffdx", "--exclude=/assets"])?;
        let epoch = git(&["log", "-1", "--format=%ct"])?.trim().to_owned();
        let manifest = read(&source.join("Cargo.toml"))?;
        let version = manifest.lines().find_map(|line| line.strip_prefix("version = "));
        let version = version.unwrap_or_default().trim_matches('"').to_owned();
        let out = folder.join("out");
        create(&out)?;
        let assets = source.join("assets");
        create(&assets)?;
        Ok(Place {
            root: folder.to_owned(),
            source,
            build: folder.join("build"),
            assets,
            out,
            epoch,
            version,
        })
    }

    /// A command in the clone, with everything set that could otherwise differ from machine to machine.
    pub(super) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.source).env("SOURCE_DATE_EPOCH", &self.epoch);
        command
            .env("CARGO_TARGET_DIR", &self.build)
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_TERM_COLOR", "never");
        command
            .env("RUSTUP_TOOLCHAIN", tools::RUST)
            .env("PATH", tools::path())
            .env("TZ", "UTC")
            .env("LC_ALL", "C.UTF-8");
        // Otherwise these paths would be in panic messages and in the names of C sources.
        command
            .env("RUSTFLAGS", self.map("--remap-path-prefix="))
            .env("CFLAGS", self.map("-ffile-prefix-map="));
        command
    }

    /// Gives the compiler one more option of code generation.
    pub(super) fn compile_with(&self, cargo: &mut Command, option: &str) {
        cargo.env("RUSTFLAGS", format!("{} -C {option}", self.map("--remap-path-prefix=")));
    }

    fn map(&self, flag: &str) -> String {
        let home = PathBuf::from(std::env::var_os("HOME").unwrap_or_default());
        let cargo = std::env::var_os("CARGO_HOME").map_or_else(|| home.join(".cargo"), PathBuf::from);
        let rust = tools::sysroot();
        let pairs =
            [(self.root.as_path(), "/placemat"), (cargo.as_path(), "/cargo"), (rust.as_path(), "/rust")];
        // Before the compiler is installed its path is empty, and an empty path would match the start of every path.
        let pairs = pairs.iter().filter(|(path, _)| !path.as_os_str().is_empty());
        pairs.map(|(path, name)| format!("{flag}{}={name}", path.display())).collect::<Vec<_>>().join(" ")
    }

    /// Packs the folder `name` in `parent` as `NAME.tar.gz`: sorted, owned by root, of the time of the commit.
    pub(super) fn pack(&self, parent: &Path, name: &str) -> Done {
        let mut tar = self.command("tar");
        tar.args([
            "--sort=name",
            "--owner=0",
            "--group=0",
            "--numeric-owner",
            "--mode=u=rwX,go=rX",
            "--format=gnu",
        ]);
        tar.arg(format!("--mtime=@{}", self.epoch)).args(["--use-compress-program=gzip -n -9", "--create"]);
        tar.arg("--file").arg(self.out.join(format!("{name}.tar.gz")));
        call(tar.arg("--directory").arg(parent).arg(name))
    }
}

/// The names of the files in a folder, sorted.
pub(super) fn files(folder: &Path) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
        .filter(|name| folder.join(name).is_file())
        .collect();
    names.sort();
    Ok(names)
}

pub(super) fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

pub(super) fn write(path: &Path, text: impl AsRef<[u8]>) -> Done {
    create(path.parent().unwrap_or(path))?;
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

pub(super) fn create(folder: &Path) -> Done {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// Copies a file to a path or into a folder that exists.
pub(super) fn copy(from: &Path, to: &Path) -> Done {
    let to = if to.is_dir() { to.join(from.file_name().unwrap_or_default()) } else { to.to_owned() };
    fs::copy(from, &to)
        .map(|_| ())
        .map_err(|error| format!("{} to {}: {error}", from.display(), to.display()))
}

/// Removes files in `folder` whose names `is_old` picks: those that a run of another version left.
pub(super) fn sweep(folder: &Path, is_old: impl Fn(&str) -> bool) -> Done {
    let old = files(folder)?.into_iter().filter(|name| is_old(name));
    old.map(|name| folder.join(name))
        .try_for_each(|path| fs::remove_file(path).map_err(|error| error.to_string()))
}
