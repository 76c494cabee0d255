//! placemat beside its peers: the same texts, the same process, turn by turn.
//!
//! A table of ratios goes to standard output. What is timed has been checked to give the same answer.

mod chart;
mod measure;
mod ops;
mod texts;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use measure::{Mode, Times};
use ops::{Op, Words};

const USAGE: &str = "\
cargo xtask bench [OPTION]

  --quick        end within 50 seconds: shorter texts, fewer turns, no cold mode
  --texts DIR    the texts in this folder and the folders in it (otherwise: generated text)
  --only WORD    only operations and texts whose names contain this
  --csv FILE     write op,text,mode,peer,gb_per_s
  --svg FILE     draw the geometric means
  --cpu LEVEL    use the kernels of this level: scalar, sse42, avx2, avx512";

struct Options {
    quick: bool,
    texts: Option<PathBuf>,
    only: String,
    csv: Option<PathBuf>,
    svg: Option<PathBuf>,
}

/// One cell: how fast one peer was, in GB of source a second.
struct Record {
    op: &'static str,
    text: String,
    mode: Mode,
    peer: &'static str,
    speed: f64,
}

fn main() -> ExitCode {
    match options().and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn options() -> Result<Options, String> {
    let mut options = Options { quick: false, texts: None, only: String::new(), csv: None, svg: None };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} wants a value\n\n{USAGE}"));
        match arg.as_str() {
            "--quick" => options.quick = true,
            "--texts" => options.texts = Some(value()?.into()),
            "--only" => options.only = value()?,
            "--csv" => options.csv = Some(value()?.into()),
            "--svg" => options.svg = Some(value()?.into()),
            "--cpu" => {
                let name = value()?;
                let level = placemat::Level::named(&name).ok_or(format!("{name} is no level"))?;
                if !level.force() {
                    return Err(format!("this CPU lacks {name}"));
                }
            }
            _ => return Err(USAGE.to_owned()),
        }
    }
    Ok(options)
}

fn run(options: &Options) -> Result<(), String> {
    let texts = texts::all(options.texts.as_deref(), if options.quick { 100_000 } else { 2_000_000 })?;
    let modes: &[Mode] = if options.quick { &[Mode::Repeated] } else { &[Mode::Repeated, Mode::Cold] };
    println!("placemat {}, simdutf (crate 0.7.0: C++ 7.7.1)", placemat::Level::current().name());
    let other = texts::mixed(1_500_000);
    let deadline = Instant::now() + Duration::from_secs(if options.quick { 45 } else { 1800 });
    let ops: Vec<&Op> = ops::ALL.iter().collect();
    let mut records = Vec::new();
    for op in ops {
        println!("\n{}\n{:24}{:>10}{}", op.name, "GB/s", "", op.header());
        for text in &texts {
            let key = format!("{} {}", op.name, text.name);
            let Some(source) = (op.prepare)(&text.text).filter(|_| key.contains(&options.only)) else {
                continue;
            };
            let evict = (op.prepare)(&other).unwrap_or_else(|| source.clone());
            for &mode in modes {
                if Instant::now() > deadline {
                    return Err("out of time; what is above stands".to_owned());
                }
                let times = measure::interleaved(op, &source, &evict, mode, options.quick)?;
                report(op, &text.name, mode, &source, &times, &mut records);
            }
        }
        summary(op, modes, &records);
    }
    if let Some(path) = &options.csv {
        let mut csv = String::from("op,text,mode,peer,gb_per_s\n");
        for Record { op, text, mode, peer, speed } in &records {
            let _ = writeln!(csv, "{op},{text},{},{peer},{speed:.3}", mode.name());
        }
        std::fs::write(path, csv).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    if let Some(path) = &options.svg {
        std::fs::write(path, chart::draw(&records))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn report(op: &Op, text: &str, mode: Mode, source: &Words, times: &Times, records: &mut Vec<Record>) {
    let speeds: Vec<f64> = times.median.iter().map(|&nanos| source.bytes().len() as f64 / nanos).collect();
    let best = speeds[1..].iter().copied().fold(0.0, f64::max);
    let cells: String = speeds.iter().map(|speed| format!("{speed:10.2}")).collect();
    let moved = if times.drift > 0.10 {
        format!("  reference moved {:.0} %", times.drift * 100.0)
    } else {
        String::new()
    };
    println!("{text:24}{:>10}{cells}  ×{:.2}{moved}", mode.name(), speeds[0] / best);
    for (peer, speed) in op.peers.iter().zip(speeds) {
        records.push(Record { op: op.name, text: text.to_owned(), mode, peer: peer.name, speed });
    }
}

/// The geometric mean over the texts of placemat's speed, over that of the best of the others on each text.
fn summary(op: &Op, modes: &[Mode], records: &[Record]) {
    for &mode in modes {
        if let Some(ratio) = ratio(op.name, mode, records) {
            println!("{:24}{:>10}  ×{ratio:.2}", "geometric mean", mode.name());
        }
    }
}

fn ratio(op: &str, mode: Mode, records: &[Record]) -> Option<f64> {
    let mut logs = Vec::new();
    for ours in records.iter().filter(|r| r.op == op && r.mode == mode && r.peer == "placemat") {
        let same = |r: &&Record| r.op == op && r.mode == mode && r.text == ours.text && r.peer != "placemat";
        let best = records.iter().filter(same).map(|r| r.speed).fold(0.0, f64::max);
        logs.push((ours.speed / best).ln());
    }
    (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
}
