//! The state of a statement: whether rows follow it, and what a string would mean at this point.

use super::quote::Quote;
use super::{Dialect, is_word};

/// The most bytes of a word that can have a meaning here.
const LONGEST_WORD: usize = 64;

type Result<T> = std::result::Result<T, (usize, &'static str)>;

/// What comes directly before, apart from blanks.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Before {
    #[default]
    Other,
    /// A word that may precede a string.
    Prefix,
    /// `E`, after which a backslash escapes.
    Escape,
    /// `_binary`: the string after it is bytes.
    Binary,
    Unistr,
    /// Any other word.
    Word,
}

/// How much of COPY … FROM stdin was read.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd)]
enum Copying {
    #[default]
    No,
    Copy,
    From,
    Stdin,
    /// Options follow.
    Options,
}

#[derive(Default)]
pub(super) struct Statement {
    is_open: bool,
    depth: u64,
    columns: u64,
    copying: Copying,
    before: Before,
    /// Whether a word precedes directly, without a blank.
    in_word: bool,
}

impl Statement {
    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    /// The number of open parentheses.
    pub(super) fn depth(&self) -> u64 {
        self.depth
    }

    pub(super) fn is_in_word(&self) -> bool {
        self.in_word
    }

    /// Takes the number of columns that COPY names, if it does.
    pub(super) fn take_columns(&mut self) -> Option<u64> {
        Some(std::mem::take(&mut self.columns)).filter(|&columns| columns > 0)
    }

    pub(super) fn blank(&mut self) {
        self.in_word = false;
    }

    /// Records a string, a name in quotes or a comment.
    pub(super) fn other(&mut self) {
        (self.before, self.in_word) = (Before::Other, false);
    }

    pub(super) fn string(&mut self, dialect: Dialect) -> Option<Quote> {
        let (before, in_word) = (self.before, self.in_word);
        self.is_open = true;
        match (dialect, before) {
            (_, Before::Word) if in_word => None,
            (Dialect::MySql, Before::Binary) => Some(Quote::Binary),
            (Dialect::MySql, _) => Some(Quote::Backslash(b'\'')),
            (Dialect::Postgres, Before::Escape) if in_word => Some(Quote::Escapes),
            (Dialect::Sqlite, Before::Unistr) => Some(Quote::Unistr),
            (Dialect::Postgres | Dialect::Sqlite, _) => Some(Quote::String),
        }
    }

    /// Reads the word at the start of `text`. Returns its length, or `None` if more input is needed.
    pub(super) fn word(&mut self, text: &[u8], is_last: bool) -> Option<usize> {
        let length = text.iter().take_while(|&&byte| is_word(byte)).count();
        if length == text.len() && !is_last && length < LONGEST_WORD {
            return None;
        }
        let goes_on = self.in_word;
        let word = &text[..length];
        let is = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
        self.before = match word {
            _ if goes_on => Before::Word,
            _ if is("e") => Before::Escape,
            _ if is("_binary") => Before::Binary,
            _ if is("unistr") => Before::Unistr,
            _ if is("x") || is("b") || is("n") || word.starts_with(b"_") => Before::Prefix,
            _ => Before::Word,
        };
        self.copying = match self.copying {
            same if goes_on => same,
            Copying::No if !self.is_open && is("copy") => Copying::Copy,
            Copying::Copy if self.depth == 0 && is("from") => Copying::From,
            Copying::From if is("stdin") => Copying::Stdin,
            Copying::From => Copying::No,
            Copying::Stdin => Copying::Options,
            other => other,
        };
        (self.is_open, self.in_word) = (true, true);
        Some(length)
    }

    /// Records any other character.
    pub(super) fn sign(&mut self, byte: u8) -> Result<()> {
        match byte {
            b'(' => self.depth += 1,
            b')' if self.depth == 0 => return Err((0, "a closing parenthesis has no opening one")),
            b')' => self.depth -= 1,
            _ => {}
        }
        if self.copying == Copying::Copy && self.depth == 1 && matches!(byte, b'(' | b',') {
            self.columns += 1;
        }
        // In `unistr(`, the parenthesis precedes the string.
        if !(byte == b'(' && self.before == Before::Unistr) {
            self.before = Before::Other;
        }
        (self.is_open, self.in_word) = (true, false);
        Ok(())
    }

    /// Ends the statement at a semicolon. Returns whether rows follow.
    pub(super) fn end(&mut self) -> Result<bool> {
        if self.depth > 0 {
            return Err((0, "a statement ends in parentheses that are not closed"));
        }
        if self.copying == Copying::Options {
            return Err((0, "COPY has options, which pg_dump does not write"));
        }
        let has_rows = self.copying == Copying::Stdin;
        let columns = self.columns;
        *self = Statement { columns: if has_rows { columns } else { 0 }, ..Statement::default() };
        Ok(has_rows)
    }

    pub(super) fn end_of_input(&self) -> Result<()> {
        if self.is_open { Err((0, "the last statement does not end")) } else { Ok(()) }
    }
}
