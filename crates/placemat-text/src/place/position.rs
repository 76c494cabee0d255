//! Lines and columns.

use memchr::{memchr_iter, memrchr};

/// A place in a text, moved forward by the text that precedes it.
///
/// The text is UTF-8, or generalised UTF-8 for forms with surrogates; other forms are brought there first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// From 1.
    pub(crate) line: u64,
    /// In code points, from 1.
    pub(crate) column: u64,
    at_start: bool,
}

/// How many bytes are such; quick, for tests without branches.
pub(crate) fn count_bytes(bytes: &[u8], is_such: impl Fn(u8) -> bool) -> u64 {
    // By small sums of whole sixteens, which compilers turn into lanes of bytes.
    let count = |chunk: &[u8]| u64::from(chunk.iter().map(|&byte| u8::from(is_such(byte))).sum::<u8>());
    bytes.chunks(240).map(count).sum()
}

/// Code points of well-formed UTF-8: the bytes that are not continuation bytes.
pub(crate) fn code_points(text: &[u8]) -> u64 {
    count_bytes(text, |byte| byte as i8 >= -0x40)
}

impl Position {
    pub(crate) fn start() -> Position {
        Position { line: 1, column: 1, at_start: true }
    }

    /// At the start of a text whose mark, if it had one, was taken away.
    pub(crate) fn behind_mark() -> Position {
        Position { at_start: false, ..Position::start() }
    }

    /// Go past well-formed text, cut between characters.
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

    /// Go past an error, which takes one column.
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
