//! UTF-16 in chains: its bytes read one by one, and bytes of other encodings read as its code units.
#![forbid(unsafe_code)]

use super::cost::quick;
use super::page::Page;
use super::step::Reader;

/// The highest cost of a likely text, in bits per character: almost any bytes are some text in UTF-16.
const DEAR: f32 = 12.0;

/// The bytes of a text that was read as UTF-16 by mistake. An odd byte at the end was read as U+FFFD or not at all.
pub(super) fn bytes(text: &str, is_big: bool) -> Vec<u8> {
    let text = text.strip_suffix(char::REPLACEMENT_CHARACTER).unwrap_or(text);
    let order = if is_big { u16::to_be_bytes } else { u16::to_le_bytes };
    text.encode_utf16().flat_map(order).collect()
}

/// Reads bytes as UTF-16 without a byte order mark. An odd byte at the end is kept if it is ASCII, and lost otherwise.
pub(super) fn text(bytes: &[u8], is_big: bool) -> Option<String> {
    let mut units = bytes.chunks_exact(2);
    let order = if is_big { u16::from_be_bytes } else { u16::from_le_bytes };
    let pairs = units.by_ref().map(|pair| order([pair[0], pair[1]]));
    let mut text: String = char::decode_utf16(pairs).collect::<Result<_, _>>().ok()?;
    if let [byte] = *units.remainder() {
        let is_kept = byte.is_ascii() && !byte.is_ascii_control();
        text.push(if is_kept { char::from(byte) } else { char::REPLACEMENT_CHARACTER });
    }
    Some(text.strip_prefix('\u{FEFF}').map(str::to_owned).unwrap_or(text))
}

/// Whether a text that was read from or as UTF-16 is likely to be text.
pub(super) fn is_likely(text: &str) -> bool {
    let is_space = |c: &char| matches!(c, '\n' | '\r' | '\t');
    let all = text.chars().count();
    // The letters of India (U+0900 to U+0DFF) have a byte that is read as a tab, line feed or carriage return.
    let are_few = text.chars().filter(is_space).count() * 8 <= all;
    let is_odd = |c: char| c.is_control() && !is_space(&c);
    all > 0 && are_few && !text.contains(is_odd) && quick(text) <= DEAR * all as f32
}

/// Whether a reader is tried on the bytes of a page. Otherwise every pair of letters would be read as an East Asian character.
pub(super) fn are_tried(page: &Page, reader: &Reader, bytes: &[u8], is_first: bool) -> bool {
    match (page.is_utf16(), reader.is_utf16()) {
        (true, false) => is_first && !bytes.contains(&0),
        (true, true) => is_first,
        (false, true) => is_first || bytes.contains(&0),
        (false, false) => true,
    }
}
