//! Excerpts the line around an error for a terminal, cut to a width.

use std::fmt::Write as _;
use std::ops::Range;

use placemat::boundary::is_continuation;
use placemat::{Layout, Policy, sequences};
use unicode_width::UnicodeWidthChar as _;

use crate::charset::{Charset, Legacy, Sequence, Sequences};
use crate::escape;
use crate::faults::Finding;

/// One character, or malformed bytes, with its width in columns.
#[derive(Debug)]
struct Cell {
    range: Range<usize>,
    text: String,
    width: usize,
    is: Is,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Is {
    Plain,
    /// A control or another character that must be escaped.
    Escaped,
    Malformed,
    LineEnd,
}

/// A piece of the line in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text.
    Plain(String),
    /// An escaped control or similar character, or an ellipsis.
    Escaped(String),
    /// Malformed bytes, as `\xhh`.
    Malformed(String),
}

/// A line, with the columns of the error in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The pieces of the line, from left to right.
    pub pieces: Vec<Piece>,
    /// The columns of the error, from 0.
    pub caret: Range<usize>,
}

/// Excerpts the line around `len` malformed bytes, in at most `width` columns.
///
/// ```
/// use placemat_text::faults::excerpt::excerpt;
/// use placemat::Form;
/// use placemat_text::faults::locate::{Search, search};
///
/// let search_for = Search { limit: 10, ..Search::new(Form::Utf8.into()) };
/// search(&mut &b"na\xC3\xAFve\ncaf\xE9!"[..], search_for, &mut |finding| {
///     // caf, <E9>, !
///     let line = excerpt(finding, 1, 80);
///     assert_eq!((line.pieces.len(), line.caret.start), (3, 3));
///     Ok::<_, ()>(())
/// })
/// .unwrap();
/// ```
pub fn excerpt(finding: &Finding<'_>, len: usize, width: usize) -> Excerpt {
    let bad = finding.range.start..finding.range.start + len;
    let mut cells = line(cells(finding), &bad);
    escape_commands(&mut cells);
    let first = cells.iter().position(|cell| cell.range.end > bad.start).unwrap_or(cells.len());
    let last = cells.iter().rposition(|cell| cell.range.start < bad.end).map_or(first, |last| last + 1);
    let (first, last) = (first.min(last), last.max(first));
    let (shown, cut_left, cut_right) = visible(&cells, first..last, width);

    let mut excerpt = Excerpt { pieces: Vec::new(), caret: 0..0 };
    let mut column = 0;
    if cut_left {
        excerpt.push(Piece::Escaped("…".into()));
        column += 1;
    }
    for index in shown.clone() {
        if index == first {
            excerpt.caret.start = column;
        }
        let Cell { text, width, is, .. } = &cells[index];
        column += width;
        excerpt.push(match is {
            Is::Malformed => Piece::Malformed(text.clone()),
            Is::Escaped => Piece::Escaped(text.clone()),
            Is::Plain | Is::LineEnd => Piece::Plain(text.clone()),
        });
        if index + 1 == last {
            excerpt.caret.end = column;
        }
    }
    // The error is the end of the line, which has no cells to underline.
    if first == cells.len() {
        excerpt.caret = column..column;
    }
    // The caret covers the visible part of the error, at least one column.
    let end = if shown.end < last { column } else { excerpt.caret.end };
    excerpt.caret.end = end.max(excerpt.caret.start + 1);
    if cut_right {
        excerpt.push(Piece::Escaped("…".into()));
    }
    excerpt
}

impl Excerpt {
    /// Appends a piece, and joins it to the last one if the style is the same.
    fn push(&mut self, piece: Piece) {
        match (self.pieces.last_mut(), &piece) {
            (Some(Piece::Plain(last)), Piece::Plain(more))
            | (Some(Piece::Escaped(last)), Piece::Escaped(more))
            | (Some(Piece::Malformed(last)), Piece::Malformed(more)) => last.push_str(more),
            _ => self.pieces.push(piece),
        }
    }
}

