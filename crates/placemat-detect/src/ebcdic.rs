//! EBCDIC, where no byte means what it means in ASCII: what an XML declaration says, and text in words with spaces.
#![forbid(unsafe_code)]

use crate::declared::declared;
use crate::sample::HEAD;

/// A code page that a text seems to be in, how sure that is, and why.
type Guess = (&'static str, f32, &'static str);

/// The code pages that `placemat::label` has.
const PAGES: [&str; 8] = ["cp037", "cp273", "cp277", "cp280", "cp284", "cp297", "cp500", "cp1026"];

/// The code page of a text that begins as XML does, or is mostly words with spaces between them.
pub(crate) fn guess(sample: &[u8]) -> Option<Guess> {
    // `<?xm`
    if sample.starts_with(b"\x4C\x6F\xA7\x94") {
        return Some(of_xml(sample));
    }
    let is_text = is_text(&sample[..sample.len().min(HEAD)]);
    // All pages have these letters: which it is, nothing says for sure.
    is_text.then_some((PAGES[0], 0.4, "read as EBCDIC, it is words with spaces between them"))
}

/// Most pages differ in signs alone, so each reads a declaration.
fn of_xml(sample: &[u8]) -> Guess {
    // The quotation mark is elsewhere in Turkish.
    let quoted = |byte: &u8| if *byte == 0xFC { b'"' } else { ascii(*byte) };
    let declaration: Vec<u8> = sample.iter().take(REACH).map(quoted).collect();
    let said = declared(&declaration).map(|said| said.encoding());
    if let Some(page) = PAGES.into_iter().find(|page| said == Some(page)) {
        return (page, 0.95, "its XML declaration in EBCDIC says so");
    }
    let is_silent = !declaration.windows(8).any(|window| window == b"encoding");
    (PAGES[0], if is_silent { 0.6 } else { 0.4 }, "it begins as XML in EBCDIC")
}

/// Bytes in which a declaration ends.
const REACH: usize = 256;

/// Whether it is mostly words.
fn is_text(head: &[u8]) -> bool {
    // Few words are longer.
    if !head[..head.len().min(32)].contains(&SPACE) {
        return false;
    }
    let (mut spaces, mut vowels, mut letters, mut capitals, mut others) = (0, 0, 0, 0, 0);
    for &byte in head {
        match ascii(byte) {
            b' ' => spaces += 1,
            b'a' | b'e' | b'i' | b'o' | b'u' => vowels += 1,
            b'a'..=b'z' => letters += 1,
            b'A'..=b'Z' => capitals += 1,
            0 => others += 1,
            _ => {}
        }
    }
    letters += vowels;
    let len = head.len();
    let has_spaces = spaces >= 3 && spaces * 10 >= len && spaces * 3 <= len;
    let has_words = vowels * 4 >= letters && vowels * 5 <= letters * 3;
    has_spaces && has_words && others * 10 <= len && letters * 2 > len && capitals <= letters
}

const SPACE: u8 = 0x40;

/// What the pages read alike, in ASCII; 0 for the rest.
fn ascii(byte: u8) -> u8 {
    static ASCII: [u8; 256] = table();
    ASCII[usize::from(byte)]
}

const fn table() -> [u8; 256] {
    const ALIKE: [(u8, &[u8]); 18] = [
        (0x05, b"\t"),
        (0x0D, b"\n"),
        (0x15, b"\n"),
        (0x25, b"\n"),
        (SPACE, b" "),
        (0x4B, b".<(+"),
        (0x50, b"&"),
        (0x5C, b"*);"),
        (0x60, b"-/"),
        (0x6B, b",%_>?"),
        (0x7A, b":"),
        (0x7D, b"'=\""),
        (0x81, b"abcdefghi"),
        (0x91, b"jklmnopqr"),
        (0xA2, b"stuvwxyz"),
        (0xC1, b"ABCDEFGHI"),
        (0xD1, b"JKLMNOPQR"),
        (0xE2, b"STUVWXYZ"),
    ];
    let mut table = [0; 256];
    let mut row = 0;
    while row < ALIKE.len() {
        let (first, alike) = ALIKE[row];
        let mut at = 0;
        while at < alike.len() {
            table[first as usize + at] = alike[at];
            at += 1;
        }
        row += 1;
    }
    let mut digit = 0;
    while digit < 10 {
        table[0xF0 + digit as usize] = b'0' + digit;
        digit += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of EBCDIC for what the pages have alike.
    fn ebcdic(text: &str) -> Vec<u8> {
        let byte = |c| (0..=255).find(|byte| ascii(*byte) == c).unwrap();
        text.bytes().map(byte).collect()
    }

    #[test]
    fn xml_says_its_page() {
        for (declaration, name, confidence) in [
            ("<?xml version='1.0' encoding='IBM500'?>", "cp500", 0.95),
            ("<?xml version=\"1.0\" encoding=\"ebcdic-cp-us\"?>\n<a/>", "cp037", 0.95),
            ("<?xml version='1.0'?>\n<a/>", "cp037", 0.6),
            ("<?xml version='1.0' encoding='IBM424'?>\n<a/>", "cp037", 0.4),
            ("<?xml version='1.0' encoding='utf-8'?>\n<a/>", "cp037", 0.4),
            ("<?xm", "cp037", 0.6),
        ] {
            let found = guess(&ebcdic(declaration)).unwrap();
            assert_eq!((found.0, found.1), (name, confidence), "{declaration}");
        }
        let turkish = ebcdic("<?xml version='1.0' encoding='IBM1026'?>");
        let turkish: Vec<u8> = turkish.iter().map(|byte| if *byte == 0x7D { 0xFC } else { *byte }).collect();
        assert_eq!(guess(&turkish).unwrap().0, "cp1026");
    }

    #[test]
    fn words_are_text_and_other_bytes_are_not() {
        let words = "This is a plain text, written on a mainframe.\n";
        for text in [&ebcdic(words)[..], &[&ebcdic(words)[..], b"\xC0\x5A"].concat()] {
            assert_eq!(guess(text).unwrap().1, 0.4);
        }
        let ideographic_spaces = b"\x81\x40\x82\xA0\x81\x40\x82\xA9\x82\xAB\x81\x40\x82\xBB".repeat(9);
        for text in [&b"\xE9@\xE8@\xEA@\xE0@"[..], &ideographic_spaces, b"\x40\x40\x40\x40\x40", b""] {
            assert!(guess(text).is_none(), "{text:02X?}");
        }
    }
}
