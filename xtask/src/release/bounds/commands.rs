//! Measures time and memory of commands on inputs that were made to be slow. It compares them with clean text, and
//! checks that four times the input takes about four times as long and no more memory.

use std::fmt::Write as _;

use super::trial::{Cost, cost};
use crate::shell::{call, command};

/// Sizes of the smaller input, in bytes: the least, the most for a measurable time, and the most for a steady amount of memory.
const SMALL: usize = 1 << 17;
const LARGE: usize = 1 << 24;
const HUGE: usize = 1 << 25;

/// The larger input is this many times as long.
const TIMES: usize = 4;

/// CPU seconds that a run needs for its time to be compared.
const LONG_ENOUGH: f64 = 0.05;

/// A byte of the larger input may take this many times as long. With quadratic time it would be four times.
const STEEP: f64 = 2.0;

/// The larger input may take this many MiB more.
const MORE: u64 = 4;

/// An input: its name, and a piece that is repeated to any size. A number in it counts up.
const INPUTS: [(&str, &[u8]); 15] = [
    ("errors", b"\xFF"),
    ("cut off", b"\xF0\x9F\x98"),
    ("an error a line", b"text\xE9\n"),
    (
        "a few errors",
        b"\xC3\x80 l'\xC3\xA9t\xC3\xA9, d\xC3\xA9j\xC3\xA0, \xE6\x97\xA5\xE6\x9C\xAC No\xEBl \xC0\xAF.\n",
    ),
    ("pairs", b"\xC3\xA9t\xC3\xA9 \xED\xA0\xBD\xED\xB8\x80\n"),
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

/// Clean text, of which half is ASCII.
const TEXT: &[u8] =
    "Plain words, naïve café, Ελληνικά, Русский, 한국어, 漢字かな交じり文, 😀🎉.\n".as_bytes();
const WINDOWS_1252: &[u8] = b"Plain words, na\xEFve caf\xE9, gr\xF6\xDFer, \x93d\xE9j\xE0 vu\x94.\n";
const SHIFT_JIS: &[u8] = b"Plain words, \x93\xFA\x96{\x8C\xEA, \x8A\xBF\x8E\x9A\x82\xA9\x82\xC8.\n";
const UTF_7: &[u8] = b"Plain words, na+AO8-ve caf+AOk, +byJbVzBLMGo, +2D3eAA-.\n";
const JSON_LINES: &[u8] = "{\"n\": 1, \"text\": \"Plain words, naïve café, 漢字かな\"}\n".as_bytes();
/// Text for `--undo`, which needs changes: one in each page of 4096 bytes.
const HARDLY_WRONG: &[u8] = &{
    let mut page = [b'a'; 4096];
    (page[4094], page[4095]) = (0xE9, b'\n');
    page
};

/// A row of the table.
struct Row {
    /// Arguments. `FILE` is the input, `FILE.gz` the same compressed, `REPORT` the report of its repair. Without any of these the input
    /// comes on standard input.
    args: &'static [&'static str],
    clean: &'static [u8],
    /// The most bytes of the smaller input.
    largest: usize,
    /// The command keeps its input in memory and compares it for up to five seconds, as its help says. So its time need not be linear.
    holds: bool,
}

const fn row(args: &'static [&'static str]) -> Row {
    row_from(TEXT, args)
}

const fn row_from(clean: &'static [u8], args: &'static [&'static str]) -> Row {
    Row { args, clean, largest: LARGE, holds: false }
}

/// `explain` reads at most 1 MiB.
const fn explain(args: &'static [&'static str]) -> Row {
    Row { largest: 1 << 18, ..row(args) }
}

const ROWS: [Row; 33] = [
    row(&["check", "-"]),
    row(&["check", "--mojibake", "-"]),
    row(&["check", "--format=json", "--binary", "FILE"]),
    row(&["check", "--format=sarif", "--binary", "FILE"]),
    row(&["check", "-z", "--binary", "FILE.gz"]),
    row(&["count"]),
    row(&["count", "--format=json", "FILE"]),
    row(&["count", "-t", "utf-16le"]),
    row(&["count", "-t", "shift_jis"]),
    row(&["convert", "-c", "-t", "utf-16"]),
    row(&["convert", "-f", "auto"]),
    row(&["convert", "-f", "utf-8,windows-1252"]),
    row_from(
        WINDOWS_1252,
        &["convert", "-f", "windows-1252", "-t", "us-ascii", "--on-error=escape", "--unencodable=ncr"],
    ),
    row_from(SHIFT_JIS, &["convert", "-f", "shift_jis", "--on-error=replace"]),
    row_from(UTF_7, &["convert", "-f", "utf-7", "--on-error=replace"]),
    row(&["convert", "-z", "--on-error=latin1", "FILE.gz"]),
    row(&["detect"]),
    row(&["detect", "-z", "--binary", "FILE.gz"]),
    row(&["survey", "--binary", "FILE"]),
    row(&["survey", "--format=json", "-"]),
    row_from(JSON_LINES, &["survey", "--jsonl", "text", "-"]),
    explain(&["explain"]),
    explain(&["explain", "--verdicts"]),
    explain(&["explain", "--format=html"]),
    explain(&["explain", "--format=json", "--limit=1000000000"]),
    row(&["repair"]),
    row(&["repair", "--on-error=escape"]),
    row(&["repair", "--mend=cp1252,overlong,nul"]),
    row(&["repair", "--mojibake", "--mend=cp1252"]),
    row(&["repair", "--diff", "--mend=cp1252", "--mojibake", "FILE"]),
    row(&["repair", "--in-place", "--report=report", "--mend=cp1252", "FILE"]),
    row_from(HARDLY_WRONG, &["repair", "--undo", "REPORT"]),
    Row {
        args: &["edit", "-f", "windows-1252", "FILE", "--", "sed", "-i", "s/$/ edited/"],
        holds: true,
        ..row_from(WINDOWS_1252, &[])
    },
];

