//! The legacy reader of a conversion, which also finds the source position of an error in its text.

use placemat::{CodePoint, Error, StandIn};

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
        // What a target lacks is above some limit, or, in text with the Hangul of Unicode 1.1, where that has its Hangul. Escapes of bytes
        // are refused where they would forge a character.
        let lacks = |c| !settings.to.carries(CodePoint::from(c));
        let may_refuse =
            lacks('\u{10FFFF}') || lacks('\u{3400}') || settings.policy.stand_in == StandIn::SurrogateEscape;
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

#[cfg(test)]
mod tests {
    use placemat::label::Labels;
    use placemat::{Bom, Policy};

    use super::*;
    use crate::convert::{Halt, Pipeline};

    #[test]
    fn an_error_is_where_its_bytes_are_in_the_source() {
        let named = |name| Charset::resolve(Labels::Lenient, name).unwrap();
        for (from, to, policy, source, offset, bytes) in [
            ("euc-kr", "unicode-1-1-utf-8", Policy::Stop, &b"\xA1\xA1\xBE\x90a"[..], 2, &b"\xBE\x90"[..]),
            (
                "gb18030",
                "unicode-1-1-utf-8/lenient",
                Policy::Stop,
                b"\xA1\xA1\x81\x39\xEE\x39",
                2,
                b"\x81\x39\xEE\x39",
            ),
            ("iso-8859-6", "utf-8b", Policy::SurrogateEscape, b"\xC7\xDF\xA1", 2, b"\xA1"),
        ] {
            let settings = Settings { to: named(to), policy, bom: Bom::Keep };
            let (mut pipeline, mut out) = (Pipeline::new(named(from), settings), Vec::new());
            let done = pipeline.push(source, &mut out).and_then(|()| pipeline.finish_input(&mut out));
            let Err(Halt::Stopped(stopped)) = done else { panic!("{from} {to} {out:X?}") };
            assert_eq!((stopped.error.offset(), &*stopped.bytes), (offset, bytes), "{from} {to}");
        }
    }
}
