//! Draws small line charts side by side, with both axes logarithmic.

use std::fmt::Write as _;

pub struct Line {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

pub struct Panel {
    pub title: String,
    pub lines: Vec<Line>,
}

/// What all charts have in common.
pub struct Grid {
    pub title: String,
    pub caption: String,
    /// Added to each value on the horizontal axis, so that a logarithmic axis can show 0.
    pub shift: f64,
    pub ticks: Vec<(f64, String)>,
}

const COLUMNS: usize = 3;
const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 34.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 22.0;
const BOTTOM: f64 = 22.0;
const HEAD: f64 = 44.0;

/// The names of lines and their colours; a line of another name is grey.
const COLOURS: [(&str, &str); 9] = [
    ("placemat", "#2a78d6"),
    ("simdutf", "#d0422e"),
    ("simdutf8", "#e08a1e"),
    ("encoding_rs", "#3a9a4a"),
    ("smoothutf8", "#8a4fc8"),
    ("simd_cesu8", "#c04a9a"),
    ("bstr", "#8a7a4a"),
    ("std", "#888888"),
    (MEMORY, "#209a9a"),
];

/// The name of the dashed line, which is a limit.
pub const MEMORY: &str = "memory";

pub fn svg(grid: &Grid, panels: &[Panel]) -> String {
    let rows = panels.len().div_ceil(COLUMNS);
    let (width, height) = (WIDTH * COLUMNS as f64, HEAD + HEIGHT * rows as f64 + 20.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <style>text{{fill:#333}}.s{{fill:#777;font-size:9px}}.g{{stroke:#777;stroke-opacity:.25;fill:none}}.l{{fill:none;stroke-width:1.2}}\
         @media(prefers-color-scheme:dark){{text{{fill:#ddd}}.s{{fill:#999}}}}</style>\n\
         <text x=\"8\" y=\"15\" font-size=\"13\">{}</text>\n",
        grid.title
    );
    let mut x = 8.0;
    let shown = |name: &str| panels.iter().flat_map(|panel| &panel.lines).any(|line| line.name == name);
    for (name, colour) in COLOURS.iter().filter(|(name, _)| shown(name)) {
        let _ = writeln!(
            out,
            "<path class=\"l\" stroke=\"{colour}\"{} d=\"M{x} 31h16\"/><text x=\"{:.0}\" y=\"35\">{name}</text>",
            dash(name),
            x + 20.0
        );
        x += 36.0 + 7.0 * name.len() as f64;
    }
    for (i, panel) in panels.iter().enumerate() {
        let (column, row) = ((i % COLUMNS) as f64, (i / COLUMNS) as f64);
        let _ = writeln!(out, "<g transform=\"translate({} {})\">", column * WIDTH, HEAD + row * HEIGHT);
        draw(panel, grid, &mut out);
        out.push_str("</g>\n");
    }
    let _ = writeln!(out, "<text class=\"s\" x=\"8\" y=\"{}\">{}</text>\n</svg>", height - 6.0, grid.caption);
    out
}

fn dash(name: &str) -> &'static str {
    if name == MEMORY { " stroke-dasharray=\"4 3\"" } else { "" }
}

fn draw(panel: &Panel, grid: &Grid, out: &mut String) {
    let ys = || panel.lines.iter().flat_map(|line| line.points.iter().map(|point| point.1));
    let (low, high) = (ys().fold(f64::INFINITY, f64::min) / 1.1, ys().fold(0.0, f64::max) * 1.1);
    let (first, last) = (grid.ticks[0].0 + grid.shift, grid.ticks[grid.ticks.len() - 1].0 + grid.shift);
    let across =
        |x: f64| LEFT + ((x + grid.shift) / first).ln() / (last / first).ln() * (WIDTH - LEFT - RIGHT);
    let up = |y: f64| HEIGHT - BOTTOM - (y / low).ln() / (high / low).ln() * (HEIGHT - TOP - BOTTOM);
    let _ = writeln!(out, "<text x=\"{LEFT}\" y=\"14\">{}</text>", panel.title);
    for (tick, label) in &grid.ticks {
        let x = across(*tick);
        let _ = writeln!(
            out,
            "<path class=\"g\" d=\"M{x:.0} {TOP}V{:.0}\"/><text class=\"s\" x=\"{x:.0}\" y=\"{:.0}\" text-anchor=\"middle\">{label}</text>",
            HEIGHT - BOTTOM,
            HEIGHT - BOTTOM + 11.0
        );
    }
    for tick in [0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1e3, 3e3, 1e4, 3e4, 1e5] {
        if !(low..=high).contains(&tick) {
            continue;
        }
        let y = up(tick);
        let _ = writeln!(
            out,
            "<path class=\"g\" d=\"M{LEFT} {y:.0}H{:.0}\"/><text class=\"s\" x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"end\">{tick}</text>",
            WIDTH - RIGHT,
            LEFT - 3.0,
            y + 3.0
        );
    }
    // Draw placemat last, above the others.
    for line in panel.lines.iter().rev() {
        let colour =
            COLOURS.iter().find(|(name, _)| *name == line.name).map_or("#888888", |(_, colour)| colour);
        let wide = if line.name == "placemat" { " style=\"stroke-width:2\"" } else { "" };
        let _ = write!(out, "<path class=\"l\" stroke=\"{colour}\"{wide}{} d=\"", dash(&line.name));
        let mut drawn = f64::NEG_INFINITY;
        for &(x, y) in &line.points {
            // Points closer than 1.5 units of the drawing cannot be told apart.
            if across(x) - drawn >= 1.5 {
                let letter = if drawn.is_finite() { 'L' } else { 'M' };
                let _ = write!(out, "{letter}{:.0} {:.1}", across(x), up(y));
                drawn = across(x);
            }
        }
        out.push_str("\"/>\n");
    }
}
