//! Runs every fuzz target for some time. Each run is a line of `target/record/fuzz.log`; the record has their sums.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use crate::record;
use crate::shell::{Done, call, command, cpu_of, root};

/// The target for which cargo-fuzz builds.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The outcome of a run that found nothing.
const NOTHING: &str = "nothing";

pub(crate) fn run(mut args: impl Iterator<Item = String>) -> Done {
    let number = |text: String| text.parse::<u64>().map_err(|_| format!("{text}: not a number of seconds"));
    let seconds = args.next().map_or(Ok(60), number)?;
    let goal = match (args.next().as_deref(), args.next()) {
        (None, _) => None,
        (Some("--until"), Some(goal)) => Some(number(goal)?),
        _ => return Err("fuzz SECONDS [--until SECONDS]".to_owned()),
    };
    let targets = targets().map_err(|error| error.to_string())?;
    let sources = record::sources(&["crates", "fuzz/src"]);
    if let Some(goal) = goal
        && have_all_had(&targets, goal, &sources)
    {
        return Ok(());
    }
    // Without traces of comparisons: they take more than half of the time and find nothing here that random bytes do not find.
    let folder = root().join("fuzz");
    let mut build = command("cargo +nightly fuzz build --no-trace-compares");
    call(build.env("CARGO_TARGET_DIR", folder.join("target")).current_dir(folder))?;
    targets.iter().try_for_each(|target| expand_seeds(target))?;
    let outcome = all(&targets, seconds, goal, &sources);
    let line = goal.map_or(String::new(), |goal| format!(" --until {goal}"));
    let table = table(&recorded(), &targets, &sources);
    record::keep("fuzz", &format!("cargo xtask fuzz {seconds}{line}"), &sources, &table)?;
    outcome
}

/// Writes the seeds of a target, which are lines in the repository, as the folder of files that libFuzzer wants.
fn expand_seeds(target: &str) -> Done {
    let said = |error: std::io::Error| format!("the seeds of {target}: {error}");
    let text =
        fs::read_to_string(root().join("fuzz/seeds").join(target).with_extension("txt")).map_err(said)?;
    let folder = seeds_of(target);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(said)?;
    for (at, line) in text.lines().enumerate() {
        let seed =
            unescape(line).ok_or_else(|| format!("fuzz/seeds/{target}.txt:{}: cannot be read", at + 1))?;
        fs::write(folder.join(at.to_string()), seed).map_err(said)?;
    }
    Ok(())
}

fn seeds_of(target: &str) -> PathBuf {
    root().join("fuzz/target/seeds").join(target)
}

/// The bytes of a line in which `\xNN` is a byte and `\\` a backslash.
fn unescape(line: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut rest) = (Vec::new(), line);
    while let Some((before, escape)) = rest.split_once('\\') {
        bytes.extend_from_slice(before.as_bytes());
        if let Some(after) = escape.strip_prefix('\\') {
            bytes.push(b'\\');
            rest = after;
        } else {
            bytes.push(u8::from_str_radix(escape.strip_prefix('x')?.get(..2)?, 16).ok()?);
            rest = &escape[3..];
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    Some(bytes)
}

fn targets() -> std::io::Result<Vec<String>> {
    let files = fs::read_dir(root().join("fuzz/fuzz_targets"))?;
    Ok(files.filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned())).collect())
}

/// Whether each target has had its seconds with these sources. Prints the targets that have.
fn have_all_had(targets: &[String], goal: u64, sources: &str) -> bool {
    let log = recorded();
    let done = targets.iter().filter(|target| {
        let had = so_far(&log, target, sources);
        if had >= goal {
            eprintln!("{target}: {had} seconds of CPU time are done, {goal} were asked for: not run again");
        }
        had >= goal
    });
    done.count() == targets.len()
}

/// Runs the targets, as many at a time as there are cores, always the one next that has run least. Each runs once, or
/// until it has reached the goal.
fn all(targets: &[String], seconds: u64, goal: Option<u64>, sources: &str) -> Done {
    // The targets that run now, have had their only turn, or have failed.
    let taken = Mutex::new(BTreeSet::new());
    let failed = Mutex::new(Vec::new());
    let next = || {
        let log = recorded();
        let mut taken = taken.lock().expect("no thread has failed");
        let free = targets.iter().filter(|target| !taken.contains(*target));
        let open = free.map(|target| (so_far(&log, target, sources), target));
        let (had, target) = open.filter(|(had, _)| goal.is_none_or(|goal| *had < goal)).min()?;
        taken.insert(target.clone());
        // A target never has a core to itself: the rest of its CPU time takes a little longer by the clock.
        let left = goal.map_or(seconds, |goal| (goal - had) * 21 / 20 + 1);
        Some((target, seconds.min(left)))
    };
    let one_after_another = || {
        while let Some((target, seconds)) = next() {
            let outcome = one(target, seconds, sources);
            match outcome.and_then(|line| note(&line).map(|()| line)) {
                Ok(line) if line.contains(&format!("| {NOTHING} |")) => {
                    eprintln!("{line}");
                    if goal.is_some() {
                        taken.lock().expect("no thread has failed").remove(target);
                    }
                }
                Ok(problem) | Err(problem) => failed.lock().expect("no thread has failed").push(problem),
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(one_after_another);
        }
    });
    let failed = failed.into_inner().expect("no thread has failed");
    if failed.is_empty() { Ok(()) } else { Err(failed.join("\n")) }
}

