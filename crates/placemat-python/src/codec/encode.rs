//! Encodes a str to bytes, with any error handler.
//!
//! The output of each call is complete, so that a file is whole whenever it is closed: `io.TextIOWrapper` never says which
//! call is its last. So each call closes its base64 run, and holds no surrogate back. The state keeps the last characters
//! written. The next call refuses a character that would be decoded differently behind them.

use core::ops::Range;

use placemat::{CodePoint, Form, Status, Transcoder};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::decode::generalised;
use super::handler::{Asked, Stuck, position};
use super::{AT_START, Codec, Room, units, unmarked};
use crate::buffer::detached;

/// The most characters before the next one on which any form's output depends.
const BACK: usize = 3;

pub(super) fn encode<'py>(
    codec: &Codec,
    form: Form,
    text: &Bound<'py, PyString>,
    errors: &str,
    state: u128,
) -> PyResult<(Bound<'py, PyBytes>, usize, u128)> {
    let (py, length) = (text.py(), text.len()?);
    let (source, from) = match units::utf8(text) {
        Some(source) => (source, Form::Utf8),
        None => (generalised(text)?, Form::Utf8Surrogates),
    };
    let source = source.as_bytes();
    if source.is_empty() {
        return Ok((PyBytes::new(py, b""), 0, state));
    }
    let before =
        unpack(state).ok_or_else(|| PyValueError::new_err(format!("{state} is no state of {form}")))?;
    let mut encoder = Encoder::new(codec, form, source, from, errors, before);
    if state == u128::from(AT_START) {
        let is_like_mark = source.starts_with(b"\xEF\xBB\xBF") || source.starts_with(b"\xEF\xBF\xBE");
        encoder.out.append(&codec.marks[usize::from(is_like_mark)]);
    }
    let mut asked = Asked::new(py, errors);
    loop {
        let failed = detached(py, source.len(), || encoder.advance());
        let Some(range) = failed else { break };
        encoder.ask(text, length, &mut asked, range)?;
    }
    let state = encoder.state();
    encoder.finish();
    Ok((PyBytes::new(py, encoder.out.text()), length, state))
}

struct Encoder<'a> {
    codec: &'a Codec,
    form: Form,
    /// The str as UTF-8, in which surrogates may be encoded like other code points, and the form that says whether they are.
    source: &'a [u8],
    from: Form,
    transcoder: Transcoder,
    /// The last characters that earlier calls wrote, if the next ones may be unable to follow them; and the last that this call
    /// wrote. At most [`BACK`] of each.
    before: Vec<u8>,
    since: Vec<u8>,
    /// Whether the surrogates of `surrogateescape` are reported apart from other surrogates.
    splits: bool,
    /// The number of bytes of `source` that are read.
    at: usize,
    /// A position in `source` as an index of bytes and of characters, to count from.
    known: (usize, usize),
    out: Room,
}

