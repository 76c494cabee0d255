//! Repairs give text, leave alone what was text, do not depend on blocks, and can be undone by what they say of themselves.

use placemat::{Form, Policy, errors};

use self::mend::{Change, Mender, Mending};
use crate::source::Source;

// The command's own engine: it has no library of which it could be a part.
#[allow(dead_code, reason = "the command reads more of it")]
#[path = "../../crates/placemat-cli/src/command/repair/mend.rs"]
mod mend;

/// See the module.
pub fn run(input: &[u8]) {
    let mut source = Source::new(input);
    let policies: Vec<_> = Policy::ALL.iter().copied().filter(|(name, _)| suits(name)).collect();
    let mending = Mending {
        policy: source.pick(&policies),
        diagnoses: source.below(4) > 0,
        cp1252: source.below(4) == 0,
        overlong: source.below(4) == 0,
        nul: source.below(4) == 0,
        mojibake: source.below(3) == 0,
    };
    let lines = 1 + source.below(5);
    let bytes = source.text();

    let whole = Mender::new(mending).block(&bytes, true);
    assert_eq!(whole.0, bytes.len());
    let changes = whole.1;
    if !mending.mojibake {
        assert_eq!(in_blocks(mending, &bytes, lines), changes, "in blocks of {lines} lines: {mending:?}");
    }
    let repaired = apply(&bytes, &changes);
    let text = core::str::from_utf8(&repaired).unwrap_or_else(|error| panic!("{error}: {mending:?}"));
    assert_eq!(undo(text, &changes, &bytes), bytes, "{mending:?}");
    if mending.mojibake {
        return;
    }
    let damage: Vec<_> = errors(Form::Utf8, &bytes).map(|error| error.range()).collect();
    let touched = |at: u64| changes.iter().any(|change| change.range.contains(&at));
    assert!(damage.iter().all(|range| range.clone().all(touched)), "damage is left: {mending:?}");
    let damaged: u64 = damage.iter().map(|range| range.end - range.start).sum();
    let changed: u64 = changes.iter().map(|change| change.range.end - change.range.start).sum();
    assert_eq!(changed, damaged, "what was text is changed: {mending:?}");
    assert_eq!(Mender::new(mending).block(&repaired, true).1, [], "once is enough: {mending:?}");
}

/// Policies of which the command lets `repair` choose.
fn suits(name: &str) -> bool {
    !matches!(name, "stop" | "surrogateescape")
}

/// The same changes, when so many lines come at a time.
fn in_blocks(mending: Mending, bytes: &[u8], lines: usize) -> Vec<Change> {
    let (mut mender, mut changes, mut rest) = (Mender::new(mending), Vec::new(), bytes);
    loop {
        let mut ends = rest.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        let end = ends.nth(lines - 1).filter(|&end| end < rest.len());
        let (settled, more) = mender.block(&rest[..end.unwrap_or(rest.len())], end.is_none());
        changes.extend(more);
        rest = &rest[settled..];
        if end.is_none() {
            return changes;
        }
    }
}

/// What the changes make of `bytes`; they are in order and do not overlap.
fn apply(bytes: &[u8], changes: &[Change]) -> Vec<u8> {
    let (mut text, mut at) = (Vec::new(), 0);
    for change in changes {
        let range = change.range.start as usize..change.range.end as usize;
        assert!(range.start >= at && range.end > range.start, "{change:?}");
        text.extend_from_slice(&bytes[at..range.start]);
        text.extend_from_slice(change.text.as_bytes());
        at = range.end;
    }
    text.extend_from_slice(&bytes[at..]);
    text
}

/// As `--undo` does it: the original bytes back where the text of each change stands.
fn undo(text: &str, changes: &[Change], original: &[u8]) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    for change in changes {
        let range = change.range.start as usize..change.range.end as usize;
        let (same, after) = rest.split_at(range.start - bytes.len());
        bytes.extend_from_slice(same);
        rest = after.strip_prefix(change.text.as_bytes()).expect("the text of the change stands there");
        bytes.extend_from_slice(&original[range]);
    }
    bytes.extend_from_slice(rest);
    bytes
}
