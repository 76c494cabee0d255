//! Writes the results of detection as a table whose columns fit their contents.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use placemat_detect::Detection;
use unicode_width::UnicodeWidthStr as _;

use super::guess::percent;
use crate::escape::wrapped;

const HEADING: Style = Style::new().bold();
const SURE: Style = AnsiColor::Green.on_default().bold();
const FAIR: Style = AnsiColor::Yellow.on_default().bold();

/// The number of rows that wait until the widths of the columns are known. The limit bounds the memory.
const BATCH: usize = 1000;

/// The least number of columns in which reasons are readable.
const LEAST: usize = 24;

/// A table in the colours of a terminal. It holds at most a thousand rows in memory.
///
/// ```
/// use placemat_text::charset::table::Table;
///
/// let mut out = Vec::new();
/// let mut table = Table::new(80, true, false);
/// table.add("a.txt", &placemat_detect::detect(b"caf\xC3\xA9", true), &mut out).unwrap();
/// table.flush(&mut out).unwrap();
/// assert!(String::from_utf8(out).unwrap().contains("a.txt"));
/// ```
pub struct Table {
    rows: Vec<Row>,
    width: usize,
    is_terminal: bool,
    has_heading: bool,
    is_verbose: bool,
}

struct Row {
    path: String,
    encoding: &'static str,
    bom: bool,
    confidence: f32,
    line_ending: &'static str,
    why: Vec<String>,
}

impl Table {
    /// Creates a table of `width` columns. On a terminal, long paths get a line of their own; `is_verbose` adds the other candidates.
    ///
    /// ```
    /// use placemat_text::charset::table::Table;
    ///
    /// let mut out = Vec::new();
    /// let mut table = Table::new(80, true, false);
    /// table.add("a.txt", &placemat_detect::detect(b"a\n", true), &mut out).unwrap();
    /// table.flush(&mut out).unwrap();
    /// assert!(String::from_utf8(out).unwrap().contains("us-ascii"));
    /// ```
    #[must_use]
    pub fn new(width: usize, is_terminal: bool, is_verbose: bool) -> Table {
        Table { rows: Vec::new(), width, is_terminal, has_heading: false, is_verbose }
    }

    /// Adds one result.
    ///
    /// ```
    /// use placemat_text::charset::table::Table;
    ///
    /// let mut out = Vec::new();
    /// let mut table = Table::new(80, true, false);
    /// table.add("a.txt", &placemat_detect::detect(b"a\n", true), &mut out).unwrap();
    /// table.flush(&mut out).unwrap();
    /// assert!(String::from_utf8(out).unwrap().contains("us-ascii"));
    /// ```
    ///
    /// # Errors
    /// Those of writing.
    pub fn add(&mut self, name: &str, found: &Detection, out: &mut dyn Write) -> io::Result<()> {
        let mut why = found.reasons.clone();
        if self.is_verbose && found.candidates.len() > 1 {
            let list: Vec<_> = found.candidates[1..]
                .iter()
                .map(|c| format!("{} {}", c.encoding, percent(c.confidence)))
                .collect();
            why.push(format!("or else {}", list.join(", ")));
        }
        self.rows.push(Row {
            path: name.to_owned(),
            encoding: found.encoding.name(),
            bom: found.bom,
            confidence: found.confidence,
            line_ending: found.line_ending.name(),
            why,
        });
        if self.rows.len() >= BATCH { self.flush(out) } else { Ok(()) }
    }

    /// Writes the rows that wait.
    ///
    /// ```
    /// use placemat_text::charset::table::Table;
    ///
    /// let mut out = Vec::new();
    /// let mut table = Table::new(80, true, false);
    /// table.add("a.txt", &placemat_detect::detect(b"a\n", true), &mut out).unwrap();
    /// table.flush(&mut out).unwrap();
    /// assert!(String::from_utf8(out).unwrap().contains("us-ascii"));
    /// ```
    ///
    /// # Errors
    /// Those of writing.
    pub fn flush(&mut self, out: &mut dyn Write) -> io::Result<()> {
        let rows = std::mem::take(&mut self.rows);
        let widest = |cell: &dyn Fn(&Row) -> usize| rows.iter().map(cell).max().unwrap_or(0);
        let most = if self.is_terminal { self.width * 2 / 5 } else { usize::MAX };
        let path = widest(&|row| row.path.width()).clamp(4, most);
        let encoding = widest(&|row| row.encoding.len()).max(8);
        let marks = rows.iter().any(|row| row.bom);
        let mut text = Vec::new();
        if !self.has_heading && !rows.is_empty() {
            let mark = if marks { "mark  " } else { "" };
            let (p, e) = ("path", "encoding");
            writeln!(text, "{HEADING}{p:path$}  {e:encoding$}  {mark} sure  lines  why{HEADING:#}")?;
            self.has_heading = true;
        }
        for row in &rows {
            self.row(row, path, encoding, marks, &mut text)?;
        }
        out.write_all(&text)
    }

    fn row(&self, row: &Row, path: usize, encoding: usize, marks: bool, out: &mut Vec<u8>) -> io::Result<()> {
        write!(out, "{}", row.path)?;
        let used = row.path.width();
        let gap = if used <= path { path - used } else { path };
        if used > path {
            writeln!(out)?;
        }
        let style = if row.confidence >= 0.5 { SURE } else { FAIR };
        write!(out, "{:gap$}  {style}{:encoding$}{style:#}", "", row.encoding)?;
        if marks {
            write!(out, "  {:4}", if row.bom { "yes" } else { "-" })?;
        }
        write!(out, "  {:>5}  {:5}  ", percent(row.confidence), row.line_ending)?;
        let mark = if marks { 6 } else { 0 };
        let indent = path + 2 + encoding + mark + 16;
        let (indent, starts_below) = if indent + LEAST <= self.width { (indent, false) } else { (4, true) };
        if starts_below {
            write!(out, "\n{:indent$}", "")?;
        }
        for (index, line) in wrapped(&row.why.join("; "), self.width - indent).iter().enumerate() {
            if index > 0 {
                write!(out, "\n{:indent$}", "")?;
            }
            write!(out, "{line}")?;
        }
        writeln!(out)
    }
}
