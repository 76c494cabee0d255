//! Undoes one step: takes the bytes of a text in the encoding that it was read as, and reads them in another.
#![forbid(unsafe_code)]

use encoding_rs as rs;
use encoding_rs::Encoding;
use oem_cp::code_table::{DECODING_TABLE_CP437, DECODING_TABLE_CP850, DECODING_TABLE_CP852};

use super::page::Page;
use super::utf16;

/// What pages and readers have in common.
pub(super) trait Reading {
    fn name(&self) -> &'static str;
    /// Bits against the encoding.
    fn seldom(&self) -> f32;
}

/// An encoding that bytes may have been in.
pub(super) struct Reader {
    name: &'static str,
    table: Table,
    seldom: f32,
}

enum Table {
    Web(&'static Encoding),
    /// The characters of the bytes from 80 up.
    Dos(&'static [char; 128]),
    /// UTF-16, and whether it is big-endian.
    Wide(bool),
}

const fn reader(name: &'static str, encoding: &'static Encoding, seldom: f32) -> Reader {
    Reader { name, table: Table::Web(encoding), seldom }
}

const fn dos(name: &'static str, table: &'static [char; 128], seldom: f32) -> Reader {
    Reader { name, table: Table::Dos(table), seldom }
}

/// UTF-8 comes first. Every other encoding has to make a text much more plausible.
pub(super) static READERS: [Reader; 32] = [
    reader("utf-8", rs::UTF_8, 0.0),
    reader("windows-1251", rs::WINDOWS_1251, 6.0),
    reader("windows-1252", rs::WINDOWS_1252, 6.0),
    reader("windows-1250", rs::WINDOWS_1250, 7.0),
    reader("windows-1253", rs::WINDOWS_1253, 7.0),
    reader("windows-1254", rs::WINDOWS_1254, 8.0),
    reader("windows-1255", rs::WINDOWS_1255, 7.0),
    reader("windows-1256", rs::WINDOWS_1256, 7.0),
    reader("windows-1257", rs::WINDOWS_1257, 8.0),
    reader("windows-1258", rs::WINDOWS_1258, 10.0),
    reader("windows-874", rs::WINDOWS_874, 7.0),
    reader("iso-8859-2", rs::ISO_8859_2, 8.0),
    reader("iso-8859-5", rs::ISO_8859_5, 9.0),
    reader("iso-8859-7", rs::ISO_8859_7, 8.0),
    reader("iso-8859-15", rs::ISO_8859_15, 10.0),
    reader("koi8-r", rs::KOI8_R, 7.0),
    reader("koi8-u", rs::KOI8_U, 8.0),
    reader("ibm866", rs::IBM866, 8.0),
    dos("ibm850", &DECODING_TABLE_CP850, 9.0),
    dos("ibm852", &DECODING_TABLE_CP852, 9.0),
    dos("ibm437", &DECODING_TABLE_CP437, 10.0),
    reader("macintosh", rs::MACINTOSH, 10.0),
    reader("x-mac-cyrillic", rs::X_MAC_CYRILLIC, 11.0),
    reader("shift_jis", rs::SHIFT_JIS, 7.0),
    reader("euc-jp", rs::EUC_JP, 8.0),
    reader("gbk", rs::GBK, 7.0),
    reader("big5", rs::BIG5, 7.0),
    reader("euc-kr", rs::EUC_KR, 7.0),
    reader("iso-8859-9", rs::WINDOWS_1254, 12.0),
    reader("iso-8859-1", rs::WINDOWS_1252, 12.0),
    Reader { name: "utf-16le", table: Table::Wide(false), seldom: 6.0 },
    Reader { name: "utf-16be", table: Table::Wide(true), seldom: 7.0 },
];

impl Reading for Reader {
    fn name(&self) -> &'static str {
        self.name
    }

    fn seldom(&self) -> f32 {
        self.seldom
    }
}

impl Reader {
    pub(super) fn is_multibyte(&self) -> bool {
        let Table::Web(encoding) = self.table else { return false };
        !encoding.is_single_byte() && encoding != rs::UTF_8
    }

    pub(super) fn is_utf16(&self) -> bool {
        matches!(self.table, Table::Wide(_))
    }

    /// Reads well-formed bytes, or returns `None`. UTF-8 may be cut off at its end, as samples are.
    pub(super) fn text(&self, bytes: &[u8]) -> Option<String> {
        if self.name == "utf-8" {
            let end = match str::from_utf8(bytes) {
                Ok(_) => bytes.len(),
                Err(error) if error.error_len().is_none() => error.valid_up_to(),
                Err(_) => return None,
            };
            return String::from_utf8(bytes[..end].to_vec()).ok();
        }
        match self.table {
            Table::Web(encoding) => {
                encoding.decode_without_bom_handling_and_without_replacement(bytes).map(Into::into)
            }
            Table::Wide(is_big) => utf16::text(bytes, is_big),
            Table::Dos(table) => {
                let read = |&byte: &u8| match byte {
                    0x80.. => table[usize::from(byte - 0x80)],
                    byte => char::from(byte),
                };
                Some(bytes.iter().map(read).collect())
            }
        }
    }
}

/// The byte that represents U+FFFD. Only UTF-16 has it in text.
pub(super) const LOST: u8 = 0;

/// Whether the text has U+FFFD, but at most once in six characters.
pub(super) fn are_few_lost(text: &str) -> bool {
    let (mut lost, mut all) = (0, 0);
    for c in text.chars() {
        if c == char::from(LOST) {
            return false;
        }
        lost += usize::from(c == char::REPLACEMENT_CHARACTER);
        all += 1;
    }
    lost > 0 && lost * 6 <= all
}

/// Reads `bytes`, which are `before` on a page.
pub(super) fn read(reader: &Reader, bytes: &[u8], before: &str) -> Option<String> {
    let text = reader.text(bytes).or_else(|| {
        // The last byte may be half of a character that is cut off: its character stays.
        let last = before.chars().next_back().filter(|last| !last.is_ascii())?;
        let is_cut = reader.is_multibyte() && bytes.len() == before.chars().count();
        let text = if is_cut { reader.text(&bytes[..bytes.len() - 1]) } else { None };
        text.map(|text| text + last.encode_utf8(&mut [0; 4]))
    })?;
    let is_lossy = bytes.contains(&LOST) && are_few_lost(before);
    Some(if is_lossy { text.replace(char::from(LOST), "\u{FFFD}") } else { text })
}

/// Whether both encodings are of DOS, or both of the classic Macintosh.
pub(super) fn are_kin(page: &Page, reader: &Reader) -> bool {
    let is_dos = |name: &str| name.starts_with("ibm");
    let is_mac = |name: &str| name.contains("mac");
    is_dos(page.name()) && is_dos(reader.name) || is_mac(page.name()) && is_mac(reader.name)
}
