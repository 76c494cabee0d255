//! More than other pages can make of a line, found for all of them in one pass over its characters.
#![forbid(unsafe_code)]

use std::ops::Range;

use super::super::doubt::{MOST_TAKEN_OFF, MOST_TAKEN_OFF_LAST, NO_SYMBOL};
use super::super::letters::Part;
use super::super::line::{COVERED, READ};
use super::super::page::{COUNT, members};
use super::super::run::{IN_CAPITALS, SEQUENCE, VISITOR, most_stray};
use super::Island;
use super::facts::{Fact, NEAR, Open, Pairs, facts, pairs};
use super::rival::MOST;

/// What each page makes of a line, or more.
#[derive(Default)]
pub(super) struct Bounds {
    merits: [i32; COUNT],
    /// How many characters are in sequences.
    covered: [usize; COUNT],
    /// How many characters the last run has, up to here.
    run: [usize; COUNT],
    /// A bit for each page on which it may stand for mojibake again.
    again: u16,
    /// Where the last island ends; a bit for each page on which a sequence that was worn there may touch what comes behind, and what it
    /// and those that it touches count for if it does.
    end: usize,
    worn: u16,
    pending: [i32; COUNT],
    /// What the merits were before each character beyond ASCII whose number is divisible by [`APART`].
    marks: Vec<[i32; COUNT]>,
}

/// How far apart the marks are, in characters.
const APART: usize = 128;
/// The longest sequence, in characters.
const LONGEST: usize = 4;
/// The rarest character of a page.
const RAREST: i32 = 60;
/// More than a sequence that was worn can count for.
const WORN: i32 = LONGEST as i32 * (MOST + RAREST);

/// A sequence on some pages: where in the island it ends, and how long it is.
struct Sequence {
    end: usize,
    length: usize,
    pages: u16,
}

