//! Sends SIGKILL at random moments: each file must have its old or its new content, and repairs must be undoable.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::stage::{Chance, Stage, Tree, is_passing, said};
use super::{Effort, Seen};

/// French in windows-1252. The files differ, and are so large that kills hit them.
fn legacy(n: usize) -> Vec<u8> {
    format!("fichier {n}: d\u{e9}j\u{e0} vu, \u{e0} No\u{eb}l, o\u{f9} l'\u{e9}t\u{e9} fut g\u{ea}nant\n")
        .repeat(200 + n * 173 % 4000)
        .chars()
        .map(|c| c as u8)
        .collect()
}

/// UTF-8 with damage that `repair` can repair.
fn damaged(n: usize) -> Vec<u8> {
    let line = format!("fichier {n} : déjà vu, à Noël, où l'été fut gênant, très gêné, ça va être fêté\n");
    let mut text = line.repeat(100 + n * 173 % 2000).into_bytes();
    let len = text.len();
    for at in (0..10).map(|part| part * len / 10) {
        let end = text[at..].iter().position(|&byte| byte == b'\n').map_or(at, |line| at + line);
        text.splice(end..end, *b" caf\xE9 \xED\xA0\xBD\xED\xB8\x80");
    }
    text
}

/// A folder of such files.
fn folder(stage: &Stage, content: fn(usize) -> Vec<u8>) -> Tree {
    (0..16).map(|n| (stage.path(format!("tree/{}/{n}.txt", n % 3)), content(n))).collect()
}

/// When the kills came.
#[derive(Default)]
struct Hits {
    before: u32,
    between: u32,
    after: u32,
    /// Runs that had ended before the kill.
    late: u32,
    left: u32,
}

impl Hits {
    fn said(&self) -> String {
        let Hits { before, between, after, late, left } = self;
        format!(
            "{} kills ({before} before the first file was replaced, {between} between, {after} after the last), \
             {late} too late; {left} unfinished files left behind, nothing lost",
            before + between + after
        )
    }
}

/// Kills the command at random moments and calls `check` each time on what is left.
fn kill(
    stage: &Stage,
    effort: Effort,
    args: &[&str],
    (old, new): (&Tree, &Tree),
    check: impl Fn() -> Result<(), String>,
) -> Seen {
    let (mut chance, mut hits) = (Chance::new(), Hits::default());
    let reset = || {
        let _ = fs::remove_file(stage.path("report"));
        stage.restore("tree", old)
    };
    reset()?;
    let start = Instant::now();
    stage.run(args)?;
    let mut whole = start.elapsed();
    for _ in 0..effort.rounds {
        reset()?;
        let moment = whole.mul_f64(chance.below(1100) as f64 / 1000.0);
        let is_killed = stage.kill_after(args, moment)?;
        let replaced = inspect(stage, (old, new), &mut hits)?;
        check()?;
        match replaced {
            _ if !is_killed => {
                hits.late += 1;
                // Too many runs end before the kill: kill earlier.
                whole = whole.mul_f64(0.97);
                continue;
            }
            0 => hits.before += 1,
            n if n == old.len() => hits.after += 1,
            _ => hits.between += 1,
        }
    }
    if hits.before + hits.between + hits.after == 0 {
        return Err("no run was killed".to_owned());
    }
    Ok(hits.said())
}

/// Checks that each file is the old or the new one and that nothing else is there but unfinished files. Returns how many are new.
fn inspect(stage: &Stage, (old, new): (&Tree, &Tree), hits: &mut Hits) -> Result<usize, String> {
    let mut now = stage.tree("tree")?;
    now.retain(|path, _| {
        let is_left = is_passing(path);
        hits.left += u32::from(is_left);
        !is_left
    });
    let mut replaced = 0;
    for (path, content) in &now {
        let is_old = old.get(path).is_some_and(|old| old == content);
        if !is_old && new.get(path) != Some(content) {
            return Err(format!("{} is neither the old file nor the new one", path.display()));
        }
        replaced += usize::from(!is_old && old.contains_key(path));
    }
    match old.keys().find(|path| !now.contains_key(*path)) {
        Some(path) => Err(format!("{} is gone", path.display())),
        None => Ok(replaced),
    }
}

/// The tree after an undisturbed run.
fn undisturbed(stage: &Stage, old: &Tree, args: &[&str]) -> Result<Tree, String> {
    let _ = fs::remove_file(stage.path("report"));
    stage.restore("tree", old)?;
    let ended = stage.run(args)?;
    if ended.code != 0 {
        return Err(format!("fails undisturbed: {}", ended.err));
    }
    stage.tree("tree")
}

const CONVERT: [&str; 6] = ["convert", "-f", "windows-1252", "--in-place", "-j2", "tree"];

