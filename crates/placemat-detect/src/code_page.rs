//! Encodings of one byte a character that neither the WHATWG Encoding Standard nor DOS has: Apple's scripts, Cyrillic of Ukraine and
//! Central Asia, and HP's Roman-8.
#![forbid(unsafe_code)]

use encoding_rs::Encoding;

/// Returns the characters of the bytes from 80 to FF in the encoding `name` (exact), or `None` if it is not one of [`NAMES`]. A byte
/// without a character is `None`.
///
/// Sources: Unicode's mappings (Apple's, and `KZ1048.TXT`), IANA's PTCP154, RFC 1345 (hp-roman8), IBM's code page 1125, and the GNU C
/// library's koi8-t.
///
/// ```
/// let upper = placemat_detect::code_page::upper_half("cp1125").unwrap();
/// assert_eq!(upper[0xF7 - 0x80], Some('і'));
/// assert_eq!(placemat_detect::code_page::upper_half("cp437"), None);
/// ```
#[must_use]
pub fn upper_half(name: &str) -> Option<[Option<char>; 128]> {
    let (_, like, runs) = PAGES.iter().find(|(page, ..)| *page == name)?;
    let mut upper = match Encoding::for_label(like.as_bytes()) {
        Some(encoding) => core::array::from_fn(|at| character(encoding, 0x80 + at as u8)),
        // As in ISO 8859-1.
        None => core::array::from_fn(|at| char::from_u32(0x80 + at as u32)),
    };
    for &(first, text) in *runs {
        for (slot, c) in upper[usize::from(first) - 0x80..].iter_mut().zip(text.chars()) {
            *slot = (c != char::REPLACEMENT_CHARACTER).then_some(c);
        }
    }
    Some(upper)
}

/// The character of a byte of an encoding of `encoding_rs`.
pub(crate) fn character(encoding: &'static Encoding, byte: u8) -> Option<char> {
    encoding.decode_without_bom_handling_and_without_replacement(&[byte])?.chars().next()
}

/// The names that [`upper_half`] accepts, as in `placemat::label`.
pub const NAMES: [&str; 11] = {
    let (mut names, mut at) = ([""; PAGES.len()], 0);
    while at < names.len() {
        names[at] = PAGES[at].0;
        at += 1;
    }
    names
};

/// The name of an encoding, the encoding that it is derived from (empty: ISO 8859-1), and the differences: a byte, and the characters
/// from that byte on. U+FFFD means no character.
type Page = (&'static str, &'static str, &'static [(u8, &'static str)]);

