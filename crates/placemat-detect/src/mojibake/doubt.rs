//! How implausible a piece of text is.
//!
//! The costs were set by hand against clean text in some two hundred languages (in which nothing may change) and the
//! same text misread on every page (which must come back). They are in tenths of a nat, but no more than estimates:
//! what matters is how they compare.
#![forbid(unsafe_code)]

use super::letters::{EDGE, Kind, Look, Part, Script, look_at};

mod bounds;
mod pairs;

pub(super) use self::bounds::{least, most, most_beside_lost, most_between, most_of_pair, most_with_lost};
pub(super) use self::pairs::mixed;
use self::pairs::{apart, marked, signs};

/// A symbol and what belongs to it: as usual as one letter. And what is added where it turns out to be none.
const SYMBOL: i32 = -6;
pub(super) const NO_SYMBOL: i32 = 31;
/// Ω behind one letter.
const PREFIX: i32 = 5;
/// ¿ and ¡ before a word.
const ASK: i32 = -3;
/// An apostrophe of windows-1252 in text taken for Latin-1, between letters of ASCII.
const LOST: i32 = -30;

/// What [`Doubt::pair`] takes off at most where one of the two is beyond ASCII, and what more where the second one is ASCII and the first
/// a control.
pub(super) const MOST_TAKEN_OFF: i32 = -SYMBOL;
pub(super) const MOST_TAKEN_OFF_LAST: i32 = SYMBOL - LOST;

/// Adds up the implausibility of a text, character by character, in tenths of a nat or so: each character costs more the rarer it
/// is, and each pair more the less its characters occur side by side.
#[derive(Clone, Copy)]
pub(super) struct Doubt {
    last: Look,
    last_but_one: Past,
    /// Letters in a row up to here, and capital letters, at most 3.
    letters: u8,
    capitals: u8,
    /// Whether the last character belongs to a symbol before it.
    part: Part,
    sum: i32,
}

/// What counts of the last character but one. Of all that is known of a character, to hand it on takes longer than to use it.
#[derive(Clone, Copy)]
struct Past {
    kind: Kind,
    is_latin: bool,
    ascii: bool,
}

impl Past {
    const fn of(look: &Look) -> Self {
        Self { kind: look.kind, is_latin: matches!(look.script, Script::Latin), ascii: look.ascii }
    }
}

impl Doubt {
    /// At the start, with no cost; `before` and `text` behind it are the text so far, of which the last three characters count.
    pub(super) fn after(before: &[char], text: &[char]) -> Self {
        let mut doubt = Self {
            last: EDGE,
            last_but_one: Past::of(&EDGE),
            letters: 0,
            capitals: 0,
            part: Part::None,
            sum: 0,
        };
        let text = &text[text.len().saturating_sub(3)..];
        let before = &before[before.len().saturating_sub(3 - text.len())..];
        before.iter().for_each(|&c| doubt.pass(look_at(c)));
        text.iter().for_each(|&c| doubt.pass(look_at(c)));
        doubt
    }

    /// The same behind three characters of ASCII.
    pub(super) fn after_ascii(before: [u8; 3]) -> Self {
        let [.., last_but_one, last] = before.map(|byte| look_at(byte.into()));
        let count =
            |is_one: fn(&u8) -> bool| before.iter().rev().take_while(|byte| is_one(byte)).count() as u8;
        Self {
            last,
            last_but_one: Past::of(&last_but_one),
            letters: count(u8::is_ascii_alphabetic),
            capitals: count(u8::is_ascii_uppercase),
            part: Part::None,
            sum: 0,
        }
    }

    /// Whether a capital letter of ASCII stands before this place.
    pub(super) fn is_behind_capital(&self) -> bool {
        self.last.ascii && self.last.kind == Kind::Upper
    }

    /// The doubt in `text` standing here and before `next`, or at the end of the line.
    pub(super) fn over(mut self, text: &[char], next: Option<char>) -> i32 {
        let next = next.map_or(EDGE, look_at);
        let mut text = text.iter();
        loop {
            let c = text.next();
            let look = c.map_or(next, |&c| look_at(c));
            self.sum += self.pair(&look);
            if c.is_none() {
                return self.sum;
            }
            self.sum += i32::from(look.rarity);
            self.pass(look);
        }
    }

