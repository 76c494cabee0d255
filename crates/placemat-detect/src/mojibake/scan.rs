//! A fast scan of text that is not mojibake.
#![forbid(unsafe_code)]

use placemat::Neighbours;

use super::page::{Entry, FIRST_LATE, TABLE, members};
use super::sequence;

const BLOCK: usize = Neighbours::BLOCK;
const AHEAD: usize = Neighbours::AHEAD;
/// Characters of a sequence before the first pair of it that is marked, at most: letters of a word, in a pair of surrogates.
const BEFORE: usize = 5;

/// The byte offset of the first whole sequence in `text` on any page, or of the first that is worn beyond doubt:
/// a line without one is not mojibake. Pairs of characters that may be part of one are found in blocks, and looked at closely.
pub(super) fn first(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 0;
    if bytes.len() >= BLOCK + AHEAD {
        let found;
        (at, found) = among(text, bytes, 0);
        if found.is_some() {
            return found;
        }
    }
    let rest = &bytes[at..];
    if rest.is_ascii() {
        return None;
    }
    // At most a block and what decides about its end, with nothing behind.
    let mut last = [0; 2 * BLOCK + AHEAD];
    last[..rest.len()].copy_from_slice(rest);
    among(text, &last[..rest.len().next_multiple_of(BLOCK) + AHEAD], at).1
}

/// Where the first is in whole blocks of `bytes`, which are the text from `from` on; and where they end.
///
/// Pairs of Greek and of Cyrillic letters that begin no sequence but mere words are passed over. Where the first such pair is behind
/// the beginning of a sequence, letters of a word precede it.
fn among(text: &str, bytes: &[u8], from: usize) -> (usize, Option<usize>) {
    let mut at = 0;
    loop {
        let marked = placemat::neighbours(&bytes[at..]);
        at += marked.block;
        let mut left = marked.bits;
        if left == 0 {
            return (from + at, None);
        }
        while left != 0 {
            let found = at_mark(text, from + at + left.trailing_zeros() as usize);
            if found.is_some() {
                return (from + at, found);
            }
            left &= left - 1;
        }
        at += BLOCK;
    }
}

/// Where the first sequence begins whose first marked pair is that at `at`.
#[inline]
fn at_mark(text: &str, at: usize) -> Option<usize> {
    let mut chars = text[at..].chars();
    let (first, second) = (chars.next()?, chars.next()?);
    let (entry, tails) = (TABLE.get(first), TABLE.get(second).tails);
    let is_inside = is_small(first) || is_late(entry);
    let may_go_on = if is_inside { entry.leads | entry.tails } else { entry.leads };
    if may_go_on & tails != 0 {
        let found = begun(text, at, is_inside);
        if found.is_some() {
            return found;
        }
    }
    (matches!(first, 'Â' | 'Ã') && is_stranded(text.as_bytes(), at)).then_some(at)
}

/// Whether the pair may be passed over that this is the second character of, in a sequence.
fn is_small(c: char) -> bool {
    matches!(c, 'а'..='џ')
}

/// Whether the character may be inside a sequence without a marked pair before it: on the pages of Arabic, Thai and Hebrew only pairs with
/// a sign are marked.
fn is_late(entry: &Entry) -> bool {
    entry.tails >> FIRST_LATE != 0
}

/// Where the first sequence begins, if any does at `at`, or at the letters of a word before.
#[cold]
fn begun(text: &str, at: usize, is_inside: bool) -> Option<usize> {
    let may_be = |c: char| is_inside && !c.is_ascii();
    let before = text[..at].char_indices().rev().take(BEFORE).take_while(|&(_, c)| may_be(c));
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

/// Whether a whole sequence begins here on one of `pages`, other than one that is just a word, or one that is worn beyond doubt.
fn begins(text: &str, pages: u16) -> bool {
    let mut ahead = ['\0'; 6];
    ahead.iter_mut().zip(text.chars()).for_each(|(slot, c)| *slot = c);
    sequence::is_spaced(&ahead)
        || members(pages).any(|page| {
            let tells = |found: sequence::Found| {
                sequence::tells(&ahead[..found.taken], page) && !sequence::is_word(&ahead[..found.taken])
            };
            sequence::whole(&ahead, page).is_some_and(tells)
        })
}

#[cfg(test)]
mod tests;
