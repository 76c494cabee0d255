//! Measures nanoseconds for each call, by length: with strings that are new to the branch predictor, and with one repeated string.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::buffer::Buffer;
use crate::ops::{OPS, Op, Table};
use crate::options::Options;
use crate::strings::{FEW, Stock, TEXTS, lengths};
use crate::timer::{self, Effort};
use crate::{curves, machine, record, write};

/// One length of one kind of text through one operation.
pub struct Point {
    pub length: usize,
    /// Nanoseconds for each call, with different strings and with one repeated string; placemat first.
    pub new: Vec<f64>,
    pub repeated: Vec<f64>,
}

/// All lengths of one kind of text through one operation.
pub struct Curve {
    pub op: &'static str,
    pub text: &'static str,
    pub peers: Vec<String>,
    pub points: Vec<Point>,
}

/// The number of strings of each length whose answers are compared.
const CHECKED: usize = 256;

/// With `--quick`, nothing new is started after this time.
const QUICK: Duration = Duration::from_secs(45);

/// Times the selected operations, and prints each curve when it is complete.
pub fn run(table: &Table, options: &Options, about: &str, wrong: &mut Vec<String>) -> Result<(), String> {
    let start = Instant::now();
    let all = match (options.lengths.is_empty(), options.quick) {
        (false, _) => options.lengths.clone(),
        (true, true) => FEW.to_vec(),
        (true, false) => lengths(),
    };
    let mut curves = Vec::new();
    let mut left_out = Vec::new();
    // Operations on short strings have their own list of lengths.
    for &(name, source, calls, _) in OPS.iter().filter(|(name, ..)| !name.ends_with("-short")) {
        if !options.wants(name) {
            continue;
        }
        let op = table.op(name, source, calls);
        for (kind, generate) in TEXTS.iter().filter(|(kind, _)| options.wants_text(kind)) {
            let Some(stock) = Stock::new(&generate(1 << 18), source) else { continue };
            if options.quick && start.elapsed() > QUICK {
                left_out.push(format!("{name} {kind}"));
                continue;
            }
            let since = Instant::now();
            match curve(&op, kind, &stock, &all, options) {
                Ok(curve) => {
                    println!("{}", text(&curve));
                    curves.push(curve);
                }
                Err(line) => {
                    eprintln!("{line}");
                    wrong.push(line);
                }
            }
            options.rest(since);
        }
    }
    if !left_out.is_empty() {
        println!("no time was left for {}", left_out.join(", "));
    }
    finish(&curves, options, about)
}

fn curve(
    op: &Op,
    text: &'static str,
    stock: &Stock,
    lengths: &[usize],
    options: &Options,
) -> Result<Curve, String> {
    let mut points = Vec::new();
    let effort = if options.quick {
        Effort { rounds: 5, stretch: Duration::from_micros(5) }
    } else {
        Effort { rounds: 5, stretch: Duration::from_micros(20) }
    };
    for &length in lengths {
        let mut out = Buffer::zeroed(8 * length + 512);
        let mut time = |mut sample: crate::sample::Sample| {
            if options.exact {
                op.tighten(&mut sample, &mut out);
            }
            op.check(&sample, &sample.pieces[..sample.pieces.len().min(CHECKED)], &mut out).map_err(
                |who| format!("{}, {text}, length {length}: not the answer of std: {who}", op.name),
            )?;
            let timing = timer::time(op, &sample, None, &mut out, effort);
            Ok::<_, String>(
                timing.seconds.iter().map(|time| time * 1e9 / sample.pieces.len() as f64).collect(),
            )
        };
        let new = time(stock.strings(length, stock.many(length)))?;
        let repeated = time(stock.repeated(length))?;
        points.push(Point { length, new, repeated });
    }
    let peers = op.peers.iter().map(|peer| peer.name.clone()).collect();
    Ok(Curve { op: op.name, text, peers, points })
}

/// A table for the terminal: new strings / one repeated string.
fn text(curve: &Curve) -> String {
    let mut out = format!("{}, {}: ns a call, new strings / repeated\n{:>6}", curve.op, curve.text, "length");
    for peer in &curve.peers {
        let _ = write!(out, " {peer:>15}");
    }
    out.push_str("   best / placemat\n");
    for point in &curve.points {
        let _ = write!(out, "{:6}", point.length);
        for (new, repeated) in point.new.iter().zip(&point.repeated) {
            let _ = write!(out, " {:>15}", format!("{new:.1} / {repeated:.1}"));
        }
        let mark = if is_behind(&point.new) || is_behind(&point.repeated) { "  behind" } else { "" };
        let _ = writeln!(out, "   {:5.2} / {:5.2}{mark}", ratio(&point.new), ratio(&point.repeated));
    }
    out
}

/// The time of the fastest peer.
pub fn best(times: &[f64]) -> f64 {
    times[1..].iter().copied().fold(f64::INFINITY, f64::min)
}

/// The time of the fastest peer divided by that of placemat.
pub fn ratio(times: &[f64]) -> f64 {
    best(times) / times[0]
}

/// Whether placemat is slower than the fastest peer by more than 5 % and more than 1 ns.
pub fn is_behind(times: &[f64]) -> bool {
    times[0] > (best(times) * 1.05).max(best(times) + 1.0)
}

/// Prints the means, and writes the files that the options ask for.
fn finish(curves: &[Curve], options: &Options, about: &str) -> Result<(), String> {
    let table = curves::table(curves);
    print!("{about}\n{table}");
    let caption =
        format!("{}, level {}, {}", machine::cpu(), placemat::Level::current().name(), machine::date());
    if let Some(path) = &options.csv {
        write(path, &curves::csv(curves, true))?;
    }
    if let Some(path) = &options.svg {
        write(path, &curves::chart(curves, &caption))?;
    }
    if options.record {
        let (csv, chart) = (curves::csv(curves, false), curves::chart(curves, &caption));
        record::keep(options, "lengths", about, &table, Some(&csv), Some(&chart))?;
    }
    Ok(())
}
