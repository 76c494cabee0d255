//! Reads escapes of mail and of URLs.

use super::{EscapesError, Out, hex_at};

/// Whether the escape character `mark` is followed by two hexadecimal digits anywhere.
pub(super) fn has_digits_behind(text: &str, mark: u8) -> bool {
    let mark = char::from(mark);
    let digits = |piece: &str| {
        let two = piece.as_bytes().get(..2);
        two.is_some_and(|two| two.iter().all(|byte| byte.is_ascii_digit() || (b'A'..=b'F').contains(byte)))
            || mark == '%' && hex_at(piece, 0, 2, 2).is_some()
    };
    text.split(mark).skip(1).any(digits)
}

/// Reads bytes of two digits each after the escape character `mark`. `=` at the end of a line joins the next line.
pub(super) fn marked(text: &str, mark: u8, out: &mut Out) -> Result<(), EscapesError> {
    let mut at = 0;
    while at < text.len() {
        let next = text[at..].find(char::from(mark)).map_or(text.len(), |len| at + len);
        out.text(&text[at..next])?;
        if next == text.len() {
            break;
        }
        let rest = &text[next + 1..];
        let soft = soft_break(rest).filter(|_| mark == b'=');
        at = match (hex_at(text, next + 1, 2, 2), soft) {
            (Some((value, len)), _) => {
                out.byte(value as u8)?;
                next + 1 + len
            }
            (None, Some(len)) => next + 1 + len,
            (None, None) => return Err(out.error(text, next, "two hexadecimal digits must follow it")),
        };
    }
    Ok(())
}

/// The length of a line end that `=` joins, and of white space before it that was added in transport (RFC 2045, 6.7).
fn soft_break(text: &str) -> Option<usize> {
    let end = text.trim_start_matches([' ', '\t']);
    let len = ["\r\n", "\n"].into_iter().find(|line_end| end.starts_with(line_end)).map_or(0, str::len);
    (len > 0 || text.is_empty()).then_some(text.len() - end.len() + len)
}

/// Reads `=?charset?Q?…?=` or `=?charset?B?…?=`, one or several with spaces between.
pub(super) fn word(text: &str, out: &mut Out) -> Result<(), EscapesError> {
    let mut at = 0;
    for word in text.split_ascii_whitespace() {
        at += text[at..].find(word).unwrap_or(0);
        let inner = word.strip_prefix("=?").and_then(|rest| rest.strip_suffix("?="));
        let parts: Vec<_> = inner.unwrap_or_default().splitn(3, '?').collect();
        let read = match parts[..] {
            [_, "Q" | "q", escaped] => marked(&escaped.replace('_', " "), b'=', out),
            [_, "B" | "b", escaped] => base64(escaped, out),
            _ => return Err(out.error(text, at, "it is not =?charset?Q?…?= or =?charset?B?…?=")),
        };
        // The place of the error is relative to the text inside the word.
        let start = at + 2 + parts[..2].iter().map(|part| part.len() + 1).sum::<usize>();
        read.map_err(|error| EscapesError { place: start + error.place, ..error })?;
        at += word.len();
    }
    Ok(())
}

/// The encoding that all words name. A language may follow it after `*` (RFC 2231, 5).
pub(super) fn charset(text: &str) -> Option<&str> {
    let mut names =
        text.split_ascii_whitespace().map(|word| word.strip_prefix("=?")?.split(['?', '*']).next());
    let first = names.next()??;
    names.all(|name| name.is_some_and(|name| name.eq_ignore_ascii_case(first))).then_some(first)
}

/// Reads base64 in either alphabet. White space is ignored, and the padding may be missing.
pub(super) fn base64(text: &str, out: &mut Out) -> Result<(), EscapesError> {
    let start = text.find(";base64,").filter(|_| text.starts_with("data:")).map_or(0, |at| at + 8);
    let (mut bits, mut held) = (0_u32, 0);
    let mut last = start;
    let mut is_padded = false;
    for (at, c) in text[start..].char_indices().map(|(at, c)| (start + at, c)) {
        let value = match c {
            'A'..='Z' => u32::from(c) - u32::from('A'),
            'a'..='z' => u32::from(c) - u32::from('a') + 26,
            '0'..='9' => u32::from(c) - u32::from('0') + 52,
            '+' | '-' => 62,
            '/' | '_' => 63,
            '=' => {
                is_padded = true;
                continue;
            }
            _ if c.is_ascii_whitespace() => continue,
            _ => return Err(out.error(text, at, "it is not in the alphabet")),
        };
        if is_padded {
            return Err(out.error(text, at, "it follows the padding"));
        }
        (bits, held, last) = (bits << 6 | value, held + 6, at);
        if held >= 8 {
            held -= 8;
            out.byte((bits >> held) as u8)?;
            bits &= (1 << held) - 1;
        }
    }
    match held {
        6 => Err(out.error(text, last, "the last character alone is not a byte")),
        _ => Ok(()),
    }
}
