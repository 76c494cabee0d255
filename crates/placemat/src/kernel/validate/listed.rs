//! Text of which half the vectors or more are ASCII, where vectors are wide: those that are not are listed without a branch, and checked then.
//! A branch for each would be guessed wrong wherever a text is new, which takes as long as to check eight vectors.

#![forbid(unsafe_code)]

use super::{FOUR, Reading, THREE, sixteenths};
use crate::kernel::prefetch::Ahead;
use crate::kernel::utf8::{Grammar, Window};
use crate::vector::grammar::lone;
use crate::vector::{Bytes, Vector};

/// Vectors that are looked at before those on the list are checked: a bit for each. A list of numbers took a quarter to two thirds longer.
const MOST: usize = u64::BITS as usize;

/// Read what begins with the fourth byte and ends before the last: whole groups of four vectors.
#[inline(always)]
pub(super) fn listed<S: Vector>(s: S, text: &[u8]) -> Reading {
    let grammar = S::Grammar::new(s);
    // What a sequence before the first vector comes to.
    let (mut broken, mut alone) = (grammar.broken(s.splat(0), Window::load(s, text, 3)), 0);
    let len = text.len() - 4;
    let (mut at, mut checked) = (0, 0);
    while at < len {
        let part = &text[at..len.min(at + MOST * S::LANES) + 4];
        let mut list = list(s, &part[3..part.len() - 1]);
        checked += list.count_ones() as usize;
        while list != 0 {
            let start = S::LANES * list.trailing_zeros() as usize;
            list &= list - 1;
            // From the second byte on, so that what follows a lead at the end is seen. The first is wrong only after ASCII.
            let around = &part[start..start + 3 + S::LANES + 1];
            alone |= lone(around[2], around[3]);
            broken = grammar.broken(broken, Window::load(s, around, 4));
        }
        at += MOST * S::LANES;
    }
    let found = sixteenths(len - checked * S::LANES, len) | THREE | FOUR;
    Reading { len: if broken.is_zero() && alone < 0x80 { len } else { 0 }, found }
}

/// Which vectors are not ASCII.
#[inline(always)]
fn list<S: Vector>(s: S, vectors: &[u8]) -> u64 {
    let (mut list, mut at) = (0, 0);
    for four in vectors.chunks_exact(4 * S::LANES) {
        Ahead::FAR.ask(four);
        let is = |lane| u64::from(s.load(four, lane).high_bits() != 0);
        let bits = is(0) | is(S::LANES) << 1 | is(2 * S::LANES) << 2 | is(3 * S::LANES) << 3;
        list |= bits << at;
        at += 4;
    }
    list
}
