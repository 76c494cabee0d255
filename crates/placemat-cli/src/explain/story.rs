//! From the model to blocks of text: what is told, and in which order.

mod bad;
mod one;
mod rows;

use super::document::{Block, Ink, Line};
use super::fault;
use super::layout::Layout;
use super::view::{Character, Fault, Item, View};
use super::whole;
use crate::report::hex;
use placemat::offsets::Offsets;

/// How much is told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Detail {
    /// Characters and faults that are shown.
    pub(crate) limit: usize,
    /// Every character in full: facts one by one, the steps, all forms.
    pub(crate) full: bool,
    /// The offset of the first byte in its file.
    pub(crate) base: u64,
    /// The byte that was asked about.
    pub(crate) focus: Option<usize>,
    /// Whether there is more input that was not read.
    pub(crate) is_cut: bool,
}

pub(crate) fn tell(view: &View<'_>, detail: Detail) -> Vec<Block> {
    let mut blocks = vec![Block::Title(title(view, detail))];
    let shown = &view.items[..view.items.len().min(detail.limit)];
    let detail = Detail { full: detail.full || view.items.len() == 1, ..detail };
    let faults: Vec<&Fault> = shown.iter().filter_map(Item::as_fault).collect();
    let stand_ins = if faults.is_empty() { Vec::new() } else { fault::stand_ins(view, &faults) };
    // Lines are worth a word where there are several, and can be counted where the input is read from its start.
    let mut offsets =
        (detail.base == 0 && view.bytes.contains(&b'\n')).then(|| Offsets::new(view.form, view.bytes));
    let mut nth = 0;
    let mut rest = shown;
    while let Some((item, later)) = rest.split_first() {
        let headed = rest.len() == shown.len();
        rest = later;
        match item {
            Item::Character(c) if !detail.full && is_ascii(view, c) => {
                let more = later.iter().take_while(|item| is_ascii_item(view, item)).count();
                let (run, later) = later.split_at(more);
                rest = later;
                let range = c.range.start..c.range.end + run.len();
                blocks.push(Block::Item(Line::inked(Ink::Ascii, "ASCII")));
                blocks.push(rows::of_ascii(view, range, detail, headed));
            }
            Item::Character(c) => one::tell(view, c, detail, headed, &mut blocks),
            Item::Shift(range) => {
                let what = if range.start == 0 && view.layout != Layout::Base64 {
                    "Byte order mark: says how the rest is written, and is no part of it"
                } else {
                    "Shift: changes how the rest is read, and is no character"
                };
                blocks.push(Block::Item(Line::plain(what)));
                blocks.push(rows::of_item(view, range.clone(), &[], detail, headed));
            }
            Item::Fault(f) => {
                let place = offsets.as_mut().map(|offsets| offsets.at_source(f.range.start));
                bad::tell(view, f, detail, place, headed, &mut blocks);
                blocks.push(Block::Facts(bad::becomes(&stand_ins, nth)));
                nth += 1;
            }
        }
    }
    let more = view.items.len() - shown.len();
    if more > 0 {
        let text = format!("… and {more} more; --limit N shows more of them.");
        blocks.push(Block::Text(Line::inked(Ink::Faint, text)));
    }
    tell_whole(view.told(), detail.focus.is_some(), &mut blocks);
    blocks
}

fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn title(view: &View<'_>, detail: Detail) -> Line {
    let counts = format!("{}, {}: ", counted(view.told.len(), "byte"), counted(view.characters, "character"));
    let first = detail.base + view.told.start as u64;
    let from = if first > 0 { format!("From byte {first}: ") } else { String::new() };
    let line = Line::inked(Ink::Strong, from + &counts);
    match view.errors {
        0 => line.with(Ink::Good, format!("well-formed {}", view.form)),
        n => line.with(Ink::Bad, format!("malformed {}, {}", view.form, counted(n, "error"))),
    }
}

/// Whether a character is told well enough by one line.
fn is_ascii(view: &View<'_>, c: &Character) -> bool {
    c.range.len() == 1 && view.bytes[c.range.start] < 0x80 && c.code_point.value() < 0x80
}

fn is_ascii_item(view: &View<'_>, item: &Item) -> bool {
    matches!(item, Item::Character(c) if is_ascii(view, c))
}

/// What can be said of the input, or of a window, as a whole.
fn tell_whole(bytes: &[u8], is_window: bool, blocks: &mut Vec<Block>) {
    let judged = whole::judged(bytes);
    blocks.push(Block::Section(if is_window { "Taken alone, well-formed as" } else { "Well-formed as" }));
    let mut verdicts: Vec<_> =
        judged.well_formed.iter().map(|(text, names)| good(text, names, Ink::Plain)).collect();
    let others: Vec<&str> = judged.malformed.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    if !others.is_empty() {
        let line = Line::inked(Ink::Faint, format!("{} (--verdicts tells why)", others.join(", ")));
        verdicts.push(("none of".to_owned(), line));
    }
    blocks.push(Block::Facts(verdicts));
    if !bytes.is_ascii() {
        blocks.push(Block::Section("Misread as"));
        let readings = whole::misreadings(bytes).into_iter();
        let mut facts: Vec<_> =
            readings.map(|(name, text)| (name.to_owned(), Line::plain(format!("“{text}”")))).collect();
        if let Some(text) = whole::once_decoded(bytes) {
            facts.push((
                "undone".to_owned(),
                Line::plain(format!("“{text}”, if it was read as windows-1252 before")),
            ));
        }
        blocks.push(Block::Facts(facts));
    }
}

/// Under which forms the bytes, taken alone, are well-formed, and where and why not under the others.
pub(crate) fn tell_verdicts(view: &View<'_>, base: u64) -> Vec<Block> {
    let bytes = view.told();
    let base = base + view.told.start as u64;
    let judged = whole::judged(bytes);
    let shown = &bytes[..bytes.len().min(20)];
    let more = if shown.len() < bytes.len() { " …" } else { "" };
    let title = format!("{}: {}{more}", counted(bytes.len(), "byte"), hex(shown));
    let mut blocks = vec![Block::Title(Line::inked(Ink::Strong, title))];
    blocks.push(Block::Section("Well-formed as"));
    let verdicts = judged.well_formed.iter().map(|(text, names)| good(text, names, Ink::Good));
    blocks.push(Block::Facts(verdicts.collect()));
    blocks.push(Block::Section("Malformed as"));
    let bad = judged.malformed.iter().map(|((kind, at), names)| {
        let label = format!("{kind} at byte {}", base + at);
        let line = Line::inked(Ink::Bad, names.join(", "));
        (label, line.with(Ink::Faint, format!(": {}", fault::general(*kind))))
    });
    blocks.push(Block::Facts(bad.collect()));
    blocks
}

/// A text, and the forms that read it.
fn good(text: &whole::Reading, names: &[&str], ink: Ink) -> (String, Line) {
    (format!("“{}”", whole::excerpt(text.start.iter().copied())), Line::inked(ink, names.join(", ")))
}
