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
    /// The least bits of the letters in any language of the script.
    least: f32,
    /// Bits of the letters in each of them, once they are asked for.
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
        let least = |p: &Pair| {
            p.weight * alphabet.least(by.index[usize::from(p.first)], by.index[usize::from(p.second)])
        };
        // Where a sigma is final, that may be less.
        let is_greek = by.candidate.script == Script::Greek;
        Self {
            by,
            shape: meetings.sum(),
            unknown: pairs.places.iter().map(|&at| prior.against_character(by.table[at])).sum(),
            letters: letters(pairs, glyphs),
            least: if is_greek { 0.0 } else { pairs.high.iter().map(least).sum() },
            bits: Vec::new(),
        }
    }

    /// Ask the languages, which takes most of the time.
    fn judge(&mut self, pairs: &Pairs) {
        if !self.bits.is_empty() {
            return;
        }
        let (by, alphabet) = (self.by, alphabet(self.by.candidate.script));
        self.bits = of_each(alphabet, &by.index, &pairs.high);
        if by.candidate.script == Script::Greek {
            let sigmas = |at: &usize| final_sigmas(&languages()[*at], &by.glyphs, &by.index, pairs);
            self.bits.iter_mut().zip(&alphabet.languages).for_each(|(bits, at)| *bits += sigmas(at));
        }
    }

    /// No more bits than the text has in this encoding, whatever its language is.
    pub(super) fn least(&self, ready: &Ready, prior: &Prior) -> f32 {
        // A hundredth less, since sums are rounded.
        0.99 * self.least + self.but_for_letters(ready, prior)
    }

    fn but_for_letters(&self, ready: &Ready, prior: &Prior) -> f32 {
        let candidate = ready.candidate;
        let is_expected = candidate.script == Script::Latin || prior.script() == Some(candidate.script);
        let few = if is_expected { 0.0 } else { super::few(self.letters) };
        self.shape + few + self.unknown + candidate.rarity - prior.for_encoding(candidate.name)
    }

    pub(super) fn is_of(&self, ready: &Ready, pairs: &Pairs) -> bool {
        self.by.candidate.script == ready.candidate.script
            && pairs.places.iter().all(|&at| self.by.table[at] == ready.table[at])
    }

    pub(super) fn score(
        &mut self,
        ready: &'static Ready,
        pairs: &Pairs,
        strangeness: &[f32],
        prior: &Prior,
    ) -> Option<Score> {
        self.judge(pairs);
        let candidate = ready.candidate;
        let in_language = |((at, letters), distance): ((&usize, &f32), &f32)| {
            let strange = strangeness[*at];
            (&languages()[*at], letters + strange + distance, strange)
        };
        let languages_of = alphabet(candidate.script).languages.iter();
        let of_each = languages_of.zip(&self.bits).zip(&ready.distances).map(in_language);
        let (language, bits, strangeness) = of_each.min_by(|a, b| a.1.total_cmp(&b.1))?;
        let bits = bits + self.but_for_letters(ready, prior);
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
