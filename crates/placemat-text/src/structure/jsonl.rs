//! JSON Lines: a JSON value (RFC 8259) per line. The strings in it are fields.

use serde::de::IgnoredAny;

use super::Cell;
use super::scan::{Grammar, Key, Next, Token};

/// The greatest depth of nested arrays and objects.
const DEEPEST: usize = 1_000;

/// The most bytes of a number or name.
const LONGEST_WORD: usize = 64 << 10;

/// Numbers that JSON lacks, but that Python and Spark write and read.
const NUMBERS: [&str; 3] = ["NaN", "Infinity", "-Infinity"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// The value of a line, or an empty line.
    Line,
    Value,
    ValueOrEnd,
    Key,
    KeyOrEnd,
    Colon,
    CommaOrEnd,
    LineEnd,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Array,
    Object,
}

pub(super) struct JsonLines {
    expected: Expected,
    inside: Vec<Inside>,
    in_string: bool,
    /// Whether the last key is the first of its object.
    is_first: bool,
    cell: Cell,
}

impl JsonLines {
    pub(super) fn new() -> JsonLines {
        let cell = Cell { row: 1, field: 0 };
        JsonLines { expected: Expected::Line, inside: Vec::new(), in_string: false, is_first: false, cell }
    }

    /// Records that a value has ended.
    fn value(&mut self) {
        self.expected = if self.inside.is_empty() { Expected::LineEnd } else { Expected::CommaOrEnd };
    }

    fn open(&mut self, inside: Inside, expected: Expected) -> Next {
        if self.inside.len() == DEEPEST {
            return Err((0, "arrays and objects are nested more than 1,000 levels deep"));
        }
        self.inside.push(inside);
        self.expected = expected;
        Ok(Some(Token::Structure(1)))
    }

    fn outside(&mut self, text: &[u8], is_last: bool) -> Next {
        use Expected::{Colon, CommaOrEnd, Key, KeyOrEnd, Line, LineEnd, Value, ValueOrEnd};
        let Some(&byte) = text.first() else {
            return match self.expected {
                _ if !is_last => Ok(None),
                Line | LineEnd => Ok(None),
                _ => Err((0, "the value of the line does not end")),
            };
        };
        let takes_value = matches!(self.expected, Line | Value | ValueOrEnd);
        match (byte, self.expected) {
            (b' ' | b'\t' | b'\r', _) => {
                let blank = text.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
                return Ok(Some(Token::Structure(blank)));
            }
            (b'\n', Line | LineEnd) => {
                self.expected = Line;
                self.cell = Cell { row: self.cell.row + 1, field: 0 };
            }
            (b'\n', _) => return Err((0, "the value of the line does not end")),
            (b'"', Key | KeyOrEnd) => {
                self.is_first = self.expected == KeyOrEnd;
                self.expected = Colon;
                self.begin();
            }
            (b'"', _) if takes_value => {
                self.value();
                self.begin();
            }
            (b'{', _) if takes_value => return self.open(Inside::Object, KeyOrEnd),
            (b'[', _) if takes_value => return self.open(Inside::Array, ValueOrEnd),
            (b'}', KeyOrEnd | CommaOrEnd) if self.inside.last() == Some(&Inside::Object) => self.close(),
            (b']', ValueOrEnd | CommaOrEnd) if self.inside.last() == Some(&Inside::Array) => self.close(),
            (b':', Colon) => self.expected = Value,
            (b',', CommaOrEnd) => {
                self.expected = if self.inside.last() == Some(&Inside::Object) { Key } else { Value };
            }
            (_, LineEnd) => return Err((0, "something follows the value of the line")),
            (_, Line | Value | ValueOrEnd) => return self.word(text, is_last),
            (_, Key | KeyOrEnd) => return Err((0, "a key of an object is expected")),
            (_, Colon) => return Err((0, "a colon is expected")),
            (_, CommaOrEnd) => return Err((0, "a comma, or the end of the array or object, is expected")),
        }
        Ok(Some(Token::Structure(1)))
    }

    fn begin(&mut self) {
        self.in_string = true;
        self.cell.field += 1;
    }

    fn close(&mut self) {
        self.inside.pop();
        self.value();
    }