impl Bounds {
    /// For `pages`, a bit for each. A sequence that was worn counts only in a run with one that is whole.
    pub(super) fn of<'a>(
        line: &str,
        islands: impl Iterator<Item = (&'a Island, &'a [&'static Fact])>,
        pages: u16,
    ) -> Self {
        let mut bounds = Self::default();
        for (island, facts) in islands.filter(|(island, _)| (island.some | island.worn) & pages != 0) {
            bounds.add(line, island, facts, pages);
        }
        bounds
    }

    /// Whether what `page` makes of the line, which has so many characters beyond ASCII, is surely not as good as one of this merit, and
    /// not a single run for each island. All that begins before character number `from` is left out.
    pub(super) fn is_outdone(&self, page: usize, from: usize, merit: i32, count: usize) -> bool {
        let all = &self.merits;
        let before = self.marks.get(from / APART).unwrap_or(all)[page];
        all[page] - before < merit && self.covered[page] < count
    }

    fn add(&mut self, line: &str, island: &Island, facts: &[&'static Fact], pages: u16) {
        let (doubts, mut open, mut ended) = (Doubts::around(line, island, facts), Open::default(), [0; 4]);
        if island.start != self.end + 1 {
            self.worn = 0;
        }
        self.end = island.end;
        let before_island = island.count - facts.len();
        // Up to here no mark is missing.
        let mut unmarked = (self.marks.len() * APART).saturating_sub(before_island);
        for (end, fact) in (1_usize..).zip(facts) {
            if end > unmarked {
                self.mark(before_island + end);
                unmarked = self.marks.len() * APART - before_island;
            }
            let mut ending = open.next(fact.step) & pages;
            // On which pages sequences ended before this character, and before those in front of it.
            let before = ended;
            ended = [ending, ended[0], ended[1], ended[2]];
            for length in 2..=4 {
                if ending == 0 {
                    break;
                }
                let Some(first) = end.checked_sub(length).map(|start| facts[start]) else { break };
                let found = ending & first.step.leads_of(length);
                ending &= !found;
                if found != 0 {
                    let touching = found & before[length - 1];
                    self.count(&doubts, &Sequence { end, length, pages: found }, touching);
                }
            }
        }
        self.wear(island.worn & pages, ended[1] | ended[2] | ended[3]);
    }

    /// Sets the marks up to a character of this number, the first being 1.
    #[cold]
    fn mark(&mut self, characters: usize) {
        self.marks.resize(characters.div_ceil(APART), self.merits);
    }

    /// On `pages` a sequence may be worn at the end of the island; on those `touching` it may touch a whole one before it.
    fn wear(&mut self, pages: u16, touching: u16) {
        let chained = std::mem::replace(&mut self.worn, pages);
        for page in members(pages) {
            let bit = 1 << page;
            self.covered[page] += LONGEST;
            if touching & bit == 0 {
                let before = if chained & bit == 0 { 0 } else { self.pending[page] };
                self.pending[page] = before + WORN;
                continue;
            }
            // What it stands for may make mojibake of the run.
            self.merits[page] += WORN;
            if self.again & bit == 0 {
                self.merits[page] += MOST * self.run[page] as i32;
                self.again |= bit;
            }
            self.pending[page] = 0;
        }
    }

    /// Adds a sequence; on the pages `touching` there is another one right before it.
    fn count(&mut self, doubt: &Doubts, sequence: &Sequence, touching: u16) {
        let Sequence { end, length, mut pages } = *sequence;
        let characters = &doubt.facts[end - length..end];
        let thirds = if length >= 3 { 2 } else { 1 };
        let (most, shared) = doubt.most(end - length..end);
        let merit = most
            + 2 * MOST_TAKEN_OFF
            + SEQUENCE * thirds
            + COVERED * length as i32
            + READ
            + most_stray(characters[0].c, characters[1].c);
        let letter = if characters[0].may_visit { VISITOR } else { 0 }
            + if doubt.before.c.is_ascii_uppercase() { IN_CAPITALS } else { 0 };
        while pages != 0 {
            let page = pages.trailing_zeros() as usize;
            pages &= pages - 1;
            let lead = characters[0].bytes[page];
            // All that Latin has in two bytes begins with one of these, and C1 controls with the first.
            let may_be_latin = lead <= 0xCA || lead >= 0xE0;
            let last = if lead == 0xC2 { MOST_TAKEN_OFF_LAST } else { 0 };
            self.merits[page] += merit + last + if may_be_latin { letter } else { 0 };
            // Where it touches another they are one run.
            self.merits[page] -= if touching & 1 << page != 0 { shared } else { 0 };
            self.covered[page] += length;
            let is_behind_worn = self.worn & 1 << page != 0 && end - length < LONGEST - 1;
            if is_behind_worn {
                self.merits[page] += self.pending[page];
                self.worn &= !(1 << page);
                self.again |= 1 << page;
            }
            self.merits[page] += self.go_on(characters, page, is_behind_worn || touching & 1 << page != 0);
        }
    }

    /// What is to be added for a sequence if the run that it belongs to may stand for mojibake again.
    fn go_on(&mut self, characters: &[&Fact], page: usize, is_touching: bool) -> i32 {
        let bit = 1 << page;
        if !is_touching {
            self.run[page] = 0;
            self.again &= !bit;
        }
        self.run[page] += characters.len();
        if self.again & bit != 0 {
            return MOST * characters.len() as i32;
        }
        if !is_touching || !may_go_on(characters, page) {
            return 0;
        }
        self.again |= bit;
        MOST * self.run[page] as i32
    }
}

/// Whether what a sequence stands for may go on with a sequence, on any page.
fn may_go_on(characters: &[&Fact], page: usize) -> bool {
    match *characters {
        [a, b] => {
            let [a, b] = [a, b].map(|fact| usize::from(fact.bytes[page]));
            facts()[..NEAR].get((a & 0x1F) << 6 | b & 0x3F).is_some_and(|fact| fact.step.tails() != 0)
        }
        // Pages have few others: with these first bytes.
        [a, _, _] => matches!(a.bytes[page], 0xE2 | 0xEF),
        _ => false,
    }
}

/// Most doubt in parts of an island.
struct Doubts<'a> {
    facts: &'a [&'static Fact],
    before: &'static Fact,
    behind: &'static Fact,
    pairs: &'static Pairs,
}

impl<'a> Doubts<'a> {
    fn around(line: &str, island: &Island, facts: &'a [&'static Fact]) -> Self {
        let bytes = line.as_bytes();
        // An end of the line is as good as a space.
        let ascii = |byte: Option<&u8>| &self::facts()[usize::from(byte.copied().unwrap_or(b' ') & 0x7F)];
        let before = ascii(bytes[..island.start].last());
        Self { facts, before, behind: ascii(bytes.get(island.end)), pairs: pairs() }
    }

    /// What the characters of `part` may cost, with what stands around them; and how much of that is between the first and what is before.
    #[inline]
    fn most(&self, part: Range<usize>) -> (i32, i32) {
        let mut last = part.start.checked_sub(1).map_or(self.before, |at| self.facts[at]);
        let mut last_but_one = part.start.checked_sub(2).map_or(self.before, |at| self.facts[at]);
        let (mut sum, mut shared) = (0, None);
        for &next in &self.facts[part.clone()] {
            let pair = self.pair(last_but_one, last, next);
            shared.get_or_insert(pair);
            sum += pair + i32::from(next.rarity);
            (last_but_one, last) = (last, next);
        }
        let behind = self.facts.get(part.end).copied().unwrap_or(self.behind);
        (sum + self.pair(last_but_one, last, behind), shared.unwrap_or(0))
    }

    fn pair(&self, last_but_one: &Fact, last: &Fact, next: &Fact) -> i32 {
        let is_symbol = matches!(last_but_one.part, Part::Symbol | Part::Unit)
            && !matches!(last.part, Part::None | Part::Symbol | Part::Unit);
        self.pairs.of(last, next) + if is_symbol { NO_SYMBOL } else { 0 }
    }
}

#[cfg(test)]
mod tests;
