//! Divides an input into fields and the bytes between, piece by piece.

use std::io::Read;

use memchr::{memchr_iter, memrchr};

use super::csv::Csv;
use super::field::Field;
use super::jsonl::JsonLines;
use super::sql::Sql;
use super::{Cell, Dialect, LONGEST_FIELD, Misfit, Structure, half};
use crate::charset::Legacy;
use crate::error::Error;
use crate::io::{read_more, unfinished};
use crate::repair::mend::Marks;

/// The number of bytes read at once.
const READ: usize = 128 << 10;

/// More than three escapes that are the rest of a character have, in bytes.
const LONGEST_ESCAPES: usize = 16;

/// The next part of the input. `Text` and `Stands` belong to the open field, or open one.
pub(super) enum Token {
    /// This many bytes between fields.
    Structure(usize),
    /// This many bytes of a field, without escapes.
    Text(usize),
    /// An escape of this many bytes in a field, and the bytes that it means.
    Stands(usize, ([u8; 4], usize)),
    /// The field ends here.
    End,
}

impl Token {
    /// Returns an escape of `length` bytes that means at most four other bytes.
    pub(super) fn stands(length: usize, bytes: &[u8]) -> Token {
        let mut held = [0; 4];
        held[..bytes.len()].copy_from_slice(bytes);
        Token::Stands(length, (held, bytes.len()))
    }
}

/// The position of an error that is found at the end of the input: the start of the field that has no end.
pub(super) const OPENED: usize = usize::MAX;

/// The next token; `None` if more input is needed, or at the end. An error has its distance from here in bytes, or [`OPENED`].
pub(super) type Next = Result<Option<Token>, (usize, &'static str)>;

/// A key of an object.
#[derive(Clone, Copy)]
pub(super) struct Key {
    /// The number of arrays and objects around it.
    pub(super) depth: usize,
    /// Whether it is the first key of its object.
    pub(super) is_first: bool,
}

/// The rules by which a structure is read and written.
///
/// A token of text does not change the grammar's state, so the scan may take only a part of it.
pub(super) trait Grammar {
    /// Returns the token at the start of `text`. `is_last`: nothing follows `text`. `is_open`: a field is open.
    fn next(&mut self, text: &[u8], is_last: bool, is_open: bool) -> Next;

    /// Tells the grammar that bytes which are not UTF-8 are in this encoding, one of those that [`half`] is about.
    fn reads(&mut self, _second: Legacy) {}

    /// Why a field with this text, which has ended, cannot be repaired, if that is so.
    fn refuses(&self, _says: &[u8]) -> Option<&'static str> {
        None
    }

    /// The byte behind the field that ended last, if the two may be one character in some encoding.
    fn may_end_a_character(&self) -> Option<u8> {
        None
    }

    /// The bytes that open a value in which a backslash escapes once more, if the field that ended last may hold one.
    fn openers(&self) -> &'static [u8] {
        b""
    }

    /// Which key the field that ended last is, if it is one.
    fn key(&self) -> Option<Key> {
        None
    }

    /// The position of the field that is open or ended last.
    fn cell(&self) -> Option<Cell>;

    /// Returns how `text` is written in the field that ended last, in place of `original`; `None` if it cannot be written there.
    fn spell(&self, text: &str, original: &[u8]) -> Option<String>;
}

/// Counts lines, for positions that only move forward.
#[derive(Default)]
pub(super) struct Lines {
    ended: u64,
    at: usize,
}

impl Lines {
    /// The line, from 1, of a position in the buffer.
    pub(super) fn line(&mut self, buffer: &[u8], at: usize) -> u64 {
        if at > self.at {
            self.ended += memchr_iter(b'\n', &buffer[self.at..at]).count() as u64;
            self.at = at;
        }
        self.ended + 1
    }
}

/// The function that gets the fields.
pub(super) type Take<'a> = &'a mut dyn FnMut(&mut Lines, &dyn Grammar, &[u8], Field);

