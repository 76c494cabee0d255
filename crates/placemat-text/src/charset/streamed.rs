//! Writes the web's legacy encodings with `encoding_rs` alone: in WebAssembly, where a small module is worth more than speed.

use std::mem;

use encoding_rs::{EncoderResult, Encoding, ISO_2022_JP};

/// The escapes of ISO-2022-JP with which its encoder leaves the kanji before a character that it lacks, and returns to them.
const TO_ASCII: [u8; 3] = *b"\x1B(B";
const TO_KANJI: [u8; 3] = *b"\x1B$B";

/// The room for the output of one call of an encoder.
const ROOM: usize = 4096;

pub(super) struct Encoder {
    encoder: encoding_rs::Encoder,
    room: Box<[u8; ROOM]>,
    /// In ISO-2022-JP: whether [`TO_ASCII`] must follow the kanji written last, unless another escape does. Two escapes in a row
    /// are ill-formed.
    returns: bool,
}

impl Encoder {
    pub(super) fn new(encoding: &'static Encoding) -> Encoder {
        Encoder { encoder: encoding.new_encoder(), room: Box::new([0; ROOM]), returns: false }
    }

    pub(super) fn encoding(&self) -> &'static Encoding {
        self.encoder.encoding()
    }

    /// The bytes that would end the output now.
    pub(super) fn closing(&self) -> &'static [u8] {
        if self.returns || self.encoder.has_pending_state() { &TO_ASCII } else { &[] }
    }

    /// Appends the bytes of `text` up to the first character that is lacking, and returns the end of that character, if there is one.
    pub(super) fn encode(&mut self, text: &str, last: bool, out: &mut Vec<u8>) -> Option<usize> {
        let start = out.len();
        let lacking = self.plainly(text, last, out);
        if self.returns && out.len() > start {
            self.returns = false;
            match out[start..] {
                [0x1B, b'$', b'B', ..] => drop(out.drain(start..start + TO_KANJI.len())),
                [0x1B, ..] => {}
                _ => drop(out.splice(start..start, TO_ASCII)),
            }
        }
        let has_escapes = self.encoding() == ISO_2022_JP;
        if lacking.is_some() && has_escapes && out[start..].ends_with(&TO_ASCII) {
            out.truncate(out.len() - TO_ASCII.len());
            self.returns = true;
        }
        if lacking.is_none() && last && mem::take(&mut self.returns) {
            out.extend_from_slice(&TO_ASCII);
        }
        lacking
    }

    fn plainly(&mut self, text: &str, last: bool, out: &mut Vec<u8>) -> Option<usize> {
        let mut taken = 0;
        loop {
            let (text, room) = (&text[taken..], &mut self.room[..]);
            let (result, read, written) = self.encoder.encode_from_utf8_without_replacement(text, room, last);
            out.extend_from_slice(&room[..written]);
            taken += read;
            match result {
                EncoderResult::InputEmpty => return None,
                EncoderResult::OutputFull => {}
                EncoderResult::Unmappable(_) => return Some(taken),
            }
        }
    }
}

/// A character that ISO-2022-JP lacks, and a set that it leaves and returns to, may be anywhere.
#[test]
fn both_encoders_write_the_same() {
    let pieces = [
        "a",
        "~\\",
        "\u{A5}",
        "\u{203E}x",
        "漢",
        "かな",
        "ｶ",
        "\u{2212}",
        "€",
        "😀",
        "\x1B",
        "\x0E\n",
        "",
        "한",
    ];
    let mut state = 1_u32;
    for _ in 0..20_000 {
        let (mut streamed, mut known) = (Encoder::new(ISO_2022_JP), super::known::Encoder::new(ISO_2022_JP));
        let (mut expected, mut out) = (Vec::new(), Vec::new());
        for call in 0..4 {
            let mut text = String::new();
            for _ in 0..3 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                text.push_str(pieces[(state >> 8) as usize % pieces.len()]);
            }
            let mut at = 0;
            loop {
                let lacking = streamed.encode(&text[at..], call == 3, &mut expected);
                assert_eq!(known.encode(&text[at..], call == 3, &mut out), lacking, "{text:?}");
                assert_eq!((&out, known.closing()), (&expected, streamed.closing()), "{text:?}");
                let Some(end) = lacking else { break };
                at += end;
            }
        }
    }
}
