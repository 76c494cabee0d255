//! Two walks from a checkpoint: over the sequences of the source, and over the code points of the text.

#![forbid(unsafe_code)]

use super::Place;
use crate::code_point::CodePoint;
use crate::policy::Handler;
use crate::sequences::Sequences;
use crate::transcode::{Status, Transcoder};

/// One step of a walk: a sequence, or a code point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) before: Place,
    pub(super) after: Place,
}

/// A walk over the sequences of the source that can go on from where the last search ended.
#[derive(Clone, Debug)]
pub(super) struct Pause<'a> {
    walk: SourceWalk<'a>,
    /// The step that was searched for.
    found: Step,
    /// The number of the checkpoint at which the walk began.
    number: usize,
}

impl<'a> Pause<'a> {
    /// The walk and its last step, if it began at this checkpoint and what is searched for now is not before that step.
    pub(super) fn resume(
        self,
        number: usize,
        is_not_past: impl Fn(&Place) -> bool,
    ) -> Option<(SourceWalk<'a>, Step)> {
        (self.number == number && is_not_past(&self.found.before)).then_some((self.walk, self.found))
    }
}

/// A walk over the sequences of the source. It assumes that each becomes its own character, or U+FFFD.
#[derive(Clone, Debug)]
pub(super) struct SourceWalk<'a> {
    sequences: Sequences<'a>,
    place: Place,
    /// Length of the source in bytes.
    len: usize,
    /// Whether the first sequence may be a byte order mark. Forms with their own mark have read it already.
    heeds_mark: bool,
    /// Whether there were errors so far.
    errors: bool,
    /// Whether there were code points so far that UTF-8 cannot hold.
    surrogates: bool,
}

impl<'a> SourceWalk<'a> {
    pub(super) fn new(
        sequences: Sequences<'a>,
        len: usize,
        place: Place,
        heeds_mark: bool,
    ) -> SourceWalk<'a> {
        SourceWalk { sequences, place, len, heeds_mark, errors: false, surrogates: false }
    }

    /// The place of the first step for which `is_it` is true, or the end.
    pub(super) fn find_place(&mut self, is_it: impl Fn(&Step) -> bool) -> Place {
        self.find(is_it).map_or(self.place, |step| step.before)
    }

    /// The place of the first step for which `is_it` is true, `last` being the step before, or the end. Also the pause after that step.
    pub(super) fn pause_at(
        mut self,
        number: usize,
        last: Option<Step>,
        is_it: impl Fn(&Step) -> bool,
    ) -> (Place, Option<Pause<'a>>) {
        match last.filter(&is_it).or_else(|| self.find(is_it)) {
            Some(found) => (found.before, Some(Pause { walk: self, found, number })),
            None => (self.place, None),
        }
    }

    /// The code point of the sequence that starts at byte `source`.
    pub(super) fn read(mut self, source: usize) -> Option<CodePoint> {
        let sequence = self.sequences.find(|sequence| sequence.range().start >= source)?;
        sequence.code_point().ok().filter(|_| sequence.range().start == source)
    }

    /// Whether every sequence so far became its own character, or U+FFFD, as this walk assumes.
    pub(super) fn is_plain(&self, replaces: bool, replaces_surrogates: bool) -> bool {
        (replaces_surrogates || !self.surrogates) && (replaces || !self.errors)
    }
}

impl Iterator for SourceWalk<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        let Some(sequence) = self.sequences.next() else {
            self.place.source = self.len;
            return None;
        };
        let range = sequence.range();
        let before = Place { source: range.start, ..self.place };
        let code_point = sequence.code_point();
        let c = code_point.unwrap_or(CodePoint::REPLACEMENT);
        self.errors |= code_point.is_err();
        self.surrogates |= c.to_char().is_none();
        let c_or_replaced = c.to_char().unwrap_or(char::REPLACEMENT_CHARACTER);
        self.place.source = range.end;
        self.place.text += c_or_replaced.len_utf8();
        self.place.utf16 += c_or_replaced.len_utf16();
        self.place.code_point += 1;
        self.place.utf16_column += c_or_replaced.len_utf16();
        match c.value() {
            0x0A => {
                (self.place.line, self.place.column, self.place.utf16_column) = (self.place.line + 1, 1, 0);
            }
            0xFEFF if self.heeds_mark && before.code_point == 0 => {}
            _ => self.place.column += 1,
        }
        Some(Step { before, after: self.place })
    }
}

/// A walk over the code points that a transcoder writes. Lines and columns of its places are those of the text, not of the
/// source.
pub(super) struct TextWalk<'a, H> {
    transcoder: Transcoder<H>,
    bytes: &'a [u8],
    fed: usize,
    place: Place,
    /// The next checkpoint. It is reached when all of the source before it is written.
    end: Option<Place>,
}

impl<'a, H: Handler> TextWalk<'a, H> {
    pub(super) fn new(
        transcoder: Transcoder<H>,
        bytes: &'a [u8],
        fed: usize,
        place: Place,
        end: Option<Place>,
    ) -> TextWalk<'a, H> {
        TextWalk { transcoder, bytes, fed, place, end }
    }

    /// The place of the first step for which `is_it` is true, or the end.
    pub(super) fn find_place(&mut self, is_it: impl Fn(&Step) -> bool) -> Place {
        self.find(is_it).map_or(self.place, |step| step.before)
    }

    /// Convert until something is written, and return the number of bytes.
    ///
    /// # Errors
    /// Why nothing was written: `room` is too small, or the text has ended.
    fn write(&mut self, room: &mut [u8]) -> Result<usize, Status> {
        /// Few bytes at a time, so that little is converted beyond the place that is searched for.
        const CHUNK: usize = 64;

        loop {
            let rest = &self.bytes[self.fed..];
            let step = match rest {
                [] => self.transcoder.finish(room),
                _ => self.transcoder.push(&rest[..rest.len().min(CHUNK)], room),
            };
            self.fed += step.read;
            match step.status {
                _ if step.written > 0 => return Ok(step.written),
                Status::NeedOutput | Status::Done => return Err(step.status),
                Status::NeedInput | Status::Failed(_) => {}
            }
        }
    }
}

impl<H: Handler> Iterator for TextWalk<'_, H> {
    type Item = Step;

    /// Finds one code point by trying 0 to 4 bytes of room: it takes the first size into which it fits. With 0 bytes, the
    /// transcoder stops at its start.
    fn next(&mut self) -> Option<Step> {
        if let Some(end) = self.end.filter(|end| end.text == self.place.text) {
            self.place = end;
            return None;
        }
        let mut room = [0; 4];
        for size in 0..=room.len() {
            match self.write(&mut room[..size]) {
                Ok(len) => {
                    let before = self.place;
                    self.place.text += len;
                    // Four bytes of UTF-8 are a surrogate pair in UTF-16.
                    self.place.utf16 += 1 + len / 4;
                    self.place.utf16_column += 1 + len / 4;
                    self.place.code_point += 1;
                    if room[0] == b'\n' {
                        (self.place.line, self.place.utf16_column) = (self.place.line + 1, 0);
                    }
                    return Some(Step { before, after: self.place });
                }
                Err(Status::NeedOutput) => self.place.source = self.transcoder.pending_offset() as usize,
                Err(_) => break,
            }
        }
        self.place.source = self.bytes.len();
        None
    }
}
