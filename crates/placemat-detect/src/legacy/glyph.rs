//! The properties of characters that scores use: letter or symbol, case, where it may stand, what it costs.
#![forbid(unsafe_code)]

use crate::models::Script;

/// The class of a character, which says what may stand beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// ASCII that is no letter and no digit.
    Plain,
    Digit,
    Lower,
    Upper,
    /// A letter of a script without case, or a combining mark that the models have.
    Uncased,
    /// A point, a vowel sign or a stroke of a Hebrew or Arabic letter, as in vocalized text. The models have none of them.
    Point,
    /// Stands before a word: an opening quotation mark, an inverted question mark.
    Opening,
    /// Stands after a word or a number: a closing quotation mark, a degree sign.
    Closing,
    /// Stands anywhere, inside words too: a dash, an apostrophe, a no-break space.
    Joining,
    /// Stands by itself or beside a number.
    Sign,
    /// A line or block of a drawing.
    Drawing,
    /// A control of the C1 set, a private character, or a byte without a character.
    Nothing,
}

/// All roles, in order.
const ROLES: [Role; 12] = [
    Role::Plain,
    Role::Digit,
    Role::Lower,
    Role::Upper,
    Role::Uncased,
    Role::Point,
    Role::Opening,
    Role::Closing,
    Role::Joining,
    Role::Sign,
    Role::Drawing,
    Role::Nothing,
];

impl Role {
    pub(super) fn is_letter(self) -> bool {
        matches!(self, Self::Lower | Self::Upper | Self::Uncased)
    }
}

/// The properties of one character.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glyph {
    pub(super) role: Role,
    pub(super) script: Option<Script>,
    /// The lower-case form of a letter.
    pub(super) lower: char,
    /// The bits that the character costs in any context; 0 for letters, which the languages judge.
    pub(super) cost: f32,
}

impl Glyph {
    pub(super) fn new(c: Option<char>) -> Self {
        let Some(c) = c else {
            return Self { role: Role::Nothing, script: None, lower: '\0', cost: 20.0 };
        };
        let (role, cost) = role(c);
        Self { role, script: script(c), lower: lower(c), cost }
    }
}

fn lower(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

fn role(c: char) -> (Role, f32) {
    match c {
        '0'..='9' => (Role::Digit, 0.0),
        '\0'..='\x7F' if !c.is_ascii_alphabetic() => (Role::Plain, 0.0),
        'ª' | 'º' => (Role::Closing, 7.0),
        'µ' => (Role::Sign, 10.0),
        '\u{5BE}' => (Role::Joining, 6.0),
        '\u{5C0}' | '\u{5C3}' => (Role::Closing, 9.0),
        '\u{591}'..='\u{5C7}' | '\u{640}' | '\u{64E}'..='\u{655}' => (Role::Point, 0.0),
        // These three end a word.
        '\u{64B}'..='\u{64D}' => (Role::Point, 3.0),
        '\u{200C}' | '\u{200D}' => (Role::Point, 3.0),
        '\u{200E}' | '\u{200F}' => (Role::Joining, 9.0),
        _ if c.is_alphabetic() || is_mark(c) => {
            let role = match c {
                _ if c.is_lowercase() => Role::Lower,
                _ if c.is_uppercase() => Role::Upper,
                _ => Role::Uncased,
            };
            (role, 0.0)
        }
        '\u{80}'..='\u{9F}' => (Role::Nothing, 14.0),
        '\u{A0}' => (Role::Joining, 5.0),
        '«' | '‘' | '„' | '‹' => (Role::Opening, 6.0),
        '»' | '”' | '…' | '›' => (Role::Closing, 6.0),
        // “ opens in some languages and closes in others.
        '–' | '—' | '’' | '“' => (Role::Joining, 6.0),
        '\u{AD}' => (Role::Joining, 9.0),
        '¡' | '¿' | '‚' => (Role::Opening, 8.0),
        '°' => (Role::Joining, 9.0),
        '²' | '³' | '™' | '®' | '½' => (Role::Closing, 9.0),
        '©' | '§' | '€' | '£' | '№' | '•' | '·' => (Role::Sign, 9.0),
        '\u{2500}'..='\u{259F}' => (Role::Drawing, 11.0),
        '\u{E000}'..='\u{F8FF}' => (Role::Nothing, 16.0),
        '†' | '‡' | '¢' | '¥' | '±' | '¼' | '¾' | '¹' | '×' | '÷' | '¶' | '´' | '¨' | '¬' => {
            (Role::Sign, 11.0)
        }
        _ => (Role::Sign, 13.0),
    }
}

fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{E31}'..='\u{E4E}')
}

