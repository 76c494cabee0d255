//! Which of two readings of a line is spelt as a language spells.
#![forbid(unsafe_code)]

use super::letters::{Kind, look_at};
use super::run::Run;
use super::sequence;
use crate::models::{Language, languages};

/// How many characters of a line are looked at, from a few before the first run.
const WINDOW: usize = 512;
const BEFORE: usize = 32;
/// What a capital letter costs within a word that has others, in quarter bits.
const CAPITAL: u32 = 40;

/// What the line costs with `runs` replaced, in the language that suits it best, in quarter bits; `None` where the
/// runs stand for mojibake again, or for letters that no model has. Cost: constant, though for each language.
pub(super) fn cost(line: &[char], runs: &[Run]) -> Option<u32> {
    let told = |run: &Run| sequence::pages(&run.text) == 0 && run.text.iter().all(|&c| is_modelled(c));
    if !runs.iter().all(told) {
        return None;
    }
    let text = replaced(line, runs);
    let capitals: u32 = text.split(|c| !c.is_alphabetic()).map(capitals).sum();
    let lower: Vec<char> = text.iter().map(|c| c.to_lowercase().next().unwrap_or(*c)).collect();
    let least =
        languages().iter().fold(u32::MAX, |least, language| least.min(spelt(&lower, language, least)));
    Some(least.saturating_add(capitals))
}

/// Whether `c` is no letter, or one that a language has.
fn is_modelled(c: char) -> bool {
    let lower = c.to_lowercase().next().unwrap_or(c);
    let has = |language: &Language| language.index(lower) != language.index(char::MAX);
    let kind = look_at(c).kind;
    kind != Kind::Mark && (!kind.is_letter() || languages().iter().any(has))
}

/// The line from shortly before the first run, the runs replaced.
fn replaced(line: &[char], runs: &[Run]) -> Vec<char> {
    let mut at = runs.first().map_or(0, |run| run.span.start.saturating_sub(BEFORE));
    let mut text = Vec::with_capacity(WINDOW);
    for run in runs {
        text.extend_from_slice(&line[at..run.span.start]);
        text.extend_from_slice(&run.text);
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

/// What `lower` costs in `language`, or the cost so far as soon as that exceeds `limit`.
fn spelt(lower: &[char], language: &Language, limit: u32) -> u32 {
    let (mut last, mut cost) = (Language::BREAK, 0);
    for c in lower {
        let next = if c.is_alphabetic() { language.index(*c) } else { Language::BREAK };
        cost += u32::from(language.cost(last, next));
        if cost > limit {
            return cost;
        }
        last = next;
    }
    cost + u32::from(language.cost(last, Language::BREAK))
}
