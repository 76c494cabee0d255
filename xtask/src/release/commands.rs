//! Times whole commands on one large file in the page cache, beside programs that do the same.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::record;
use crate::shell::{self, Done, call, command, root};

pub(crate) const USAGE: &str = "\
cargo xtask release commands [--mib N] [--rounds N] [--texts DIR]

  --mib N      size of the file (default 1024)
  --rounds N   how often each program runs; the median counts (default 5)
  --texts DIR  make the file from the *.txt in DIR and below, in lines (default: lines of the guide)";

/// The tasks and their command lines. `{mixed}` … are the files; a leading `placemat` is the program built here.
const TASKS: &[(&str, &[&str])] = &[
    ("read", &["cat {mixed}"]),
    (
        "check, mixed text",
        &[
            "placemat check --jobs 1 {mixed}",
            "placemat check {mixed}",
            "isutf8 {mixed}",
            "iconv -f utf-8 -t utf-8 {mixed}",
            "uconv -f utf-8 -t utf-8 {mixed}",
        ],
    ),
    ("check, ASCII", &["placemat check --jobs 1 {ascii}", "placemat check {ascii}", "isutf8 {ascii}"]),
    (
        "UTF-8 to UTF-16LE, mixed text",
        &[
            "placemat convert --jobs 1 -t utf-16le {mixed}",
            "placemat convert -t utf-16le {mixed}",
            "iconv -f utf-8 -t utf-16le {mixed}",
            "uconv -f utf-8 -t utf-16le {mixed}",
        ],
    ),
    ("count, mixed text", &["placemat count --jobs 1 {mixed}", "placemat count {mixed}", "wc -m {mixed}"]),
    (
        "mojibake, mixed text",
        &["placemat check --mojibake --jobs 1 {mixed}", "placemat check --mojibake {mixed}"],
    ),
    ("survey, mixed text", &["placemat survey --jobs 1 {mixed}", "placemat survey {mixed}"]),
    (
        // Compared with a copy of the same size. Both are on the disk when the command ends.
        "UTF-8 to UTF-16LE into a file, mixed text",
        &[
            "dd if={utf16} of={out} bs=1M conv=fsync",
            "placemat convert --jobs 1 -t utf-16le -o {out} {mixed}",
            "placemat convert -t utf-16le -o {out} {mixed}",
        ],
    ),
    (
        "UTF-8 to UTF-16LE, ASCII",
        &[
            "placemat convert --jobs 1 -t utf-16le {ascii}",
            "placemat convert -t utf-16le {ascii}",
            "iconv -f utf-8 -t utf-16le {ascii}",
        ],
    ),
    (
        "UTF-16LE to UTF-8, mixed text",
        &[
            "placemat convert --jobs 1 -f utf-16le {utf16}",
            "placemat convert -f utf-16le {utf16}",
            "iconv -f utf-16le -t utf-8 {utf16}",
            "uconv -f utf-16le -t utf-8 {utf16}",
        ],
    ),
    (
        "repair, mixed text with nothing wrong",
        &[
            "placemat repair --jobs 1 {mixed}",
            "placemat repair {mixed}",
            "uconv -f utf-8 -t utf-8 --from-callback substitute {mixed}",
        ],
    ),
    (
        "replace, one bad byte in 10,000",
        &[
            "placemat convert --jobs 1 -s --on-error replace {dirty}",
            "placemat convert -s --on-error replace {dirty}",
            "iconv -c -f utf-8 -t utf-8 {dirty}",
            "uconv -f utf-8 -t utf-8 --from-callback substitute {dirty}",
        ],
    ),
];

/// The cost of one run.
#[derive(Clone, Copy, Default)]
struct Taken {
    wall: Duration,
    peak_kib: u64,
}

/// Times every task and keeps the table.
pub(crate) fn run(mut args: impl Iterator<Item = String>) -> Done {
    let (mut mib, mut rounds, mut texts) = (1024, 5, None);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or_else(|| format!("{arg} wants a value\n\n{USAGE}"));
        let number = |text: String| text.parse::<usize>().map_err(|_| format!("{text} is no number"));
        match arg.as_str() {
            "--mib" => mib = number(value()?)?.max(1),
            "--rounds" => rounds = number(value()?)?.max(1),
            "--texts" => texts = Some(PathBuf::from(value()?)),
            _ => return Err(USAGE.to_owned()),
        }
    }
    let sources = record::sources(&[&record::COMMAND[..], &["xtask/src/release/commands.rs"]].concat());
    call(&mut command("cargo build --release --quiet -p placemat-cli"))?;
    let folder = root().join("target/commands");
    fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let made = make(&folder, mib << 20, texts.as_deref());
    let table = made.and_then(|()| table(&folder, mib, rounds));
    // The files are large and can be made again, so they are removed also after an error.
    let removed = fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()));
    let table = table?;
    removed?;
    print!("{table}");
    record::keep(
        "commands",
        &format!("cargo xtask release commands --mib {mib} --rounds {rounds}"),
        &sources,
        &table,
    )
}

