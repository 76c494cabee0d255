//! Reads what is in quotes: strings, names, comments.

use memchr::{memchr, memchr2, memmem};

use super::escape::{Escape, mysql, postgres, standard, unistr};
use crate::structure::scan::{OPENED, Token};

/// A kind of quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Quote {
    /// `'it''s'`, with this quote character.
    String(u8),
    /// `'it\'s'`, with this quote character: strings of MySQL.
    Backslash(u8),
    /// `E'it\'s'` of PostgreSQL.
    Escapes,
    /// `U&'\00e9'` of PostgreSQL, a string or a name, with this quote character.
    Unicode(u8),
    /// `unistr('\u000a')` of SQLite.
    Unistr,
    /// `_binary '…'`, `_latin1 '…'`: bytes, not text in UTF-8, with this quote character, and whether a backslash escapes.
    Binary(u8, bool),
    /// A name, which ends with this quote character.
    Name(u8),
    /// `$body$ … $body$`, with the delimiter.
    Dollar(Vec<u8>),
    /// A comment or a command of `psql`; it ends with its line.
    Line,
    /// `/* … */`, with the number of comments that are open; 0 where comments do not nest.
    Block(u64),
    /// Letters in code that are not ASCII.
    Word,
}

const NO_END: &str = "a comment does not end";

type Next = Result<Option<(Token, bool)>, (usize, &'static str)>;

impl Quote {
    pub(super) fn is_string(&self) -> bool {
        matches!(
            self,
            Quote::String(_)
                | Quote::Backslash(_)
                | Quote::Escapes
                | Quote::Unicode(b'\'')
                | Quote::Unistr
                | Quote::Binary(..)
        )
    }

    pub(super) fn is_comment(&self) -> bool {
        matches!(self, Quote::Line | Quote::Block(_))
    }

    /// Returns the next token, and whether it ends the quotes.
    pub(super) fn next(&mut self, text: &[u8], is_last: bool, is_open: bool) -> Next {
        if text.is_empty() && !is_last {
            return Ok(None);
        }
        match self {
            Quote::Backslash(quote) => closed(text, is_last, is_open, *quote, Some(mysql)),
            Quote::Escapes => closed(text, is_last, is_open, b'\'', Some(postgres)),
            Quote::Unicode(quote) => closed(text, is_last, is_open, *quote, Some(standard)),
            Quote::Unistr => closed(text, is_last, is_open, b'\'', Some(unistr)),
            Quote::Binary(quote, escapes) => {
                let escape = escapes.then_some(mysql as Escape);
                Ok(closed(text, is_last, false, *quote, escape)?.map(|(token, ends)| match token {
                    Token::Text(length) | Token::Stands(length, _) => (Token::Structure(length), false),
                    Token::Structure(_) | Token::End => (token, ends),
                }))
            }
            Quote::String(quote) | Quote::Name(quote) => closed(text, is_last, is_open, *quote, None),
            Quote::Dollar(tag) => until(text, is_last, is_open, tag, "a dollar-quoted body does not end"),
            Quote::Block(0) => until(text, is_last, is_open, b"*/", NO_END),
            Quote::Block(open) => nested(text, is_last, is_open, open),
            Quote::Line => Ok(Some(upto(memchr(b'\n', text), text.len(), is_open))),
            Quote::Word => Ok(Some(upto(text.iter().position(u8::is_ascii), text.len(), is_open))),
        }
    }

    /// Writes text as in these quotes.
    pub(super) fn spell(&self, text: &str) -> Option<String> {
        let without = |chars: &[char]| (!text.contains(chars)).then(|| text.to_owned());
        let doubled = |quote: u8| text.replace(char::from(quote), &String::from_utf8_lossy(&[quote, quote]));
        match self {
            Quote::Backslash(quote) => Some(doubled(*quote).replace('\\', r"\\").replace('\0', r"\0")),
            // After `\0`, a digit would be part of the escape.
            Quote::Escapes => Some(doubled(b'\'').replace('\\', r"\\").replace('\0', r"\000")),
            Quote::Unicode(quote) => Some(doubled(*quote).replace('\\', r"\\").replace('\0', r"\0000")),
            Quote::Unistr => Some(doubled(b'\'').replace('\\', r"\\").replace('\0', r"\u0000")),
            Quote::String(quote) | Quote::Name(quote) => Some(doubled(*quote)),
            Quote::Dollar(_) => without(&['$']),
            Quote::Line => without(&['\n', '\r']),
            Quote::Block(_) => without(&['*', '/']),
            Quote::Word => (!text.contains(|c: char| c.is_ascii())).then(|| text.to_owned()),
            Quote::Binary(..) => None,
        }
    }
}

/// Returns the text up to `end`, then the end of the field, then the end of the quotes, which takes no byte.
fn upto(end: Option<usize>, length: usize, is_open: bool) -> (Token, bool) {
    match end.unwrap_or(length) {
        0 if is_open => (Token::End, false),
        0 => (Token::Structure(0), true),
        end => (Token::Text(end), false),
    }
}

/// Returns the text up to the bytes `end`, which end the quotes.
fn until(text: &[u8], is_last: bool, is_open: bool, end: &[u8], without: &'static str) -> Next {
    match memmem::find(text, end) {
        Some(0) if is_open => Ok(Some((Token::End, false))),
        Some(0) => Ok(Some((Token::Structure(end.len()), true))),
        Some(at) => Ok(Some((Token::Text(at), false))),
        None if is_last => Err((OPENED, without)),
        None => {
            let sure = text.len().saturating_sub(end.len() - 1);
            Ok((sure > 0).then_some((Token::Text(sure), false)))
        }
    }
}

/// Returns the text up to the `*/` that ends the comment. `open`: the number of comments that are open.
fn nested(text: &[u8], is_last: bool, is_open: bool, open: &mut u64) -> Next {
    match text.windows(2).position(|pair| matches!(pair, b"/*" | b"*/")) {
        Some(0) if *open == 1 && text[0] == b'*' => until(text, is_last, is_open, b"*/", NO_END),
        Some(0) => {
            *open = if text[0] == b'/' { *open + 1 } else { *open - 1 };
            Ok(Some((Token::stands(2, &text[..2]), false)))
        }
        Some(at) => Ok(Some((Token::Text(at), false))),
        None if is_last => Err((OPENED, NO_END)),
        None => Ok((text.len() > 1).then_some((Token::Text(text.len() - 1), false))),
    }
}

/// Returns the text up to a quote character (doubled inside the text), with escapes if there are any.
fn closed(text: &[u8], is_last: bool, is_open: bool, quote: u8, escape: Option<Escape>) -> Next {
    let found = match escape {
        Some(_) => memchr2(quote, b'\\', text),
        None => memchr(quote, text),
    };
    match (found, escape) {
        (None, _) if text.is_empty() => Err((OPENED, "a string, or a name in quotes, does not end")),
        (None, _) => Ok(Some((Token::Text(text.len()), false))),
        (Some(at @ 1..), _) => Ok(Some((Token::Text(at), false))),
        (Some(0), Some(escape)) if text[0] == b'\\' => match text.len() {
            1 if is_last => Err((OPENED, "a string does not end")),
            1 => Ok(None),
            _ => Ok(escape(text, is_last).map(|token| (token, false))),
        },
        (Some(0), _) if text.len() == 1 && !is_last => Ok(None),
        (Some(0), _) if text.get(1) == Some(&quote) => Ok(Some((Token::stands(2, &[quote]), false))),
        (Some(0), _) if is_open => Ok(Some((Token::End, false))),
        (Some(0), _) => Ok(Some((Token::Structure(1), true))),
    }
}
