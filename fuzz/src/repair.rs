//! A repair gives well-formed text, leaves well-formed text alone, does not depend on blocks, and can be undone with its report.

use std::io::{Cursor, Read as _};
use std::ops::Range;

use anyhow::Result;
use placemat::invisible::Kinds;
use placemat::{Form, Policy, errors};
use placemat_text::escape;
use placemat_text::notation::{json_text, write_line};
use placemat_text::repair::blocks::Block;
use placemat_text::repair::mend::{Change, Mender, Mending, Rule, ZEROS};
use placemat_text::repair::record::{Line, Record, VERSION};
use placemat_text::repair::undo::{Lines, entries};
use serde_json::Value;

use crate::source::Source;

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
        hidden: Kinds::NONE,
        zero: None,
    };
    let lines = 1 + source.below(5);
    let (forged_at, forged) = (source.below(1 << 12), 1 << source.below(8));
    let hidden = if forged_at % 2 == 1 { Kinds::DEFAULT } else { Kinds::NONE };
    let zero = [None, Some(ZEROS[0]), Some(ZEROS[1])][forged_at % 3];
    let mending = Mending { hidden, zero, ..mending };
    let bytes = source.text();

    let whole = Mender::new(mending).block(&bytes, true);
    assert_eq!(whole.0, bytes.len());
    let changes = whole.1;
    // A directional mark may be explained by letters that a repair makes, but not if they are in another block.
    let is_hidden = |change: &Change| matches!(change.rule, Rule::Hidden(_));
    if mending.hidden == Kinds::NONE || changes.iter().all(is_hidden) {
        assert_eq!(in_blocks(mending, &bytes, lines), changes, "in blocks of {lines} lines: {mending:?}");
    }
    let repaired = apply(&bytes, &changes);
    let text = core::str::from_utf8(&repaired).unwrap_or_else(|error| panic!("{error}: {mending:?}"));
    let line = json_text(&text).expect("any text can be written as JSON");
    assert!(!line.contains(escape::is_hostile), "{line:?} is no line for a terminal");
    assert_eq!(serde_json::from_str::<String>(&line).ok().as_deref(), Some(text), "{line}");

    let mut report = written(&bytes, &repaired, &changes).expect("memory can be written to");
    says(&report, &bytes, &changes);
    let undone = put_back(&report, &repaired).unwrap_or_else(|error| panic!("{error:#}"));
    assert_eq!(undone.as_deref(), Some(&bytes[..]), "{mending:?}");
    let at = forged_at % report.len();
    report[at] ^= forged;
    // A change that does not matter, such as of the name of a rule, is accepted.
    if let Ok(Some(undone)) = put_back(&report, &repaired) {
        assert_eq!(undone, bytes, "byte {at} of the report is forged, and believed");
    }
    if mending.mojibake {
        return;
    }
    assert_eq!(Mender::new(mending).block(&repaired, true).1, [], "once is enough: {mending:?}");
    if mending.hidden != Kinds::NONE || mending.zero.is_some() {
        return;
    }
    let damage: Vec<_> = errors(Form::Utf8, &bytes).map(|error| error.range()).collect();
    let touched = |at: u64| changes.iter().any(|change| change.range.contains(&at));
    assert!(damage.iter().all(|range| range.clone().all(touched)), "damage is left: {mending:?}");
    let damaged: u64 = damage.iter().map(|range| range.end - range.start).sum();
    let changed: u64 = changes.iter().map(|change| change.range.end - change.range.start).sum();
    assert_eq!(changed, damaged, "what was text is changed: {mending:?}");
}

/// Whether the command offers this policy for `repair`.
fn suits(name: &str) -> bool {
    !matches!(name, "stop" | "surrogateescape")
}

