//! Characters of two bytes whose second byte is a backslash, a bar or another ASCII character, as Shift_JIS, Big5 and GBK have them.

use placemat::Policy;

use super::{Legacy, LegacyReader};

/// Whether the encoding has characters whose second byte is an ASCII character that is no letter and no digit.
pub(crate) fn has_such(encoding: Legacy) -> bool {
    matches!(encoding.name(), "big5" | "gb18030" | "gbk" | "shift_jis")
}

/// How much text before a backslash is looked at, in bytes.
pub(crate) const LONGEST_RUN: usize = 64;

/// Whether the text may end with the first byte of such a character: the bytes at its end that are not ASCII are not UTF-8. Constant time.
pub(crate) fn may_end_in_half(text: &[u8]) -> bool {
    let run = run(&text[text.len().saturating_sub(LONGEST_RUN)..]);
    // The start of a longer run may be inside a character of UTF-8.
    let cut = if run.len() < LONGEST_RUN { 0 } else { 3 };
    let start = run.iter().take(cut).take_while(|byte| matches!(byte, 0x80..0xC0)).count();
    text.last() >= Some(&0x81) && !placemat::is_valid(&run[start..])
}

/// Whether the text ends with the first byte of a character in this encoding, and `next` is its second byte. Linear.
pub(crate) fn is_half(encoding: Legacy, text: &[u8], next: u8) -> bool {
    let run = run(text);
    !placemat::is_valid(run) && !is_whole(encoding, run) && is_whole(encoding, &[run, &[next]].concat())
}

/// The number of bytes of `after` that belong to the last character of the text in this encoding: none if the text ends with a whole
/// character, or with UTF-8. Linear.
pub(crate) fn rest(encoding: Legacy, text: &[u8], after: &[u8]) -> usize {
    let run = run(text);
    if !has_such(encoding) || placemat::is_valid(run) || is_whole(encoding, run) {
        return 0;
    }
    // gb18030 also has characters of four bytes, of which the second and the last are digits.
    let is_enough = |&n: &usize| after.get(..n).is_some_and(|rest| is_whole(encoding, &[run, rest].concat()));
    [1, 3].into_iter().find(is_enough).unwrap_or(0)
}

/// The bytes at the end that are not ASCII. Before them is an ASCII byte, so they start with a whole character.
fn run(text: &[u8]) -> &[u8] {
    &text[text.iter().rposition(u8::is_ascii).map_or(0, |at| at + 1)..]
}

fn is_whole(encoding: Legacy, text: &[u8]) -> bool {
    let (mut reader, mut out) = (LegacyReader::new(encoding, Policy::Stop), Vec::new());
    reader.push(text, &mut out).is_ok() && reader.finish(&mut out).is_ok()
}