#[rustfmt::skip]
const PAGES: [Page; 11] = [
    ("cp1125", "ibm866", &[(0xF2, "ҐґЄєІіЇї")]),
    ("koi8-t", "koi8-r", &[(0x80, "\
        қғ‚Ғ„…†‡\u{FFFD}‰ҳ‹ҲҷҶ\u{FFFD}Қ‘’“”•–—\u{FFFD}™\u{FFFD}›\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\
        \u{FFFD}ӯӮё¤ӣ¦§\u{FFFD}\u{FFFD}\u{FFFD}«¬\u{AD}®\u{FFFD}°±²Ё\u{FFFD}Ӣ¶·\u{FFFD}№\u{FFFD}»\u{FFFD}\u{FFFD}\u{FFFD}")]),
    ("kz-1048", "windows-1251", &[
        (0x8D, "ҚҺ"), (0x98, "\u{FFFD}"), (0x9D, "қһ"), (0xA1, "ҰұӘ"), (0xA5, "Ө"), (0xAA, "Ғ"), (0xAF, "Ү"), (0xB4, "ө"),
        (0xBA, "ғ»әҢңү"),
    ]),
    ("ptcp154", "windows-1251", &[
        (0x80, "ҖҒӮғ„…ҶҮҲүҠӢҢҚҺҸҗ"), (0x98, "ҳҷҡӣңқһҹ"), (0xA4, "ӨҘҰ§Ё©Ә«¬ӯ®Ҝ°ұІіҙө"), (0xBA, "ә»јҪҫҝ"),
    ]),
    ("x-mac-ce", "macintosh", &[(0x80, "\
        ÄĀāÉĄÖÜáąČäčĆćéŹźĎíďĒēĖóėôöõúĚěü†°Ę£§•¶ß®©™ę¨≠ģĮįĪ≤≥īĶ∂∑łĻļĽľĹĺŅ\
        ņŃ¬√ńŇ∆«»…\u{A0}ňŐÕőŌ–—“”‘’÷◊ōŔŕŘ‹›řŖŗŠ‚„šŚśÁŤťÍŽžŪÓÔūŮÚůŰűŲųÝýķŻŁżĢˇ")]),
    ("x-mac-croatian", "macintosh", &[
        (0xA9, "Š"), (0xAE, "Ž"), (0xB4, "∆"), (0xB9, "š"), (0xBE, "ž"), (0xC6, "Ć«Č"), (0xD0, "Đ"), (0xD8, "\u{F8FF}©"),
        (0xDE, "Æ»–"), (0xE6, "ćÁč"), (0xF0, "đ"), (0xF9, "πË˚¸Êæ"),
    ]),
    ("x-mac-greek", "macintosh", &[(0x80, "\
        Ä¹²É³ÖÜ΅àâä΄¨çéèêë£™îï•½‰ôö¦€ùûü†ΓΔΘΛΞΠß®©ΣΪ§≠°·Α±≤≥¥ΒΕΖΗΙΚΜΦΫΨΩ\
        άΝ¬ΟΡ≈Τ«»…\u{A0}ΥΧΆΈœ–―“”‘’÷ΉΊΌΎέήίόΏύαβψδεφγηιξκλμνοπώρστθωςχυζϊϋΐΰ\u{AD}")]),
    ("x-mac-icelandic", "macintosh", &[(0xA0, "Ý"), (0xDC, "ÐðÞþý")]),
    ("x-mac-romanian", "macintosh", &[(0xAE, "ĂȘ"), (0xBE, "ăș"), (0xDE, "Țț")]),
    ("x-mac-turkish", "macintosh", &[(0xDA, "ĞğİıŞş"), (0xF5, "\u{F8A0}")]),
    ("hp-roman8", "", &[(0xA1, "\
        ÀÂÈÊËÎÏ´ˋˆ¨˜ÙÛ₤¯Ýý°ÇçÑñ¡¿¤£¥§ƒ¢âêôûáéóúàèòùäëöüÅîØÆåíøæÄìÖÜÉïßÔÁÃãÐðÍÌÓÒÕõŠšÚŸÿÞþ·µ¶¾—¼½ªº«■»±\u{FFFD}")]),
];

#[cfg(test)]
mod tests {
    use placemat::label::Label;

    use super::{NAMES, upper_half};

    #[test]
    fn no_two_bytes_are_the_same_character() {
        for name in NAMES {
            assert_eq!(Label::named(name), Some(Label::Legacy(name)));
            let mut characters: Vec<_> = upper_half(name).unwrap().into_iter().flatten().collect();
            let count = characters.len();
            assert!(count >= 128 - 19 && characters.iter().all(|&c| c >= '\u{80}'), "{name}: {count}");
            characters.sort_unstable();
            characters.dedup();
            assert_eq!(characters.len(), count, "{name}");
        }
    }

    /// Checks characters that the encoding has and its origin lacks, and the last byte of each run.
    #[test]
    fn characters_are_where_the_mappings_have_them() {
        for (name, bytes, text) in [
            ("cp1125", &b"\xF2\xF9\xFA\x80"[..], "Ґї·А"),
            ("koi8-t", b"\x80\x8A\xA3\xBB\xC0", "қҳё»ю"),
            ("kz-1048", b"\x8D\x9E\xA1\xA3\xA5\xA8\xB4\xBF\xE0", "ҚһҰӘӨЁөүа"),
            ("ptcp154", b"\x80\x90\x98\x9F\xA4\xB5\xBA\xBF\xE0", "ҖҗҳҹӨөәҝа"),
            ("x-mac-ce", b"\xDE\x8A\x9F\xCA\xFF", "řäü\u{A0}ˇ"),
            ("x-mac-croatian", b"\xA9\xC8\xE8\xF0\xFE\xFF", "ŠČčđæˇ"),
            ("x-mac-greek", b"\x80\xB0\xC0\xFE\xFF", "ÄΑάΰ\u{AD}"),
            ("x-mac-icelandic", b"\xA0\xDC\xE0\xFF", "ÝÐýˇ"),
            ("x-mac-romanian", b"\xAF\xBF\xDF", "Șșț"),
            ("x-mac-turkish", b"\xDA\xDF\xF5", "Ğş\u{F8A0}"),
            ("hp-roman8", b"\x80\xA1\xFE\xC5", "\u{80}À±é"),
        ] {
            let upper = upper_half(name).unwrap();
            let read: String = bytes.iter().map(|byte| upper[usize::from(byte - 0x80)].unwrap()).collect();
            assert_eq!(read, text, "{name}");
        }
    }
}
