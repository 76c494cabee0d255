//! Files that are protected, that have several names or odd ones, that are large, and what is no file at all.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::process::Command;
use std::time::Instant;

use super::killed::AT_ONCE;
use super::stage::{Stage, said};
use super::{Effort, Seen};

const LEGACY: &[u8] = b"d\xE9j\xE0 vu\n";
const TEXT: &str = "déjà vu\n";
const CONVERT: [&str; 5] = ["convert", "-f", "windows-1252", "--in-place", "file"];

fn mode(stage: &Stage, name: &str, mode: u32) -> Result<(), String> {
    fs::set_permissions(stage.path(name), fs::Permissions::from_mode(mode)).map_err(said)
}

/// Not for root, who may do everything.
pub(super) fn read_only(stage: &Stage, _: Effort) -> Seen {
    stage.put("open/file", LEGACY)?;
    stage.put("closed/file", LEGACY)?;
    mode(stage, "open", 0o777)?;
    mode(stage, "open/file", 0o444)?;
    mode(stage, "closed", 0o555)?;
    mode(stage, "closed/file", 0o666)?;
    let is_root = fs::metadata("/proc/self").map_err(said)?.uid() == 0;
    for path in ["open/file", "closed/file"] {
        let mut command = stage.command(&["convert", "-f", "windows-1252", "--in-place", path]);
        if is_root {
            command.uid(65534).gid(65534);
        }
        let output = match command.output() {
            Ok(output) => output,
            Err(error) => return Ok(format!("skipped: nobody else can run the command here: {error}")),
        };
        if output.status.code() != Some(2) || fs::read(stage.path(path)).map_err(said)? != LEGACY {
            return Err(format!("{path}: {:?}", output.status));
        }
    }
    mode(stage, "closed", 0o755)?;
    Ok("both are refused".to_owned())
}

pub(super) fn hard_links(stage: &Stage, _: Effort) -> Seen {
    let file = stage.put("file", LEGACY)?;
    fs::hard_link(&file, stage.path("other")).map_err(said)?;
    let refused = stage.run(&CONVERT)?;
    if refused.code != Some(2) || fs::read(&file).map_err(said)? != LEGACY {
        return Err("a file with two names is replaced".to_owned());
    }
    stage.run(&[&CONVERT[..], &["--break-links"]].concat())?;
    match (fs::read(&file).map_err(said)?, fs::read(stage.path("other")).map_err(said)?) {
        (new, old) if new == TEXT.as_bytes() && old == LEGACY => {
            Ok("refused; with --break-links the other name keeps the old content".to_owned())
        }
        _ => Err("--break-links mixes them up".to_owned()),
    }
}

pub(super) fn symbolic_links(stage: &Stage, _: Effort) -> Seen {
    let target = stage.put("elsewhere/target", LEGACY)?;
    symlink(&target, stage.path("file")).map_err(said)?;
    let refused = stage.run(&[&CONVERT[..], &["--no-follow"]].concat())?;
    if refused.code != Some(2) || fs::read(&target).map_err(said)? != LEGACY {
        return Err("--no-follow follows".to_owned());
    }
    stage.run(&CONVERT)?;
    if fs::read(&target).map_err(said)? != TEXT.as_bytes()
        || !fs::symlink_metadata(stage.path("file")).map_err(said)?.is_symlink()
    {
        return Err("the link is replaced, not its target".to_owned());
    }
    for (name, to) in [("loop", "loop"), ("gone", "nowhere")] {
        symlink(to, stage.path(name)).map_err(said)?;
        if stage.run(&["convert", "--in-place", name])?.code != Some(2) {
            return Err(format!("{name} is converted"));
        }
    }
    Ok("the target is replaced, the link stays; --no-follow refuses; loops and dead ends are errors"
        .to_owned())
}

