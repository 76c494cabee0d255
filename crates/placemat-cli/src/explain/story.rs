//! From the model to blocks of text: what is told, and in which order.

use placemat::Form;

use super::character;
use super::document::{Block, Columns, Ink, Line};
use super::fault::{self, StandIn, hex};
use super::grammar;
use super::layout::{Class, Layout, announced, is_tail};
use super::steps::{self, spaced};
use super::view::{Character, Fault, Item, View};
use super::whole;

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
}

const BYTES: &[(&str, usize, bool)] = &[
    ("offset", 6, true),
    ("hex", 3, true),
    ("dec", 3, true),
    ("oct", 3, true),
    ("bits", 9, false),
    ("role", 0, false),
];

/// Code points of a text that are shown where it stands in one line.
const EXCERPT: usize = 40;

pub(crate) fn tell(view: &View<'_>, detail: Detail) -> Vec<Block> {
    let mut blocks = vec![Block::Title(title(view))];
    let shown = &view.items[..view.items.len().min(detail.limit)];
    let detail = Detail { full: detail.full || view.items.len() == 1, ..detail };
    let faults: Vec<&Fault> = shown.iter().filter_map(as_fault).collect();
    let stand_ins = if faults.is_empty() { Vec::new() } else { fault::stand_ins(view, &faults) };
    let mut nth = 0;
    for (index, item) in shown.iter().enumerate() {
        let headed = index == 0;
        match item {
            Item::Character(c) => tell_character(view, c, detail, headed, &mut blocks),
            Item::Shift(range) => {
                blocks.push(Block::Item(Line::inked(Ink::Faint, "a shift or a mark: no character")));
                blocks.push(byte_rows(view, range.clone(), &[], detail, headed));
            }
            Item::Fault(f) => {
                tell_fault(view, f, detail, headed, &mut blocks);
                blocks.push(Block::Facts(becomes(&stand_ins, nth)));
                nth += 1;
            }
        }
    }
    let more = view.items.len() - shown.len();
    if more > 0 {
        let text = format!("… and {more} more; --limit N shows more of them.");
        blocks.push(Block::Text(Line::inked(Ink::Faint, text)));
    }
    tell_whole(view, &mut blocks);
    blocks
}

fn as_fault(item: &Item) -> Option<&Fault> {
    match item {
        Item::Fault(fault) => Some(fault),
        _ => None,
    }
}

fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

fn title(view: &View<'_>) -> Line {
    let counts =
        format!("{}, {}: ", counted(view.bytes.len(), "byte"), counted(view.characters, "character"));
    let line = Line::inked(Ink::Strong, counts);
    match view.errors {
        0 => line.with(Ink::Good, format!("well-formed {}", view.form)),
        n => line.with(Ink::Bad, format!("malformed {}, {}", view.form, counted(n, "error"))),
    }
}

fn tell_character(view: &View<'_>, c: &Character, detail: Detail, headed: bool, blocks: &mut Vec<Block>) {
    let bytes = &view.bytes[c.range.clone()];
    let heading = Line::inked(Ink::Strong, padded(&character::glyph(c.code_point), 3))
        .with(Ink::Plain, " ")
        .with(Ink::Strong, c.code_point.to_string())
        .with(Ink::Plain, format!(" {}", character::name(c.code_point)));
    blocks.push(Block::Item(heading));
    blocks.push(byte_rows(view, c.range.clone(), &[], detail, headed));
    let facts = facts(view, c, bytes);
    if !detail.full {
        let remark = facts.iter().filter(|(label, _)| label == "note");
        let short =
            facts.iter().filter(|(label, _)| matches!(label.as_str(), "category" | "rule" | "payload"));
        blocks.push(Block::Facts(short.chain(remark).cloned().collect()));
        return;
    }
    blocks.push(Block::Facts(facts));
    if view.layout == Layout::Announced {
        let steps = steps::steps(c.code_point, bytes);
        if !steps.is_empty() {
            blocks.push(Block::Heading("Step by step"));
            blocks.push(Block::Numbered(steps));
        }
    }
    blocks.push(Block::Heading("In every form"));
    blocks.push(Block::Facts(forms(c)));
}

fn padded(text: &str, width: usize) -> String {
    let used = Line::plain(text).width();
    format!("{text}{}", " ".repeat(width.saturating_sub(used)))
}

