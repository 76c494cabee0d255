//! The rows of COPY in PostgreSQL's text format.
//!
//! Source: PostgreSQL's page of COPY, "Text Format".

use memchr::memchr3;

use super::escape::byte;
use crate::structure::scan::{Next, Token};

pub(super) const NO_END: &str = r"the rows of COPY do not end with \.";

pub(super) struct Copy {
    /// The number of fields of a row, once it is known.
    columns: Option<u64>,
    column: u64,
    at_start: bool,
    is_over: bool,
}

impl Copy {
    pub(super) fn new(columns: Option<u64>) -> Copy {
        Copy { columns, column: 1, at_start: true, is_over: false }
    }

    /// Whether the last row has ended.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    pub(super) fn column(&self) -> u64 {
        self.column
    }

    pub(super) fn next(&mut self, text: &[u8], is_last: bool, is_open: bool) -> Next {
        if text.is_empty() {
            return if is_last { Err((0, NO_END)) } else { Ok(None) };
        }
        if self.at_start && !is_open {
            match text {
                [b'\\'] | [b'\\', b'.'] | [b'\\', b'.', b'\r'] if !is_last => return Ok(None),
                [b'\\', b'.'] | [b'\\', b'.', b'\n' | b'\r', ..] => {
                    self.is_over = true;
                    return Ok(Some(Token::Structure(2)));
                }
                _ => {}
            }
        }
        let found = memchr3(b'\t', b'\n', b'\\', text);
        self.at_start &= found == Some(0) && text[0] != b'\\';
        match found {
            None => Ok(Some(Token::Text(text.len()))),
            Some(at @ 1..) => Ok(Some(Token::Text(at))),
            Some(0) if text[0] == b'\\' => escape(text, is_last, is_open),
            Some(0) if is_open => Ok(Some(Token::End)),
            Some(0) if text[0] == b'\t' => {
                self.column += 1;
                self.at_start = false;
                Ok(Some(Token::Structure(1)))
            }
            Some(0) => {
                if *self.columns.get_or_insert(self.column) != self.column {
                    return Err((0, "a row of COPY has more or fewer fields than there are columns"));
                }
                self.column = 1;
                self.at_start = true;
                Ok(Some(Token::Structure(1)))
            }
        }
    }
}

fn escape(text: &[u8], is_last: bool, is_open: bool) -> Next {
    if text.len() < 4 && !is_last {
        return Ok(None);
    }
    if let Some((value, length)) = byte(text) {
        return Ok(Some(Token::stands(length, &[value])));
    }
    let stands = match text.get(1) {
        None => return Err((0, "a backslash ends the input")),
        Some(b'N') if !is_open => return Ok(Some(Token::Structure(2))),
        Some(b'b') => 8,
        Some(b'f') => 12,
        Some(b'n') => b'\n',
        Some(b'r') => b'\r',
        Some(b't') => b'\t',
        Some(b'v') => 11,
        Some(0x80..) => return Ok(Some(Token::Text(1))),
        Some(&byte) => byte,
    };
    Ok(Some(Token::stands(2, &[stands])))
}

/// Writes text as in a field.
pub(super) fn spell(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\\' => out.push_str(r"\\"),
            '\t' => out.push_str(r"\t"),
            '\n' => out.push_str(r"\n"),
            '\r' => out.push_str(r"\r"),
            '\0' => out.push_str(r"\000"),
            _ => out.push(c),
        }
    }
    out
}
