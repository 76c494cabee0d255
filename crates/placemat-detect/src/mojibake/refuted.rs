//! Lines that hold sequences and stay as they are: each sequence stands alone, and for what is less plausible.
//!
//! `м²` in a long text makes all of it worth weighing on four pages, and three characters say as much.
#![forbid(unsafe_code)]

use super::doubt::Doubt;
use super::line::ENOUGH_WITH_TRUST;
use super::page::{COUNT, FIRST_LATE, TABLE};
use super::run::{self, LOST_IN_OTHERS};
use super::{ends, scan, sequence};

/// Sequences that are looked at: of more, the line is weighed as a whole.
const MOST: usize = 64;
/// Characters before a sequence and from its start on that decide about it. The longest takes six.
const BEFORE: usize = 6;
const BEHIND: usize = 12;

/// Whether [`misread`](super::line::misread) surely finds nothing in `line`: no run of sequences gains anything, or enough where a letter beside
/// it is in none; and none lost bytes beyond doubt.
pub(super) fn stays(line: &str) -> bool {
    let mut at = 0;
    for _ in 0..MOST {
        let Some(found) = scan::first(&line[at..]) else { return true };
        at += found;
        if !Place::of(line, at).stays() {
            return false;
        }
        at += line[at..].chars().next().map_or(1, char::len_utf8);
    }
    false
}

/// A place in a line, with what stands around.
struct Place {
    chars: [char; BEFORE + BEHIND],
    /// Where the line, as much of it as is here, begins and ends; the place itself is [`BEFORE`].
    start: usize,
    end: usize,
}

impl Place {
    fn of(line: &str, at: usize) -> Self {
        let mut place = Self { chars: ['\0'; BEFORE + BEHIND], start: BEFORE, end: BEFORE };
        for c in line[..at].chars().rev().take(BEFORE) {
            place.start -= 1;
            place.chars[place.start] = c;
        }
        for c in line[at..].chars().take(BEHIND) {
            place.chars[place.end] = c;
            place.end += 1;
        }
        place
    }

    /// Whether sequences begin here, and none on any page gains anything.
    fn stays(&self) -> bool {
        let here = &self.chars[BEFORE..self.end];
        let [first, second, ..] = *here else { return false };
        let pages = sequence::pages_at(here, TABLE.get(first).leads & TABLE.get(second).tails);
        let is_stranded = matches!(first, 'Â' | 'Ã') && second == ' ';
        // On a late page there may be other sequences, which the scan does not mark.
        pages >> FIRST_LATE == 0
            && pages != 0
            && !is_stranded
            && (0..COUNT).all(|page| pages & 1 << page == 0 || self.is_refuted(page))
    }

    /// Whether the sequence that begins here on a page touches no other there, and does not gain enough.
    fn is_refuted(&self, page: usize) -> bool {
        let found = |at: usize| {
            let text = &self.chars[at..self.end];
            sequence::whole(text, page).or_else(|| sequence::worn(text, page))
        };
        let Some(own) = found(BEFORE) else { return false };
        let end = BEFORE + own.taken;
        let here = &self.chars[self.start..self.end];
        if ends::rest(here, BEFORE - self.start, page) + ends::beginning(here, end - self.start, page) > 0 {
            return false;
        }
        let reaches = |at: usize| found(at).is_some_and(|other| at + other.taken >= BEFORE);
        // What touches it on neither side is outside of all: then it takes one that is certain, or trust.
        let is_outside = |at: usize| (self.start..self.end).contains(&at) && !self.chars[at].is_ascii();
        let enough = if is_outside(BEFORE - 1) || is_outside(end) { ENOUGH_WITH_TRUST } else { 1 };
        found(end).is_none() && !(self.start..BEFORE).any(reaches) && self.most(own.value, end) < enough
    }

    /// The most that a run can gain that is the sequence up to `end`.
    fn most(&self, value: char, end: usize) -> i32 {
        let source = &self.chars[BEFORE..end];
        let (before, next) = (&self.chars[self.start..BEFORE], self.chars[end..self.end].first().copied());
        let gain = run::most_gain(Doubt::after(before, &[]), source, &[value], next);
        let touches = |c: Option<&char>| c.is_some_and(char::is_ascii_alphabetic);
        let is_apart = !touches(before.last()) && !touches(next.as_ref());
        let is_lost = sequence::is_word(source)
            || is_apart && (sequence::is_formula(source) || sequence::is_ending(source));
        if is_lost { gain - LOST_IN_OTHERS } else { gain }
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::{self, Trust};
    use super::*;

    fn is_left(line: &str) -> bool {
        line::misread(&line.chars().collect::<Vec<char>>(), &mut Trust::full()).runs.is_empty()
    }

    #[test]
    fn what_stays_is_left() {
        for line in [
            "Площадь 12 м², высота 3 м",
            "Лёд, Лёша и 5 м² льда",
            "Ёлка: 3 м³/с, 20 м²",
            "Підгорна, Рієлтор, «Вівчар»",
        ] {
            assert!(scan::first(line).is_some(), "{line}");
            assert!(stays(line) && is_left(line), "{line}");
        }
        for line in
            ["cafÃ©", "5 м² в cafÃ©", "Ð›Ñ‘Ð´", "voilÃ tout", "MUÃ±OZ", "aÂ 5 м²", "«Há»™i»", "آ\u{AD}tiإ‘"]
        {
            assert!(!stays(line), "{line}");
        }
    }

    #[test]
    fn whatever_stands_around_is_left() {
        // Each letter with each sign behind it and all of these before and behind.
        let around = ["", "a", "Z", "5", " ", "?", "é", "Ж", "ж", "²", "…", "Ã", "\u{A0}", "\u{FFFD}"];
        let signs: Vec<char> = "²³°·±§™©»…—’”\u{A0}│√ёБВ".chars().collect();
        let letters: Vec<char> = "ÂÃÄÅÎÐÑâéěŽАЛСТабвмрст├Γα".chars().collect();
        let mut stayed = 0;
        for (letter, sign) in letters.iter().flat_map(|a| signs.iter().map(move |b| (a, b))) {
            for (before, behind) in around.iter().flat_map(|a| around.iter().map(move |b| (a, b))) {
                let line = format!("x {before}{letter}{sign}{behind} y");
                if scan::first(&line).is_some() && stays(&line) {
                    stayed += 1;
                    assert!(is_left(&line), "{line}");
                }
            }
        }
        assert!(stayed > 1000, "{stayed}");
    }
}
