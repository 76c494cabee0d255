//! Whether well-formed text looks as if its UTF-8 was read as windows-1252 and encoded again.
#![forbid(unsafe_code)]

use encoding_rs::WINDOWS_1252;

use crate::line_ending::count;

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

/// Whether [`Twice::is_likely`] can be true of these parts of a text; `false` is certain, and cheap to know.
///
/// Of each four suspects at least one is a lead, from U+00C2 to U+00F4, which begins with C3 in UTF-8. Of each two at least one is a
/// tail: from U+0080 to U+00BF, or what windows-1252 has for these bytes.
pub(crate) fn may_be_twice<'a>(parts: impl Iterator<Item = &'a [u8]> + Clone) -> bool {
    let leads: u64 = parts.clone().map(|part| count(part, |byte| byte == 0xC3)).sum();
    if leads == 0 {
        return false;
    }
    // U+FFFD for what is malformed would only add to them.
    let beyond_ascii: u64 = parts.clone().map(|part| count(part, |byte| byte >= 0xC0)).sum();
    let is_tail = |b: u8| (b == 0xC2) | (b == 0xC5) | (b == 0xC6) | (b == 0xCB) | (b == 0xE2);
    8 * leads >= beyond_ascii && 4 * parts.map(|part| count(part, is_tail)).sum::<u64>() >= beyond_ascii
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
