//! A fast scan of text that is not mojibake.
#![forbid(unsafe_code)]

use super::page::{COUNT, TABLE};
use super::sequence;

/// The byte offset of the first whole sequence in `text` on any page, or of the first that is worn beyond doubt:
/// a line without one is not mojibake. ASCII is skipped in blocks, other scripts character by character.
pub(super) fn first(text: &str) -> Option<usize> {
    let table = &*TABLE;
    let bytes = text.as_bytes();
    let mut at = 0;
    // The pages on which the last character leads a sequence, and where it stands.
    let (mut leads, mut last) = (0, 0);
    while let Some(&byte) = bytes.get(at) {
        let (pages, length) = match byte {
            0..=0x7F => {
                at += ascii(&bytes[at..]);
                leads = 0;
                continue;
            }
            0xC2..=0xDF => (table.of_two(byte, bytes[at + 1]), 2),
            // E2 is punctuation and signs, EF ligatures; what the others lead is on no page.
            0xE2 | 0xEF => {
                let entry = text[at..].chars().next().map(|c| table.get(c))?;
                ((entry.leads, entry.tails), 3)
            }
            0xE0..=0xEF => ((0, 0), 3),
            _ => ((0, 0), 4),
        };
        let both = leads & pages.1;
        if both != 0 && begins(&text[last..], both) {
            return Some(last);
        }
        if byte == 0xC3 && at > 0 && bytes.get(at + 2) == Some(&b' ') && matches!(bytes[at + 1], 0x82 | 0x83)
        {
            let [before, c, next] = [bytes[at - 1], bytes[at + 1] + 0x40, *bytes.get(at + 3).unwrap_or(&0)];
            if sequence::stranded(before.into(), &[c.into(), ' ', next.into()]) {
                return Some(at);
            }
        }
        (leads, last) = (pages.0, at);
        at += length;
    }
    None
}

/// Whether a whole sequence begins here on one of `pages`, other than one that is just a word.
fn begins(text: &str, pages: u16) -> bool {
    let mut ahead = ['\0'; 6];
    ahead.iter_mut().zip(text.chars()).for_each(|(slot, c)| *slot = c);
    let mut found =
        (0..COUNT).filter(|page| pages & 1 << page != 0).filter_map(|page| sequence::whole(&ahead, page));
    found.any(|found| !sequence::is_word(&ahead[..found.taken]))
}

/// How many bytes of ASCII `bytes` begins with, sixteen at a time.
fn ascii(bytes: &[u8]) -> usize {
    let (blocks, _) = bytes.as_chunks::<16>();
    let whole = blocks.iter().take_while(|block| u128::from_ne_bytes(**block) & HIGH_BITS == 0).count();
    let start = whole * 16;
    start + bytes[start..].iter().take_while(|b| b.is_ascii()).count()
}

const HIGH_BITS: u128 = u128::from_ne_bytes([0x80; 16]);
