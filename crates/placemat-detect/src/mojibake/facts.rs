//! What a line is whatever page it is read on.
#![forbid(unsafe_code)]

use super::chance;
use super::letters::{Kind, Look, look_at};
use super::page::{Entry, TABLE};
use super::run::{Reading, Run};
use super::sequence::{self, Found};

/// How many letters make a line of Latin.
const SETTLED: usize = 8;

/// What a line is whatever page it is read on.
pub(super) struct Facts {
    /// Where its characters beyond ASCII are, what they are on every page, and what they look like.
    pub(super) beyond: Vec<usize>,
    entries: Vec<&'static Entry>,
    pub(super) looks: Vec<Look>,
    /// For each of them, a bit for each page on which a sequence may begin there, whole or worn.
    pub(super) openings: Vec<u16>,
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
        let looks: Vec<Look> = beyond.iter().map(|&at| look_at(line[at])).collect();
        let stranded = |&at: &usize| at > 0 && sequence::stranded(line[at - 1], &line[at..]);
        Facts {
            pages: entries.iter().fold(!0, |pages, entry| pages & entry.pages),
            is_stranded: beyond.iter().any(stranded),
            is_drawing: chance::is_drawing(line, &beyond),
            ascii,
            others: looks.iter().filter(|look| is_other(look)).count(),
            openings: openings(line, &beyond, &entries),
            beyond,
            entries,
            looks,
        }
    }

    /// A bit for each page on which the line holds a whole sequence, or on which a sequence is worn beyond doubt.
    pub(super) fn with_sequences(&self, line: &[char]) -> u16 {
        let mut pages = u16::from(self.is_stranded);
        for (at, opening) in self.beyond.windows(2).zip(&self.openings) {
            let open = opening & !pages;
            if open != 0 && at[1] == at[0] + 1 {
                pages |= sequence::pages_at(&line[at[0]..], open);
            }
        }
        pages
    }

    /// The sequence on a page, all of its bytes present, that begins with the character beyond ASCII of this number.
    #[inline]
    pub(super) fn whole(&self, number: usize, page: usize) -> Option<Found> {
        let start = self.beyond[number];
        sequence::whole_of(|at| match self.beyond.get(number + at) {
            Some(&place) if place == start + at => self.entries[number + at].bytes[page],
            _ => 0,
        })
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
    pub(super) fn are_latin_but_for(&self, runs: &[Run]) -> bool {
        let within = |run: &Run| self.looks[run.numbers.clone()].iter().filter(|look| is_other(look)).count();
        self.ascii >= SETTLED && self.others == runs.iter().map(within).sum::<usize>()
    }
}

/// For each character beyond ASCII, a bit for each page on which it leads a sequence that the next character goes on with, or may stand for bytes of.
fn openings(line: &[char], beyond: &[usize], entries: &[&Entry]) -> Vec<u16> {
    let tails = |number: usize, at: usize| match line.get(at) {
        None | Some(' ' | '?' | &char::REPLACEMENT_CHARACTER) => !0,
        Some(c) if c.is_ascii() => 0,
        Some(_) => entries[number].tails,
    };
    (1..).zip(beyond).zip(entries).map(|((next, &at), entry)| entry.leads & tails(next, at + 1)).collect()
}

/// Whether what is beyond ASCII is a letter, or part of a frame.
fn is_other(look: &Look) -> bool {
    look.kind.is_letter() || look.kind == Kind::Frame
}