pub(super) fn convert(stage: &Stage, effort: Effort) -> Seen {
    let old = folder(stage, legacy);
    let new = undisturbed(stage, &old, &CONVERT)?;
    kill(stage, effort, &CONVERT, (&old, &new), || Ok(()))
}

/// Checks that each new file has its backup.
pub(super) fn convert_with_backup(stage: &Stage, effort: Effort) -> Seen {
    let mut args = CONVERT;
    args[3] = "--in-place=.bak";
    let old = folder(stage, legacy);
    let new = undisturbed(stage, &old, &args)?;
    kill(stage, effort, &args, (&old, &new), || {
        for (path, content) in stage.tree("tree")? {
            let backup = PathBuf::from(format!("{}.bak", path.display()));
            let is_new = old.get(&path).is_some_and(|old| *old != content);
            if is_new && fs::read(&backup).map_err(said)? != old[&path] {
                return Err(format!("{} is not the original", backup.display()));
            }
        }
        Ok(())
    })
}

const REPAIR: [&str; 6] = ["repair", "--in-place", "-j2", "--report", "report", "tree"];

/// Checks that the report of a killed run restores everything.
pub(super) fn repair(stage: &Stage, effort: Effort) -> Seen {
    let old = folder(stage, damaged);
    let new = undisturbed(stage, &old, &REPAIR)?;
    kill(stage, effort, &REPAIR, (&old, &new), || {
        let was_cut = trim(&stage.path("report"))?;
        let Some(was_cut) = was_cut else { return unchanged(stage, &old) };
        let ended = stage.run(&["repair", "--undo", "report"])?;
        if ended.code != 0 {
            return Err(format!("the report (cut: {was_cut}) cannot be undone: {}", ended.err));
        }
        unchanged(stage, &old)
    })
}

/// Kills `--undo`, then runs it to its end.
pub(super) fn undo(stage: &Stage, effort: Effort) -> Seen {
    let args = ["repair", "--undo", "report"];
    let old = folder(stage, damaged);
    let new = undisturbed(stage, &old, &REPAIR)?;
    let report = fs::read(stage.path("report")).map_err(said)?;
    // `kill` removes the report before each run; here each run needs the same one.
    fs::write(stage.path("kept"), &report).map_err(said)?;
    let args_kept = ["repair", "--undo", "kept"];
    let seen = kill(stage, effort, &args_kept, (&new, &old), || {
        let ended = stage.run(&args_kept)?;
        if ended.code == 0 { unchanged(stage, &old) } else { Err(format!("{args:?}: {}", ended.err)) }
    })?;
    Ok(seen)
}

fn unchanged(stage: &Stage, old: &Tree) -> Result<(), String> {
    let now = stage.tree("tree")?;
    match old.iter().find(|(path, content)| now.get(*path) != Some(content)) {
        Some((path, _)) => Err(format!("{} is not what it was", path.display())),
        None => Ok(()),
    }
}

/// Cuts the report off before its first incomplete line and the lines that belong to it, as the message of `--undo`
/// asks for. Returns `None` if there is no report, otherwise whether it had to be cut.
fn trim(report: &Path) -> Result<Option<bool>, String> {
    let Ok(text) = fs::read_to_string(report) else { return Ok(None) };
    let (mut whole, mut at, mut due) = (0, 0, 0u64);
    for line in text.split_inclusive('\n').take_while(|line| line.ends_with('\n')) {
        at += line.len();
        due = match line.contains(r#""type":"file""#) {
            true => number_after(line, r#""changes":"#),
            false => due.saturating_sub(1),
        };
        if due == 0 {
            whole = at;
        }
    }
    if whole == 0 {
        return Ok(None);
    }
    fs::write(report, &text[..whole]).map_err(said)?;
    Ok(Some(whole < text.len()))
}

fn number_after(line: &str, key: &str) -> u64 {
    let digits = line.rsplit_once(key).map_or("", |(_, rest)| rest);
    digits.bytes().take_while(u8::is_ascii_digit).fold(0, |n, digit| n * 10 + u64::from(digit - b'0'))
}

pub(super) fn edit(stage: &Stage, effort: Effort) -> Seen {
    let args = ["edit", "-f", "windows-1252", "tree/0/0.txt", "--", "sed", "-i", "s/fichier/feuille/"];
    let old = Tree::from([(stage.path("tree/0/0.txt"), legacy(0))]);
    let new = undisturbed(stage, &old, &args)?;
    let seen = kill(stage, effort, &args, (&old, &new), || Ok(()))?;
    // Private copies are left among the temporary files of the system.
    let copies = fs::read_dir(stage.path("tmp")).map_err(said)?.count();
    if effort.rounds > 0 && new == old {
        return Err("the edit changes nothing".to_owned());
    }
    Ok(format!("{seen}; {copies} private copies left among the temporary files"))
}

/// The most time for a run that should end at once.
pub(super) const AT_ONCE: Duration = Duration::from_secs(20);
