//! Guesses the language of a text from its well-formed part, to judge the malformed part.
#![forbid(unsafe_code)]

use placemat::label::Label;

use crate::models::{Language, Script, characters, languages};

/// The most bits against a language. They do not rule it out, since a name or a quotation in another language is always possible.
const MOST: f32 = 30.0;
/// The number of letter pairs that count in full. Longer texts repeat their pairs.
const PAIRS: f32 = 200.0;
/// The number of letters beyond ASCII from which their script is the script of the text.
const LETTERS: usize = 8;

/// Bits against each language that the well-formed text gives, before any byte of the other encoding is read. By default nothing is
/// known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prior {
    /// In the order of [`languages`]; empty if nothing is known.
    against: Vec<f32>,
    /// For the languages of [`characters`], by name.
    characters: Vec<(&'static str, f32)>,
    script: Option<Script>,
    is_east_asian: bool,
    /// The characters beyond ASCII that the text has, in lower case, sorted.
    known: Vec<char>,
    /// The encoding that the text declares.
    declared: Option<&'static str>,
}

/// Bits for the encoding that a text declares. A declaration is seldom wrong, but a plainly better reading in another encoding
/// outweighs it.
const DECLARED: f32 = 30.0;

/// Bits against a character that the well-formed text does not have.
const UNKNOWN: f32 = 5.0;

impl Prior {
    /// What the well-formed `text` tells.
    pub(crate) fn of(text: &str) -> Self {
        let beyond = text.chars().filter(|c| !c.is_ascii() && c.is_alphabetic());
        let (east, others): (Vec<char>, Vec<char>) = beyond.partition(|&c| is_east_asian(c));
        if east.len() >= LETTERS && east.len() * 2 > others.len() {
            return Self {
                against: vec![MOST; languages().len()],
                characters: against_characters(&east),
                script: None,
                is_east_asian: true,
                known: Vec::new(),
                declared: None,
            };
        }
        let far = if others.len() >= LETTERS { MOST } else { 0.0 };
        let (against, best) = against_languages(text);
        Self {
            against,
            characters: characters().iter().map(|c| (c.name, far)).collect(),
            script: best.filter(|_| others.len() >= LETTERS),
            is_east_asian: false,
            known: known(text),
            declared: None,
        }
    }

    /// Only that the text declares this encoding.
    pub(crate) fn declaring(encoding: Option<&'static str>) -> Self {
        Self { declared: encoding, ..Self::default() }
    }

    /// Whether the text declares the encoding `name`; `None` if it declares none.
    pub(crate) fn declares(&self, name: &str) -> Option<bool> {
        self.declared.map(|declared| is_same(declared, name))
    }

    /// Bits for an encoding.
    pub(crate) fn for_encoding(&self, name: &str) -> f32 {
        if self.declares(name) == Some(true) { DECLARED } else { 0.0 }
    }

    /// Bits against characters beyond ASCII that the text does not have, once for each character however often it occurs.
    pub(crate) fn against_each(&self, characters: impl Iterator<Item = Option<char>>) -> f32 {
        if self.known.is_empty() {
            return 0.0;
        }
        let is_known = |c: &char| self.known.binary_search(&lower(*c)).is_ok();
        characters.flatten().map(|c| if is_known(&c) { 0.0 } else { UNKNOWN }).sum()
    }

    /// Bits against each of [`languages`]; empty if nothing is known.
    pub(crate) fn against(&self) -> impl Iterator<Item = f32> {
        self.against.iter().copied()
    }

    pub(crate) fn against_characters(&self, name: &str) -> f32 {
        self.characters.iter().find(|(n, _)| *n == name).map_or(0.0, |(_, bits)| *bits)
    }

    /// The script of the text, if it has enough letters of it.
    pub(crate) fn script(&self) -> Option<Script> {
        self.script
    }

    pub(crate) fn is_east_asian(&self) -> bool {
        self.is_east_asian
    }
}

/// Whether two names are of one encoding, as `cp850` and `ibm850` are.
fn is_same(declared: &str, name: &str) -> bool {
    let canonical = |name| Label::named(name).map(Label::name);
    declared == name || canonical(declared).is_some_and(|declared| Some(declared) == canonical(name))
}

fn known(text: &str) -> Vec<char> {
    let mut known: Vec<char> = text.chars().filter(|c| !c.is_ascii()).map(lower).collect();
    known.sort_unstable();
    known.dedup();
    known
}

fn lower(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

pub(crate) fn is_east_asian(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}')
}

/// The bits that each language has more than the best one, and the script of the best one.
fn against_languages(text: &str) -> (Vec<f32>, Option<Script>) {
    let letters: Vec<char> = text.chars().map(|c| if c.is_alphabetic() { lower(c) } else { ' ' }).collect();
    let pairs = letters.windows(2).filter(|pair| pair != &[' ', ' ']).count() as f32;
    let mut bits: Vec<f32> = languages().iter().map(|language| bits_of(language, &letters)).collect();
    let best = bits.iter().copied().fold(f32::INFINITY, f32::min);
    let script = languages().iter().zip(&bits).find(|(_, b)| **b <= best).map(|(l, _)| l.script);
    let scale = (PAIRS / pairs.max(1.0)).min(1.0);
    bits.iter_mut().for_each(|bits| *bits = ((*bits - best) * scale).min(MOST));
    (bits, script)
}

fn bits_of(language: &Language, letters: &[char]) -> f32 {
    let index = |c: char| if c == ' ' { Language::BREAK } else { language.index(c) };
    let mut previous = Language::BREAK;
    let mut quarters = 0_u32;
    for &letter in letters {
        let next = index(letter);
        if previous != Language::BREAK || next != Language::BREAK {
            quarters += u32::from(language.cost(previous, next));
        }
        previous = next;
    }
    quarters as f32 / 4.0
}

/// The bits that each of [`characters`] has more than the best one.
fn against_characters(text: &[char]) -> Vec<(&'static str, f32)> {
    let cost = |c: char, costs: &crate::models::Characters| {
        u16::try_from(u32::from(c)).ok().and_then(|unit| costs.cost(unit)).unwrap_or(18.0)
    };
    let bits: Vec<f32> = characters().iter().map(|l| text.iter().map(|&c| cost(c, l)).sum()).collect();
    let best = bits.iter().copied().fold(f32::INFINITY, f32::min);
    let scale = (PAIRS / text.len().max(1) as f32).min(1.0);
    let rows = characters().iter().zip(bits);
    rows.map(|(language, bits)| (language.name, ((bits - best) * scale).min(MOST))).collect()
}
