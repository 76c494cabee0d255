//! Which encoding of the time before UTF-8 is this? Each candidate reads the text; the reading that looks
//! most like something people write wins.
#![forbid(unsafe_code)]

mod glyph;
mod multi;
mod pairs;
mod single;

use pairs::Pairs;

/// How well one legacy encoding explains a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Guess {
    pub(crate) encoding: &'static str,
    /// Language of the single-byte reading.
    pub(crate) language: Option<&'static str>,
    /// Bits for each byte from 80 up; less is better.
    pub(crate) bits: f32,
    pub(crate) total: f32,
}

/// Every candidate, best first.
pub(crate) fn guesses(sample: &[u8], complete: bool) -> Vec<Guess> {
    let pairs = Pairs::new(sample);
    let high = pairs.high_weight.max(1.0);
    let mut guesses: Vec<Guess> = single::scores(&pairs)
        .into_iter()
        .map(|s| Guess {
            encoding: s.candidate.name,
            language: Some(s.language.name),
            bits: s.bits / high,
            total: s.bits,
        })
        .collect();
    guesses.extend(multi::scores(sample, complete).into_iter().map(|s| Guess {
        encoding: s.candidate.name,
        language: None,
        bits: s.bits / high,
        total: s.bits,
    }));
    guesses.sort_by(|a, b| a.bits.total_cmp(&b.bits));
    guesses
}

/// Bits against a script other than Latin when a text has only so many bytes from 80 up: such a text is mostly
/// Latin, with an accent or a sign here and there.
fn few(high: f32) -> f32 {
    (12.0 - 2.0 * high).max(0.0)
}