pub(super) struct Scan<R> {
    reader: R,
    grammar: Box<dyn Grammar + Send>,
    /// The input from `offset` on, and how much of it was divided into tokens.
    buffer: Vec<u8>,
    at: usize,
    pub(super) offset: u64,
    /// The length of the byte order marks that the input begins with.
    pub(super) marks: usize,
    lines: Lines,
    /// The same for positions inside the open field.
    inside: Lines,
    /// The line of the last bytes outside fields.
    opened: u64,
    /// The line of the last escape that may be half a character, or 0.
    halved: u64,
    /// The second encoding, if it is one of those that [`half`] is about.
    second: Option<Legacy>,
    /// Whether all of the input was read.
    is_over: bool,
    /// Whether all of the input was divided.
    is_done: bool,
    field: Option<Field>,
    /// If the next field is a later part of a long one, [`Field::rest_of`].
    rest_of: Option<bool>,
}

impl<R: Read> Scan<R> {
    pub(super) fn new(structure: Structure, reader: R) -> Scan<R> {
        let grammar: Box<dyn Grammar + Send> = match structure {
            Structure::Csv(delimiter) => Box::new(Csv::new(delimiter)),
            Structure::JsonLines => Box::new(JsonLines::new()),
            Structure::Sql(dialect) => Box::new(Sql::new(dialect.unwrap_or(Dialect::Postgres))),
        };
        let (buffer, lines, field) = (Vec::new(), Lines::default(), None);
        Scan {
            reader,
            grammar,
            buffer,
            at: 0,
            offset: 0,
            marks: 0,
            lines,
            inside: Lines::default(),
            opened: 1,
            halved: 0,
            second: None,
            is_over: false,
            is_done: false,
            field,
            rest_of: None,
        }
    }

    /// Reads bytes that are not UTF-8 in this encoding.
    pub(super) fn reads(&mut self, second: Legacy) {
        if half::has_such(second) {
            self.second = Some(second);
            self.grammar.reads(second);
        }
    }

    /// Divides the next bytes into fields, and gives each to `take`. Returns how many bytes can be released then, if possible up
    /// to the end of a line; `None` at the end.
    pub(super) fn advance(&mut self, take: Take<'_>) -> Result<Option<usize>, Error> {
        loop {
            let kept = self.field.as_ref().map_or(self.at, |field| field.range.start);
            if self.is_done {
                return Ok((kept > 0).then_some(kept));
            }
            if kept >= READ {
                let line = memrchr(b'\n', &self.buffer[..kept]);
                return Ok(Some(line.map_or(kept, |at| at + 1)));
            }
            if !self.step(take)? && !self.more()? {
                if self.is_over && self.at < self.buffer.len() {
                    let line = self.lines.line(&self.buffer, self.at);
                    return Err(Misfit { line, what: "the input ends too early", is_half: false }.into());
                }
                self.is_done = self.is_over;
                self.is_over = true;
            }
        }
    }

    /// Reads more. Returns whether there was more.
    fn more(&mut self) -> Result<bool, Error> {
        Ok(!self.is_over && read_more(&mut self.reader, &mut self.buffer, READ)? > 0)
    }

    /// The bytes that can be released.
    pub(super) fn bytes(&self, ready: usize) -> &[u8] {
        &self.buffer[..ready]
    }

    /// Releases this many bytes.
    pub(super) fn settle(&mut self, ready: usize) {
        if ready == 0 {
            return;
        }
        for lines in [&mut self.lines, &mut self.inside] {
            lines.line(&self.buffer, ready);
            lines.at -= ready;
        }
        self.buffer.drain(..ready);
        self.offset += ready as u64;
        self.at -= ready;
        if let Some(field) = &mut self.field {
            field.shift(ready);
        }
    }