pub(super) fn no_files(stage: &Stage, _: Effort) -> Seen {
    let made = Command::new("mkfifo").arg(stage.path("fifo")).status();
    if !made.is_ok_and(|status| status.success()) {
        return Ok("skipped: no FIFO can be made here".to_owned());
    }
    // Somebody must hold it open, or every opening waits.
    let _held = fs::OpenOptions::new().read(true).write(true).open(stage.path("fifo")).map_err(said)?;
    for path in ["fifo", "/dev/null", "/dev/full"] {
        let commands: [&[&str]; 3] = [
            &["convert", "--in-place", path],
            &["repair", "--in-place", path],
            &["edit", "-f", "utf-8", path, "--", "true"],
        ];
        for args in commands {
            let start = Instant::now();
            let ended = Command::new("timeout")
                .arg("20")
                .arg(stage.command(args).get_program())
                .args(args)
                .current_dir(stage.path(""))
                .output()
                .map_err(said)?;
            if ended.status.code() != Some(2) || start.elapsed() > AT_ONCE {
                return Err(format!("{args:?}: {:?} after {:?}", ended.status, start.elapsed()));
            }
        }
    }
    // In a tree they are passed over.
    stage.put("tree/file", LEGACY)?;
    Command::new("mkfifo").arg(stage.path("tree/fifo")).status().map_err(said)?;
    let ended = stage.run(&["convert", "-f", "windows-1252", "--in-place", "tree"])?;
    if ended.code != Some(0) || fs::read(stage.path("tree/file")).map_err(said)? != TEXT.as_bytes() {
        return Err(format!("a tree with a FIFO: {}", ended.err));
    }
    Ok("refused by name, passed over in trees; nobody waits".to_owned())
}

pub(super) fn names(stage: &Stage, _: Effort) -> Seen {
    let names: [&[u8]; 8] = [
        b"line\nfeed",
        b"ill-\xFFformed",
        b"-option",
        b" ",
        b"\x1b[31m",
        b"cut-off-\xF0\x9F\x98",
        b"..placemat-1-0",
        &[b'n'; 250],
    ];
    let before: Vec<&OsStr> = names.iter().map(|name| OsStr::from_bytes(name)).collect();
    let damaged = [TEXT.repeat(9).as_bytes(), b"caf\xE9\n"].concat();
    for name in &before {
        stage.put(OsString::from_iter(["tree/".as_ref(), *name]), &damaged)?;
    }
    let repaired = stage.run(&["repair", "--in-place", "--hidden", "--report", "report", "tree"])?;
    let tree = stage.tree("tree")?;
    if repaired.code != Some(0)
        || tree.len() != names.len()
        || tree.values().any(|content| *content == damaged)
    {
        return Err(format!("repair: {}", repaired.err));
    }
    let undone = stage.run(&["repair", "--undo", "report"])?;
    let tree = stage.tree("tree")?;
    if undone.code != Some(0) || tree.len() != names.len() || tree.values().any(|content| *content != damaged)
    {
        return Err(format!("--undo: {}", undone.err));
    }
    Ok(format!("{} of them repaired and put back", names.len()))
}

pub(super) fn large(stage: &Stage, effort: Effort) -> Seen {
    if !effort.is_long {
        return Ok("skipped in the sample".to_owned());
    }
    const SIZE: u64 = (4 << 30) + 12_345;
    let path = stage.path("large");
    let mut file = fs::File::create(&path).map_err(said)?;
    file.set_len(SIZE).map_err(said)?;
    // An error before and one behind 4 GiB.
    for at in [1_000_000, SIZE - 10] {
        file.seek(SeekFrom::Start(at)).map_err(said)?;
        file.write_all(b"\xED\xA0\xBD\xED\xB8\x80").map_err(said)?;
    }
    drop(file);
    let repaired = stage.run(&["repair", "--in-place", "--binary", "--report", "report", "large"])?;
    if repaired.code != Some(0) {
        return Err(format!("repair: {}", repaired.err));
    }
    let mut file = fs::File::open(&path).map_err(said)?;
    let mut end = Vec::new();
    file.seek(SeekFrom::Start(SIZE - 12)).and_then(|_| file.read_to_end(&mut end)).map_err(said)?;
    if end != b"\xF0\x9F\x98\x80\0\0\0\0" {
        return Err(format!("the end is {end:02X?}"));
    }
    let undone = stage.run(&["repair", "--undo", "report"])?;
    if undone.code != Some(0) || fs::metadata(&path).map_err(said)?.len() != SIZE {
        return Err(format!("--undo: {}", undone.err));
    }
    Ok("repaired behind 4 GiB, and put back byte for byte".to_owned())
}
