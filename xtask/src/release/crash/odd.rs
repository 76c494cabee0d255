//! Tests write-protected files, files with several names, odd names or a huge length, and FIFOs and devices.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use super::killed::AT_ONCE;
use super::stage::{Ended, Stage, Tree, said};
use super::writer::{CONVERT, EDIT, REPAIR, UNDO, WRITERS, nothing_left};
use super::{Effort, Seen};

const LEGACY: &[u8] = b"d\xE9j\xE0 vu\n";
const TEXT: &str = "déjà vu\n";
/// A user who owns nothing.
const NOBODY: u32 = 65534;

fn mode(stage: &Stage, name: &str, mode: u32) -> Result<(), String> {
    fs::set_permissions(stage.path(name), fs::Permissions::from_mode(mode)).map_err(said)
}

/// Runs as another user if we are root, since root may write everything.
pub(super) fn read_only(stage: &Stage, _: Effort) -> Seen {
    let files =
        ["tree/open/protected", "tree/closed/file", "tree/open/file"].map(|name| (name.to_owned(), 0));
    let is_root = fs::metadata("/proc/self").map_err(said)?.uid() == 0;
    mode(stage, "tmp", 0o777)?;
    for writer in &WRITERS {
        writer.prepare(stage, &files)?;
        for (name, bits) in
            [("open", 0o777), ("open/protected", 0o444), ("closed", 0o555), ("closed/file", 0o666)]
        {
            mode(stage, &format!("tree/{name}"), bits)?;
        }
        let mut command = stage.command(&writer.words(&[], "tree"));
        if is_root {
            command.uid(NOBODY).gid(NOBODY);
            for (name, _) in &files {
                chown(stage.path(name), Some(NOBODY), Some(NOBODY)).map_err(said)?;
            }
        }
        let output = match command.output() {
            Ok(output) => output,
            Err(error) => return Ok(format!("skipped: nobody else can run the command here: {error}")),
        };
        mode(stage, "tree/closed", 0o755)?;
        let ended = Ended::of(&output)?;
        if ended.code != 2 {
            return Err(format!("{} ends with {}: {}", writer.name, ended.code, ended.err));
        }
        files.iter().try_for_each(|(name, n)| writer.expect(stage, name, *n, name == &files[2].0))?;
        nothing_left(stage)?;
    }
    Ok("convert, repair, edit and --undo refuse both, and change the file beside them".to_owned())
}

pub(super) fn hard_links(stage: &Stage, _: Effort) -> Seen {
    let files = [("tree/file".to_owned(), 0)];
    for writer in &WRITERS {
        writer.prepare(stage, &files)?;
        let _ = fs::remove_file(stage.path("other"));
        fs::hard_link(stage.path("tree/file"), stage.path("other")).map_err(said)?;
        for (flags, code, is_new) in [(&[][..], 2, false), (&["--break-links"], 0, true)] {
            let ended = writer.run(stage, flags, "tree")?;
            if ended.code != code {
                return Err(format!("{} {flags:?} ends with {}: {}", writer.name, ended.code, ended.err));
            }
            writer.expect(stage, "tree/file", 0, is_new)?;
            writer.expect(stage, "other", 0, false)?;
        }
    }
    Ok("convert, repair, edit and --undo refuse; with --break-links the other name keeps the old content"
        .to_owned())
}

pub(super) fn symbolic_links(stage: &Stage, _: Effort) -> Seen {
    let files = [("tree/target".to_owned(), 0)];
    for (name, to) in [("link", "tree/target"), ("loop", "loop"), ("gone", "nowhere")] {
        symlink(to, stage.path(name)).map_err(said)?;
    }
    let is_link = |name: &str| fs::symlink_metadata(stage.path(name)).is_ok_and(|link| link.is_symlink());
    for writer in [CONVERT, REPAIR, EDIT] {
        writer.prepare(stage, &files)?;
        for (flags, path, code, is_new) in [
            (&["--no-follow"][..], "link", 2, false),
            (&[], "loop", 2, false),
            (&[], "gone", 2, false),
            (&[], "link", 0, true),
        ] {
            let ended = writer.run(stage, flags, path)?;
            if ended.code != code || !is_link(path) || fs::exists(stage.path("nowhere")).map_err(said)? {
                return Err(format!("{} {path} ends with {}: {}", writer.name, ended.code, ended.err));
            }
            writer.expect(stage, "tree/target", 0, is_new)?;
        }
    }
    // The report names the file, not the link.
    UNDO.prepare(stage, &files)?;
    fs::rename(stage.path("tree/target"), stage.path("elsewhere")).map_err(said)?;
    symlink("../elsewhere", stage.path("tree/target")).map_err(said)?;
    let ended = UNDO.run(stage, &[], "tree")?;
    if ended.code != 1 || !is_link("tree/target") {
        return Err(format!("--undo ends with {}: {}", ended.code, ended.err));
    }
    UNDO.expect(stage, "elsewhere", 0, false)?;
    Ok("convert, repair and edit replace the target, and the link stays; with --no-follow they refuse; loops and dead ends are \
        errors; --undo follows none"
        .to_owned())
}

