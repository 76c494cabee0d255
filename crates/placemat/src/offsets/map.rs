//! The checkpoints of a source, and the search for a place from the nearest checkpoint.

#![forbid(unsafe_code)]

use alloc::vec::Vec;

use super::Place;
use super::walk::{Pause, SourceWalk, Step, TextWalk};
use crate::code_point::CodePoint;
use crate::form::is_continuation;
use crate::policy::{Fixed, Handler};
use crate::sequences::sequences;
use crate::transcode::{Status, Transcoder};

/// What [`Offsets`](super::Offsets) and [`Index`](super::Index) share.
#[derive(Clone, Debug)]
pub(super) struct Map<H> {
    /// Ascending in every measure; the first is the start.
    pub(super) checkpoints: Vec<Checkpoint<H>>,
    /// Whether the block of the last checkpoint is the last block of the source.
    pub(super) complete: bool,
    /// Whether each code point that the source form can hold is written, or is replaced by U+FFFD if UTF-8 lacks it.
    is_writable: bool,
}

/// A boundary of the source, and the block that follows it.
#[derive(Clone, Debug)]
pub(super) struct Checkpoint<H> {
    pub(super) place: Place,
    transcoder: Transcoder<H>,
    /// Bytes of the source that the transcoder has been given. It may have used a few less.
    fed: usize,
    /// Whether in this block each sequence becomes its own character, or U+FFFD, and nothing else is written.
    plain: bool,
}

/// Bytes of source between two checkpoints.
const BLOCK: usize = 4096;

/// Whether the place that is searched for is counted in the source or in the text.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Source,
    Text,
}

impl<H: Handler + Clone> Map<H> {
    /// `is_lossy`: the transcoder has [`Policy::Lossy`](crate::Policy::Lossy).
    pub(super) fn start(mut transcoder: Transcoder<H>, is_lossy: bool) -> Map<H> {
        transcoder.reset();
        let from = transcoder.forms().0;
        let first = Checkpoint { place: Place::START, transcoder, fed: 0, plain: false };
        let is_writable =
            is_lossy || ![0xD800, 0xDC80, 0x11_0000].map(CodePoint::of).iter().any(|&c| from.carries(c));
        Map { checkpoints: Vec::from([first]), complete: false, is_writable }
    }

    /// The last place for which `is_not_past` is true, or the end if it is true there too, as far as the map is built.
    pub(super) fn find(&self, bytes: &[u8], side: Side, is_not_past: impl Fn(&Place) -> bool) -> Place {
        let number = self.number(&is_not_past);
        let is_it = |step: &Step| !is_not_past(&step.after);
        let mut source = self.source_walk(bytes, number);
        if self.checkpoints[number].plain {
            return source.find_place(is_it);
        }
        let mut text = self.text_walk(bytes, number);
        let (in_source, in_text) = match side {
            Side::Source => {
                let found = source.find_place(is_it);
                (found, text.find_place(|step| step.before.source >= found.source))
            }
            Side::Text => {
                let found = text.find_place(is_it);
                (source.find_place(|step| step.after.source > found.source), found)
            }
        };
        Place { line: in_source.line, column: in_source.column, source: in_source.source, ..in_text }
    }

    /// The number of the last checkpoint for which `is_not_past` is true.
    fn number(&self, is_not_past: impl Fn(&Place) -> bool) -> usize {
        self.checkpoints.partition_point(|checkpoint| is_not_past(&checkpoint.place)).saturating_sub(1)
    }