fn script(c: char) -> Option<Script> {
    match c {
        'A'..='Z' | 'a'..='z' | 'ª' | 'º' | 'À'..='ɏ' | 'Ḁ'..='ỿ' | '\u{300}'..='\u{36F}' => {
            Some(Script::Latin)
        }
        '\u{370}'..='\u{3FF}' => Some(Script::Greek),
        '\u{400}'..='\u{52F}' => Some(Script::Cyrillic),
        '\u{591}'..='\u{5F4}' => Some(Script::Hebrew),
        '\u{600}'..='\u{6FF}' => Some(Script::Arabic),
        '\u{E00}'..='\u{E7F}' => Some(Script::Thai),
        _ => None,
    }
}

/// Whether two drawing characters often stand side by side: two equal ones, one that is a horizontal line, two blocks; but not two
/// corners.
fn is_drawn_together(a: char, b: char) -> bool {
    let lies = |c| matches!(c, '─' | '═');
    a == b || lies(a) || lies(b) || a.min(b) >= '\u{2580}'
}

/// Whether one letter may have both points. It has one vowel, besides which it may have a dot or a stroke, and be stretched by any
/// number of U+0640.
fn are_on_one_letter(a: char, b: char) -> bool {
    let is_beside_vowel =
        |c| matches!(c, '\u{5BC}' | '\u{5BD}' | '\u{5C1}' | '\u{5C2}' | '\u{640}' | '\u{651}');
    if a == b { a == '\u{640}' } else { is_beside_vowel(a) || is_beside_vowel(b) }
}

/// The cost of two neighbouring characters in bits, apart from what the languages say about letters.
#[inline]
pub(super) fn meeting(previous: &Glyph, next: &Glyph) -> f32 {
    let both = match MEETINGS[previous.role as usize][next.role as usize] {
        ASK => special(previous, next),
        bits => bits,
    };
    let scripts = previous.role.is_letter() && next.role.is_letter() && previous.script != next.script;
    both + next.cost + if scripts { 8.0 } else { 0.0 }
}

/// What the roles of two neighbours cost, or [`ASK`].
static MEETINGS: [[f32; ROLES.len()]; ROLES.len()] = {
    let mut bits = [[0.0; ROLES.len()]; ROLES.len()];
    let mut at = 0;
    while at < ROLES.len() * ROLES.len() {
        let (previous, next) = (at / ROLES.len(), at % ROLES.len());
        bits[previous][next] = of_roles(ROLES[previous], ROLES[next]);
        at += 1;
    }
    bits
};

/// Whether the roles alone decide what a meeting costs.
pub(super) fn is_told_by_roles(previous: Role, next: Role) -> bool {
    MEETINGS[previous as usize][next as usize] != ASK
}

/// The entry for two roles whose meeting depends on the characters too.
const ASK: f32 = f32::MAX;

/// The cost of a meeting that depends on more than roles.
fn special(previous: &Glyph, next: &Glyph) -> f32 {
    match (previous.role, next.role) {
        // No word begins with an apostrophe. In the other Greek encoding the byte is Ά.
        (Role::Plain, Role::Joining) => {
            if next.lower == '’' && previous.lower.is_ascii_whitespace() {
                6.0
            } else {
                0.0
            }
        }
        (Role::Point, Role::Point) => {
            if are_on_one_letter(previous.lower, next.lower) {
                4.0
            } else {
                15.0
            }
        }
        _ => {
            if is_drawn_together(previous.lower, next.lower) {
                -7.0
            } else {
                0.0
            }
        }
    }
}

const fn of_roles(previous: Role, next: Role) -> f32 {
    use Role::{
        Closing, Digit, Drawing, Joining, Lower, Nothing, Opening, Plain, Point, Sign, Uncased, Upper,
    };
    match (previous, next) {
        (Plain, Joining) | (Point, Point) | (Drawing, Drawing) => ASK,
        (Uncased, Point) => 4.0,
        (_, Point) => 15.0,
        (Lower, Upper) => 9.0,
        (Upper, Upper) => 2.0,
        (Upper, Lower) => 0.6,
        (Uncased, Upper | Lower) | (Upper | Lower, Uncased) => 2.0,
        (Closing, Upper) => 6.0,
        (Sign | Drawing, Upper) => 5.0,
        (Closing, Lower | Uncased) => 8.0,
        (Sign | Drawing, Lower | Uncased) => 5.0,
        (Plain | Digit | Opening | Joining | Nothing, Upper) => 2.0,
        (Plain | Digit | Opening | Joining | Nothing, Lower) => 0.4,
        (Lower | Upper | Uncased, Opening) => 7.0,
        (Digit, Opening) => 4.0,
        (Opening, Plain) => 3.0,
        (Lower | Upper | Uncased, Drawing) => 6.0,
        (Lower | Upper | Uncased, Sign) => 3.0,
        (Closing, Opening) | (Opening, Closing) => 2.0,
        _ => 0.0,
    }
}
