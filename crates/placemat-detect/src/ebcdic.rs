//! Detects EBCDIC in XML, by its declaration. Other text is not judged, because nothing in it tells the code pages apart.
#![forbid(unsafe_code)]

use crate::declared::declared;

/// A code page that a text seems to be in, how sure that is, and why.
type Guess = (&'static str, f32, &'static str);

/// The code pages that `placemat::label` has.
const PAGES: [&str; 8] = ["cp037", "cp273", "cp277", "cp280", "cp284", "cp297", "cp500", "cp1026"];

/// The code page of a text that begins as XML does, with `<?xm`.
pub(crate) fn guess(sample: &[u8]) -> Option<Guess> {
    sample.starts_with(b"\x4C\x6F\xA7\x94").then(|| of_xml(sample))
}

/// The pages differ mostly in signs, so a declaration reads the same in most of them.
fn of_xml(sample: &[u8]) -> Guess {
    // The Turkish page has the quotation mark at another byte.
    let quoted = |byte: &u8| if *byte == 0xFC { b'"' } else { ascii(*byte) };
    let declaration: Vec<u8> = sample.iter().take(REACH).map(quoted).collect();
    let said = declared(&declaration).map(|said| said.encoding());
    if let Some(page) = PAGES.into_iter().find(|page| said == Some(page)) {
        return (page, 0.95, "its XML declaration in EBCDIC says so");
    }
    let is_silent = !declaration.windows(8).any(|window| window == b"encoding");
    (PAGES[0], if is_silent { 0.6 } else { 0.4 }, "it begins as XML in EBCDIC")
}

/// The number of bytes within which a declaration ends.
const REACH: usize = 256;

/// The ASCII character of a byte that all pages read alike; 0 for other bytes.
fn ascii(byte: u8) -> u8 {
    static ASCII: [u8; 256] = table();
    ASCII[usize::from(byte)]
}

const fn table() -> [u8; 256] {
    const ALIKE: [(u8, &[u8]); 19] = [
        (0x05, b"\t"),
        (0x0D, b"\n"),
        (0x15, b"\n"),
        (0x25, b"\n"),
        (0x40, b" "),
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
        (0xF0, b"0123456789"),
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
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of text that all pages have alike.
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
}
