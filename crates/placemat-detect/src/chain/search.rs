//! Searches for the chains that may have made a text: undoes step by step, and follows the most plausible texts.
#![forbid(unsafe_code)]

use std::collections::BTreeSet;

use super::cost::{bits, is_known, quick};
use super::page::{Page, pages};
use super::parts;
use super::step::{self, READERS, Reader, Reading};
use super::utf16;

/// How many texts of each length of chain are followed further.
const WIDTH: usize = 6;
/// How many texts of each length of chain are judged in full.
const JUDGED: usize = 40;
/// Bits against an encoding other than UTF-8 in a step below another misreading: almost any bytes can be read in one.
const AGAIN: f32 = 8.0;
/// Bits for a sequence of UTF-8: bytes that are not UTF-8 seldom form one.
const SEQUENCE: f32 = 2.0;
/// Bits for all sequences of a text, at most.
const SEQUENCES: f32 = 24.0;
/// The fewest bits that a chain must save.
const LEAST: f32 = 4.0;
/// Like [`LEAST`], if the text of the chain is in a language of the models.
const LEAST_KNOWN: f32 = 1.0;
/// Bits for two encodings of one system, DOS or Macintosh: each is rare, but not next to the other.
const KIN: f32 = 5.0;
/// Bits against one or two East Asian characters in a text of Latin letters: any two bytes are such a character.
const LONE: f32 = 8.0;

/// A step without its text. Encodings are named as in [`READERS`] and [`pages`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) encoding: &'static str,
    pub(super) read_as: &'static str,
    pub(super) also: Vec<&'static str>,
    pub(super) in_parts: bool,
}

impl Link {
    pub(super) fn is_utf16(&self) -> bool {
        [self.encoding, self.read_as].iter().any(|name| name.starts_with("utf-16"))
    }
}

/// A text that the search has reached, with the cost of the text and that of the steps to it.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) text: String,
    pub(super) links: Vec<Link>,
    pub(super) bits: f32,
    pub(super) steps: f32,
    /// Whether the chain is undone only in the lines that it makes more plausible.
    pub(super) by_lines: bool,
}

impl State {
    pub(super) fn new(text: String, bits: f32) -> Self {
        Self { text, links: Vec::new(), bits, steps: 0.0, by_lines: false }
    }

    /// Whether it is more plausible than a text that costs `before`. A smaller gain is enough if it is in a language of the models.
    pub(super) fn saves(&self, before: f32) -> bool {
        let gain = before - self.total();
        // A chain with UTF-8 gains bits for each sequence already.
        let is_legacy = self.links.iter().all(|link| link.encoding != "utf-8");
        gain >= LEAST || is_legacy && gain >= LEAST_KNOWN && is_known(&self.text)
    }

    pub(super) fn total(&self) -> f32 {
        self.bits + self.steps
    }
}

/// Sorts states by their cost, the cheapest first.
pub(super) fn cheapest_first(states: &mut [State]) {
    states.sort_by(|a, b| a.total().total_cmp(&b.total()));
}

/// Returns the texts that chains of at most `longest` steps make of this one and that are judged in full.
pub(super) fn search(start: State, longest: usize) -> Vec<State> {
    let mut seen = BTreeSet::from([start.text.clone()]);
    let mut found = Vec::new();
    let mut level = vec![start];
    for _ in 0..longest {
        let mut next: Vec<State> = Vec::new();
        for state in &level {
            next.extend(undone(state).into_iter().filter(|state| !seen.contains(&state.text)));
        }
        next.iter_mut().for_each(|state| state.bits = quick(&state.text));
        cheapest_first(&mut next);
        next.dedup_by(|a, b| a.text == b.text);
        next.truncate(JUDGED);
        for state in &mut next {
            state.bits = bits(&state.text);
            seen.insert(state.text.clone());
        }
        cheapest_first(&mut next);
        found.extend(next.iter().cloned());
        next.retain(|state| !state.text.is_ascii());
        next.truncate(WIDTH);
        level = next;
        if level.is_empty() {
            break;
        }
    }
    found
}

/// Returns the states that one more step leads to.
fn undone(state: &State) -> Vec<State> {
    let mut found: Vec<State> = Vec::new();
    let mut tried: Vec<(Vec<u8>, usize, usize)> = Vec::new();
    for page in pages() {
        let Some(bytes) = page.bytes(&state.text) else { continue };
        // Pages that have the characters of this text at the same bytes are one step.
        if let Some(&(_, first, last)) = tried.iter().find(|(known, ..)| *known == bytes) {
            for state in &mut found[first..last] {
                state.links.last_mut().into_iter().for_each(|link| link.also.push(page.name()));
            }
            continue;
        }
        let first = found.len();
        found.extend(READERS.iter().filter_map(|reader| read(state, page, reader, &bytes)));
        tried.push((bytes, first, found.len()));
    }
    // Below another misreading, a misreading of parts is rare.
    let again = if state.links.is_empty() { 0.0 } else { AGAIN };
    found.extend(parts::all(&state.text, state.links.is_empty()).map(|(page, parts)| {
        let mut links = state.links.clone();
        links.push(Link { encoding: "utf-8", read_as: page, also: Vec::new(), in_parts: true });
        let steps = state.steps + again + parts.bits;
        State { text: parts.text, links, bits: 0.0, steps, by_lines: false }
    }));
    found
}

/// Reads `bytes`, those of a state's text on a page, in another encoding.
fn read(state: &State, page: &Page, reader: &Reader, bytes: &[u8]) -> Option<State> {
    let is_first = state.links.is_empty();
    if reader.name() == page.name() || !utf16::are_tried(page, reader, bytes, is_first) {
        return None;
    }
    let text = step::read(reader, bytes, &state.text)?;
    let is_wide = page.is_utf16() || reader.is_utf16();
    if text == state.text || is_wide && !utf16::is_likely(&text) {
        return None;
    }
    let sequences = text.chars().filter(|c| !c.is_ascii()).count();
    let is_utf8 = reader.name() == "utf-8";
    // Only a cut-off sequence is left of the bytes beyond ASCII, so they are not UTF-8.
    if is_utf8 && sequences == 0 && !page.is_utf16() {
        return None;
    }
    let mut links = state.links.clone();
    links.push(Link { encoding: reader.name(), read_as: page.name(), also: Vec::new(), in_parts: false });
    let vouched = if is_utf8 { SEQUENCE * sequences as f32 } else { 0.0 };
    let again = if is_utf8 || is_first { 0.0 } else { AGAIN };
    let pair = page.seldom() + reader.seldom() - if step::are_kin(page, reader) { KIN } else { 0.0 };
    let lone = if reader.is_multibyte() && are_lone(&text) { LONE } else { 0.0 };
    let steps = state.steps + pair + lone + again - vouched.min(SEQUENCES);
    Some(State { text, links, bits: 0.0, steps, by_lines: false })
}

/// Whether there are only one or two East Asian characters among many ASCII letters.
fn are_lone(text: &str) -> bool {
    let wide = text.chars().filter(|&c| c >= '\u{3000}').count();
    let letters = text.chars().filter(char::is_ascii_alphabetic).count();
    matches!(wide, 1 | 2) && letters > 8 * wide
}
