//! EBCDIC: code pages of mainframes. Their tables are built from a crate's decoders at first use.
//!
//! Each page has a character for every byte, and no two bytes have the same character. Mainframes end a line with U+0085, Unix
//! with U+000A; the conversion keeps these as they are.

use std::sync::LazyLock;

use anyxml_encoding::{
    Decoder, IBM037Decoder, IBM273Decoder, IBM277Decoder, IBM280Decoder, IBM284Decoder, IBM297Decoder,
    IBM500Decoder, IBM1026Decoder,
};

/// A code page of EBCDIC.
#[derive(Debug)]
pub(super) struct Ebcdic {
    characters: [char; 256],
    /// Each character with its byte, sorted by character.
    bytes: [(char, u8); 256],
}

impl Ebcdic {
    /// Returns the code page of that number. The pages are boxed, since all of them would be 24 KB of the binary.
    pub(super) fn numbered(number: u16) -> Option<&'static Ebcdic> {
        static PAGES: [(u16, LazyLock<Box<Ebcdic>>); 8] = [
            (37, LazyLock::new(|| Ebcdic::of(&mut IBM037Decoder))),
            (273, LazyLock::new(|| Ebcdic::of(&mut IBM273Decoder))),
            (277, LazyLock::new(|| Ebcdic::of(&mut IBM277Decoder))),
            (280, LazyLock::new(|| Ebcdic::of(&mut IBM280Decoder))),
            (284, LazyLock::new(|| Ebcdic::of(&mut IBM284Decoder))),
            (297, LazyLock::new(|| Ebcdic::of(&mut IBM297Decoder))),
            (500, LazyLock::new(|| Ebcdic::of(&mut IBM500Decoder))),
            (1026, LazyLock::new(|| Ebcdic::of(&mut IBM1026Decoder))),
        ];
        PAGES.iter().find(|(page, _)| *page == number).map(|(_, page)| &***page)
    }

    /// Builds the page from what a decoder makes of each byte.
    fn of(decoder: &mut dyn Decoder) -> Box<Ebcdic> {
        let mut characters = [char::REPLACEMENT_CHARACTER; 256];
        let mut text = String::with_capacity(8);
        for byte in 0..=u8::MAX {
            text.clear();
            // If decoding fails, the byte gets U+FFFD, which a test looks for.
            let _ = decoder.decode(&[byte], &mut text, true);
            characters[usize::from(byte)] = text.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
        }
        let mut bytes = [('\0', 0); 256];
        for (slot, byte) in bytes.iter_mut().zip(0..=u8::MAX) {
            *slot = (characters[usize::from(byte)], byte);
        }
        bytes.sort_unstable();
        Box::new(Ebcdic { characters, bytes })
    }

    /// The character of a byte.
    pub(super) fn character(&self, byte: u8) -> char {
        self.characters[usize::from(byte)]
    }

    /// The byte of a character.
    pub(super) fn byte(&self, c: char) -> Option<u8> {
        let at = self.bytes.binary_search_by_key(&c, |&(character, _)| character).ok()?;
        Some(self.bytes[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::Ebcdic;

    const PAGES: [u16; 8] = [37, 273, 277, 280, 284, 297, 500, 1026];

    #[test]
    fn every_byte_is_a_character_of_its_own() {
        for number in PAGES {
            let page = Ebcdic::numbered(number).unwrap();
            for byte in 0..=u8::MAX {
                let c = page.character(byte);
                assert!(u32::from(c) < 0x2100, "{number}: {byte:02X} is {c:?}");
                assert_eq!(page.byte(c), Some(byte), "{number}: {byte:02X}");
            }
            assert_eq!(page.byte('語'), None);
        }
        assert!(Ebcdic::numbered(437).is_none());
    }

    /// Checks what the pages have in common, and the characters in which IBM's tables differ.
    #[test]
    fn pages_differ_where_ibm_says() {
        for number in PAGES {
            let page = Ebcdic::numbered(number).unwrap();
            let text: String = [0xC8, 0x85, 0x93, 0x93, 0x96, 0x6B, 0x40, 0xF1, 0xF9, 0xF6, 0xF4, 0x25]
                .map(|byte| page.character(byte))
                .iter()
                .collect();
            assert_eq!(text, "Hello, 1964\n", "{number}");
        }
        let at = |byte| PAGES.map(|number| Ebcdic::numbered(number).unwrap().character(byte));
        assert_eq!(at(0x4A), ['¢', 'Ä', '#', '°', '[', '°', '[', 'Ç']);
        assert_eq!(at(0x5A), ['!', 'Ü', '¤', 'é', ']', '§', ']', 'Ğ']);
        assert_eq!(at(0x7C), ['@', '§', 'Ø', '§', '@', 'à', '@', 'Ş']);
    }
}
