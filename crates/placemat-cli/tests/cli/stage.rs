//! A temporary folder for each test, and the command that is run in it.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// A temporary folder.
pub(crate) struct Stage(tempfile::TempDir);

/// What a run returned. `out` is bytes in tests of bytes.
#[derive(Debug)]
pub(crate) struct Ran<Out = String> {
    pub(crate) code: Option<i32>,
    pub(crate) out: Out,
    pub(crate) err: String,
}

impl Ran<Vec<u8>> {
    fn of(output: Output) -> Ran<Vec<u8>> {
        let err = String::from_utf8(output.stderr).expect("standard error is UTF-8");
        Ran { code: output.status.code(), out: output.stdout, err }
    }

    fn text(self) -> Ran {
        let out = String::from_utf8(self.out).expect("standard output is UTF-8");
        Ran { code: self.code, out, err: self.err }
    }
}

impl Ran {
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

    /// A temporary folder below `path`, if that can be written.
    pub(crate) fn below(path: &str) -> Option<Stage> {
        tempfile::tempdir_in(path).ok().map(Stage)
    }

    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// Creates a file, and the folders that it needs.
    pub(crate) fn file(&self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn get(&self, name: impl AsRef<Path>) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    /// The names in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The command in this folder, 80 columns wide, without colours.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_placemat"));
        command.args(args).current_dir(self.0.path()).env("COLUMNS", "80").env("NO_COLOR", "1");
        command.env_remove("RUST_BACKTRACE");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Starts the command with pipes for standard input, output and error.
    pub(crate) fn start(&self, args: &[&str]) -> Child {
        self.command(args).stdin(Stdio::piped()).spawn().unwrap()
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args).output().unwrap()).text()
    }

    /// Runs the command with `input` on standard input.
    pub(crate) fn run_with(&self, args: &[&str], input: &[u8]) -> Ran {
        self.run_on(args, input).text()
    }

    /// Like [`Stage::run_with`], with the output as bytes.
    pub(crate) fn run_on(&self, args: &[&str], input: impl AsRef<[u8]>) -> Ran<Vec<u8>> {
        let mut child = self.start(args);
        let mut stdin = child.stdin.take().unwrap();
        let input = input.as_ref().to_vec();
        // The command may end before it has read everything.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Ran::of(output)
    }

    /// Runs the command as a user who may not read everything; `None`, with a message, where that is not possible.
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
            Ok(output) => Some(Ran::of(output).text()),
            Err(error) => {
                eprintln!("skipped: the command cannot be run as another user: {error}");
                None
            }
        }
    }
}

/// Runs the command on `input` in an empty folder.
pub(crate) fn placemat(args: &[&str], input: impl AsRef<[u8]>) -> Ran<Vec<u8>> {
    Stage::new().run_on(args, input)
}