/// Returns the cells that fit, which include the error, and whether cells are cut off to the left and to the right.
fn visible(cells: &[Cell], bad: Range<usize>, width: usize) -> (Range<usize>, bool, bool) {
    let total: usize = cells.iter().map(|cell| cell.width).sum();
    if total <= width {
        return (0..cells.len(), false, false);
    }
    // One column on each side is for an ellipsis.
    let room = width.saturating_sub(2);
    let mut used = 0;
    let mut end = bad.start;
    while end < bad.end && used + cells[end].width <= room {
        used += cells[end].width;
        end += 1;
    }
    let mut start = bad.start;
    // First at most half of the remaining columns to the left, then the right, then what is left over to the left again.
    let half = used + (room - used) / 2;
    while start > 0 && used + cells[start - 1].width <= half {
        start -= 1;
        used += cells[start].width;
    }
    while end < cells.len() && used + cells[end].width <= room {
        used += cells[end].width;
        end += 1;
    }
    while start > 0 && used + cells[start - 1].width <= room {
        start -= 1;
        used += cells[start].width;
    }
    (start..end, start > 0, end < cells.len())
}

/// Keeps the cells between the line ends around the error.
fn line(mut cells: Vec<Cell>, bad: &Range<usize>) -> Vec<Cell> {
    let is_end = |cell: &Cell| cell.is == Is::LineEnd;
    let start =
        cells.iter().rposition(|cell| is_end(cell) && cell.range.end <= bad.start).map_or(0, |at| at + 1);
    let end =
        cells.iter().position(|cell| is_end(cell) && cell.range.start >= bad.end).unwrap_or(cells.len());
    cells.truncate(end);
    cells.drain(..start);
    if cells.last().is_some_and(|cell| cell.text == "\\u{d}") {
        cells.pop();
    }
    cells
}

/// Escapes what a build service would take for a command in its log.
fn escape_commands(cells: &mut [Cell]) {
    for index in 1..cells.len() {
        let rest = || cells[index + 1..].iter().take(9).map(|cell| &*cell.text).collect::<String>();
        if cells[index].text == "#"
            && escape::is_command(cells[index - 1].text.chars().next_back(), '#', &rest())
        {
            let range = cells[index].range.clone();
            cells[index] = escaped(range, '#'.into());
        }
    }
}

/// Returns the cells of the whole window.
fn cells(finding: &Finding<'_>) -> Vec<Cell> {
    // After a foreign byte order mark, the text is shown in the form that the mark announces.
    let form = match finding.announced.map_or(finding.charset, Charset::Form) {
        Charset::Form(form) => form,
        Charset::Legacy(legacy) => return legacy_cells(legacy, finding),
    };
    let facts = form.facts();
    if !facts.self_synchronising {
        return finding.window.iter().enumerate().map(|(at, &byte)| of_byte(at, byte)).collect();
    }
    let start = first_boundary(finding, usize::from(facts.width.0));
    let all = sequences(form, &finding.window[start..]);
    let mut cells: Vec<Cell> = all
        .map(|sequence| {
            let range = sequence.range().start + start..sequence.range().end + start;
            match sequence.code_point() {
                Ok(c) if finding.window_offset() == 0 && range.start == 0 && c.value() == 0xFEFF => {
                    of_mark(finding, range)
                }
                Ok(c) => of_code_point(range, c.value()),
                Err(_) => of_bytes(&finding.window[range.clone()], range),
            }
        })
        .collect();
    // The window may end inside a character.
    if !finding.at_end {
        while cells.last().is_some_and(|c| c.is == Is::Malformed && c.range.start >= finding.range.end) {
            cells.pop();
        }
    }
    cells
}

