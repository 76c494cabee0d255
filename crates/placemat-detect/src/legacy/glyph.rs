//! What a character is to the scores: letter or symbol, its case, where it may stand, what it costs.
#![forbid(unsafe_code)]

use crate::models::Script;

/// The part that a character plays beside its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// ASCII that is no letter.
    Plain,
    Lower,
    Upper,
    /// A letter of a script without case, or a combining mark.
    Uncased,
    /// Stands before a word: an opening quotation mark, an inverted question mark.
    Opening,
    /// Stands after a word or a number: a closing quotation mark, a degree sign.
    Closing,
    /// Stands anywhere: a dash, a no-break space.
    Free,
    /// A line or block of a drawing.
    Drawing,
    /// A control of the C1 set, a private character, or a byte without a character.
    Nothing,
}

impl Role {
    pub(super) fn is_letter(self) -> bool {
        matches!(self, Self::Lower | Self::Upper | Self::Uncased)
    }
}

/// One character as the scores see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Glyph {
    pub(super) role: Role,
    pub(super) script: Option<Script>,
    /// Lower-case form of a letter.
    pub(super) lower: char,
    /// Bits that the character costs whatever is around it; letters leave this to the languages.
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
        '\0'..='\x7F' if !c.is_ascii_alphabetic() => (Role::Plain, 0.0),
        'ª' | 'º' => (Role::Closing, 7.0),
        _ if c.is_alphabetic() || is_mark(c) => {
            let role = match c {
                _ if c.is_lowercase() => Role::Lower,
                _ if c.is_uppercase() => Role::Upper,
                _ => Role::Uncased,
            };
            (role, 0.0)
        }
        '\u{80}'..='\u{9F}' => (Role::Nothing, 14.0),
        '\u{A0}' => (Role::Free, 5.0),
        '«' | '“' | '‘' | '„' | '‹' => (Role::Opening, 6.0),
        '»' | '”' | '’' | '…' | '›' => (Role::Closing, 6.0),
        '–' | '—' => (Role::Free, 6.0),
        '¡' | '¿' | '‚' => (Role::Opening, 8.0),
        '°' | '²' | '³' | '™' | '®' | '½' => (Role::Closing, 9.0),
        '©' | '§' | '€' | '£' | '№' | '•' | '·' | '\u{AD}' => (Role::Free, 9.0),
        '\u{2500}'..='\u{259F}' => (Role::Drawing, 11.0),
        '\u{E000}'..='\u{F8FF}' => (Role::Nothing, 16.0),
        '†' | '‡' | '¢' | '¥' | '±' | '¼' | '¾' | '¹' | '×' | '÷' | '¶' | '´' | '¨' | '¬' => (Role::Free, 11.0),
        _ => (Role::Free, 13.0),
    }
}

fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{591}'..='\u{5C7}' | '\u{64B}'..='\u{655}' | '\u{E31}'..='\u{E4E}')
}

fn script(c: char) -> Option<Script> {
    match c {
        'A'..='Z' | 'a'..='z' | 'ª' | 'º' | 'À'..='ɏ' | 'Ḁ'..='ỿ' | '\u{300}'..='\u{36F}' | 'ƒ' => Some(Script::Latin),
        '\u{370}'..='\u{3FF}' => Some(Script::Greek),
        '\u{400}'..='\u{52F}' => Some(Script::Cyrillic),
        '\u{591}'..='\u{5F4}' => Some(Script::Hebrew),
        '\u{600}'..='\u{6FF}' => Some(Script::Arabic),
        '\u{E00}'..='\u{E7F}' => Some(Script::Thai),
        _ => None,
    }
}

/// Bits that the meeting of two characters costs beyond what the languages say about letters.
pub(super) fn meeting(previous: &Glyph, next: &Glyph) -> f32 {
    use Role::{Closing, Drawing, Free, Lower, Nothing, Opening, Plain, Uncased, Upper};
    let both = match (previous.role, next.role) {
        (Plain | Opening | Closing | Free | Drawing | Nothing, Upper) => 2.0,
        (Plain | Opening | Closing | Free | Drawing | Nothing, Lower) => 0.4,
        (Lower, Upper) => 9.0,
        (Upper, Upper) => 2.0,
        (Upper, Lower) => 0.6,
        (Uncased, Upper | Lower) | (Upper | Lower, Uncased) => 2.0,
        (Drawing, Drawing) => -6.0,
        (Lower | Upper | Uncased, Opening) => 5.0,
        (Lower | Upper | Uncased, Drawing) | (Drawing, Uncased) => 6.0,
        (Closing, Opening) | (Opening, Closing) => 2.0,
        (Lower | Upper | Uncased, Free) => 1.0,
        _ => 0.0,
    };
    let joined = match (previous.role, next.role) {
        (Closing | Free | Drawing, Lower | Upper) => 2.0,
        _ => 0.0,
    };
    let scripts = previous.role.is_letter() && next.role.is_letter() && previous.script != next.script;
    both + joined + next.cost + if scripts { 8.0 } else { 0.0 }
}
