//! What a line is whatever page it is read on.
#![forbid(unsafe_code)]

use super::chance;
use super::letters::{Kind, look_at};
use super::page::{Entry, TABLE};
use super::run::{Reading, Run};
use super::sequence;

/// How many letters make a line of Latin.
const SETTLED: usize = 8;

/// What a line is whatever page it is read on.
pub(super) struct Facts {
    /// Where its characters beyond ASCII are, and what they are on every page.
    pub(super) beyond: Vec<usize>,
    pub(super) entries: Vec<&'static Entry>,
    /// A bit for each page that has all of these.
    pub(super) pages: u16,
    /// Whether any of them is what [`sequence::stranded`] finds.
    pub(super) is_stranded: bool,
    pub(super) is_drawing: bool,
    /// Letters of ASCII; and other letters, and frames.
    ascii: usize,
    others: usize,
}

impl Facts {
    pub(super) fn of(line: &[char]) -> Facts {
        // Without a branch for each character: they come in no order.
        let mut beyond = vec![0; line.len()];
        let (mut count, mut ascii) = (0, 0);
        for (at, c) in line.iter().enumerate() {
            beyond[count] = at;
            count += usize::from(!c.is_ascii());
            ascii += usize::from(c.is_ascii_alphabetic());
        }
        beyond.truncate(count);
        let table = &*TABLE;
        let entries: Vec<&Entry> = beyond.iter().map(|&at| table.get(line[at])).collect();
        let stranded = |&at: &usize| at > 0 && sequence::stranded(line[at - 1], &line[at..]);
        Facts {
            pages: entries.iter().fold(!0, |pages, entry| pages & entry.pages),
            is_stranded: beyond.iter().any(stranded),
            is_drawing: chance::is_drawing(line, &beyond),
            ascii,
            others: beyond.iter().filter(|&&at| is_other(line[at])).count(),
            beyond,
            entries,
        }
    }

    /// A bit for each page on which the line holds a whole sequence, or on which a sequence is worn beyond doubt.
    pub(super) fn with_sequences(&self, line: &[char]) -> u16 {
        let mut pages = u16::from(self.is_stranded);
        for (at, pair) in self.beyond.windows(2).zip(self.entries.windows(2)) {
            if at[1] == at[0] + 1 {
                pages |= sequence::pages_at(&line[at[0]..], pair[0].leads & pair[1].tails & !pages);
            }
        }
        pages
    }

    /// Whether a sequence may begin on a page with a character beyond ASCII, the one of this number, whole or worn.
    pub(super) fn may_begin(&self, line: &[char], number: usize, page: usize) -> bool {
        let at = self.beyond[number] + 1;
        let goes_on = |entry: &&Entry| entry.tails & 1 << page != 0;
        self.entries[number].leads & 1 << page != 0
            && match line.get(at) {
                None | Some(' ' | '?' | &char::REPLACEMENT_CHARACTER) => true,
                Some(c) => !c.is_ascii() && self.entries.get(number + 1).is_some_and(goes_on),
            }
    }

    /// Whether two pages read the line alike.
    pub(super) fn are_alike(&self, a: usize, b: usize) -> bool {
        let is_alike = |entry: &Entry| entry.bytes[a] == entry.bytes[b];
        is_alike(TABLE.get('\u{A0}')) && self.entries.iter().all(|entry| is_alike(entry))
    }

    /// Whether all runs of `reading` are beyond doubt, and nothing beyond ASCII stands outside them: a page that lacks some of the line
    /// then need not be looked at.
    pub(super) fn is_explained(&self, reading: &Reading) -> bool {
        let explained: usize = reading.runs.iter().map(|run| run.span.len()).sum();
        explained == self.beyond.len() && reading.runs.iter().all(Run::is_beyond_doubt)
    }

    /// Whether the line is in ASCII letters, with no other letters or frames but those of its runs.
    pub(super) fn are_latin_but_for(&self, line: &[char], runs: &[Run]) -> bool {
        let within = |run: &Run| line[run.span.clone()].iter().filter(|c| is_other(**c)).count();
        self.ascii >= SETTLED && self.others == runs.iter().map(within).sum::<usize>()
    }
}

/// Whether `c` is a letter beyond ASCII, or part of a frame.
fn is_other(c: char) -> bool {
    let kind = look_at(c).kind;
    !c.is_ascii() && (kind.is_letter() || kind == Kind::Frame)
}
