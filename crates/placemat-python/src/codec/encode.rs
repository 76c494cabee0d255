//! str to bytes.
//!
//! What a call returns stands by itself, so that a file is whole whenever it is closed: `io.TextIOWrapper` never says which
//! call is its last. A run of base64 is therefore closed, a surrogate not held back. The state has the last characters then,
//! and the next call fails if its text, put behind them, would not be read as it was written.

use core::ops::Range;

use placemat::{CodePoint, Error, Form, Status, Transcoder};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use super::decode::generalised;
use super::handler::{Asked, Stuck, position};
use super::{AT_START, Codec, Room, unmarked};
use crate::buffer::detached;

/// No writer looks further back than this many characters.
const BACK: usize = 3;

pub(super) fn encode<'py>(
    codec: &Codec,
    form: Form,
    text: &Bound<'py, PyString>,
    errors: &str,
    state: u128,
) -> PyResult<(Bound<'py, PyBytes>, usize, u128)> {
    let (py, length) = (text.py(), text.len()?);
    let with_surrogates;
    let (source, from) = match text.to_str() {
        Ok(text) => (text.as_bytes(), Form::Utf8),
        Err(_) => {
            with_surrogates = generalised(text)?;
            (with_surrogates.as_bytes(), Form::Utf8Surrogates)
        }
    };
    if source.is_empty() {
        return Ok((PyBytes::new(py, b""), 0, state));
    }
    let mut encoder = Encoder::new(codec, form, source, from, errors);
    let mut before =
        unpack(state).ok_or_else(|| PyValueError::new_err(format!("{state} is no state of {}", form)))?;
    if state == u128::from(AT_START) && !codec.mark.is_empty() {
        encoder.out.append(&codec.mark);
        before.clear();
    }
    let mut asked = Asked::new(py, errors);
    if !before.is_empty() && !encoder.may_follow(&before) {
        let end = encoder.char_end(0);
        encoder.at = end;
        encoder.ask(text, length, &mut asked, 0..end)?;
    }
    loop {
        let failed = detached(py, source.len(), || encoder.advance());
        let Some(range) = failed else { break };
        encoder.ask(text, length, &mut asked, range)?;
    }
    let state = if encoder.transcoder.is_at_rest() && before.is_empty() { 0 } else { encoder.state(before) };
    encoder.finish();
    Ok((PyBytes::new(py, encoder.out.text()), length, state))
}

struct Encoder<'a> {
    codec: &'a Codec,
    form: Form,
    /// The str as UTF-8, in which surrogates may stand by value, and the form that says whether they do.
    source: &'a [u8],
    from: Form,
    transcoder: Transcoder,
    /// Whether escapes are reported apart from other surrogates.
    splits: bool,
    /// How much of it is read.
    at: usize,
    /// A place in it as a byte and as a character, to count from.
    known: (usize, usize),
    out: Room,
}

