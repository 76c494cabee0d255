//! How likely a text is in an encoding with one byte a character: what stands beside what, and its letters in each language.
#![forbid(unsafe_code)]

use super::glyph::{Glyph, Role, meeting};
use super::pairs::{Pair, Pairs};
use super::single::{Ready, Score};
use crate::language::Prior;
use crate::models::{Alphabet, Language, Script, alphabet, languages};

/// What a text is in one encoding, and in all that read it alike.
pub(super) struct Reading {
    by: &'static Ready,
    /// Bits of what stands beside what, and of characters that the text has nowhere else.
    shape: f32,
    unknown: f32,
    /// How often letters beyond ASCII are neighbours.
    letters: f32,
    /// Bits of the letters in each language of the script.
    bits: Vec<f32>,
}

impl Reading {
    pub(super) fn new(by: &'static Ready, pairs: &Pairs, prior: &Prior) -> Self {
        let glyphs = &by.glyphs;
        let meetings = pairs
            .high
            .iter()
            .map(|p| p.weight * meeting(&glyphs[usize::from(p.first)], &glyphs[usize::from(p.second)]));
        let alphabet = alphabet(by.candidate.script);
        let mut bits = of_each(alphabet, &by.index, &pairs.high);
        if by.candidate.script == Script::Greek {
            let sigmas = |at: &usize| final_sigmas(&languages()[*at], glyphs, &by.index, pairs);
            bits.iter_mut().zip(&alphabet.languages).for_each(|(bits, at)| *bits += sigmas(at));
        }
        Self {
            by,
            shape: meetings.sum(),
            unknown: pairs.places.iter().map(|&at| prior.against_character(by.table[at])).sum(),
            letters: letters(pairs, glyphs),
            bits,
        }
    }

    pub(super) fn is_of(&self, ready: &Ready, pairs: &Pairs) -> bool {
        self.by.candidate.script == ready.candidate.script
            && pairs.places.iter().all(|&at| self.by.table[at] == ready.table[at])
    }

    pub(super) fn score(&self, ready: &'static Ready, strangeness: &[f32], prior: &Prior) -> Option<Score> {
        let candidate = ready.candidate;
        let in_language = |((at, letters), distance): ((&usize, &f32), &f32)| {
            let strange = strangeness[*at];
            (&languages()[*at], letters + strange + distance, strange)
        };
        let languages_of = alphabet(candidate.script).languages.iter();
        let of_each = languages_of.zip(&self.bits).zip(&ready.distances).map(in_language);
        let (language, bits, strangeness) = of_each.min_by(|a, b| a.1.total_cmp(&b.1))?;
        let is_expected = candidate.script == Script::Latin || prior.script() == Some(candidate.script);
        let few = if is_expected { 0.0 } else { super::few(self.letters) };
        let bits =
            bits + self.shape + few + self.unknown + candidate.rarity - prior.for_encoding(candidate.name);
        Some(Score { candidate, language, bits, strangeness, table: &ready.table })
    }
}

/// How often a letter beyond ASCII, or a point of one, follows another.
fn letters(pairs: &Pairs, glyphs: &[Glyph; 256]) -> f32 {
    let is_letter = |byte: u8| {
        let role = glyphs[usize::from(byte)].role;
        !byte.is_ascii() && (role.is_letter() || role == Role::Point)
    };
    let joined = pairs.high.iter().filter(|p| is_letter(p.first) && is_letter(p.second));
    joined.map(|p| p.weight).sum()
}

/// What is to be added since a capital Σ is ς at the end of a word, which no lower-case letter by itself tells.
fn final_sigmas(language: &Language, glyphs: &[Glyph; 256], index: &[u8; 256], pairs: &Pairs) -> f32 {
    let is_capital = |byte: u8| {
        let glyph = glyphs[usize::from(byte)];
        glyph.role == Role::Upper && glyph.lower == 'σ'
    };
    let last = pairs.high.iter().filter(|p| index[usize::from(p.second)] == Language::BREAK);
    let weight: f32 = last.filter(|p| is_capital(p.first)).map(|p| p.weight).sum();
    let at_end = |letter| f32::from(language.cost(language.index(letter), Language::BREAK)) / 4.0;
    weight * (at_end('ς') - at_end('σ'))
}

/// Bits of these pairs in each language.
pub(super) fn of_each(alphabet: &Alphabet, index: &[u8; 256], pairs: &[Pair]) -> Vec<f32> {
    let mut bits = vec![0.0; alphabet.languages.len()];
    for pair in pairs {
        let [first, second] = [pair.first, pair.second].map(|byte| index[usize::from(byte)]);
        alphabet.add(&mut bits, pair.weight, first, second);
    }
    bits
}
