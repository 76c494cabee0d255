//! Explains a wrongly decoded text by chains of encodings, the most likely first.
//!
//! [`mojibake`](crate::mojibake) repairs only the runs of a text that are surely wrong. Here the text as a whole is assumed to be
//! misread. It is encoded in each encoding that can have produced it, and those bytes are decoded as UTF-8 and in each other encoding
//! (UTF-16 included), several times in a row. A result is judged by how plausible it is in some language. If only some lines are
//! implausible, only those are undone.
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

mod apply;
mod cost;
mod lines;
mod page;
mod parts;
mod search;
mod step;
mod utf16;

use self::apply::told;
use self::cost::bits;
use self::search::{State, cheapest_first, search};

/// How many misreadings, one on top of the other, are undone at most.
pub const LONGEST: usize = 4;
/// How many chains are returned at most.
pub const MOST: usize = 8;

/// How much of a text is judged, in bytes: lines that are not ASCII.
const SAMPLE: usize = 600;

/// Bytes of one encoding that were read in another.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The encoding that the bytes were in.
    pub encoding: &'static str,
    /// The encoding that they were read as.
    pub read_as: &'static str,
    /// Other encodings in which the bytes would have been read as the same text.
    pub also: Vec<&'static str>,
    /// Whether only parts of the text were undone: its UTF-8 sequences, or some of its lines. The rest was never misread, or has
    /// lost bytes.
    pub in_parts: bool,
    /// The text that results when this step is undone.
    pub text: String,
}

/// One way in which a text may have come about.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Chain {
    /// The misreadings to undo, the last one first.
    pub steps: Vec<Step>,
    /// What was meant: the text of the last step.
    pub text: String,
    /// How likely it is among these chains, from 0 to 1.
    pub likelihood: f32,
}

/// Returns the chains that may have made `text`, the most likely first, at most [`MOST`]; none if the text is more plausible as it stands.
///
/// Linear: a sample of bounded length is judged, and only the chains that are returned are applied to all of the text. If a chain
/// does not fit all of it, it is applied line by line.
///
/// ```
/// use placemat_detect::chain::chains;
///
/// let found = chains("ÐŸÑ€Ð¸Ð²ÐµÑ‚");
/// assert_eq!((&*found[0].text, found[0].steps[0].encoding), ("Привет", "utf-8"));
/// ```
#[must_use]
pub fn chains(text: &str) -> Vec<Chain> {
    // UTF-16 that was read as one byte per character may be ASCII, with NULs.
    if text.is_ascii() && !text.as_bytes()[..text.len().min(SAMPLE)].contains(&0) {
        return Vec::new();
    }
    let sample = sample(text);
    let before = bits(&sample);
    let of_lines = lines::all(&sample, before);
    let mut found = search(State::new(sample, before), LONGEST);
    found.retain(|state| state.saves(before));
    found.extend(of_lines);
    cheapest_first(&mut found);
    found.dedup_by(|a, b| a.text == b.text);
    found.truncate(MOST);
    let Some(best) = found.first().map(State::total) else { return Vec::new() };
    let weights: Vec<f32> = found.iter().map(|state| ((best - state.total()) / 4.0).exp2()).collect();
    let sum: f32 = weights.iter().sum();
    let likelihoods = weights.iter().map(|weight| weight / sum);
    found.iter().zip(likelihoods).map(|(state, likelihood)| told(text, state, likelihood)).collect()
}

/// Samples the lines with characters beyond ASCII, without cutting a character. A text with controls may be UTF-16, of which no byte
/// may be missing, so its start is taken.
fn sample(text: &str) -> String {
    if let Some(prefix) = prefix(text) {
        return prefix.to_owned();
    }
    let mut sample = String::new();
    for line in text.lines().filter(|line| !line.is_ascii()) {
        let room = SAMPLE.saturating_sub(sample.len());
        if line.len() > room {
            // A space is the same byte in every encoding here, so a cut at one divides no character.
            let end = (0..=room).rev().find(|&end| line.is_char_boundary(end)).unwrap_or(0);
            let part = &line[..end];
            // East Asian text has few spaces.
            let space = part.rfind(' ').filter(|space| space * 2 > end);
            sample.push_str(space.map_or(part, |end| &part[..end]));
            break;
        }
        sample.push_str(line);
        sample.push('\n');
    }
    sample.truncate(sample.trim_end_matches('\n').len());
    sample
}

/// The start of a text if it has controls: an even number of characters, unless it is the whole text.
fn prefix(text: &str) -> Option<&str> {
    let end = (0..=SAMPLE.min(text.len())).rev().find(|&end| text.is_char_boundary(end))?;
    let start = &text[..end];
    if !start.contains(|c: char| c.is_ascii_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return None;
    }
    let is_odd = end < text.len() && start.chars().count() % 2 == 1;
    let last = start.chars().next_back().filter(|_| is_odd).map_or(0, char::len_utf8);
    Some(&start[..end - last])
}
