//! Writes the results of `lengths` as a table, as CSV and as a chart.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::lengths::{Curve, Point, best, is_behind, ratio};
use crate::lines::{Grid, Line, Panel, svg};
use crate::report::mean;
use crate::strings::FEW;

/// The operations, in the order of the curves.
fn ops(curves: &[Curve]) -> Vec<&'static str> {
    let mut seen = BTreeSet::new();
    curves.iter().map(|curve| curve.op).filter(|op| seen.insert(*op)).collect()
}

/// The table of means in Markdown, one line for each operation.
pub fn table(curves: &[Curve]) -> String {
    let mut text = "\
| operation | new strings: mean | worst | behind | repeated: mean | worst | behind | largest step |
|---|---|---|---|---|---|---|---|
"
    .to_owned();
    for op in ops(curves) {
        let of_op: Vec<_> = curves.iter().filter(|curve| curve.op == op).collect();
        let new = cells(&of_op, |point| &point.new);
        let repeated = cells(&of_op, |point| &point.repeated);
        let _ = writeln!(text, "| {op} | {new} | {repeated} | {} |", step(&of_op));
    }
    text
}

/// The mean ratio, the worst one, and how many are below 1.
fn cells(curves: &[&Curve], times: impl Fn(&Point) -> &Vec<f64>) -> String {
    let all: Vec<_> = curves
        .iter()
        .flat_map(|curve| curve.points.iter().map(move |point| (curve.text, point)))
        .map(|(text, point)| (text, point.length, times(point)))
        .collect();
    let by_ratio = |a: &&(_, _, &Vec<f64>), b: &&(_, _, &Vec<f64>)| ratio(a.2).total_cmp(&ratio(b.2));
    let Some((text, length, worst)) = all.iter().min_by(by_ratio) else {
        return "– | – | –".to_owned();
    };
    format!(
        "{:.2} | {:.2} {text} {length} ({:.0} / {:.0} ns) | {} of {}",
        mean(all.iter().map(|point| ratio(point.2))),
        ratio(worst),
        worst[0],
        best(worst),
        all.iter().filter(|point| is_behind(point.2)).count(),
        all.len()
    )
}

/// The largest step from one length to the next (lengths close together, times above 5 ns).
fn step(curves: &[&Curve]) -> String {
    let near = |pair: &&[Point]| pair[1].length <= pair[0].length + pair[0].length / 8 + 1;
    let steps = curves.iter().flat_map(|curve| {
        let pairs = curve.points.windows(2).filter(near).filter(|pair| pair[1].new[0] > 5.0);
        pairs.map(|pair| (pair[1].new[0] / pair[0].new[0], curve.text, pair[1].length))
    });
    steps
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map_or_else(|| "–".to_owned(), |(times, text, length)| format!("{times:.1} × at {text} {length}"))
}

/// One line for each peer and mode, one column for each length; the record has only some of the lengths.
pub fn csv(curves: &[Curve], all: bool) -> String {
    let lengths: BTreeSet<_> =
        curves.iter().flat_map(|curve| &curve.points).map(|point| point.length).collect();
    let lengths: Vec<_> = lengths.into_iter().filter(|length| all || FEW.contains(length)).collect();
    let mut text = "op,text,mode,peer".to_owned();
    lengths.iter().for_each(|length| _ = write!(text, ",{length}"));
    text.push('\n');
    for curve in curves {
        for (i, peer) in curve.peers.iter().enumerate() {
            for mode in ["new", "repeated"] {
                let _ = write!(text, "{},{},{mode},{peer}", curve.op, curve.text);
                for point in curve.points.iter().filter(|point| lengths.contains(&point.length)) {
                    let times = if mode == "new" { &point.new } else { &point.repeated };
                    let _ = write!(text, ",{:.1}", times[i]);
                }
                text.push('\n');
            }
        }
    }
    text
}

/// Nanoseconds over length for each operation: the geometric mean of all kinds of text, with new strings.
pub fn chart(curves: &[Curve], caption: &str) -> String {
    let panels = ops(curves).into_iter().map(|op| {
        let of_op: Vec<_> = curves.iter().filter(|curve| curve.op == op).collect();
        Panel { title: op.to_owned(), lines: lines(&of_op) }
    });
    let ticks = [0, 1, 4, 16, 64, 256, 1024, 4096].map(|tick| (f64::from(tick), tick.to_string()));
    let grid = Grid {
        title: "ns a call over the length of the input in code units; strings that are new to the branch predictor".to_owned(),
        caption: caption.to_owned(),
        shift: 1.0,
        ticks: ticks.to_vec(),
    };
    svg(&grid, &panels.collect::<Vec<_>>())
}

fn lines(curves: &[&Curve]) -> Vec<Line> {
    let Some(first) = curves.first() else { return Vec::new() };
    let mut names: Vec<_> = first.peers.iter().map(|peer| family(peer)).collect();
    names.dedup();
    let line = |name: &str| {
        let points = (0..first.points.len()).map(|i| {
            let times = curves.iter().map(|curve| least(curve, i, name));
            (first.points[i].length as f64, mean(times))
        });
        Line { name: name.to_owned(), points: points.collect() }
    };
    names.into_iter().map(line).collect()
}

/// The name of a peer in the chart. All builds of simdutf share one line, which shows the fastest of them.
pub fn family(peer: &str) -> &str {
    if peer.starts_with("simdutf") && peer != "simdutf8" { "simdutf" } else { peer }
}

fn least(curve: &Curve, point: usize, name: &str) -> f64 {
    let times = curve.peers.iter().zip(&curve.points[point].new);
    times.filter(|(peer, _)| family(peer) == name).map(|(_, time)| *time).fold(f64::INFINITY, f64::min)
}
