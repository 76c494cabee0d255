//! How much a piece of text looks like something that nobody wrote.
#![forbid(unsafe_code)]

use super::letters::{EDGE, Kind, Look, Script, look_at};

/// Adds up the doubt in a text, character by character, in tenths of a nat or so: what each character costs for
/// being rare, and each pair for not belonging together.
#[derive(Clone, Copy)]
pub(super) struct Doubt {
    last: Look,
    /// Capital letters in a row up to here, at most 2.
    capitals: u8,
    sum: i32,
}

impl Doubt {
    /// Nothing is in doubt yet; `before` is the text so far, of which the last two characters count.
    pub(super) fn after(before: &[char]) -> Self {
        let mut doubt = Self { last: EDGE, capitals: 0, sum: 0 };
        before[before.len().saturating_sub(2)..].iter().for_each(|&c| doubt.push(c));
        doubt.sum = 0;
        doubt
    }

    /// The doubt in `text` standing here and before `next`, or at the end of the line.
    pub(super) fn over(mut self, text: &[char], next: Option<char>) -> i32 {
        text.iter().for_each(|&c| self.push(c));
        self.sum + self.pair(&next.map_or(EDGE, look_at))
    }

    fn push(&mut self, c: char) {
        let look = look_at(c);
        self.sum += look.rarity + self.pair(&look);
        self.capitals = if look.kind == Kind::Upper { (self.capitals + 1).min(2) } else { 0 };
        self.last = look;
    }

    fn pair(&self, next: &Look) -> i32 {
        let last = &self.last;
        if last.ascii && next.ascii {
            return 0;
        }
        match (last.kind, next.kind) {
            (a, b) if a.is_letter() && b.is_letter() => self.letters(next),
            (a, Kind::Mark) if a.is_letter() || a == Kind::Mark => mixed(last.script, next.script),
            (_, Kind::Mark) => 25,
            (a, b) if a.is_letter() => letter_then(last, b),
            (a, b) if b.is_letter() => then_letter(a, next),
            (a, b) => signs(a, b),
        }
    }

    fn letters(&self, next: &Look) -> i32 {
        let last = &self.last;
        let mut cost = mixed(last.script, next.script);
        match (last.kind, next.kind) {
            (Kind::Lower, Kind::Upper) => cost += 25,
            (Kind::Upper, Kind::Lower) if self.capitals == 2 => cost += 5,
            _ => {}
        }
        if last.tongues != 0 && next.tongues != 0 && last.tongues & next.tongues == 0 {
            cost += 25;
        }
        cost
    }
}

/// Two scripts in one word.
fn mixed(a: Script, b: Script) -> i32 {
    match (a, b) {
        (Script::None, _) | (_, Script::None) => 0,
        _ if a == b => 0,
        (Script::EastAsian, Script::Latin) | (Script::Latin, Script::EastAsian) => 5,
        (Script::Greek, Script::Latin) | (Script::Latin, Script::Greek) => 25,
        _ => 35,
    }
}

fn letter_then(letter: &Look, next: Kind) -> i32 {
    let foreign = !letter.ascii;
    match next {
        Kind::Odd if foreign => 30,
        Kind::Odd => 20,
        Kind::Sign if foreign && letter.kind == Kind::Upper => 25,
        Kind::Sign if foreign => 15,
        Kind::Sign => 5,
        Kind::Open => 12,
        Kind::Frame => 25,
        Kind::Other => 10,
        _ => 0,
    }
}

fn then_letter(last: Kind, letter: &Look) -> i32 {
    match last {
        Kind::Odd => 15,
        Kind::Sign => 8,
        Kind::Close => 10,
        Kind::Frame => 25,
        Kind::Other => 10,
        Kind::Link if !letter.ascii => 3,
        _ => 0,
    }
}

fn signs(a: Kind, b: Kind) -> i32 {
    match (a, b) {
        (Kind::NoBreakSpace, Kind::Space) | (Kind::Space, Kind::NoBreakSpace) => 10,
        (Kind::SoftHyphen, _) => 20,
        (_, Kind::SoftHyphen) => 15,
        (Kind::Space | Kind::Digit | Kind::Ascii, _) | (_, Kind::Space | Kind::Digit | Kind::Ascii) => 0,
        (Kind::Frame, Kind::Frame) | (Kind::Other, Kind::Other) => 0,
        (Kind::Frame, _) | (_, Kind::Frame) => 15,
        (Kind::Odd, Kind::Odd | Kind::Sign) | (Kind::Sign, Kind::Odd | Kind::Sign) => 12,
        (Kind::Odd | Kind::Sign, _) | (_, Kind::Odd | Kind::Sign) => 5,
        (Kind::Link, Kind::Link) => 3,
        _ => 2,
    }
}
