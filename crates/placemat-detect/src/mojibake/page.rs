//! The code pages that UTF-8 is misread in, inverted: from a character to the byte that it was read from.
#![forbid(unsafe_code)]

use std::fmt;
use std::sync::LazyLock;

use encoding_rs as rs;

/// An encoding that UTF-8 bytes were taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Page {
    /// windows-1252, the five bytes it lacks read as C1 controls (as the web does) and Latin-1 mixed in.
    Windows1252,
    /// ISO-8859-1 proper: the run holds C1 controls and nothing that only windows-1252 has.
    Latin1,
    /// windows-1250, Central Europe.
    Windows1250,
    /// windows-1251, Cyrillic.
    Windows1251,
    /// ISO-8859-2, Central Europe.
    Iso8859_2,
    /// windows-1254, Turkish.
    Windows1254,
    /// windows-1257, Baltic.
    Windows1257,
    /// windows-1253, Greek.
    Windows1253,
    /// Mac OS Roman.
    MacRoman,
    /// IBM code page 437, the first PC and the DOS console.
    Cp437,
    /// IBM code page 850, the DOS console of Western Europe.
    Cp850,
    /// IBM code page 852, the DOS console of Central Europe.
    Cp852,
    /// IBM code page 866, the DOS console in Russian.
    Cp866,
    /// KOI8-R, Russian on Unix.
    Koi8R,
    /// windows-1256, Arabic.
    Windows1256,
    /// windows-874, Thai.
    Windows874,
    /// windows-1255, Hebrew.
    Windows1255,
}

/// The pages that text is tried against; on equal merit the first wins. Latin-1 is part of windows-1252 here.
pub(crate) const TRIED: [Page; COUNT] = [
    Page::Windows1252,
    Page::Windows1250,
    Page::Windows1251,
    Page::Iso8859_2,
    Page::Windows1254,
    Page::Windows1257,
    Page::Windows1253,
    Page::MacRoman,
    Page::Cp437,
    Page::Cp850,
    Page::Cp852,
    Page::Cp866,
    Page::Koi8R,
    Page::Windows1256,
    Page::Windows874,
    Page::Windows1255,
];

/// How many pages are tried.
pub(crate) const COUNT: usize = 16;
/// The first of the pages whose letters are neither Latin nor Greek nor Cyrillic.
pub(super) const FIRST_LATE: usize = 13;

/// The set of some pages.
pub(super) fn set(pages: impl Iterator<Item = usize>) -> u16 {
    pages.fold(0, |pages, page| pages | 1 << page)
}

/// The pages of a set.
pub(super) fn members(pages: u16) -> impl Iterator<Item = usize> {
    (0..COUNT).filter(move |page| pages & 1 << page != 0)
}

impl Page {
    /// The usual label: the WHATWG one where it has one.
    ///
    /// ```
    /// use placemat_detect::mojibake::Page;
    ///
    /// assert_eq!(Page::MacRoman.name(), "macintosh");
    /// ```
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Windows1252 => "windows-1252",
            Self::Latin1 => "iso-8859-1",
            Self::Windows1250 => "windows-1250",
            Self::Windows1251 => "windows-1251",
            Self::Iso8859_2 => "iso-8859-2",
            Self::Windows1254 => "windows-1254",
            Self::Windows1257 => "windows-1257",
            Self::Windows1253 => "windows-1253",
            Self::MacRoman => "macintosh",
            Self::Cp437 => "ibm437",
            Self::Cp850 => "ibm850",
            Self::Cp852 => "ibm852",
            Self::Cp866 => "ibm866",
            Self::Koi8R => "koi8-r",
            Self::Windows1256 => "windows-1256",
            Self::Windows874 => "windows-874",
            Self::Windows1255 => "windows-1255",
        }
    }

    /// What each byte from 80 to FF reads as; U+FFFD where it reads as nothing.
    fn upper_half(self) -> [char; 128] {
        let web = |encoding: &'static rs::Encoding| {
            std::array::from_fn(|i| {
                let byte = [0x80 + i as u8];
                let (text, _) = encoding.decode_without_bom_handling(&byte);
                text.chars().next().unwrap_or(char::REPLACEMENT_CHARACTER)
            })
        };
        match self {
            Self::Windows1252 => web(rs::WINDOWS_1252),
            Self::Latin1 => std::array::from_fn(|i| char::from(0x80 + i as u8)),
            Self::Windows1250 => web(rs::WINDOWS_1250),
            Self::Windows1251 => web(rs::WINDOWS_1251),
            Self::Iso8859_2 => web(rs::ISO_8859_2),
            Self::Windows1254 => web(rs::WINDOWS_1254),
            Self::Windows1257 => web(rs::WINDOWS_1257),
            Self::Windows1253 => web(rs::WINDOWS_1253),
            Self::MacRoman => web(rs::MACINTOSH),
            Self::Cp437 => oem_cp::code_table::DECODING_TABLE_CP437,
            Self::Cp850 => oem_cp::code_table::DECODING_TABLE_CP850,
            Self::Cp852 => oem_cp::code_table::DECODING_TABLE_CP852,
            Self::Cp866 => web(rs::IBM866),
            Self::Koi8R => web(rs::KOI8_R),
            Self::Windows1256 => web(rs::WINDOWS_1256),
            Self::Windows874 => web(rs::WINDOWS_874),
            Self::Windows1255 => web(rs::WINDOWS_1255),
        }
    }
}

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What one character is on every page.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// Its byte on each page of [`TRIED`], 0 where it has none.
    pub(super) bytes: [u8; COUNT],
    /// A bit for each page that has it.
    pub(super) pages: u16,
    /// A bit for each page on which it begins a UTF-8 sequence.
    pub(super) leads: u16,
    /// A bit for each page on which it goes on with one.
    pub(super) tails: u16,
}

