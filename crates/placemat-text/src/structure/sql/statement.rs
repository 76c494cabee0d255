//! The state of a statement: whether rows follow it, and what a string would mean at this point.

use super::charset::is_another;
use super::quote::Quote;
use super::{Dialect, is_word};

/// The most bytes of a word that can have a meaning here.
const LONGEST_WORD: usize = 64;

const UESCAPE: &str = "a string with UESCAPE has another escape character than \\, which placemat does not read: write it with \\, without UESCAPE";

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
    /// `U&`, after which a backslash begins the number of a character.
    Unicode,
    /// `_binary` or the name of an encoding: the string after it is bytes.
    Binary,
    Unistr,
    /// The end of a string with one of these prefixes. A string after it may continue it.
    EscapeEnd,
    UnicodeEnd,
    BinaryEnd,
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
    /// Whether a line ends after what comes before.
    ends_line: bool,
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

    /// Whether `U&` precedes directly.
    pub(super) fn is_in_unicode(&self) -> bool {
        self.in_word && self.before == Before::Unicode
    }

    /// Takes the number of columns that COPY names, if it does.
    pub(super) fn take_columns(&mut self) -> Option<u64> {
        Some(std::mem::take(&mut self.columns)).filter(|&columns| columns > 0)
    }

    pub(super) fn blank(&mut self, blank: &[u8]) {
        self.in_word = false;
        self.ends_line |= blank.contains(&b'\n') || blank.contains(&b'\r');
    }

    /// Records a dollar sign or letters that are not ASCII.
    pub(super) fn other(&mut self) {
        self.set(Before::Other);
    }

    /// Records the end of a string, a name in quotes or a comment.
    pub(super) fn end_of(&mut self, quote: &Quote) {
        match quote {
            Quote::Escapes => self.set(Before::EscapeEnd),
            Quote::Unicode(_) => self.set(Before::UnicodeEnd),
            Quote::Binary(..) => self.set(Before::BinaryEnd),
            _ if quote.is_comment() => self.in_word = false,
            _ => self.set(Before::Other),
        }
    }

    fn set(&mut self, before: Before) {
        (self.before, self.in_word, self.ends_line) = (before, false, false);
    }

    /// Records `U&`, before a string or a name.
    pub(super) fn unicode(&mut self) {
        self.set(Before::Unicode);
        (self.is_open, self.in_word) = (true, true);
    }

    /// The kind of the string that begins here, with this quote character. `escapes`: a backslash escapes in every string.
    ///
    /// Strings of PostgreSQL with only blanks between them are one string, if a line ends there. So are strings of MySQL.
    pub(super) fn string(&mut self, dialect: Dialect, quote: u8, escapes: bool) -> Option<Quote> {
        let (before, in_word) = (self.before, self.in_word);
        self.is_open = true;
        match (dialect, before) {
            (_, Before::Word) if in_word && quote == b'\'' => None,
            (Dialect::MySql, Before::Binary | Before::BinaryEnd) => Some(Quote::Binary(quote, escapes)),
            (Dialect::MySql, _) if escapes => Some(Quote::Backslash(quote)),
            (Dialect::Postgres, Before::Unicode) if in_word => Some(Quote::Unicode(quote)),
            (Dialect::Postgres, Before::UnicodeEnd) if self.ends_line => Some(Quote::Unicode(quote)),
            (Dialect::Postgres, Before::Escape) if in_word => Some(Quote::Escapes),
            (Dialect::Postgres, Before::EscapeEnd) if self.ends_line => Some(Quote::Escapes),
            (Dialect::Postgres, _) if escapes => Some(Quote::Escapes),
            (Dialect::Sqlite, Before::Unistr) => Some(Quote::Unistr),
            _ => Some(Quote::String(quote)),
        }
    }

    /// Reads the word at the start of `text`. Returns its length, or `None` if more input is needed.
    ///
    /// # Errors
    /// Where a string is read in a way that is only known now.
    pub(super) fn word(&mut self, text: &[u8], is_last: bool) -> Result<Option<usize>> {
        let length = text.iter().take_while(|&&byte| is_word(byte)).count();
        if length == text.len() && !is_last && length < LONGEST_WORD {
            return Ok(None);
        }
        let goes_on = self.in_word;
        let word = &text[..length];
        let is = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
        if self.before == Before::UnicodeEnd && is("uescape") {
            return Err((0, UESCAPE));
        }
        self.set(match word {
            _ if goes_on => Before::Word,
            _ if is("e") => Before::Escape,
            [b'_', name @ ..] if is_another(name) || is("_binary") => Before::Binary,
            _ if is("unistr") => Before::Unistr,
            _ if is("x") || is("b") || is("n") || word.starts_with(b"_") => Before::Prefix,
            _ => Before::Word,
        });
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
        Ok(Some(length))
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
            self.set(Before::Other);
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
