//! The part of a stream that is in memory while its errors are searched.

use std::io::{self, Read};
use std::ops::Range;

use placemat::{Error, Form, bom};

use super::CONTEXT;
use crate::charset::guess::other_form;
use crate::io::{HEAD, read_some, unfinished};

/// The part of the input that is in memory.
pub(super) struct Window {
    pub(super) bytes: Vec<u8>,
    pub(super) filled: usize,
    /// The number of bytes that were read for errors.
    pub(super) done: usize,
    /// The offset of the first byte from the start of the input.
    pub(super) offset: u64,
    pub(super) at_end: bool,
    /// Whether a byte order mark decides how the input is read.
    heeds_marks: bool,
    /// Whether the last byte is a line feed that ends what can be searched.
    ends_line: bool,
}

impl Window {
    pub(super) fn new(block: usize, heeds_marks: bool) -> Window {
        Window {
            heeds_marks,
            bytes: vec![0; 2 * CONTEXT + block],
            filled: 0,
            done: 0,
            offset: 0,
            at_end: false,
            ends_line: false,
        }
    }

    /// Reads until some bytes have their context, or the input ends. In UTF-8 the context of an error ends at a line feed, so
    /// slow input is searched line by line. After a byte order mark of UTF-16 or UTF-32, so much is read that the text may contradict it.
    pub(super) fn fill(&mut self, input: &mut dyn Read, is_utf8: bool) -> io::Result<()> {
        loop {
            let read = read_some(input, &mut self.bytes[self.filled..])?;
            self.filled += read;
            self.at_end = read == 0;
            self.ends_line = is_utf8 && self.bytes[..self.filled].last() == Some(&b'\n');
            let is_enough = self.ends_line || self.filled > self.done + CONTEXT;
            if self.at_end || is_enough && !self.awaits_text() {
                return Ok(());
            }
        }
    }

    /// The end of what can be searched. If reading failed, a sequence that may continue is not an error.
    pub(super) fn ready(&self, is_utf8: bool, is_broken: bool) -> usize {
        if self.at_end {
            return self.filled;
        }
        let end = if is_broken || self.ends_line { self.filled } else { self.filled - CONTEXT };
        end - if is_utf8 { unfinished(&self.bytes[self.done..end]) } else { 0 }
    }

    /// Drops what was searched, except its context.
    pub(super) fn slide(&mut self) {
        let start = self.done.saturating_sub(CONTEXT);
        self.bytes.copy_within(start..self.filled, 0);
        self.offset += start as u64;
        self.filled -= start;
        self.done -= start;
    }

    /// The bytes of an error. It may start in the previous window, of which the context is kept.
    pub(super) fn range_of(&self, error: Error) -> Range<usize> {
        let start = error.offset().saturating_sub(self.offset) as usize;
        let end = self.filled.min(start + usize::from(error.length()));
        start.min(end)..end
    }

    /// Whether this is the start of the input, with a byte order mark of UTF-16 or UTF-32 and too little text after it.
    fn awaits_text(&self) -> bool {
        let is_start =
            self.offset == 0 && self.done == 0 && self.filled < self.bytes.len().min(HEAD as usize);
        self.heeds_marks
            && is_start
            && bom::sniff(&self.bytes[..self.filled]).is_some_and(|(form, _)| form != Form::Utf8)
    }

    /// The form that a byte order mark of UTF-16 or UTF-32 announces.
    pub(super) fn announced(&self) -> Option<(Form, usize)> {
        other_form(&self.bytes[..self.filled])
    }
}
