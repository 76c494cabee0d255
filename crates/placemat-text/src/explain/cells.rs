//! The bytes of a view with their roles, and its items with their text: for pages that show both side by side.

use serde::Serialize;

use super::document::Ink;
use super::story::ink;
use super::view::{Item, View};
use crate::character;
use crate::escape;

/// The result of [`cells`]. Offsets and lengths are in bytes.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Cells {
    /// The form that the bytes are read as.
    pub form: &'static str,
    /// The offset of the first byte from the start of the input.
    pub offset: u64,
    /// The role of each byte, as `explain` colours it: `ascii`, `lead`, `limited`, `continuation`, `never`, `plain`.
    roles: Vec<Ink>,
    /// Characters, faults and shifts, in order, without gaps.
    pub items: Vec<Cell>,
}

/// One item.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Cell {
    /// Its offset from the start of the input.
    pub offset: u64,
    /// Its number of bytes.
    pub length: usize,
    /// `character`, `fault` or `shift`.
    pub is: &'static str,
    /// A character as it can be shown: controls and invisible characters as a name or a number. For a fault, its kind.
    pub text: String,
    /// Whether `text` is the character itself.
    pub plain: bool,
}

/// Returns the bytes and items of a view. Cost: linear in the bytes.
///
/// ```
/// use placemat::Form;
/// use placemat_text::explain::{Input, cells};
///
/// let cells = cells(&Input::new(b"\xC3\xA9\n\xFF".to_vec(), Form::Utf8).view());
/// let texts: Vec<&str> = cells.items.iter().map(|item| item.text.as_str()).collect();
/// assert_eq!(texts, ["é", "LF", "invalid-byte"]);
/// let json = serde_json::to_value(&cells).unwrap();
/// assert_eq!(json["roles"], serde_json::json!(["lead", "continuation", "ascii", "never"]));
/// ```
#[must_use]
pub fn cells(view: &View<'_>) -> Cells {
    let told = view.told.clone();
    let mut roles = vec![Ink::Plain; told.len()];
    let mut items = Vec::with_capacity(view.items.len());
    for item in &view.items {
        let range = item.range().clone();
        if !matches!(item, Item::Shift(_)) {
            let is_bad = item.as_fault().is_some();
            for at in range.clone() {
                roles[at - told.start] = ink(view, view.bytes[at], at - range.start, is_bad);
            }
        }
        let (is, text, plain) = match item {
            Item::Character(c) => {
                let (text, plain) = shown(c.code_point);
                ("character", text, plain)
            }
            Item::Fault(fault) => {
                ("fault", fault.errors.first().map_or("", |error| error.kind().name()).to_owned(), false)
            }
            Item::Shift(_) => ("shift", String::new(), false),
        };
        items.push(Cell { offset: view.base + range.start as u64, length: range.len(), is, text, plain });
    }
    Cells { form: view.form.name(), offset: view.base + told.start as u64, roles, items }
}

/// A code point as it can be shown, and whether that is the character itself.
fn shown(c: placemat::CodePoint) -> (String, bool) {
    if c.value() == 0x20 {
        return (" ".to_owned(), true);
    }
    let glyph = character::glyph(c);
    let is_itself = c.to_char().is_some_and(|c| glyph.chars().eq([c]) && !escape::is_hostile(c));
    match glyph.is_empty() || !is_itself && glyph.chars().any(escape::is_hostile) {
        true => (c.to_string(), false),
        false => (glyph, is_itself),
    }
}
