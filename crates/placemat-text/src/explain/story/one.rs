//! The blocks for one character.

use placemat::boundary::announced_length;
use placemat::{Form, Layout};

use super::{Detail, rows};
use crate::character;
use crate::explain::document::{Block, Ink, Line};
use crate::explain::layout;
use crate::explain::steps::{self, spaced};
use crate::explain::view::{Character, View};
use crate::explain::{grammar, whole};
use crate::notation::hex;

pub(crate) fn tell(view: &View<'_>, c: &Character, detail: Detail, headed: bool, blocks: &mut Vec<Block>) {
    let bytes = &view.bytes[c.range.clone()];
    let heading = Line::inked(Ink::Strong, rows::padded(&character::glyph(c.code_point), 3))
        .with(Ink::Plain, " ")
        .with(Ink::Strong, c.code_point.to_string())
        .with(Ink::Plain, format!(" {}", character::name(c.code_point)));
    blocks.push(Block::Item(heading));
    blocks.push(rows::of_item(view, c.range.clone(), &[], headed));
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
    if view.form == Form::Utf8 {
        facts.push(("octal".to_owned(), Line::plain(octal(c.code_point.value(), bytes))));
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

/// In octal, each continuation byte ends with two digits of the code point: `20254 is 342 202 254`.
fn octal(value: u32, bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:03o}")).collect();
    format!("{value:o} is {}", bytes.join(" "))
}

/// The payload bits of each byte, and the value of all of them.
fn payload(view: &View<'_>, c: &Character, bytes: &[u8]) -> Option<Line> {
    match view.layout {
        Layout::Announced if bytes[0] < 0x80 || announced_length(bytes[0]) == bytes.len() => {}
        Layout::Announced => return pair(c, bytes.len() == 6),
        Layout::Units { size: 2, .. } => return pair(c, bytes.len() == 4),
        Layout::Units { .. } | Layout::Biased | Layout::Base64 | Layout::Plain => return None,
    }
    let mut line = Line::new();
    let mut all = String::new();
    for (at, &byte) in bytes.iter().enumerate() {
        let kept = 8 - layout::markers(view.layout, byte, at) as usize;
        let bits = format!("{:0kept$b}", u32::from(byte) & ((1 << kept) - 1));
        let gap = if at == 0 { "" } else { " " };
        line = line.with(Ink::Plain, gap).with(view.class(byte).ink(), &bits);
        all.push_str(&bits);
    }
    let joined = spaced(&all);
    let now = c.code_point.value();
    let value = steps::spelt(bytes);
    // Hangul syllables have moved since Unicode 1.1.
    let moved = if value == now { String::new() } else { format!(" in Unicode 1.1, now {now:X}") };
    Some(line.with(Ink::Plain, format!(" = {joined} = {value:X}{moved}")))
}

/// The ten bits in each half of a surrogate pair. Together they are the code point less 10000.
fn pair(c: &Character, is_pair: bool) -> Option<Line> {
    let above = c.code_point.value().checked_sub(0x1_0000).filter(|_| is_pair)?;
    let (high, low) = (above >> 10, above & 0x3FF);
    let line = Line::inked(Ink::Lead, format!("{high:010b}")).with(Ink::Plain, " ");
    let line = line.with(Ink::Continuation, format!("{low:010b}"));
    Some(line.with(Ink::Plain, format!(" = {above:X}, + 10000 = {:X}", c.code_point.value())))
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

#[cfg(test)]
mod tests {
    #[test]
    fn octal_is_as_the_vectors_say() {
        for line in
            include_str!("../../../tests/vectors/octal.txt").lines().filter(|line| !line.starts_with('#'))
        {
            let [code_point, value, bytes] = line.split(" | ").collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            let c = char::from_u32(u32::from_str_radix(code_point, 16).unwrap()).unwrap();
            let shown = super::octal(u32::from(c), c.to_string().as_bytes());
            assert_eq!(shown, format!("{value} is {bytes}"));
        }
    }
}
