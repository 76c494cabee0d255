//! Tests a full disk and a device that fails: a file that cannot be written as a whole is not written.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::stage::{Stage, is_passing, said};
use super::{Effort, Seen};

/// A file system of half a megabyte, unmounted on drop.
struct Small<'a>(&'a Path);

impl Small<'_> {
    fn mount(path: &Path) -> Option<Small<'_>> {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=512k", "placemat-crash"]).arg(path);
        let output = mount.output().ok()?;
        output.status.success().then_some(Small(path))
    }
}

impl Drop for Small<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0).status();
    }
}

pub(super) fn run(stage: &Stage, _: Effort) -> Seen {
    let disk = stage.path("disk");
    fs::create_dir_all(&disk).map_err(said)?;
    let Some(_small) = Small::mount(&disk) else {
        return Ok("skipped: no tmpfs can be mounted here".to_owned());
    };
    let mut refused = 0;
    // Each time with another amount of free space.
    for size in [20_000, 100_000, 200_000, 230_000, 250_000, 256_000, 258_000, 260_000, 270_000] {
        let legacy = [b"d\xE9j\xE0 vu, ".repeat(size / 9), b"\n".to_vec()].concat();
        let damaged =
            ["déjà vu, déjà vu, ".repeat(size / 22).as_bytes(), b"\xE9\xED\xA0\xBD\xED\xB8\x80\n"].concat();
        let commands: [(&[u8], &[&str]); 5] = [
            (&legacy, &["convert", "-f", "windows-1252", "--in-place", "disk/file"]),
            (&legacy, &["convert", "-f", "windows-1252", "--in-place=.bak", "disk/file"]),
            (&damaged, &["repair", "--in-place", "disk/file"]),
            (&damaged, &["repair", "--in-place", "--report", "disk/report", "disk/file"]),
            (&legacy, &["edit", "-f", "windows-1252", "disk/file", "--", "sed", "-i", "s/vu/entendu/g"]),
        ];
        for (content, args) in commands {
            for entry in fs::read_dir(&disk).map_err(said)?.flatten() {
                let _ = fs::remove_file(entry.path());
            }
            stage.put("disk/file", content)?;
            let ended = stage.run(args)?;
            let now = fs::read(disk.join("file")).map_err(said)?;
            if ended.code != 0 {
                refused += 1;
                if now != content || ended.code != 2 {
                    let code = ended.code;
                    return Err(format!(
                        "{args:?} fails ({code}, {}), or the file is another one",
                        ended.err
                    ));
                }
            } else if !is_whole(&now, size) {
                return Err(format!("{args:?} succeeds, and the file is not whole"));
            }
            let left = stage.tree("disk")?.into_keys().find(|path| is_passing(path));
            if let Some(path) = left {
                return Err(format!("{args:?} leaves {}", path.display()));
            }
        }
    }
    match refused {
        0 => Err("the disk was never full".to_owned()),
        _ => Ok(format!("of 45 runs {refused} found no room; each of those left the file as it was")),
    }
}

/// Whether a text is complete (of about that size) and well-formed.
fn is_whole(text: &[u8], size: usize) -> bool {
    let Ok(text) = std::str::from_utf8(text) else {
        // `edit` writes a legacy encoding, and longer text.
        return text.ends_with(b"d\xE9j\xE0 entendu, \n") && text.len() > size;
    };
    text.len() + 50 > size && (text.ends_with("déjà vu, \n") || text.ends_with("é😀\n"))
}

/// A write error is reported, and the exit code is 2.
pub(super) fn device(stage: &Stage, _: Effort) -> Seen {
    stage.put("file", "texte\n".repeat(100_000))?;
    let commands: [&[&str]; 6] = [
        &["convert", "-t", "utf-16", "file"],
        &["repair", "file"],
        &["check", "--format=json", "file"],
        &["count", "file"],
        &["survey", "--format=json", "file"],
        &["explain", "C3 28"],
    ];
    for args in commands {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").map_err(said)?;
        let output = stage.command(args).stdout(full).output().map_err(said)?;
        if output.status.code() != Some(2) || output.stderr.is_empty() {
            return Err(format!("{args:?} on a full device: {:?}", output.status));
        }
    }
    let ended = stage.run(&["convert", "-t", "utf-16", "file", "-o", "/dev/full"])?;
    if ended.code != 2 {
        return Err("convert -o /dev/full does not fail".to_owned());
    }
    Ok("7 commands say so, with exit code 2".to_owned())
}
