//! Measures GB/s by size, from texts that fit the L1 cache to texts that fit no cache, with the limit set by memory.

use std::fmt::Write as _;
use std::rc::Rc;
use std::time::{Duration, Instant};

use placemat::{Level, Transcoder};

use crate::buffer::Buffer;
use crate::curves::family;
use crate::lines::{Grid, Line, MEMORY, Panel, svg};
use crate::ops::{OPS, Op, Table};
use crate::options::Options;
use crate::sample::{Sample, Source};
use crate::strings::{OFFSETS, TEXTS};
use crate::texts::floor;
use crate::timer::{self, Effort};
use crate::{machine, memory, record, write};

/// One kind of text through one operation.
struct Scale {
    op: &'static str,
    text: &'static str,
    /// Placemat first, the limit set by memory last.
    peers: Vec<String>,
    /// The size of the text in bytes of UTF-8, and GB/s of the input.
    points: Vec<(usize, Vec<f64>)>,
}

/// Answers are compared up to this size.
const CHECKED: usize = 1 << 20;

/// The sizes in the table.
const SHOWN: [usize; 6] = [1 << 10, 16 << 10, 256 << 10, 1 << 20, 4 << 20, 64 << 20];

/// Times the selected operations, prints them, and writes the files that the options ask for.
pub fn run(table: &Table, options: &Options, about: &str, wrong: &mut Vec<String>) -> Result<(), String> {
    let sizes = if options.quick { SHOWN.to_vec() } else { (10..=26).map(|bits| 1 << bits).collect() };
    let longest = sizes.last().copied().unwrap_or_default();
    let mut scales = Vec::new();
    for &(kind, generate) in TEXTS.iter().filter(|(kind, _)| wants(options, kind)) {
        let text = generate(longest);
        for &(name, source, calls, _) in OPS.iter().filter(|op| is_measured(op.1) && options.wants(op.0)) {
            let since = Instant::now();
            // A text that ISO 8859-1 cannot carry is not measured as ISO 8859-1. Without `--text`, French is measured only as ISO 8859-1.
            let is_latin1 = matches!(source, Source::Latin1 | Source::Utf8OfLatin1);
            if options.kinds.is_empty() && is_latin1 != (kind == "french") {
                continue;
            }
            let op = table.op(name, source, calls);
            match scale(&op, kind, &text, &sizes) {
                Ok(Some(scale)) => {
                    println!("{}", line(&scale));
                    scales.push(scale);
                }
                Ok(None) => {}
                Err(line) => wrong.push(line),
            }
            options.rest(since);
        }
    }
    finish(&scales, options, about)
}

/// The selected kinds of text; by default mixed text, and French for ISO 8859-1.
fn wants(options: &Options, kind: &str) -> bool {
    if options.kinds.is_empty() { ["mixed", "french"].contains(&kind) } else { options.wants_text(kind) }
}

/// Operations on pieces are not measured by size: their pieces have the same lengths in every text.
fn is_measured(source: Source) -> bool {
    !matches!(source, Source::Pieces | Source::Utf16Pieces | Source::Faulty)
}

fn scale(op: &Op, kind: &'static str, text: &str, sizes: &[usize]) -> Result<Option<Scale>, String> {
    let mut points = Vec::new();
    for (i, &size) in sizes.iter().enumerate() {
        let text = &text[..floor(text, size)];
        let Some(sample) = Sample::new(text, op.source, OFFSETS[i % 2]) else { return Ok(None) };
        // Room for the longest result: a byte becomes at most 4 bytes, and a longer unit at most twice its size.
        let bytes = op.source.unit() * sample.len();
        let mut out =
            Buffer::zeroed(if op.source.unit() == 1 { 4 } else { 2 } * bytes + Transcoder::MIN_OUTPUT + 64);
        if size <= CHECKED {
            op.check(&sample, &sample.pieces, &mut out)
                .map_err(|who| format!("{}, {kind}, {size} bytes: not the answer of std: {who}", op.name))?;
        }
        let mut peers = op.peers.clone();
        peers.push(Rc::new(memory::peer(op.written(&sample, &mut out))));
        let op = Op { peers, ..*op };
        let effort = Effort { rounds: 5, stretch: Duration::from_micros(100) };
        let timing = timer::time(&op, &sample, None, &mut out, effort);
        points.push((size, timing.seconds.iter().map(|time| bytes as f64 / time / 1e9).collect()));
    }
    let mut peers: Vec<_> = op.peers.iter().map(|peer| peer.name.clone()).collect();
    peers.push(MEMORY.to_owned());
    Ok(Some(Scale { op: op.name, text: kind, peers, points }))
}

