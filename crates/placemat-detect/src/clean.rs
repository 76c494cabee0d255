//! The verdict on a whole text that is well-formed UTF-8, for little more than its validation.
//!
//! Says what [`Detector`](crate::Detector) would say, or nothing. It reads the text once, a block at a time, and
//! leaves all that needs a closer look to the detector: marks, NUL, controls, escapes, what may be decoded twice.
#![forbid(unsafe_code)]

use crate::detection::Detection;
use crate::dialect::Counts;
use crate::line_ending::{Lines, count, has};
use crate::mark::Mark;
use crate::sample::{HEAD, kept};
use crate::twice::may_be_twice;
use crate::verdict;
use crate::wide::has_controls;

/// Bytes that are validated and counted before the next: they stay in a near cache. A validation learns from what it read.
const BLOCK: usize = 64 << 10;

/// The verdict, if `text` is well-formed UTF-8 and nothing about it is unusual.
pub(crate) fn verdict(text: &[u8]) -> Option<Detection> {
    let head = &text[..text.len().min(HEAD)];
    if text.is_empty() || Mark::at_head(head).is_some() {
        return None;
    }
    let (mut seen, mut lines) = (Seen::default(), Lines::default());
    let mut from = 0;
    while from < text.len() {
        let to = cut(text, from);
        let block = &text[from..to];
        let has_return = seen.add(placemat::validate(block).ok()?)?;
        lines.bytes_that(block, has_return);
        from = to;
    }
    if has_controls(head) {
        return None;
    }
    let counts = Counts::of_well_formed(seen.leads, seen.longest, text.len());
    let mut found = if seen.leads == 0 {
        (!seen.escape).then(|| Detection { counts, ..verdict::ascii() })?
    } else {
        if may_be_twice(kept(text)) {
            return None;
        }
        verdict::utf8(text, counts)
    };
    found.line_ending = lines.ending();
    Some(found)
}

/// Where the block that begins at `from` ends: not inside a character, if the text is well-formed.
fn cut(text: &[u8], from: usize) -> usize {
    let end = from + BLOCK;
    if end >= text.len() {
        return text.len();
    }
    let is_tail = |at: &usize| text[*at] & 0xC0 == 0x80;
    (end - 3..=end).rev().find(|at| !is_tail(at)).unwrap_or(end)
}

/// What stands in a text beyond plain ASCII.
#[derive(Default)]
struct Seen {
    /// First bytes of characters of several bytes, and those of four.
    leads: u64,
    longest: u64,
    /// Whether there is an escape, or a tilde, which may be an escape of HZ, in the ASCII at the start.
    escape: bool,
}

impl Seen {
    /// Count a block, and say whether it has a carriage return; nothing if it has NUL.
    fn add(&mut self, block: &str) -> Option<bool> {
        let bytes = block.as_bytes();
        let (mut least, mut most, mut from_return) = (u8::MAX, 0, u8::MAX);
        for &byte in bytes {
            (least, most, from_return) = (least.min(byte), most.max(byte), from_return.min(byte ^ b'\r'));
        }
        if most >= 0xF0 {
            // By kernels: what is not ASCII takes one byte more as ISO 8859-1, and what is supplementary one unit more.
            let characters = placemat::count_str(block);
            let (beyond_ascii, tails) =
                (placemat::latin1::utf8_len(bytes) - bytes.len(), bytes.len() - characters);
            self.leads += (beyond_ascii - tails) as u64;
            self.longest += (placemat::utf16::len_of_str(block) - characters) as u64;
        } else if most >= 0xC0 {
            self.leads += count(bytes, |byte| byte >= 0xC0);
        } else if self.leads == 0 {
            self.escape |= has(bytes, 0x1B) || has(bytes, b'~');
        }
        (least > 0).then_some(from_return == 0)
    }
}
