//! What a character is on every page, at hand for those that most text misread is made of.
#![forbid(unsafe_code)]

use std::sync::LazyLock;

use super::super::doubt;
use super::super::letters::{Look, Part, look_at};
use super::super::page::{COUNT, TABLE};
use super::super::run::may_visit;
use super::super::sequence;

/// What a character of a page is.
#[derive(Clone, Copy)]
pub(super) struct Fact {
    pub(super) step: Step,
    pub(super) c: char,
    /// A bit for each page that has it, and [`KEPT`]; U+FFFD may be a byte on any.
    pub(super) pages: u32,
    /// Its byte on each page, 0 where it has none.
    pub(super) bytes: [u8; COUNT],
    /// What it adds to the doubt in a text of such characters, or less.
    pub(super) least: i8,
    pub(super) rarity: u8,
    pub(super) part: Part,
    pub(super) may_visit: bool,
    /// For [`Pairs`].
    class: u8,
}

impl Fact {
    /// How long the sequence is that it begins on a page.
    pub(super) fn length(&self, page: usize) -> Option<usize> {
        sequence::length(self.bytes[page])
    }
}

/// A bit for each page, four times: where the character leads a sequence of two, of three and of four bytes, and where it goes on
/// with one.
#[derive(Clone, Copy, Default)]
pub(super) struct Step(u64);

/// The pages on which sequences have begun: a set for each number of bytes that they lack, one to three.
#[derive(Clone, Copy, Default)]
pub(super) struct Open(u64);

/// Bits of a set of pages.
const LANE: u32 = 16;
const PAGES: u64 = (1 << COUNT) - 1;
const LEADS: u64 = PAGES | PAGES << LANE | PAGES << (2 * LANE);
const THRICE: u64 = 1 | 1 << LANE | 1 << (2 * LANE);

impl Step {
    fn new(bytes: &[u8; COUNT]) -> Self {
        let lane = |byte| match byte {
            0xC2..=0xDF => Some(0),
            0xE0..=0xEF => Some(1),
            0xF0..=0xF4 => Some(2),
            0x80..=0xBF => Some(3),
            _ => None,
        };
        let bit = |(page, &byte): (usize, &u8)| lane(byte).map_or(0, |lane| 1 << (lane * LANE + page as u32));
        Self(bytes.iter().enumerate().map(bit).sum())
    }

    /// The pages on which it begins a sequence.
    pub(super) fn leads(self) -> u16 {
        Open(self.0 & LEADS).pages()
    }

    /// Those on which it goes on with one.
    pub(super) fn tails(self) -> u16 {
        (self.0 >> (3 * LANE)) as u16
    }

    /// The pages on which it begins a sequence of two, of three or of four bytes.
    pub(super) fn leads_of(self, length: usize) -> u16 {
        (self.0 >> ((length as u32 - 2) * LANE)) as u16
    }
}

impl Open {
    /// On to the next character. The pages on which a sequence ends with it, if its bytes have the right values.
    #[inline]
    pub(super) fn next(&mut self, step: Step) -> u16 {
        let going = self.0 & ((step.0 >> (3 * LANE)) * THRICE);
        self.0 = going >> LANE | step.0 & LEADS;
        (going & PAGES) as u16
    }

    /// The pages on which a sequence lacks so many bytes, one to three.
    pub(super) fn lacking(self, count: u32) -> u16 {
        (self.0 >> ((count - 1) * LANE) & PAGES) as u16
    }

    /// The pages on which some sequence lacks bytes.
    pub(super) fn pages(self) -> u16 {
        ((self.0 | self.0 >> LANE | self.0 >> (2 * LANE)) & PAGES) as u16
    }
}

/// No page has a character of two bytes from here on.
pub(super) const NEAR: usize = 0x500;
/// Nor one of three bytes but here: with E2 for their first byte. (Three have EF, and are left to others.)
const MARKS: u32 = 0x2000;
const MARKS_END: u32 = 0x2600;
/// A bit beside those of pages: the byte is known.
pub(super) const KEPT: u32 = 1 << COUNT;
/// What bytes became that a decoder did not know: it may go on with a sequence, though none has all its bytes then.
const LOST: char = char::REPLACEMENT_CHARACTER;

/// All that is known of characters.
struct Facts {
    /// The characters of two bytes before [`NEAR`], and those from [`MARKS`] on: 90 KiB.
    facts: Vec<Fact>,
    lost: Fact,
    pairs: Pairs,
}

/// Characters of one class have the same pairs: on pages and in ASCII there are fewer.
const CLASSES: usize = 48;

