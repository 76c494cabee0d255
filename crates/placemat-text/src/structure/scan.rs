//! An input cut into fields and what is between, read piece by piece.

use std::io::Read;

use memchr::{memchr_iter, memrchr};

use super::csv::Csv;
use super::field::Field;
use super::jsonl::JsonLines;
use super::sql::Sql;
use super::{Cell, Dialect, LONGEST_FIELD, Misfit, Structure};
use crate::error::Error;
use crate::io::read_more;

/// Bytes read at once.
const READ: usize = 128 << 10;

/// What comes next. `Text` and `Stands` belong to the field that is open, or open one.
pub(super) enum Token {
    /// So many bytes between fields.
    Structure(usize),
    /// So many bytes of a field, as they are.
    Text(usize),
    /// So many bytes of a field, that stand for these.
    Stands(usize, ([u8; 4], usize)),
    /// The field ends here.
    End,
}

impl Token {
    /// `length` bytes that stand for at most four others.
    pub(super) fn stands(length: usize, bytes: &[u8]) -> Token {
        let mut held = [0; 4];
        held[..bytes.len()].copy_from_slice(bytes);
        Token::Stands(length, (held, bytes.len()))
    }
}

/// Where an error stands that is found at the end of the input: where the field begins that does not end.
pub(super) const OPENED: usize = usize::MAX;

/// The next token; none where more has to be read for that, or at the end. An error stands so many bytes ahead, or is [`OPENED`].
pub(super) type Next = Result<Option<Token>, (usize, &'static str)>;

/// How a structure is read and written.
///
/// A token of text leaves the grammar as it was, so that less of it may be taken.
pub(super) trait Grammar {
    /// What `text` begins with; nothing follows it if it `is_last`. Whether a field `is_open`.
    fn next(&mut self, text: &[u8], is_last: bool, is_open: bool) -> Next;

    /// Why a field that says this, and has ended, is no text to be mended.
    fn refuses(&self, _says: &[u8]) -> Option<&'static str> {
        None
    }

    /// Where the field that is open, or ended last, stands.
    fn cell(&self) -> Option<Cell>;

    /// How `text` is written in the field that ended last, in place of `original`; none if it cannot be there.
    fn spell(&self, text: &str, original: &[u8]) -> Option<String>;
}

/// Counts lines up to places that only move forward.
#[derive(Default)]
pub(super) struct Lines {
    ended: u64,
    at: usize,
}

impl Lines {
    /// The line of a place in the buffer, from 1.
    pub(super) fn line(&mut self, buffer: &[u8], at: usize) -> u64 {
        if at > self.at {
            self.ended += memchr_iter(b'\n', &buffer[self.at..at]).count() as u64;
            self.at = at;
        }
        self.ended + 1
    }
}

/// What takes the fields.
pub(super) type Take<'a> = &'a mut dyn FnMut(&mut Lines, &dyn Grammar, &[u8], Field);

pub(super) struct Scan<R> {
    reader: R,
    grammar: Box<dyn Grammar + Send>,
    /// What was read, from `offset` on, and how much of it was cut into tokens.
    buffer: Vec<u8>,
    at: usize,
    pub(super) offset: u64,
    lines: Lines,
    /// The line of the last bytes that were no field.
    opened: u64,
    /// Nothing more is to be read.
    is_over: bool,
    /// And all of it was cut.
    is_done: bool,
    field: Option<Field>,
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
            lines,
            opened: 1,
            is_over: false,
            is_done: false,
            field,
        }
    }

    /// Cut what comes next into fields, and give each to `take`. How many bytes can be let go of then, of which the last ends a
    /// line where that can be; none at the end.
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
                    return Err(Misfit { line, what: "the input ends too early" }.into());
                }
                self.is_done = self.is_over;
                self.is_over = true;
            }
        }
    }

    /// Read more; whether there was.
    fn more(&mut self) -> Result<bool, Error> {
        Ok(!self.is_over && read_more(&mut self.reader, &mut self.buffer, READ)? > 0)
    }

    /// The bytes that can be let go of.
    pub(super) fn bytes(&self, ready: usize) -> &[u8] {
        &self.buffer[..ready]
    }

    /// Let go of so many bytes.
    pub(super) fn settle(&mut self, ready: usize) {
        if ready == 0 {
            return;
        }
        self.lines.line(&self.buffer, ready);
        self.lines.at -= ready;
        self.buffer.drain(..ready);
        self.offset += ready as u64;
        self.at -= ready;
        if let Some(field) = &mut self.field {
            field.shift(ready);
        }
    }

    /// Take the next token, if it is there.
    fn step(&mut self, take: Take<'_>) -> Result<bool, Error> {
        if self.offset == 0 && self.at == 0 {
            if self.buffer.len() < 3 && !self.is_over {
                return Ok(false);
            }
            // A byte order mark is no text.
            if self.buffer.starts_with(b"\xEF\xBB\xBF") {
                self.at = 3;
                return Ok(true);
            }
        }
        let at = self.at;
        let token = self.grammar.next(&self.buffer[at..], self.is_over, self.field.is_some());
        let token = token.map_err(|(ahead, what)| match ahead {
            OPENED => Misfit { line: self.opened, what },
            _ => Misfit { line: self.lines.line(&self.buffer, at + ahead), what },
        })?;
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
                field.range.len() >= LONGEST_FIELD
            }
            Some(Token::End) => true,
        };
        if is_whole && let Some(field) = self.field.take() {
            if let Some(what) = self.grammar.refuses(field.says(&self.buffer)) {
                return Err(Misfit { line: self.lines.line(&self.buffer, field.range.start), what }.into());
            }
            take(&mut self.lines, &*self.grammar, &self.buffer, field);
        }
        Ok(true)
    }
}
