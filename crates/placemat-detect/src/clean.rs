//! The verdict on a whole text that is well-formed UTF-8, for little more than its validation.
//!
//! Says what [`Detector`](crate::Detector) would say, or nothing. It reads the text once, a block at a time, and
//! leaves all that needs a closer look to the detector: marks, NUL, controls, escapes, what may be decoded twice.
#![forbid(unsafe_code)]

use crate::detection::Detection;
use crate::dialect::Counts;
use crate::line_ending::{Lines, count};
use crate::mark::Mark;
use crate::sample::{HEAD, kept};
use crate::twice::may_be_twice;
use crate::verdict;
use crate::wide::has_controls;

/// Bytes that are validated and counted before the next: they stay in the first cache.
const BLOCK: usize = 16 << 10;

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
        if !placemat::is_valid(block) || !seen.add(block) {
            return None;
        }
        lines.bytes(block);
        from = to;
    }
    if has_controls(head) {
        return None;
    }
    let counts = Counts::of_well_formed(seen.leads, seen.longest, text.len());
    let mut found = if seen.leads == 0 {
        // A tilde may be an escape of HZ.
        let is_plain = count(text, |byte| byte == 0x1B || byte == b'~') == 0;
        is_plain.then(|| Detection { counts, ..verdict::ascii() })?
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

/// What stands in a text beyond ASCII.
#[derive(Default)]
struct Seen {
    /// First bytes of characters of several bytes, and those of four.
    leads: u64,
    longest: u64,
}

impl Seen {
    /// Count a block; `false` if it has NUL.
    fn add(&mut self, block: &[u8]) -> bool {
        let (mut least, mut most) = (u8::MAX, 0);
        for &byte in block {
            (least, most) = (least.min(byte), most.max(byte));
        }
        if most >= 0xC0 {
            self.leads += count(block, |byte| byte >= 0xC0);
        }
        if most >= 0xF0 {
            self.longest += count(block, |byte| byte >= 0xF0);
        }
        least > 0
    }
}
