//! What was found out about short islands, so that the same between the same is weighed once: in words they come again and again.
#![forbid(unsafe_code)]

use super::super::page::COUNT;
use super::facts::{self, Fact};
use super::rival::Made;
use super::run::Run;

/// All that decides about a short island on a page: up to three characters before it, the one behind it, its own, and the page. Those of
/// ASCII count for their class alone.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Key {
    around: u64,
    island: [u64; 2],
}

/// The longest island that is remembered, in characters.
const LONGEST: usize = 8;
const SPACE: u64 = b' ' as u64;
/// Bits of a character: none of [`Fact`]'s needs more, but U+FFFD.
const BITS: u32 = 14;

impl Key {
    /// `before` and `behind`: the line up to the island, and from its end on. `None` if the island is too long, or if a character that no page has is near.
    pub(super) fn of(before: &str, facts: &[&Fact], behind: &[u8], page: usize) -> Option<Self> {
        if facts.len() > LONGEST {
            return None;
        }
        let code_of = |facts: &[&Fact]| facts.iter().fold(0, |codes, fact| codes << BITS | code(fact.c));
        let (start, end) = facts.split_at(facts.len().min(LONGEST / 2));
        let island = [code_of(start), code_of(end)];
        let mut around = (page as u64) << BITS | class(behind.first().copied().unwrap_or(b' '));
        if before.as_bytes().last().is_none_or(|&last| class(last) == SPACE) {
            // What stands before a space decides about nothing.
            around = ((around << BITS | SPACE) << BITS | SPACE) << BITS | SPACE;
        } else if let [.., a, b, c] = *before.as_bytes()
            && (a | b | c).is_ascii()
        {
            around = ((around << BITS | class(c)) << BITS | class(b)) << BITS | class(a);
        } else {
            let mut chars = before.chars().rev();
            for _ in 0..3 {
                // The start of a line is as good as a space.
                let c = chars.next().unwrap_or(' ');
                let ascii = u8::try_from(u32::from(c)).ok().filter(u8::is_ascii);
                if ascii.is_none() && !facts::is_at_hand(c) {
                    return None;
                }
                around = around << BITS | ascii.map_or(code(c), class);
            }
        }
        Some(Self { around, island })
    }

    fn slot(self, slots: usize) -> usize {
        let [start, end] = self.island;
        let mixed = (self.around.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ start)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(32);
        let mixed = (mixed ^ end).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        // The upper bits depend on all others.
        (mixed >> 32) as usize & (slots - 1)
    }
}

/// The number of a character that [`Fact`] has, beyond ASCII; that of U+FFFD no other has.
fn code(c: char) -> u64 {
    u64::from(u32::from(c)) & ((1 << BITS) - 1)
}

/// The character of ASCII that stands for all with the same look.
#[inline]
fn class(byte: u8) -> u64 {
    const CLASSES: [u8; 128] = {
        let mut classes = [b'.'; 128];
        let mut at = 0;
        while at < 128 {
            classes[at] = match at as u8 {
                b' ' | b'\t' | b'\n' | b'\r' => b' ',
                b'0'..=b'9' => b'0',
                b'a'..=b'z' => b'a',
                b'A'..=b'Z' => b'A',
                0..=0x1F | 0x7F => 0,
                _ => b'.',
            };
            at += 1;
        }
        classes
    };
    CLASSES[usize::from(byte & 0x7F)].into()
}

/// What is known of one island.
#[derive(Clone, Copy, Default)]
struct Slot {
    key: Key,
    /// What it is on its page, if it may be put right by bounds.
    run: Option<Run>,
    /// A bit for each other page that was asked, and for those of them on which it is spelt as a language spells; how good it is there.
    asked: u16,
    told: u16,
    merits: [i16; COUNT],
}

/// Islands by their keys; where two have one slot, the later one has it.
#[derive(Default)]
pub(super) struct Known {
    slots: Vec<Slot>,
    /// How many were not known since there is room for so many.
    missed: usize,
}

/// So many islands are forgotten: to make room takes longer than a short text.
const FEW: usize = 16;
/// Room for islands: at first, and at most, 64 KiB.
const FIRST: usize = 32;
const MOST: usize = 1024;

impl Known {
    /// The run that an island is, by `weigh` if it is not known.
    pub(super) fn run(&mut self, key: Key, weigh: impl FnOnce() -> Option<Run>) -> Option<Run> {
        if let Some(slot) = self.slots.get(key.slot(self.slots.len().max(1)))
            && slot.key == key
        {
            return slot.run;
        }
        self.missed += 1;
        if self.missed <= FEW && self.slots.is_empty() {
            return weigh();
        }
        if self.missed > self.slots.len() && self.slots.len() < MOST {
            let length = (4 * self.slots.len()).clamp(FIRST, MOST);
            let old = std::mem::replace(&mut self.slots, vec![Slot::default(); length]);
            // What is known stays so: to find it out again would take longest where texts are few.
            let known = old.into_iter().filter(|slot| slot.key != Key::default());
            known.for_each(|slot| self.slots[slot.key.slot(length)] = slot);
            self.missed = 0;
        }
        let run = weigh();
        let at = key.slot(self.slots.len());
        self.slots[at] = Slot { key, run, ..Slot::default() };
        run
    }

    /// Whether there is room for islands: more texts come.
    pub(super) fn is_remembering(&self) -> bool {
        !self.slots.is_empty()
    }

    /// What another page makes of an island, by `read` if it is not known.
    pub(super) fn made(&mut self, key: Key, page: usize, read: impl FnOnce() -> Made) -> Made {
        let at = key.slot(self.slots.len().max(1));
        let Some(slot) = self.slots.get_mut(at).filter(|slot| slot.key == key) else { return read() };
        let bit = 1 << page;
        if slot.asked & bit == 0 {
            let made = read();
            slot.asked |= bit;
            slot.told |= if made.is_told { bit } else { 0 };
            slot.merits[page] = i16::try_from(made.merit).unwrap_or(i16::MAX);
        }
        Made { merit: slot.merits[page].into(), is_told: slot.told & bit != 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::letters::look_at;
    use super::*;

    #[test]
    fn classes_are_of_one_look() {
        for byte in 0..0x80 {
            let class = char::from(class(byte) as u8);
            assert_eq!(look_at(class), look_at(byte.into()), "{byte:#x}");
            assert_eq!(class.is_ascii_alphabetic(), byte.is_ascii_alphabetic());
            assert_eq!(class.is_ascii_lowercase(), byte.is_ascii_lowercase());
        }
        let codes = facts::facts().iter().map(|fact| code(fact.c));
        assert!(codes.chain([code('\u{FFFD}')]).is_sorted_by(|a, b| a < b));
    }
}
