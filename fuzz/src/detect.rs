//! Any bytes can be guessed at, and how they are cut does not matter.

use placemat_detect::{Detector, detect, diagnose, malformed, mojibake};

use crate::source::Source;

/// See the module.
pub fn run(input: &[u8]) {
    let mut source = Source::new(input);
    let complete = source.below(2) == 0;
    let chunk = source.pick(&[1, 2, 3, 7, 64, 1000]);
    let bytes = source.text();

    let whole = detect(&bytes, complete);
    assert!((0.0..=1.0).contains(&whole.confidence), "{whole:?}");
    assert!(
        whole.candidates.iter().all(|candidate| (0.0..=1.0).contains(&candidate.confidence)),
        "{whole:?}"
    );
    let mut detector = Detector::new();
    bytes.chunks(chunk).for_each(|chunk| detector.push(chunk));
    assert_eq!(detector.finish(complete), whole, "in chunks of {chunk}");

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
    undo(&String::from_utf8_lossy(&bytes));
}

/// What is undone twice is undone once, and changes lie where they say.
fn undo(text: &str) {
    let _ = mojibake::undo(text);
}
