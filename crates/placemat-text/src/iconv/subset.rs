//! Encodings that are smaller for iconv than on the web under the same name: only the characters of the standard.

use super::table::Found;

/// The part of an encoding of the web that a name means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Subset {
    /// All of it.
    Whole,
    /// A code page without the controls that others assign to its unused bytes.
    Windows,
    /// Bytes 80 to 9F are controls, as in every part of ISO/IEC 8859.
    Controls,
    /// TIS-620: bytes 80 to A0 are unused.
    Thai,
    /// GB 2312 in EUC: the rows and cells of the standard of 1980.
    Gb2312,
    /// No sequences of four bytes, and 80 is unused.
    Gbk,
    /// No sequences of four bytes; 80 is the euro sign.
    Cp936,
    /// KS X 1001 in EUC: both bytes from A1.
    EucKr,
    /// JIS X 0208 in `Shift_JIS`, with the characters of the standard; 5C and 7E are those of JIS X 0201.
    ShiftJis,
    /// JIS X 0208 and 0212 in EUC, with the characters of the standard.
    EucJp,
    /// Big5 without the additions of Hong Kong.
    Big5,
    /// RFC 2319: box drawing characters where the web has a letter of Belarusian.
    Koi8U,
    /// KOI8-RU: quotation marks and other signs where KOI8-U has mathematical signs.
    Koi8Ru,
}

/// The characters of KOI8-RU that differ from KOI8-U, by byte.
const KOI8_RU: [(u8, char); 9] = [
    (0x93, '\u{201C}'),
    (0x96, '\u{201D}'),
    (0x97, '\u{2014}'),
    (0x98, '\u{2116}'),
    (0x99, '\u{2122}'),
    (0x9B, '\u{BB}'),
    (0x9C, '\u{AE}'),
    (0x9D, '\u{AB}'),
    (0x9F, '\u{A4}'),
];

/// Characters of JIS X 0208 that Microsoft, and therefore the web, decodes to other code points: (web, standard).
const JIS: [(char, char); 6] = [
    ('\u{FF5E}', '\u{301C}'),
    ('\u{2225}', '\u{2016}'),
    ('\u{FF0D}', '\u{2212}'),
    ('\u{FFE0}', '\u{00A2}'),
    ('\u{FFE1}', '\u{00A3}'),
    ('\u{FFE2}', '\u{00AC}'),
];

/// Like [`JIS`], for GB 2312.
const GB2312: [(char, char); 2] = [('\u{2014}', '\u{2015}'), ('\u{00B7}', '\u{30FB}')];

/// The used cells of rows 1 to 9 of GB 2312: lead byte, first and last trail byte.
const GB2312_CELLS: [(u8, u8, u8); 14] = [
    (0xA1, 0xA1, 0xFE),
    (0xA2, 0xB1, 0xE2),
    (0xA2, 0xE5, 0xEE),
    (0xA2, 0xF1, 0xFC),
    (0xA3, 0xA1, 0xFE),
    (0xA4, 0xA1, 0xF3),
    (0xA5, 0xA1, 0xF6),
    (0xA6, 0xA1, 0xB8),
    (0xA6, 0xC1, 0xD8),
    (0xA7, 0xA1, 0xC1),
    (0xA7, 0xD1, 0xF1),
    (0xA8, 0xA1, 0xBA),
    (0xA8, 0xC5, 0xE9),
    (0xA9, 0xA4, 0xEF),
];

impl Subset {
    /// Returns what `bytes` mean in the subset. `found` is what they mean in the whole encoding.
    pub(super) fn admit(self, bytes: &[u8], found: Found) -> Found {
        let refused = Found::Malformed { len: bytes.len().min(if self.keeps_trail(bytes) { 1 } else { 4 }) };
        match (self, found) {
            (Subset::Controls, _) if matches!(bytes, [0x80..=0x9F]) => {
                Found::Characters { first: char::from(bytes[0]), second: None, len: 1 }
            }
            // C1 controls, except the bytes that shift to other sets.
            (Subset::EucJp, _) if matches!(bytes, [0x80..=0x8D | 0x90..=0x9F]) => {
                Found::Characters { first: char::from(bytes[0]), second: None, len: 1 }
            }
            (Subset::ShiftJis, _) if matches!(bytes, [b'\\' | b'~']) => {
                let first = if bytes[0] == b'~' { '\u{203E}' } else { '\u{A5}' };
                Found::Characters { first, second: None, len: 1 }
            }
            (Subset::Koi8U, Found::Characters { len, .. }) if matches!(bytes, [0xAE | 0xBE]) => {
                let first = if bytes[0] == 0xAE { '\u{255D}' } else { '\u{256C}' };
                Found::Characters { first, second: None, len }
            }
            (Subset::Koi8Ru, Found::Characters { second, len, .. })
                if KOI8_RU.iter().any(|&(byte, _)| bytes == [byte]) =>
            {
                let own = KOI8_RU.iter().find(|&&(byte, _)| bytes == [byte]);
                own.map_or(found, |&(_, first)| Found::Characters { first, second, len })
            }
            // Three bytes are JIS X 0212, whose characters need no mapping.
            (Subset::EucJp, Found::Characters { .. }) if bytes.len() == 3 && self.has(bytes, '\0') => found,
            (_, Found::Characters { first, second, len }) => {
                if self.has(bytes, first) {
                    Found::Characters { first: self.own_spelling(first), second, len }
                } else {
                    refused
                }
            }
            (Subset::Gbk | Subset::Cp936 | Subset::Gb2312, Found::Incomplete) if bytes.len() > 1 => {
                Found::Malformed { len: 1 }
            }
            _ => found,
        }
    }

