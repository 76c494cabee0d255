//! Which of two readings of a line is spelt as a language spells.
#![forbid(unsafe_code)]

use std::sync::LazyLock;

use super::letters::{Kind, look_at};
use super::run::Reading;
use super::sequence;
use crate::models::{self, Alphabet, Language, alphabets};

/// How many characters of a line are looked at, from a few before the first run.
const WINDOW: usize = 512;
const BEFORE: usize = 32;
/// What a capital letter costs within a word that has others, in quarter bits.
const CAPITAL: u32 = 40;

/// Whether the runs of `reading` can be judged: they stand for no mojibake, and for no letters that no model has.
pub(super) fn is_told(reading: &Reading) -> bool {
    let is_told = |text: &[char]| sequence::pages(text) == 0 && text.iter().all(|&c| is_modelled(c));
    reading.runs.iter().all(|run| is_told(reading.text(run)))
}

/// What the line costs with the runs of `reading` replaced, in the language that suits it best, in quarter bits.
/// Cost: constant, though for each language.
pub(super) fn cost(line: &[char], reading: &Reading) -> u32 {
    let text = replaced(line, reading);
    let capitals: u32 = text.split(|c| !c.is_alphabetic()).map(capitals).sum();
    let letter = |c: &char| c.is_alphabetic().then(|| lower(*c));
    let letters: Vec<Option<char>> = text.iter().map(letter).collect();
    let spelt = |alphabet: &Alphabet| {
        let language = alphabet.first()?;
        let number = |letter: &Option<char>| letter.map_or(Language::BREAK, |letter| language.index(letter));
        let edge = [Language::BREAK];
        let numbers: Vec<u8> = edge.into_iter().chain(letters.iter().map(number)).chain(edge).collect();
        Some(alphabet.spelt(&numbers))
    };
    alphabets().iter().filter_map(spelt).min().unwrap_or(u32::MAX).saturating_add(capitals)
}

/// Whether `c` is no letter, or one that a language has.
pub(super) fn is_modelled(c: char) -> bool {
    let kind = look_at(c).kind;
    kind != Kind::Mark && (!kind.is_letter() || MODELLED.get(c as usize).is_some_and(|is_one| *is_one))
}

/// All letters of all languages, and their capitals, are below this code point.
const LETTERS_END: usize = 0x2140;

/// Whether each character below [`LETTERS_END`] is a letter of a language. Made without the statistics of languages, which take a hundred times as long.
static MODELLED: LazyLock<Vec<bool>> = LazyLock::new(|| {
    let mut letters: Vec<char> = models::letters().collect();
    letters.sort_unstable();
    let is_one = |c| look_at(c).kind.is_letter() && letters.binary_search(&lower(c)).is_ok();
    ('\0'..).take(LETTERS_END).map(is_one).collect()
});

fn lower(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

/// The line from shortly before the first run, the runs replaced.
fn replaced(line: &[char], reading: &Reading) -> Vec<char> {
    let mut at = reading.runs.first().map_or(0, |run| run.span.start.saturating_sub(BEFORE));
    let mut text = Vec::with_capacity(WINDOW);
    for run in &reading.runs {
        text.extend_from_slice(&line[at..run.span.start]);
        text.extend_from_slice(reading.text(run));
        at = run.span.end;
        if text.len() >= WINDOW {
            break;
        }
    }
    text.extend_from_slice(&line[at..]);
    text.truncate(WINDOW);
    text
}

/// The capital letters that stand behind the first letter of a word which is not all capitals.
fn capitals(word: &[char]) -> u32 {
    let small = word.iter().any(|c| c.is_lowercase());
    let within = word.iter().skip(1).filter(|c| small && c.is_uppercase()).count();
    CAPITAL * within as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_a_language_is_known() {
        let has = |c: char| alphabets().iter().any(|alphabet| alphabet.has(lower(c)));
        for c in '\0'..=char::MAX {
            let kind = look_at(c).kind;
            let is_modelled = kind != Kind::Mark && (!kind.is_letter() || has(c));
            assert_eq!(super::is_modelled(c), is_modelled, "{c:?}");
        }
    }
}
