//! The escapes in strings, each a backslash and the bytes after it.

use std::ops::Range;

use crate::structure::scan::Token;

/// The token for a backslash and the bytes after it, at least one; `None` if more input is needed.
pub(super) type Escape = fn(&[u8], bool) -> Option<Token>;

/// Strings of MySQL.
pub(super) fn mysql(text: &[u8], _: bool) -> Option<Token> {
    let stands = match text[1] {
        b'0' => 0,
        b'b' => 8,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'Z' => 0x1A,
        // They stay as they are: LIKE needs the backslash.
        b'%' | b'_' => return Some(Token::Text(2)),
        // A backslash without a meaning, before a letter.
        0x80.. => return Some(Token::Text(1)),
        byte => byte,
    };
    Some(Token::stands(2, &[stands]))
}

/// `unistr` of SQLite.
pub(super) fn unistr(text: &[u8], is_last: bool) -> Option<Token> {
    match text[1] {
        b'\\' => Some(Token::stands(2, b"\\")),
        b'u' if text.len() < 6 && !is_last => None,
        b'u' => {
            let digits = text.get(2..6).and_then(|digits| str::from_utf8(digits).ok());
            let c = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).and_then(char::from_u32);
            Some(c.map_or(Token::Text(1), |c| Token::stands(6, c.encode_utf8(&mut [0; 4]).as_bytes())))
        }
        _ => Some(Token::Text(1)),
    }
}

/// `U&'…'` of PostgreSQL: `\00e9` and `\+0000e9`, or two of them that are a pair of surrogates.
///
/// Source: PostgreSQL's page of lexical structure, "String Constants with Unicode Escapes".
pub(super) fn standard(text: &[u8], is_last: bool) -> Option<Token> {
    match text[1] {
        b'\\' => Some(Token::stands(2, b"\\")),
        _ => unicode(text, is_last, |text| match text {
            [b'\\', b'+', ..] => number(text, 2..8),
            [b'\\', ..] => number(text, 1..5),
            _ => None,
        }),
    }
}

/// `E'…'` of PostgreSQL. `\303` and `\xC3` are bytes, so several of them are one character.
///
/// Source: PostgreSQL's page of lexical structure, "String Constants with C-Style Escapes".
pub(super) fn postgres(text: &[u8], is_last: bool) -> Option<Token> {
    let stands = match text[1] {
        b'b' => 8,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'0'..=b'7' | b'x' if text.len() < 4 && !is_last => return None,
        b'0'..=b'7' | b'x' => {
            let (value, length) = byte(text)?;
            return Some(Token::stands(length, &[value]));
        }
        b'u' | b'U' => {
            return unicode(text, is_last, |text| match text {
                [b'\\', b'u', ..] => number(text, 2..6),
                [b'\\', b'U', ..] => number(text, 2..10),
                _ => None,
            });
        }
        // A backslash without a meaning, before a letter.
        0x80.. => return Some(Token::Text(1)),
        byte => byte,
    };
    Some(Token::stands(2, &[stands]))
}

/// The byte that an escape of PostgreSQL in octal or hexadecimal digits means, and the length of the escape. `\x` without a digit
/// is `x`.
pub(super) fn byte(text: &[u8]) -> Option<(u8, usize)> {
    let digits = |base: u32, most: usize, from: usize| {
        let digits = text[from..].iter().take(most).map_while(|&byte| char::from(byte).to_digit(base));
        digits.fold((0, from), |(value, at), digit| (value * base + digit, at + 1))
    };
    let (value, end) = match text.get(1)? {
        b'0'..=b'7' => digits(8, 3, 1),
        b'x' => match digits(16, 2, 2) {
            (_, 2) => (u32::from(b'x'), 2),
            hex => hex,
        },
        _ => return None,
    };
    Some((value as u8, end))
}

/// The number that an escape at the start means, and the length of the escape.
type CodePoint = fn(&[u8]) -> Option<(u32, usize)>;

/// An escape for a character, or two of them that are a pair of surrogates. What PostgreSQL refuses stays text.
fn unicode(text: &[u8], is_last: bool, code_point: CodePoint) -> Option<Token> {
    /// The most bytes of a pair.
    const LONGEST: usize = 20;
    if text.len() < LONGEST && !is_last {
        return None;
    }
    let Some((unit, length)) = code_point(text) else { return Some(Token::Text(1)) };
    let low = code_point(&text[length..]).filter(|(low, _)| matches!(low, 0xDC00..=0xDFFF));
    let (unit, length) = match (unit, low) {
        (0xD800..=0xDBFF, Some((low, more))) => {
            (0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00), length + more)
        }
        _ => (unit, length),
    };
    Some(match char::from_u32(unit) {
        Some(c) => Token::stands(length, c.encode_utf8(&mut [0; 4]).as_bytes()),
        None => Token::Text(1),
    })
}

/// The number in hexadecimal digits in this part of the text, and where the part ends.
fn number(text: &[u8], digits: Range<usize>) -> Option<(u32, usize)> {
    let value = text
        .get(digits.clone())?
        .iter()
        .try_fold(0_u32, |value, &digit| Some(value << 4 | char::from(digit).to_digit(16)?));
    Some((value?, digits.end))
}
