//! Whether a sequence may end at a character: asked of all pages at once, since that is asked of every character.
#![forbid(unsafe_code)]

use super::page::Entry;
use super::sequence::is_word;

/// A bit for each page, four times: where the character leads a sequence of two, of three and of four bytes, and where it goes on
/// with one. The highest bit says that it may be part of a mere word; see [`is_word`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Step(u64);

/// Bits of a set of pages.
const LANE: u32 = 16;
const PAGES: u64 = 0x0FFF;
const LEADS: u64 = PAGES | PAGES << LANE | PAGES << (2 * LANE);
const THRICE: u64 = 1 | 1 << LANE | 1 << (2 * LANE);
const WORD: u64 = 1 << 63;

impl Step {
    pub(super) fn new(c: char, entry: &Entry) -> Self {
        let mut step = u64::from(entry.tails) << (3 * LANE);
        // ED may lead a pair of surrogates: its first three bytes are not all of it, so they are never a word here.
        let is_pair = entry.bytes.contains(&0xED);
        for (page, byte) in entry.bytes.iter().enumerate() {
            let lane = match byte {
                0xC2..=0xDF => 0,
                0xE0..=0xEF => 1,
                0xF0..=0xF4 => 2,
                _ => continue,
            };
            step |= 1 << (lane * LANE + page as u32);
        }
        Self(step | if is_word(&[c]) && !is_pair { WORD } else { 0 })
    }
}

/// The pages on which sequences have begun: a set for each number of bytes that they lack, one to three.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Open {
    /// Those that are mere words so far.
    words: u64,
    others: u64,
}

impl Open {
    pub(super) fn is_none(self) -> bool {
        self.words | self.others == 0
    }

    /// Goes on to the next character, and says whether a sequence ends with it that is more than a word.
    #[inline]
    pub(super) fn next(&mut self, step: Step) -> bool {
        let tails = (step.0 >> (3 * LANE) & PAGES) * THRICE;
        let leads = step.0 & LEADS;
        let word = if step.0 & WORD == 0 { 0 } else { u64::MAX };
        let (words, others) = (self.words & tails, self.others & tails);
        let others = others | words & !word;
        let ends = others & PAGES != 0;
        self.words = (words & word) >> LANE | leads & word;
        self.others = others >> LANE | leads & !word;
        ends
    }
}
