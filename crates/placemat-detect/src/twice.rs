//! Checks whether well-formed text looks as if its UTF-8 was read as windows-1252 and encoded again.
#![forbid(unsafe_code)]

use core::ops::Range;

use encoding_rs::WINDOWS_1252;

use crate::look::count;
#[cfg(target_family = "wasm")]
use crate::look::places;

/// Characters beyond ASCII, and how many of them may be the bytes of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Twice {
    pub(crate) beyond_ascii: usize,
    pub(crate) suspects: usize,
}

impl Twice {
    pub(crate) fn of(text: &str) -> Self {
        let mut twice = Self::default();
        let mut sequence = Vec::with_capacity(4);
        for c in text.chars() {
            if c.is_ascii() {
                // The bytes of one character stand side by side.
                sequence.clear();
                continue;
            }
            twice.beyond_ascii += 1;
            let byte = byte(c);
            match byte {
                Some(tail @ 0x80..=0xBF) if !sequence.is_empty() => {
                    sequence.push(tail);
                    if str::from_utf8(&sequence).is_ok() {
                        twice.suspects += sequence.len();
                        sequence.clear();
                    }
                }
                _ => {
                    sequence.clear();
                    sequence.extend(byte.filter(|byte| *byte >= 0xC2));
                }
            }
        }
        twice
    }

    /// Whether at least half of the characters beyond ASCII may be bytes of others.
    pub(crate) fn is_likely(self) -> bool {
        self.suspects > 0 && self.suspects * 2 >= self.beyond_ascii
    }
}

/// How many characters of a well-formed text may be the bytes of others, at most: [`Twice`] without a look at each, and more than
/// it would count.
///
/// Of each four suspects at least one is a lead, from U+00C2 to U+00F4, which begins with C3 in UTF-8, and behind it stands a
/// tail: from U+0080 to U+00BF, or what windows-1252 has for these bytes. Of each two at least one is a tail.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Suspects {
    beyond_ascii: u64,
    most: u64,
}

impl Suspects {
    /// Those of a sample of a text.
    pub(crate) fn of(sample: &[u8]) -> Self {
        let mut suspects = Self::default();
        // U+FFFD for what is malformed would only add to them.
        suspects.add(sample, 0..sample.len(), count(sample, |byte| byte >= 0xC0));
        suspects
    }

    /// Takes in those that begin in this part of the text, which has so many characters beyond ASCII.
    pub(crate) fn add(&mut self, text: &[u8], at: Range<usize>, beyond_ascii: u64) {
        self.beyond_ascii += beyond_ascii;
        let with_next = &text[at.start..text.len().min(at.end + 2)];
        self.most += 4 * misread(with_next);
    }

    /// Whether [`Twice::is_likely`] can be true; `false` is certain.
    pub(crate) fn are_likely(self) -> bool {
        self.most > 0 && 2 * self.most >= self.beyond_ascii
    }
}

/// How many leads have the first byte of a tail behind them.
#[cfg(not(target_family = "wasm"))]
fn misread(bytes: &[u8]) -> u64 {
    placemat::count_misread(bytes) as u64
}

/// The page has no room for a kernel.
#[cfg(target_family = "wasm")]
fn misread(bytes: &[u8]) -> u64 {
    let behind = places(bytes, 0xC3).filter_map(|at| bytes.get(at + 2));
    behind.filter(|byte| matches!(byte, 0xC2 | 0xC5 | 0xC6 | 0xCB | 0xE2)).count() as u64
}

/// The byte that windows-1252 or Latin-1 has for a character.
fn byte(c: char) -> Option<u8> {
    if let Ok(byte @ 0x80..) = u8::try_from(c) {
        return Some(byte);
    }
    // No other has one in windows-1252, and asking for each character takes long.
    if !matches!(c, 'Œ'..='ƒ' | 'ˆ'..='˜' | '–'..='™') {
        return None;
    }
    let mut buffer = [0; 4];
    let (bytes, _, failed) = WINDOWS_1252.encode(c.encode_utf8(&mut buffer));
    if failed { None } else { bytes.first().copied() }
}

#[cfg(test)]
mod tests {
    use super::Twice;

    #[test]
    fn twice_encoded_text_is_suspect() {
        for text in ["cafÃ©", "â€œquotedâ€\u{9d}", "â‚¬ 5", "ðŸ˜€"] {
            assert!(Twice::of(text).is_likely(), "{text}");
        }
        for text in
            ["café", "", "plain", "São Paulo, Às vezes", "Привет", "日本語", "Ã la carte", "é — “oui”"]
        {
            assert!(!Twice::of(text).is_likely(), "{text}");
        }
    }
}
