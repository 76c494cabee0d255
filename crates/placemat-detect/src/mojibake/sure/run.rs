//! The gain of a run, or less.
#![forbid(unsafe_code)]

use super::super::doubt::{self, Doubt};
use super::super::letters::{Kind, Script, look_at};
use super::super::page::TABLE;
use super::super::run::{self, ALONE, ENOUGH, EVERYDAY, LOST_IN_OTHERS, NESTED, SEQUENCE, is_directed};
use super::super::{ends, natural, sequence};
use super::facts::{Fact, facts, first};
use super::{Island, Memory};

/// What is known of a run.
#[derive(Clone, Copy)]
pub(super) struct Run {
    /// Its gain, or less, were others of its script there.
    pub(super) gain: i32,
    /// That of the first letter of what it stands for.
    pub(super) script: Script,
    /// Whether it is one sequence.
    pub(super) is_single: bool,
    /// Whether it is certain in any case, and does not stand so by nature.
    pub(super) is_evident: bool,
    /// Whether what it stands for surely holds nothing that might be changed again.
    pub(super) is_final: bool,
}

impl Run {
    /// The run that an island is; `text`: what it stands for. `None` if it stands for what counts against it.
    pub(super) fn of(
        line: &str,
        island: &Island,
        facts: &[&Fact],
        text: &str,
        page: usize,
        memory: &mut Memory,
    ) -> Option<Self> {
        let plain = Self::plain(line, island, facts, text, page, &mut memory.bytes);
        let run = plain.or_else(|| {
            memory.source.clear();
            memory.source.extend(facts.iter().map(|fact| fact.c));
            memory.text.clear();
            memory.text.extend(text.chars());
            Self::closely(line, island, facts, (&memory.source, &memory.text), page)
        });
        run.map(|run| Self { is_final: is_final(text), ..run })
    }

    /// By bounds, where they are enough: mostly of words between spaces.
    fn plain(
        line: &str,
        island: &Island,
        facts: &[&Fact],
        text: &str,
        page: usize,
        room: &mut Vec<u8>,
    ) -> Option<Self> {
        // What is as short may stand so by nature.
        if facts.len() <= 4 || !island.is_whole {
            return None;
        }
        let touching = touching(line, island, text)?;
        let is_word = facts.iter().all(|fact| sequence::is_word(&[fact.c]));
        let (mut count, mut script, mut is_against) = (0, Script::None, is_word);
        let mut look = |c: char| {
            is_against |= sequence::is_unassigned(c) || is_directed(&c);
            let look = look_at(c);
            script = if script == Script::None { look.script } else { script };
            count += 1;
            look
        };
        let looks = text.chars().map(&mut look);
        let most = if island.has_lost { doubt::most_with_lost(looks) } else { doubt::most(looks) };
        let most = match most {
            Some(most) => most + touching,
            // What it stands for is mojibake again, or not so plain.
            None if touching > 0 => return None,
            None => {
                (count, script, is_against) = (0, Script::None, is_against);
                let counts = |c: char| {
                    is_against |= sequence::is_unassigned(c) || is_directed(&c);
                    script = if script == Script::None { look_at(c).script } else { script };
                    count += 1;
                };
                text.chars().for_each(counts);
                most_again(text, page, room)? - NESTED
            }
        };
        let gain = island.least - most + SEQUENCE * (count - 1);
        let is_evident = !is_against && gain >= ENOUGH + ALONE;
        is_evident.then_some(Self { gain, script, is_single: count == 1, is_evident, is_final: false })
    }

