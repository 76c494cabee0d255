//! Words and tables in Cyrillic, which code page 866 and KOI8-R make sequences of: `тИП`, `│м│ж│`.
#![forbid(unsafe_code)]

use super::ends;
use super::facts::Facts;
use super::letters::{Kind, Look, Script, look_at};
use super::page::{Page, TRIED};
use super::run::Run;
use super::sequence;

/// So few letters are of one script where they touch; in Tatar `İ` begins Cyrillic words.
const FEW: u32 = 4;

/// Whether `page` has Cyrillic letters and frames.
pub(super) fn is_on(page: usize) -> bool {
    matches!(TRIED[page], Page::Cp866 | Page::Koi8R)
}

/// Whether Cyrillic letters or frames stand outside of `runs`, and are not what is left of sequences beside the first and the last. What was misread
/// on a page of them has them inside.
pub(super) fn stands_outside(line: &[char], facts: &Facts, runs: &[Run], page: usize) -> bool {
    let own = |look: &&Look| look.script == Script::Cyrillic || look.kind == Kind::Frame;
    let count = |looks: &[Look]| looks.iter().filter(own).count();
    let looks = &facts.looks;
    let inside: usize = runs.iter().map(|run| count(&looks[run.numbers.clone()])).sum();
    let (Some(first), Some(last)) = (runs.first(), runs.last()) else { return count(looks) > 0 };
    let rest = first.numbers.start - ends::rest(line, first.span.start, page)..first.numbers.start;
    let beginning = last.numbers.end..last.numbers.end + ends::beginning(line, last.span.end, page);
    count(looks) > inside + count(&looks[rest]) + count(&looks[beginning])
}

/// Whether `run`, which stands for `text`, is as its writer meant it: a word, or letters in the cells of a table. `outside`: letters or frames
/// stand outside of the runs; `latin`: no letters but ASCII do.
pub(super) fn is_meant(
    line: &[char],
    run: &Run,
    text: &[char],
    page: usize,
    outside: bool,
    latin: bool,
) -> bool {
    let source = &line[run.span.clone()];
    let before = run.span.start.checked_sub(1).map(|before| line[before]);
    let mut signs = source.iter().filter(|c| !is_letter(**c));
    let Some(sign) = signs.next() else {
        // A word with a slip of the caps lock.
        let next = line.get(run.span.end).copied();
        let touched = [before, next].iter().flatten().any(char::is_ascii_alphanumeric);
        let textual = text.iter().all(|&c| sequence::is_textual(c));
        let likely = if outside { touched && textual } else { touched || textual || latin };
        return source.len() == 3 && !likely;
    };
    let cell = matches!(sign, '│' | '║' | '░' | '▒' | '▓' | '■' | '□' | '√' | '∙');
    let cells = cell && signs.clone().all(|c| c == sign);
    if TRIED[page] == Page::Cp866 {
        return cells && outside;
    }
    let each = cells && 2 * (1 + signs.count()) == source.len();
    let several = source.iter().step_by(2).any(|c| *c != source[0]);
    let within = before.is_some_and(|c| c.is_ascii_alphabetic());
    each && several
        || outside && (cells || run.whole == 1 && !within)
        || run.whole <= FEW && !is_one_script(text)
}

fn is_letter(c: char) -> bool {
    look_at(c).script == Script::Cyrillic
}

/// Whether all letters of `text` and what stands on them are of one script.
fn is_one_script(text: &[char]) -> bool {
    let mut scripts = text.iter().map(|&c| look_at(c).script).filter(|script| *script != Script::None);
    scripts.next().is_none_or(|first| scripts.all(|script| script == first))
}
