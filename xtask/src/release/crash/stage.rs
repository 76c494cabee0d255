//! Makes a folder for each trial, runs the command in it, and reads what is left.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};

/// Contents by path.
pub(super) type Tree = BTreeMap<PathBuf, Vec<u8>>;

const SIGKILL: i32 = 9;

/// A folder that is removed after its trial, unless something was lost in it.
pub(super) struct Stage {
    folder: PathBuf,
    binary: PathBuf,
}

/// How a run of the command ended.
pub(super) struct Ended {
    /// 0, 1 or 2.
    pub(super) code: i32,
    pub(super) err: String,
}

impl Ended {
    /// An error if the command was killed or panicked.
    pub(super) fn of(output: &Output) -> Result<Ended, String> {
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.code() {
            Some(code @ 0..=2) if !err.contains("panicked") => Ok(Ended { code, err }),
            _ => {
                Err(format!("it ends with {}: {}", output.status, err.chars().take(300).collect::<String>()))
            }
        }
    }
}

impl Stage {
    /// Makes a folder in `place`, where the command is too, for the trial of that name.
    pub(super) fn new(place: &Path, name: &str) -> Result<Stage, String> {
        let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let folder = place.join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("tmp")).map_err(said)?;
        let folder = fs::canonicalize(folder).map_err(said)?;
        Ok(Stage { binary: folder.with_file_name("placemat"), folder })
    }

    /// Keeps the folder, to look at it.
    pub(super) fn keep(self) {
        eprintln!("see {}", self.folder.display());
        std::mem::forget(self);
    }

    pub(super) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.join(name)
    }

    /// Writes a file, and makes the folders that it needs.
    pub(super) fn put(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Result<PathBuf, String> {
        let path = self.path(name);
        path.parent().map_or(Ok(()), fs::create_dir_all).map_err(said)?;
        fs::write(&path, content).map_err(said)?;
        Ok(path)
    }

    /// All files below a folder.
    pub(super) fn tree(&self, name: impl AsRef<Path>) -> Result<Tree, String> {
        let mut tree = Tree::new();
        collect(&self.path(name), &mut tree).map_err(said)?;
        Ok(tree)
    }

    /// Makes a folder hold these files and no others.
    pub(super) fn restore(&self, name: &str, tree: &Tree) -> Result<(), String> {
        let _ = fs::remove_dir_all(self.path(name));
        tree.iter().try_for_each(|(path, content)| self.put(path, content).map(drop))
    }

    /// The command, with this folder as its current one.
    pub(super) fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(args).current_dir(&self.folder).env("TMPDIR", self.path("tmp"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    /// Runs the command. An error if it ends by a signal or a panic.
    pub(super) fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Result<Ended, String> {
        Ended::of(&self.command(args).output().map_err(said)?)
    }

    /// Starts the command and kills it after some time. Returns whether it was still running. An error if it failed by itself.
    pub(super) fn kill_after(&self, args: &[&str], time: Duration) -> Result<bool, String> {
        let mut child = self.command(args).stderr(Stdio::null()).spawn().map_err(said)?;
        std::thread::sleep(time);
        child.kill().map_err(said)?;
        match child.wait().map_err(said)? {
            status if status.success() => Ok(false),
            status if status.signal() == Some(SIGKILL) => Ok(true),
            status => Err(format!("before it is killed it ends with {status}")),
        }
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn collect(path: &Path, tree: &mut Tree) -> std::io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), tree)?;
        } else {
            tree.insert(entry.path(), fs::read(entry.path())?);
        }
    }
    Ok(())
}

/// Whether a killed run may have left this file behind: `.NAME.placemat-PID-NUMBER`.
pub(super) fn is_passing(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_bytes();
    name.starts_with(b".") && name.windows(10).any(|part| part == b".placemat-")
}

/// The message of an error of the system.
#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
pub(super) fn said(error: std::io::Error) -> String {
    error.to_string()
}

/// Random numbers, seeded differently in each run.
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new() -> Chance {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        Chance(now.map_or(1, |now| now.as_nanos() as u64) | 1)
    }

    /// A number below `n`.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (self.0 >> 33) % n.max(1)
    }
}
