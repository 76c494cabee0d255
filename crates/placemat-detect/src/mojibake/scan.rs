//! A fast scan of text that is not mojibake.
#![forbid(unsafe_code)]

use super::page::{COUNT, TABLE};
use super::sequence;
use super::step::Open;

/// Bytes that are looked at as a block, and those behind them that decide about its last characters.
const BLOCK: usize = 64;
const AHEAD: usize = 3;
/// Bytes that are looked at closely before a block is again.
const STRETCH: usize = 4 * BLOCK;

/// The byte offset of the first whole sequence in `text` on any page, or of the first that is worn beyond doubt:
/// a line without one is not mojibake. What cannot be part of one is skipped in blocks, the rest is looked at character by character.
pub(super) fn first(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += plain(&bytes[at..]);
        match closely(text, at) {
            Ok(end) if end == bytes.len() => return None,
            Ok(end) => at = end,
            Err(found) => return Some(found),
        }
    }
}

/// How many bytes of `bytes`, in whole blocks, have no two characters side by side that may both be on a page, and no stranded letter.
/// The compiler makes vectors of it.
fn plain(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(block) = bytes.get(at..at + BLOCK + AHEAD) {
        if !block[..BLOCK].is_ascii() && has_neighbours(block) {
            break;
        }
        at += BLOCK;
    }
    at
}

/// Whether a character that begins in the block has a neighbour behind it, and both may be on a page; or may be a stranded letter.
fn has_neighbours(block: &[u8]) -> bool {
    let (first, second, third, fourth) =
        (&block[..BLOCK], &block[1..=BLOCK], &block[2..BLOCK + 2], &block[3..BLOCK + 3]);
    let mut any = 0;
    for at in 0..BLOCK {
        let (a, b, c, d) = (first[at], second[at], third[at], fourth[at]);
        let pair = two(a) & (two(c) | three(c)) | three(a) & (two(d) | three(d));
        let stranded = u8::from(a == 0xC3) & u8::from(b | 1 == 0x83) & u8::from(c == b' ');
        any |= pair | stranded;
    }
    any != 0
}

/// Whether a character of two bytes begins with this that may be on a page.
fn two(byte: u8) -> u8 {
    u8::from(byte.wrapping_sub(0xC2) <= 0xD1 - 0xC2)
}

/// The same for those of three bytes: E2 is punctuation and signs, EF ligatures.
fn three(byte: u8) -> u8 {
    u8::from(byte == 0xE2) | u8::from(byte == 0xEF)
}

/// Looks at characters from `from` on, where no sequence goes on, until none does behind [`STRETCH`] bytes. The place of a sequence,
/// or where it stopped.
fn closely(text: &str, from: usize) -> Result<usize, usize> {
    let (table, bytes) = (&*TABLE, text.as_bytes());
    let mut at = from + bytes[from..].iter().take_while(|&&byte| byte & 0xC0 == 0x80).count();
    let mut open = Open::default();
    while let Some(&byte) = bytes.get(at) {
        if byte < 0x80 {
            open = Open::default();
            if at >= from + STRETCH {
                break;
            }
            at += ascii(&bytes[at..]);
            continue;
        }
        let (step, length) = table.step(&bytes[at..]);
        if open.next(step)
            && let Some(found) = begun(text, at)
        {
            return Err(found);
        }
        if byte == 0xC3 && is_stranded(bytes, at) {
            return Err(at);
        }
        at += length;
        if at >= from + STRETCH && open.is_none() {
            break;
        }
    }
    Ok(at)
}

/// Where the first sequence begins, if any does at one of the three characters before `at`.
#[cold]
fn begun(text: &str, at: usize) -> Option<usize> {
    let mut starts = [at; 3];
    for index in (0..3).rev() {
        let before = starts.get(index + 1).copied().unwrap_or(at);
        starts[index] = text[..before].char_indices().next_back().map_or(before, |(start, _)| start);
    }
    let leads = |start: usize| text[start..].chars().next().map_or(0, |c| TABLE.get(c).leads);
    starts.into_iter().find(|&start| begins(&text[start..], leads(start)))
}

/// Whether what stands at `at` is what [`sequence::stranded`] finds.
fn is_stranded(bytes: &[u8], at: usize) -> bool {
    let Some(&[_, second @ (0x82 | 0x83), b' ', ref rest @ ..]) = bytes.get(at..) else { return false };
    let next = rest.first().copied().unwrap_or(0);
    let rest = [(second + 0x40).into(), ' ', next.into()];
    at > 0 && sequence::stranded(bytes[at - 1].into(), &rest)
}

/// Whether a whole sequence begins here on one of `pages`, other than one that is just a word.
fn begins(text: &str, pages: u16) -> bool {
    let mut ahead = ['\0'; 6];
    ahead.iter_mut().zip(text.chars()).for_each(|(slot, c)| *slot = c);
    let mut found =
        (0..COUNT).filter(|page| pages & 1 << page != 0).filter_map(|page| sequence::whole(&ahead, page));
    found.any(|found| !sequence::is_word(&ahead[..found.taken]))
}

/// How many of the first eight bytes, of which the first is ASCII, are ASCII.
fn ascii(bytes: &[u8]) -> usize {
    bytes.first_chunk().map_or(1, |word| {
        let high = u64::from_le_bytes(*word) & 0x8080_8080_8080_8080;
        high.trailing_zeros() as usize / 8
    })
}

#[cfg(test)]
mod tests;
