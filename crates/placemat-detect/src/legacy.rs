//! Guesses legacy encodings. Each candidate decodes the text; the reading whose letters are most likely in some language
//! wins.
//!
//! All scores are in bits: minus the binary logarithm of the probability of the text in that encoding, up to a term that is
//! the same for all. So single-byte and multi-byte encodings can be compared.
#![forbid(unsafe_code)]

mod glyph;
mod meetings;
mod multi;
mod pairs;
mod reading;
mod single;
mod unlisted;

use pairs::Pairs;
pub(crate) use single::table;

use crate::language::Prior;

/// How well one legacy encoding explains a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Guess {
    pub(crate) encoding: &'static str,
    /// The name of the language of the reading.
    pub(crate) language: &'static str,
    /// From 0 to 1. Candidates that read the text alike have the same.
    pub(crate) confidence: f32,
    /// The number of sequences of the sample that are malformed in the encoding.
    pub(crate) malformed: u64,
    /// Whether more than one character beyond ASCII in fifty is malformed.
    pub(crate) is_faulty: bool,
    /// Whether it reads the text as the best guess does.
    pub(crate) alike: bool,
    /// The weight of the pairs that it reads differently from the best guess.
    differing: f32,
    /// How unlikely the bytes from 80 up are in their places, plus how unlikely the encoding is.
    bits: f32,
    /// How unlikely the encoding is by itself.
    rarity: f32,
    /// How unlikely the bytes are, divided by the same for noise: about 0.6 for text in a language.
    pub(crate) strain: f32,
}

impl Guess {
    /// Whether `is_known` holds for the character of every byte from 80 up; always false for multi-byte encodings.
    pub(crate) fn reads_only(&self, text: &[u8], is_known: impl Fn(char) -> bool) -> bool {
        let Some(table) = table(self.encoding) else { return false };
        let mut high = text.iter().filter_map(|byte| byte.checked_sub(0x80));
        high.all(|at| table[usize::from(at)].is_some_and(&is_known))
    }

    /// The length of the longest alphabet that it reads: neighbours whose code points follow one another without a gap.
    pub(crate) fn alphabet(&self, text: &[u8]) -> usize {
        let Some(table) = table(self.encoding) else { return 0 };
        let character = |byte: u8| byte.checked_sub(0x80).and_then(|at| table[usize::from(at)]);
        let follows = |a: &u8, b: &u8| {
            character(*a).is_some_and(|a| Some(u32::from(a) + 1) == character(*b).map(u32::from))
        };
        text.chunk_by(follows).map(<[u8]>::len).max().unwrap_or(0)
    }

    /// The number of letters beyond ASCII that it reads; in a multi-byte encoding, the number of bytes from 80 up.
    pub(crate) fn letters(&self, text: &[u8]) -> usize {
        let high = text.iter().filter_map(|byte| byte.checked_sub(0x80));
        match table(self.encoding) {
            Some(table) => high.filter(|at| table[usize::from(*at)].is_some_and(char::is_alphabetic)).count(),
            None => high.count(),
        }
    }
}

/// Every candidate, best first.
pub(crate) fn guesses(sample: &[u8], complete: bool) -> Vec<Guess> {
    guesses_after(sample, complete, &Prior::default())
}

/// Like [`guesses`], if something is known of the language.
pub(crate) fn guesses_after(sample: &[u8], complete: bool, prior: &Prior) -> Vec<Guess> {
    let pairs = Pairs::new(sample);
    let multis: Vec<Guess> =
        multi::scores(sample, complete, prior).iter().map(|score| of_multi(score, &pairs, prior)).collect();
    let singles = single::scores(&pairs, prior, &Hopeless::behind(&multis, &pairs));
    let Some(first) = singles.iter().min_by(|a, b| a.bits.total_cmp(&b.bits)) else { return Vec::new() };
    let (high, noise) = (pairs.beyond_ascii(), pairs.noise());
    // It matters which others read the text as the best single-byte encoding does only if that one is the best of all.
    let is_best = multis.iter().all(|multi| first.bits.total_cmp(&multi.bits).is_le());
    let single = |score: &single::Score| {
        let malformed = score.malformed(&pairs);
        let candidate = score.ready.candidate;
        let alike = is_best && first.ready.reads_as(score.ready, &pairs);
        Guess {
            encoding: candidate.name,
            language: score.language.title,
            confidence: 0.0,
            malformed,
            is_faulty: is_faulty(malformed, high),
            alike,
            differing: match (alike, is_best) {
                (true, _) => 0.0,
                (false, true) => score.differing(first, &pairs),
                (false, false) => pairs.high_weight,
            },
            bits: score.bits,
            rarity: candidate.rarity,
            strain: score.bits / noise,
        }
    };
    let mut guesses: Vec<Guess> = singles.iter().map(single).collect();
    guesses.extend(multis);
    ascending(&mut guesses, |guess| guess.bits);
    weigh(&mut guesses, pairs.high_weight, noise + NOISE + first.strangeness);
    // In the confidence, the rarity of an encoding counts in full, and candidates that read the text alike are equal.
    ascending(&mut guesses, |guess| -guess.confidence);
    guesses
}

