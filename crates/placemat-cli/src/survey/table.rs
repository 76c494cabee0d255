//! The survey on a terminal: numbers in columns, shares as bars.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use anyhow::Result;
use unicode_width::UnicodeWidthStr as _;

use super::chart::{self, Chart, Row, Tone};
use super::numbers::{compact, percent};
use super::total::Survey;

const STRONG: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// The most rows of a chart; what is left is one more.
const ROWS: usize = 12;
/// A number, a space and its share.
const CELL: usize = 15;
/// Between columns.
const GAP: usize = 2;

/// Write all of it, at most `width` columns wide where that is at least 80.
pub(crate) fn write(survey: &Survey, field: Option<&str>, width: usize, out: &mut dyn Write) -> Result<()> {
    for (index, line) in chart::headlines(survey, field).iter().enumerate() {
        let style = if index == 0 { STRONG } else { Style::new() };
        writeln!(out, "{style}{line}{style:#}")?;
    }
    for chart in chart::all(survey, field) {
        write_chart(&chart, width, out)?;
    }
    if !survey.worst.is_empty() {
        write_worst(survey, width, out)?;
    }
    Ok(())
}

fn write_chart(chart: &Chart, width: usize, out: &mut dyn Write) -> Result<()> {
    let rows = shown(chart);
    let label = rows.iter().map(|row| row.label.width()).max().unwrap_or(0).clamp(12, 23);
    let used = 2 + label + GAP + chart.measures.len() * (GAP + CELL);
    let bar = width.saturating_sub(used).clamp(8, 32);
    let head = 2 + label + GAP + bar;
    writeln!(out)?;
    let room = head.saturating_sub(chart.title.len() + GAP);
    // What does not fit before the columns is said below them.
    let (beside, below) = if chart.note.len() <= room { (chart.note, "") } else { ("", chart.note) };
    write!(out, "{STRONG}{}{STRONG:#}  {DIM}{beside:room$}{DIM:#}", chart.title)?;
    for measure in &chart.measures {
        write!(out, "{:GAP$}{DIM}{measure:>CELL$}{DIM:#}", "")?;
    }
    writeln!(out)?;
    if !below.is_empty() {
        writeln!(out, "  {DIM}{below}{DIM:#}")?;
    }
    for row in &rows {
        let style = style(row.tone);
        let blocks = blocks(chart.share(row, chart.main), bar);
        write!(out, "  {:label$}{:GAP$}{style}{blocks:bar$}{style:#}", row.label, "")?;
        for (value, whole) in row.values.iter().zip(&chart.whole) {
            write!(out, "{:GAP$}{:>9} {:>5}", "", compact(*value), percent(*value, *whole))?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The rows that are shown: the largest, and the rest as one.
fn shown(chart: &Chart) -> Vec<Row> {
    let copy = |row: &Row| Row { label: row.label.clone(), tone: row.tone, values: row.values.clone() };
    if chart.rows.len() <= ROWS {
        return chart.rows.iter().map(copy).collect();
    }
    let (large, small) = chart.rows.split_at(ROWS - 1);
    let mut rows: Vec<Row> = large.iter().map(copy).collect();
    let sum = |measure| small.iter().map(|row: &Row| row.values[measure]).sum();
    rows.push(Row {
        label: format!("{} others", small.len()),
        tone: Tone::Plain,
        values: (0..chart.measures.len()).map(sum).collect(),
    });
    rows
}

/// A bar that is this share of `width` columns, to an eighth of a column; what occurs is seen.
fn blocks(share: f64, width: usize) -> String {
    let eighths = (share * 8.0 * width as f64).round().clamp(1.0, 8.0 * width as f64) as usize;
    let mut bar = "█".repeat(eighths / 8);
    bar.push_str(["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]);
    bar
}

fn style(tone: Tone) -> Style {
    match tone {
        Tone::Good => AnsiColor::Green.on_default(),
        Tone::Plain => AnsiColor::Blue.on_default(),
        Tone::Old => AnsiColor::Yellow.on_default(),
        Tone::Bad => AnsiColor::Red.on_default(),
    }
}

fn write_worst(survey: &Survey, width: usize, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "\n{STRONG}Most errors{STRONG:#}")?;
    let encoding = survey.worst.iter().map(|worst| worst.encoding.len()).max().unwrap_or(0);
    for worst in survey.worst.iter().take(ROWS) {
        let path = worst.input.to_string();
        let room = width.saturating_sub(2 + 9 + GAP + encoding + GAP);
        let path = crate::explain::document::Line::plain(&path).cut(room.max(20)).text();
        writeln!(out, "  {:>9}  {:encoding$}  {path}", compact(worst.errors), worst.encoding)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::blocks;

    #[test]
    fn bars_are_as_long_as_their_share() {
        assert_eq!(blocks(1.0, 4), "████");
        assert_eq!(blocks(0.5, 4), "██");
        assert_eq!(blocks(0.4, 4), "█▋");
        assert_eq!(blocks(0.000_1, 4), "▏");
    }
}
