//! Chains for texts of which only some lines were misread.
#![forbid(unsafe_code)]

use super::cost::bits;
use super::search::{Link, State, cheapest_first, search};
use super::{MOST, apply};

/// Bits against undoing only some of the lines.
const PARTLY: f32 = 4.0;
/// How many misreadings of a line are undone at most.
const LONGEST: usize = 2;

/// Returns the chains that explain the least plausible line. Each is undone in the lines that it makes more plausible.
pub(super) fn all(sample: &str, before: f32) -> Vec<State> {
    let dear = |line: &&str| bits(line) / line.chars().count().max(1) as f32;
    let lines = sample.lines().filter(|line| !line.is_ascii());
    let Some(line) = lines.max_by(|a, b| dear(a).total_cmp(&dear(b))) else { return Vec::new() };
    if line.len() == sample.len() {
        return Vec::new();
    }
    let its = bits(line);
    let mut found = search(State::new(line.to_owned(), its), LONGEST);
    found.retain(|state| state.saves(its) && !state.links.iter().any(Link::is_utf16));
    cheapest_first(&mut found);
    found.truncate(MOST);
    let whole = |state: State| {
        let lines = chosen(sample, &state.links);
        let text = state.links.iter().fold(sample.to_owned(), |text, link| applied(&text, &lines, link));
        let bits = bits(&text);
        State { text, bits, steps: state.steps + PARTLY, by_lines: true, ..state }
    };
    found.into_iter().map(whole).filter(|state| state.saves(before)).collect()
}

/// For each line, whether it is more plausible after a chain is undone.
pub(super) fn chosen(text: &str, links: &[Link]) -> Vec<bool> {
    let is_better = |line: &str| {
        let back = links.iter().try_fold(line.to_owned(), |text, link| apply::whole(&text, link));
        back.is_some_and(|back| back != line && bits(&back) < bits(line))
    };
    text.split_inclusive('\n').map(is_better).collect()
}

/// Undoes one step in the chosen lines.
pub(super) fn applied(text: &str, chosen: &[bool], link: &Link) -> String {
    let lines = text.split_inclusive('\n').zip(chosen);
    let one = |(line, &is_chosen): (&str, &bool)| {
        if is_chosen { apply::whole(line, link) } else { None }.unwrap_or_else(|| line.to_owned())
    };
    lines.map(one).collect()
}
