//! Pages that have some of a line's characters as the right page has them, and no others: windows-1254 beside windows-1252. They read what
//! the right page reads, without the sequences that have a character which they lack.
#![forbid(unsafe_code)]

use super::super::doubt::{MOST_TAKEN_OFF, most_beside_lost, most_between, most_of_pair};
use super::super::letters::{EDGE, Look, look_at};
use super::super::line::COVERED;
use super::super::page::TABLE;
use super::super::run::SEQUENCE;
use super::super::sequence;
use super::facts::Fact;
use super::{Island, Sums};

/// How many pairs of characters behind a gap may cost more where there is none: other letters stand before them there.
const BEHIND_GAP: usize = 4;

/// By how much the reading of a line on `page` is surely better than that on `other`, which lacks some of it; `None` if `other` has
/// characters in another place, or lacks none, or if it is not told easily. `text`: what the islands stand for. On neither page a sequence is worn.
pub(super) fn lead<'a>(
    line: &str,
    islands: impl Iterator<Item = (&'a Island, &'a [&'static Fact])>,
    text: &str,
    (page, other): (usize, usize),
    sums: &Sums,
) -> Option<i32> {
    let (mut lead, mut start) = (None, 0);
    for (island, facts) in islands {
        let text = &text[start..island.text];
        start = island.text;
        if has_all(facts, page, other) {
            // It may count for more where another of its script stands.
            island.run.filter(|run| !sums.is_alone(run))?;
        } else {
            lead = Some(lead.unwrap_or(0) + lost(line, island, facts, text, (page, other))?);
        }
    }
    lead
}

/// The longest sequence, in characters: a pair of surrogates.
const LONGEST: usize = 6;
/// How many characters are compared, and how many of them may differ.
const SAMPLE: usize = 64;
const FEW: usize = 8;

/// Whether `other` has almost all of these characters in the places of `page`, as far as the first of them tell.
pub(super) fn is_near(facts: &[&Fact], page: usize, other: usize) -> bool {
    let is_other = |fact: &&&Fact| fact.bytes[page] != fact.bytes[other];
    facts.iter().take(SAMPLE).filter(is_other).count() <= FEW
}

/// Whether two pages have these characters in the same places.
fn has_all(facts: &[&Fact], page: usize, other: usize) -> bool {
    facts.iter().all(|fact| fact.bytes[page] == fact.bytes[other])
}

/// Whether `other` has none of these but in the places of `page`, and nothing but their script speaks for them.
fn has_no_others(facts: &[&Fact], page: usize, other: usize) -> bool {
    let is_none = |fact: &&Fact| matches!(fact.bytes[other], byte if byte == 0 || byte == fact.bytes[page]);
    facts.iter().all(|fact| is_none(fact) && !fact.may_visit)
}

/// Whether none of the first characters of an island, so many of them, begins a sequence on `other`.
fn begins_none(facts: &[&Fact], length: usize, other: usize) -> bool {
    let begins = |at: usize| {
        let mut chars = ['\0'; LONGEST];
        chars.iter_mut().zip(&facts[at..]).for_each(|(slot, fact)| *slot = fact.c);
        let own = facts[at].length(other).unwrap_or(0);
        chars[..own].contains(&char::REPLACEMENT_CHARACTER) || sequence::whole(&chars, other).is_some()
    };
    let visits = facts[..length].iter().any(|fact| fact.may_visit);
    !visits && !(0..length).any(|at| facts[at].step.leads() & 1 << other != 0 && begins(at))
}

/// What an island some of which `other` lacks counts for less there, or less than that.
fn lost(
    line: &str,
    island: &Island,
    facts: &[&Fact],
    text: &str,
    (page, other): (usize, usize),
) -> Option<i32> {
    if text.chars().nth(1).is_none() || !island.is_whole {
        // Nothing is left; or it counts for nothing, and does not either with less of it.
        let is_lost =
            has_no_others(facts, page, other) || island.is_whole && begins_none(facts, facts.len(), other);
        return is_lost.then_some(0);
    }
    let before = line.as_bytes()[..island.start].last();
    // Else it might count for nothing, or parts of it for being small among capitals.
    island.run.filter(|run| run.gain >= 0 && !before.is_some_and(u8::is_ascii_uppercase))?;
    let (mut lost, mut behind) = (-SEQUENCE, BEHIND_GAP);
    let (mut last, mut leads, mut rest, mut is_kept) = (EDGE, 0, facts, true);
    for (at, c) in text.char_indices() {
        let (sequence, all);
        all = rest;
        (sequence, rest) = rest.split_at_checked(rest.first()?.length(page)?)?;
        is_kept = has_all(sequence, page, other);
        let (look, entry) = (look_at(c), TABLE.get(c));
        let cost = most_between(&last, &look).or_else(|| most_beside_lost(&last, &look))?;
        let least: i32 = sequence.iter().map(|fact| i32::from(fact.least)).sum();
        let value = least + COVERED * sequence.len() as i32 - i32::from(look.rarity) - cost;
        // A run without such a sequence would be better, and one that stands for mojibake might be.
        if value < 0 || leads & entry.tails != 0 {
            return None;
        }
        if !has_no_others(sequence, page, other) && (is_kept || !begins_none(all, sequence.len(), other)) {
            return None;
        }
        behind += 1;
        lost -= if behind <= BEHIND_GAP { cost } else { 0 };
        if !is_kept {
            lost += value + SEQUENCE - 2 * MOST_TAKEN_OFF;
            behind = 0;
            lost -= if at == 0 { touching(before, |letter| most_of_pair(letter, &look)) } else { 0 };
        }
        (last, leads) = (look, entry.leads);
    }
    let next = line.as_bytes().get(island.end).filter(|_| !is_kept);
    Some(lost - touching(next, |letter| most_of_pair(&last, letter)))
}

/// What it may cost that a letter of ASCII stands beside the first or the last character; other ASCII costs nothing.
fn touching(byte: Option<&u8>, cost: impl Fn(&Look) -> i32) -> i32 {
    byte.filter(|byte| byte.is_ascii_alphabetic()).map_or(0, |&byte| cost(&look_at(byte.into())))
}

#[cfg(test)]
mod tests;
