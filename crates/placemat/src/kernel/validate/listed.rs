//! Reads text of which half the blocks or more are ASCII, on levels with wide vectors. Blocks that are not ASCII are listed without a branch,
//! and then checked. In text that the CPU has not seen before, a branch for each block would often be mispredicted, which takes as long as to
//! check eight blocks.

#![forbid(unsafe_code)]

use super::span::{FOUR, Reading, THREE, sixteenths};
use crate::kernel::ascii::any;
use crate::kernel::prefetch::Ahead;
use crate::kernel::utf8::{Grammar, Window};
use crate::vector::grammar::lone;
use crate::vector::{Bytes, Vector, steps};

/// The length of a block in bytes: that of the widest vector.
const BLOCK: usize = 64;
/// Blocks that are listed before those on the list are checked; the list has a bit for each. A list of numbers took a quarter to two thirds
/// longer.
const MOST: usize = u64::BITS as usize;

/// Reads from the fourth byte of `text` to the last but one: whole groups of four blocks.
#[inline(always)]
pub(super) fn listed<S: Vector>(s: S, text: &[u8]) -> Reading {
    let grammar = S::Grammar::new(s);
    // The sequence before the first block may be broken.
    let (mut broken, mut alone) = (grammar.broken(s.splat(0), Window::load(s, text, 3)), 0);
    let len = text.len() - 4;
    let (mut at, mut checked) = (0, 0);
    while at < len {
        let part = &text[at..len.min(at + MOST * BLOCK) + 4];
        let mut list = list(s, &part[3..part.len() - 1]);
        checked += list.count_ones() as usize;
        while list != 0 {
            let start = BLOCK * list.trailing_zeros() as usize;
            list &= list - 1;
            // From the second byte on, so that the byte after a lead at the end is checked. The first byte can be wrong only after ASCII.
            let around = &part[start..start + 3 + BLOCK + 1];
            alone |= lone(around[2], around[3]);
            for lane in steps(4..around.len(), S::LANES) {
                broken = grammar.broken(broken, Window::load(s, around, lane));
            }
        }
        at += MOST * BLOCK;
    }
    let found = sixteenths(len - checked * BLOCK, len) | THREE | FOUR;
    Reading { len: if S::Grammar::is_clean(s, broken) && alone < 0x80 { len } else { 0 }, found }
}

/// Returns a bit for each block that is not ASCII.
#[inline(always)]
fn list<S: Vector>(s: S, blocks: &[u8]) -> u64 {
    let (mut list, mut at) = (0, 0);
    if const { S::LANES < BLOCK } {
        for four in blocks.as_chunks::<{ 4 * BLOCK }>().0 {
            Ahead::FAR.ask(four);
            for block in steps(0..four.len(), BLOCK) {
                list |= u64::from(any(s, four, block, BLOCK).high_bits() != 0) << at;
                at += 1;
            }
        }
        return list;
    }
    let (eights, rest) = blocks.as_chunks::<{ 8 * BLOCK }>();
    for eight in eights {
        Ahead::FAR.ask(eight);
        list |= flags(s, eight) << at;
        at += 8;
    }
    if rest.is_empty() { list } else { list | flags(s, rest) << at }
}

/// The same for at most eight blocks, each of one vector.
#[inline(always)]
fn flags<S: Vector>(s: S, blocks: &[u8]) -> u64 {
    // The highest bits of all blocks in one vector, one bit for each block: one test instead of eight.
    let mut columns = s.splat(0);
    for at in steps(0..blocks.len(), BLOCK) {
        columns = (columns.shr::<1>() & s.splat(0x7F)) | (s.load(blocks, at) & s.splat(0x80));
    }
    u64::from(columns.or_all()) >> (8 - blocks.len() / BLOCK)
}
