//! Writes the survey for a terminal: numbers in columns, shares as bars.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthStr as _;

use super::chart::{self, Chart, Row, Tone};
use super::numbers::{compact, percent};
use super::total::{Survey, shown};
use crate::escape::wrapped;
use crate::explain::Line;

const STRONG: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The most rows of a chart. The last one is the sum of the smallest.
const ROWS: usize = 12;
/// The columns of a share, with the space before it.
const SHARE: usize = 6;
/// The columns between two cells.
const GAP: usize = 2;

/// The widths of columns, the same for all charts.
struct Layout {
    label: usize,
    bar: usize,
    /// One width for each measure.
    cells: Vec<usize>,
}

/// Writes the whole survey.
pub(crate) fn write(survey: &Survey, width: usize, out: &mut dyn Write) -> io::Result<()> {
    for (index, line) in chart::headlines(survey).iter().enumerate() {
        let style = if index == 0 { STRONG } else { Style::new() };
        for line in wrapped(line, width) {
            writeln!(out, "{style}{line}{style:#}")?;
        }
    }
    let mut charts = chart::all(survey);
    charts.iter_mut().for_each(shorten);
    let layout = Layout::of(&charts, width);
    for chart in &charts {
        layout.write(chart, out)?;
    }
    if !survey.worst.is_empty() {
        write_worst(survey, width, out)?;
    }
    Ok(())
}

impl Layout {
    fn of(charts: &[Chart], width: usize) -> Layout {
        let rows = || charts.iter().flat_map(|chart| &chart.rows);
        let cell = |measure: usize| {
            let names = charts.iter().filter_map(|chart| chart.measures.get(measure)).map(|name| name.len());
            let values = rows().filter_map(|row| row.values.get(measure)).map(|n| compact(*n).len() + SHARE);
            names.chain(values).max().unwrap_or(0)
        };
        let columns = charts.iter().map(|chart| chart.measures.len()).max().unwrap_or(0);
        let mut cells: Vec<usize> = (0..columns).map(cell).collect();
        let label = rows().map(|row| row.label.width()).max().unwrap_or(0);
        let used = |cells: &[usize]| 2 + label + cells.iter().map(|cell| GAP + cell).sum::<usize>();
        // On a narrow terminal, first the bars are left out, then columns from the right, except the first.
        let bar = width.saturating_sub(used(&cells) + GAP).min(48);
        let bar = if bar < 4 { 0 } else { bar };
        while used(&cells) > width && cells.len() > 1 {
            cells.pop();
        }
        Layout { label, bar, cells }
    }

    fn write(&self, chart: &Chart, out: &mut dyn Write) -> io::Result<()> {
        let Layout { label, bar, cells } = self;
        let beside_label = if *bar == 0 { 0 } else { GAP + bar };
        let room = (2 + label + beside_label).saturating_sub(chart.title.len() + GAP);
        // A note that does not fit beside the title is written below it.
        let (beside, below) = if chart.note.len() <= room { (chart.note, "") } else { ("", chart.note) };
        write!(out, "\n{STRONG}{}{STRONG:#}  {DIM}{beside:room$}{DIM:#}", chart.title)?;
        for (measure, cell) in chart.measures.iter().zip(cells) {
            write!(out, "{:GAP$}{DIM}{measure:>cell$}{DIM:#}", "")?;
        }
        writeln!(out)?;
        if !below.is_empty() {
            writeln!(out, "  {DIM}{below}{DIM:#}")?;
        }
        for row in &chart.rows {
            let style = style(row.tone);
            write!(out, "  {:label$}", row.label)?;
            if *bar > 0 {
                let blocks = blocks(chart.share(row, chart.main), *bar);
                write!(out, "{:GAP$}{style}{blocks:bar$}{style:#}", "")?;
            }
            for ((value, whole), cell) in row.values.iter().zip(&chart.whole).zip(cells) {
                let number = cell - SHARE;
                write!(out, "{:GAP$}{:>number$} {:>5}", "", compact(*value), percent(*value, *whole))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

/// Keeps the largest rows, and adds up the rest in one.
fn shorten(chart: &mut Chart) {
    if chart.rows.len() <= ROWS {
        return;
    }
    let small = chart.rows.split_off(ROWS - 1);
    let sum = |measure| small.iter().map(|row: &Row| row.values[measure]).sum();
    chart.rows.push(Row {
        label: format!("{} others", small.len()),
        tone: Tone::Plain,
        values: (0..chart.measures.len()).map(sum).collect(),
    });
}

/// A bar for this share of `width` columns, in steps of an eighth of a column and at least that long.
fn blocks(share: f64, width: usize) -> String {
    let eighths = (share * 8.0 * width as f64).round().clamp(1.0, 8.0 * width as f64) as usize;
    let mut bar = "█".repeat(eighths / 8);
    bar.push_str(["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]);
    bar
}

fn style(tone: Tone) -> Style {
    match tone {
        Tone::Good => AnsiColor::Green.on_default(),
        Tone::Plain => AnsiColor::BrightBlue.on_default(),
        Tone::Old => AnsiColor::Yellow.on_default(),
        Tone::Bad => AnsiColor::Red.on_default(),
    }
}

fn write_worst(survey: &Survey, width: usize, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{STRONG}Most errors{STRONG:#}")?;
    let encoding = survey.worst.iter().map(|worst| worst.encoding.len()).max().unwrap_or(0);
    for worst in survey.worst.iter().take(ROWS) {
        let path = shown(&worst.path);
        let room = width.saturating_sub(2 + 9 + GAP + encoding + GAP);
        let path = Line::plain(&path).cut(room.max(20)).text();
        writeln!(out, "  {:>9}  {:encoding$}  {path}", compact(worst.errors), worst.encoding)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Survey, blocks, write};
    use crate::survey::Reader;

    #[test]
    fn no_line_is_wider_than_a_narrow_terminal() {
        let mut survey = Survey::new(None);
        for text in [
            &"Привет, мир! naïve 日本語\n".repeat(99).into_bytes()[..],
            b"\xFF\xFEa\0\r\0\n\0",
            b"caf\xE9 \xC0\x80\n",
        ] {
            survey.add(&Reader::new().read(&mut &text[..]).unwrap());
        }
        for width in 40..=120 {
            let mut out = Vec::new();
            write(&survey, width, &mut out).unwrap();
            let text = without_styles(&String::from_utf8(out).unwrap());
            let longest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(longest <= width, "{longest} columns of {width}:\n{text}");
        }
    }

    /// The text without the codes of its styles.
    fn without_styles(text: &str) -> String {
        let mut parts = text.split('\x1B');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| text + part.split_once('m').map_or(part, |(_, rest)| rest))
    }

    #[test]
    fn bars_are_as_long_as_their_share() {
        assert_eq!(blocks(1.0, 4), "████");
        assert_eq!(blocks(0.5, 4), "██");
        assert_eq!(blocks(0.4, 4), "█▋");
        assert_eq!(blocks(0.000_1, 4), "▏");
    }
}
