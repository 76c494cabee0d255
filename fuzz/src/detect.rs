//! Detection accepts any bytes and does not depend on chunks. The changes that undo mojibake have the right ranges.

use placemat::{Form, convert};
use placemat_detect::mojibake::{Change, ROUNDS, Undoer, undo};
use placemat_detect::{Detector, detect, diagnose, malformed};

use crate::source::Source;

/// See the module.
pub fn run(input: &[u8]) {
    let mut source = Source::new(input);
    let complete = source.below(2) == 0;
    let chunk = source.pick(&[1, 2, 3, 7, 64, 1000, 4095, 65_535]);
    let lines = 1 + source.below(4);
    let is_long = source.below(10) == 1;
    let (head, plain) =
        (source.pick(&[65_000, 65_535, 65_536, 70_000]), source.pick(&[0, 4096, 9000, 20_000]));
    let bytes = source.text();

    looks(&bytes, complete, chunk);
    if is_long {
        looks(&long(&bytes, head, plain), complete, chunk);
    }
    if core::str::from_utf8(&bytes).is_ok() {
        assert_eq!(malformed(&bytes).count(), 0);
    }
    let mut end = 0;
    for found in malformed(&bytes) {
        assert!(found.range.start >= end && found.range.end > found.range.start, "{found:?}");
        end = found.range.end;
    }
    assert!(end <= bytes.len());
    let _ = diagnose(&bytes);
    undoes(&String::from_utf8_lossy(&bytes), lines);
    // Reading UTF-8 as a legacy encoding makes mojibake.
    let misread =
        convert(Form::Windows1252, Form::Utf8, &bytes).expect("each byte is a character of the web's");
    undoes(&String::from_utf8(misread).expect("UTF-8 is written"), lines);
}

/// A long text. Detection keeps its first 64 KiB, and of the rest only blocks of 4 KiB that are not ASCII.
fn long(text: &[u8], head: usize, plain: usize) -> Vec<u8> {
    let mut all: Vec<u8> = text.iter().copied().cycle().take(head).collect();
    all.extend(b"plain text\n".iter().cycle().take(plain));
    all.extend_from_slice(text);
    all
}

fn looks(bytes: &[u8], complete: bool, chunk: usize) {
    let whole = detect(bytes, complete);
    assert!((0.0..=1.0).contains(&whole.confidence), "{whole:?}");
    assert!(
        whole.candidates.iter().all(|candidate| (0.0..=1.0).contains(&candidate.confidence)),
        "{whole:?}"
    );
    let mut detector = Detector::new();
    bytes.chunks(chunk).for_each(|chunk| detector.push(chunk));
    assert_eq!(detector.finish(complete), whole, "in chunks of {chunk}");
}

/// Changes are runs within lines, in order, and applying them gives the text. Reading some lines at a time gives the
/// same as reading all at once.
fn undoes(text: &str, lines: usize) {
    let undone = undo(text);
    let changes = undone.as_ref().map_or(&[][..], |undone| &undone.changes);
    let (mut made, mut at) = (String::new(), 0);
    for change in changes {
        let range = change.range.start as usize..change.range.end as usize;
        assert!(range.start >= at, "{change:?} begins before {at}");
        let run = text.get(range.clone()).unwrap_or_else(|| panic!("{change:?} is no part of the text"));
        assert!(!run.is_empty() && !run.contains('\n'), "{change:?}: {run:?}");
        assert!((1..=ROUNDS).contains(&change.via.len()), "{change:?}");
        made += &text[at..range.start];
        made += &change.replacement;
        at = range.end;
    }
    made += &text[at..];
    assert_eq!(undone.as_ref().map(|undone| &*undone.text), (!changes.is_empty()).then_some(&*made));

    let (mut undoer, mut in_blocks) = (Undoer::new(), Vec::<Change>::new());
    let all: Vec<_> = text.split_inclusive('\n').collect();
    all.chunks(lines).for_each(|block| undoer.block(&block.concat(), |change| in_blocks.push(change)));
    assert_eq!(in_blocks, changes, "in blocks of {lines} lines");
}
