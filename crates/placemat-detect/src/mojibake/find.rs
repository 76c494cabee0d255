//! The runs of sequences in a line, read on one page.
#![forbid(unsafe_code)]

use std::cell::LazyCell;

use super::doubt::Doubt;
use super::facts::Facts;
use super::letters::{Script, look_at};
use super::run::{EVERYDAY, Run};
use super::sequence::{self, Found, Wear};

/// What a space that may be a byte may cost among its like: a digit costs more than a capital letter.
const LEEWAY: i32 = 10;

/// The runs of `line` on page number `page`, and what they stand for, one behind the other.
pub(super) fn runs(line: &[char], facts: &Facts, page: usize) -> (Vec<Run>, Vec<char>) {
    let beyond = &facts.beyond;
    let (mut runs, mut text): (Vec<Run>, Vec<char>) = (Vec::new(), Vec::with_capacity(beyond.len()));
    let is_vietnamese = LazyCell::new(|| is_vietnamese(facts, page));
    let among = LazyCell::new(|| scripts(facts, page));
    let mut number = 0;
    let bit = 1 << page;
    while let Some(ahead) = facts.openings[number..].iter().position(|pages| pages & bit != 0) {
        let first = number + ahead;
        let at = beyond[first];
        number = first + 1;
        let rest = &line[at..];
        let touching =
            runs.last().filter(|run| run.span.end == at).map(|run| (run.span.start, run.text(&text)));
        let belongs = |found: &Found| {
            let script = look_at(found.value).script;
            EVERYDAY.contains(&script) || among.contains(&script)
        };
        let is_likely = |found: &Found| belongs(found) && is_likely(line, at, touching, found, page);
        let before = at.checked_sub(1).map(|before| line[before]);
        let stranded = page == 0 && before.is_some_and(|before| sequence::stranded(before, rest));
        let worn = || {
            sequence::worn(rest, page)
                .filter(|found| found.wear != Wear::Space || stranded || is_likely(found))
        };
        let Some(found) = facts.whole(first, page).or_else(worn) else { continue };
        if touching.is_none() {
            runs.push(Run::new(at, first, text.len()));
        }
        if let Some(run) = runs.last_mut() {
            run.push(found, rest, &mut text);
            number += beyond[number..].iter().take_while(|&&at| at < run.span.end).count();
            run.numbers.end = number;
            run.stranded = stranded;
            // In Vietnamese the word goes on.
            if found.wear == Wear::Folded && !*is_vietnamese {
                run.put_back(' ', &mut text);
            }
        }
    }
    runs.iter_mut().for_each(|run| run.faint = run.whole == 0 && !run.text(&text).iter().all(is_common));
    (runs, text)
}

fn is_common(c: &char) -> bool {
    matches!(c, 'à' | ' ' | '\u{A0}' | '”' | '\u{FFFD}')
}

/// Whether what was `found` at `at` with a space in it is about as plausible between its neighbours, as they are read
/// on this page, as what stands there. `thé – ` is a word and a dash, though it spells U+9816.
fn is_likely(
    line: &[char],
    at: usize,
    touching: Option<(usize, &[char])>,
    found: &Found,
    page: usize,
) -> bool {
    let (start, text) = touching.unwrap_or((at, &[]));
    let before = Doubt::after(&line[..start], text);
    let end = at + found.taken;
    let read = |rest| sequence::whole(rest, page).or_else(|| sequence::worn(rest, page));
    let next = line.get(end).map(|&c| read(&line[end..]).map_or(c, |found| found.value));
    before.over(&line[at..end], next) + LEEWAY >= before.over(&[found.value], next)
}

/// The scripts of what is beyond ASCII in the line, read back on this page.
fn scripts(facts: &Facts, page: usize) -> Vec<Script> {
    let mut scripts: Vec<Script> = Vec::new();
    for (number, look) in facts.looks.iter().enumerate() {
        let script = facts.whole(number, page).map_or(look.script, |found| look_at(found.value).script);
        // They are few, and mostly that of the character before.
        if scripts.last() != Some(&script) {
            scripts.retain(|&it| it != script);
            scripts.push(script);
        }
    }
    scripts
}

/// Whether the line, read back on this page, has letters that only Vietnamese has: there `à` stands within words.
fn is_vietnamese(facts: &Facts, page: usize) -> bool {
    let value = |number| facts.whole(number, page).map(|found| found.value);
    (0..facts.beyond.len()).filter_map(value).any(|c| matches!(c, '\u{1EA0}'..='\u{1EF9}'))
}
