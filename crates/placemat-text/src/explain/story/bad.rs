//! The blocks for one fault.

use placemat::Form;
use placemat::offsets::Place;

use super::rows;
use crate::character;
use crate::explain::document::{Block, Ink, Line};
use crate::explain::fault::{self, StandIn};
use crate::explain::view::{Fault, View};
use crate::explain::{grammar, guess, whole};
use crate::notation::hex;

pub(crate) fn tell(view: &View<'_>, f: &Fault, place: Option<Place>, headed: bool, blocks: &mut Vec<Block>) {
    let Some(first) = f.errors.first() else { return };
    let bytes = hex(&view.bytes[f.range.clone()]);
    let line =
        place.map_or_else(String::new, |place| format!(", line {}, column {}", place.line, place.column));
    let mut place = format!(" at byte {}{line}: {bytes}", view.base + f.range.start as u64);
    if f.errors.len() > 1 {
        place.push_str(&format!(", {} errors", f.errors.len()));
    }
    blocks.push(Block::Item(Line::inked(Ink::Bad, format!("✗ {}", first.kind())).with(Ink::Plain, place)));
    blocks.push(rows::of_item(view, f.range.clone(), &f.errors, headed));
    let mut facts: Vec<(String, Line)> = Vec::new();
    let mut fact = |label: &str, line: Line| facts.push((label.to_owned(), line));
    fact("wrong", Line::plain(fault::reason(view, first)));
    if view.form == Form::Utf8 {
        fact("breaks", broken_rule(view.bytes[f.range.start]));
    }
    if let Some(expected) = fault::expected(view.form, fault::malformed(view, first)) {
        fact("expected", Line::plain(expected));
    }
    if let Some((text, danger)) = guess::careless_text(view, f) {
        fact("careless", Line::plain("a decoder that checks nothing reads ").with(Ink::Strong, text));
        if let Some(danger) = danger {
            fact("danger", Line::inked(Ink::Bad, danger));
        }
    }
    for (n, guess) in guess::meant(view, f).into_iter().enumerate() {
        fact(if n == 0 { "meant" } else { "or" }, Line::plain(guess));
    }
    blocks.push(Block::Facts(facts));
}

fn broken_rule(lead: u8) -> Line {
    match grammar::rule(lead) {
        Some(rule) => Line::inked(Ink::Bad, rule.name)
            .with(Ink::Plain, format!(" = {}", rule.text))
            .with(Ink::Faint, " (RFC 3629, section 4)"),
        None => Line::plain(format!("RFC 3629, section 4: no rule begins with {lead:02X}")),
    }
}

/// Describes the result of each policy for the `nth` fault. Policies with the same result share a line.
pub(crate) fn becomes(stand_ins: &[(&'static str, Vec<StandIn>)], nth: usize) -> Vec<(String, Line)> {
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
                true => format!("“{}”", whole::excerpt(text.iter().copied())),
                false => points.join(" "),
            }
        }
    }
}
