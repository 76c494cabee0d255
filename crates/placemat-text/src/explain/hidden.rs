//! What the bytes hide: characters that are not shown and that their place does not explain.

use placemat::Form;
use placemat::invisible::{Kind, Kinds, findings_of};

use super::document::{Block, Line};
use super::object::Object;
use super::view::View;
use crate::escape::{self, Cut};
use crate::faults::hidden::SHOWN;
use crate::faults::run::{Run, What};
use crate::notation::hex;

/// What a single character hides, or a control code is, is said where it is explained.
const KINDS: Kinds = Kinds::DEFAULT.without(Kind::Control);

/// The findings in what is told of, in the order of their offsets; only in UTF-8, and not of one character alone.
fn found<'a>(view: &View<'a>) -> Vec<Run<'a>> {
    let bytes = &view.bytes[view.told.clone()];
    if view.form != Form::Utf8 || view.items.len() < 2 {
        return Vec::new();
    }
    let found = findings_of(bytes, KINDS);
    let at_start = view.base == 0 && view.told.start == 0;
    let mut found: Vec<_> = if at_start { found } else { found.from_middle() }.collect();
    found.sort_by_key(|found| found.offset);
    let run = |found: placemat::invisible::Finding<'a>| Run {
        offset: view.base + (view.told.start + found.offset) as u64,
        line: 0,
        column: 0,
        bytes: found.bytes,
        around: [b"", b""],
        what: What::Hidden(found.kind),
    };
    found.into_iter().map(run).collect()
}

/// A section that tells of them.
pub(crate) fn tell(view: &View<'_>, blocks: &mut Vec<Block>) {
    let found = found(view);
    if found.is_empty() {
        return;
    }
    blocks.push(Block::Section("Not shown"));
    let fact = |run: &Run<'_>| match run.payload() {
        Some(payload) => {
            let payload = escape::text(&payload).to_string();
            let count = String::from_utf8_lossy(run.bytes).chars().count();
            let text = escape::shortened(&payload, SHOWN, Cut::End);
            (
                "hides".to_owned(),
                Line::plain(format!("“{text}” in {count} characters from byte {}", run.offset)),
            )
        }
        None => (format!("byte {}", run.offset), Line::plain(run.sentence())),
    };
    blocks.push(Block::Facts(found.iter().map(fact).collect()));
}

/// The same for programs.
pub(crate) fn objects(view: &View<'_>) -> Vec<Object> {
    let object = |run: &Run<'_>| Object::Hidden {
        offset: run.offset,
        length: run.bytes.len(),
        bytes: hex(run.bytes),
        kind: run.name(),
        payload: run.payload(),
    };
    found(view).iter().map(object).collect()
}
