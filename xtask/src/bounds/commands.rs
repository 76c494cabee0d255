//! What commands take for input that was made to take long: four times as much of it must take four times as long, and
//! no more memory where it comes as a stream.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::shell::{call, command, cpu_of_children, root};

/// Bytes of the smaller input, at the least.
const SMALL: usize = 1 << 19;

/// How much longer the larger one is.
const TIMES: usize = 4;

/// CPU time, in hundredths of a second, that can be compared.
const LONG_ENOUGH: u64 = 15;

/// An input by name, repeated to any size; a number in it counts up.
const INPUTS: [(&str, &[u8]); 13] = [
    ("errors", b"\xFF"),
    ("cut off", b"\xF0\x9F\x98"),
    ("an error a line", b"text\xE9\n"),
    ("one long line", b"text, caf\xE9 "),
    ("empty lines", b"\n"),
    ("zeros", b"\0"),
    ("legacy text", b"d\xE9j\xE0 vu, \xE0 No\xEBl\n"),
    ("decoded three times", "ÃƒÂ© ".as_bytes()),
    ("nearly decoded twice", "Ãa© Ã\n".as_bytes()),
    ("marks", "a\u{301}\u{300}\u{328}\u{202E}".as_bytes()),
    ("UTF-7", b"+2D0-+AG"),
    ("escapes", b"\x1B$B\x1B(B~{"),
    ("numbered lines", b"#\n"),
];

/// Arguments; `FILE` is the input, which is on standard input otherwise.
const COMMANDS: [&[&str]; 15] = [
    &["check"],
    &["check", "--format=json", "--binary", "FILE"],
    &["count"],
    &["count", "--format=json", "FILE"],
    &["convert", "-c", "-t", "utf-16"],
    &["convert", "-f", "windows-1252", "-t", "us-ascii", "--on-error=escape", "--unencodable=ncr"],
    &["convert", "-f", "shift_jis", "--on-error=replace"],
    &["detect"],
    &["survey", "--binary", "FILE"],
    &["explain", "FILE"],
    &["repair", "--on-error=escape"],
    &["repair", "--mojibake", "--mend=cp1252"],
    &["repair", "--diff", "--mend=cp1252", "--mojibake", "FILE"],
    &["edit", "-f", "windows-1252", "FILE", "--", "sed", "-i", "s/$/ edited/"],
    &["repair", "--undo", "REPORT"],
];

/// What a run took.
#[derive(Clone, Copy)]
struct Cost {
    /// Hundredths of a second.
    time: u64,
    /// KiB.
    memory: u64,
}

/// A line for each command, with the input on which it is worst, and whether all are linear.
pub(super) fn table() -> Result<(String, bool), String> {
    call(&mut command("cargo build --quiet -p placemat-cli"))?;
    let mut table = "commands, unoptimised: microseconds a KiB and MiB of memory, on so much input and on four times as much\n"
        .to_owned();
    let mut is_linear = true;
    for args in COMMANDS {
        let mut worst = (0.0, String::new());
        let (mut most, mut grown) = (0, 0);
        for (name, piece) in INPUTS {
            let Some((len, small, large)) = compare(args, piece)? else { continue };
            let [per_kib, larger] = [(small, 1), (large, TIMES)]
                .map(|(cost, times)| cost.time as f64 * 1e4 / (len * times / 1024) as f64);
            let line = format!("{per_kib:8.1} {larger:8.1}  {name}");
            // Below that, the clock is too coarse.
            if large.time > LONG_ENOUGH && larger > 1.6 * per_kib.max(1.0) {
                is_linear = false;
                worst = (f64::INFINITY, format!("{line}  NOT LINEAR"));
            } else if larger > worst.0 {
                worst = (larger, line);
            }
            most = most.max(large.memory >> 10);
            grown = grown.max(large.memory.saturating_sub(small.memory) >> 10);
        }
        let name = args.join(" ");
        eprintln!("{name}: {}", worst.1);
        writeln!(table, "{name:90} {}; at most {most} MiB, {grown} of them for the longer input", worst.1)
            .map_err(|error| error.to_string())?;
    }
    Ok((table, is_linear))
}

/// The costs of a size that takes long enough, and of four times that; `None` where there is nothing to do.
fn compare(args: &[&str], piece: &[u8]) -> Result<Option<(usize, Cost, Cost)>, String> {
    let mut len = SMALL;
    loop {
        let Some(small) = run(args, piece, len)? else { return Ok(None) };
        if small.time >= LONG_ENOUGH || len >= SMALL * 8 {
            return Ok(run(args, piece, len * TIMES)?.map(|large| (len, small, large)));
        }
        len *= 2;
    }
}

fn input(piece: &[u8], len: usize) -> Vec<u8> {
    if piece != b"#\n" {
        return piece.repeat(len / piece.len());
    }
    (0..len / 8).flat_map(|n| format!("{n:07}\n").into_bytes()).collect()
}

/// One run on so much input; `None` when there is no report that could be undone.
fn run(args: &[&str], piece: &[u8], len: usize) -> Result<Option<Cost>, String> {
    let said = |error: std::io::Error| error.to_string();
    let folder = root().join("target/bounds");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(said)?;
    let (path, report) = (folder.join("input"), folder.join("report"));
    fs::write(&path, input(piece, len)).map_err(said)?;
    let command = || {
        let mut command = Command::new(root().join("target/debug/placemat"));
        command.current_dir(&folder).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    if args.contains(&"REPORT") {
        let made = command()
            .args(["repair", "--in-place", "--mend=cp1252", "--mojibake", "--report=report", "input"])
            .status()
            .map_err(said)?;
        if made.code() != Some(0) || fs::metadata(&report).map_err(said)?.len() < 1000 {
            return Ok(None);
        }
    }
    let args: Vec<_> = args
        .iter()
        .map(|arg| match *arg {
            "FILE" => "input",
            "REPORT" => "report",
            arg => arg,
        })
        .collect();
    let before = cpu_of_children();
    let mut child = command().args(&args).stdin(File::open(&path).map_err(said)?).spawn().map_err(said)?;
    let status = format!("/proc/{}/status", child.id());
    let mut memory = 0;
    let ended = loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().split(' ').next());
        memory = peak.and_then(|peak| peak.parse().ok()).unwrap_or(memory);
        if let Some(ended) = child.try_wait().map_err(said)? {
            break ended;
        }
        thread::sleep(Duration::from_millis(2));
    };
    match ended.code() {
        Some(0..=2) => Ok(Some(Cost { time: cpu_of_children() - before, memory })),
        _ => Err(format!("{args:?}: {ended}")),
    }
}
