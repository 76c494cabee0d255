//! How likely a text is in a single-byte encoding: by its neighbouring characters, and by its letters in each language.
#![forbid(unsafe_code)]

use super::glyph::{Glyph, Role, meeting};
use super::pairs::{Pair, Pairs};
use super::single::{Ready, Score, meetings};
use crate::language::Prior;
use crate::models::{Alphabet, Language, Script, alphabet, languages};

/// How a text is read in one encoding, and in all others that read it alike.
pub(super) struct Reading {
    by: &'static Ready,
    /// Bits of neighbouring characters, and bits of characters that the text has nowhere else.
    shape: f32,
    unknown: f32,
    /// The weight of pairs of letters beyond ASCII, and that of pairs of such a letter and one of ASCII.
    letters: f32,
    mixed: f32,
    /// The fewest bits that the letters have in any language of the script.
    least: f32,
    /// Bits of the letters in each language of the script, plus those of ASCII words against it; empty until needed.
    bits: Vec<f32>,
}

/// Bits against a letter of another script amid Latin ones, in addition to what each meeting costs.
const MIXED: f32 = 8.0;

/// The number of pairs whose costs are looked up before any is added.
const TOGETHER: usize = 16;

impl Reading {
    pub(super) fn new(by: &'static Ready, pairs: &Pairs, prior: &Prior) -> Self {
        let (alphabet, meetings) = (alphabet(by.candidate.script), meetings());
        let mut sums = [0.0; 4];
        for some in pairs.high.chunks(TOGETHER) {
            // Looks up all costs first. Then each addition waits only for the one before it.
            let mut costs = [[0.0; 4]; TOGETHER];
            for (costs, pair) in costs.iter_mut().zip(some) {
                let [first, second] = [pair.first, pair.second].map(usize::from);
                let [previous, next] = [by.classes[first], by.classes[second]];
                let are_high = !pair.first.is_ascii() && !pair.second.is_ascii();
                let is_joined = are_high && meetings.are_joining(previous, next);
                let met = meetings.bits(previous, next).unwrap_or_else(|| asked(by, pair));
                let least = alphabet.least(by.index[first], by.index[second]);
                let is_mixed = (pair.first.is_ascii_alphabetic() || pair.second.is_ascii_alphabetic())
                    && by.index[first.max(second)] != Language::BREAK;
                *costs = [met, least, f32::from(u8::from(is_joined)), f32::from(u8::from(is_mixed))];
            }
            for (costs, pair) in costs.iter().zip(some) {
                sums = core::array::from_fn(|i| sums[i] + pair.weight * costs[i]);
            }
        }
        let [shape, least, letters, mixed] = sums;
        // A final sigma may make it less, so Greek gets no bound.
        let is_greek = by.candidate.script == Script::Greek;
        Self {
            by,
            shape,
            unknown: prior.against_each(pairs.places.iter().map(|&at| by.table[at])),
            letters,
            mixed,
            least: if is_greek { 0.0 } else { least / 4.0 },
            bits: Vec::new(),
        }
    }

    /// Computes the bits in each language, which takes most of the time.
    fn judge(&mut self, pairs: &Pairs, strangeness: &[f32]) {
        if !self.bits.is_empty() {
            return;
        }
        let (by, alphabet) = (self.by, alphabet(self.by.candidate.script));
        self.bits = of_each(alphabet, &by.index, &pairs.high);
        if by.candidate.script == Script::Greek {
            let sigmas = |at: &usize| final_sigmas(&languages()[*at], &by.glyphs, &by.index, pairs);
            self.bits.iter_mut().zip(&alphabet.languages).for_each(|(bits, at)| *bits += sigmas(at));
        }
        self.bits.iter_mut().zip(&alphabet.languages).for_each(|(bits, at)| *bits += strangeness[*at]);
    }

    /// A lower bound of the bits of the text in this encoding, whatever its language is.
    pub(super) fn least(&self, ready: &Ready, prior: &Prior) -> f32 {
        // A hundredth less, since sums are rounded.
        0.99 * self.least + self.but_for_letters(ready, prior)
    }

    fn but_for_letters(&self, ready: &Ready, prior: &Prior) -> f32 {
        let candidate = ready.candidate;
        let is_expected = candidate.script == Script::Latin || prior.script() == Some(candidate.script);
        let few = if is_expected { 0.0 } else { super::few(self.letters) };
        // A word has several letters of its script. If most of them stand beside Latin letters, they are Latin letters in another
        // encoding.
        let is_latin = candidate.script == Script::Latin;
        let mixed = if is_latin { 0.0 } else { MIXED * (self.mixed - self.letters).max(0.0) };
        self.shape + mixed + few + self.unknown + candidate.rarity - prior.for_encoding(candidate.name)
    }

    pub(super) fn is_of(&self, ready: &Ready, pairs: &Pairs) -> bool {
        self.by.candidate.script == ready.candidate.script && self.by.reads_as(ready, pairs)
    }

    pub(super) fn score(
        &mut self,
        ready: &'static Ready,
        pairs: &Pairs,
        strangeness: &[f32],
        prior: &Prior,
    ) -> Option<Score> {
        self.judge(pairs, strangeness);
        let candidate = ready.candidate;
        let (at, bits) = least_of(&self.bits, &ready.distances)?;
        let at = alphabet(candidate.script).languages[at];
        let (language, strangeness) = (&languages()[at], strangeness[at]);
        let bits = bits + self.but_for_letters(ready, prior);
        Some(Score { ready, language, bits, strangeness })
    }
}

/// The least sum of two numbers at the same index, and the first such index.
fn least_of(bits: &[f32], distances: &[f32]) -> Option<(usize, f32)> {
    let lesser = |a: f32, b: f32| if b < a { b } else { a };
    // In several lanes, so that no comparison waits for the one before it.
    let mut lanes = [f32::INFINITY; 8];
    for (bits, distances) in bits.chunks(8).zip(distances.chunks(8)) {
        for ((lane, bits), distance) in lanes.iter_mut().zip(bits).zip(distances) {
            *lane = lesser(*lane, bits + distance);
        }
    }
    let least = lanes.into_iter().fold(f32::INFINITY, lesser);
    bits.iter().zip(distances).position(|(bits, distance)| bits + distance == least).map(|at| (at, least))
}

/// The cost of a meeting that depends on the characters. A function of its own, since otherwise the sums would be kept in memory
/// instead of registers.
#[cold]
#[inline(never)]
fn asked(by: &Ready, pair: &Pair) -> f32 {
    meeting(&by.glyphs[usize::from(pair.first)], &by.glyphs[usize::from(pair.second)])
}

/// The bits to add for each capital Σ at the end of a word: it is ς there, but its lower-case form is σ.
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

/// The bits of these pairs in each language.
pub(super) fn of_each(alphabet: &Alphabet, index: &[u8; 256], pairs: &[Pair]) -> Vec<f32> {
    let number = |byte: u8| index[usize::from(byte)];
    alphabet.bits(pairs.iter().map(|pair| (pair.weight, number(pair.first), number(pair.second))))
}
