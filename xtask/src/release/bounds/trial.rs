//! One command on one input.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::shell::{cpu_of_children, output, placemat, root};

/// The cost of a run.
#[derive(Clone, Copy)]
pub(super) struct Cost {
    /// CPU seconds.
    pub(super) seconds: f64,
    /// Peak memory in MiB.
    pub(super) memory: u64,
    /// The exit code was 0.
    pub(super) is_done: bool,
}

/// The most runs that are added up until they have taken long enough.
const RUNS: u32 = 30;

/// The mean cost of some runs on an input of that size; `None` if `--undo` has no report to undo.
pub(super) fn cost(
    args: &[&str],
    piece: &[u8],
    len: usize,
    long_enough: f64,
) -> Result<Option<Cost>, String> {
    let folder = root().join("target/bounds");
    let changes = args.iter().any(|arg| ["edit", "--in-place", "REPORT"].contains(arg));
    let (mut sum, mut runs, mut last) = (0, 0, None);
    while runs == 0 || (runs < RUNS && f64::from(sum) / 100.0 < long_enough) {
        if (runs == 0 || changes) && !prepare(&folder, args, &input(piece, len))? {
            return Ok(None);
        }
        let (hundredths, cost) = run(&folder, args)?;
        (sum, runs, last) = (sum + hundredths, runs + 1, Some(cost));
    }
    Ok(last.map(|cost| Cost { seconds: f64::from(sum) / 100.0 / f64::from(runs), ..cost }))
}

fn input(piece: &[u8], len: usize) -> Vec<u8> {
    if piece != b"#\n" {
        return piece.repeat(len / piece.len());
    }
    (0..len / 8).flat_map(|n| format!("{n:07}\n").into_bytes()).collect()
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn said(error: std::io::Error) -> String {
    error.to_string()
}

/// Whether there is something to do.
fn prepare(folder: &Path, args: &[&str], input: &[u8]) -> Result<bool, String> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).map_err(said)?;
    let path = folder.join("input");
    fs::write(&path, input).map_err(said)?;
    if args.contains(&"FILE.gz") {
        output(Command::new("gzip").args(["-1", "--keep"]).arg(path))?;
    }
    if args.contains(&"REPORT") {
        let repair =
            ["repair", "--in-place", "--silent", "--mend=cp1252", "--mojibake", "--report=report", "input"];
        let mut repair = command(folder, &repair);
        let made = repair.status().map_err(said)?;
        return Ok(made.code() == Some(0)
            && fs::metadata(folder.join("report")).is_ok_and(|found| found.len() > 1000));
    }
    Ok(true)
}

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(placemat("release"));
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.args(args.iter().map(|arg| match *arg {
        "FILE" => "input",
        "FILE.gz" => "input.gz",
        "REPORT" => "report",
        arg => arg,
    }));
    command
}

/// One run, with its CPU time in hundredths of a second.
fn run(folder: &Path, args: &[&str]) -> Result<(u32, Cost), String> {
    let before = cpu_of_children();
    let mut command = command(folder, args);
    if !args.iter().any(|arg| ["FILE", "FILE.gz", "REPORT"].contains(arg)) {
        command.stdin(File::open(folder.join("input")).map_err(said)?);
    }
    let mut child = command.spawn().map_err(said)?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    let ended = loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let kib = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().split(' ').next());
        peak = kib.and_then(|kib| kib.parse().ok()).unwrap_or(peak);
        if let Some(ended) = child.try_wait().map_err(said)? {
            break ended;
        }
        thread::sleep(Duration::from_millis(1));
    };
    match ended.code() {
        Some(code @ (0 | 1)) => {
            let hundredths = u32::try_from(cpu_of_children() - before).map_err(|e| e.to_string())?;
            Ok((hundredths, Cost { seconds: 0.0, memory: peak >> 10, is_done: code == 0 }))
        }
        _ => Err(format!("{ended} on the input in {}", folder.display())),
    }
}
