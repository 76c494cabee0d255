//! Lines and columns of a position in UTF-8.

use memchr::{memchr_iter, memrchr};

/// The line and column of a position in a text, moved forward by the text that precedes it.
///
/// The text is UTF-8, or generalised UTF-8 for forms with surrogates. Text in other forms is converted first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// From 1.
    pub(crate) line: u64,
    /// In code points, from 1.
    pub(crate) column: u64,
    at_start: bool,
}

/// Returns how many bytes `is_such` accepts; fast if `is_such` has no branches.
pub(crate) fn count_bytes(bytes: &[u8], is_such: impl Fn(u8) -> bool) -> u64 {
    // The sum of a chunk of 240 fits in 8 bits, so that compilers add bytes in vector lanes.
    let count = |chunk: &[u8]| u64::from(chunk.iter().map(|&byte| u8::from(is_such(byte))).sum::<u8>());
    bytes.chunks(240).map(count).sum()
}

/// Returns the number of code points of well-formed UTF-8: its bytes that are not continuation bytes.
pub(crate) fn code_points(text: &[u8]) -> u64 {
    count_bytes(text, |byte| byte as i8 >= -0x40)
}

impl Position {
    pub(crate) fn start() -> Position {
        Position { line: 1, column: 1, at_start: true }
    }

    /// Starts at the beginning of a text whose byte order mark, if any, was removed.
    pub(crate) fn behind_mark() -> Position {
        Position { at_start: false, ..Position::start() }
    }

    /// Moves past well-formed text that ends between characters.
    pub(crate) fn advance(&mut self, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        let text = if self.at_start { placemat::bom::strip(text) } else { text };
        self.at_start = false;
        let line = match memrchr(b'\n', text) {
            Some(end) => {
                self.line += memchr_iter(b'\n', &text[..=end]).count() as u64;
                self.column = 1;
                &text[end + 1..]
            }
            None => text,
        };
        self.column += code_points(line);
    }

    /// Moves past an error, which takes one column.
    pub(crate) fn advance_error(&mut self) {
        self.at_start = false;
        self.column += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(parts: &[&str]) -> (u64, u64) {
        let mut position = Position::start();
        parts.iter().for_each(|part| position.advance(part.as_bytes()));
        (position.line, position.column)
    }

    #[test]
    fn lines_end_with_line_feeds_and_columns_count_code_points() {
        assert_eq!(after(&[]), (1, 1));
        assert_eq!(after(&["né\u{1F600}"]), (1, 4));
        assert_eq!(after(&["a\r\nb", "c\n"]), (3, 1));
        assert_eq!(after(&["a\r\nb", "c\ndé"]), (3, 3));
        assert_eq!(after(&[&"é".repeat(1000)]), (1, 1001));
    }

    #[test]
    fn only_a_leading_mark_takes_no_column() {
        assert_eq!(after(&["\u{FEFF}a"]), (1, 2));
        assert_eq!(after(&["a\u{FEFF}"]), (1, 3));
        assert_eq!(after(&["", "\u{FEFF}", "\u{FEFF}"]), (1, 2));
    }
}
