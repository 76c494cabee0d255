//! Whether well-formed text looks as if its UTF-8 was read as windows-1252 and encoded again.
#![forbid(unsafe_code)]

use encoding_rs::WINDOWS_1252;

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
        for c in text.chars().filter(|c| !c.is_ascii()) {
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

/// The byte that windows-1252 or Latin-1 has for a character.
fn byte(c: char) -> Option<u8> {
    if let Ok(byte @ 0x80..) = u8::try_from(c) {
        return Some(byte);
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
        for text in ["café", "", "plain", "São Paulo, Às vezes", "Привет", "日本語", "Ã la carte"]
        {
            assert!(!Twice::of(text).is_likely(), "{text}");
        }
    }
}
