//! Dumps of databases by `pg_dump`, `mysqldump` and `sqlite3 .dump`: strings, names, comments and the rows of COPY.

mod charset;
mod copy;
mod dialect;
mod escape;
mod mode;
mod quote;
mod statement;
mod tables;

use memchr::memchr;

use super::scan::{Grammar, Next, Token};
use super::{Cell, HEAD, half};
use crate::charset::Legacy;
use charset::Charset;
use copy::Copy;
use mode::Mode;
use quote::Quote;
use statement::Statement;
use tables::Tables;

pub use dialect::Dialect;

/// The most bytes of a name in quotes.
const LONGEST_NAME: usize = 1024;

enum State {
    Code,
    /// Inside quotes or a comment.
    Quoted(Quote),
    /// After a string.
    Behind,
    /// After a COPY statement, before its rows.
    BeforeRows,
    Rows(Copy),
}

pub(super) struct Sql {
    dialect: Dialect,
    state: State,
    statement: Statement,
    tables: Tables,
    charset: Charset,
    mode: Mode,
    /// The quote that ended last. It says how text is written there.
    last: Quote,
    /// The second encoding, if a quote of a name may be the second byte of one of its characters.
    second: Option<Legacy>,
}

/// Whether the byte can be part of a name or number.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

impl Sql {
    pub(super) fn new(dialect: Dialect) -> Sql {
        Sql {
            dialect,
            state: State::Code,
            statement: Statement::default(),
            tables: Tables::default(),
            charset: Charset::default(),
            mode: Mode::default(),
            last: Quote::Word,
            second: None,
        }
    }

    fn quoted(&mut self, quote: Quote, length: usize) -> Next {
        self.state = State::Quoted(quote);
        Ok(Some(Token::Structure(length)))
    }

    fn code(&mut self, text: &[u8], is_last: bool) -> Next {
        let Some(&byte) = text.first() else {
            return if is_last { self.statement.end_of_input().map(|()| None) } else { Ok(None) };
        };
        let is_mysql = self.dialect == Dialect::MySql;
        let next = text.get(1).copied();
        if next.is_none() && !is_last && matches!(byte, b'-' | b'/' | b'$' | b'*' | b'u' | b'U') {
            return Ok(None);
        }
        if matches!(byte, b'\'' | b'"' | b'`') {
            let Some(name) = self.name(text, is_last) else { return Ok(None) };
            self.note_name(name)?;
        }
        match (byte, next) {
            (b' ' | b'\t' | b'\r' | b'\n', _) => {
                let blank = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                self.statement.blank(&text[..blank]);
                Ok(Some(Token::Structure(blank)))
            }
            (b'-', Some(b'-')) if is_mysql => match text.get(2) {
                None if !is_last => Ok(None),
                Some(b' ' | b'\t' | b'\r' | b'\n') | None => self.quoted(Quote::Line, 2),
                Some(_) => Ok(Some(Token::Structure(2))),
            },
            (b'-', Some(b'-')) => self.quoted(Quote::Line, 2),
            (b'#', _) if is_mysql => self.quoted(Quote::Line, 1),
            // A comment that some servers execute is read as code.
            (b'/', Some(b'*')) if is_mysql => match text[2..] {
                [] | [b'M'] if !is_last => Ok(None),
                [b'!', ..] => Ok(Some(Token::Structure(3))),
                [b'M', b'!', ..] => Ok(Some(Token::Structure(4))),
                _ => self.quoted(Quote::Block(0), 2),
            },
            (b'/', Some(b'*')) => self.quoted(Quote::Block(u64::from(self.dialect == Dialect::Postgres)), 2),
            (b'*', Some(b'/')) if is_mysql => Ok(Some(Token::Structure(2))),
            (b'\\', _) if self.dialect == Dialect::Postgres && !self.statement.is_open() => {
                self.quoted(Quote::Line, 1)
            }
            (b'\\', _) if !is_mysql => Err((0, "a backslash outside a string")),
            (b'\'', _) => self.string(byte),
            (b'"', _) if is_mysql || self.statement.is_in_unicode() => self.string(byte),
            (b'"', _) => self.quoted(Quote::Name(b'"'), 1),
            (b'`', _) => self.quoted(Quote::Name(b'`'), 1),
            (b'[', _) if self.dialect == Dialect::Sqlite => self.quoted(Quote::Name(b']'), 1),
            (b'$', _) if self.dialect == Dialect::Postgres && !self.statement.is_in_word() => {
                self.dollar(text, is_last)
            }
            (0x80.., _) => {
                self.statement.other();
                self.state = State::Quoted(Quote::Word);
                Ok(Some(Token::Structure(0)))
            }
            (b';', _) => {
                if self.statement.end()? {
                    self.state = State::BeforeRows;
                }
                self.tables.end();
                self.charset.end();
                self.mode.end();
                Ok(Some(Token::Structure(1)))
            }
            (b'u' | b'U', Some(b'&'))
                if self.dialect == Dialect::Postgres && !self.statement.is_in_word() =>
            {
                self.unicode(text, is_last)
            }
            _ if is_word(byte) => Ok(self.word(text, is_last)?.map(Token::Structure)),
            _ => {
                self.statement.sign(byte)?;
                self.tables.sign(byte, self.statement.depth());
                self.charset.sign(byte);
                self.mode.sign(byte, self.statement.depth());
                Ok(Some(Token::Structure(1)))
            }
        }
    }

