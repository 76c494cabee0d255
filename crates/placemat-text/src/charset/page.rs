//! A code page as a table in both directions.

/// A code page: a character for each byte, or none.
#[derive(Debug)]
pub(super) struct Page {
    characters: [Option<char>; 256],
    /// Each character with its byte, in the order of characters.
    bytes: Vec<(char, u8)>,
}

impl Page {
    /// The code page in which each byte is the character at its index. No two bytes are the same character.
    pub(super) fn of(characters: [Option<char>; 256]) -> Page {
        let bytes = (0..=u8::MAX).zip(&characters).filter_map(|(byte, c)| Some(((*c)?, byte)));
        let mut bytes: Vec<_> = bytes.collect();
        bytes.sort_unstable();
        Page { characters, bytes }
    }

    /// The character of a byte.
    pub(super) fn character(&self, byte: u8) -> Option<char> {
        self.characters[usize::from(byte)]
    }

    /// The byte of a character.
    pub(super) fn byte(&self, c: char) -> Option<u8> {
        let at = self.bytes.binary_search_by_key(&c, |&(character, _)| character).ok()?;
        Some(self.bytes[at].1)
    }
}