    /// On to the next character, whatever it costs.
    #[inline]
    fn pass(&mut self, look: Look) {
        // A mark is part of the letter that it stands on.
        if look.kind == Kind::Mark && self.last.kind.is_letter() {
            self.last.ascii = false;
            return;
        }
        self.part = if look.part != Part::None && self.is_symbol(&look) { look.part } else { Part::None };
        self.letters = if look.kind.is_letter() { (self.letters + 1).min(3) } else { 0 };
        self.capitals = if look.kind == Kind::Upper { (self.capitals + 1).min(3) } else { 0 };
        self.last_but_one = Past::of(&self.last);
        self.last = look;
    }

    #[inline]
    fn pair(&self, next: &Look) -> i32 {
        let last = &self.last;
        if last.ascii && next.ascii {
            return 0;
        }
        match (last.kind.is_letter(), next.kind.is_letter()) {
            (true, true) => self.letters(next),
            (_, false) if next.kind == Kind::Mark => self.mark(next),
            (true, false) if next.part != Part::None && self.is_symbol(next) => SYMBOL,
            (true, false) => self.letter_then(next.kind),
            (false, true) if self.part == Part::Times => 0,
            (false, true) => self.then_letter(last.kind, next) + self.behind_symbol(next.kind),
            (false, false) => self.sign_then(next.kind),
        }
    }

    fn mark(&self, mark: &Look) -> i32 {
        let is_on_letter = self.last.kind.is_letter() || self.last.kind == Kind::Mark;
        if is_on_letter { marked(self.last.script, mark.script) } else { 25 }
    }

    /// A sign behind a sign.
    fn sign_then(&self, next: Kind) -> i32 {
        match (self.last.kind, next) {
            (Kind::NoBreakSpace, Kind::Sign) if self.last_but_one.kind.is_letter() => 9,
            (a, b) => signs(a, b) + self.behind_symbol(b),
        }
    }

    fn letters(&self, next: &Look) -> i32 {
        let last = &self.last;
        // Within words, as most text is.
        if last.script == next.script && last.kind == next.kind {
            return apart(last, next);
        }
        if next.part == Part::Unit && last.ascii && self.letters == 1 {
            return PREFIX;
        }
        let mut cost = match (last.script, next.script) {
            // μm, Δt.
            (Script::Greek, Script::Latin) if self.letters == 1 && next.ascii => 10,
            (a, b) => mixed(a, b),
        };
        match (last.kind, next.kind) {
            (Kind::Lower, Kind::Upper) => cost += 25,
            (Kind::Upper, Kind::Lower) if self.begins_with_two() => cost += 22,
            (Kind::Upper, Kind::Lower) if self.capitals >= 2 => cost += if next.ascii { 5 } else { 22 },
            _ => {}
        }
        cost + apart(last, next)
    }

    /// Whether a word begins with capitals, at least two of them Latin ones beyond ASCII, up to here: `ĂŁla`, `ÔÇÖs`.
    fn begins_with_two(&self) -> bool {
        let beyond = |past: &Past| !past.ascii && past.is_latin;
        self.letters >= 2
            && self.capitals == self.letters
            && beyond(&Past::of(&self.last))
            && beyond(&self.last_but_one)
    }

    /// Whether the last letter is a symbol, to which `next` belongs: `Å³`, `Σ±`, `В·А`, but not `5 В± 3`, `20В°C`.
    fn is_symbol(&self, next: &Look) -> bool {
        let behind = match next.part {
            Part::Times => true,
            // Particles and variables are Greek.
            Part::Power => self.last.script != Script::Cyrillic,
            Part::Degree => self.last_but_one.kind != Kind::Digit,
            Part::Symbol | Part::Unit | Part::None => false,
        };
        behind && matches!(self.last.part, Part::Symbol | Part::Unit) && self.letters == 1
    }

    /// What it costs that `next` stands behind what seemed to belong to a symbol: `Å±r`, `В· `.
    fn behind_symbol(&self, next: Kind) -> i32 {
        match self.part {
            Part::Power | Part::Degree if next.is_letter() => NO_SYMBOL,
            Part::Times if next != Kind::Digit => NO_SYMBOL,
            _ => 0,
        }
    }

