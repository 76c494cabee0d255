//! A step back for a text of which only parts were misread, or whose misreading lost something: its sequences of UTF-8 alone.
#![forbid(unsafe_code)]

use crate::mojibake::sequence::{self, Found, Wear};
use crate::mojibake::{Page, TRIED};

/// Bits against undoing parts of a text and leaving the rest.
const PARTLY: f32 = 4.0;
/// Bits for a whole sequence; at most [`SEQUENCES`] for all of them.
const SEQUENCE: f32 = 2.0;
const SEQUENCES: f32 = 24.0;
/// Bits for a sequence that has lost something: what costs much in the text that it makes is no fault of the step.
const LOST: f32 = 18.0;

/// What is made of a text.
pub(super) struct Parts {
    pub(super) text: String,
    /// What the step costs.
    pub(super) bits: f32,
}

/// The text with its sequences undone, for each page that has some.
pub(super) fn all(text: &str) -> impl Iterator<Item = (&'static str, Parts)> {
    let chars: Vec<char> = text.chars().collect();
    (0..TRIED.len()).filter_map(move |page| Some((TRIED[page].name(), undone(&chars, page)?)))
}

/// The same on one page.
pub(super) fn of(text: &str, page: &str) -> Option<Parts> {
    let page = TRIED.iter().position(|tried| tried.name() == page)?;
    undone(&text.chars().collect::<Vec<_>>(), page)
}

fn undone(text: &[char], page: usize) -> Option<Parts> {
    let mut made = String::new();
    let (mut whole, mut worn, mut lost) = (0_u32, 0_u32, 0_u32);
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let is_lead = !rest[0].is_ascii();
        let found =
            is_lead.then(|| sequence::whole(rest, page).or_else(|| sequence::worn(rest, page))).flatten();
        let Some(Found { taken, value, wear }) = found else {
            made.push(rest[0]);
            at += 1;
            continue;
        };
        made.push(value);
        at += taken;
        match wear {
            Wear::None => whole += 1,
            // A mark costs as much in the text that is undone.
            Wear::Lost => lost += u32::from(!rest[..taken].contains(&char::REPLACEMENT_CHARACTER)),
            Wear::Space | Wear::Dropped => worn += 1,
            Wear::Folded => {
                made.push(' ');
                worn += 1;
            }
        }
    }
    // Something must be beyond doubt.
    if whole == 0 && worn + lost < 2 {
        return None;
    }
    let seldom = if TRIED[page] == Page::Windows1252 { 1.0 } else { 4.0 };
    let vouched = (SEQUENCE * (whole + worn) as f32).min(SEQUENCES) + LOST * lost as f32;
    Some(Parts { text: made, bits: PARTLY + seldom - vouched })
}
