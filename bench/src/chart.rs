//! One chart: for each operation, how many times as fast as the best of the others.

use std::fmt::Write as _;

use crate::measure::Mode;
use crate::{Record, ops, ratio};

const BAR: usize = 22;

pub fn draw(records: &[Record]) -> String {
    let rows: Vec<(&str, f64)> =
        ops::ALL.iter().filter_map(|op| Some((op.name, ratio(op.name, Mode::Repeated, records)?))).collect();
    let most = rows.iter().map(|row| row.1).fold(2.0, f64::max);
    let scale = 440.0 / most;
    let height = 50 + BAR * rows.len();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"660\" height=\"{height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<text x=\"10\" y=\"20\" fill=\"#888\">times as fast as the best peer (geometric mean over the texts; \
         simdutf 7.7.1 among them)</text>\n"
    );
    for (i, (name, ratio)) in rows.iter().enumerate() {
        let y = 34 + i * BAR;
        let _ = writeln!(
            svg,
            "<text x=\"140\" y=\"{}\" text-anchor=\"end\" fill=\"#888\">{name}</text>\
             <rect x=\"150\" y=\"{y}\" width=\"{:.0}\" height=\"16\" fill=\"#3a7ca5\"/>\
             <text x=\"{:.0}\" y=\"{}\" fill=\"#888\">{ratio:.2}</text>",
            y + 13,
            ratio * scale,
            156.0 + ratio * scale,
            y + 13,
        );
    }
    let _ = writeln!(
        svg,
        "<line x1=\"{0:.0}\" y1=\"30\" x2=\"{0:.0}\" y2=\"{height}\" stroke=\"#888\" stroke-dasharray=\"4\"/>\n</svg>",
        150.0 + scale,
    );
    svg
}
