//! Converts a line and column to an offset.

use std::io::{self, Read};
use std::{error, fmt};

use memchr::memchr_iter;
use placemat::{CodePoint, Form, sequences};

use crate::io::fill;

/// More bytes than any sequence or byte order mark has: in UTF-7 a supplementary character alone takes eight.
const LONGEST: u64 = 16;

/// Why there is no such position.
#[derive(Debug)]
#[non_exhaustive]
pub enum LineError {
    /// Reading failed.
    Io(io::Error),
    /// The text does not have the first number of lines, but only the second.
    NoLine(u64, u64),
    /// The line does not have the first number of columns, but only the second.
    NoColumn(u64, u64),
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LineError::Io(error) => error.fmt(f),
            LineError::NoLine(line, lines) => write!(f, "there is no line {line}: the last is {lines}"),
            LineError::NoColumn(column, columns) => {
                write!(f, "there is no column {column} in that line: the last is {columns}")
            }
        }
    }
}

impl error::Error for LineError {}

impl From<io::Error> for LineError {
    fn from(error: io::Error) -> LineError {
        LineError::Io(error)
    }
}

/// Returns the offset, in bytes, of a position as `check` reports it: line and column from 1, a column per code point or error,
/// lines ended by U+000A. The time is linear; the memory is the part of the line before the column.
///
/// # Errors
/// Those of reading; or there is no such line or column.
///
/// ```
/// use placemat::Form;
/// use placemat_text::explain::offset_of;
///
/// assert_eq!(offset_of("né\ncafé".as_bytes(), Form::Utf8, 2, 4).unwrap(), 7);
/// assert!(offset_of("né".as_bytes(), Form::Utf8, 2, 1).is_err());
/// ```
pub fn offset_of(mut reader: impl Read, form: Form, line: u64, column: u64) -> Result<u64, LineError> {
    let mut block = vec![0; 64 << 10];
    let mut filled = fill(&mut reader, &mut block)?;
    // The byte order mark, if there is one, selects the form.
    let form = sequences(form, &block[..filled]).form();
    let feed = placemat::convert(Form::Utf8, form, b"\n").unwrap_or_else(|_| vec![b'\n']);
    let (mut offset, mut seen, mut last) = (0, 1, 0);
    let start = 'found: loop {
        if seen == line {
            break 0;
        }
        for at in memchr_iter(b'\n', &block[..filled]).map(|at| at - at % feed.len()) {
            if block[at..filled].starts_with(&feed) {
                let end = at + feed.len();
                (seen, last) = (seen + 1, offset + end as u64);
                if seen == line {
                    break 'found end;
                }
            }
        }
        offset += filled as u64;
        filled = fill(&mut reader, &mut block)?;
        if filled == 0 {
            // A line feed at the end ends a line, and begins none.
            return Err(LineError::NoLine(line, if last == offset && seen > 1 { seen - 1 } else { seen }));
        }
    };
    let mut text = block[start..filled].to_vec();
    reader.take(column.saturating_mul(LONGEST)).read_to_end(&mut text)?;
    if text.is_empty() && line > 1 {
        return Err(LineError::NoLine(line, line - 1));
    }
    let start = offset + start as u64;
    column_of(&text, form, start, column)
}

fn column_of(text: &[u8], form: Form, start: u64, column: u64) -> Result<u64, LineError> {
    let mut seen = 0;
    for sequence in sequences(form, text) {
        let point = sequence.code_point().ok();
        let at = sequence.range().start;
        let is_mark = point == Some(CodePoint::MARK) && start == 0 && at == 0;
        if is_mark {
            continue;
        }
        seen += 1;
        if seen == column {
            return Ok(start + at as u64);
        }
        if point == Some(CodePoint::from('\n')) {
            break;
        }
    }
    Err(LineError::NoColumn(column, seen))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &[u8], form: Form, line: u64, column: u64) -> Option<u64> {
        offset_of(text, form, line, column).ok()
    }

    #[test]
    fn places_are_those_of_check() {
        let text = b"\xEF\xBB\xBFn\xC3\xAF\xFFe\n\nlast";
        assert_eq!(found(text, Form::Utf8, 1, 1), Some(3));
        assert_eq!(found(text, Form::Utf8, 1, 3), Some(6));
        assert_eq!(found(text, Form::Utf8, 1, 5), Some(8), "the line feed");
        assert_eq!(found(text, Form::Utf8, 1, 6), None);
        assert_eq!(found(text, Form::Utf8, 2, 1), Some(9));
        assert_eq!(found(text, Form::Utf8, 3, 4), Some(13));
        assert_eq!((found(text, Form::Utf8, 3, 5), found(text, Form::Utf8, 4, 1)), (None, None));
        assert_eq!((found(text, Form::Utf8, 0, 1), found(text, Form::Utf8, 1, 0)), (None, None));
        assert_eq!(found(b"", Form::Utf8, 1, 1), None);
        let wide: Vec<u8> = "\u{FEFF}a\u{A0A}\nbé".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(found(&wide, Form::Utf16, 2, 2), Some(10));
        assert_eq!(found(&wide[2..], Form::Utf16Le, 2, 2), Some(8));
    }

    #[test]
    fn a_line_feed_at_the_end_begins_no_line() {
        let refused = |text: &[u8], form: Form, line| offset_of(text, form, line, 1).unwrap_err().to_string();
        let wide: Vec<u8> = "a\nb\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for (text, form) in [(&b"a\nb\n"[..], Form::Utf8), (b"a\nb", Form::Utf8), (&wide, Form::Utf16Le)] {
            for line in [3, 9] {
                assert_eq!(refused(text, form, line), format!("there is no line {line}: the last is 2"));
            }
        }
        let blocks = [&[b'a'; (64 << 10) - 1][..], b"\n"].concat();
        assert_eq!(refused(&blocks, Form::Utf8, 2), "there is no line 2: the last is 1");
        assert_eq!(refused(b"", Form::Utf8, 2), "there is no line 2: the last is 1");
        assert_eq!(refused(b"\n\n", Form::Utf8, 3), "there is no line 3: the last is 2");
        assert_eq!(found(b"\n\n", Form::Utf8, 2, 1), Some(1));
    }

    #[test]
    fn lines_reach_over_blocks() {
        let text = [&[b'a'; 100_000][..], b"\n", &[b'b'; 100_000], b"\xC3\xA9"].concat();
        assert_eq!(found(&text, Form::Utf8, 2, 100_001), Some(200_001));
        assert_eq!(found(&text, Form::Utf8, 1, 70_000), Some(69_999));
        let text = [&[b'a'; 2 << 20][..], b"\xFF"].concat();
        assert_eq!(found(&text, Form::Utf8, 1, (2 << 20) + 1), Some(2 << 20));
    }
}
