//! How a text came about that was decoded wrongly: chains of encodings, the most likely first.
//!
//! [`mojibake`](crate::mojibake) puts right the runs of a text that surely are wrong, and leaves alone the rest. Here the text as a whole is
//! taken for what somebody read wrongly: its bytes in each encoding that can have made it are read as UTF-8 and in each other
//! encoding, several times in a row, and what comes out is judged by how plausible it is in some language.
//!
//! ```
//! use placemat_detect::chain::chains;
//!
//! let [best, ..] = &chains("cafÃƒÂ© crÃƒÂ¨me")[..] else { panic!() };
//! assert_eq!((&*best.text, best.steps.len()), ("café crème", 2));
//! let [best, ..] = &chains("Ïðèâåò, ìèð!")[..] else { panic!() };
//! assert_eq!((best.steps[0].encoding, best.steps[0].read_as), ("windows-1251", "windows-1252"));
//! assert!(chains("café").is_empty());
//! ```
#![forbid(unsafe_code)]

mod cost;
mod parts;
mod step;

use std::collections::BTreeMap;

use self::cost::{bits, quick};
use self::step::{READERS, Reading, pages};

/// How many misreadings, one on top of the other, are undone at most.
pub const LONGEST: usize = 4;
/// How many chains are told at most.
pub const MOST: usize = 8;

/// So much of a text is judged, in bytes: lines that are not ASCII.
const SAMPLE: usize = 600;
/// So many texts of each length of chain are looked into.
const WIDTH: usize = 6;
/// So many texts of each length of chain are judged in full.
const JUDGED: usize = 40;
/// Bits that a chain must save.
const LEAST: f32 = 4.0;
/// Bits against an encoding other than UTF-8 below another misreading: almost any bytes can be read in one.
const AGAIN: f32 = 8.0;
/// Bits for a sequence of UTF-8: bytes that are not UTF-8 seldom form one.
const SEQUENCE: f32 = 2.0;
/// Bits for all sequences of a text, at most.
const SEQUENCES: f32 = 24.0;

/// Bytes of one encoding that were read in another.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// What the bytes were in.
    pub encoding: &'static str,
    /// What they were read as.
    pub read_as: &'static str,
    /// Others that would have made the same of them.
    pub also: Vec<&'static str>,
    /// Whether only parts of the text were undone: the sequences of UTF-8 in it. The rest was never misread, or has lost something.
    pub in_parts: bool,
    /// The text that they are.
    pub text: String,
}

/// One way in which a text may have come about.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Chain {
    /// What is to be undone, the last misreading first.
    pub steps: Vec<Step>,
    /// What was meant: the text of the last step.
    pub text: String,
    /// How likely it is among these chains, from 0 to 1.
    pub likelihood: f32,
}

/// A step without its text: of encodings as they are named in [`READERS`] and [`pages`].
#[derive(Clone, Debug, PartialEq, Eq)]
struct Link {
    encoding: &'static str,
    read_as: &'static str,
    also: Vec<&'static str>,
    in_parts: bool,
}

/// A text under way, and what it costs: that of the text, and that of the steps to it.
#[derive(Clone, Debug)]
struct State {
    text: String,
    links: Vec<Link>,
    bits: f32,
    steps: f32,
}

impl State {
    fn total(&self) -> f32 {
        self.bits + self.steps
    }
}

/// The chains that may have made `text`, the most likely first, at most [`MOST`]; none where it is more plausible as it stands.
///
/// Linear: what is judged is a sample of bounded length, and only the chains that are told are applied to all of the text. Where they
/// do not fit all of it, they are applied line by line.
///
/// ```
/// use placemat_detect::chain::chains;
///
/// let found = chains("ÐŸÑ€Ð¸Ð²ÐµÑ‚");
/// assert_eq!((&*found[0].text, found[0].steps[0].encoding), ("Привет", "utf-8"));
/// ```
#[must_use]
pub fn chains(text: &str) -> Vec<Chain> {
    if text.is_ascii() {
        return Vec::new();
    }
    let sample = sample(text);
    let before = bits(&sample);
    let mut found = search(State { text: sample, links: Vec::new(), bits: before, steps: 0.0 });
    found.retain(|state| state.total() + LEAST <= before);
    found.sort_by(|a, b| a.total().total_cmp(&b.total()));
    found.truncate(MOST);
    let Some(best) = found.first().map(State::total) else { return Vec::new() };
    let weights: Vec<f32> = found.iter().map(|state| ((best - state.total()) / 4.0).exp2()).collect();
    let sum: f32 = weights.iter().sum();
    let likelihoods = weights.iter().map(|weight| weight / sum);
    found.iter().zip(likelihoods).map(|(state, likelihood)| told(text, &state.links, likelihood)).collect()
}