    /// Takes the next token. Returns whether there is one.
    fn step(&mut self, take: Take<'_>) -> Result<bool, Error> {
        if self.offset == 0 && self.at == 0 {
            // Byte order marks are not text.
            let marks = Marks::at_start(&self.buffer, self.is_over);
            if marks.may_go_on {
                return Ok(false);
            }
            if marks.len > 0 {
                (self.at, self.marks) = (marks.len, marks.len);
                return Ok(true);
            }
        }
        let at = self.at;
        let token = self.grammar.next(&self.buffer[at..], self.is_over, self.field.is_some());
        if matches!(token, Err(_) | Ok(Some(Token::Stands(..) | Token::End))) {
            self.note_half();
        }
        let token = token.map_err(|(ahead, what)| self.misfit(ahead, what))?;
        let is_whole = match token {
            None => return Ok(false),
            Some(Token::Structure(length)) => {
                self.opened = self.lines.line(&self.buffer, at);
                self.at += length;
                return Ok(true);
            }
            Some(Token::Text(length)) => {
                let field = self.field.get_or_insert_with(|| Field::at(at));
                let room = LONGEST_FIELD.saturating_sub(field.range.len());
                field.text(&self.buffer, length.min(room));
                if length >= room {
                    field.end_with_a_character(&self.buffer);
                }
                self.at = field.range.end;
                length >= room
            }
            Some(Token::Stands(length, (bytes, count))) => {
                let field = self.field.get_or_insert_with(|| Field::at(at));
                field.stands(&self.buffer, length, &bytes[..count]);
                self.at += length;
                // Each byte of a character may be an escape.
                let is_cut = unfinished(field.says(&self.buffer)) > 0;
                field.range.len() >= LONGEST_FIELD + if is_cut { LONGEST_ESCAPES } else { 0 }
            }
            Some(Token::End) => true,
        };
        if is_whole && let Some(mut field) = self.field.take() {
            field.is_cut = !matches!(token, Some(Token::End));
            field.rest_of = self.rest_of;
            self.rest_of = field.is_cut.then(|| field.is_nested(&*self.grammar, &self.buffer));
            if let Some(what) = self.refuses(&field) {
                let line = self.lines.line(&self.buffer, field.range.start);
                return Err(Misfit { line, what, is_half: what == half::ESCAPE }.into());
            }
            take(&mut self.lines, &*self.grammar, &self.buffer, field);
        }
        Ok(true)
    }

    /// Why a field that has ended cannot be repaired, if that is so.
    fn refuses(&self, field: &Field) -> Option<&'static str> {
        let is_half =
            |second| field.before_escapes(&self.buffer).any(|text| half::is_half(second, text, b'\\'));
        if self.second.is_some_and(is_half) {
            return Some(half::ESCAPE);
        }
        if field.has_half_escaped() {
            return Some("a character is in part escapes, in part bytes");
        }
        self.grammar.refuses(field.says(&self.buffer))
    }

    /// Records that the backslash or quote here follows what may be the first byte of a character.
    fn note_half(&mut self) {
        let Some(field) = &self.field else { return };
        let text = field.range.start.max(self.at.saturating_sub(half::LONGEST_RUN));
        // Two backslashes are one, which is then the second byte.
        let is_special = !self.buffer[self.at..].starts_with(br"\\")
            && matches!(self.buffer.get(self.at), Some(b'\\' | b'`' | b']'));
        if is_special && half::may_end_in_half(&self.buffer[text..self.at]) {
            self.halved = self.inside.line(&self.buffer, self.at);
        }
    }

    /// The error at a distance from here. An escape that may be half a character may be the cause.
    fn misfit(&mut self, ahead: usize, what: &'static str) -> Misfit {
        let line = match ahead {
            OPENED => self.opened,
            _ => self.lines.line(&self.buffer, self.at + ahead),
        };
        Misfit { line, what, is_half: self.halved >= line }
    }
}