/// The changes when so many lines come at a time.
fn in_blocks(mending: Mending, bytes: &[u8], lines: usize) -> Vec<Change> {
    let (mut mender, mut changes, mut rest) = (Mender::new(mending), Vec::new(), bytes);
    loop {
        let mut ends = rest.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        let end = ends.nth(lines - 1).filter(|&end| end < rest.len());
        let (text, after) = rest.split_at(end.unwrap_or(rest.len()));
        let around = [&bytes[..bytes.len() - rest.len()], after];
        let (settled, more) = mender.next(Block { text, around, is_last: end.is_none() });
        changes.extend(more);
        rest = &rest[settled..];
        if end.is_none() {
            return changes;
        }
    }
}

/// Its range in the source.
fn place(change: &Change) -> Range<usize> {
    change.range.start as usize..change.range.end as usize
}

/// Applies the changes to `bytes`. They are in order and do not overlap.
fn apply(bytes: &[u8], changes: &[Change]) -> Vec<u8> {
    let (mut text, mut at) = (Vec::new(), 0);
    for change in changes {
        let range = place(change);
        assert!(range.start >= at && range.end > range.start, "{change:?}");
        text.extend_from_slice(&bytes[at..range.start]);
        text.extend_from_slice(change.text.as_bytes());
        at = range.end;
    }
    text.extend_from_slice(&bytes[at..]);
    text
}

/// The report of a repair of one file.
fn written(bytes: &[u8], repaired: &[u8], changes: &[Change]) -> Result<Vec<u8>> {
    let mut record = Record::new(("file".to_owned(), None), Cursor::new(Vec::new()));
    record.before(bytes);
    record.after(repaired);
    changes.iter().try_for_each(|change| record.change(change, &bytes[place(change)]))?;
    let (file, mut lines) = record.finish()?;
    let mut report = Vec::new();
    write_line(&mut report, &Line::Report { version: VERSION })?;
    write_line(&mut report, &file)?;
    lines.read_to_end(&mut report)?;
    write_line(&mut report, &Line::Summary { files: 1, changes: changes.len() as u64 })?;
    Ok(report)
}

/// Checks that each line is JSON, and that the report has each change as it was made.
fn says(report: &[u8], bytes: &[u8], changes: &[Change]) {
    let report = core::str::from_utf8(report).expect("JSON is text");
    let lines: Vec<Value> = report
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect();
    let [head, file, said @ .., summary] = &lines[..] else { panic!("{report}") };
    let types = [head, file, summary].map(|line| line["type"].as_str());
    assert_eq!(types, [Some("report"), Some("file"), Some("summary")]);
    assert_eq!([&file["changes"], &summary["changes"]], [said.len(), said.len()]);
    assert_eq!(said.len(), changes.len());
    for (said, change) in said.iter().zip(changes) {
        assert_eq!(said["type"], "change");
        assert_eq!(said["offset"], change.range.start);
        assert_eq!(said["text"], *change.text);
        let digits = said["bytes"].as_str().unwrap_or_default().split(' ');
        let original: Vec<_> = digits.map(|digits| u8::from_str_radix(digits, 16)).collect();
        assert!(
            original.iter().eq(bytes[place(change)].iter().map(|&byte| Ok(byte)).collect::<Vec<_>>().iter()),
            "{said}"
        );
        let via = said["via"].as_array().map_or(0, Vec::len);
        let expected = if let Rule::Mojibake(via) = &change.rule { via.len() } else { 0 };
        assert_eq!(
            (via, said["kind"].is_string()),
            (expected, matches!(change.rule, Rule::Policy(..) | Rule::Hidden(_))),
            "{said}"
        );
    }
}

/// Undoes the repair as `--undo` does. Returns the original, if the report leads to one.
fn put_back(report: &[u8], repaired: &[u8]) -> Result<Option<Vec<u8>>> {
    let mut lines = Lines::new(Cursor::new(report));
    let entries = entries(&mut lines)?;
    let [entry] = &entries[..] else { return Ok(None) };
    let mut original = Vec::new();
    Ok(entry.put_back(&mut lines, repaired, &mut original)?.then_some(original))
}