impl<'a> Encoder<'a> {
    fn new(codec: &'a Codec, form: Form, source: &'a [u8], from: Form, errors: &str) -> Encoder<'a> {
        let transcoder = Transcoder::new(from, form).midway();
        let out = Room::for_source(source.len() * codec.unit);
        Encoder {
            codec,
            form,
            splits: errors == "surrogateescape",
            source,
            from,
            transcoder,
            at: 0,
            known: (0, 0),
            out,
        }
    }

    /// Convert up to the next character that the form cannot carry, and say where it stands; `None` at the end.
    fn advance(&mut self) -> Option<Range<usize>> {
        while self.at < self.source.len() {
            let step = self.transcoder.push(&self.source[self.at..], self.out.rest());
            self.at += step.read;
            self.out.written += step.written;
            match step.status {
                Status::Done | Status::NeedInput => {}
                Status::NeedOutput => self.out.grow(self.source.len() - self.at),
                Status::Failed(error) => return Some(self.run_from(self.at - usize::from(error.length()))),
            }
        }
        None
    }

    /// The character at byte `start`, which was refused; if the form never carries it, with all such behind it, as CPython has it.
    fn run_from(&self, start: usize) -> Range<usize> {
        let mut end = self.char_end(start);
        let code_point = |at: usize| {
            let first = placemat::sequences(Form::Utf8Surrogates, &self.source[at..]).next()?;
            first.code_point().ok().filter(|&c| !self.form.carries(c))
        };
        // What `surrogateescape` can handle it shall not be denied because of what stands beside it.
        let is_escape = |c: CodePoint| self.splits && matches!(c.value(), 0xDC80..=0xDCFF);
        if let Some(first) = code_point(start) {
            while end < self.source.len() && code_point(end).is_some_and(|c| is_escape(c) == is_escape(first))
            {
                end = self.char_end(end);
            }
        }
        start..end
    }

    /// The writer's last words.
    fn finish(&mut self) {
        while !self.transcoder.is_at_rest() {
            let step = self.transcoder.finish(self.out.rest());
            self.out.written += step.written;
            match step.status {
                Status::NeedOutput => self.out.grow(0),
                _ => return,
            }
        }
    }

    /// Let Python's handler say what stands for the character at `range`, and go on where it says.
    fn ask<'py>(
        &mut self,
        text: &Bound<'py, PyString>,
        length: usize,
        asked: &mut Asked<'_, 'py>,
        range: Range<usize>,
    ) -> PyResult<()> {
        let (start, end) = (self.char_at(range.start), self.char_at(range.end));
        let encoding = unmarked(self.form).name();
        let stuck = Stuck { encoding, start, end, reason: "the form cannot carry it here" };
        let (with, at) = asked.decide(text, &stuck)?;
        let at = position(at, length)?;
        let refused = match with.cast::<PyString>() {
            Ok(with) => self.write(with)?.is_err(),
            Err(_) => !self.write_bytes(with.cast::<PyBytes>()?.as_bytes()),
        };
        if refused {
            return Err(PyErr::from_value(asked.exception(text, &stuck)?));
        }
        self.at = self.byte_at(at);
        Ok(())
    }

    /// Write a stand-in; an error if the form cannot carry that either.
    fn write(&mut self, with: &Bound<'_, PyString>) -> PyResult<Result<(), Error>> {
        let owned;
        let mut rest = match with.to_str() {
            Ok(with) => with.as_bytes(),
            Err(_) if self.from == Form::Utf8 => {
                return Ok(Err(Error::new(placemat::ErrorKind::Surrogate, 0, 3)));
            }
            Err(_) => {
                owned = generalised(with)?;
                owned.as_bytes()
            }
        };
        while !rest.is_empty() {
            let step = self.transcoder.push(rest, self.out.rest());
            self.out.written += step.written;
            rest = &rest[step.read..];
            match step.status {
                Status::NeedOutput => self.out.grow(rest.len()),
                Status::Failed(error) => return Ok(Err(error)),
                Status::Done | Status::NeedInput => {}
            }
        }
        Ok(Ok(()))
    }

    /// Put bytes in the output as they are, if they are whole units.
    fn write_bytes(&mut self, with: &[u8]) -> bool {
        if !with.len().is_multiple_of(self.codec.unit) {
            return false;
        }
        self.finish();
        self.out.append(with);
        true
    }

    /// Where the character that starts at byte `at` ends.
    fn char_end(&self, at: usize) -> usize {
        let tails = self.source[at + 1..].iter().take_while(is_tail).count();
        at + 1 + tails
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

    /// The byte at which the character of that index starts.
    fn byte_at(&mut self, index: usize) -> usize {
        if index < self.known.1 {
            self.known = (0, 0);
        }
        while self.known.1 < index {
            self.known = (self.char_end(self.known.0), self.known.1 + 1);
        }
        self.known.0
    }

    /// The last characters, packed into a number, if what comes next depends on them.
    fn state(&self, before: Vec<u8>) -> u128 {
        let text = [before, self.source.to_vec()].concat();
        let starts = text.iter().enumerate().rev().filter(|(_, byte)| !is_tail(byte));
        let tail = &text[starts.map(|(at, _)| at).take(BACK).last().unwrap_or(0)..];
        let mut writer = Transcoder::new(Form::Utf8Surrogates, self.form).midway();
        let _ = writer.push(tail, &mut [0; 8 * Transcoder::MIN_OUTPUT]);
        if writer.is_at_rest() {
            return 0;
        }
        placemat::sequences(Form::Utf8Surrogates, tail)
            .filter_map(|sequence| sequence.code_point().ok())
            .fold(0, |state, c| state << 21 | u128::from(c.value()))
            << 4
            | u128::from(BEHIND)
    }

    /// Whether the text can be put behind `before`, which was written by itself: it would be read as it was written.
    fn may_follow(&self, before: &[u8]) -> bool {
        let head = self.source.iter().enumerate().filter(|(_, byte)| !is_tail(byte)).nth(BACK);
        let head = &self.source[..head.map_or(self.source.len(), |(at, _)| at)];
        let alone = |text: &[u8]| {
            placemat::convert_with(Transcoder::new(Form::Utf8Surrogates, self.form).midway(), text)
        };
        let (Ok(first), Ok(second)) = (alone(before), alone(head)) else { return true };
        let apart = [first, second].concat();
        match alone(&[before, head].concat()) {
            Ok(together) if together == apart => true,
            Ok(_) => placemat::errors(self.form, &apart).next().is_none(),
            Err(_) => false,
        }
    }
}

/// The mark of a state that has characters, told apart from [`AT_START`].
const BEHIND: u32 = 1;

/// The characters in a state.
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
        .skip_while(|&c| c == 0)
        .flat_map(u32::to_le_bytes)
        .collect();
    placemat::convert(Form::Ucs4Le, Form::Utf8Surrogates, &units).ok()
}

fn is_tail(byte: &&u8) -> bool {
    (0x80..0xC0).contains(*byte)
}