/// Returns the cells of a window in a legacy encoding. Unless the window starts with the input, its first bytes may be the
/// rest of a character.
fn legacy_cells(legacy: Legacy, finding: &Finding<'_>) -> Vec<Cell> {
    let Finding { window, range, .. } = finding;
    if finding.window_offset() == 0 {
        return legacy_cells_from(0, legacy, finding);
    }
    if legacy.has_escapes() {
        // Only an escape or the end of a line says what the bytes mean.
        let known = memchr::memchr2(b'\n', 0x1B, window).unwrap_or(window.len());
        let unknown = (0..known).map(|at| {
            let is = if range.contains(&at) { Is::Malformed } else { Is::Escaped };
            Cell { is, ..of_bytes(&[window[at]], at..at + 1) }
        });
        return unknown.chain(legacy_cells_from(known, legacy, finding)).collect();
    }
    if let Some(at) = memchr::memrchr(b'\n', &window[..range.start]) {
        return legacy_cells_from(at + 1, legacy, finding);
    }
    // Of the first four bytes, start at the one for which the error starts where it should and the fewest other bytes are malformed.
    let starts = 0..=range.start.min(3);
    let readings = starts.map(|start| legacy_cells_from(start, legacy, finding));
    let misfit = |cells: &Vec<Cell>| {
        let is_astray = !cells.iter().any(|cell| cell.range.start == range.start);
        (is_astray, cells.iter().filter(|cell| cell.is == Is::Malformed).count())
    };
    readings.min_by_key(misfit).unwrap_or_default()
}

/// Returns the cells of the window from `start`, which is the start of a character.
fn legacy_cells_from(start: usize, legacy: Legacy, finding: &Finding<'_>) -> Vec<Cell> {
    let mut sequences = Sequences::new(legacy, Policy::Replace);
    let mut cells = Vec::new();
    let bytes = finding.window[start..].iter().copied().map(Some);
    for byte in bytes.chain(finding.at_end.then_some(None)) {
        sequences.read(byte, |Sequence { range, text, is_error }| {
            let range = start + range.start as usize..start + range.end as usize;
            if is_error {
                return cells.push(of_bytes(&finding.window[range.clone()], range));
            }
            let text = String::from_utf8_lossy(text);
            let mut chars = text.chars().peekable();
            let mut from = range.start;
            while let Some(c) = chars.next() {
                // In Big5, two characters can share a sequence.
                let to = if chars.peek().is_some() { from + 1 } else { range.end };
                cells.push(of_code_point(from..to, c.into()));
                from = to;
            }
        });
    }
    cells
}

/// The start of the first whole sequence in the window.
fn first_boundary(finding: &Finding<'_>, unit: usize) -> usize {
    let offset = finding.window_offset();
    if offset == 0 {
        return 0;
    }
    if unit > 1 {
        let unit = unit as u64;
        return ((unit - offset % unit) % unit) as usize;
    }
    let is_multibyte = finding.charset.form().is_some_and(|form| form.facts().layout == Layout::Announced);
    let is_tail = |byte: &&u8| is_multibyte && is_continuation(**byte);
    finding.window[..finding.range.start].iter().take(5).take_while(is_tail).count()
}

/// The byte order mark at the start of the input has no width, unless it is the error.
fn of_mark(finding: &Finding<'_>, range: Range<usize>) -> Cell {
    match finding.announced {
        Some(_) => of_bytes(finding.bytes(), range),
        None => Cell { range, text: String::new(), width: 0, is: Is::Plain },
    }
}

fn of_byte(at: usize, byte: u8) -> Cell {
    if byte.is_ascii() { of_code_point(at..at + 1, byte.into()) } else { of_bytes(&[byte], at..at + 1) }
}

fn of_bytes(bytes: &[u8], range: Range<usize>) -> Cell {
    let mut text = String::new();
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "<{byte:02X}>");
    }
    let width = text.len();
    Cell { range, text, width, is: Is::Malformed }
}

fn of_code_point(range: Range<usize>, value: u32) -> Cell {
    match char::from_u32(value) {
        Some('\n') => Cell { range, text: String::new(), width: 0, is: Is::LineEnd },
        Some('\t') => Cell { range, text: "    ".into(), width: 4, is: Is::Plain },
        Some(c) if !escape::is_hostile(c) => {
            Cell { range, text: c.into(), width: c.width().unwrap_or(0), is: Is::Plain }
        }
        _ => escaped(range, value),
    }
}

fn escaped(range: Range<usize>, value: u32) -> Cell {
    let text = format!("\\u{{{value:x}}}");
    let width = text.len();
    Cell { range, text, width, is: Is::Escaped }
}
