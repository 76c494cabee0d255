//! The verdict on a text without a byte from 80 up.
#![forbid(unsafe_code)]

use placemat::Form;

use super::{UNSURE, ascii, verdict};
use crate::controls::{alternates, controls};
use crate::detection::{Candidate, Detection};
use crate::encoding::Encoding;
use crate::escapes::{self, Guess};
use crate::sample::HEAD;

/// The verdict: ASCII, an encoding that switches by escapes, or binary. If the text is cut off inside a character at its end, it is
/// UTF-8.
pub(super) fn of(sample: &[u8]) -> Detection {
    if !sample.is_ascii() {
        return verdict("utf-8", 0.5, "it is cut off inside its first character beyond ASCII".into());
    }
    let mut found = match escapes::guess(sample) {
        Some(guess) => switched(&guess),
        None => ascii(),
    };
    if found.encoding != Encoding::Form(Form::UsAscii) {
        return found;
    }
    // After the head, a sample lacks the plain blocks.
    let head = &sample[..sample.len().min(HEAD)];
    let controls = controls(head);
    if controls >= 8 && controls * 2 >= head.len() as u64 {
        return verdict("binary", 0.9, "mostly control characters".into());
    }
    if controls > 0 {
        let share = controls as f32 / head.len() as f32;
        lower(&mut found, (0.95 - share).max(UNSURE), "it has control characters");
    } else if alternates(head) {
        lower(&mut found, 0.6, "every second byte is the same: it may be utf-16");
    }
    found
}

fn lower(found: &mut Detection, most: f32, reason: &str) {
    found.confidence = found.confidence.min(most);
    found.candidates.iter_mut().for_each(|candidate| candidate.confidence = candidate.confidence.min(most));
    found.reasons.push(reason.into());
}

/// The confidence in an encoding whose switches are all well-formed.
const SURE: f32 = 0.95;

/// The encoding of the switches, if they are mostly well-formed. Otherwise ASCII, with less confidence.
fn switched(guess: &Guess) -> Detection {
    let &Guess { name, share, faults } = guess;
    let confidence = SURE * share;
    if confidence >= 0.5 {
        let every = if faults == 0 { "every switch" } else { "nearly every switch" };
        let reason = format!("{every} of character sets is valid in {name}");
        return Detection { malformed: faults, ..verdict(name, confidence, reason) };
    }
    // `~{` alone may occur in a program or in TeX.
    let is_written = share > 0.0 || name != "hz-gb-2312";
    let mut found = ascii();
    let reason = "it has switches of character sets, but too little well-formed text after them";
    lower(&mut found, if is_written { UNSURE } else { 0.9 }, reason);
    if share > 0.0 {
        let confidence = confidence.min(UNSURE);
        found.candidates.push(Candidate { encoding: Encoding::of(name), confidence });
    }
    found
}