/// Writes the four files.
fn make(folder: &Path, len: usize, texts: Option<&Path>) -> Done {
    let lines = lines(texts)?;
    let say = |error: std::io::Error| format!("cannot write in {}: {error}", folder.display());
    let ascii: Vec<_> = lines.iter().filter(|line| line.is_ascii()).cloned().collect();
    fill(&folder.join("mixed"), &lines, len, 0).map_err(say)?;
    fill(&folder.join("dirty"), &lines, len, 10_000).map_err(say)?;
    fill(&folder.join("ascii"), if ascii.is_empty() { &lines } else { &ascii }, len, 0).map_err(say)?;
    let utf16 = File::create(folder.join("utf16")).map_err(say)?;
    let mut convert = prepare("placemat convert -t utf-16le {mixed}", folder);
    call(convert.stdout(utf16))
}

/// The lines of all texts, mixed in a fixed order.
fn lines(texts: Option<&Path>) -> Result<Vec<Vec<u8>>, String> {
    let mut files = Vec::new();
    match texts {
        Some(folder) => find(folder, &mut files)?,
        None => files.push(root().join("GUIDE.md")),
    }
    files.sort();
    let mut lines = Vec::new();
    for path in files {
        let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        if std::str::from_utf8(&bytes).is_ok() {
            lines.extend(bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec));
        }
    }
    if lines.is_empty() {
        return Err("no text in UTF-8 there".to_owned());
    }
    // A stride that shares no factor with the number of lines visits each line once.
    let mut stride = lines.len() * 5 / 8 + 1;
    while gcd(stride, lines.len()) != 1 {
        stride += 1;
    }
    Ok((0..lines.len()).map(|i| lines[i * stride % lines.len()].clone()).collect())
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> Done {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|end| end == "txt") {
            files.push(path);
        }
    }
    Ok(())
}

/// Writes `lines` again and again until there are `len` bytes, ending with a whole line. If `every` is not 0, adds a byte FF after each `every` bytes.
fn fill(path: &Path, lines: &[Vec<u8>], len: usize, every: usize) -> std::io::Result<()> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let (mut written, mut clean) = (0, 0);
    for line in lines.iter().cycle() {
        file.write_all(line)?;
        written += line.len();
        clean += line.len();
        if every != 0 && clean >= every {
            file.write_all(b"\xFF")?;
            clean = 0;
        }
        if written >= len {
            break;
        }
    }
    file.flush()
}

fn prepare(line: &str, folder: &Path) -> Command {
    let mut words = line.split(' ');
    let program = words.next().unwrap_or_default();
    let mut command = match program {
        "placemat" => Command::new(shell::placemat("release")),
        other => Command::new(other),
    };
    command.args(words.map(|word| match word.split_once('{') {
        Some((before, name)) => {
            let mut path = OsString::from(before);
            path.push(folder.join(name.trim_end_matches('}')));
            path
        }
        None => word.into(),
    }));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn table(folder: &Path, mib: usize, rounds: usize) -> Result<String, String> {
    let mut text = format!(
        "{mib} MiB in the page cache, output to /dev/null; median of {rounds} rounds, turn by turn\n"
    );
    for name in ["mixed", "ascii", "utf16", "dirty"] {
        warm(&folder.join(name)).map_err(|error| error.to_string())?;
    }
    for (task, lines) in TASKS {
        let lines: Vec<_> = lines.iter().filter(|line| installed(line)).collect();
        let mut taken = vec![Vec::new(); lines.len()];
        for _ in 0..rounds {
            for (line, taken) in lines.iter().zip(&mut taken) {
                taken.push(time(&mut prepare(line, folder)).map_err(|error| format!("{line}: {error}"))?);
            }
        }
        let _ = writeln!(text, "\n{task}\n  {:>8}  {:>8}  {:>9}  command", "seconds", "of first", "peak");
        let medians: Vec<Taken> = taken.iter_mut().map(|runs| median(runs)).collect();
        for (line, taken) in lines.iter().zip(&medians) {
            let _ = writeln!(
                text,
                "  {:8.3}  {:8.2}  {:5.1} MiB  {line}",
                taken.wall.as_secs_f64(),
                taken.wall.as_secs_f64() / medians[0].wall.as_secs_f64(),
                taken.peak_kib as f64 / 1024.0,
            );
        }
    }
    Ok(text)
}

fn installed(line: &str) -> bool {
    let program = line.split(' ').next().unwrap_or_default();
    program == "placemat"
        || Command::new(program)
            .arg("--version")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok()
}

fn warm(path: &Path) -> std::io::Result<()> {
    std::io::copy(&mut File::open(path)?.take(u64::MAX), &mut std::io::sink()).map(drop)
}

/// Runs a command. Its peak memory is read from /proc every 3 ms, so the last read may be a little early.
fn time(command: &mut Command) -> std::io::Result<Taken> {
    let start = Instant::now();
    let mut child = command.spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak_kib = 0;
    loop {
        if let Some(kib) = fs::read_to_string(&status).ok().as_deref().and_then(peak) {
            peak_kib = kib;
        }
        if child.try_wait()?.is_some() {
            return Ok(Taken { wall: start.elapsed(), peak_kib });
        }
        std::thread::sleep(Duration::from_millis(3));
    }
}

fn peak(status: &str) -> Option<u64> {
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn median(runs: &mut [Taken]) -> Taken {
    runs.sort_by_key(|taken| taken.wall);
    let peak_kib = runs.iter().map(|taken| taken.peak_kib).max().unwrap_or_default();
    Taken { wall: runs[runs.len() / 2].wall, peak_kib }
}
