//! Characters of two bytes whose second byte is a backslash, a bar or another ASCII character, as Shift_JIS, Big5 and GBK have them.
//! A reader of bytes takes that byte for an escape or a delimiter, a reader of text does not. Both kinds of programs write files, and
//! the file does not say which one wrote it.

use placemat::Policy;

use crate::charset::{Legacy, LegacyReader};

pub(super) const ESCAPE: &str = "a backslash or quote may be half a character here";

pub(super) const DELIMITER: &str = "the delimiter may be the second byte of a character here: write the file with commas or tabs, or in UTF-8";

/// Whether the encoding has characters whose second byte is an ASCII character that is no letter and no digit.
pub(super) fn has_such(encoding: Legacy) -> bool {
    matches!(encoding.name(), "big5" | "gb18030" | "gbk" | "shift_jis")
}

/// How much text before a backslash is looked at, in bytes.
pub(super) const LONGEST_RUN: usize = 64;

/// Whether the text may end with the first byte of such a character: the bytes at its end that are not ASCII are not UTF-8. Constant time.
pub(super) fn may_end_in_half(text: &[u8]) -> bool {
    let run = run(&text[text.len().saturating_sub(LONGEST_RUN)..]);
    // The start of a longer run may be inside a character of UTF-8.
    let cut = if run.len() < LONGEST_RUN { 0 } else { 3 };
    let start = run.iter().take(cut).take_while(|byte| matches!(byte, 0x80..0xC0)).count();
    text.last() >= Some(&0x81) && !placemat::is_valid(&run[start..])
}

/// Whether the text ends with the first byte of a character in this encoding, and `next` is its second byte. Linear.
pub(super) fn is_half(encoding: Legacy, text: &[u8], next: u8) -> bool {
    let run = run(text);
    !placemat::is_valid(run) && !is_whole(encoding, run) && is_whole(encoding, &[run, &[next]].concat())
}

/// The bytes at the end that are not ASCII. Before them is an ASCII byte, so they start with a whole character.
fn run(text: &[u8]) -> &[u8] {
    &text[text.iter().rposition(u8::is_ascii).map_or(0, |at| at + 1)..]
}

fn is_whole(encoding: Legacy, text: &[u8]) -> bool {
    let (mut reader, mut out) = (LegacyReader::new(encoding, Policy::Stop), Vec::new());
    reader.push(text, &mut out).is_ok() && reader.finish(&mut out).is_ok()
}
