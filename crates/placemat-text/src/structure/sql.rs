//! Dumps of databases as `pg_dump`, `mysqldump` and `sqlite3 .dump` write them: strings, names, comments and the rows of COPY.

mod copy;
mod quote;
mod statement;

use memchr::memmem;

use super::Cell;
use super::scan::{Grammar, Next, Token};
use copy::Copy;
use quote::Quote;
use statement::Statement;

/// Whose dump it is: that says what a backslash means in a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// PostgreSQL: a backslash is one, but in `E'…'`.
    Postgres,
    /// MySQL and MariaDB: a backslash escapes.
    MySql,
    /// SQLite: a backslash is one.
    Sqlite,
}

/// How much of a dump may say whose it is, in bytes.
const HEAD: usize = 64 << 10;

impl Dialect {
    /// Whose dump begins so, if that can be told. Cost: linear in the first 64 KiB.
    ///
    /// ```
    /// use placemat_text::structure::Dialect;
    ///
    /// assert_eq!(Dialect::of(b"-- MariaDB dump 10.19"), Some(Dialect::MySql));
    /// assert_eq!(Dialect::of(b"PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n"), Some(Dialect::Sqlite));
    /// ```
    #[must_use]
    pub fn of(head: &[u8]) -> Option<Dialect> {
        static MARKS: [(&str, Dialect); 9] = [
            ("-- PostgreSQL database", Dialect::Postgres),
            ("-- MySQL dump", Dialect::MySql),
            ("-- MariaDB dump", Dialect::MySql),
            ("PRAGMA foreign_keys=OFF;", Dialect::Sqlite),
            (" FROM stdin;", Dialect::Postgres),
            ("SELECT pg_catalog.", Dialect::Postgres),
            ("/*!40", Dialect::MySql),
            ("INSERT INTO `", Dialect::MySql),
            ("BEGIN TRANSACTION;", Dialect::Sqlite),
        ];
        let head = &head[..head.len().min(HEAD)];
        // What stands first is not said by a text in it.
        let mut first = None;
        for (mark, dialect) in &MARKS {
            if let Some(at) = memmem::find(head, mark.as_bytes())
                && first.is_none_or(|(before, _)| at < before)
            {
                first = Some((at, *dialect));
            }
        }
        first.map(|(_, dialect)| dialect)
    }
}

enum State {
    Code,
    /// In something that quotes text.
    Quoted(Quote),
    /// Behind a string.
    Behind,
    /// Behind the statement that rows of COPY follow.
    BeforeRows,
    Rows(Copy),
}

pub(super) struct Sql {
    dialect: Dialect,
    state: State,
    statement: Statement,
    /// What ended last: it says how text is written there.
    last: Quote,
}

/// A byte of a name or number.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

impl Sql {
    pub(super) fn new(dialect: Dialect) -> Sql {
        Sql { dialect, state: State::Code, statement: Statement::default(), last: Quote::Word }
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
        if next.is_none() && !is_last && matches!(byte, b'-' | b'/' | b'$' | b'*') {
            return Ok(None);
        }
        match (byte, next) {
            (b' ' | b'\t' | b'\r' | b'\n', _) => {
                let blank = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
                self.statement.blank();
                Ok(Some(Token::Structure(blank)))
            }
            (b'-', Some(b'-')) if is_mysql => match text.get(2) {
                None if !is_last => Ok(None),
                Some(b' ' | b'\t' | b'\r' | b'\n') | None => self.quoted(Quote::Line, 2),
                Some(_) => Ok(Some(Token::Structure(2))),
            },
            (b'-', Some(b'-')) => self.quoted(Quote::Line, 2),
            (b'#', _) if is_mysql => self.quoted(Quote::Line, 1),
            // What only some servers read is code to them.
            (b'/', Some(b'*')) if is_mysql => match text[2..] {
                [] | [b'M'] if !is_last => Ok(None),
                [b'!', ..] => Ok(Some(Token::Structure(3))),
                [b'M', b'!', ..] => Ok(Some(Token::Structure(4))),
                _ => self.quoted(Quote::Block, 2),
            },
            (b'/', Some(b'*')) => self.quoted(Quote::Block, 2),
            (b'*', Some(b'/')) if is_mysql => Ok(Some(Token::Structure(2))),
            (b'\\', _) if self.dialect == Dialect::Postgres && !self.statement.is_open() => {
                self.quoted(Quote::Line, 1)
            }
            (b'\\', _) if !is_mysql => Err((0, "a backslash stands outside of strings")),
            (b'\'', _) => match self.statement.string(self.dialect) {
                Some(quote) => self.quoted(quote, 1),
                None => Err((0, "a string begins directly behind a word")),
            },
            (b'"', _) if is_mysql => self.quoted(Quote::Backslash(b'"'), 1),
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
                Ok(Some(Token::Structure(1)))
            }
            _ if is_word(byte) => Ok(self.statement.word(text, is_last).map(Token::Structure)),
            _ => self.statement.sign(byte).map(|()| Some(Token::Structure(1))),
        }
    }

    /// `$$` and `$name$`, which end what they begin; `$1` is a parameter.
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

    /// Behind the statement: the end of its line, and then rows.
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

impl Grammar for Sql {
    fn next(&mut self, text: &[u8], is_last: bool, is_open: bool) -> Next {
        match &mut self.state {
            State::Code => self.code(text, is_last),
            State::Quoted(quote) => match quote.next(text, is_last, is_open)? {
                Some((token, false)) => Ok(Some(token)),
                Some((token, true)) => {
                    self.statement.other();
                    let is_string = quote.is_string();
                    self.last = std::mem::replace(quote, Quote::Word);
                    self.state = if is_string { State::Behind } else { State::Code };
                    Ok(Some(token))
                }
                None => Ok(None),
            },
            State::Behind => match text.first() {
                Some(&byte) if is_word(byte) || byte >= 0x80 => {
                    Err((0, "something stands directly behind the end of a string"))
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

    /// The row is the line, which the scan counts.
    fn cell(&self) -> Option<Cell> {
        let field = if let State::Rows(copy) = &self.state { copy.column() } else { 0 };
        Some(Cell { row: 0, field })
    }

    fn spell(&self, text: &str, _: &[u8]) -> Option<String> {
        match &self.state {
            State::Rows(_) => Some(copy::spell(text)),
            State::Quoted(quote) => quote.spell(text),
            State::Code | State::Behind | State::BeforeRows => self.last.spell(text),
        }
    }
}
