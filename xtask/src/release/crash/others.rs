//! Tests that other programs may change the same files at the same time.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::iter;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::stage::{Chance, Ended, Stage, said};
use super::writer::{WRITERS, Writer, nothing_left};
use super::{Effort, Seen};

/// This many files, spread over so many folders.
fn files(count: usize, folders: usize) -> Vec<(String, usize)> {
    (0..count).map(|n| (format!("tree/{}/{n}", n % folders), n)).collect()
}

pub(super) fn vanishing(stage: &Stage, effort: Effort) -> Seen {
    let (mut chance, rounds, files) = (Chance::new(), effort.rounds.div_ceil(10), files(24, 4));
    for writer in WRITERS.iter().flat_map(|writer| iter::repeat_n(writer, rounds as usize)) {
        writer.prepare(stage, &files)?;
        let removed = [0; 24].map(|_| chance.below(2) == 0);
        let moment = Duration::from_millis(chance.below(120));
        while_it_runs(stage, writer, || {
            thread::sleep(moment);
            for (name, _) in files.iter().filter(|(_, n)| removed[*n]) {
                fs::remove_file(stage.path(name))?;
            }
            // Removing a folder can fail while a temporary file is in it.
            let _ = fs::remove_dir_all(stage.path("tree/3"));
            Ok(())
        })?;
        writer.inspect(stage, &files, |n| removed[n] || n % 4 == 3)?;
    }
    Ok(format!("{}, {rounds} rounds each, the rest of the tree is whole", names()))
}

pub(super) fn growing(stage: &Stage, effort: Effort) -> Seen {
    let (mut chance, rounds, files) = (Chance::new(), effort.rounds.div_ceil(10), files(1, 1));
    let (mut refused, mut lines) = (0, 0);
    let (name, path) = (files[0].0.as_str(), stage.path(&files[0].0));
    for writer in WRITERS.iter().flat_map(|writer| iter::repeat_n(writer, rounds as usize)) {
        // Another writer appends lines while the command runs.
        writer.prepare(stage, &files)?;
        let (is_over, delay) = (AtomicBool::new(false), Duration::from_millis(chance.below(20)));
        let (ended, appended) = thread::scope(|scope| {
            let appending = scope.spawn(|| {
                thread::sleep(delay);
                (0..).take_while(|_| !is_over.load(Ordering::Relaxed)).try_fold(0, |_, n| {
                    append(&path, n)?;
                    thread::sleep(Duration::from_millis(1));
                    io::Result::Ok(n + 1)
                })
            });
            let ended = writer.run(stage, &[], "tree").and_then(|ended| {
                let readers = [["check", "tree"], ["convert", name], ["count", name], ["survey", "tree"]];
                readers.iter().try_for_each(|args| stage.run(args).map(drop)).map(|()| ended)
            });
            is_over.store(true, Ordering::Relaxed);
            let appended = appending.join().map_err(|_| "who appends panics".to_owned())?.map_err(said)?;
            ended.map(|ended| (ended, appended))
        })?;
        refused += u32::from(ended.code != 0);
        lines += appended;
        has_grown(stage, writer, &path, appended, ended.code == 0)?;
        // Lines that are appended after the command has ended.
        writer.prepare(stage, &files)?;
        let ended = writer.run(stage, &[], "tree")?;
        (0..9).try_for_each(|n| append(&path, n)).map_err(said)?;
        has_grown(stage, writer, &path, 9, true)?;
        if ended.code != 0 {
            return Err(format!("{} is refused though nothing grows: {}", writer.name, ended.err));
        }
    }
    let runs = rounds * 4;
    Ok(format!(
        "{}, {rounds} rounds each: of {runs} runs while {lines} lines were appended, one each millisecond, which is less than a \
         run takes, {refused} refused; {runs} runs before lines were appended, all done; no line lost",
        names()
    ))
}

fn append(path: &Path, n: u32) -> io::Result<()> {
    OpenOptions::new().append(true).open(path)?.write_all(format!("line {n}\n").as_bytes())
}

/// Fails unless the file has its old content (with `is_new`, the new content) and then that many appended lines.
fn has_grown(stage: &Stage, writer: &Writer, path: &Path, lines: u32, is_new: bool) -> Result<(), String> {
    let behind: String = (0..lines).map(|n| format!("line {n}\n")).collect();
    let expected = if is_new { (writer.new)(0) } else { (writer.old)(0) };
    match fs::read(path).map_err(said)?.strip_suffix(behind.as_bytes()) {
        Some(text) if text == expected => nothing_left(stage),
        Some(_) => Err(format!("{}: what the lines were appended to is something else", writer.name)),
        None => Err(format!("{}: {lines} lines were appended, and not all are there", writer.name)),
    }
}

/// A version that is renamed into place while an older one is processed must stay.
pub(super) fn renaming(stage: &Stage, effort: Effort) -> Seen {
    let (mut chance, mut refused, files) = (Chance::new(), 0, files(1, 1));
    let path = stage.path(&files[0].0);
    for writer in &WRITERS {
        for n in 1..=effort.rounds as usize {
            writer.prepare(stage, &files)?;
            let new = stage.put("new", (writer.old)(n))?;
            let moment = Duration::from_micros(chance.below(60_000));
            let ended = while_it_runs(stage, writer, || {
                thread::sleep(moment);
                fs::rename(&new, &path)
            })?;
            refused += u32::from(ended.code != 0);
            let now = fs::read(&path).map_err(said)?;
            // The command may have found the new version and changed it. `--undo` must not change it: its report is
            // about another version.
            if now != (writer.old)(n) && (writer.is_undo() || now != (writer.new)(n)) {
                return Err(format!("{}: version {n} was replaced by an older one", writer.name));
            }
            nothing_left(stage)?;
        }
    }
    let rounds = effort.rounds;
    Ok(format!("{}, {rounds} versions each, {refused} runs refused for it, every version is there", names()))
}

pub(super) fn twins(stage: &Stage, effort: Effort) -> Seen {
    let (rounds, files) = (effort.rounds.div_ceil(10), files(12, 1));
    for writer in WRITERS.iter().flat_map(|writer| iter::repeat_n(writer, rounds as usize)) {
        writer.prepare(stage, &files)?;
        let ended = thread::scope(|scope| {
            let runs = [0; 3].map(|_| scope.spawn(|| writer.run(stage, &[], "tree")));
            runs.map(|run| run.join().map_err(|_| "a run panics".to_owned())?)
        });
        ended.into_iter().try_for_each(|ended| ended.map(drop))?;
        writer.inspect(stage, &files, |_| false)?;
        let last = writer.run(stage, &[], "tree")?;
        if last.code != 0 {
            return Err(format!("{} fails after its twins: {}", writer.name, last.err));
        }
        files.iter().try_for_each(|(name, n)| writer.expect(stage, name, *n, true))?;
    }
    Ok(format!("{}, {rounds} rounds of three runs each and one after them, every file changed once", names()))
}

/// Runs the command on `tree`, and `deed` at the same time.
fn while_it_runs(
    stage: &Stage,
    writer: &Writer,
    deed: impl FnOnce() -> io::Result<()>,
) -> Result<Ended, String> {
    thread::scope(|scope| {
        let run = scope.spawn(|| writer.run(stage, &[], "tree"));
        let done = deed();
        let ended = run.join().map_err(|_| "the run panics".to_owned())?;
        done.map_err(said).and(ended)
    })
}

/// The names of the commands that were tried.
fn names() -> String {
    WRITERS.map(|writer| writer.name).join(", ")
}
