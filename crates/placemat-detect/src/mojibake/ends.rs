//! What is left of sequences that were cut, at the ends of a line or of a field in it: `jaÅºÅ` is `jaź` and a part of a letter.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::letters::{Kind, look_at};
use super::page::byte_on;
use super::sequence;

/// The most characters that are left of a sequence.
const MOST: usize = 3;

/// Whether the line or a field begins behind this character.
fn opens(c: char) -> bool {
    matches!(c, '"' | '\t' | '>')
}

/// Whether the line or a field ends before this character.
fn closes(c: char) -> bool {
    matches!(c, '"' | '\t' | '<' | '\r')
}

/// How many characters before `start` are the last bytes of a sequence whose beginning was cut off; 0 if anything else of their line or field stands
/// before them.
pub(super) fn rest(line: &[char], start: usize, page: usize) -> usize {
    let is_rest = |c: &&char| matches!(byte_on(page, **c), 0x80..=0xBF) && !may_open(**c);
    let count = line[..start].iter().rev().take(MOST).take_while(is_rest).count();
    if count == start || opens(line[start - count - 1]) { count } else { 0 }
}

/// Whether the mark may stand at the start of a text.
fn may_open(c: char) -> bool {
    use Kind::{Apostrophe, Ask, Close, Ellipsis, Guillemet, Link, NoBreakSpace, Open, Quote};
    matches!(
        look_at(c).kind,
        Apostrophe | Ask | Close | Ellipsis | Guillemet | Link | NoBreakSpace | Open | Quote
    )
}

/// How many characters from `end` on are the first bytes of a sequence whose rest was cut off; 0 if anything else of their line or field stands behind
/// them.
pub(super) fn beginning(line: &[char], end: usize, page: usize) -> usize {
    let count = begun(&line[end..], page);
    if line.get(end + count).is_none_or(|&c| closes(c)) { count } else { 0 }
}

/// Whether a run may as well be the beginning of a sequence on windows-1252 whose rest was cut off. If it is not the only run, that is so at the end
/// of the line or a field.
pub(super) fn is_cut(line: &[char], run: &Range<usize>, is_alone: bool) -> bool {
    is_begun(&line[run.start..], run.len(), 0) && (is_alone || beginning(line, run.start, 0) > 0)
}

/// Whether all of `text` up to `end` are the first bytes of a sequence that lacks others.
pub(super) fn is_begun(text: &[char], end: usize, page: usize) -> bool {
    begun(text, page) >= end
}

/// How many characters at the start of `text` are the first bytes of a sequence that lacks others.
fn begun(text: &[char], page: usize) -> usize {
    let byte = |at: usize| text.get(at).map_or(0, |&c| byte_on(page, c));
    let Some(length) = sequence::length(byte(0)) else { return 0 };
    let count = (1..length).take_while(|&at| matches!(byte(at), 0x80..=0xBF)).count() + 1;
    if count < length { count } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_found_at_the_ends_only() {
        let line = |text: &str| text.chars().collect::<Vec<char>>();
        for (text, at, count) in [("©Ã©", 1, 1), ("a©Ã©", 2, 0), ("\"©Ã©", 2, 1), ("Ã©", 0, 0), ("»Ã©", 1, 0)]
        {
            assert_eq!(rest(&line(text), at, 0), count, "{text}");
        }
        for (text, at, count) in [
            ("Ã©Å", 2, 1),
            ("Ã©â€", 2, 2),
            ("Ã©Åa", 2, 0),
            ("Ã©Å<", 2, 1),
            ("Ã©Å,", 2, 0),
            ("Ã©â€™", 2, 0),
            ("Ã©©", 2, 0),
        ] {
            assert_eq!(beginning(&line(text), at, 0), count, "{text}");
        }
    }
}
