//! Text of which half the vectors or more are ASCII, where vectors are wide: those that are not are listed without a branch, and checked then.
//! A branch for each would be guessed wrong wherever a text is new, which takes as long as to check eight vectors.

#![forbid(unsafe_code)]

use super::{FOUR, Reading, THREE, sixteenths};
use crate::kernel::prefetch::Ahead;
use crate::kernel::utf8::{Grammar, Window};
use crate::vector::grammar::lone;
use crate::vector::{Bytes, Vector, steps};

/// Vectors that are looked at before those on the list are checked, at most.
const MOST: usize = 128;

/// Read what begins with the fourth byte and ends before the last: whole groups of four vectors.
#[inline(always)]
pub(super) fn listed<S: Vector>(s: S, text: &[u8]) -> Reading {
    let grammar = S::Grammar::new(s);
    // What a sequence before the first vector comes to.
    let (mut broken, mut alone) = (grammar.broken(s.splat(0), Window::load(s, text, 3)), 0);
    let len = text.len() - 4;
    let (mut at, mut checked) = (0, 0);
    while at < len {
        let (list, count, end) = list(s, text, at, len);
        for start in &list[..count] {
            let start = usize::from(*start);
            // From the second byte on, so that what follows a lead at the end is seen. The first is wrong only after ASCII.
            let around = &text[start..start + 3 + S::LANES + 1];
            alone |= lone(around[2], around[3]);
            broken = grammar.broken(broken, Window::load(s, around, 4));
        }
        checked += count;
        at = end;
    }
    let found = sixteenths(len - checked * S::LANES, len) | THREE | FOUR;
    Reading { len: if broken.is_zero() && alone < 0x80 { len } else { 0 }, found }
}

/// Where the vectors begin that are not ASCII, three bytes before them, how many they are, and where the list ends.
#[inline(always)]
fn list<S: Vector>(s: S, text: &[u8], from: usize, len: usize) -> ([u16; MOST], usize, usize) {
    let (mut list, mut count) = ([0; MOST], 0);
    let end = len.min(from + MOST * S::LANES);
    for start in steps(from..end, 4 * S::LANES) {
        let four = &text[start + 3..start + 3 + 4 * S::LANES];
        Ahead::FAR.ask(four);
        for lane in steps(0..four.len(), S::LANES) {
            list[count % MOST] = (start + lane) as u16;
            count += usize::from(s.load(four, lane).high_bits() != 0);
        }
    }
    (list, count, end)
}
