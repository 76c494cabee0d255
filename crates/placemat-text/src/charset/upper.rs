//! The code pages of [`placemat_detect::code_page`], read and written with tables that are made when first asked for.

use std::sync::OnceLock;

use placemat_detect::code_page::{NAMES, upper_half};

/// A code page whose lower half is ASCII.
#[derive(Debug)]
pub(super) struct Upper {
    characters: [Option<char>; 128],
    /// Each character with its byte, in the order of characters.
    bytes: Vec<(char, u8)>,
}

impl Upper {
    /// The code page of that name, if it is one of [`NAMES`].
    pub(super) fn named(name: &str) -> Option<&'static Upper> {
        static PAGES: [OnceLock<Box<Upper>>; NAMES.len()] = [const { OnceLock::new() }; NAMES.len()];
        let at = NAMES.iter().position(|page| *page == name)?;
        Some(PAGES[at].get_or_init(|| Box::new(Upper::of(upper_half(name).unwrap_or([None; 128])))))
    }

    fn of(characters: [Option<char>; 128]) -> Upper {
        let bytes = (0x80..=u8::MAX).zip(&characters).filter_map(|(byte, c)| Some(((*c)?, byte)));
        let mut bytes: Vec<_> = bytes.collect();
        bytes.sort_unstable();
        Upper { characters, bytes }
    }

    /// The character of a byte.
    pub(super) fn character(&self, byte: u8) -> Option<char> {
        match byte.checked_sub(0x80) {
            None => Some(char::from(byte)),
            Some(at) => self.characters[usize::from(at)],
        }
    }

    /// The byte of a character.
    pub(super) fn byte(&self, c: char) -> Option<u8> {
        if c.is_ascii() {
            return Some(c as u8);
        }
        let at = self.bytes.binary_search_by_key(&c, |&(character, _)| character).ok()?;
        Some(self.bytes[at].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for name in NAMES {
            let page = Upper::named(name).unwrap();
            for byte in 0..=u8::MAX {
                let c = page.character(byte);
                assert!(c.is_none_or(|c| page.byte(c) == Some(byte)), "{name}: {byte:02X} is {c:?}");
            }
            assert_eq!(page.byte('語'), None);
        }
        assert!(Upper::named("cp437").is_none());
    }
}
