//! Placemat beside its peers, in one process: `cargo xtask bench`.

mod buffer;
mod chart;
mod generate;
mod machine;
mod ops;
mod options;
mod peers;
mod random;
mod report;
mod sample;
mod texts;
mod timer;

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use buffer::Buffer;
use ops::{OPS, Op};
use options::Options;
use placemat::{Level, Transcoder};
use report::Row;
use sample::{Sample, Source};
use texts::Text;
use timer::Effort;

fn main() -> ExitCode {
    match Options::read(std::env::args().skip(1)).and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// When `--quick` begins nothing new.
const QUICK: Duration = Duration::from_secs(42);

fn run(options: &Options) -> Result<(), String> {
    if options.help {
        println!("{}", options::USAGE);
        return Ok(());
    }
    let start = Instant::now();
    if let Some(level) = options.cpu {
        force(level)?;
    }
    let texts = texts::all(options.texts.as_deref(), if options.quick { 128 << 10 } else { 8 << 20 })?;
    let mut about = machine::description();
    print!("{about}\n{}\n", report::HEAD);
    let mut rows = Vec::new();
    let chosen =
        OPS.iter().filter(|op| options.ops.is_empty() || options.ops.iter().any(|name| name == op.name));
    let (mut left_out, mut wrong) = (Vec::new(), Vec::new());
    for op in chosen {
        if options.quick && start.elapsed() > QUICK {
            left_out.push(op.name);
            continue;
        }
        let stranger = generate::stranger(if options.quick { 1 << 20 } else { 3 << 20 }, op.is_of_latin1());
        for text in texts.iter().filter(|text| text.name.contains(&options.only)) {
            if !(options.quick && start.elapsed() > QUICK) {
                measure(op, text, &stranger, options.quick, &mut rows, &mut wrong);
            }
        }
    }
    let sums = report::sums(&rows);
    for line in [
        Some(format!("{} timings of {} texts in {} s", rows.len(), texts.len(), start.elapsed().as_secs())),
        report::warning(&rows),
        (!left_out.is_empty()).then(|| format!("no time was left for {}", left_out.join(" "))),
    ] {
        about.extend(line.map(|line| line + "\n"));
    }
    about.extend(wrong.iter().map(|line| format!("not timed: {line}\n")));
    let table = report::table(&sums);
    print!("\n{about}\n{table}");
    let chart = chart::svg(&sums, &format!("{}, {}", machine::cpu(), machine::date()));
    if let Some(path) = &options.csv {
        write(path, &report::csv(&rows))?;
    }
    if let Some(path) = &options.svg {
        write(path, &chart)?;
    }
    if options.record {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("record").join(slug(&machine::cpu()));
        let lines: Vec<_> = rows.iter().map(Row::line).collect();
        let mut name = machine::date();
        if let Some(level) = options.cpu.filter(|level| Level::available().last() != Some(*level)) {
            name = name + "-" + level.name();
        }
        write(&folder.join(format!("{name}.csv")), &report::csv(&rows))?;
        write(
            &folder.join(name + ".md"),
            &format!(
                "```text\n{about}```\n\n{table}\n```text\n{}\n{}\n```\n",
                report::HEAD,
                lines.join("\n")
            ),
        )?;
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Check, then time, all peers on one text.
fn measure(op: &Op, text: &Text, stranger: &str, quick: bool, rows: &mut Vec<Row>, wrong: &mut Vec<String>) {
    for (suffix, source) in op.variants() {
        let (Some(sample), Some(before)) = (Sample::new(&text.text, *source), Sample::new(stranger, *source))
        else {
            continue;
        };
        // Room for the longest result: one byte may become four.
        let mut out =
            Buffer::zeroed(4 * sample.bytes().len().max(before.bytes().len()) + Transcoder::MIN_OUTPUT);
        if let Err(who) = check(op, &sample, &mut out) {
            let line = format!("{}, {}{suffix}: not the answer of std: {who}", op.name, text.name);
            eprintln!("{line}");
            wrong.push(line);
            continue;
        }
        for (mode, stranger) in [("repeated", None), ("cold", Some(&before))] {
            // Pieces are so many that no predictor remembers them.
            if matches!(source, Source::Pieces | Source::Utf16Pieces) && mode == "cold" {
                continue;
            }
            let effort = match (quick, mode) {
                (true, "cold") => Effort { rounds: 5, stretch: Duration::ZERO },
                (false, "cold") => Effort { rounds: 11, stretch: Duration::ZERO },
                (true, _) => Effort { rounds: 7, stretch: Duration::from_micros(32) },
                (false, _) => Effort { rounds: 21, stretch: Duration::from_micros(80) },
            };
            let timing = timer::time(op, &sample, stranger, &mut out, effort);
            let name = format!("{}{suffix}", text.name);
            let row = Row::new(op, name, mode, text.is_ascii(), sample.bytes().len(), &timing);
            println!("{}", row.line());
            rows.push(row);
        }
    }
}

/// Whether all peers give the answer of the last, which is `std`; else who does not.
fn check(op: &Op, sample: &Sample, out: &mut Buffer) -> Result<(), String> {
    let mut answers: Vec<_> =
        op.peers.iter().map(|(peer, call)| (*peer, call(sample, out).content(out))).collect();
    let Some((_, expected)) = answers.pop() else { return Ok(()) };
    let wrong: Vec<_> =
        answers.iter().filter(|(_, answer)| *answer != expected).map(|(peer, _)| *peer).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join(", ")) }
}

/// Hold placemat and simdutf to one level.
fn force(level: Level) -> Result<(), String> {
    let theirs = match level {
        Level::Sse42 => "westmere",
        Level::Avx2 => "haswell",
        Level::Avx512 => "icelake",
        _ => return Err("--cpu: sse42, avx2 or avx512".to_owned()),
    };
    // SAFETY: no other thread has been started.
    unsafe { std::env::set_var("SIMDUTF_FORCE_IMPLEMENTATION", theirs) };
    level.force().then_some(()).ok_or_else(|| format!("this CPU lacks {}", level.name()))
}

fn slug(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(|error| error.to_string())?;
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    eprintln!("written: {}", path.display());
    Ok(())
}