    /// Whether the last byte of a refused sequence may start another one.
    fn keeps_trail(self, bytes: &[u8]) -> bool {
        bytes.last().is_some_and(u8::is_ascii)
    }

    fn has(self, bytes: &[u8], c: char) -> bool {
        match (self, bytes) {
            (Subset::Whole | Subset::Controls | Subset::Koi8U | Subset::Koi8Ru, _) => true,
            (_, [0..=0x7F]) => true,
            (Subset::Windows, &[byte]) => char::from(byte) != c || byte > 0x9F,
            (Subset::Thai, &[byte]) => byte > 0xA0,
            (Subset::Gb2312, &[lead, trail]) => is_gb2312(lead, trail),
            (Subset::Gbk, &[lead, _]) => lead != 0x80 && !is_private(c),
            (Subset::Cp936, [0x80]) => true,
            (Subset::Cp936, &[_, _]) => true,
            (Subset::EucKr, &[lead, trail]) => lead >= 0xA1 && trail >= 0xA1,
            (Subset::ShiftJis, &[byte]) => matches!(byte, 0xA1..=0xDF),
            (Subset::ShiftJis, &[lead, trail]) => is_jis_x_0208(cell_of_shift_jis(lead, trail)),
            (Subset::EucJp, &[0x8E, _]) => true,
            (Subset::EucJp, &[lead, trail]) => {
                is_jis_x_0208((lead.wrapping_sub(0xA0), trail.wrapping_sub(0xA0)))
            }
            (Subset::EucJp, &[0x8F, lead, _]) => lead < 0xF3,
            (Subset::Big5, &[lead, trail]) => is_big5(lead, trail),
            _ => false,
        }
    }

    fn table(self) -> &'static [(char, char)] {
        match self {
            Subset::ShiftJis | Subset::EucJp => &JIS,
            Subset::Gb2312 => &GB2312,
            _ => &[],
        }
    }

    /// The character that the subset reads where the web reads `c`.
    fn own_spelling(self, c: char) -> char {
        self.table().iter().find(|&&(web, _)| web == c).map_or(c, |&(_, own)| own)
    }

    /// Whether `c` is written as its ASCII byte, although that byte is read as another character: JIS X 0201 has no reverse solidus.
    pub(super) fn writes_as_ascii(self, c: char) -> bool {
        self == Subset::ShiftJis && matches!(c, '\\' | '~')
    }

    /// The character that the web's writer needs to write `c` of the subset.
    pub(super) fn web_spelling(self, c: char) -> char {
        self.table().iter().find(|&&(_, own)| own == c).map_or(c, |&(web, _)| web)
    }
}

fn is_private(c: char) -> bool {
    matches!(c, '\u{E000}'..='\u{F8FF}')
}

fn is_gb2312(lead: u8, trail: u8) -> bool {
    match lead {
        0xB0..=0xD6 | 0xD8..=0xF7 => trail >= 0xA1,
        0xD7 => matches!(trail, 0xA1..=0xF9),
        _ => GB2312_CELLS.iter().any(|&(row, first, last)| row == lead && (first..=last).contains(&trail)),
    }
}

/// Returns row and cell of two bytes of `Shift_JIS`.
fn cell_of_shift_jis(lead: u8, trail: u8) -> (u8, u8) {
    let pair = if lead < 0xA0 { lead.wrapping_sub(0x81) } else { lead.wrapping_sub(0xC1) };
    let row = pair.wrapping_mul(2).wrapping_add(1);
    match trail {
        0x9F.. => (row.wrapping_add(1), trail - 0x9E),
        0x80.. => (row, trail - 0x40),
        _ => (row, trail.wrapping_sub(0x3F)),
    }
}

/// Whether the standard has a character in that cell: row 13 is NEC's, and rows from 85 are NEC's and IBM's.
fn is_jis_x_0208((row, cell): (u8, u8)) -> bool {
    match row {
        2 => matches!(cell, 1..=14 | 26..=33 | 42..=48 | 60..=74 | 82..=89 | 94),
        1 | 16..=83 => true,
        3..=8 => true,
        84 => matches!(cell, 1..=6),
        _ => false,
    }
}

fn is_big5(lead: u8, trail: u8) -> bool {
    match lead {
        0xA1..=0xC5 | 0xC9..=0xF9 => true,
        0xC6 => trail <= 0x7E,
        _ => false,
    }
}
