//! Measures GB/s on whole texts.

use std::time::{Duration, Instant};

use placemat::Transcoder;

use crate::buffer::Buffer;
use crate::ops::{OPS, Op, Table};
use crate::options::Options;
use crate::report::{self, Row};
use crate::sample::{Sample, Source};
use crate::strings::OFFSETS;
use crate::texts::{self, Text};
use crate::timer::{self, Effort};
use crate::{chart, generate, machine, record, write};

/// With `--quick`, nothing new is started after this time.
const QUICK: Duration = Duration::from_secs(42);

/// Times the selected operations, prints them, and writes the files that the options ask for.
pub fn run(
    table: &Table,
    options: &Options,
    mut about: String,
    wrong: &mut Vec<String>,
) -> Result<(), String> {
    let start = Instant::now();
    let texts = texts::all(options.folder.as_deref(), if options.quick { 128 << 10 } else { 8 << 20 })?;
    println!("\n{}", report::HEAD);
    let (mut rows, mut left_out) = (Vec::new(), Vec::new());
    for &(name, source, calls, _) in OPS.iter().filter(|op| op.3 && options.wants(op.0)) {
        let op = table.op(name, source, calls);
        if options.quick && start.elapsed() > QUICK {
            left_out.push(name);
            continue;
        }
        let stranger = generate::stranger(if options.quick { 1 << 20 } else { 3 << 20 }, op.is_of_latin1());
        for (i, text) in texts.iter().enumerate().filter(|(_, text)| text.name.contains(&options.only)) {
            if !(options.quick && start.elapsed() > QUICK) {
                let since = Instant::now();
                measure(&op, text, &stranger, OFFSETS[i % 2], options.quick, &mut rows, wrong);
                options.rest(since);
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
    if let Some(path) = &options.csv {
        write(path, &report::csv(&rows))?;
    }
    if let Some(path) = &options.svg {
        write(path, &chart::svg(&sums, &format!("{}, {}", machine::cpu(), machine::date())))?;
    }
    if options.record {
        let lines: Vec<_> = rows.iter().map(Row::line).collect();
        let lines = format!("{table}\n```text\n{}\n{}\n```\n", report::HEAD, lines.join("\n"));
        record::keep(options, "texts", &about, &lines, Some(&report::csv(&rows)), None)?;
    }
    Ok(())
}

/// Checks, then times, all peers on one text.
fn measure(
    op: &Op,
    text: &Text,
    stranger: &str,
    offset: usize,
    quick: bool,
    rows: &mut Vec<Row>,
    wrong: &mut Vec<String>,
) {
    for (suffix, source) in op.variants() {
        let samples = (Sample::new(&text.text, source, offset), Sample::new(stranger, source, offset));
        let (Some(sample), Some(before)) = samples else { continue };
        // Room for the longest result: one byte may become four.
        let mut out = Buffer::zeroed(
            4 * source.unit() * sample.len().max(before.len()) + offset + Transcoder::MIN_OUTPUT,
        );
        if let Err(who) = op.check(&sample, &sample.pieces, &mut out) {
            let line = format!("{}, {}{suffix}: not the answer of std: {who}", op.name, text.name);
            eprintln!("{line}");
            wrong.push(line);
            continue;
        }
        for (mode, stranger) in [("repeated", None), ("cold", Some(&before))] {
            // There are so many pieces that no predictor remembers them.
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
            let row = Row::new(op, name, mode, text.is_ascii(), source.unit() * sample.len(), &timing);
            println!("{}", row.line());
            rows.push(row);
        }
    }
}
