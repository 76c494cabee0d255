//! Rows, tables and the CSV.

use std::fmt::Write as _;

use crate::ops::Op;
use crate::timer::{STEADY, Timing};

/// One text through one operation.
pub struct Row {
    pub op: &'static str,
    pub text: String,
    pub mode: &'static str,
    pub is_ascii: bool,
    /// GB/s of the input; placemat first.
    pub speeds: Vec<(String, f64)>,
    pub drift: f64,
}

impl Row {
    pub fn new(
        op: &Op,
        text: String,
        mode: &'static str,
        is_ascii: bool,
        len: usize,
        timing: &Timing,
    ) -> Row {
        let speed = |seconds: f64| len as f64 / seconds / 1e9;
        let speeds = op
            .peers
            .iter()
            .zip(&timing.seconds)
            .map(|(peer, &time)| (peer.name.clone(), speed(time)))
            .collect();
        Row { op: op.name, text, mode, is_ascii, speeds, drift: timing.drift }
    }

    /// The fastest peer.
    fn best(&self) -> f64 {
        self.speeds[1..].iter().map(|(_, speed)| *speed).fold(0.0, f64::max)
    }

    /// The time of the fastest peer divided by that of placemat.
    pub fn ratio(&self) -> f64 {
        self.speeds[0].1 / self.best()
    }

    /// The time of the fastest simdutf divided by that of placemat.
    fn ratio_to_simdutf(&self) -> Option<f64> {
        let is_simdutf = |name: &str| name.starts_with("simdutf") && name != "simdutf8";
        let theirs = self.speeds.iter().filter(|(name, _)| is_simdutf(name)).map(|(_, speed)| *speed);
        theirs.reduce(f64::max).map(|speed| self.speeds[0].1 / speed)
    }

    fn is_steady(&self) -> bool {
        self.drift <= STEADY
    }

    /// A line for the terminal, while the benchmark runs.
    pub fn line(&self) -> String {
        let mut line = format!("{:14} {:8} {:28} {:6.2}", self.op, self.mode, self.text, self.ratio());
        line.push(if self.is_steady() { ' ' } else { '?' });
        for (peer, speed) in &self.speeds {
            let _ = write!(line, "  {peer} {speed:.2}");
        }
        line
    }
}

pub const HEAD: &str = "operation      mode     text                          ratio   GB/s of input";

pub fn csv(rows: &[Row]) -> String {
    let mut text = "op,text,mode,peer,gb_per_s\n".to_owned();
    for row in rows {
        for (peer, speed) in &row.speeds {
            let _ = writeln!(text, "{},{},{},{peer},{speed:.3}", row.op, row.text, row.mode);
        }
    }
    text
}

/// The means of the rows of one operation and mode.
pub struct Sum<'a> {
    pub op: &'static str,
    pub mode: &'static str,
    pub mean: f64,
    pub worst: &'a Row,
    pub best: &'a Row,
    mean_to_simdutf: Option<f64>,
    /// The worst ratio among the texts that are not plain ASCII.
    worst_other: Option<&'a Row>,
    texts: usize,
    below: usize,
}

/// The means, in the order of the rows.
pub fn sums(rows: &[Row]) -> Vec<Sum<'_>> {
    let mut keys: Vec<(&str, &str)> = Vec::new();
    for row in rows {
        if !keys.contains(&(row.op, row.mode)) {
            keys.push((row.op, row.mode));
        }
    }
    let of =
        |key: &(&str, &str)| rows.iter().filter(move |row| (row.op, row.mode) == *key).collect::<Vec<_>>();
    keys.iter().filter_map(|key| sum(&of(key))).collect()
}

fn sum<'a>(rows: &[&'a Row]) -> Option<Sum<'a>> {
    let by_ratio = |a: &&&Row, b: &&&Row| a.ratio().total_cmp(&b.ratio());
    let worst = *rows.iter().min_by(by_ratio)?;
    let to_simdutf: Vec<_> = rows.iter().filter_map(|row| row.ratio_to_simdutf()).collect();
    Some(Sum {
        op: worst.op,
        mode: worst.mode,
        mean: mean(rows.iter().map(|row| row.ratio())),
        worst,
        best: rows.iter().max_by(by_ratio)?,
        mean_to_simdutf: (!to_simdutf.is_empty()).then(|| mean(to_simdutf.iter().copied())),
        worst_other: rows.iter().filter(|row| !row.is_ascii).min_by(by_ratio).copied(),
        texts: rows.len(),
        below: rows.iter().filter(|row| row.ratio() < 1.0).count(),
    })
}

/// The geometric mean.
pub fn mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = ratios.fold((0.0, 0), |(sum, n), ratio| (sum + ratio.ln(), n + 1));
    (sum / f64::from(n)).exp()
}

/// The table of means in Markdown.
pub fn table(sums: &[Sum<'_>]) -> String {
    let mut text = "\
| operation | mode | mean | mean, simdutf alone | worst text | worst but ASCII | best text | slower than the best peer |
|---|---|---|---|---|---|---|---|
"
    .to_owned();
    let named = |row: &Row| format!("{:.2} {}", row.ratio(), row.text);
    for sum in sums {
        let _ = writeln!(
            text,
            "| {} | {} | {:.2} | {} | {} | {} | {} | {} of {} |",
            sum.op,
            sum.mode,
            sum.mean,
            sum.mean_to_simdutf.map_or_else(|| "–".to_owned(), |mean| format!("{mean:.2}")),
            named(sum.worst),
            sum.worst_other.map_or_else(|| "–".to_owned(), named),
            named(sum.best),
            sum.below,
            sum.texts
        );
    }
    text
}

/// A warning if the speed of a peer changed during the run.
pub fn warning(rows: &[Row]) -> Option<String> {
    let moved = rows.iter().filter(|row| !row.is_steady()).count();
    (moved > 0).then(|| {
        format!(
            "the best peer moved by more than 10 % within {moved} of {} timings (marked ?), each taken three times",
            rows.len()
        )
    })
}