fn facts(view: &View<'_>, c: &Character, bytes: &[u8]) -> Vec<(String, Line)> {
    let (short, long) = character::category(c.code_point);
    let mut category = Line::plain(format!("{short}, {long}"));
    let places = [character::block(c.code_point).map(|b| format!("block {b}")), script(c)];
    for place in places.into_iter().flatten() {
        category = category.with(Ink::Faint, " · ").with(Ink::Plain, place);
    }
    let mut facts = vec![("category".to_owned(), category)];
    if let Some(payload) = payload(view, c, bytes) {
        facts.push(("payload".to_owned(), payload));
    }
    if view.form == Form::Utf8
        && let Some(rule) = grammar::rule(bytes[0])
    {
        let line = Line::inked(Ink::Good, rule.name).with(Ink::Plain, format!(" = {}", rule.text));
        facts.push(("rule".to_owned(), line.with(Ink::Faint, " (RFC 3629, section 4)")));
    }
    if let Some(remark) = character::remark(c.code_point) {
        facts.push(("note".to_owned(), Line::plain(remark)));
    }
    facts
}

fn script(c: &Character) -> Option<String> {
    character::script(c.code_point).map(|script| format!("script {}", script.replace('_', " ")))
}

/// The payload bits of each byte, and what they are together.
fn payload(view: &View<'_>, c: &Character, bytes: &[u8]) -> Option<Line> {
    let is_one = match view.layout {
        Layout::Announced => bytes.len() == 1 || announced(bytes[0]) == bytes.len(),
        _ => false,
    };
    if !is_one {
        return None;
    }
    let mut line = Line::new();
    let mut all = String::new();
    for (at, &byte) in bytes.iter().enumerate() {
        let kept = 8 - view.layout.markers(byte, at) as usize;
        let bits = format!("{:0kept$b}", u32::from(byte) & ((1 << kept) - 1));
        let gap = if at == 0 { "" } else { " " };
        line = line.with(Ink::Plain, gap).with(Class::of(view.form, byte).ink(), &bits);
        all.push_str(&bits);
    }
    let joined = spaced(&all);
    Some(line.with(Ink::Plain, format!(" = {joined} = {:X}", c.code_point.value())))
}

fn forms(c: &Character) -> Vec<(String, Line)> {
    whole::in_every_form(c.code_point)
        .into_iter()
        .map(|(bytes, names)| match bytes {
            Some(bytes) => {
                let line = Line::plain(names.join(", "));
                let is_text = bytes.len() > 1 && bytes.iter().all(u8::is_ascii_graphic);
                let text = String::from_utf8_lossy(&bytes);
                (hex(&bytes), if is_text { line.with(Ink::Faint, format!("  “{text}”")) } else { line })
            }
            None => ("not in".to_owned(), Line::inked(Ink::Faint, names.join(", "))),
        })
        .collect()
}

/// The table of some bytes: offset, value in four bases, role.
fn byte_rows(
    view: &View<'_>,
    range: std::ops::Range<usize>,
    errors: &[placemat::Error],
    detail: Detail,
    headed: bool,
) -> Block {
    let rows = range
        .clone()
        .map(|offset| {
            let byte = view.bytes[offset];
            let at = offset - range.start;
            let is_bad = !errors.is_empty();
            let ink = ink(view, byte, at, is_bad);
            let mut role = Line::inked(ink, role(view, &range, offset, is_bad));
            if let Some(error) = errors.iter().find(|error| error.offset() as usize == offset) {
                role = role.with(Ink::Bad, format!("  ✗ {}", error.kind()));
            }
            if detail.focus == Some(offset) {
                role = role.with(Ink::Strong, "  ← here");
            }
            vec![
                Line::inked(Ink::Faint, (detail.base + offset as u64).to_string()),
                Line::inked(ink, format!("{byte:02X}")),
                Line::plain(byte.to_string()),
                Line::plain(format!("{byte:03o}")),
                bits(view.layout, byte, at, ink),
                role,
            ]
        })
        .collect();
    Block::Columns(Columns { heads: BYTES, headed, rows })
}

