//! The encodings that a text may have been read as by mistake, and its bytes in them.
#![forbid(unsafe_code)]

use std::cell::LazyCell;
use std::sync::OnceLock;

use encoding_rs as rs;
use encoding_rs::Encoding;
use oem_cp::code_table::{DECODING_TABLE_CP437, DECODING_TABLE_CP850, DECODING_TABLE_CP852};

use super::step::{LOST, Reading, are_few_lost};
use super::utf16;

/// An encoding that a text may have been read as by mistake.
pub(super) struct Page {
    name: &'static str,
    kind: Kind,
    seldom: f32,
}

enum Kind {
    /// The characters of the bytes from 80 up, sorted, each with its byte.
    Single(Vec<(char, u8)>),
    Multi(&'static Encoding),
    /// UTF-16, and whether it is big-endian.
    Wide(bool),
}

impl Reading for Page {
    fn name(&self) -> &'static str {
        self.name
    }

    fn seldom(&self) -> f32 {
        self.seldom
    }
}

impl Page {
    pub(super) fn is_utf16(&self) -> bool {
        matches!(self.kind, Kind::Wide(_))
    }

    fn single(name: &'static str, seldom: f32, upper: impl Fn(u8) -> Option<char>) -> Page {
        let mut bytes: Vec<_> = (0x80..=0xFF).filter_map(|byte| upper(byte).map(|c| (c, byte))).collect();
        bytes.sort_unstable();
        Page { name, kind: Kind::Single(bytes), seldom }
    }

    fn web(name: &'static str, encoding: &'static Encoding, seldom: f32) -> Page {
        Page::single(name, seldom, |byte| {
            let byte = [byte];
            let text = encoding.decode_without_bom_handling_and_without_replacement(&byte)?;
            text.chars().next()
        })
    }

    fn dos(name: &'static str, table: &'static [char; 128], seldom: f32) -> Page {
        Page::single(name, seldom, |byte| Some(table[usize::from(byte - 0x80)]))
    }

    /// The byte of a character beyond ASCII in a single-byte encoding, or 0 if it has none.
    pub(super) fn byte(&self, c: char) -> u8 {
        let Kind::Single(bytes) = &self.kind else { return 0 };
        bytes.binary_search_by_key(&c, |&(c, _)| c).map_or(0, |at| bytes[at].1)
    }

    /// The bytes of a text, if the encoding has all of its characters.
    pub(super) fn bytes(&self, text: &str) -> Option<Vec<u8>> {
        match &self.kind {
            Kind::Single(bytes) => {
                // A lost character (U+FFFD) is lost in every encoding. The check reads all of the text, so it runs at most once.
                let are_few = LazyCell::new(|| are_few_lost(text));
                let is_lost = |c| c == char::REPLACEMENT_CHARACTER && *are_few;
                let byte = |c: char| match u8::try_from(c) {
                    Ok(c) if c.is_ascii() => Some(c),
                    _ => {
                        let found = bytes.binary_search_by_key(&c, |&(c, _)| c).ok().map(|at| bytes[at].1);
                        found.or_else(|| is_lost(c).then_some(LOST))
                    }
                };
                text.chars().map(byte).collect()
            }
            Kind::Wide(is_big) => Some(utf16::bytes(text, *is_big)),
            Kind::Multi(encoding) => {
                let (bytes, _, has_failed) = encoding.encode(text);
                match has_failed {
                    true if *encoding == rs::SHIFT_JIS => with_private(encoding, text),
                    true => None,
                    false => Some(bytes.into_owned()),
                }
            }
        }
    }
}

