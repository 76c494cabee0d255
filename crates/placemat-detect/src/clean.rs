//! The verdict on a whole text that is well-formed UTF-8, at little more than the cost of its validation.
//!
//! Returns what [`Detector`](crate::Detector) would return, or `None`. It reads the text once, a block at a time, and leaves to the
//! detector every text that needs a closer look: with byte order marks of UTF-16 and UTF-32, NUL, controls, escapes or likely mojibake.
#![forbid(unsafe_code)]

use core::ops::Range;

use placemat::Glance;

use crate::controls::{alternates, controls};
use crate::detection::Detection;
use crate::dialect::Counts;
use crate::line_ending::Lines;
use crate::look::{count, has, places};
use crate::mark::Mark;
use crate::sample::{self, HEAD};
use crate::twice::Suspects;
use crate::verdict;

/// The size of the blocks that are validated and checked one after the other, in bytes. A block stays in the nearest cache for both.
const BLOCK: usize = 32 << 10;

const ESCAPE: u8 = 0x1B;

/// The verdict, if `text` is well-formed UTF-8 and nothing about it is unusual.
pub(crate) fn verdict(text: &[u8]) -> Option<Detection> {
    let head = &text[..text.len().min(HEAD)];
    let bom = match Mark::at_head(head) {
        None if text.is_empty() => return None,
        None => false,
        Some(Mark::Utf8) => true,
        Some(Mark::Wide(_)) => return None,
    };
    let (mut seen, mut lines) = (Seen::new(), Lines::default());
    let mut from = 0;
    while from < text.len() {
        let to = cut(text, from);
        let returns = seen.add(text, from..to)?;
        lines.bytes_that(&text[from..to], returns);
        from = to;
    }
    // A sample keeps its last block, whatever it contains.
    let last = &text[text.len().saturating_sub(sample::BLOCK)..];
    if alternates(head) || seen.controls && has(last, 0) {
        return None;
    }
    let counts = Counts::of_well_formed(seen.leads, seen.longest, text.len());
    let mut found = if seen.leads == 0 {
        let first = &text[..text.len().min(HEAD + sample::BLOCK)];
        let may_be_hz = |part: &[u8]| places(part, b'~').any(|at| part.get(at + 1) == Some(&b'{'));
        if seen.escape || may_be_hz(first) || first.len() < text.len() && may_be_hz(last) {
            return None;
        }
        Detection { counts, ..verdict::ascii() }
    } else {
        if seen.suspects.are_likely() {
            return None;
        }
        verdict::utf8(text, counts, bom)
    };
    found.line_ending = lines.ending();
    Some(found)
}

/// The end of the block that begins at `from`. A character of well-formed text belongs to the block in which it begins.
fn cut(text: &[u8], from: usize) -> usize {
    let end = (from / BLOCK + 1) * BLOCK;
    if end >= text.len() {
        return text.len();
    }
    let tails = text[end..].iter().take(3).take_while(|byte| **byte & 0xC0 == 0x80).count();
    end + tails
}

/// What was found in the text so far, beyond plain ASCII.
#[derive(Default)]
struct Seen {
    /// The number of lead bytes, and the number of those of four-byte characters.
    leads: u64,
    longest: u64,
    /// Whether the block has carriage returns.
    returns: bool,
    /// Whether there are controls, and whether there is an escape in a block of ASCII.
    controls: bool,
    escape: bool,
    /// How many more blocks after the head a sample would keep, and what in the sample may be decoded twice.
    room: usize,
    suspects: Suspects,
}

impl Seen {
    fn new() -> Self {
        Self { room: (sample::MOST - HEAD) / sample::BLOCK, ..Self::default() }
    }

    /// Checks a block. Returns `Some(None)` if it has no carriage returns, and otherwise whether one of them, or a line feed, stands
    /// alone. Returns `None` if the detector must read the text.
    fn add(&mut self, text: &[u8], at: Range<usize>) -> Option<Option<bool>> {
        let bytes = &text[at.clone()];
        let found = self.look(bytes);
        if at.start < HEAD && found.has_controls && controls(bytes) > 0 {
            return None;
        }
        if !found.is_ascii {
            found.is_well_formed.unwrap_or_else(|| placemat::is_valid(bytes)).then_some(())?;
            self.leads += found.leads as u64;
            self.longest += found.longest as u64;
        }
        self.controls |= found.has_controls;
        let has_escape = found.has_controls && has(bytes, ESCAPE);
        self.escape |= found.is_ascii && has_escape;
        // A character of the previous block may end in this one.
        if !found.is_ascii || has_escape || !at.start.is_multiple_of(BLOCK) {
            self.sample(text, at, &found)?;
        }
        Some(self.returns.then_some(found.has_odd_returns))
    }

    /// Glances at a block: twice if it has carriage returns and the block before had none, else once.
    fn look(&mut self, bytes: &[u8]) -> Glance {
        let found = (!self.returns).then(|| placemat::glance(bytes));
        self.returns = found.is_none_or(|found| found.has_controls) && has(bytes, b'\r');
        match found {
            Some(found) if !self.returns => found,
            _ => placemat::glance_at_returns(bytes),
        }
    }

    /// Adds what a sample would keep of a block. Returns `None` if that may have NULs.
    fn sample(&mut self, text: &[u8], at: Range<usize>, found: &Glance) -> Option<()> {
        let leads = found.leads as u64;
        if at.start < HEAD {
            self.suspects.add(text, at, leads);
        } else if self.room > 0 {
            if found.has_controls && has(&text[at.clone()], 0) {
                return None;
            }
            let start = at.start / BLOCK * BLOCK;
            let blocks = sample::kept(text, start..text.len().min(start + BLOCK));
            let number = blocks.clone().count();
            if number <= self.room {
                // The sample would keep everything in the block that is not ASCII.
                self.suspects.add(text, at, leads);
            } else {
                for block in blocks.take(self.room) {
                    let leads = count(&text[block.clone()], |byte| byte >= 0xC0);
                    self.suspects.add(text, block, leads);
                }
            }
            self.room = self.room.saturating_sub(number);
        }
        Some(())
    }
}