    /// By its doubt.
    fn closely(
        line: &str,
        island: &Island,
        facts: &[&Fact],
        (source, text): (&[char], &[char]),
        page: usize,
    ) -> Option<Self> {
        let is_against = |c: &char| sequence::is_unassigned(*c) || is_directed(c);
        let is_cut = page > 0 && text.len() == 1 && ends::is_begun(source, source.len(), 0);
        if is_cut || text.iter().any(is_against) {
            return None;
        }
        let (doubt, next) = (before(line, island, &[]), next(line, island));
        let now = doubt.over(source, next);
        let mut gain = now - doubt.over(text, next);
        let may_be_again = || text.len() > 1 && TABLE.get(text[0]).leads & 1 << page != 0;
        if gain < ENOUGH + ALONE
            && may_be_again()
            && let Some(deeper) = sequence::again(text, page)
        {
            gain = gain.max(now - doubt.over(&deeper, next) + NESTED);
        }
        let (mut thirds, mut at) = (0, 0);
        for &c in text {
            let sequence = source.get(at..at + facts.get(at)?.length(page)?)?;
            let is_lost = sequence.contains(&char::REPLACEMENT_CHARACTER);
            thirds += i32::from(!is_lost && run::has_third(sequence, c));
            at += sequence.len();
        }
        gain += SEQUENCE * (text.len() as i32 - 1 + thirds);
        // By itself it would be left, and goes with others.
        let is_lost = sequence::is_word(source) || sequence::is_formula(source);
        gain -= if is_lost { LOST_IN_OTHERS } else { 0 };
        let script = run::script(text);
        let enough = if EVERYDAY.contains(&script) { ENOUGH } else { ENOUGH + ALONE };
        let last = line[..island.start].chars().next_back();
        let is_evident =
            island.is_whole && !is_lost && gain >= enough && !natural::may_be_natural(source, text, last);
        Some(Self { gain, script, is_single: text.len() == 1, is_evident, is_final: false })
    }
}

/// Whether one character or two, which are not what bytes may be missing behind, are no sequence; of more that is not asked.
fn is_final(text: &str) -> bool {
    let mut chars = text.chars();
    let (first, second) = (chars.next().unwrap_or(' '), chars.next().unwrap_or(' '));
    let is_whole = TABLE.get(first).leads & TABLE.get(second).tails == 0;
    is_whole && chars.next().is_none() && ![first, second].iter().any(|c| matches!(c, 'Â' | 'Ã'))
}

/// The most doubt that there is where letters of ASCII touch what `text` stands for; `None` if more than they decide about it.
fn touching(line: &str, island: &Island, text: &str) -> Option<i32> {
    let beside = |byte: Option<&u8>, c: Option<char>| {
        if !byte.is_some_and(u8::is_ascii_alphabetic) {
            return Some(0);
        }
        let look = look_at(c?);
        (look.kind == Kind::Letter).then(|| doubt::mixed(Script::Latin, look.script))
    };
    let bytes = line.as_bytes();
    let before = beside(bytes[..island.start].last(), text.chars().next())?;
    Some(before + beside(bytes.get(island.end), text.chars().next_back())?)
}

/// The doubt before a place in an island, in front of which `inside` stands of it.
pub(super) fn before(line: &str, island: &Island, inside: &[char]) -> Doubt {
    if inside.is_empty()
        && let Some(&[a, b, c]) = line.as_bytes()[..island.start].last_chunk()
        && (a | b | c).is_ascii()
    {
        return Doubt::after_ascii([a, b, c]);
    }
    let mut room = [' '; 3];
    let mut from = room.len();
    let outside = line[..island.start].chars().rev();
    for c in inside.iter().rev().copied().chain(outside).take(3) {
        from -= 1;
        room[from] = c;
    }
    Doubt::after(&room[from..], &[])
}

/// The character behind an island.
pub(super) fn next(line: &str, island: &Island) -> Option<char> {
    line.as_bytes().get(island.end).map(|&byte| char::from(byte))
}

/// The most doubt that there is in what `text` stands for, if it was misread on the page too, all of it.
fn most_again(text: &str, page: usize, room: &mut Vec<u8>) -> Option<i32> {
    room.clear();
    let (all, mut rest) = (facts(), text.as_bytes());
    while !rest.is_empty() {
        let (fact, length) = first(all, rest)?;
        room.push(fact.bytes[page]);
        rest = &rest[length..];
    }
    let text = str::from_utf8(room).ok().filter(|_| !room.contains(&0))?;
    let mut is_read = true;
    let look = |c: char| {
        is_read &= !c.is_ascii() && !sequence::is_unassigned(c);
        look_at(c)
    };
    doubt::most(text.chars().map(look)).filter(|_| is_read)
}