/// Made at the first use.
static FACTS: LazyLock<Facts> = LazyLock::new(|| {
    let mut classes = Vec::new();
    let all = (0..NEAR as u32).chain(MARKS..MARKS_END);
    let facts = all.map(|at| fact(char::from_u32(at).unwrap_or_default(), &mut classes)).collect();
    let lost = fact(LOST, &mut classes);
    let mut pairs = [[0; CLASSES]; CLASSES];
    for (row, last) in pairs.iter_mut().zip(&classes) {
        row.iter_mut().zip(&classes).for_each(|(most, next)| *most = doubt::most_of_pair(last, next) as u8);
    }
    Facts { facts, lost, pairs: Pairs(pairs) }
});

fn fact(c: char, classes: &mut Vec<Look>) -> Fact {
    let (entry, look) = (TABLE.get(c), look_at(c));
    let class = Look { rarity: 0, tongues: look.tongues.min(1), ..look };
    // Those of no page are not asked about.
    let is_asked = c.is_ascii() || entry.pages != 0 || c == LOST;
    let found = classes.iter().position(|known| *known == class || !is_asked);
    let class = found.unwrap_or_else(|| {
        classes.push(class);
        classes.len() - 1
    });
    Fact {
        step: if c == LOST { Step(PAGES << (3 * LANE)) } else { Step::new(&entry.bytes) },
        c,
        pages: if c == LOST { PAGES as u32 } else { u32::from(entry.pages) | KEPT },
        bytes: entry.bytes,
        least: doubt::least(&look),
        rarity: look.rarity,
        part: look.part,
        may_visit: may_visit(&look),
        class: class as u8,
    }
}

/// Whether there are facts about a character.
pub(super) fn is_at_hand(c: char) -> bool {
    (c as usize) < NEAR || (MARKS..MARKS_END).contains(&(c as u32)) || c == LOST
}

/// All of them, for [`first`].
pub(super) fn facts() -> &'static [Fact] {
    &FACTS.facts
}

/// That of U+FFFD, if `bytes` begin with it, and its length.
#[cold]
pub(super) fn lost(bytes: &[u8]) -> Option<(&'static Fact, usize)> {
    bytes.starts_with(&[0xEF, 0xBF, 0xBD]).then(|| (&FACTS.lost, 3))
}

/// For each class of the first of two characters and each of the second.
pub(super) struct Pairs([[u8; CLASSES]; CLASSES]);

impl Pairs {
    /// The most doubt that two characters are side by side, as [`doubt::most_of_pair`] has it.
    #[inline]
    pub(super) fn of(&self, last: &Fact, next: &Fact) -> i32 {
        self.0[usize::from(last.class)][usize::from(next.class)].into()
    }
}

/// All pairs.
pub(super) fn pairs() -> &'static Pairs {
    &FACTS.pairs
}

/// The fact of the first character of `bytes`, which is not ASCII, and its length.
#[inline]
pub(super) fn first<'a>(facts: &'a [Fact], bytes: &[u8]) -> Option<(&'a Fact, usize)> {
    let six = |byte: u8| usize::from(byte & 0x3F);
    match *bytes {
        [a @ 0xC2..0xD4, b, ..] => Some((facts.get(usize::from(a & 0x1F) << 6 | six(b))?, 2)),
        [0xE2, b, c, ..] => Some((facts.get(NEAR + (six(b) << 6 | six(c)))?, 3)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::page::FIRST_LATE;
    use super::*;

    #[test]
    fn every_character_has_its_fact() {
        for c in '\u{80}'..=char::MAX {
            let mut room = [0; 4];
            let found = first(facts(), c.encode_utf8(&mut room).as_bytes());
            assert!(found.is_none_or(|(fact, length)| fact.c == c && length == c.len_utf8()), "{c:?}");
            let is_on_none = TABLE.get(c).pages & ((1 << FIRST_LATE) - 1) == 0;
            assert!(found.is_some() || is_on_none || c > '\u{F000}', "{c:?}");
            assert_eq!(
                found.map_or(0, |(fact, _)| fact.step.leads()),
                found.map_or(0, |_| TABLE.get(c).leads)
            );
        }
    }

    #[test]
    fn pairs_are_those_of_their_characters() {
        let is_asked = |fact: &&Fact| fact.pages != KEPT || fact.c.is_ascii();
        let all: Vec<&Fact> = facts().iter().chain([&FACTS.lost]).filter(is_asked).collect();
        for last in all.iter().step_by(5) {
            for next in &all {
                let most = doubt::most_of_pair(&look_at(last.c), &look_at(next.c));
                assert_eq!(pairs().of(last, next), most, "{:?} {:?}", last.c, next.c);
            }
        }
    }
}
