//! Applies a chain that was found for a sample to all of the text.
#![forbid(unsafe_code)]

use super::page::pages;
use super::search::{Link, State};
use super::step::{self, READERS, Reading};
use super::{Chain, Step, lines, parts};

/// Applies a chain to all of the text.
pub(super) fn told(text: &str, state: &State, likelihood: f32) -> Chain {
    let mut text = text.to_owned();
    let chosen = state.by_lines.then(|| lines::chosen(&text, &state.links));
    let step = |link: &Link| {
        text = match &chosen {
            Some(chosen) => lines::applied(&text, chosen, link),
            None => applied(&text, link),
        };
        let Link { encoding, read_as, also, in_parts } = link.clone();
        Step { encoding, read_as, also, in_parts: in_parts || state.by_lines, text: text.clone() }
    };
    let steps: Vec<Step> = state.links.iter().map(step).collect();
    Chain { steps, text, likelihood }
}

/// Undoes one step in all of the text, or else in the lines that it fits.
pub(super) fn applied(text: &str, link: &Link) -> String {
    let whole = |text: &str| whole(text, link);
    match whole(text) {
        Some(back) => back,
        // In UTF-16, a line end of the text may be half of a code unit, so lines cannot be undone one by one.
        None if link.in_parts || link.is_utf16() => text.to_owned(),
        None => {
            text.split_inclusive('\n').map(|line| whole(line).unwrap_or_else(|| line.to_owned())).collect()
        }
    }
}

/// Undoes one step if it fits all of the text.
pub(super) fn whole(text: &str, link: &Link) -> Option<String> {
    if link.in_parts {
        return parts::of(text, link.read_as).map(|parts| parts.text);
    }
    let page = pages().iter().find(|page| page.name() == link.read_as)?;
    let reader = READERS.iter().find(|reader| reader.name() == link.encoding)?;
    let bytes = page.bytes(text)?;
    let back = step::read(reader, &bytes, text)?;
    // UTF-8 that is cut off at its end would lose bytes, so the step does not fit.
    let is_whole = link.encoding != "utf-8" || back.len() == bytes.len();
    is_whole.then_some(back)
}