    /// Begins a string.
    fn string(&mut self, quote: u8) -> Next {
        let escapes = match self.dialect {
            Dialect::MySql => self.mode.escapes(),
            _ => self.charset.escapes(),
        };
        match self.statement.string(self.dialect, quote, escapes) {
            Some(_) if self.tables.is_bytes(self.statement.depth()) => {
                self.quoted(Quote::Binary(quote, escapes), 1)
            }
            Some(kind) => self.quoted(kind, 1),
            None => Err((0, "a string begins directly after a word")),
        }
    }

    /// `U&` before a string or a name in quotes; elsewhere it is a name and an operator.
    fn unicode(&mut self, text: &[u8], is_last: bool) -> Next {
        match text.get(2) {
            None if !is_last => Ok(None),
            Some(b'\'' | b'"') => {
                self.statement.unicode();
                Ok(Some(Token::Structure(2)))
            }
            _ => Ok(self.word(text, is_last)?.map(Token::Structure)),
        }
    }

    /// Reads the word at the start of `text`. Returns its length, or `None` if more input is needed.
    fn word(&mut self, text: &[u8], is_last: bool) -> Result<Option<usize>, (usize, &'static str)> {
        let goes_on = self.statement.is_in_word();
        let Some(length) = self.statement.word(text, is_last)? else { return Ok(None) };
        // Versions, as in `/*!40101 … */`, are not words.
        let is_number = text[0].is_ascii_digit();
        if !goes_on && !is_number && self.dialect == Dialect::MySql {
            self.tables.word(&text[..length], self.statement.depth());
            self.mode.word(&text[..length])?;
        }
        if !goes_on && (!is_number || self.charset.is_awaited()) {
            self.charset.word(&text[..length]);
        }
        Ok(Some(length))
    }

    /// The text in quotes, if it is a name that must be remembered; `None` if more input is needed.
    fn name<'a>(&self, text: &'a [u8], is_last: bool) -> Option<Option<&'a [u8]>> {
        let wants_name = self.dialect == Dialect::MySql && self.tables.wants_name(self.statement.depth());
        if !wants_name && !self.charset.is_awaited() && !self.awaits_mode() {
            return Some(None);
        }
        let is_last = is_last || text.len() > LONGEST_NAME;
        let (text, quote, mut end) = (&text[..text.len().min(LONGEST_NAME)], text[0], 1);
        loop {
            let Some(found) = memchr(quote, &text[end..]) else {
                return is_last.then_some(None);
            };
            end += found;
            match text.get(end + 1) {
                None if !is_last => return None,
                Some(&next) if next == quote => end += 2,
                _ => return Some(Some(&text[1..end])),
            }
        }
    }

    fn awaits_mode(&self) -> bool {
        self.dialect == Dialect::MySql && self.mode.is_awaited()
    }

    fn note_name(&mut self, name: Option<&[u8]>) -> Result<(), (usize, &'static str)> {
        let Some(name) = name else { return Ok(()) };
        if self.awaits_mode() {
            self.mode.word(name)?;
        }
        if self.charset.is_awaited() {
            self.charset.word(name);
        } else {
            self.tables.name(name, self.statement.depth());
        }
        Ok(())
    }

    /// `$$` and `$name$` begin and end a string; `$1` is a parameter.
    fn dollar(&mut self, text: &[u8], is_last: bool) -> Next {
        let name =
            text[1..].iter().take_while(|&&byte| is_word(byte) && byte != b'$' || byte >= 0x80).count();
        match text.get(1 + name) {
            None if !is_last && name < HEAD => Ok(None),
            Some(b'$') if !text[1].is_ascii_digit() => {
                self.statement.other();
                self.quoted(Quote::Dollar(text[..name + 2].to_vec()), name + 2)
            }
            _ => Ok(Some(Token::Structure(1 + name))),
        }
    }

    /// After the statement: the end of its line, then the rows.
    fn before_rows(&mut self, text: &[u8]) -> Next {
        match text {
            [] => Ok(None),
            [b'\n', ..] => {
                self.state = State::Rows(Copy::new(self.statement.take_columns()));
                Ok(Some(Token::Structure(1)))
            }
            [b'\r' | b' ', ..] => Ok(Some(Token::Structure(1))),
            _ => Err((0, "rows of COPY are expected in the next line")),
        }
    }
}

