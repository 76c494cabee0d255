//! Checks whether well-formed text looks as if its UTF-8 was read as windows-1252 and encoded again.
#![forbid(unsafe_code)]

use core::ops::Range;

use encoding_rs::WINDOWS_1252;

use crate::look::count;
#[cfg(target_family = "wasm")]
use crate::look::places;

/// The number of characters beyond ASCII, and how many of them may be the bytes of other characters.
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
                // ASCII never stands between the bytes of one character.
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

/// An upper bound of what [`Twice`] counts in a well-formed text, without reading each character.
///
/// Of any four suspects at least one is a lead, from U+00C2 to U+00F4, which begins with C3 in UTF-8. A tail follows it: U+0080 to
/// U+00BF, or the character that windows-1252 has for one of these bytes. Of any two suspects at least one is a tail.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Suspects {
    beyond_ascii: u64,
    most: u64,
}

impl Suspects {
    /// Counts the suspects in a sample of a text.
    pub(crate) fn of(sample: &[u8]) -> Self {
        let mut suspects = Self::default();
        // U+FFFD in place of malformed bytes would only add characters beyond ASCII.
        suspects.add(sample, 0..sample.len(), count(sample, |byte| byte >= 0xC0));
        suspects
    }

    /// Adds the suspects that begin in this part of the text, which has `beyond_ascii` characters beyond ASCII.
    pub(crate) fn add(&mut self, text: &[u8], at: Range<usize>, beyond_ascii: u64) {
        self.beyond_ascii += beyond_ascii;
        let with_next = &text[at.start..text.len().min(at.end + 2)];
        self.most += 4 * misread(with_next);
    }

    /// Whether [`Twice::is_likely`] may be true. If this is `false`, it is not.
    pub(crate) fn are_likely(self) -> bool {
        self.most > 0 && 2 * self.most >= self.beyond_ascii
    }
}

/// The number of leads that are followed by the first byte of a tail.
#[cfg(not(target_family = "wasm"))]
fn misread(bytes: &[u8]) -> u64 {
    placemat::count_misread(bytes) as u64
}

/// The page with the WebAssembly module has no room for a kernel.
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
    // windows-1252 has bytes for no others, and to encode every character would take long.
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
