//! Undoes a misreading only in the UTF-8 sequences of a text: for texts of which only parts were misread, or that have lost bytes.
#![forbid(unsafe_code)]

use super::page::pages;
use super::step::Reading;
use crate::mojibake::sequence::{self, Found, Wear};
use crate::mojibake::{Page, TRIED, byte_on};

/// Bits against undoing only parts of a text.
const PARTLY: f32 = 4.0;
/// Bits for a sequence that is whole or worn; at most [`SEQUENCES`] for all of them.
const SEQUENCE: f32 = 2.0;
const SEQUENCES: f32 = 24.0;
/// Bits for a sequence that has lost bytes. It is undone to U+FFFD, whose high cost in the text is no fault of the step.
const LOST: f32 = 18.0;
/// From this many whole sequences on, a question mark after the first character of a sequence is taken for a lost character.
const SURE: u32 = 3;

/// A text with its sequences undone.
pub(super) struct Parts {
    pub(super) text: String,
    /// What the step costs.
    pub(super) bits: f32,
}

/// Undoes the sequences of a text, on each page that has some. Below another misreading only the usual pages are tried.
pub(super) fn all(text: &str, is_first: bool) -> impl Iterator<Item = (&'static str, Parts)> {
    let chars: Vec<char> = text.chars().collect();
    // ISO 8859-1 is part of windows-1252 with controls, which is tried anyway.
    let is_other =
        move |name: &str| is_first && name != "iso-8859-1" && TRIED.iter().all(|tried| tried.name() != name);
    let others = pages().iter().map(Reading::name).filter(move |name| is_other(name));
    TRIED
        .iter()
        .map(|page| page.name())
        .chain(others)
        .filter_map(move |name| Some((name, undone(&chars, name)?)))
}

/// Like [`all`], on one page.
pub(super) fn of(text: &str, page: &str) -> Option<Parts> {
    undone(&text.chars().collect::<Vec<_>>(), page)
}

fn undone(text: &[char], name: &str) -> Option<Parts> {
    if let Some(tried) = TRIED.iter().position(|page| page.name() == name) {
        let seldom = if TRIED[tried] == Page::Windows1252 { 1.0 } else { 4.0 };
        return undone_by(text, seldom, |c| byte_on(tried, c)).map(|(parts, _)| parts);
    }
    let page = pages().iter().find(|page| page.name() == name)?;
    let undone = undone_by(text, page.seldom(), |c| if c.is_ascii() { 0 } else { page.byte(c) });
    undone.filter(|&(_, whole)| whole > 0).map(|(parts, _)| parts)
}

/// Returns the text with its sequences undone, and the number of whole sequences.
fn undone_by(text: &[char], seldom: f32, byte: impl Fn(char) -> u8 + Copy) -> Option<(Parts, u32)> {
    let first = Undone::of(text, byte, false);
    let is_sure = first.whole >= SURE && !first.are_words && text.contains(&'?');
    let made = if is_sure { Undone::of(text, byte, true) } else { first };
    // At least one sequence must be whole, or two damaged. Small Cyrillic letters look like sequences on the Russian pages.
    if made.whole == 0 && made.worn + made.lost < 2 || made.are_words {
        return None;
    }
    let vouched = (SEQUENCE * (made.whole + made.worn) as f32).min(SEQUENCES) + LOST * made.lost as f32;
    Some((Parts { text: made.text, bits: PARTLY + seldom - vouched }, made.whole))
}

/// A text with its sequences undone, and how many of each sort there were.
struct Undone {
    text: String,
    whole: u32,
    worn: u32,
    lost: u32,
    /// Whether all of them are small letters of Cyrillic or Greek.
    are_words: bool,
}

impl Undone {
    fn of(text: &[char], byte: impl Fn(char) -> u8 + Copy, is_sure: bool) -> Self {
        let mut undone = Self { text: String::new(), whole: 0, worn: 0, lost: 0, are_words: true };
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let found = if rest[0].is_ascii() { None } else { found(rest, byte, is_sure) };
            match found {
                Some(found) => {
                    undone.add(&rest[..found.taken], &found);
                    at += found.taken;
                }
                None => {
                    undone.text.push(rest[0]);
                    at += 1;
                }
            }
        }
        undone
    }

    fn add(&mut self, of: &[char], found: &Found) {
        self.text.push(found.value);
        let (letters, _) =
            of.split_at(of.iter().position(|&c| c == char::REPLACEMENT_CHARACTER).unwrap_or(of.len()));
        self.are_words &= sequence::is_word(letters);
        match found.wear {
            Wear::None => self.whole += 1,
            // U+FFFD costs the same before and after the step.
            Wear::Lost => self.lost += u32::from(!of.contains(&char::REPLACEMENT_CHARACTER)),
            Wear::Space | Wear::Dropped => self.worn += 1,
            Wear::Folded => {
                self.text.push(' ');
                self.worn += 1;
            }
        }
    }
}

/// The sequence at the start of a text.
fn found(text: &[char], byte: impl Fn(char) -> u8 + Copy, is_sure: bool) -> Option<Found> {
    let lost = || {
        let is_cut = is_sure && matches!(byte(text[0]), 0xC2..=0xDF) && text.get(1) == Some(&'?');
        is_cut.then_some(Found { taken: 2, value: char::REPLACEMENT_CHARACTER, wear: Wear::Lost })
    };
    sequence::whole_by(text, byte).or_else(|| sequence::worn_by(text, byte)).or_else(lost)
}
