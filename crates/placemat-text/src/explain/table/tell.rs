//! The table of all bytes as blocks.

use placemat::{ErrorKind, Form, Layout};

use super::{NoTable, Row, check_table, rows};
use crate::character;
use crate::explain::document::{Block, Cell, Columns, Document, Grid, Ink, Line};
use crate::explain::layout::{Class, written};

/// Returns the 16 × 16 table of the bytes of a form, and a list of its lead bytes.
///
/// # Errors
/// The form is one in which a single byte has no meaning.
///
/// ```
/// use placemat::Form;
/// use placemat_text::explain::tell_table;
///
/// assert!(tell_table(Form::Utf8).unwrap().screen(80).contains("The bytes of utf-8"));
/// assert!(tell_table(Form::Utf16Le).unwrap_err().to_string().contains("code units are 2 bytes long"));
/// ```
pub fn tell_table(form: Form) -> Result<Document, NoTable> {
    check_table(form)?;
    let mut blocks = vec![Block::Title(Line::inked(Ink::Strong, format!("The bytes of {form}")))];
    let rows = rows(form);
    blocks.push(Block::Text(legend(&rows)));
    blocks.push(Block::Grid(Box::new(Grid {
        cells: rows.iter().map(cell).collect(),
        lengths: std::array::from_fn(|high| row_length(&rows[16 * high..16 * high + 16])),
    })));
    let leads: Vec<Vec<Line>> = rows.iter().filter(|row| is_listed(form, row)).map(lead).collect();
    if !leads.is_empty() {
        blocks.push(Block::Section("Lead bytes"));
        blocks.push(Block::Columns(Columns { heads: LEADS, headed: true, rows: leads }));
    }
    Ok(Document(blocks))
}

/// Whether the list has the byte: lead bytes, and in the family of UTF-8 also bytes that never occur.
pub(super) fn is_listed(form: Form, row: &Row) -> bool {
    match row.class {
        Class::Never(_) => form.facts().layout == Layout::Announced,
        Class::Ascii | Class::Single | Class::Continuation | Class::Lead | Class::Limited => row.length.1 > 1,
    }
}

fn legend(rows: &[Row]) -> Line {
    let words = |class| match class {
        Class::Ascii => "ASCII",
        Class::Single => "a character by itself",
        Class::Continuation => "continuation, with the bits that it adds",
        Class::Lead => "lead",
        Class::Limited => "lead that not every continuation may follow",
        Class::Never(_) => "never",
    };
    let mut line = Line::new();
    let mut seen = Vec::new();
    for row in rows {
        let words = words(row.class);
        if !seen.contains(&words) {
            let gap = if seen.is_empty() { "" } else { " · " };
            line = line.with(Ink::Faint, gap).with(row.class.ink(), words);
            seen.push(words);
        }
    }
    line
}

fn row_length(rows: &[Row]) -> String {
    let mut lengths: Vec<usize> =
        rows.iter().filter(|row| row.code_points.is_some()).map(|row| row.length.0).collect();
    lengths.dedup();
    match lengths.as_slice() {
        [one] => format!("×{one}"),
        _ => String::new(),
    }
}

fn cell(row: &Row) -> Cell {
    let (upper, lower, brief) = match (row.class, row.code_points) {
        (Class::Continuation, _) => {
            let adds = format!("+{:02X}", row.byte & 0x3F);
            ("·".to_owned(), adds.clone(), adds)
        }
        (Class::Never(kind), _) => ("×".to_owned(), short(kind).to_owned(), "×".to_owned()),
        (_, None) => ("×".to_owned(), String::new(), "×".to_owned()),
        (_, Some((c, _))) if row.length.1 == 1 => {
            let glyph = Some(character::glyph(c)).filter(|glyph| !glyph.is_empty());
            let glyph = glyph.unwrap_or_else(|| if c.value() == 0x20 { "SP" } else { "" }.to_owned());
            (glyph.clone(), format!("{:04X}", c.value()), glyph)
        }
        (_, Some((c, _))) => {
            let word = if row.label.is_empty() { "-" } else { row.label };
            let word = word.split(',').next().unwrap_or_default().chars().take(6).collect();
            (word, format!("{:04X}", c.value()), lengths(row))
        }
    };
    Cell { ink: row.class.ink(), upper, lower, brief, title: sentence(row) }
}

/// A word, short enough for a cell, for why a byte never occurs.
fn short(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Overlong => "long",
        ErrorKind::TooLarge => "large",
        _ => "never",
    }
}

fn lengths(row: &Row) -> String {
    match row.length {
        (one, other) if one == other => format!("{one}"),
        (one, other) => format!("{one}/{other}"),
    }
}

/// The whole description of a byte, in a sentence.
fn sentence(row: &Row) -> String {
    let what = match (row.class, row.code_points) {
        (Class::Continuation, _) => format!("continuation byte, adds {:02X}", row.byte & 0x3F),
        (Class::Never(kind), _) => format!("never ({kind})"),
        (_, Some((low, _))) if row.length.1 == 1 => format!("{low} {}", character::name(low)),
        (_, Some((low, high))) => format!("lead of {}: {low}..{high}", lengths(row)),
        (_, None) => "begins nothing".to_owned(),
    };
    format!("{:02X} = {} = octal {:03o}: {what}", row.byte, row.byte, row.byte)
}

const LEADS: &[(&str, usize, bool)] = &[
    ("byte", 4, true),
    ("length", 6, true),
    ("first", 6, true),
    ("last", 6, true),
    ("second", 6, false),
    ("begins with block", 0, false),
];

fn lead(row: &Row) -> Vec<Line> {
    let faint = |text: &str| Line::inked(Ink::Faint, text);
    let (first, last) = row.code_points.map_or((faint("never"), faint("never")), |(low, high)| {
        (Line::plain(format!("{:04X}", low.value())), Line::plain(format!("{:04X}", high.value())))
    });
    let second = if row.second.is_empty() { faint("-") } else { Line::plain(written(&row.second)) };
    let block = match row.class {
        Class::Never(kind) => Line::inked(Ink::Never, kind.name()),
        Class::Ascii | Class::Single | Class::Continuation | Class::Lead | Class::Limited => {
            Line::plain(row.code_points.and_then(|(low, _)| character::block(low)).unwrap_or("-"))
        }
    };
    let ink = row.class.ink();
    vec![
        Line::inked(ink, format!("{:02X}", row.byte)),
        Line::plain(if row.length.1 == 0 { "-".to_owned() } else { lengths(row) }),
        first,
        last,
        second,
        block,
    ]
}
