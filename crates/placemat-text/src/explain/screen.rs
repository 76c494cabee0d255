//! Renders blocks as text for a terminal.

use std::fmt::Write as _;

use anstyle::{Ansi256Color, AnsiColor, Color, Style};

use super::document::{Block, Columns, Grid, Ink, Line};

/// The greatest width of prose, in columns.
const MEASURE: usize = 110;

/// Renders all blocks, with colours as escape sequences.
pub(crate) fn render(blocks: &[Block], width: usize) -> String {
    let mut screen = Screen { out: String::new(), width: width.min(MEASURE), full: width };
    for block in blocks {
        screen.block(block);
    }
    screen.out
}

struct Screen {
    out: String,
    width: usize,
    full: usize,
}

impl Screen {
    fn block(&mut self, block: &Block) {
        match block {
            Block::Title(line) => self.wrapped("", "", line),
            Block::Section(text) | Block::Heading(text) => {
                self.out.push('\n');
                self.wrapped("  ", "  ", &Line::inked(Ink::Strong, text));
            }
            Block::Item(line) => {
                self.out.push('\n');
                self.wrapped("", "    ", line);
            }
            Block::Text(line) => {
                self.out.push('\n');
                self.wrapped("", "", line);
            }
            Block::Facts(facts) => self.facts(facts),
            Block::Numbered(lines) => {
                for (n, line) in lines.iter().enumerate() {
                    self.wrapped(&format!("  {:>3}  ", n + 1), "       ", line);
                }
            }
            Block::Columns(columns) => self.columns(columns),
            Block::Grid(grid) => self.grid(grid),
        }
    }

    fn wrapped(&mut self, first: &str, later: &str, line: &Line) {
        let room = self.width.saturating_sub(later.len()).max(20);
        for (n, part) in line.wrapped(room).iter().enumerate() {
            self.out.push_str(if n == 0 { first } else { later });
            self.put(part);
            self.end_line();
        }
    }

    fn end_line(&mut self) {
        let kept = self.out.trim_end_matches(' ').len();
        self.out.truncate(kept);
        self.out.push('\n');
    }

    fn put(&mut self, line: &Line) {
        for span in &line.0 {
            let style = style(span.ink);
            // Spaces at the end are outside the style, so that they can be removed.
            let text = span.text.trim_end_matches(' ');
            let gap = &span.text[text.len()..];
            let _ = write!(self.out, "{style}{text}{style:#}{gap}");
        }
    }

    fn facts(&mut self, facts: &[(String, Line)]) {
        // A label wider than this is on a line of its own.
        let limit = self.width * 2 / 5;
        let widths = facts.iter().map(|(label, _)| Line::plain(label).width());
        let widest = widths.filter(|&width| width <= limit).max().unwrap_or(0).max(8);
        let later = " ".repeat(widest + 6);
        for (label, line) in facts {
            let label = Line::inked(Ink::Faint, label).cut(self.width - 4);
            self.out.push_str("    ");
            self.put(&label);
            if label.width() > widest {
                self.end_line();
                self.wrapped(&later, &later, line);
            } else {
                let gap = " ".repeat(widest + 2 - label.width());
                self.wrapped(&gap, &later, line);
            }
        }
    }

    fn columns(&mut self, columns: &Columns) {
        let last = columns.heads.len().saturating_sub(1);
        let width = |n: usize| {
            let cells = columns.rows.iter().filter_map(|row| row.get(n)).map(Line::width);
            cells.max().unwrap_or(0).max(columns.heads[n].1)
        };
        let widths: Vec<usize> = (0..columns.heads.len()).map(width).collect();
        let heads: Vec<Line> = columns.heads.iter().map(|(name, ..)| Line::inked(Ink::Faint, name)).collect();
        let headed = columns.headed.then_some(&heads);
        for row in headed.into_iter().chain(&columns.rows) {
            self.out.push_str("  ");
            for (n, cell) in row.iter().enumerate() {
                let gap = " ".repeat(widths[n].saturating_sub(cell.width()));
                let is_right = columns.heads[n].2;
                self.out.push_str(if is_right { &gap } else { "" });
                let used: usize = widths[..n].iter().map(|width| width + 2).sum();
                self.put(&cell.cut(if n == last { self.full.saturating_sub(used + 2) } else { widths[n] }));
                self.out.push_str(if is_right || n == last { "" } else { &gap });
                self.out.push_str("  ");
            }
            self.end_line();
        }
    }

    /// Writes sixteen cells per row: with two lines each if the screen is wide enough, else with one.
    fn grid(&mut self, grid: &Grid) {
        self.out.push('\n');
        let wide = self.full >= 4 + 16 * 7 + 2;
        let (cell, lines) = if wide { (7, 2) } else { (4, 1) };
        self.out.push_str("    ");
        for low in 0..16 {
            let head = format!("_{low:X}");
            self.put(&Line::inked(Ink::Faint, &head));
            self.out.push_str(&" ".repeat(cell - head.len()));
        }
        self.end_line();
        for (high, row) in grid.cells.chunks(16).enumerate() {
            for n in 0..lines {
                let head = if n == 0 { format!("{high:X}_") } else { grid.lengths[high].clone() };
                self.put(&Line::inked(Ink::Faint, format!("{head:<4}")));
                for place in row {
                    let text = match (wide, n) {
                        (false, _) => &place.brief,
                        (true, 0) => &place.upper,
                        (true, _) => &place.lower,
                    };
                    // The second line is fainter, so that the two lines of a cell are seen as one.
                    let is_note = n == 1 && place.ink != Ink::Continuation;
                    let line = Line::inked(if is_note { Ink::Faint } else { place.ink }, text);
                    self.put(&line);
                    self.out.push_str(&" ".repeat(cell.saturating_sub(line.width())));
                }
                self.end_line();
            }
        }
    }
}

fn style(ink: Ink) -> Style {
    let colour = |colour: AnsiColor| Style::new().fg_color(Some(Color::Ansi(colour)));
    let bright = |colour: u8| Style::new().fg_color(Some(Color::Ansi256(Ansi256Color(colour))));
    match ink {
        Ink::Plain => Style::new(),
        Ink::Strong | Ink::Lead => Style::new().bold(),
        Ink::Faint => Style::new().dimmed(),
        Ink::Ascii => bright(75),
        Ink::Continuation => bright(208),
        Ink::Limited => bright(205).bold(),
        Ink::Never => colour(AnsiColor::Red).bold(),
        Ink::Good => colour(AnsiColor::Green),
        Ink::Bad => colour(AnsiColor::Red),
    }
}