    /// Like [`Map::find`], but goes on from `last` if it can. Returns the next such pause too.
    pub(super) fn find_next<'a>(
        &self,
        bytes: &'a [u8],
        last: Option<Pause<'a>>,
        side: Side,
        is_not_past: impl Fn(&Place) -> bool,
    ) -> (Place, Option<Pause<'a>>) {
        let number = self.number(&is_not_past);
        if !self.checkpoints[number].plain {
            return (self.find(bytes, side, is_not_past), None);
        }
        let (walk, last) = match last.and_then(|last| last.resume(number, &is_not_past)) {
            Some((walk, last)) => (walk, Some(last)),
            None => (self.source_walk(bytes, number), None),
        };
        walk.pause_at(number, last, |step| !is_not_past(&step.after))
    }

    pub(super) fn source_walk<'a>(&self, bytes: &'a [u8], number: usize) -> SourceWalk<'a> {
        let Checkpoint { place, transcoder, .. } = &self.checkpoints[number];
        let sequences = match number {
            0 => sequences(transcoder.forms().0, bytes),
            _ => transcoder.sequences_ahead(bytes),
        };
        let heeds_mark = number == 0 && transcoder.forms().0.marked().is_none();
        SourceWalk::new(sequences, bytes.len(), *place, heeds_mark)
    }

    fn text_walk<'a>(&self, bytes: &'a [u8], number: usize) -> TextWalk<'a, H> {
        let Checkpoint { place, transcoder, fed, .. } = &self.checkpoints[number];
        let end = self.checkpoints.get(number + 1).map(|next| next.place);
        TextWalk::new(transcoder.clone(), bytes, *fed, *place, end)
    }

    /// Pass over the last checkpoint's block, and set a new checkpoint behind it unless the source ends there.
    pub(super) fn pass_block(&mut self, bytes: &[u8]) {
        let number = self.checkpoints.len() - 1;
        let Checkpoint { mut place, mut transcoder, mut fed, .. } = self.checkpoints[number].clone();
        let errors = transcoder.errors();
        let end = bytes.len().min(fed + BLOCK);
        let mut scratch = [0; 2 * BLOCK];
        self.complete = loop {
            let step = if fed < bytes.len() {
                transcoder.push(&bytes[fed..end], &mut scratch)
            } else {
                transcoder.finish(&mut scratch)
            };
            fed += step.read;
            place.pass_text(&scratch[..step.written]);
            match step.status {
                Status::Done => break true,
                Status::NeedInput if fed < bytes.len() => break false,
                Status::NeedInput | Status::NeedOutput | Status::Failed(_) => {}
            }
        };
        place.source = if self.complete { bytes.len() } else { transcoder.offset() as usize };
        let mut plain = true;
        let replaces = transcoder.fixed() == Some(Fixed::Replace);
        // If every error becomes one U+FFFD, lines and columns of the text are those of the source. At the start there may be a
        // byte order mark.
        if number == 0 || transcoder.errors() != errors && !(replaces && self.is_writable) {
            let mut walk = self.source_walk(bytes, number);
            let walked = walk.find_place(|step| step.before.source >= place.source);
            plain = walk.is_plain(replaces, self.is_writable)
                && (walked.text, walked.utf16) == (place.text, place.utf16);
            (place.line, place.column) = (walked.line, walked.column);
        }
        self.checkpoints[number].plain = plain;
        if !self.complete {
            self.checkpoints.push(Checkpoint { place, transcoder, fed, plain: false });
        }
    }
}

impl Place {
    /// Move behind `text`, in which lines and columns are those of the source.
    fn pass_text(&mut self, text: &[u8]) {
        let code_points = |text: &[u8]| text.iter().filter(|&&byte| !is_continuation(byte)).count();
        let count = code_points(text);
        self.text += text.len();
        let units = |text: &[u8]| code_points(text) + text.iter().filter(|&&byte| byte >= 0xF0).count();
        self.code_point += count;
        self.utf16 += units(text);
        match text.iter().rposition(|&byte| byte == b'\n') {
            Some(last) => {
                self.line += text.iter().filter(|&&byte| byte == b'\n').count();
                self.column = 1 + code_points(&text[last + 1..]);
                self.utf16_column = units(&text[last + 1..]);
            }
            None => {
                self.column += count;
                self.utf16_column += units(text);
            }
        }
    }
}
