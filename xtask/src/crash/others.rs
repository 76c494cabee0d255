//! Somebody else works on the same files.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::stage::{Chance, Ended, Stage, is_passing, said};
use super::{Effort, Seen};

const LINE: &str = "déjà vu, à Noël, où l'été fut gênant, très gêné\n";
const REPAIR: [&str; 3] = ["repair", "--in-place", "tree"];

/// A text with damage, in some version.
fn version(n: usize) -> Vec<u8> {
    [format!("version {n}\n{}", LINE.repeat(4000)).as_bytes(), b"caf\xE9\n"].concat()
}

/// What becomes of it.
fn repaired(n: usize) -> Vec<u8> {
    format!("version {n}\n{}café\n", LINE.repeat(4000)).into_bytes()
}

fn ended_by_itself(ended: &Ended) -> Result<(), String> {
    ended.code.map(drop).ok_or_else(|| format!("it was killed: {}", ended.err))
}

/// What unfinished files there are once nobody works any more.
fn nothing_left(stage: &Stage) -> Result<(), String> {
    let left = stage.tree("tree")?.into_keys().find(|path| is_passing(path));
    left.map_or(Ok(()), |path| Err(format!("{} is left behind", path.display())))
}

pub(super) fn vanishing(stage: &Stage, effort: Effort) -> Seen {
    let mut chance = Chance::new();
    for _ in 0..effort.rounds.div_ceil(10) {
        for n in 0..24 {
            stage.put(format!("tree/{}/{n}", n % 4), version(n))?;
        }
        let ended = thread::scope(|scope| {
            let run = scope.spawn(|| stage.run(&REPAIR));
            thread::sleep(Duration::from_millis(chance.below(120)));
            for n in (0..24).filter(|_| chance.below(2) == 0) {
                let _ = fs::remove_file(stage.path(format!("tree/{}/{n}", n % 4)));
            }
            let _ = fs::remove_dir_all(stage.path("tree/3"));
            run.join().map_err(|_| "the run panics".to_owned())?
        })?;
        ended_by_itself(&ended)?;
        for (path, content) in stage.tree("tree")? {
            let n = path.file_name().and_then(|name| name.to_str()?.parse().ok());
            if !n.is_some_and(|n| content == version(n) || content == repaired(n)) {
                return Err(format!("{} is something else", path.display()));
            }
        }
    }
    Ok(format!("{} rounds, the rest of the tree is whole", effort.rounds.div_ceil(10)))
}

pub(super) fn growing(stage: &Stage, effort: Effort) -> Seen {
    let path = stage.put("tree/log", version(0))?;
    let is_over = AtomicBool::new(false);
    let (mut runs, mut refused) = (0, 0);
    let written = thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut written = 0;
            while !is_over.load(Ordering::Relaxed) {
                let mut file = OpenOptions::new().append(true).open(&path)?;
                file.write_all(format!("line {written}\n").as_bytes())?;
                written += 1;
                thread::sleep(Duration::from_millis(1));
            }
            std::io::Result::Ok(written)
        });
        let start = Instant::now();
        let look = |args: &[&str]| {
            let ended = stage.run(args)?;
            ended_by_itself(&ended).map(|()| ended)
        };
        let readers = [["check", "tree"], ["convert", "tree/log"], ["count", "tree/log"], ["survey", "tree"]];
        let ran = loop {
            let all = look(&REPAIR)
                .and_then(|ended| readers.iter().try_for_each(|args| look(args).map(drop)).map(|()| ended));
            match all {
                Ok(ended) => refused += u32::from(ended.code == Some(2)),
                Err(error) => break Err(error),
            }
            runs += 1;
            if runs >= effort.rounds.div_ceil(10) || start.elapsed() > Duration::from_secs(60) {
                break Ok(());
            }
        };
        is_over.store(true, Ordering::Relaxed);
        let written = writer.join().map_err(|_| "the writer panics".to_owned())?.map_err(said)?;
        ran.map(|()| written)
    })?;
    let text = fs::read(&path).map_err(said)?;
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().filter_map(|line| line.strip_prefix("line ")?.parse::<u32>().ok());
    if !lines.eq(0..written) {
        return Err(format!("{written} lines were appended, and not all are there"));
    }
    nothing_left(stage)?;
    Ok(format!("{runs} runs while {written} lines were appended, {refused} refused, no line lost"))
}

/// A version that comes while an older one is repaired stays.
pub(super) fn renaming(stage: &Stage, effort: Effort) -> Seen {
    let (mut chance, mut refused) = (Chance::new(), 0);
    let path = stage.put("tree/file", version(0))?;
    for n in 1..=effort.rounds as usize {
        stage.put("tree/file", version(0))?;
        let new = stage.put("new", version(n))?;
        let ended = thread::scope(|scope| {
            let run = scope.spawn(|| stage.run(&REPAIR));
            thread::sleep(Duration::from_micros(chance.below(60_000)));
            let renamed = fs::rename(&new, &path);
            let ended = run.join().map_err(|_| "the run panics".to_owned())?;
            renamed.map_err(said).and(ended)
        })?;
        refused += u32::from(ended.code == Some(2));
        let now = fs::read(&path).map_err(said)?;
        if now != version(n) && now != repaired(n) {
            return Err(format!("version {n} was replaced by an older one"));
        }
        nothing_left(stage)?;
    }
    Ok(format!("{} versions came, {refused} repairs refused for it, every version is there", effort.rounds))
}

pub(super) fn twins(stage: &Stage, effort: Effort) -> Seen {
    let rounds = effort.rounds.div_ceil(10);
    for _ in 0..rounds {
        for n in 0..12 {
            stage.put(format!("tree/{n}"), version(n))?;
        }
        let ended = thread::scope(|scope| {
            let runs = [0; 3].map(|_| scope.spawn(|| stage.run(&REPAIR)));
            runs.map(|run| run.join().map_err(|_| "the run panics".to_owned())?)
        });
        for ended in ended {
            ended_by_itself(&ended?)?;
        }
        stage.run(&REPAIR)?;
        for (path, content) in stage.tree("tree")? {
            let n = path.file_name().and_then(|name| name.to_str()?.parse().ok());
            if n.is_none_or(|n| content != repaired(n)) {
                return Err(format!("{} is something else", path.display()));
            }
        }
    }
    Ok(format!("{rounds} rounds of three runs each, every file repaired once"))
}
