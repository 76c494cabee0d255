//! Whether another page surely makes less of a line.
#![forbid(unsafe_code)]

use super::super::doubt::Doubt;
use super::super::letters::look_at;
use super::super::line::{COVERED, READ};
use super::super::run::most_gain;
use super::super::sequence::{self, Found, Wear};
use super::super::spelling;
use super::bound::Bounds;
use super::facts::Fact;
use super::known::Known;
use super::run::{before, next};
use super::{Island, Memory};

/// More than each character of a run that stands for mojibake can count for its page, its rarity apart: of a pair the doubt is 83 at most, and each
/// may begin a run of two characters and end it, with all that speaks for a run.
pub(super) const MOST: i32 = 240;

/// What a page makes of an island.
pub(super) struct Made {
    /// How good it is, or less.
    pub(super) merit: i32,
    /// Whether it is one run, and spelt with letters that a language has.
    pub(super) is_told: bool,
}

/// Whether the reading of a line on `page` is surely not as good as one of this merit whose runs are the islands, and not better spelt. On
/// the page no sequence may be worn. Islands are read until what is left of the bounds is enough, which come with the count of characters
/// beyond ASCII; without bounds all are, if each can be remembered.
pub(super) fn is_outdone<'a>(
    line: &str,
    islands: impl Iterator<Item = (&'a Island, &'a [&'static Fact])>,
    (page, merit): (usize, i32),
    bounds: Option<(&Bounds, usize)>,
    (known, memory): (&mut Known, &mut Memory),
) -> bool {
    let is_enough = |from, left| bounds.is_some_and(|(all, count)| all.is_outdone(page, from, left, count));
    let (mut left, mut is_told) = (merit, true);
    for (island, facts) in islands {
        if island.some & 1 << page == 0 {
            is_told = false;
            continue;
        }
        let start = island.count - facts.len();
        let made = match island.key {
            Some(key) => {
                known.made(key, page, || made(line, island, facts, page, memory, true, |_, _| false))
            }
            None if bounds.is_none() => return false,
            None => {
                let is_enough = |at, made| is_enough(start + at, left - made);
                made(line, island, facts, page, memory, is_told, is_enough)
            }
        };
        left -= made.merit;
        is_told &= made.is_told;
        if is_enough(island.count, left) {
            return true;
        }
        if left <= 0 {
            return false;
        }
    }
    !is_told
}

/// What `page` makes of an island on which it may have sequences, up to where that `is_enough`: told how far it came, and what it made.
fn made(
    line: &str,
    island: &Island,
    facts: &[&Fact],
    page: usize,
    memory: &mut Memory,
    is_asked: bool,
    is_enough: impl Fn(usize, i32) -> bool,
) -> Made {
    let Memory { source, text, .. } = memory;
    source.clear();
    source.extend(facts.iter().map(|fact| fact.c));
    let mut made = Made { merit: 0, is_told: false };
    let mut at = 0;
    while at < source.len() {
        let start = at;
        // Most are no first byte there, or nothing goes on with it.
        let begins = facts[at].step.leads() & 1 << page != 0;
        if !begins || facts.get(at + 1).is_none_or(|next| next.step.tails() & 1 << page == 0) {
            at += 1;
            continue;
        }
        text.clear();
        while let Some(found) = found(&source[at..], page) {
            text.push(found.value);
            at += found.taken;
        }
        if text.is_empty() {
            at += 1;
            continue;
        }
        let is_again = sequence::pages(text) != 0;
        let run = &source[start..at];
        made.merit += match is_again {
            true => run.iter().map(|&c| i32::from(look_at(c).rarity) + MOST).sum(),
            false => {
                let next = source.get(at).copied().or(next(line, island));
                merit(run, text, before(line, island, &source[..start]), next)
            }
        };
        if is_enough(at, made.merit) {
            break;
        }
        let is_whole = is_asked && run.len() == source.len() && !is_again;
        made.is_told = is_whole && text.iter().all(|&c| spelling::is_modelled(c));
    }
    made
}

/// The sequence at the start of an island, or of the rest of it, if it is whole or has lost bytes.
fn found(text: &[char], page: usize) -> Option<Found> {
    let lost = || sequence::worn(text, page).filter(|found| found.wear == Wear::Lost);
    sequence::whole(text, page).or_else(lost)
}

/// How good a run is that stands for `text`, or less good than this.
fn merit(run: &[char], text: &[char], doubt: Doubt, next: Option<char>) -> i32 {
    let gain = most_gain(doubt, run, text, next);
    let readers = text.iter().filter(|&&c| look_at(c).tongues != 0).count() as i32;
    if gain < 0 { 0 } else { gain + COVERED * run.len() as i32 + READ * readers }
}
