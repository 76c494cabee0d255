//! Every fuzz target for some time, and a line for each in `fuzz/RECORD.md`.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::process::Stdio;
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use crate::record;
use crate::shell::{Done, call, command, cpu_of, root};

/// Where cargo-fuzz builds for.
const TARGET: &str = "x86_64-unknown-linux-gnu";

const HEAD: &str = "\
# What the fuzzers have run

`cargo xtask fuzz SECONDS` runs each target so long, with AddressSanitizer, from the seeds and from what earlier runs have found
(`fuzz/corpus`, of which `fuzz/seeds` keeps a small part), those first that have run least, and adds a line here;
with `--until 3600` again and again, until each target has had so many seconds of the CPU. Stopped, it goes on where it was. Sources are
the trees of `crates` and `fuzz/src`; in the first lines, that of `crates/placemat/src` alone. Seconds are those of the clock, and in
brackets those of the CPU where they were counted, which is less on a busy machine. A target that fails leaves its input in `fuzz/artifacts`; what was fixed is kept in `fuzz/regressions`, which `cargo test --manifest-path fuzz/Cargo.toml --no-default-features` runs.

| date | sources | target | seconds | executions | outcome |
| --- | --- | --- | --- | --- | --- |
";

pub(crate) fn run(mut args: impl Iterator<Item = String>) -> Done {
    let number = |text: String| text.parse::<u64>().map_err(|_| format!("{text}: not a number of seconds"));
    let seconds = args.next().map_or(Ok(60), number)?;
    let goal = match (args.next().as_deref(), args.next()) {
        (None, _) => None,
        (Some("--until"), Some(goal)) => Some(number(goal)?),
        _ => return Err("fuzz SECONDS [--until SECONDS]".to_owned()),
    };
    let targets = targets().map_err(|error| error.to_string())?;
    if let Some(goal) = goal
        && are_all_there(&targets, goal)
    {
        return Ok(());
    }
    let sources = record::sources(&["crates", "fuzz/src"]);
    // Without traces of comparisons, which take more than half of the time and find nothing here that bytes by chance do not.
    let folder = root().join("fuzz");
    let mut build = command("cargo +nightly fuzz build --no-trace-compares");
    call(build.env("CARGO_TARGET_DIR", folder.join("target")).current_dir(folder))?;
    all(&targets, seconds, goal, &sources)
}

fn targets() -> std::io::Result<Vec<String>> {
    let files = fs::read_dir(root().join("fuzz/fuzz_targets"))?;
    Ok(files.filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned())).collect())
}

/// Whether each target has reached the goal; says of which that is so.
fn are_all_there(targets: &[String], goal: u64) -> bool {
    let record = recorded();
    let there = targets.iter().filter(|target| {
        let had = so_far(&record, target);
        if had >= goal {
            eprintln!("{target}: has had {had} seconds of the CPU, and {goal} were asked for: not run again");
        }
        had >= goal
    });
    there.count() == targets.len()
}

/// Run the targets, as many at a time as there are cores, the one next that has run least: each once, or until each has reached the goal.
fn all(targets: &[String], seconds: u64, goal: Option<u64>, sources: &str) -> Done {
    // Those that run now, have had their one turn or have failed.
    let taken = Mutex::new(BTreeSet::new());
    let failed = Mutex::new(Vec::new());
    let next = || {
        let record = recorded();
        let mut taken = taken.lock().expect("no thread has failed");
        let free = targets.iter().filter(|target| !taken.contains(*target));
        let open = free.map(|target| (so_far(&record, target), target));
        let (had, target) = open.filter(|(had, _)| goal.is_none_or(|goal| *had < goal)).min()?;
        taken.insert(target.clone());
        // A core is never a target's alone: what is left of the CPU takes a little longer by the clock.
        let left = goal.map_or(seconds, |goal| (goal - had) * 21 / 20 + 1);
        Some((target, seconds.min(left)))
    };
    let one_after_another = || {
        while let Some((target, seconds)) = next() {
            let outcome = one(target, seconds, sources);
            match outcome.and_then(|line| note(&line).map(|()| line)) {
                Ok(line) if line.contains("| nothing |") => {
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

/// Run one target: its line of the record.
fn one(target: &str, seconds: u64, sources: &str) -> Result<String, String> {
    let said = |error: std::io::Error| format!("{target}: {error}");
    let folder = root().join("fuzz");
    for kind in ["corpus", "artifacts", "regressions"] {
        fs::create_dir_all(folder.join(kind).join(target)).map_err(said)?;
    }
    let line = format!(
        "target/{TARGET}/release/{target} corpus/{target} seeds/{target} regressions/{target} -max_len=600 \
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
    let outcome = if ended.success() { "nothing" } else { "**a failure**" };
    let date = record::first_line("date -u +%F");
    let executions = executions.unwrap_or(" ?").trim();
    Ok(format!("| {date} | {sources} | {target} | {seconds} ({}) | {executions} | {outcome} |", cpu / 100))
}

fn recorded() -> String {
    fs::read_to_string(root().join("fuzz/RECORD.md")).unwrap_or_default()
}

/// Seconds of the CPU that a target has had by the record, where they were counted.
fn so_far(record: &str, target: &str) -> u64 {
    let seconds = |line: &str| {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        let (_, seconds) = (cells.get(3).filter(|cell| **cell == target)?, cells.get(4)?);
        seconds.split_once('(')?.1.trim_end_matches(')').parse::<u64>().ok()
    };
    record.lines().filter_map(seconds).sum()
}

fn note(line: &str) -> Done {
    let path = root().join("fuzz/RECORD.md");
    if !path.exists() {
        fs::write(&path, HEAD).map_err(|error| error.to_string())?;
    }
    let mut file = OpenOptions::new().append(true).open(path).map_err(|error| error.to_string())?;
    // At once: another target may end in the same moment.
    file.write_all(format!("{line}\n").as_bytes()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::so_far;

    #[test]
    fn seconds_are_counted_whatever_the_sources_are_named_by() {
        let record = "\
| date | sources | target | seconds | executions | outcome |
| --- | --- | --- | --- | --- | --- |
| 2026-11-21 | c4e21a4d1d36 | forms | 100 | 103566 | nothing |
| 2026-11-22 | b3264dc3eb51 | forms | 240 (237) | 1725507 | nothing |
| 2026-11-22 | b3264dc3eb51 with changes | offsets | 240 (240) | 244201 | nothing |

| 2026-11-22 | crates 5a77fe234d13, fuzz/src 0123456789ab | forms | 300 (290) | 2 | nothing |
";
        assert_eq!(["forms", "offsets", "detect"].map(|target| so_far(record, target)), [527, 240, 0]);
    }
}