/// Lines with characters beyond ASCII, whole characters of them.
fn sample(text: &str) -> String {
    let mut sample = String::new();
    for line in text.lines().filter(|line| !line.is_ascii()) {
        let room = SAMPLE.saturating_sub(sample.len());
        if line.len() > room {
            // A space is a space in every encoding here: nothing is cut in two there.
            let end = (0..=room).rev().find(|&end| line.is_char_boundary(end)).unwrap_or(0);
            let part = &line[..end];
            sample.push_str(part.rfind(' ').map_or(part, |end| &part[..end]));
            break;
        }
        sample.push_str(line);
        sample.push('\n');
    }
    sample.truncate(sample.trim_end_matches('\n').len());
    sample
}

/// Every text that some chain makes of this one and that is judged in full.
fn search(start: State) -> Vec<State> {
    let mut seen = BTreeMap::from([(start.text.clone(), ())]);
    let mut found = Vec::new();
    let mut level = vec![start];
    for _ in 0..LONGEST {
        let mut next: Vec<State> = Vec::new();
        for state in &level {
            next.extend(undone(state).into_iter().filter(|state| !seen.contains_key(&state.text)));
        }
        next.sort_by(|a, b| (quick(&a.text) + a.steps).total_cmp(&(quick(&b.text) + b.steps)));
        next.dedup_by(|a, b| a.text == b.text);
        next.truncate(JUDGED);
        for state in &mut next {
            state.bits = bits(&state.text);
            seen.insert(state.text.clone(), ());
        }
        next.sort_by(|a, b| a.total().total_cmp(&b.total()));
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

/// What one more step makes of a state.
fn undone(state: &State) -> Vec<State> {
    let mut found: Vec<State> = Vec::new();
    let mut tried: Vec<(Vec<u8>, usize, usize)> = Vec::new();
    for page in pages() {
        let Some(bytes) = page.bytes(&state.text) else { continue };
        // Pages that have these characters at the same places are one step.
        if let Some(&(_, first, last)) = tried.iter().find(|(known, ..)| *known == bytes) {
            for state in &mut found[first..last] {
                state.links.last_mut().into_iter().for_each(|link| link.also.push(page.name()));
            }
            continue;
        }
        let first = found.len();
        for reader in READERS.iter().filter(|reader| reader.name() != page.name()) {
            let Some(text) = reader.text(&bytes) else { continue };
            if text == state.text {
                continue;
            }
            let sequences = text.chars().filter(|c| !c.is_ascii()).count();
            let is_utf8 = reader.name() == "utf-8";
            // All that is left of the bytes beyond ASCII is a sequence that is cut off: that is no UTF-8.
            if is_utf8 && sequences == 0 {
                continue;
            }
            let mut links = state.links.clone();
            links.push(Link {
                encoding: reader.name(),
                read_as: page.name(),
                also: Vec::new(),
                in_parts: false,
            });
            let vouched = if is_utf8 { SEQUENCE * sequences as f32 } else { 0.0 };
            let again = if is_utf8 || state.links.is_empty() { 0.0 } else { AGAIN };
            let steps = state.steps + page.seldom() + reader.seldom() + again - vouched.min(SEQUENCES);
            found.push(State { text, links, bits: 0.0, steps });
        }
        tried.push((bytes, first, found.len()));
    }
    // Few texts were misread in parts once they had been misread as a whole.
    let again = if state.links.is_empty() { 0.0 } else { AGAIN };
    found.extend(parts::all(&state.text).map(|(page, parts)| {
        let mut links = state.links.clone();
        links.push(Link { encoding: "utf-8", read_as: page, also: Vec::new(), in_parts: true });
        State { text: parts.text, links, bits: 0.0, steps: state.steps + again + parts.bits }
    }));
    found
}

/// A chain, applied to all of the text.
fn told(text: &str, links: &[Link], likelihood: f32) -> Chain {
    let mut text = text.to_owned();
    let step = |link: &Link| {
        text = applied(&text, link);
        let Link { encoding, read_as, also, in_parts } = link.clone();
        Step { encoding, read_as, also, in_parts, text: text.clone() }
    };
    let steps: Vec<Step> = links.iter().map(step).collect();
    Chain { steps, text, likelihood }
}

/// One step back: of all of the text, or else of the lines that it fits.
fn applied(text: &str, link: &Link) -> String {
    if link.in_parts {
        return parts::of(text, link.read_as).map_or_else(|| text.to_owned(), |parts| parts.text);
    }
    let whole = |text: &str| {
        let page = pages().iter().find(|page| page.name() == link.read_as)?;
        let reader = READERS.iter().find(|reader| reader.name() == link.encoding)?;
        let bytes = page.bytes(text)?;
        let back = reader.text(&bytes)?;
        // What is cut off at the end stays.
        let is_whole = link.encoding != "utf-8" || back.len() == bytes.len();
        is_whole.then_some(back)
    };
    whole(text).unwrap_or_else(|| {
        text.split_inclusive('\n').map(|line| whole(line).unwrap_or_else(|| line.to_owned())).collect()
    })
}