impl<'a> Encoder<'a> {
    fn new(
        codec: &'a Codec,
        form: Form,
        source: &'a [u8],
        from: Form,
        errors: &str,
        before: Vec<u8>,
    ) -> Encoder<'a> {
        Encoder {
            codec,
            form,
            splits: errors == "surrogateescape",
            source,
            from,
            transcoder: Transcoder::new(from, form).from_middle(),
            before,
            since: Vec::new(),
            at: 0,
            known: (0, 0),
            out: Room::for_source(source.len() * codec.unit),
        }
    }

    /// Converts up to the next character that the form cannot encode, and returns its place; `None` at the end.
    fn advance(&mut self) -> Option<Range<usize>> {
        let source = self.source;
        while self.at < source.len() {
            let start = self.at;
            match self.step(&source[start..]) {
                Ok(read) => self.at += read,
                Err(refused) => {
                    self.at += refused.end;
                    return Some(self.run_from(start + refused.start));
                }
            }
        }
        None
    }

    /// Converts a part of `text`. Returns the number of bytes read, or the place of a character that is refused.
    fn step(&mut self, text: &[u8]) -> Result<usize, Range<usize>> {
        // Characters that may combine with those of the earlier calls are written one by one.
        let is_near = !self.before.is_empty() && starts(&self.since).count() < BACK;
        let text = if is_near { &text[..char_end(text, 0)] } else { text };
        if is_near && !self.may_follow(text) {
            return Err(0..text.len());
        }
        let step = self.transcoder.push(text, self.out.rest());
        self.out.written += step.written;
        let mut written = step.read;
        match step.status {
            Status::Done | Status::NeedInput => {}
            Status::NeedOutput => self.out.grow(text.len() - step.read),
            Status::Failed(error) => written -= usize::from(error.length()),
        }
        self.since.extend_from_slice(last(&text[..written]));
        self.since.drain(..self.since.len() - last(&self.since).len());
        if is_near && self.is_settled() {
            self.before.clear();
        }
        if written < step.read { Err(written..step.read) } else { Ok(step.read) }
    }

    /// The refused character at byte `start`. If the form can never encode it, with all such characters behind it, as in CPython.
    fn run_from(&self, start: usize) -> Range<usize> {
        let mut end = char_end(self.source, start);
        let code_point = |at: usize| {
            let first = placemat::sequences(Form::Utf8Surrogates, &self.source[at..]).next()?;
            first.code_point().ok().filter(|&c| !self.form.carries(c))
        };
        // A range does not mix surrogates that `surrogateescape` can encode with others, for which it would fail.
        let is_escape = |c: CodePoint| self.splits && matches!(c.value(), 0xDC80..=0xDCFF);
        // One by one where units are wider than bytes, as in CPython, so that the bytes of several replacements never make up a unit.
        let is_wide = self.codec.unit > 1;
        if let Some(first) = code_point(start).filter(|_| !is_wide) {
            while end < self.source.len() && code_point(end).is_some_and(|c| is_escape(c) == is_escape(first))
            {
                end = char_end(self.source, end);
            }
        }
        start..end
    }

    /// Writes what the transcoder still holds back, such as the end of a base64 run.
    fn finish(&mut self) {
        while !self.transcoder.is_flushed() {
            let step = self.transcoder.finish(self.out.rest());
            self.out.written += step.written;
            match step.status {
                Status::NeedOutput => self.out.grow(0),
                _ => return,
            }
        }
    }

    /// Calls Python's error handler for the characters at `range`, writes the replacement, and continues at the returned position.
    fn ask<'py>(
        &mut self,
        text: &Bound<'py, PyString>,
        length: usize,
        asked: &mut Asked<'_, 'py>,
        range: Range<usize>,
    ) -> PyResult<()> {
        let (start, end) = (self.char_at(range.start), self.char_at(range.end));
        let encoding = unmarked(self.form).name();
        let stuck = Stuck { encoding, start, end, reason: "the form cannot encode it here" };
        let (with, at) = asked.decide(text, &stuck)?;
        let at = position(at, length)?;
        let is_written = match with.cast::<PyString>() {
            Ok(with) => self.write(with)?,
            Err(_) => self.write_bytes(with.cast::<PyBytes>()?.as_bytes()),
        };
        if !is_written {
            return Err(PyErr::from_value(asked.exception(text, &stuck)?));
        }
        self.at = self.byte_at(at);
        Ok(())
    }

    /// Writes a replacement; `false` if the form cannot encode that either.
    fn write(&mut self, with: &Bound<'_, PyString>) -> PyResult<bool> {
        let owned;
        let mut rest = match with.to_str() {
            Ok(with) => with.as_bytes(),
            Err(_) if self.from == Form::Utf8 => return Ok(false),
            Err(_) => {
                owned = generalised(with)?;
                owned.as_bytes()
            }
        };
        while !rest.is_empty() {
            let Ok(read) = self.step(rest) else { return Ok(false) };
            rest = &rest[read..];
        }
        Ok(true)
    }

    /// Appends bytes to the output as they are; `false` if they are not whole units.
    fn write_bytes(&mut self, with: &[u8]) -> bool {
        if !with.is_empty() && with.len().is_multiple_of(self.codec.unit) {
            self.finish();
            self.out.append(with);
            self.before.clear();
            self.since.clear();
        }
        with.len().is_multiple_of(self.codec.unit)
    }

    /// The index of the character that starts at byte `at`.
    fn char_at(&mut self, at: usize) -> usize {
        if at < self.known.0 {
            self.known = (0, 0);
        }
        let (byte, index) = self.known;
        let index = index + self.source[byte..at].iter().filter(|byte| !is_tail(byte)).count();
        self.known = (at, index);
        index
    }

    /// The byte at which the character with this index starts.
    fn byte_at(&mut self, index: usize) -> usize {
        if index < self.known.1 {
            self.known = (0, 0);
        }
        while self.known.1 < index {
            self.known = (char_end(self.source, self.known.0), self.known.1 + 1);
        }
        self.known.0
    }

    /// The state: the last characters, packed into a number, or 0 if nothing that follows depends on them.
    fn state(&self) -> u128 {
        if self.before.is_empty() && self.transcoder.is_flushed() || self.is_settled() {
            return 0;
        }
        let text = [&*self.before, &*self.since].concat();
        placemat::sequences(Form::Utf8Surrogates, last(&text))
            .filter_map(|sequence| sequence.code_point().ok())
            .fold(0, |state, c| state << 21 | u128::from(c.value() + 1))
            << 4
            | u128::from(BEHIND)
    }

    /// Whether nothing that follows depends on the last characters.
    fn is_settled(&self) -> bool {
        let text = [&*self.before, &*self.since].concat();
        let mut writer = Transcoder::new(Form::Utf8Surrogates, self.form).from_middle();
        let _ = writer.push(last(&text), &mut [0; 8 * Transcoder::MIN_OUTPUT]);
        writer.is_flushed()
    }

    /// Whether this character, behind the output of earlier calls and of this one, is decoded as the character that it is.
    fn may_follow(&self, character: &[u8]) -> bool {
        let alone = |text: &[u8]| {
            placemat::convert_with(Transcoder::new(Form::Utf8Surrogates, self.form).from_middle(), text)
        };
        let since = [&*self.since, character].concat();
        // If the form itself refuses the text, the transcoder will report that.
        let (Ok(first), Ok(second)) = (alone(&self.before), alone(&since)) else { return true };
        let apart = [first, second].concat();
        match alone(&[&*self.before, &*since].concat()) {
            Ok(together) if together == apart => true,
            Ok(_) => placemat::errors(self.form, &apart).next().is_none(),
            Err(_) => false,
        }
    }
}