impl Sql {
    fn token(&mut self, text: &[u8], is_last: bool, is_open: bool) -> Next {
        match &mut self.state {
            State::Code => self.code(text, is_last),
            State::Quoted(quote) => match quote.next(text, is_last, is_open)? {
                Some((token, false)) => Ok(Some(token)),
                Some((token, true)) => {
                    self.statement.end_of(quote);
                    let is_string = quote.is_string();
                    self.last = std::mem::replace(quote, Quote::Word);
                    self.state = if is_string { State::Behind } else { State::Code };
                    Ok(Some(token))
                }
                None => Ok(None),
            },
            State::Behind => match text.first() {
                Some(&byte) if is_word(byte) || byte >= 0x80 => {
                    Err((0, "something directly follows the end of a string"))
                }
                None if !is_last => Ok(None),
                _ => {
                    self.state = State::Code;
                    self.code(text, is_last)
                }
            },
            State::BeforeRows if text.is_empty() && is_last => Err((0, copy::NO_END)),
            State::BeforeRows => self.before_rows(text),
            State::Rows(copy) => {
                let token = copy.next(text, is_last, is_open)?;
                if copy.is_over() {
                    self.state = State::Code;
                }
                Ok(token)
            }
        }
    }
}

impl Grammar for Sql {
    fn next(&mut self, text: &[u8], is_last: bool, is_open: bool) -> Next {
        let token = self.token(text, is_last, is_open)?;
        self.charset.token(token, text)
    }

    fn reads(&mut self, second: Legacy) {
        self.second = Some(second);
    }

    /// A dump without table definitions does not say which columns are bytes, and MariaDB's `mysqldump` writes bytes like text; so may
    /// programs for PostgreSQL in `E'…'`.
    fn refuses(&self, says: &[u8]) -> Option<&'static str> {
        if let (State::Quoted(Quote::Name(quote)), Some(second)) = (&self.state, self.second)
            && half::is_half(second, says, *quote)
        {
            return Some(half::ESCAPE);
        }
        let is_control = |byte: &u8| matches!(byte, 0..=8 | 0x0E..=0x19 | 0x1C..=0x1F | 0x7F);
        let why = match &self.state {
            State::Quoted(Quote::Escapes) => {
                "a malformed value in E'…' has control characters: it may be bytes, not text"
            }
            _ if self.dialect == Dialect::MySql && self.tables.is_unknown() => {
                "a malformed value has control characters, and no CREATE TABLE says whether it is text: dump with --hex-blob"
            }
            _ => return None,
        };
        (!placemat::is_valid(says) && says.iter().any(is_control)).then_some(why)
    }

    /// The row is the number of the line, which the scan counts.
    fn cell(&self) -> Option<Cell> {
        let field = if let State::Rows(copy) = &self.state { copy.column() } else { 0 };
        Some(Cell { row: 0, field })
    }

    fn openers(&self) -> &'static [u8] {
        let is_value = match &self.state {
            State::Rows(_) => true,
            State::Quoted(quote) => quote.is_string(),
            _ => false,
        };
        match self.dialect {
            _ if !is_value => b"",
            Dialect::Postgres => b"{[(\"",
            Dialect::MySql | Dialect::Sqlite => b"{[\"",
        }
    }

    fn spell(&self, text: &str, _: &[u8]) -> Option<String> {
        match &self.state {
            State::Rows(_) => Some(copy::spell(text)),
            State::Quoted(quote) => quote.spell(text),
            State::Code | State::Behind | State::BeforeRows => self.last.spell(text),
        }
    }
}