/// Encodes text with characters of private use in Shift_JIS. Decoders return these for bytes that have no other character, but encoders
/// do not accept them.
fn with_private(encoding: &'static Encoding, text: &str) -> Option<Vec<u8>> {
    let mut found = Vec::with_capacity(text.len());
    for part in text.split_inclusive(is_private) {
        let (part, last) = match part.chars().next_back() {
            Some(last) if is_private(last) => (&part[..part.len() - last.len_utf8()], Some(last)),
            _ => (part, None),
        };
        let (bytes, _, has_failed) = encoding.encode(part);
        if has_failed {
            return None;
        }
        found.extend_from_slice(&bytes);
        match last.map(u32::from) {
            // Windows has four more, for the single bytes A0, FD, FE and FF.
            Some(c @ 0xF8F0..=0xF8F3) => found.push([0xA0, 0xFD, 0xFE, 0xFF][(c - 0xF8F0) as usize]),
            Some(c) => {
                let (lead, trail) = ((c - 0xE000) / 188, (c - 0xE000) % 188);
                found.extend([0xF0 + lead as u8, trail as u8 + if trail < 0x3F { 0x40 } else { 0x41 }]);
            }
            None => {}
        }
    }
    Some(found)
}

fn is_private(c: char) -> bool {
    matches!(c, '\u{E000}'..='\u{E757}' | '\u{F8F0}'..='\u{F8F3}')
}

/// Every page, the most usual ones first.
pub(super) fn pages() -> &'static [Page] {
    static PAGES: OnceLock<Vec<Page>> = OnceLock::new();
    PAGES.get_or_init(|| {
        let multi = |name, encoding, seldom| Page { name, kind: Kind::Multi(encoding), seldom };
        vec![
            Page::web("windows-1252", rs::WINDOWS_1252, 1.0),
            Page::single("iso-8859-1", 2.0, |byte| Some(char::from(byte))),
            Page::web("windows-1251", rs::WINDOWS_1251, 3.0),
            Page::web("windows-1250", rs::WINDOWS_1250, 3.0),
            Page::web("macintosh", rs::MACINTOSH, 4.0),
            Page::dos("ibm437", &DECODING_TABLE_CP437, 4.0),
            Page::dos("ibm850", &DECODING_TABLE_CP850, 4.5),
            multi("gbk", rs::GBK, 4.0),
            multi("shift_jis", rs::SHIFT_JIS, 4.0),
            multi("euc-kr", rs::EUC_KR, 5.0),
            multi("big5", rs::BIG5, 5.0),
            multi("euc-jp", rs::EUC_JP, 6.0),
            Page::web("koi8-r", rs::KOI8_R, 5.0),
            Page::web("ibm866", rs::IBM866, 5.0),
            Page::web("windows-1254", rs::WINDOWS_1254, 5.0),
            Page::web("windows-1253", rs::WINDOWS_1253, 5.0),
            Page::web("windows-1257", rs::WINDOWS_1257, 5.0),
            Page::web("windows-1255", rs::WINDOWS_1255, 6.0),
            Page::web("windows-1256", rs::WINDOWS_1256, 6.0),
            Page::web("windows-874", rs::WINDOWS_874, 6.0),
            Page::web("windows-1258", rs::WINDOWS_1258, 7.0),
            Page::web("iso-8859-2", rs::ISO_8859_2, 5.0),
            Page::web("iso-8859-15", rs::ISO_8859_15, 5.0),
            Page::web("iso-8859-5", rs::ISO_8859_5, 7.0),
            Page::web("iso-8859-7", rs::ISO_8859_7, 7.0),
            Page::single("iso-8859-9", 7.0, latin5),
            Page::web("koi8-u", rs::KOI8_U, 7.0),
            Page::web("x-mac-cyrillic", rs::X_MAC_CYRILLIC, 8.0),
            Page::dos("ibm852", &DECODING_TABLE_CP852, 6.0),
            Page { name: "utf-16le", kind: Kind::Wide(false), seldom: 8.0 },
            Page { name: "utf-16be", kind: Kind::Wide(true), seldom: 8.0 },
        ]
    })
}

/// ISO 8859-9. On the web its labels mean windows-1254.
fn latin5(byte: u8) -> Option<char> {
    Some(match byte {
        0xD0 => 'Ğ',
        0xDD => 'İ',
        0xDE => 'Ş',
        0xF0 => 'ğ',
        0xFD => 'ı',
        0xFE => 'ş',
        byte => char::from(byte),
    })
}