/// The low bits of a state that holds characters; they differ from [`AT_START`].
const BEHIND: u32 = 1;

/// The characters in a state, which holds each as its code point plus one.
fn unpack(state: u128) -> Option<Vec<u8>> {
    if state == 0 || state == u128::from(AT_START) {
        return Some(Vec::new());
    }
    let packed = state >> 4;
    if state & 0xF != u128::from(BEHIND) || packed >> (21 * BACK) != 0 {
        return None;
    }
    let units: Vec<u8> = (0..BACK)
        .rev()
        .map(|at| (packed >> (21 * at)) as u32 & 0x1F_FFFF)
        .filter_map(|c| c.checked_sub(1))
        .flat_map(u32::to_le_bytes)
        .collect();
    placemat::convert(Form::Ucs4Le, Form::Utf8Surrogates, &units).ok()
}

/// The end of the character that starts at byte `at`.
fn char_end(text: &[u8], at: usize) -> usize {
    at + 1 + text[at + 1..].iter().take_while(is_tail).count()
}

/// The starts of the characters, from the last one back.
fn starts(text: &[u8]) -> impl Iterator<Item = usize> {
    text.iter().enumerate().rev().filter(|(_, byte)| !is_tail(byte)).map(|(at, _)| at)
}

/// The last [`BACK`] characters, or all of them.
fn last(text: &[u8]) -> &[u8] {
    &text[starts(text).take(BACK).last().unwrap_or(0)..]
}

fn is_tail(byte: &&u8) -> bool {
    (0x80..0xC0).contains(*byte)
}