fn ink(view: &View<'_>, byte: u8, at: usize, is_bad: bool) -> Ink {
    match view.layout {
        Layout::Units { .. } if is_bad => Ink::Never,
        Layout::Units { size, .. } if at % size == 0 => Ink::Lead,
        Layout::Units { .. } => Ink::Tail,
        Layout::Announced => Class::of(view.form, byte).ink(),
        _ if is_bad => Ink::Never,
        _ if at > 0 => Ink::Tail,
        _ if byte < 0x80 => Ink::Ascii,
        _ => Ink::Lead,
    }
}

fn bits(layout: Layout, byte: u8, at: usize, ink: Ink) -> Line {
    let all = format!("{byte:08b}");
    let (marker, payload) = all.split_at(layout.markers(byte, at) as usize);
    let gap = if marker.is_empty() || payload.is_empty() { "" } else { " " };
    Line::inked(Ink::Faint, marker).with(Ink::Plain, gap).with(ink, payload)
}

/// What the byte does in its sequence.
fn role(view: &View<'_>, range: &std::ops::Range<usize>, offset: usize, is_bad: bool) -> String {
    let (byte, at) = (view.bytes[offset], offset - range.start);
    match view.layout {
        Layout::Announced => announced_role(view, range, offset, is_bad),
        Layout::Units { size, big } => {
            let unit = at / size + 1;
            let significance = if big { at % size } else { size - 1 - at % size };
            format!("unit {unit} of {}, bits {}", range.len().div_ceil(size), bit_range(size, significance))
        }
        Layout::Biased if byte >= 0x80 && at == 0 => format!("lead of {}", byte.leading_ones() + 1),
        Layout::Biased if byte >= 0x80 => format!("follower {at}, +{:02X}", byte & 0x7F),
        _ if byte < 0x80 && range.len() == 1 && view.form.facts().ascii_transparent => "ASCII".to_owned(),
        _ if range.len() == 1 => "a character by itself".to_owned(),
        _ => format!("byte {} of {}", at + 1, range.len()),
    }
}

/// `15..8` for the upper byte of a unit of two.
fn bit_range(size: usize, place: usize) -> String {
    let top = 8 * (size - place) - 1;
    format!("{}..{}", top, top - 7)
}

fn announced_role(view: &View<'_>, range: &std::ops::Range<usize>, offset: usize, is_bad: bool) -> String {
    let byte = view.bytes[offset];
    if byte < 0x80 {
        return "ASCII".to_owned();
    }
    if !is_tail(byte) {
        return match Class::of(view.form, byte) {
            Class::Never(_) if announced(byte) == 0 => "never, in any form of UTF-8".to_owned(),
            Class::Never(_) => format!("never; was a lead of {}", announced(byte)),
            _ => format!("lead of {}", announced(byte)),
        };
    }
    let lead = view.bytes[range.start..offset].iter().rposition(|&b| !is_tail(b));
    let adds = byte & 0x3F;
    match lead {
        Some(lead) if !is_bad => {
            let lead = range.start + lead;
            format!("tail {} of {}, +{adds:02X}", offset - lead, announced(view.bytes[lead]) - 1)
        }
        Some(_) => format!("tail, +{adds:02X}"),
        None => format!("stray tail, +{adds:02X}"),
    }
}

fn tell_fault(view: &View<'_>, f: &Fault, detail: Detail, headed: bool, blocks: &mut Vec<Block>) {
    let Some(first) = f.errors.first() else { return };
    let place = format!(
        " at byte {}, {} of {}",
        detail.base + f.range.start as u64,
        counted(f.errors.len(), "error"),
        hex(&view.bytes[f.range.clone()])
    );
    blocks.push(Block::Item(Line::inked(Ink::Bad, format!("✗ {}", first.kind())).with(Ink::Plain, place)));
    blocks.push(byte_rows(view, f.range.clone(), &f.errors, detail, headed));
    let mut facts: Vec<(String, Line)> = Vec::new();
    let mut fact = |label: &str, line: Line| facts.push((label.to_owned(), line));
    fact("wrong", Line::plain(fault::reason(view, first)));
    if view.form == Form::Utf8 {
        fact("breaks", broken_rule(view.bytes[f.range.start]));
    }
    if let Some(expected) = fault::expected(view, first) {
        fact("expected", Line::plain(expected));
    }
    if let Some((text, danger)) = fault::careless_text(view, f) {
        fact("careless", Line::plain("a decoder that checks nothing reads ").with(Ink::Strong, text));
        if let Some(danger) = danger {
            fact("danger", Line::inked(Ink::Bad, danger));
        }
    }
    for (n, guess) in fault::meant(view, f).into_iter().enumerate() {
        fact(if n == 0 { "meant" } else { "or" }, Line::plain(guess));
    }
    blocks.push(Block::Facts(facts));
}