/// Returns a line for each command, with its slowest input, and the lines that break a bound.
pub(super) fn table() -> Result<(String, Vec<String>), String> {
    call(&mut command("cargo build --release --quiet -p placemat-cli"))?;
    let mut table = format!(
        "{:84} {:>8} {:>8} {:>7}  MiB: at most, and how many of them for four times as much; worst input (ns a byte)\n",
        "commands", "clean", "worst", "ratio"
    );
    let mut broken = Vec::new();
    for row in &ROWS {
        let name = row.args.join(" ");
        let line = line(row, &mut broken).map_err(|error| format!("{name}: {error}"))?;
        eprintln!("{name:84} {line}");
        writeln!(table, "{name:84} {line}").map_err(|error| error.to_string())?;
    }
    Ok((table, broken))
}

/// The cells of a row after its name. A broken bound is added to `broken`.
fn line(row: &Row, broken: &mut Vec<String>) -> Result<String, String> {
    let clean = compare(row, row.clean)?.ok_or("nothing to do on clean text")?;
    let (mut worst, mut worst_name) = (clean, "clean text".to_owned());
    let (mut most, mut grown, mut mends) = (clean.large.memory, clean.grown, false);
    for (name, piece) in INPUTS {
        let Some(mut seen) = compare(row, piece)? else { continue };
        // Measured again: another program may have disturbed the first time.
        for _ in 0..2 {
            if seen.is_steep() && !row.holds {
                seen = compare(row, piece)?.unwrap_or(seen);
            }
        }
        if seen.is_steep() && !row.holds {
            broken.push(format!("{}: not linear on {name}", row.args.join(" ")));
        }
        if seen.grown > MORE && !row.holds {
            broken.push(format!("{}: {} MiB more on {name}", row.args.join(" "), seen.grown));
        }
        mends |= seen.large.is_done && str::from_utf8(piece).is_err();
        most = most.max(seen.large.memory);
        grown = grown.max(seen.grown);
        if seen.per_byte() > worst.per_byte() {
            (worst, worst_name) = (seen, name.to_owned());
            if !seen.large.is_done && row.args[0] == "repair" {
                worst_name.push_str(", refused");
            }
        }
    }
    if row.args[0] == "repair" && !row.args.contains(&"--diff") && !mends {
        broken.push(format!("{}: mends nothing", row.args.join(" ")));
    }
    let (clean, worst) = (clean.per_byte(), worst.per_byte());
    let ratio = worst / clean;
    let mark = if ratio > 3.0 { "  over 3" } else { "" };
    Ok(format!("{clean:8.2} {worst:8.2} {ratio:7.1}  {most:4} {grown:3}  {worst_name}{mark}"))
}

/// The cost of an input that takes long enough to measure, and of one four times as long.
#[derive(Clone, Copy)]
struct Seen {
    len: usize,
    small: Cost,
    large: Cost,
    /// Additional MiB for the larger input.
    grown: u64,
}

impl Seen {
    /// Nanoseconds for each additional byte.
    fn per_byte(&self) -> f64 {
        (self.large.seconds - self.small.seconds).max(0.0) * 1e9 / (self.len * (TIMES - 1)) as f64
    }

    fn is_steep(&self) -> bool {
        let before = self.small.seconds * 1e9 / self.len as f64;
        self.small.seconds >= LONG_ENOUGH && self.per_byte() > STEEP * before
    }
}

/// `None` if the command has nothing to do with this input.
fn compare(row: &Row, piece: &[u8]) -> Result<Option<Seen>, String> {
    let mut len = SMALL;
    while len < row.largest {
        let Some(once) = cost(row.args, piece, len, 0.0)? else { return Ok(None) };
        if once.seconds >= LONG_ENOUGH {
            break;
        }
        len *= 2;
    }
    let of = |len| cost(row.args, piece, len, LONG_ENOUGH);
    let Some(mut small) = of(len)? else { return Ok(None) };
    let Some(mut large) = of(len * TIMES)? else { return Ok(None) };
    let mut seen = Seen { len, small, large, grown: 0 };
    // If the larger input takes more memory, a still larger one shows whether that goes on.
    loop {
        seen.grown = large.memory.saturating_sub(small.memory);
        seen.large.memory = large.memory;
        if row.holds || seen.grown <= MORE || len >= HUGE {
            return Ok(Some(seen));
        }
        (len, small) = (len * TIMES, large);
        let Some(larger) = of(len * TIMES)? else { return Ok(Some(seen)) };
        large = larger;
    }
}