/// For the terminal: GB/s of placemat, and in brackets how many times as fast as the fastest peer.
fn line(scale: &Scale) -> String {
    let mut out = format!("{:20} {:8}", scale.op, scale.text);
    for (size, speeds) in &scale.points {
        let _ = write!(out, "  {} {:.1} ({:.2})", bytes(*size), speeds[0], ratio(speeds));
    }
    out
}

fn ratio(speeds: &[f64]) -> f64 {
    speeds[0] / speeds[1..speeds.len() - 1].iter().copied().fold(0.0, f64::max)
}

fn bytes(size: usize) -> String {
    if size < 1 << 20 { format!("{} KB", size >> 10) } else { format!("{} MB", size >> 20) }
}

fn finish(scales: &[Scale], options: &Options, about: &str) -> Result<(), String> {
    let table = table(scales);
    print!("\n{about}\n{table}");
    let caption = format!("{}, level {}, {}", machine::cpu(), Level::current().name(), machine::date());
    if let Some(path) = &options.csv {
        write(path, &csv(scales))?;
    }
    if let Some(path) = &options.svg {
        write(path, &chart(scales, &caption))?;
    }
    if options.record {
        let (csv, chart) = (csv(scales), chart(scales, &caption));
        record::keep(options, "sizes", about, &table, Some(&csv), Some(&chart))?;
    }
    Ok(())
}

/// In Markdown: the ratio to the fastest peer, and for 64 MB the share of the memory limit that placemat reaches.
fn table(scales: &[Scale]) -> String {
    let mut text = "| operation | text |".to_owned();
    SHOWN.iter().for_each(|&size| _ = write!(text, " {} |", bytes(size)));
    text.push_str(" of the memory's speed |\n|---|---|---|---|---|---|---|---|---|\n");
    for scale in scales {
        let _ = write!(text, "| {} | {} |", scale.op, scale.text);
        for size in SHOWN {
            match scale.points.iter().find(|point| point.0 == size) {
                Some((_, speeds)) => _ = write!(text, " {:.2} |", ratio(speeds)),
                None => text.push_str(" – |"),
            }
        }
        let part = scale.points.last().map_or(0.0, |(_, speeds)| speeds[0] / speeds[speeds.len() - 1]);
        let _ = writeln!(text, " {part:.2} |");
    }
    text
}

fn csv(scales: &[Scale]) -> String {
    let mut text = "op,text,bytes,peer,gb_per_s\n".to_owned();
    for scale in scales {
        for (size, speeds) in &scale.points {
            for (peer, speed) in scale.peers.iter().zip(speeds) {
                let _ = writeln!(text, "{},{},{size},{peer},{speed:.2}", scale.op, scale.text);
            }
        }
    }
    text
}

fn chart(scales: &[Scale], caption: &str) -> String {
    let panels = scales.iter().map(|scale| {
        let mut names: Vec<_> = scale.peers.iter().map(|peer| family(peer)).collect();
        names.dedup();
        let best = |speeds: &[f64], name: &str| {
            let of_name = scale.peers.iter().zip(speeds).filter(|(peer, _)| family(peer) == name);
            of_name.map(|(_, speed)| *speed).fold(0.0, f64::max)
        };
        let line = |name: &str| Line {
            name: name.to_owned(),
            points: scale.points.iter().map(|(size, speeds)| (*size as f64, best(speeds, name))).collect(),
        };
        Panel { title: format!("{}, {}", scale.op, scale.text), lines: names.into_iter().map(line).collect() }
    });
    let ticks = (10..=26).step_by(4).map(|bits| (f64::from(1 << bits), bytes(1 << bits)));
    let grid = Grid {
        title: "GB/s of input over the size of the text in UTF-8; dashed: loads and stores of as many bytes, and nothing else".to_owned(),
        caption: caption.to_owned(),
        shift: 0.0,
        ticks: ticks.collect(),
    };
    svg(&grid, &panels.collect::<Vec<_>>())
}