    /// A sign behind a letter. Lead bytes are misread as capitals (Ã, Ä, Г) and continuation bytes as signs, so this costs most.
    fn letter_then(&self, next: Kind) -> i32 {
        let letter = &self.last;
        let foreign = !letter.ascii;
        let capital = foreign && letter.kind == Kind::Upper;
        let stranded = letter.never_alone && self.letters == 1;
        // In a word of capitals, a sign is more likely to be one.
        let in_capitals = self.capitals == 3;
        match next {
            Kind::NoBreakSpace if stranded => 25,
            // Only `GÃ` can be the beginning of a word.
            Kind::NoBreakSpace if letter.never_alone && self.capitals == 2 => 22,
            Kind::NoBreakSpace if capital && self.capitals == 1 => 12,
            // NÂ° 5.
            Kind::Sign if letter.never_alone && self.letters == 2 && self.capitals == 2 => 28,
            Kind::Odd | Kind::Sign | Kind::Trade | Kind::Guillemet if stranded => 32,
            Kind::Link | Kind::Ellipsis if stranded => 27,
            Kind::Odd if foreign => 30,
            Kind::Odd => 20,
            Kind::Sign if capital => 25,
            Kind::Sign if foreign => 15,
            Kind::Sign => 5,
            Kind::Trade if foreign => 3,
            Kind::Formula | Kind::Root if self.letters > 1 => 20,
            Kind::Formula | Kind::Root => 8,
            Kind::Quote => 5,
            // »Wort«: some close with it.
            Kind::Guillemet if !foreign || in_capitals => 5,
            Kind::Guillemet | Kind::Open | Kind::Ask | Kind::Frame => 25,
            Kind::SoftHyphen if capital => 20,
            Kind::Other => 10,
            _ => 0,
        }
    }

    /// A letter behind a sign.
    fn then_letter(&self, last: Kind, letter: &Look) -> i32 {
        let inside = self.last_but_one.kind.is_letter();
        let behind_capital = self.last_but_one.kind == Kind::Upper && !self.last_but_one.ascii;
        match last {
            Kind::Odd if self.last.tongues & letter.tongues != 0 => 0,
            Kind::Odd => 15,
            // °C, °F.
            Kind::Sign if self.last.part == Part::Degree && letter.ascii && letter.kind == Kind::Upper => 0,
            Kind::Sign if letter.kind == Kind::Lower => 10,
            Kind::Sign => 8,
            // √π is mathematics, √é is not.
            Kind::Formula | Kind::Root if !letter.ascii && letter.script != Script::Greek => 16,
            Kind::Trade if inside => 18,
            // What closes a quotation, or dashes, within a word: `AÃ‘O`, `Ã»tre`, `Ã–l`.
            Kind::Quote | Kind::Guillemet | Kind::Close if behind_capital => 24,
            Kind::Ellipsis | Kind::Link if behind_capital && letter.kind == Kind::Lower => 24,
            // Nguyá»…n, Há»“ng: Nguyễn, Hồng.
            Kind::Quote | Kind::Ellipsis | Kind::Link
                if self.last_but_one.kind == Kind::Close && letter.kind == Kind::Lower =>
            {
                20
            }
            Kind::Quote if inside || self.last_but_one.kind == Kind::Sign => 10,
            // Neme»ô: Nemeș.
            Kind::Close
                if inside && self.last_but_one.ascii && !letter.ascii && letter.kind == Kind::Lower =>
            {
                26
            }
            // Má»ą, Chá»Ťn: Mỹ, Chọn.
            Kind::Close if inside && !self.last_but_one.ascii => 16,
            Kind::Close => 10,
            Kind::Ellipsis | Kind::Link if !letter.ascii && inside => 10,
            Kind::Ellipsis | Kind::Link if !letter.ascii => 5,
            Kind::Frame => 25,
            // ¿Qué? is as it should be.
            Kind::Ask if !inside => ASK,
            Kind::LostQuote if inside && letter.ascii && self.last_but_one.ascii => LOST,
            Kind::Other => 10,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests;