const NONE: Entry = Entry { bytes: [0; COUNT], pages: 0, leads: 0, tails: 0 };
const ROW: usize = 64;

/// All pages in one table of two levels; a row is 64 code points, row 0 is empty and shared.
pub(super) struct Table {
    rows: Vec<[Entry; ROW]>,
    row_of: [u8; 0x1_0000 / ROW],
}

impl Table {
    fn new() -> Self {
        let mut table = Self { rows: vec![[NONE; ROW]], row_of: [0; 0x1_0000 / ROW] };
        for (index, page) in TRIED.iter().enumerate() {
            for (byte, c) in (0x80..=0xFF).zip(page.upper_half()) {
                // As many readers do, bytes without a character are taken for those of Latin-1.
                let c = if c == char::REPLACEMENT_CHARACTER { char::from(byte) } else { c };
                table.set(c, index, byte);
            }
        }
        for byte in 0x80..=0x9F {
            table.set(char::from(byte), 0, byte);
        }
        table
    }

    fn set(&mut self, c: char, page: usize, byte: u8) {
        let at = c as usize;
        let row = &mut self.row_of[at / ROW];
        if *row == 0 {
            *row = u8::try_from(self.rows.len()).expect("sixteen pages hold fewer than 255 rows");
            self.rows.push([NONE; ROW]);
        }
        let entry = &mut self.rows[usize::from(*row)][at % ROW];
        entry.bytes[page] = byte;
        entry.pages |= 1 << page;
        match byte {
            0x80..=0xBF => entry.tails |= 1 << page,
            0xC2..=0xF4 => entry.leads |= 1 << page,
            _ => {}
        }
    }

    /// What `c` is on every page.
    #[inline]
    pub(super) fn get(&self, c: char) -> &Entry {
        let at = c as usize;
        let row = self.row_of.get(at / ROW).map_or(0, |&row| usize::from(row));
        &self.rows[row][at % ROW]
    }
}

/// The byte of a character on a page of [`TRIED`], 0 where it has none.
pub(crate) fn byte_on(page: usize, c: char) -> u8 {
    TABLE.get(c).bytes[page]
}

/// The table, built at its first use: about 20 KiB.
pub(super) static TABLE: LazyLock<Table> = LazyLock::new(Table::new);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_maps_back() {
        for (index, page) in TRIED.iter().enumerate() {
            for (byte, c) in (0x80..=0xFF_u8).zip(page.upper_half()) {
                if c != char::REPLACEMENT_CHARACTER {
                    assert_eq!(TABLE.get(c).bytes[index], byte, "{page:?} {c:?}");
                }
            }
        }
    }

    #[test]
    fn ascii_and_the_rest_of_unicode_are_on_no_page() {
        for c in ['\0', 'A', '\u{7F}', '\u{3000}', '\u{FFFD}', '\u{1F600}', '\u{10FFFF}'] {
            assert_eq!(TABLE.get(c).bytes, [0; COUNT], "{c:?}");
        }
    }

    #[test]
    fn c1_controls_are_latin_1() {
        assert_eq!(TABLE.get('\u{93}').bytes[0], 0x93);
        assert_eq!(TABLE.get('\u{201C}').bytes[0], 0x93);
    }
}
