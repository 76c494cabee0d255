//! EBCDIC: code pages of mainframes. Their tables are built from a crate's decoders at first use.
//!
//! Each page has a character for every byte, and no two bytes have the same character. Mainframes end a line with U+0085, Unix
//! with U+000A; the conversion keeps these as they are.

use std::sync::LazyLock;

use anyxml_encoding::{
    Decoder, IBM037Decoder, IBM273Decoder, IBM277Decoder, IBM280Decoder, IBM284Decoder, IBM297Decoder,
    IBM500Decoder, IBM1026Decoder,
};

use super::page::Page;

/// The code page of that number. Each is boxed, since all of them would be 24 KB of the binary.
pub(super) fn numbered(number: u16) -> Option<&'static Page> {
    static PAGES: [(u16, LazyLock<Box<Page>>); 8] = [
        (37, LazyLock::new(|| of(&mut IBM037Decoder))),
        (273, LazyLock::new(|| of(&mut IBM273Decoder))),
        (277, LazyLock::new(|| of(&mut IBM277Decoder))),
        (280, LazyLock::new(|| of(&mut IBM280Decoder))),
        (284, LazyLock::new(|| of(&mut IBM284Decoder))),
        (297, LazyLock::new(|| of(&mut IBM297Decoder))),
        (500, LazyLock::new(|| of(&mut IBM500Decoder))),
        (1026, LazyLock::new(|| of(&mut IBM1026Decoder))),
    ];
    PAGES.iter().find(|(page, _)| *page == number).map(|(_, page)| &***page)
}

/// The code page that a decoder reads.
fn of(decoder: &mut dyn Decoder) -> Box<Page> {
    let mut text = String::with_capacity(8);
    let character = |byte| {
        text.clear();
        // An answer of another kind leaves no text; a test looks for that.
        let _ = decoder.decode(&[byte as u8], &mut text, true);
        text.chars().next()
    };
    Box::new(Page::of(std::array::from_fn(character)))
}

#[cfg(test)]
mod tests {
    use super::numbered;

    const PAGES: [u16; 8] = [37, 273, 277, 280, 284, 297, 500, 1026];

    #[test]
    fn every_byte_is_a_character_of_its_own() {
        for number in PAGES {
            let page = numbered(number).unwrap();
            for byte in 0..=u8::MAX {
                let c = page.character(byte).unwrap();
                assert!(u32::from(c) < 0x2100, "{number}: {byte:02X} is {c:?}");
                assert_eq!(page.byte(c), Some(byte), "{number}: {byte:02X}");
            }
            assert_eq!(page.byte('語'), None);
        }
        assert!(numbered(437).is_none());
    }

    /// Checks what the pages have in common, and the characters in which IBM's tables differ.
    #[test]
    fn pages_differ_where_ibm_says() {
        for number in PAGES {
            let page = numbered(number).unwrap();
            let text: String = [0xC8, 0x85, 0x93, 0x93, 0x96, 0x6B, 0x40, 0xF1, 0xF9, 0xF6, 0xF4, 0x25]
                .map(|byte| page.character(byte).unwrap())
                .iter()
                .collect();
            assert_eq!(text, "Hello, 1964\n", "{number}");
        }
        let at = |byte| PAGES.map(|number| numbered(number).unwrap().character(byte).unwrap());
        assert_eq!(at(0x4A), ['¢', 'Ä', '#', '°', '[', '°', '[', 'Ç']);
        assert_eq!(at(0x5A), ['!', 'Ü', '¤', 'é', ']', '§', ']', 'Ğ']);
        assert_eq!(at(0x7C), ['@', '§', 'Ø', '§', '@', 'à', '@', 'Ş']);
    }
}
