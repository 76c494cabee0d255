//! The legacy reader of a conversion, which also finds the source position of an error in its text.

use placemat::{CodePoint, Error};

use super::watch::Watch;
use super::{Input, Settings, Stopped};
use crate::charset::{Charset, LegacyReader, Malformed, Sequences, Tail};

/// A legacy reader, with what is needed to map a position in its text to one in the source.
pub(crate) struct Reader {
    pub(crate) reader: LegacyReader<Watch>,
    /// The same reader, some bytes behind; present only if the target may refuse a character.
    shadow: Option<Sequences<Watch>>,
    tail: Tail,
    /// The number of bytes of text that the shadow has read.
    base: u64,
    pub(crate) text: Vec<u8>,
}

impl Reader {
    pub(crate) fn new(from: Charset, settings: &Settings) -> Option<Reader> {
        let Charset::Legacy(legacy) = from else { return None };
        let watch = Watch::new(settings.policy, Some(settings.to));
        let may_refuse = !settings.to.carries(CodePoint::from('\u{10FFFF}'));
        let shadow = may_refuse.then(|| Sequences::new(legacy, watch.clone()));
        let reader = LegacyReader::new(legacy, watch);
        Some(Reader { reader, shadow, tail: Tail::default(), base: 0, text: Vec::new() })
    }

    /// Decodes one piece to `text`.
    pub(crate) fn read(&mut self, input: Input<'_>) -> Result<(), Malformed> {
        self.text.clear();
        match input {
            Input::Bytes(piece) => self.reader.push(piece, &mut self.text),
            Input::PartEnd | Input::End => self.reader.finish(&mut self.text),
        }
    }

    /// Ends the work on a piece.
    pub(crate) fn advance(&mut self, input: Input<'_>) {
        let Reader { shadow: Some(shadow), tail, base, .. } = self else { return };
        tail.push(input.bytes(), |bytes| shadow.pass(bytes, |text| *base += text.len() as u64));
    }

    /// Maps the position of an error from the text to the source, by letting the shadow read the bytes that it has
    /// not read yet.
    pub(crate) fn trace(&mut self, input: Input<'_>, stopped: &mut Stopped) {
        let Some(shadow) = &mut self.shadow else { return };
        let (bytes, first) = ([self.tail.bytes(), input.bytes()].concat(), shadow.offset());
        let (mut at, mut range) = (self.base, None);
        for byte in bytes.iter().copied().map(Some).chain([None]) {
            shadow.read(byte, |sequence| {
                at += sequence.text.len() as u64;
                if at > stopped.error.offset() {
                    range.get_or_insert(sequence.range);
                }
            });
            if let Some(range) = range {
                let length = (range.end - range.start).min(255) as u8;
                stopped.error = Error::new(stopped.error.kind(), range.start, length);
                let within = range.start.saturating_sub(first) as usize..(range.end - first) as usize;
                stopped.bytes = bytes[within].to_vec();
                return;
            }
        }
    }
}