fn broken_rule(lead: u8) -> Line {
    match grammar::rule(lead) {
        Some(rule) => Line::inked(Ink::Bad, rule.name)
            .with(Ink::Plain, format!(" = {}", rule.text))
            .with(Ink::Faint, " (RFC 3629, section 4)"),
        None => Line::plain(format!("no rule of RFC 3629, section 4, begins with {lead:02X}")),
    }
}

/// What stands for the `nth` fault, policies of one mind together.
fn becomes(stand_ins: &[(&'static str, Vec<StandIn>)], nth: usize) -> Vec<(String, Line)> {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for (policy, all) in stand_ins {
        let Some(stand_in) = all.get(nth) else { continue };
        let text = shown_stand_in(stand_in);
        match groups.iter_mut().find(|(known, _)| *known == text) {
            Some((_, names)) => names.push(policy),
            None => groups.push((text, vec![policy])),
        }
    }
    let line = |(n, (text, names)): (usize, (String, Vec<&str>))| {
        let label = if n == 0 { "becomes" } else { "" };
        let line = Line::plain(format!("{text}  ")).with(Ink::Faint, format!("({})", names.join(", ")));
        (label.to_owned(), line)
    };
    groups.into_iter().enumerate().map(line).collect()
}

fn shown_stand_in(stand_in: &StandIn) -> String {
    match stand_in {
        StandIn::Stops => "nothing: reading stops".to_owned(),
        StandIn::Text(text) if text.is_empty() => "nothing".to_owned(),
        StandIn::Text(text) => {
            let points: Vec<String> = text.iter().map(|c| format!("{:04X}", c.value())).collect();
            let all_seen = text.iter().all(|&c| {
                !character::glyph(c).is_empty() && c.value() > 0x9F || c.value() >= 0x20 && c.value() < 0x7F
            });
            match all_seen {
                true => format!("“{}”", whole::excerpt(text, EXCERPT)),
                false => points.join(" "),
            }
        }
    }
}

/// What can be said of the input as a whole.
fn tell_whole(view: &View<'_>, blocks: &mut Vec<Block>) {
    let judged = whole::judged(view.bytes);
    blocks.push(Block::Heading("Well-formed as"));
    let good = judged.well_formed.iter().map(|(text, names)| {
        (format!("“{}”", whole::excerpt(text, EXCERPT / 2)), Line::plain(names.join(", ")))
    });
    blocks.push(Block::Facts(good.collect()));
    if !view.bytes.is_ascii() {
        blocks.push(Block::Heading("Misread as"));
        let readings = whole::misreadings(view.bytes, EXCERPT).into_iter();
        let mut facts: Vec<_> =
            readings.map(|(name, text)| (name.to_owned(), Line::plain(format!("“{text}”")))).collect();
        if let Some(text) = whole::once_decoded(view.bytes) {
            facts.push((
                "undone".to_owned(),
                Line::plain(format!("“{text}”, if it was read as windows-1252 before")),
            ));
        }
        blocks.push(Block::Facts(facts));
    }
}

/// Under which forms the bytes are well-formed, and where and why not under the others.
pub(crate) fn tell_verdicts(bytes: &[u8]) -> Vec<Block> {
    let judged = whole::judged(bytes);
    let mut blocks = vec![Block::Title(Line::inked(
        Ink::Strong,
        format!("{}: {}", counted(bytes.len(), "byte"), fault::hex(&bytes[..bytes.len().min(24)])),
    ))];
    blocks.push(Block::Heading("Well-formed as"));
    let good = judged.well_formed.iter().map(|(text, names)| {
        (format!("“{}”", whole::excerpt(text, EXCERPT / 2)), Line::inked(Ink::Good, names.join(", ")))
    });
    blocks.push(Block::Facts(good.collect()));
    blocks.push(Block::Heading("Malformed as"));
    let bad = judged.malformed.iter().map(|((kind, at), names)| {
        let label = format!("{kind} at byte {at}");
        (label, Line::inked(Ink::Bad, names.join(", ")))
    });
    blocks.push(Block::Facts(bad.collect()));
    blocks
}
