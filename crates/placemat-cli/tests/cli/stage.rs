//! A folder of its own for each test, and the command run in it.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A temporary folder.
pub(crate) struct Stage(tempfile::TempDir);

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    fn of(output: &Output) -> Ran {
        Ran {
            code: output.status.code(),
            out: String::from_utf8(output.stdout.clone()).expect("standard output is UTF-8"),
            err: String::from_utf8(output.stderr.clone()).expect("standard error is UTF-8"),
        }
    }

    /// Exit code and standard output; standard error must be empty.
    #[track_caller]
    pub(crate) fn quiet(&self) -> (i32, &str) {
        assert_eq!(self.err, "");
        (self.code.expect("an exit code"), &self.out)
    }
}

impl Stage {
    pub(crate) fn new() -> Stage {
        Stage(tempfile::tempdir().expect("a temporary folder"))
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// Put a file there, and the folders it needs.
    pub(crate) fn file(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// The command in this folder, 80 columns wide, without colours.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_placemat"));
        command.args(args).current_dir(self.0.path()).env("COLUMNS", "80").env("NO_COLOR", "1");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::of(&self.command(args).output().unwrap())
    }

    /// Run it with this on standard input.
    pub(crate) fn run_with(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut child = self.command(args).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        // The command may be through before it has read everything.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Ran::of(&output)
    }

    /// Run it as somebody who may not read everything; `None`, with a message, where that cannot be arranged.
    #[cfg(unix)]
    pub(crate) fn run_unprivileged(&self, args: &[&str]) -> Option<Ran> {
        use std::os::unix::fs::PermissionsExt as _;
        use std::os::unix::process::CommandExt as _;
        fs::set_permissions(self.0.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let probe = self.file("probe", "");
        fs::set_permissions(&probe, fs::Permissions::from_mode(0o000)).unwrap();
        let mut command = self.command(args);
        let is_root = fs::File::open(&probe).is_ok();
        fs::remove_file(&probe).unwrap();
        if is_root {
            command.uid(65534).gid(65534);
        }
        match command.output() {
            Ok(output) => Some(Ran::of(&output)),
            Err(error) => {
                eprintln!("skipped: the command cannot be run as another user: {error}");
                None
            }
        }
    }
}
