//! What characters are in the web's legacy encodings: tables that fill as they are used. `encoding_rs` searches for each Chinese, Japanese or
//! Korean character that it writes.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use encoding_rs::{EncoderResult, Encoding, ISO_2022_JP};

/// What the characters of the basic plane are in one encoding. A character that nobody asked for is 0.
struct Known {
    encoding: &'static Encoding,
    characters: Box<[AtomicU32]>,
}

/// A streaming writer of one encoding.
pub(super) struct Encoder {
    known: &'static Known,
    /// The set that ISO-2022-JP is in.
    set: Set,
}

impl Encoder {
    pub(super) fn new(encoding: &'static Encoding) -> Encoder {
        Encoder { known: Known::of(encoding), set: Set::Ascii }
    }

    pub(super) fn encoding(&self) -> &'static Encoding {
        self.known.encoding
    }

    /// The bytes that would end the output now.
    pub(super) fn closing(&self) -> &'static [u8] {
        if self.set == Set::Ascii { &[] } else { Set::Ascii.escape() }
    }

    /// Appends the bytes of `text` up to the first character that is lacking, and returns the end of that character, if there is one.
    /// `last`: also ends the output.
    pub(super) fn encode(&mut self, text: &str, last: bool, out: &mut Vec<u8>) -> Option<usize> {
        if self.encoding() != ISO_2022_JP {
            return self.known.encode(text, out);
        }
        let lacking = self.known.encode_in_sets(&mut self.set, text, out);
        if last && lacking.is_none() {
            self.set.select(Set::Ascii, out);
        }
        lacking
    }
}

/// Stands for a character that the encoding lacks. Any other number is the bytes of the character, the last of them in its low byte.
const LACKING: u32 = u32::MAX;

impl Known {
    /// The table of an encoding, which is made once.
    fn of(encoding: &'static Encoding) -> &'static Known {
        static MADE: Mutex<Vec<&Known>> = Mutex::new(Vec::new());
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        let found = made.iter().copied().find(|known| known.encoding == encoding);
        found.unwrap_or_else(|| {
            let characters = (0..=u16::MAX).map(|_| AtomicU32::new(0)).collect();
            let known = &*Box::leak(Box::new(Known { encoding, characters }));
            made.push(known);
            known
        })
    }

    /// Appends the bytes of `text` up to the first character that is lacking, and returns the end of that character, if there is one.
    fn encode(&self, text: &str, out: &mut Vec<u8>) -> Option<usize> {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if c.is_ascii() {
                let (plain, other) = rest.split_at(Encoding::ascii_valid_up_to(rest.as_bytes()));
                out.extend_from_slice(plain.as_bytes());
                rest = other;
                continue;
            }
            rest = &rest[c.len_utf8()..];
            match self.bytes_of(c) {
                LACKING => return Some(text.len() - rest.len()),
                bytes => {
                    let unused = bytes.leading_zeros() / u8::BITS;
                    out.extend_from_slice(&bytes.to_be_bytes()[unused as usize..]);
                }
            }
        }
        None
    }

    /// The same for ISO-2022-JP, in which escapes select a set.
    fn encode_in_sets(&self, set: &mut Set, text: &str, out: &mut Vec<u8>) -> Option<usize> {
        let mut rest = text;
        while !rest.is_empty() {
            if *set == Set::Ascii {
                let plain = Encoding::iso_2022_jp_ascii_valid_up_to(rest.as_bytes());
                out.extend_from_slice(&rest.as_bytes()[..plain]);
                rest = &rest[plain..];
            }
            let Some(c) = rest.chars().next() else { break };
            rest = &rest[c.len_utf8()..];
            let bytes = match c {
                // A reader would take them for escapes and shifts.
                '\x0E' | '\x0F' | '\x1B' => LACKING,
                _ if c.is_ascii() => c as u32,
                _ => self.bytes_of(c),
            };
            let needed = match bytes {
                LACKING => return Some(text.len() - rest.len()),
                0x100.. => Set::Kanji,
                _ if !c.is_ascii() || *set == Set::Roman && !matches!(c, '\\' | '~') => Set::Roman,
                _ => Set::Ascii,
            };
            set.select(needed, out);
            let [.., lead, last] = bytes.to_be_bytes();
            if needed == Set::Kanji {
                out.push(lead);
            }
            out.push(last);
        }
        None
    }

    fn bytes_of(&self, c: char) -> u32 {
        let Some(known) = self.characters.get(c as usize) else { return asked(self.encoding, c) };
        match known.load(Ordering::Relaxed) {
            0 => {
                // Another thread stores the same.
                let bytes = asked(self.encoding, c);
                known.store(bytes, Ordering::Relaxed);
                bytes
            }
            bytes => bytes,
        }
    }
}

/// A set of ISO-2022-JP.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    Ascii,
    Roman,
    Kanji,
}

impl Set {
    fn escape(self) -> &'static [u8] {
        match self {
            Set::Ascii => b"\x1B(B",
            Set::Roman => b"\x1B(J",
            Set::Kanji => b"\x1B$B",
        }
    }

    fn select(&mut self, needed: Set, out: &mut Vec<u8>) {
        if *self != needed {
            *self = needed;
            out.extend_from_slice(needed.escape());
        }
    }
}

/// What a character that is not ASCII is in an encoding, without an escape before it.
fn asked(encoding: &'static Encoding, c: char) -> u32 {
    let (mut text, mut bytes) = ([0; 4], [0; 16]);
    let escape = if encoding == ISO_2022_JP { 3 } else { 0 };
    let text = c.encode_utf8(&mut text);
    let (result, _, length) =
        encoding.new_encoder().encode_from_utf8_without_replacement(text, &mut bytes, escape == 0);
    match result {
        EncoderResult::InputEmpty => {
            bytes[escape..length].iter().fold(0, |number, &byte| number << 8 | u32::from(byte))
        }
        EncoderResult::OutputFull | EncoderResult::Unmappable(_) => LACKING,
    }
}

#[cfg(test)]
mod tests {
    use placemat::label::LEGACY;

    use super::*;

    #[test]
    fn characters_are_what_the_encoder_makes_of_them() {
        let encodings = LEGACY.iter().filter_map(|name| Encoding::for_label(name.as_bytes()));
        let mut asked = 0;
        for known in encodings.filter(|&encoding| encoding != ISO_2022_JP).map(Known::of) {
            for c in (0..0x2_0000).step_by(5).chain(0x2F800..0x2F820).filter_map(char::from_u32) {
                let text = c.to_string();
                let (expected, _, lacks) = known.encoding.encode(&text);
                // A second time from the table.
                for _ in 0..2 {
                    let mut out = Vec::new();
                    let lacking = known.encode(&format!("a{c}b"), &mut out);
                    assert_eq!(lacking.is_some(), lacks, "{} {c:?}", known.encoding.name());
                    match lacking {
                        Some(end) => assert_eq!((end, &*out), (1 + c.len_utf8(), &b"a"[..])),
                        None => assert_eq!(out, [b"a", &*expected, b"b"].concat()),
                    }
                }
                asked += 1;
            }
        }
        assert!(asked > 500_000, "{asked}");
    }
}
