//! Describes characters that are not shown and that their context does not explain.

use placemat::Form;
use placemat::invisible::{Finding, Kind, Kinds};

use super::document::{Block, Line};
use super::object::Object;
use super::story::Detail;
use super::view::View;
use crate::escape::{self, Cut};
use crate::hidden::{self, SHOWN, payload, sentence};
use crate::notation::hex;

/// Single characters and control codes are explained where they occur.
const KINDS: Kinds = Kinds::DEFAULT.without(Kind::Control);

/// Returns the findings in the explained bytes, in the order of their offsets; only for UTF-8, and only for more than one item.
fn found<'a>(view: &View<'a>) -> Vec<Finding<'a>> {
    if view.form != Form::Utf8 || view.items.len() < 2 {
        return Vec::new();
    }
    hidden::found(&view.bytes[view.told.clone()], KINDS, view.base == 0 && view.told.start == 0)
}

/// The offset from the start of the input.
fn offset(view: &View<'_>, found: &Finding<'_>) -> u64 {
    view.base + (view.told.start + found.offset) as u64
}

/// Adds a section about the first findings.
pub(crate) fn tell(view: &View<'_>, detail: Detail, blocks: &mut Vec<Block>) {
    let found = found(view);
    if found.is_empty() {
        return;
    }
    blocks.push(Block::Section("Not shown"));
    let fact = |found: &Finding<'_>| match payload(found.bytes) {
        Some(payload) => {
            let payload = escape::text(&payload).to_string();
            let count = String::from_utf8_lossy(found.bytes).chars().count();
            let text = escape::shortened(&payload, SHOWN, Cut::End);
            let place = format!("“{text}” in {count} characters from byte {}", offset(view, found));
            ("hides".to_owned(), Line::plain(place))
        }
        None => (format!("byte {}", offset(view, found)), Line::plain(sentence(found.kind, found.bytes))),
    };
    let shown = &found[..found.len().min(detail.limit)];
    blocks.push(Block::Facts(shown.iter().map(fact).collect()));
    blocks.extend(detail.more(found.len() - shown.len()));
}

/// Returns the findings for programs.
pub(crate) fn objects(view: &View<'_>) -> Vec<Object> {
    let object = |found: &Finding<'_>| Object::Hidden {
        offset: offset(view, found),
        length: found.length,
        bytes: hex(found.bytes),
        kind: found.kind.name(),
        payload: payload(found.bytes),
    };
    found(view).iter().map(object).collect()
}
