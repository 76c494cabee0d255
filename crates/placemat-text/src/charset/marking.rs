//! Yields the errors of an input in a legacy encoding, and the text between them.

use placemat::{CodePoint, Decision, Error, Fault, Handler, Text};

use super::{Legacy, LegacyReader};

/// The place of an error in the decoded text: a surrogate, which no legacy encoding has.
const STAND_IN: [u8; 3] = [0xED, 0xB2, 0x80];

/// Skips errors and records each.
#[derive(Default)]
struct Marking(Vec<Error>);

impl Handler for Marking {
    fn decide(&mut self, fault: &Fault<'_>, text: &mut Text) -> Decision {
        self.0.push(fault.error);
        // The text is empty, so there is room.
        if let Some(c) = CodePoint::new(0xDC80) {
            let _ = text.push(c);
        }
        Decision::Resume
    }
}

/// A piece of the input.
pub(crate) enum Part<'a> {
    /// Text in UTF-8.
    Text(&'a [u8]),
    /// A malformed sequence, with offsets in the input.
    Error(Error),
}

/// Reads a legacy encoding to its end and does not stop at errors.
pub(crate) struct ErrorReader {
    reader: LegacyReader<Marking>,
    text: Vec<u8>,
}

impl ErrorReader {
    pub(crate) fn new(legacy: Legacy) -> ErrorReader {
        ErrorReader { reader: LegacyReader::new(legacy, Marking::default()), text: Vec::new() }
    }

    /// Reads the next bytes (none: the end of the input), and returns text and errors in order.
    pub(crate) fn read(&mut self, bytes: &[u8]) -> impl Iterator<Item = Part<'_>> {
        self.text.clear();
        // A `Marking` never stops.
        let _ = match bytes.is_empty() {
            true => self.reader.finish(&mut self.text),
            false => self.reader.push(bytes, &mut self.text),
        };
        let mut errors = std::mem::take(&mut self.reader.handler().0).into_iter();
        let mut rest = &self.text[..];
        std::iter::from_fn(move || {
            if let Some(after) = rest.strip_prefix(&STAND_IN) {
                rest = after;
                return errors.next().map(Part::Error);
            }
            let end = memchr::memmem::find(rest, &STAND_IN).unwrap_or(rest.len());
            let (text, after) = rest.split_at(end);
            rest = after;
            (!text.is_empty()).then_some(Part::Text(text))
        })
    }
}
