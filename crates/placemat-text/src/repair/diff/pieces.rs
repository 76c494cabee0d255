//! The pieces of a changed line: changes in full, and as much of the rest as fits.

use std::fmt::Write as _;
use std::io::{self, Write};

use anstyle::Style;
use unicode_width::UnicodeWidthStr as _;

use super::KEPT;
use crate::escape::{self, Cut, shortened};
use crate::hidden;
use crate::repair::mend::{Change, Rule};

/// Unchanged text between changes. Only its first and last bytes are kept; they suffice for any width.
pub(super) struct Stretch {
    head: String,
    /// Empty if the head is the whole text.
    tail: String,
    pub(super) width: usize,
}

impl Stretch {
    pub(super) fn of(bytes: &[u8]) -> Stretch {
        if bytes.len() <= KEPT {
            let head = escape::bytes(bytes).to_string();
            return Stretch { width: head.width(), head, tail: String::new() };
        }
        let head = escape::bytes(&bytes[..KEPT]).to_string();
        let tail = escape::bytes(&bytes[bytes.len() - KEPT..]).to_string();
        Stretch { head, tail, width: bytes.len() }
    }

    pub(super) fn shortened(&self, columns: usize, cut: Cut) -> String {
        match cut {
            _ if self.tail.is_empty() => shortened(&self.head, columns, cut),
            Cut::Start => shortened(&self.tail, columns, cut),
            Cut::End => shortened(&self.head, columns, cut),
            Cut::Middle => {
                let tail = shortened(&self.tail, columns - columns / 2, Cut::Start);
                format!("{}{}", shortened(&self.head, columns / 2, Cut::End), tail.trim_start_matches('…'))
            }
        }
    }
}

/// Returns the most columns that each may have, so that all fit into `room` if possible.
pub(super) fn share(widths: impl Iterator<Item = usize>, mut room: usize) -> usize {
    let mut widths: Vec<_> = widths.collect();
    widths.sort_unstable();
    for (index, &width) in widths.iter().enumerate() {
        let fair = room / (widths.len() - index);
        if width > fair {
            return fair;
        }
        room -= width;
    }
    usize::MAX
}

/// The text before a change.
pub(super) fn old(change: &Change, bytes: &[u8]) -> String {
    match change.rule {
        Rule::Mojibake(_) => escape::bytes(bytes).to_string(),
        Rule::Hidden(_) => hidden::shown(bytes),
        Rule::Mark
        | Rule::Windows1252
        | Rule::Second(_)
        | Rule::Cesu8
        | Rule::Nul
        | Rule::Overlong
        | Rule::Policy(..)
        | Rule::Zero(_) => escaped(bytes),
    }
}

/// Writes each byte as `\xhh`.
fn escaped(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("\\x{byte:02X}")).collect()
}

#[derive(Clone)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) is_change: bool,
}

pub(super) fn write_side(
    out: &mut impl Write,
    sign: char,
    pieces: &[&Piece],
    plain: Style,
    change: Style,
) -> io::Result<()> {
    write!(out, "{plain}{sign}{plain:#}")?;
    for piece in pieces {
        let style = if piece.is_change { change } else { plain };
        if !piece.text.is_empty() {
            write!(out, "{style}{}{style:#}", piece.text)?;
        }
    }
    writeln!(out)
}

/// Escapes text that changes, including spaces other than U+0020.
pub(super) fn visible(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        // Writing to a string cannot fail.
        let _ = match c {
            ' ' => write!(out, " "),
            c if c.is_whitespace() => write!(out, "\\u{{{:x}}}", c as u32),
            c => write!(out, "{}", escape::text(c.encode_utf8(&mut [0; 4]))),
        };
    }
    out
}
