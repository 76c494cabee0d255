//! Converts the model to blocks of text, and decides what is shown and in which order.

mod bad;
mod one;
mod rows;

pub(crate) use self::rows::ink;

use super::document::{Block, Document, Ink, Line};
use super::fault;
use super::hidden;
use super::input::MOST;
use super::view::{Character, Fault, Item, View};
use super::whole;
use crate::notation::{hex, number, plural};
use placemat::Layout;
use placemat::offsets::Offsets;

/// How much is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detail {
    /// The most characters and faults that are shown. Around a byte that was asked for, all are.
    pub limit: usize,
    /// Whether every character is shown in full: single facts, the steps, all forms.
    pub full: bool,
    /// Whether the text may name the flags of the command, as in `--limit N shows more of them`.
    pub names_flags: bool,
}

impl Default for Detail {
    fn default() -> Detail {
        Detail { limit: 20, full: false, names_flags: false }
    }
}

/// Explains the bytes.
///
/// ```
/// use placemat::Form;
/// use placemat_text::explain::{Detail, Input, tell};
///
/// let input = Input::new(b"caf\xE9".to_vec(), Form::Utf8);
/// let screen = tell(&input.view(), Detail::default()).screen(80);
/// assert!(screen.contains("“é” in windows-1252"));
/// ```
pub fn tell(view: &View<'_>, detail: Detail) -> Document {
    let mut blocks = vec![Block::Title(title(view))];
    let shown = view.shown(detail.limit);
    let detail = Detail { full: detail.full || view.items.len() == 1, ..detail };
    let faults: Vec<&Fault> = shown.iter().filter_map(Item::as_fault).collect();
    let stand_ins = if faults.is_empty() { Vec::new() } else { fault::stand_ins(view, &faults) };
    // Lines are numbered if there are several and the input was read from its start.
    let mut offsets =
        (view.base == 0 && view.bytes.contains(&b'\n')).then(|| Offsets::new(view.form, view.bytes));
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
                blocks.push(rows::of_ascii(view, range, headed));
            }
            Item::Character(c) => one::tell(view, c, detail, headed, &mut blocks),
            Item::Shift(range) => {
                let what = if range.start == 0 && view.layout != Layout::Base64 {
                    "Byte order mark: says how the rest is written, and is no part of it"
                } else {
                    "Shift: changes how the rest is read, and is no character"
                };
                blocks.push(Block::Item(Line::plain(what)));
                blocks.push(rows::of_item(view, range.clone(), &[], headed));
            }
            Item::Fault(f) => {
                let place = offsets.as_mut().map(|offsets| offsets.at_source(f.range.start));
                bad::tell(view, f, place, headed, &mut blocks);
                blocks.push(Block::Facts(bad::becomes(&stand_ins, nth)));
                nth += 1;
            }
        }
    }
    blocks.extend(detail.more(view.items.len() - shown.len()));
    tell_whole(view, detail, &mut blocks);
    blocks.extend(cut(view));
    Document(blocks)
}

impl Detail {
    /// The note that `more` items are not shown, if there are any.
    pub(crate) fn more(self, more: usize) -> Option<Block> {
        let how = if self.names_flags { "; --limit N shows more of them" } else { "" };
        let text = format!("… and {} more{how}.", number(more as u64));
        (more > 0).then(|| Block::Text(Line::inked(Ink::Faint, text)))
    }
}

/// The note that only the start of the input was read, if that is so.
fn cut(view: &View<'_>) -> Option<Block> {
    let text = format!("Only the first {} bytes were read.", number(MOST));
    view.is_cut.then(|| Block::Text(Line::inked(Ink::Bad, text)))
}

fn counted(n: usize, what: &str) -> String {
    format!("{} {what}{}", number(n as u64), plural(n as u64))
}

fn title(view: &View<'_>) -> Line {
    let counts = format!("{}, {}: ", counted(view.told.len(), "byte"), counted(view.characters, "character"));
    let first = view.base + view.told.start as u64;
    let from = if first > 0 { format!("From byte {first}: ") } else { String::new() };
    let line = Line::inked(Ink::Strong, from + &counts);
    match view.errors {
        0 => line.with(Ink::Good, format!("well-formed {}", view.form)),
        n => line.with(Ink::Bad, format!("malformed {}, {}", view.form, counted(n, "error"))),
    }
}

/// Whether one line says enough about a character.
fn is_ascii(view: &View<'_>, c: &Character) -> bool {
    c.range.len() == 1 && view.bytes[c.range.start] < 0x80 && c.code_point.value() < 0x80
}

fn is_ascii_item(view: &View<'_>, item: &Item) -> bool {
    matches!(item, Item::Character(c) if is_ascii(view, c))
}

/// Adds what can be said about the input, or a window of it, as a whole.
fn tell_whole(view: &View<'_>, detail: Detail, blocks: &mut Vec<Block>) {
    let (bytes, is_window) = (view.told(), view.focus.is_some());
    let judged = whole::judged(bytes);
    blocks.push(Block::Section(if is_window { "Taken alone, well-formed as" } else { "Well-formed as" }));
    let mut verdicts: Vec<_> =
        judged.well_formed.iter().map(|(text, names)| good(text, names, Ink::Plain)).collect();
    let others: Vec<&str> = judged.malformed.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    if !others.is_empty() {
        let how = if detail.names_flags { " (--verdicts tells why)" } else { "" };
        let line = Line::inked(Ink::Faint, format!("{}{how}", others.join(", ")));
        verdicts.push(("none of".to_owned(), line));
    }
    blocks.push(Block::Facts(verdicts));
    hidden::tell(view, detail, blocks);
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

/// Says in which forms the bytes by themselves are well-formed, and for the others the position and the kind of the
/// first error.
///
/// ```
/// use placemat::Form;
/// use placemat_text::explain::{Input, tell_verdicts};
///
/// let input = Input::new(b"\xED\xA0\x80".to_vec(), Form::Utf8);
/// assert!(tell_verdicts(&input.view()).screen(80).contains("wtf-8"));
/// ```
pub fn tell_verdicts(view: &View<'_>) -> Document {
    let bytes = view.told();
    let base = view.base + view.told.start as u64;
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
    blocks.extend(cut(view));
    Document(blocks)
}

/// A text, and the forms that decode the bytes to it.
fn good(text: &whole::Reading, names: &[&str], ink: Ink) -> (String, Line) {
    (format!("“{}”", whole::excerpt(text.start.iter().copied())), Line::inked(ink, names.join(", ")))
}