    /// Reads a number (also one of [`NUMBERS`]), or `true`, `false`, `null`.
    fn word(&mut self, text: &[u8], is_last: bool) -> Next {
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let length = text.iter().take(LONGEST_WORD).take_while(is_part).count();
        if length == text.len() && !is_last && length < LONGEST_WORD {
            return Ok(None);
        }
        let is_number = NUMBERS.iter().any(|number| number.as_bytes() == &text[..length]);
        if !is_number && serde_json::from_slice::<IgnoredAny>(&text[..length]).is_err() {
            return Err((0, "a value is expected"));
        }
        self.value();
        Ok(Some(Token::Structure(length)))
    }

    fn string(&mut self, text: &[u8], is_last: bool, is_open: bool) -> Next {
        let is_special = |&byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20);
        match text.iter().position(is_special) {
            None if text.is_empty() && is_last => Err((0, "a string does not end")),
            None => Ok((!text.is_empty()).then_some(Token::Text(text.len()))),
            Some(at @ 1..) => Ok(Some(Token::Text(at))),
            Some(_) => match text[0] {
                b'"' if is_open => Ok(Some(Token::End)),
                b'"' => {
                    self.in_string = false;
                    Ok(Some(Token::Structure(1)))
                }
                b'\\' => escape(text, is_last),
                b'\n' => Err((0, "a string does not end in its line")),
                _ => Err((0, "a control character in a string is not escaped")),
            },
        }
    }
}

const NO_ESCAPE: Next = Err((0, "a backslash that starts no JSON escape"));

fn escape(text: &[u8], is_last: bool) -> Next {
    let stands = match text.get(1) {
        None if is_last => return NO_ESCAPE,
        None => return Ok(None),
        Some(b'u') => return unicode(text, is_last),
        Some(&byte @ (b'"' | b'\\' | b'/')) => byte,
        Some(b'b') => 8,
        Some(b'f') => 12,
        Some(b'n') => b'\n',
        Some(b'r') => b'\r',
        Some(b't') => b'\t',
        Some(_) => return NO_ESCAPE,
    };
    Ok(Some(Token::stands(2, &[stands])))
}

/// Reads `\u00e9`, or two such escapes that are one character. Half a pair of surrogates means the three bytes that UTF-8
/// would have for it.
fn unicode(text: &[u8], is_last: bool) -> Next {
    if text.len() < 6 && !is_last {
        return Ok(None);
    }
    let Some(unit) = unit(text) else { return NO_ESCAPE };
    if let Some(c) = char::from_u32(unit) {
        return Ok(Some(Token::stands(6, c.encode_utf8(&mut [0; 4]).as_bytes())));
    }
    if unit < 0xDC00 {
        let rest = &text[6..];
        let may_follow = rest.len() < 6 && br"\u".starts_with(&rest[..rest.len().min(2)]);
        if may_follow && !is_last {
            return Ok(None);
        }
        if let Some(low @ 0xDC00..0xE000) = self::unit(rest)
            && let Some(c) = char::from_u32(0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
        {
            return Ok(Some(Token::stands(12, c.encode_utf8(&mut [0; 4]).as_bytes())));
        }
    }
    let [.., high, low] = unit.to_be_bytes();
    let bytes = [0xED, 0x80 | (high & 0xF) << 2 | low >> 6, 0x80 | low & 0x3F];
    Ok(Some(Token::stands(6, &bytes)))
}

/// The code unit of the escape at the start of the text.
fn unit(text: &[u8]) -> Option<u32> {
    let digits = text.strip_prefix(br"\u")?.get(..4)?;
    digits.iter().try_fold(0, |unit, &digit| Some(unit << 4 | char::from(digit).to_digit(16)?))
}

impl Grammar for JsonLines {
    fn next(&mut self, text: &[u8], is_last: bool, is_open: bool) -> Next {
        if self.in_string { self.string(text, is_last, is_open) } else { self.outside(text, is_last) }
    }

    fn key(&self) -> Option<Key> {
        let key = Key { depth: self.inside.len(), is_first: self.is_first };
        (self.expected == Expected::Colon).then_some(key)
    }

    fn cell(&self) -> Option<Cell> {
        Some(self.cell)
    }

    fn spell(&self, text: &str, original: &[u8]) -> Option<String> {
        let is_escaped = memchr::memmem::find(original, br"\u").is_some();
        let mut out = String::new();
        for c in text.chars() {
            match c {
                '"' | '\\' => out.extend(['\\', c]),
                ' '..='~' => out.push(c),
                _ if c < ' ' || is_escaped => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        out.push_str(&format!("\\u{unit:04x}"));
                    }
                }
                _ => out.push(c),
            }
        }
        Some(out)
    }
}
