//! A fast scan of text that is not mojibake.
#![forbid(unsafe_code)]

use super::page::{COUNT, TABLE};
use super::sequence;

/// Bytes that are looked at as a block, and those behind them that decide about its last characters.
const BLOCK: usize = 64;
const AHEAD: usize = 3;
/// Characters of a sequence before the first pair of it that [`mark`] marks, at most: letters of a word, in a pair of surrogates.
const BEFORE: usize = 5;

/// The byte offset of the first whole sequence in `text` on any page, or of the first that is worn beyond doubt:
/// a line without one is not mojibake. Pairs of characters that may be part of one are found in blocks, and looked at closely.
pub(super) fn first(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut marks) = (0, [0; BLOCK]);
    while let Some(block) = bytes.get(at..at + BLOCK + AHEAD) {
        if !block[..BLOCK].is_ascii() && has_neighbours(block) && mark(block, &mut marks) {
            let found = closely(text, at, &marks);
            if found.is_some() {
                return found;
            }
        }
        at += BLOCK;
    }
    let rest = &bytes[at..];
    if rest.is_ascii() {
        return None;
    }
    // At most a block and what decides about its end, with nothing behind.
    let mut last = [0; 2 * BLOCK + AHEAD];
    last[..rest.len()].copy_from_slice(rest);
    [0, BLOCK].into_iter().filter(|&from| from < rest.len()).find_map(|from| {
        let block = &last[from..from + BLOCK + AHEAD];
        if has_neighbours(block) && mark(block, &mut marks) { closely(text, at + from, &marks) } else { None }
    })
}

/// Whether [`mark`] may mark anything: most text needs no more. The compiler makes vectors of both.
fn has_neighbours(block: &[u8]) -> bool {
    let (first, second, third, fourth) =
        (&block[..BLOCK], &block[1..=BLOCK], &block[2..BLOCK + 2], &block[3..BLOCK + 3]);
    let mut any = 0;
    for at in 0..BLOCK {
        let (a, b, c, d) = (first[at], second[at], third[at], fourth[at]);
        any |= is_pair(a, c, d) | is_open(a, b, c);
    }
    any != 0
}

/// Marks where in the block a character has a neighbour behind it, and both may be part of a sequence; or where it may be a stranded
/// letter. Whether there is any.
///
/// Pairs of Greek and of Cyrillic letters that begin no sequence but mere words are passed over. Where the first such pair is behind
/// the beginning of a sequence, letters of a word precede it.
fn mark(block: &[u8], marks: &mut [u8; BLOCK]) -> bool {
    let (first, second, third, fourth) =
        (&block[..BLOCK], &block[1..=BLOCK], &block[2..BLOCK + 2], &block[3..BLOCK + 3]);
    let mut any = 0;
    for at in 0..BLOCK {
        let (a, b, c, d) = (first[at], second[at], third[at], fourth[at]);
        let cyrillic = small(a, b) & small(c, d) | capital(a, b) & russian(c, d);
        let greek =
            u8::from(a | 1 == 0xCF) & (u8::from(c == 0xCF) | u8::from(c == 0xCE) & u8::from(d >= 0x90));
        marks[at] = is_pair(a, c, d) & !(cyrillic | greek) | is_open(a, b, c);
        any |= marks[at];
    }
    any != 0
}

/// Whether two characters side by side may be on a page; `c` and `d` are bytes behind the first one and the one behind it.
fn is_pair(a: u8, c: u8, d: u8) -> u8 {
    two(a) & (two(c) | three(c)) | three(a) & (two(d) | three(d))
}

/// Whether it is Â or Ã before a space.
fn is_open(a: u8, b: u8, c: u8) -> u8 {
    u8::from(a == 0xC3) & u8::from(b | 1 == 0x83) & u8::from(c == b' ')
}

/// Whether a character of two bytes begins with this that may be on a page.
fn two(byte: u8) -> u8 {
    u8::from(byte.wrapping_sub(0xC2) <= 0xD2 - 0xC2)
}

/// The same for those of three bytes: E2 is punctuation and signs, EF ligatures.
fn three(byte: u8) -> u8 {
    u8::from(byte == 0xE2) | u8::from(byte == 0xEF)
}

/// Whether these are the bytes of a letter from А to я; a small one, up to џ; a capital, up to Я.
fn russian(a: u8, b: u8) -> u8 {
    u8::from(a == 0xD0) & u8::from(b >= 0x90) | u8::from(a == 0xD1) & u8::from(b <= 0x8F)
}

fn small(a: u8, b: u8) -> u8 {
    u8::from(a == 0xD0) & u8::from(b >= 0xB0) | u8::from(a == 0xD1) & u8::from(b <= 0x9F)
}

fn capital(a: u8, b: u8) -> u8 {
    u8::from(a == 0xD0) & u8::from(b.wrapping_sub(0x90) < 0x20)
}

/// Where the first sequence begins of those that have their first mark in the block at `from`.
fn closely(text: &str, from: usize, marks: &[u8; BLOCK]) -> Option<usize> {
    for (word, eight) in marks.chunks_exact(8).enumerate() {
        let mut left = eight.first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight));
        while left != 0 {
            let at = from + 8 * word + left.trailing_zeros() as usize / 8;
            let found = at_mark(text, at);
            if found.is_some() {
                return found;
            }
            left &= left - 1;
        }
    }
    None
}

/// Where the first sequence begins whose first marked pair is that at `at`.
#[inline]
fn at_mark(text: &str, at: usize) -> Option<usize> {
    let mut chars = text[at..].chars();
    let (first, second) = (chars.next()?, chars.next()?);
    let (table, is_inside) = (&*TABLE, is_small(first));
    let (entry, tails) = (table.get(first), table.get(second).tails);
    let may_go_on = if is_inside { entry.leads | entry.tails } else { entry.leads };
    if may_go_on & tails != 0 {
        let found = begun(text, at, is_inside);
        if found.is_some() {
            return found;
        }
    }
    (matches!(first, 'Â' | 'Ã') && is_stranded(text.as_bytes(), at)).then_some(at)
}

/// Whether [`mark`] may pass over the pair that this is the second character of, in a sequence.
fn is_small(c: char) -> bool {
    matches!(c, 'а'..='џ')
}

/// Where the first sequence begins, if any does at `at`, or at the letters of a word before.
#[cold]
fn begun(text: &str, at: usize, is_inside: bool) -> Option<usize> {
    let before = text[..at].char_indices().rev().take(BEFORE).take_while(|&(_, c)| is_inside && is_small(c));
    let starts = before.map(|(start, _)| start).chain([at]);
    let leads = |start: usize| text[start..].chars().next().map_or(0, |c| TABLE.get(c).leads);
    starts.filter(|&start| begins(&text[start..], leads(start))).min()
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

#[cfg(test)]
mod tests;