fn of_multi(score: &multi::Score, pairs: &Pairs, prior: &Prior) -> Guess {
    let bits = (score.bits * pairs.running + score.malformed_bits) * pairs.scale + score.prior
        - prior.for_encoding(score.candidate.name);
    Guess {
        encoding: score.candidate.name,
        language: score.language,
        confidence: 0.0,
        malformed: score.malformed,
        is_faulty: is_faulty(score.malformed - score.cut_off, score.characters),
        alike: false,
        differing: pairs.high_weight,
        bits,
        rarity: score.candidate.rarity,
        strain: bits / pairs.noise(),
    }
}

/// Which further guesses cannot matter, given some guesses.
struct Hopeless {
    /// A further guess with this many bits cannot matter. Five of the given guesses are better, and a verdict names no more. It is so
    /// far behind the best that its confidence is lost in any sum with the best one's.
    bits: f32,
    /// Whether noise cannot matter either.
    is_noise: bool,
}

impl Hopeless {
    fn behind(guesses: &[Guess], pairs: &Pairs) -> Self {
        let temperature = temperature(pairs.high_weight);
        // The five smallest numbers. Sorting would be more code.
        let mut bits = [f32::INFINITY; 5];
        for guess in guesses {
            // With rarity as it counts in `weigh`. The other guess is taken to have none.
            let mut its = guess.bits + guess.rarity * (temperature - 1.0);
            for least in &mut bits {
                if its < *least {
                    core::mem::swap(least, &mut its);
                }
            }
        }
        let lost = bits[0] + LOST * temperature;
        // Another `temperature` makes the fifth guess twice as likely, so that rounding does not matter.
        Self { bits: lost.max(bits[4] + temperature), is_noise: lost < pairs.noise() }
    }
}

/// The binary logarithm of a ratio at which the smaller summand is lost: more than the digits of a number, even if many were rounded.
const LOST: f32 = 60.0;

/// Puts the guess at `at` before those that were better. Which guesses read the text as the first one did then no longer matters.
pub(crate) fn put_first(guesses: &mut [Guess], at: usize) {
    guesses[..=at].rotate_right(1);
    guesses.iter_mut().for_each(|guess| guess.alike &= at == 0);
}

/// Sorts guesses by a number.
fn ascending(guesses: &mut Vec<Guess>, number: fn(&Guess) -> f32) {
    let mut order = guesses.iter().enumerate().map(|(at, guess)| (number(guess), 0, at)).collect::<Vec<_>>();
    sort(&mut order);
    *guesses = order.into_iter().map(|(.., at)| guesses[at].clone()).collect();
}

/// Sorts by the first number, then by the last. One function serves all orders, since sorting is much code.
fn sort(order: &mut [(f32, usize, usize)]) {
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
}

/// The bits of the bytes from 80 up in the best encoding, with each occurrence counted in full.
pub(crate) fn least_bits(sample: &[u8]) -> f32 {
    let scale = Pairs::new(sample).scale;
    guesses(sample, false).first().map_or(f32::INFINITY, |best| best.bits / scale.max(0.01))
}

/// Turns bits into confidence. Neighbouring letters are less independent than the scores assume, so a difference counts for less the
/// more of the text is read differently. Few bytes never make a guess sure, and the text may be noise.
fn weigh(guesses: &mut [Guess], high: f32, noise: f32) {
    let Some(best) = guesses.first() else { return };
    let (best, rarity) = (best.bits - best.rarity, best.rarity);
    let weight =
        |bits: f32, its: f32, over: f32| ((best - bits + its) / temperature(over) + rarity - its).exp2();
    // The best guess, and those that read the text alike, have weight 1.
    let other = |g: &Guess| weight(g.bits, g.rarity, g.differing).min(1.0);
    let others: f32 = guesses.iter().skip(1).filter(|g| !g.alike).map(other).sum();
    let noise = weight(noise, NOISE, high);
    let most = (1.0 - 0.5_f32.powf(1.0 + high / 3.0)).min(0.99);
    for (rank, guess) in guesses.iter_mut().enumerate() {
        let own = if rank == 0 || guess.alike { 1.0 } else { other(guess) };
        guess.confidence = own / (1.0 + others + noise) * most;
    }
}

/// The number that divides a difference in bits, if pairs of weight `over` are read differently.
fn temperature(over: f32) -> f32 {
    1.0 + over.sqrt() / 4.0
}

/// A candidate this many bits behind the best has confidence 0, or nearly.
fn far(high: f32) -> f32 {
    36.0 * temperature(high)
}

fn is_faulty(malformed: u64, characters: u64) -> bool {
    malformed * 50 > characters
}

/// Bits against a text being noise.
const NOISE: f32 = 20.0;

/// Whether nearly all pairs are characters that the languages of an East Asian encoding use.
pub(crate) fn is_likely(encoding: &str, pairs: &[u8]) -> bool {
    multi::is_likely(encoding, pairs)
}

/// Bits against a script other than Latin in a text with only this many of its letters: such a text is mostly Latin, with an accent or
/// a sign here and there.
fn few(characters: f32) -> f32 {
    (20.0 - 5.0 * characters).max(0.0)
}
