//! One row per byte: offset, value in four bases, and the role of the byte.

use std::ops::Range;

use placemat::boundary::{announced_length, is_continuation};
use placemat::{CodePoint, Error, Layout};

use crate::character;
use crate::explain::document::{Block, Columns, Ink, Line};
use crate::explain::layout::{self, Class};
use crate::explain::view::View;

const BYTES: &[(&str, usize, bool)] = &[
    ("offset", 6, true),
    ("hex", 3, true),
    ("dec", 3, true),
    ("oct", 3, true),
    ("bits", 9, false),
    ("role", 0, false),
];

/// The rows of one character, one fault or one shift.
pub(crate) fn of_item(view: &View<'_>, range: Range<usize>, errors: &[Error], headed: bool) -> Block {
    let is_bad = !errors.is_empty();
    let rows = range
        .clone()
        .map(|offset| {
            let at = offset - range.start;
            let ink = ink(view, view.bytes[offset], at, is_bad);
            let mut told = Line::inked(ink, role(view, &range, offset, is_bad));
            if let Some(error) = errors.iter().find(|error| error.offset() as usize == offset) {
                told = told.with(Ink::Bad, format!("  ✗ {}", error.kind()));
            }
            row(view, offset, at, ink, told)
        })
        .collect();
    Block::Columns(Columns { heads: BYTES, headed, rows })
}

/// The rows of a run of ASCII, one for each character.
pub(crate) fn of_ascii(view: &View<'_>, range: Range<usize>, headed: bool) -> Block {
    let rows = range
        .map(|offset| {
            let c = CodePoint::from(view.bytes[offset]);
            let glyph = padded(&character::glyph(c), 3);
            let told =
                Line::inked(Ink::Ascii, glyph).with(Ink::Plain, format!(" {c} {}", character::name(c)));
            row(view, offset, 0, Ink::Ascii, told)
        })
        .collect();
    Block::Columns(Columns { heads: BYTES, headed, rows })
}

fn row(view: &View<'_>, offset: usize, at: usize, ink: Ink, told: Line) -> Vec<Line> {
    let byte = view.bytes[offset];
    let here = if view.focus == Some(offset) { "  ← here" } else { "" };
    vec![
        Line::inked(Ink::Faint, (view.base + offset as u64).to_string()),
        Line::inked(ink, format!("{byte:02X}")),
        Line::plain(byte.to_string()),
        Line::plain(format!("{byte:03o}")),
        bits(view.layout, byte, at, ink),
        told.with(Ink::Strong, here),
    ]
}

/// `text` in at least `width` columns.
pub(crate) fn padded(text: &str, width: usize) -> String {
    let used = Line::plain(text).width();
    format!("{text}{}", " ".repeat(width.saturating_sub(used)))
}

pub(crate) fn ink(view: &View<'_>, byte: u8, at: usize, is_bad: bool) -> Ink {
    match view.layout {
        Layout::Units { .. } if is_bad => Ink::Never,
        Layout::Units { size, .. } if at.is_multiple_of(size) => Ink::Lead,
        Layout::Units { .. } => Ink::Continuation,
        Layout::Announced if at > 0 && is_continuation(byte) => Ink::Continuation,
        Layout::Announced => view.class(byte).ink(),
        _ if is_bad => Ink::Never,
        _ if at > 0 => Ink::Continuation,
        _ if byte < 0x80 => Ink::Ascii,
        Layout::Biased | Layout::Base64 | Layout::Plain => Ink::Lead,
    }
}

fn bits(layout: Layout, byte: u8, at: usize, ink: Ink) -> Line {
    let all = format!("{byte:08b}");
    let (marker, payload) = all.split_at(layout::markers(layout, byte, at) as usize);
    let gap = if marker.is_empty() || payload.is_empty() { "" } else { " " };
    Line::inked(Ink::Faint, marker).with(Ink::Plain, gap).with(ink, payload)
}

/// Describes the role of the byte in its sequence.
fn role(view: &View<'_>, range: &Range<usize>, offset: usize, is_bad: bool) -> String {
    let (byte, at) = (view.bytes[offset], offset - range.start);
    match view.layout {
        Layout::Announced => announced_role(view, range, offset, is_bad),
        Layout::Units { size, big_endian } => {
            let unit = at / size + 1;
            let significance = if big_endian { at % size } else { size - 1 - at % size };
            format!("unit {unit} of {}, bits {}", range.len().div_ceil(size), bit_range(size, significance))
        }
        Layout::Biased if byte >= 0x80 && at == 0 => format!("lead of {}", byte.leading_ones() + 1),
        Layout::Biased if byte >= 0x80 => format!("follower {at}, +{:02X}", byte & 0x7F),
        _ if byte < 0x80 && range.len() == 1 && view.form.facts().ascii_transparent => "ASCII".to_owned(),
        _ if range.len() == 1 => "by itself".to_owned(),
        _ if view.shared.contains(&offset) => format!("byte {0} of {0}, begins the next too", at + 1),
        Layout::Biased | Layout::Base64 | Layout::Plain => format!("byte {} of {}", at + 1, range.len()),
    }
}

/// The bits of a unit that one of its bytes holds, as `15..8`. Place 0 is the most significant byte.
fn bit_range(size: usize, place: usize) -> String {
    let top = 8 * (size - place) - 1;
    format!("{}..{}", top, top - 7)
}

fn announced_role(view: &View<'_>, range: &Range<usize>, offset: usize, is_bad: bool) -> String {
    let byte = view.bytes[offset];
    if byte < 0x80 {
        return "ASCII".to_owned();
    }
    if range.len() == 1 && !is_bad {
        return "a byte that stands for itself".to_owned();
    }
    if !is_continuation(byte) {
        return match view.class(byte) {
            Class::Never(_) if announced_length(byte) == 0 => "never, in any form of UTF-8".to_owned(),
            Class::Never(_) => format!("never; was a lead of {}", announced_length(byte)),
            Class::Ascii | Class::Single | Class::Continuation | Class::Lead | Class::Limited => {
                format!("lead of {}", announced_length(byte))
            }
        };
    }
    let lead = view.bytes[range.start..offset].iter().rposition(|&b| !is_continuation(b));
    let adds = byte & 0x3F;
    match lead {
        Some(lead) if !is_bad => {
            let lead = range.start + lead;
            format!("tail {} of {}, +{adds:02X}", offset - lead, announced_length(view.bytes[lead]) - 1)
        }
        Some(_) => format!("tail, +{adds:02X}"),
        None => format!("stray tail, +{adds:02X}"),
    }
}
