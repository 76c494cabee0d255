//! CSV as in RFC 4180: records of fields, some of them in quotes.

use memchr::{memchr, memchr3};

use super::scan::{Grammar, Next, OPENED, Token};
use super::{Cell, half};
use crate::charset::Legacy;

enum State {
    /// At the start of a field.
    Start,
    /// In a field without quotes.
    Bare,
    Quoted,
    /// After the quote that ends a field.
    Closed,
}

pub(super) struct Csv {
    delimiter: u8,
    state: State,
    cell: Cell,
    /// The second encoding, if the delimiter may be the second byte of one of its characters.
    second: Option<Legacy>,
    /// Whether a delimiter follows the last field that ended.
    is_delimited: bool,
}

impl Csv {
    pub(super) fn new(delimiter: u8) -> Csv {
        let cell = Cell { row: 1, field: 1 };
        Csv { delimiter, state: State::Start, cell, second: None, is_delimited: false }
    }

    /// The delimiter or the line end between two fields.
    fn between(&mut self, text: &[u8]) -> Option<Token> {
        let length = if text.starts_with(b"\r\n") { 2 } else { 1 };
        self.cell = match text[0] == self.delimiter {
            true => Cell { field: self.cell.field + 1, ..self.cell },
            false => Cell { row: self.cell.row + 1, field: 1 },
        };
        self.state = State::Start;
        Some(Token::Structure(length))
    }

    fn ends(&self, text: &[u8], is_last: bool) -> bool {
        match text {
            [] => is_last,
            [b'\r'] | [b'\r', b'\n', ..] | [b'\n', ..] => true,
            [byte, ..] => *byte == self.delimiter,
        }
    }

    /// Whether the delimiter can be the second byte of a character.
    fn is_second_byte(&self) -> bool {
        matches!(self.delimiter, 0x40..=0x7E)
    }

    fn bare(&self, text: &[u8]) -> Next {
        let found = memchr3(self.delimiter, b'\n', b'"', text);
        let end = match found {
            Some(at) if text[at] == b'"' => {
                return Err((at, "a quote stands in a field that does not begin with one"));
            }
            Some(at) if text[at] == b'\n' && at > 0 && text[at - 1] == b'\r' => at - 1,
            Some(at) => at,
            None if text.last() == Some(&b'\r') => text.len() - 1,
            None => text.len(),
        };
        Ok((end > 0).then_some(Token::Text(end)))
    }
}

impl Grammar for Csv {
    fn next(&mut self, text: &[u8], is_last: bool, is_open: bool) -> Next {
        match self.state {
            // A line feed may follow the carriage return.
            State::Start | State::Bare | State::Closed if text == b"\r" && !is_last => Ok(None),
            State::Start if text.is_empty() => Ok(None),
            State::Start if text[0] == b'"' => {
                self.state = State::Quoted;
                Ok(Some(Token::Structure(1)))
            }
            State::Start | State::Bare if self.ends(text, is_last) => match is_open {
                true => {
                    self.is_delimited = text.first() == Some(&self.delimiter);
                    Ok(Some(Token::End))
                }
                false if text.is_empty() => Ok(None),
                false => Ok(self.between(text)),
            },
            State::Start | State::Bare => {
                self.state = State::Bare;
                self.bare(text)
            }
            State::Quoted => match memchr(b'"', text) {
                None if text.is_empty() && is_last => Err((OPENED, "a field in quotes does not end")),
                None => Ok((!text.is_empty()).then_some(Token::Text(text.len()))),
                Some(0) if text.len() == 1 && !is_last => Ok(None),
                Some(0) if text.get(1) == Some(&b'"') => Ok(Some(Token::stands(2, b"\""))),
                Some(0) if is_open => {
                    self.is_delimited = false;
                    Ok(Some(Token::End))
                }
                Some(0) => {
                    self.state = State::Closed;
                    Ok(Some(Token::Structure(1)))
                }
                Some(at) => Ok(Some(Token::Text(at))),
            },
            State::Closed if text.is_empty() => Ok(None),
            State::Closed if self.ends(text, is_last) => Ok(self.between(text)),
            State::Closed => Err((0, "a closing quote is not followed by a delimiter or a line end")),
        }
    }

    fn reads(&mut self, second: Legacy) {
        self.second = self.is_second_byte().then_some(second);
    }

    fn refuses(&self, says: &[u8]) -> Option<&'static str> {
        let second = self.second.filter(|_| self.is_delimited)?;
        half::is_half(second, says, self.delimiter).then_some(half::DELIMITER)
    }

    fn may_end_a_character(&self) -> Option<u8> {
        (self.is_delimited && self.is_second_byte()).then_some(self.delimiter)
    }

    fn cell(&self) -> Option<Cell> {
        Some(self.cell)
    }

    fn spell(&self, text: &str, _: &[u8]) -> Option<String> {
        let is_special = |byte: &u8| *byte == self.delimiter || matches!(byte, b'"' | b'\r' | b'\n');
        match self.state {
            State::Quoted => Some(text.replace('"', "\"\"")),
            State::Start | State::Bare | State::Closed => {
                (!text.as_bytes().iter().any(is_special)).then(|| text.to_owned())
            }
        }
    }
}
