//! Draws a chart of ratios: how many times as fast as the fastest peer placemat is, for each operation.

use std::fmt::Write as _;

use crate::report::Sum;

const LEFT: f64 = 130.0;
const WIDTH: f64 = 640.0;
const STEP: f64 = 26.0;

/// Bars from 1 to the mean, a thin line from the worst to the best text; logarithmic.
pub fn svg(sums: &[Sum<'_>], caption: &str) -> String {
    let sums: Vec<_> = sums.iter().filter(|sum| sum.mode == "repeated").collect();
    let low = sums.iter().map(|sum| sum.worst.ratio()).fold(0.5, f64::min);
    let high = sums.iter().map(|sum| sum.best.ratio()).fold(4.0, f64::max);
    let x = |ratio: f64| LEFT + (ratio / low).ln() / (high / low).ln() * (WIDTH - LEFT - 20.0);
    let bottom = 34.0 + STEP * sums.len() as f64;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <style>text{{fill:#333}}.s{{fill:#777;font-size:10px}}.b{{fill:#2a78d6}}.w{{fill:#d0662e}}.r,.g{{stroke:#777}}.g{{stroke-opacity:.3}}\
         @media(prefers-color-scheme:dark){{text{{fill:#ddd}}.s{{fill:#999}}.b{{fill:#5a9df0}}.w{{fill:#e88a55}}}}</style>\n\
         <text x=\"8\" y=\"16\">placemat / best peer: mean over all texts; line: worst to best text</text>\n",
        bottom + 34.0
    );
    for tick in
        [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0].into_iter().filter(|tick| (low..=high).contains(tick))
    {
        let at = x(tick);
        let _ = writeln!(
            out,
            "<path class=\"{}\" d=\"M{at:.1} 26V{bottom:.0}\"/><text class=\"s\" x=\"{at:.1}\" y=\"{:.0}\" text-anchor=\"middle\">{tick}×</text>",
            if tick == 1.0 { "r" } else { "g" },
            bottom + 12.0
        );
    }
    for (i, sum) in sums.iter().enumerate() {
        let y = 34.0 + STEP * i as f64;
        let (from, to) = (x(1.0).min(x(sum.mean)), x(1.0).max(x(sum.mean)));
        let _ = writeln!(
            out,
            "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{}</text>\
             <rect class=\"{}\" x=\"{from:.1}\" y=\"{y:.0}\" width=\"{:.1}\" height=\"14\" rx=\"2\"/>\
             <path class=\"r\" d=\"M{:.1} {:.0}H{:.1}\"/><text class=\"s\" x=\"{:.1}\" y=\"{:.0}\">{:.2}</text>",
            LEFT - 8.0,
            y + 11.0,
            sum.op,
            if sum.mean < 1.0 { "w" } else { "b" },
            (to - from).max(1.0),
            x(sum.worst.ratio()),
            y + 17.0,
            x(sum.best.ratio()),
            to + 4.0,
            y + 11.0,
            sum.mean
        );
    }
    let _ = writeln!(out, "<text class=\"s\" x=\"8\" y=\"{:.0}\">{caption}</text>\n</svg>", bottom + 28.0);
    out
}