pub(super) fn no_files(stage: &Stage, _: Effort) -> Seen {
    let made = Command::new("mkfifo").arg(stage.path("fifo")).status();
    if !made.is_ok_and(|status| status.success()) {
        return Ok("skipped: no FIFO can be made here".to_owned());
    }
    // Opening a FIFO waits until the other end is open.
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
    // In a tree they are skipped.
    stage.put("tree/file", LEGACY)?;
    Command::new("mkfifo").arg(stage.path("tree/fifo")).status().map_err(said)?;
    let ended = stage.run(&["convert", "-f", "windows-1252", "--in-place", "tree"])?;
    if ended.code != 0 || fs::read(stage.path("tree/file")).map_err(said)? != TEXT.as_bytes() {
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
    let content = |end: &[u8]| [TEXT.repeat(9).as_bytes(), end].concat();
    let tree_of = |content: &[u8]| -> Tree {
        let paths = names.iter().map(|name| stage.path("tree").join(OsStr::from_bytes(name)));
        paths.map(|path| (path, content.to_vec())).collect()
    };
    let (damaged, repaired) = (tree_of(&content(b"caf\xE9\n")), tree_of(&content("café\n".as_bytes())));
    stage.restore("tree", &damaged)?;
    let commands: [(&[&str], &Tree); 2] = [
        (&["repair", "--in-place", "--hidden", "--report", "report", "tree"], &repaired),
        (&["repair", "--undo", "report"], &damaged),
    ];
    for (args, expected) in commands {
        let ended = stage.run(args)?;
        if ended.code != 0 || stage.tree("tree")? != *expected {
            return Err(format!("{args:?}: {}", ended.err));
        }
    }
    Ok(format!("{} of them repaired and put back", names.len()))
}

/// A length over 4 GiB.
const LENGTH: u64 = (4 << 30) + 12_345;

pub(super) fn large(stage: &Stage, effort: Effort) -> Seen {
    if !effort.is_long {
        return Ok("skipped in the sample".to_owned());
    }
    let path = stage.path("large");
    // An error before 4 GiB and one after: a surrogate pair.
    let (first, last, pair) = (1_000_000, LENGTH - 10, b"\xED\xA0\xBD\xED\xB8\x80");
    let mut file = fs::File::create(&path).map_err(said)?;
    file.set_len(LENGTH).map_err(said)?;
    for at in [first, last] {
        file.seek(SeekFrom::Start(at)).and_then(|_| file.write_all(pair)).map_err(said)?;
    }
    drop(file);
    let (emoji, bytes) = ("😀".as_bytes(), "í\u{A0}½í¸€".as_bytes());
    // Each command with the expected length and bytes.
    let commands: [(&[&str], i32, &[u8]); 4] = [
        (&["edit", "-f", "utf-8", "large", "--", "sed", "-i", "s/a/b/"], 1, pair),
        (&["repair", "--in-place", "--binary", "--report", "report", "large"], 0, emoji),
        (&["repair", "--undo", "report"], 0, pair),
        (&["convert", "--on-error=cp1252", "--in-place", "large"], 0, bytes),
    ];
    for (args, code, here) in commands {
        let ended = stage.run(args)?;
        if ended.code != code {
            return Err(format!("{args:?} ends with {}: {}", ended.code, ended.err));
        }
        // The first place stays; the last one moves as the length changes.
        let places = [first, last - pair.len() as u64 + here.len() as u64];
        let length = LENGTH - 2 * pair.len() as u64 + 2 * here.len() as u64;
        if !holds(&path, length, places, here).map_err(said)? {
            return Err(format!("{args:?} leaves something else"));
        }
    }
    Ok("repaired before and behind 4 GiB and put back, converted, each byte as it must be; edit refuses it"
        .to_owned())
}

/// Whether a file has this length, these bytes at these places, and zeros elsewhere.
fn holds(path: &Path, length: u64, places: [u64; 2], here: &[u8]) -> io::Result<bool> {
    let mut file = fs::File::open(path)?;
    if file.metadata()?.len() != length {
        return Ok(false);
    }
    let (mut at, mut block, zeros) = (0, vec![0; 1 << 20], vec![0; 1 << 20]);
    for (place, there) in places.into_iter().map(|place| (place, here)).chain([(length, &[][..])]) {
        while at < place {
            let part = (place - at).min(block.len() as u64) as usize;
            file.read_exact(&mut block[..part])?;
            if block[..part] != zeros[..part] {
                return Ok(false);
            }
            at += part as u64;
        }
        file.read_exact(&mut block[..there.len()])?;
        if block[..there.len()] != *there {
            return Ok(false);
        }
        at += there.len() as u64;
    }
    Ok(true)
}