/// Runs one target. Returns its line of the record.
fn one(target: &str, seconds: u64, sources: &str) -> Result<String, String> {
    let said = |error: std::io::Error| format!("{target}: {error}");
    let folder = root().join("fuzz");
    for kind in ["corpus", "artifacts", "regressions"] {
        fs::create_dir_all(folder.join(kind).join(target)).map_err(said)?;
    }
    let line = format!(
        "target/{TARGET}/release/{target} corpus/{target} target/seeds/{target} regressions/{target} -max_len=600 \
         -max_total_time={seconds} -print_final_stats=1 -artifact_prefix=artifacts/{target}/"
    );
    let log = folder.join("artifacts").join(target).with_extension("log");
    let mut child = command(&line)
        .current_dir(&folder)
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .stdout(Stdio::null())
        .stderr(File::create(&log).map_err(said)?)
        .spawn()
        .map_err(said)?;
    let mut cpu = 0;
    let ended = loop {
        cpu = cpu_of(child.id()).unwrap_or(cpu);
        if let Some(ended) = child.try_wait().map_err(said)? {
            break ended;
        }
        thread::sleep(Duration::from_millis(500));
    };
    let printed = String::from_utf8_lossy(&fs::read(&log).map_err(said)?).into_owned();
    let executions = printed.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    let outcome = if ended.success() { NOTHING } else { "**a failure**" };
    let date = record::first_line("date -u +%F");
    let executions = executions.unwrap_or(" ?").trim();
    Ok(format!("| {date} | {sources} | {target} | {seconds} ({}) | {executions} | {outcome} |", cpu / 100))
}

fn log() -> PathBuf {
    record::folder().join("fuzz.log")
}

fn recorded() -> String {
    fs::read_to_string(log()).unwrap_or_default()
}

/// A run in the log: the CPU time in seconds, the executions and the outcome, if it is of this target with these sources.
fn run_of<'l>(line: &'l str, target: &str, sources: &str) -> Option<(u64, u64, &'l str)> {
    let cells: Vec<_> = line.split('|').map(str::trim).collect();
    let [_, _, of, name, seconds, executions, outcome, _] = cells[..] else { return None };
    let seconds = seconds.split_once('(')?.1.trim_end_matches(')').parse().ok()?;
    (of == sources && name == target).then(|| (seconds, executions.parse().unwrap_or(0), outcome))
}

/// Seconds of CPU time that a target has had with these sources.
fn so_far(log: &str, target: &str, sources: &str) -> u64 {
    log.lines().filter_map(|line| run_of(line, target, sources)).map(|(seconds, ..)| seconds).sum()
}

/// A line for each target: the sums of all its runs with these sources.
fn table(log: &str, targets: &[String], sources: &str) -> String {
    let mut lines = vec!["target      seconds   executions  outcome".to_owned()];
    for target in targets {
        let runs = || log.lines().filter_map(|line| run_of(line, target, sources));
        let failed = runs().filter(|(.., outcome)| *outcome != NOTHING).count();
        let outcome = if failed == 0 { NOTHING.to_owned() } else { format!("{failed} runs failed") };
        let executions: u64 = runs().map(|(_, executions, _)| executions).sum();
        lines.push(format!("{target:10} {:>8} {executions:>12}  {outcome}", so_far(log, target, sources)));
    }
    lines.join("\n")
}

fn note(line: &str) -> Done {
    fs::create_dir_all(record::folder()).map_err(|error| error.to_string())?;
    let mut file =
        OpenOptions::new().create(true).append(true).open(log()).map_err(|error| error.to_string())?;
    // In one write, since another target may end at the same moment.
    file.write_all(format!("{line}\n").as_bytes()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::{so_far, table, unescape};

    const LOG: &str = "\
| 2026-11-22 | crates b3264dc3eb51, fuzz/src 1 | forms | 240 (237) | 1725507 | nothing |
| 2026-11-22 | crates b3264dc3eb51, fuzz/src 1 with changes | offsets | 240 (240) | 244201 | nothing |
| 2026-11-22 | crates 5a77fe234d13, fuzz/src 1 | forms | 300 (290) | 2 | **a failure** |
| 2026-11-22 | crates b3264dc3eb51, fuzz/src 1 | forms | 300 (100) | 3 | nothing |
";

    #[test]
    fn seconds_count_for_the_sources_that_they_ran_with() {
        let had = |target, sources| so_far(LOG, target, sources);
        assert_eq!(had("forms", "crates b3264dc3eb51, fuzz/src 1"), 337);
        assert_eq!(had("forms", "crates 5a77fe234d13, fuzz/src 1"), 290);
        assert_eq!(had("offsets", "crates b3264dc3eb51, fuzz/src 1"), 0);
        let table = table(LOG, &["forms".to_owned()], "crates 5a77fe234d13, fuzz/src 1");
        assert!(table.ends_with("\nforms           290            2  1 runs failed"), "{table}");
    }

    #[test]
    fn seeds_are_lines() {
        assert_eq!(unescape(r"a\x00\xFF\\x00 "), Some(b"a\0\xFF\\x00 ".to_vec()));
        assert_eq!(unescape(""), Some(Vec::new()));
        for wrong in [r"\", r"\n", r"\x0", r"\xGG", r"\x\u{e9}"] {
            assert_eq!(unescape(wrong), None, "{wrong}");
        }
    }
}
