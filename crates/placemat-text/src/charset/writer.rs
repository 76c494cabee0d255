//! Encodes UTF-8 to a legacy encoding, with the policy's stand-ins for characters that the encoding lacks.

use encoding_rs::Encoding;
use placemat::{CodePoint, Decision, Error, ErrorKind, Fault, Handler as _, Policy, Text};

#[cfg(not(target_family = "wasm"))]
use super::known::Encoder;
#[cfg(target_family = "wasm")]
use super::streamed::Encoder;
use super::{CodePage, Legacy, Tables};
use crate::translit;

/// A streaming writer of one legacy encoding.
pub(crate) struct LegacyWriter {
    legacy: Legacy,
    encoder: Either,
    policy: Policy,
    /// Whether a character that the encoding lacks is replaced by a similar one.
    pub(crate) transliterates: bool,
    replacement: char,
    errors: u64,
    /// The characters of a single-byte encoding beyond ASCII, computed at first use.
    upper: Option<Vec<char>>,
}

enum Either {
    Web(Encoder),
    CodePage(CodePage),
}

/// A character that the encoding lacks and at which the policy stops.
pub(crate) struct Refused {
    /// The position in the text, in bytes.
    pub(crate) at: usize,
    pub(crate) character: char,
}

impl LegacyWriter {
    pub(crate) fn new(legacy: Legacy, policy: Policy) -> LegacyWriter {
        let encoder = match legacy.tables {
            Tables::Web(encoding) => Either::Web(Encoder::new(encoding)),
            Tables::CodePage(page) => Either::CodePage(page),
        };
        let has_replacement = legacy.carries(char::REPLACEMENT_CHARACTER);
        let replacement = if has_replacement { char::REPLACEMENT_CHARACTER } else { '?' };
        LegacyWriter { legacy, encoder, policy, transliterates: false, replacement, errors: 0, upper: None }
    }

    pub(crate) fn errors(&self) -> u64 {
        self.errors
    }

    /// The bytes that would end the output now.
    pub(crate) fn closing(&self) -> &'static [u8] {
        match &self.encoder {
            Either::Web(encoder) => encoder.closing(),
            Either::CodePage(_) => &[],
        }
    }

    /// Encodes the whole of `text`, appending to `out`; with `last`, also ends the output.
    ///
    /// # Errors
    /// The character at which the policy stops. The text before it is in `out`; a caller that goes on after it leaves it out.
    pub(crate) fn push(&mut self, text: &str, last: bool, out: &mut Vec<u8>) -> Result<(), Refused> {
        let mut at = 0;
        while let Some(len) = self.encoder.encode(&text[at..], last, out) {
            let end = at + len;
            // The encoder's character is not used: ISO-2022-JP reports U+FFFD where the text has an escape.
            let character = text[..end].chars().next_back().unwrap_or(char::REPLACEMENT_CHARACTER);
            self.errors += 1;
            let refused = Refused { at: end - character.len_utf8(), character };
            // The policy is asked once. If the encoding lacks the stand-in too, the conversion stops.
            let written = self
                .stand_in(self.legacy.shown(character.into()))
                .is_some_and(|text| self.encoder.encode(&text, false, out).is_none());
            if !written {
                return Err(refused);
            }
            at = end + self.skip(&text[end..]);
        }
        Ok(())
    }

    /// If the policy skips: counts the characters at the start of `text` that a single-byte encoding lacks, and returns their
    /// length. Otherwise the encoder would have to be started again after each.
    fn skip(&mut self, text: &str) -> usize {
        let encoding = match &self.encoder {
            Either::Web(encoder) => encoder.encoding(),
            Either::CodePage(_) => return 0,
        };
        if self.transliterates || !self.policy.skips_unencodable() || !encoding.is_single_byte() {
            return 0;
        }
        let upper = self.upper.get_or_insert_with(|| characters_beyond_ascii(encoding));
        let mut skipped = 0;
        for c in text.chars().take_while(|c| !c.is_ascii() && upper.binary_search(c).is_err()) {
            skipped += c.len_utf8();
            self.errors += 1;
        }
        skipped
    }

    fn stand_in(&mut self, character: CodePoint) -> Option<String> {
        if let Some(c) = character.to_char().filter(|_| self.transliterates)
            && let Some(text) = translit::resembling(c, |c| self.legacy.carries(c))
        {
            return Some(text);
        }
        let error = Error::new(ErrorKind::Unencodable, 0, 0);
        let mut text = Text::new();
        let fault = Fault::new(error, &[], Some(character), true);
        if self.policy.decide(&fault, &mut text) == Decision::Stop {
            return None;
        }
        let chars = text.code_points().iter().filter_map(|c| c.to_char());
        Some(chars.map(|c| if c == char::REPLACEMENT_CHARACTER { self.replacement } else { c }).collect())
    }
}

/// Returns the characters of a single-byte encoding beyond ASCII, sorted.
fn characters_beyond_ascii(encoding: &'static Encoding) -> Vec<char> {
    let bytes: Vec<u8> = (0x80..=0xFF).collect();
    let mut characters: Vec<_> = encoding.decode_without_bom_handling(&bytes).0.chars().collect();
    characters.retain(|&c| c != char::REPLACEMENT_CHARACTER);
    characters.sort_unstable();
    characters
}

impl Either {
    /// Appends the bytes of `text` up to the first character that is lacking, and returns the end of that character, if there is one.
    fn encode(&mut self, text: &str, last: bool, out: &mut Vec<u8>) -> Option<usize> {
        match self {
            Either::Web(encoder) => encoder.encode(text, last, out),
            Either::CodePage(page) => {
                for (at, c) in text.char_indices() {
                    match page.byte(c) {
                        Some(byte) => out.push(byte),
                        None => return Some(at + c.len_utf8()),
                    }
                }
                None
            }
        }
    }
}
